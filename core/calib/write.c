/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a calibration file: whole or not at all, also with two writers at once. */
#include "core/calib/file.h"

#include "core/base/error.h"
#include "core/config/value.h"

#include <errno.h>
#include <fcntl.h>
#include <headgate/status.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- text --------------------------------------------------------------- */

static void put_member(hg_text *out, const char *key, const char *value)
{
    if (value && value[0]) {
        hg_text_printf(out, "  %s: ", key);
        hg_put_scalar(out, value);
        hg_text_put_char(out, '\n');
    }
}

static void put_gpus(hg_text *out, const char *gpus)
{
    hg_text_put(out, "  gpu: [");
    for (const char *between = ""; *gpus; between = ", ") {
        char name[256];
        const char *end = strstr(gpus, "; ");
        const size_t n = end ? (size_t)(end - gpus) : strlen(gpus);
        hg_text text = hg_text_over(name, sizeof name);
        hg_text_put_n(&text, gpus, n);
        hg_text_put(out, between);
        hg_put_scalar(out, name);
        gpus += n + (end ? 2 : 0);
    }
    hg_text_put(out, "]\n");
}

static void put_fingerprint(hg_text *out, const hg_machine *machine)
{
    hg_text_put(out, "fingerprint:\n");
    put_member(out, "cpu", machine->cpu);
    hg_text_printf(out, "  cores: %lld\n", (long long)machine->cores);
    put_member(out, "isa", machine->isa);
    put_gpus(out, machine->gpus);
    put_member(out, "blas", machine->blas);
}

static void put_provenance(hg_text *out, const hg_provenance *provenance)
{
    hg_text_put(out, "provenance:\n");
    put_member(out, "date", provenance->date);
    put_member(out, "headgate", provenance->headgate);
    put_member(out, "compiler", provenance->compiler);
    put_member(out, "driver", provenance->driver);
    put_member(out, "note", provenance->note);
    hg_text_printf(out, "  threads: %lld\n  seconds: ", (long long)provenance->threads);
    hg_text_put_real(out, provenance->seconds);
    hg_text_put_char(out, '\n');
}

static void put_entry(hg_text *out, const hg_calib_entry *entry)
{
    hg_text_printf(out, "      %s: {value: ", entry->constant);
    hg_text_put_real(out, entry->value);
    hg_text_put(out, ", default: ");
    hg_text_put_real(out, entry->fallback);
    hg_text_printf(out, ", residual: %.3g, samples: %lld}\n", entry->residual,
                   (long long)entry->samples);
}

void hg_calib_file_put(const hg_machine *machine, const hg_provenance *provenance,
                       const hg_calib_entry *entries, size_t n, hg_text *out)
{
    hg_text_put(out, "headgate_calibration: 1\n");
    put_fingerprint(out, machine);
    put_provenance(out, provenance);
    if (n > 0) {
        hg_text_put(out, "plugins:\n");
    }
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || strcmp(entries[i].plugin, entries[i - 1].plugin) != 0) {
            hg_text_printf(out, "  %s:\n", entries[i].plugin);
            hg_text_put(out, "    plugin_version: ");
            hg_put_scalar(out, entries[i].version);
            hg_text_put(out, "\n    constants:\n");
        }
        put_entry(out, &entries[i]);
    }
    hg_text_put(out, "end: true\n");
}

/* ---- file --------------------------------------------------------------- */

static int cannot(const char *what, const char *path)
{
    return hg_error(HGATE_ECONFIG, "%s: cannot %s: %s", path, what, strerror(errno));
}

static bool make_one(const char *folder, mode_t mode)
{
    return mkdir(folder, mode) == 0 || errno == EEXIST;
}

/* The folder above may be missing too: a new account has no ~/.cache, which is for its owner alone.
 */
static bool make_two(char *folder)
{
    if (make_one(folder, 0777)) {
        return true;
    }
    char *slash = strrchr(folder, '/');
    if (errno != ENOENT || !slash || slash == folder) {
        return false;
    }
    *slash = '\0';
    const bool is_made = make_one(folder, 0700);
    *slash = '/';
    return is_made && make_one(folder, 0777);
}

int hg_calib_file_prepare(const char *path)
{
    char folder[PATH_MAX];
    struct stat st;
    const char *slash = strrchr(path, '/');
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
        return hg_error(HGATE_ECONFIG, "%s: cannot write: not a regular file", path);
    }
    if (!slash || slash == path) {
        return HGATE_OK;
    }
    hg_text text = hg_text_over(folder, sizeof folder);
    hg_text_put_n(&text, path, (size_t)(slash - path));
    if (text.is_cut) {
        return hg_error(HGATE_ECONFIG, "the path of the calibration file is too long");
    }
    if (!make_two(folder)) {
        return cannot("make the folder", folder);
    }
    return access(folder, W_OK | X_OK) == 0 ? HGATE_OK : cannot("write into", folder);
}

static int write_all(int file, const char *text, size_t n)
{
    while (n > 0) {
        const ssize_t written = write(file, text, n);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return -1;
        }
        text += written;
        n -= (size_t)written;
    }
    return 0;
}

static int open_temporary(const char *path, char *temporary, size_t size)
{
    for (int attempt = 0; attempt < 16; attempt++) {
        uint64_t random = 0;
        if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random) {
            return -1;
        }
        hg_text text = hg_text_over(temporary, size);
        hg_text_printf(&text, "%s.%016llx.tmp", path, (unsigned long long)random);
        if (text.is_cut) {
            errno = ENAMETOOLONG;
            return -1;
        }
        const int file =
            open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (file >= 0 || errno != EEXIST) {
            return file;
        }
    }
    return -1;
}

int hg_calib_file_write(const char *path, const char *text, size_t n)
{
    char temporary[PATH_MAX];
    int status = hg_calib_file_prepare(path);
    if (status != HGATE_OK) {
        return status;
    }
    const int file = open_temporary(path, temporary, sizeof temporary);
    if (file < 0) {
        return cannot("write", path);
    }
    if (write_all(file, text, n) != 0 || fsync(file) != 0) {
        status = cannot("write", temporary);
    }
    if (close(file) != 0 && status == HGATE_OK) {
        status = cannot("write", temporary);
    }
    if (status == HGATE_OK && rename(temporary, path) != 0) {
        status = cannot("put the new file in place of", path);
    }
    if (status != HGATE_OK) {
        unlink(temporary);
    }
    return status;
}

bool hg_calib_user_path(const hg_machine *machine, hg_text *out)
{
    const char *cache = secure_getenv("XDG_CACHE_HOME");
    const char *home = secure_getenv("HOME");
    if (cache && cache[0] == '/') {
        hg_text_put(out, cache);
    } else if (home && home[0] == '/') {
        hg_text_printf(out, "%s/.cache", home);
    } else {
        return false;
    }
    hg_text_printf(out, "/headgate/calibration-%016llx.yaml",
                   (unsigned long long)hg_machine_hash(machine));
    return !out->is_cut;
}
