/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomic output: O_EXCL temporary with a random name, fsync, rename, fsync of the folder. */
#include "tools/outfile.h"

#include "core/base/hash.h"
#include "core/base/text.h"
#include "tools/report.h"
#include "tools/signals.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

static int cannot_write(const char *path, const char *why)
{
    return hg_error(CLI_CANNOT_WRITE, "%s: cannot write: %s", path, why);
}

/* Length of the folder part, its slash included; 0 for a bare name. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* What every temporary of this target that this machine makes begins with. */
static void put_prefix(hg_text *text, const char *name)
{
    char host[256] = "";
    (void)gethostname(host, sizeof host - 1);
    const uint64_t machine = hg_hash_text(HG_HASH_START, host);
    hg_text_put_char(text, '.');
    hg_text_put_n(text, name, strlen(name) < 160 ? strlen(name) : 160);
    hg_text_printf(text, ".headgate-%08" PRIx32 "-", (uint32_t)machine);
}

static bool is_left_behind(const char *entry, const char *prefix)
{
    const size_t n = strlen(prefix);
    if (strncmp(entry, prefix, n) != 0) {
        return false;
    }
    char *end;
    errno = 0;
    const long owner = strtol(entry + n, &end, 10);
    return errno == 0 && *end == '-' && owner > 0 && kill((pid_t)owner, 0) != 0 && errno == ESRCH;
}

/* Removes what killed runs of this machine left for the same target. */
static void clean_up(const char *folder, const char *prefix)
{
    DIR *dir = opendir(folder);
    if (!dir) {
        return;
    }
    for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        if (is_left_behind(entry->d_name, prefix)) {
            (void)unlinkat(dirfd(dir), entry->d_name, 0);
        }
    }
    closedir(dir);
}

/* The target must be a regular file, or nothing yet, and not the input. Resolves links. */
static int resolve(cli_outfile *file, const char *path, const char *input)
{
    struct stat target, source;
    const bool exists = stat(path, &target) == 0;
    if (exists && !S_ISREG(target.st_mode)) {
        return cannot_write(path, "not a regular file");
    }
    if (exists && input && stat(input, &source) == 0 && source.st_dev == target.st_dev &&
        source.st_ino == target.st_ino) {
        return cannot_write(path, "it is the input file");
    }
    if (path[0] == '\0' || path[folder_length(path)] == '\0') {
        return cannot_write(path, "not a file name");
    }
    file->path = exists ? realpath(path, NULL) : strdup(path);
    return file->path ? CLI_DONE : cannot_write(path, strerror(errno));
}

static int make_temporary(cli_outfile *file)
{
    const size_t folder = folder_length(file->path);
    hg_text name = hg_text_growing(NULL);
    hg_text prefix = hg_text_growing(NULL);
    uint64_t random = 0;
    int status = CLI_DONE;
    put_prefix(&prefix, file->path + folder);
    hg_text_put_n(&name, file->path, folder);
    hg_text_put(&name, folder > 0 ? "" : ".");
    if (!name.is_cut && !prefix.is_cut) { /* a shorter prefix would match the user's files */
        clean_up(name.data, prefix.data);
    }
    hg_text_cut_to(&name, folder);
    if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random) {
        status = cannot_write(file->path, "no random numbers");
    }
    hg_text_printf(&name, "%s%ld-%016" PRIx64, prefix.data, (long)getpid(), random);
    file->temporary = name.is_cut || prefix.is_cut ? NULL : strdup(name.data);
    hg_text_release(&name);
    hg_text_release(&prefix);
    if (status == CLI_DONE && !file->temporary) {
        status = hg_error_memory("file name", strlen(file->path));
    }
    return status;
}

int cli_outfile_open(cli_outfile *file, const char *path, const char *input)
{
    *file = (cli_outfile){.fd = -1};
    int status = resolve(file, path, input);
    if (status == CLI_DONE) {
        status = make_temporary(file);
    }
    if (status == CLI_DONE) {
        cli_signals_guard(file->temporary);
        file->fd = open(file->temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (file->fd < 0) {
            status = cannot_write(path, strerror(errno));
        }
    }
    if (status != CLI_DONE) {
        cli_outfile_abandon(file);
    }
    return status;
}

static void sync_folder(const char *path)
{
    char *folder = strdup(path);
    if (!folder) {
        return;
    }
    folder[folder_length(path)] = '\0';
    const int fd = open(folder[0] ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    if (fd >= 0) {
        (void)fsync(fd); /* a file system that cannot do this has no better way */
        close(fd);
    }
}

int cli_outfile_commit(cli_outfile *file)
{
    int status = CLI_DONE;
    if (fsync(file->fd) != 0 || rename(file->temporary, file->path) != 0) {
        status = cannot_write(file->path, strerror(errno));
    } else {
        cli_signals_guard(NULL);
        sync_folder(file->path);
        free(file->temporary);
        file->temporary = NULL;
    }
    cli_outfile_abandon(file);
    return status;
}

void cli_outfile_abandon(cli_outfile *file)
{
    if (file->fd >= 0) {
        close(file->fd);
    }
    if (file->temporary) {
        (void)unlink(file->temporary);
    }
    cli_signals_guard(NULL);
    free(file->temporary);
    free(file->path);
    *file = (cli_outfile){.fd = -1};
}
