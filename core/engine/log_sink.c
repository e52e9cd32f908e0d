/* SPDX-License-Identifier: BSD-3-Clause */
/* Log lines to the host application and to log.file. */
#include "core/engine/engine_int.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char key[] = "log.file";

int hg_log_sink_open(hg_log_sink *sink, const hg_config *config)
{
    const char *path = hg_config_text(config, key);
    if (!path) {
        return HGATE_OK;
    }
    sink->file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
    if (sink->file < 0) {
        return hg_error(HGATE_ECONFIG, "%s: %s: cannot open %s: %s", hg_config_origin(config, key),
                        key, path, strerror(errno));
    }
    return HGATE_OK;
}

void hg_log_sink_close(hg_log_sink *sink)
{
    if (sink->file >= 0) {
        close(sink->file);
    }
    sink->file = -1;
}

/* One write for a line, so that lines of several threads and processes do not mix. */
static void write_line(int file, int level, const char *component, const char *text)
{
    static const char *const words[] = {"off", "error", "warn", "info", "debug", "trace"};
    char buffer[1280]; /* the log cuts texts at 1024 */
    hg_text line = hg_text_over(buffer, sizeof buffer - 1);
    struct timespec now;
    struct tm utc;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    hg_text_printf(&line, "%04d-%02d-%02dT%02d:%02d:%02dZ %s %s: %s", utc.tm_year + 1900,
                   utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec,
                   words[level >= 0 && level <= HGATE_LOG_TRACE ? level : 0], component, text);
    buffer[line.length] = '\n';
    const ssize_t written = write(file, buffer, line.length + 1);
    (void)written; /* a full disk must not stop the work that is logged */
}

void hg_log_sink_write(void *user, int level, const char *component, const char *text)
{
    const hg_log_sink *sink = user;
    if (sink->callback) {
        sink->callback(sink->user, level, component, text);
    }
    if (sink->file >= 0) {
        const int before = errno;
        write_line(sink->file, level, component, text);
        errno = before;
    }
}
