/* SPDX-License-Identifier: BSD-3-Clause */
/* Ownership and permission of plugin files. A plugin is code: whoever can write it, or a folder on
 * its way, can run anything in this process. */
#include "core/plugin/vet.h"

#include <headgate/engine.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void put_path(hg_text *why, const char *path)
{
    hg_text_put(why, why->length ? "; " : "");
    hg_text_put_untrusted(why, path, strlen(path), SIZE_MAX);
}

/* A system call failed for this path. */
static int fail(hg_text *why, const char *path)
{
    int cause = errno;
    put_path(why, path);
    hg_text_printf(why, ": %s", strerror(cause));
    return HGATE_PLUGIN_LOAD_FAILED;
}

/* Appends what is wrong with a file or folder; true when nothing is. */
static bool is_trusted(const char *path, const struct stat *info, hg_text *why)
{
    const char *fault = NULL;
    if (info->st_uid != 0 && info->st_uid != geteuid()) {
        fault = "belongs to neither root nor the user";
    } else if ((info->st_mode & S_IWOTH) &&
               !(S_ISDIR(info->st_mode) && (info->st_mode & S_ISVTX))) {
        fault = "is writable by others";
    }
    if (!fault) {
        return true;
    }
    put_path(why, path);
    hg_text_printf(why, " %s (owner %lld, mode %04o)", fault, (long long)info->st_uid,
                   (unsigned)(info->st_mode & 07777));
    return false;
}

static bool is_folder_trusted(const char *path, hg_text *why)
{
    struct stat info;
    if (stat(path, &info) == 0) {
        return is_trusted(path, &info, why);
    }
    fail(why, path);
    return false;
}

static bool is_inside(const char *path, const char *top)
{
    size_t n = strlen(top);
    return strncmp(path, top, n) == 0 && (path[n] == '/' || (n > 0 && top[n - 1] == '/'));
}

/* The folders of `path` (absolute, free of links), from its own up to `top`, or up to the root when
 * `path` is not inside. `path` is cut on the way. */
static bool are_folders_trusted(char *path, const char *top, hg_text *why)
{
    bool is_within = is_inside(path, top);
    bool is_good = is_within || is_folder_trusted(top, why);
    for (char *slash = strrchr(path, '/'); slash; slash = strrchr(path, '/')) {
        slash[slash == path] = '\0'; /* the root keeps its slash */
        is_good = is_folder_trusted(path, why) && is_good;
        if (slash == path || (is_within && strcmp(path, top) == 0)) {
            break;
        }
    }
    return is_good;
}

/* The rules, for a path and a folder whose links are resolved. */
static int vet_resolved(const char *path, const char *top, bool is_lenient, struct stat *info,
                        hg_text *why)
{
    /* Not to wait for the other end of a FIFO; a link put here in the meantime is refused. */
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        return fail(why, path);
    }
    int status = fstat(fd, info) == 0 ? HGATE_PLUGIN_USABLE : fail(why, path);
    close(fd);
    if (status != HGATE_PLUGIN_USABLE) {
        return status;
    }
    if (!S_ISREG(info->st_mode)) {
        hg_text_put(why, "not a regular file");
        return HGATE_PLUGIN_LOAD_FAILED;
    }
    bool is_good = is_trusted(path, info, why);
    char *cut = strdup(path);
    if (!cut) {
        errno = ENOMEM;
        return fail(why, path);
    }
    is_good = are_folders_trusted(cut, top, why) && is_good;
    free(cut);
    return is_good || is_lenient ? HGATE_PLUGIN_USABLE : HGATE_PLUGIN_PERMISSION;
}

int hg_vet(const char *path, const char *top, bool is_lenient, hg_vetted *out, hg_text *why)
{
    char *real_path = realpath(path, NULL);
    char *real_top = real_path ? realpath(top, NULL) : NULL;
    struct stat info;
    int status = HGATE_PLUGIN_LOAD_FAILED;
    if (!real_path || !real_top) {
        fail(why, real_path ? top : path);
    } else {
        status = vet_resolved(real_path, real_top, is_lenient, &info, why);
    }
    free(real_top);
    if (status != HGATE_PLUGIN_USABLE) {
        free(real_path);
        return status;
    }
    *out = (hg_vetted){.path = real_path, .device = info.st_dev, .inode = info.st_ino};
    return status;
}

bool hg_vetted_is_same(const hg_vetted *file)
{
    struct stat info;
    return lstat(file->path, &info) == 0 && info.st_dev == file->device &&
           info.st_ino == file->inode;
}

void hg_vetted_release(hg_vetted *file)
{
    free(file->path);
    file->path = NULL;
}
