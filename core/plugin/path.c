/* SPDX-License-Identifier: BSD-3-Clause */
/* The search path. No part of it is ever relative to the current folder, and none is empty. */
#include "core/plugin/path.h"

#include "core/base/error.h"
#include "core/plugin/check.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char prefix[] = "headgate-";
static const char suffix[] = ".so";

/* One walk along the path. */
typedef struct walk {
    hg_arena *arena;
    hg_log *log;
    hg_candidate *list;
    size_t n, room;
    struct seen {
        dev_t device;
        ino_t inode;
        struct seen *next;
    } * seen; /* folders that were read */
} walk;

static const char component[] = "plugin";

static bool is_plugin_file(const char *name)
{
    size_t n = strlen(name);
    size_t least = sizeof prefix - 1 + sizeof suffix - 1;
    return n > least && strncmp(name, prefix, sizeof prefix - 1) == 0 &&
           strcmp(name + n - (sizeof suffix - 1), suffix) == 0;
}

/* The NAME in headgate-NAME.so, when it may be one. */
static int name_of_file(walk *w, const char *path, const char **name)
{
    const char *file = strrchr(path, '/') + 1;
    *name = NULL;
    if (is_plugin_file(file)) {
        const char *start = file + sizeof prefix - 1;
        char *copy = hg_arena_strndup(w->arena, start, strlen(start) - (sizeof suffix - 1));
        if (!copy) {
            return hg_error_memory("search for plugins", strlen(start));
        }
        *name = hg_is_name(copy, HG_PLUGIN_NAME_LONGEST, '-') ? copy : NULL;
    }
    return HGATE_OK;
}

static int add(walk *w, const char *path, const char *folder)
{
    if (w->n == w->room) {
        size_t room = w->room ? 2 * w->room : 16;
        hg_candidate *larger = hg_arena_array(w->arena, room, sizeof *larger);
        if (!larger) {
            return hg_error_memory("list of plugin files", room * sizeof *larger);
        }
        if (w->n) {
            memcpy(larger, w->list, w->n * sizeof *larger);
        }
        w->list = larger;
        w->room = room;
    }
    hg_candidate *candidate = &w->list[w->n];
    *candidate = (hg_candidate){.path = path, .folder = folder};
    int status = name_of_file(w, path, &candidate->name);
    w->n += status == HGATE_OK;
    return status;
}

/* "folder/name" in the arena. */
static char *join(walk *w, const char *folder, const char *name)
{
    size_t n = strlen(folder);
    while (n > 1 && folder[n - 1] == '/') {
        n--;
    }
    size_t bytes = n + strlen(name) + 2;
    char *path = hg_arena_alloc(w->arena, bytes);
    if (path) {
        memcpy(path, folder, n);
        path[n] = '/';
        strcpy(path + n + (folder[n - 1] != '/'), name);
    }
    return path;
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(((const hg_candidate *)a)->path, ((const hg_candidate *)b)->path);
}

/* Folders, FIFOs and devices are no plugins whatever they are called; a broken link is a broken
 * plugin. */
static bool may_be_file(const char *path)
{
    struct stat info;
    return stat(path, &info) != 0 || S_ISREG(info.st_mode);
}

static int read_folder(walk *w, DIR *stream, const char *folder)
{
    size_t first = w->n;
    const struct dirent *entry;
    while ((entry = readdir(stream))) {
        if (!is_plugin_file(entry->d_name)) {
            continue;
        }
        char *path = join(w, folder, entry->d_name);
        if (!path) {
            return hg_error_memory("search for plugins", strlen(folder));
        }
        if (!may_be_file(path)) {
            hg_log_line(w->log, HGATE_LOG_INFO, component, "%s is not a regular file, left out",
                        path);
            continue;
        }
        int status = add(w, path, folder);
        if (status != HGATE_OK) {
            return status;
        }
    }
    if (w->n > first) {
        qsort(w->list + first, w->n - first, sizeof *w->list, compare_paths);
    }
    return HGATE_OK;
}

/* A folder that comes twice would only list every file as a shadow of itself. */
static int is_first_time(walk *w, int fd, bool *is_first)
{
    struct stat info;
    *is_first = true;
    if (fd < 0 || fstat(fd, &info) != 0) {
        return HGATE_OK;
    }
    for (const struct seen *s = w->seen; s; s = s->next) {
        if (s->device == info.st_dev && s->inode == info.st_ino) {
            *is_first = false;
            return HGATE_OK;
        }
    }
    struct seen *s = hg_arena_alloc(w->arena, sizeof *s);
    if (!s) {
        return hg_error_memory("search for plugins", sizeof *s);
    }
    *s = (struct seen){info.st_dev, info.st_ino, w->seen};
    w->seen = s;
    return HGATE_OK;
}

static int walk_folder(walk *w, const char *folder)
{
    if (folder[0] != '/') {
        hg_log_line(w->log, HGATE_LOG_WARN, component,
                    "folder \"%s\" of the plugin search path is not absolute, left out", folder);
        return HGATE_OK;
    }
    DIR *stream = opendir(folder);
    if (!stream) {
        int level = errno == ENOENT ? HGATE_LOG_INFO : HGATE_LOG_WARN;
        hg_log_line(w->log, level, component, "no plugins from %s: %s", folder, strerror(errno));
        return HGATE_OK;
    }
    bool is_first;
    int status = is_first_time(w, dirfd(stream), &is_first);
    if (status == HGATE_OK && is_first) {
        status = read_folder(w, stream, folder);
    }
    closedir(stream);
    return status;
}

static int walk_file(walk *w, const char *path)
{
    struct stat info;
    if (path[0] != '/') {
        return hg_error(HGATE_ECONFIG, "plugins.files: \"%s\" is not absolute", path);
    }
    if (stat(path, &info) != 0) {
        return hg_error(HGATE_ECONFIG, "plugins.files: %s: %s", path, strerror(errno));
    }
    size_t n = (size_t)(strrchr(path, '/') - path);
    char *copy = hg_arena_strdup(w->arena, path);
    char *folder = hg_arena_strndup(w->arena, path, n ? n : 1);
    return copy && folder ? add(w, copy, folder)
                          : hg_error_memory("search for plugins", strlen(path));
}

int hg_search_run(const hg_search *search, hg_arena *arena, hg_log *log, const hg_candidate **list,
                  size_t *n)
{
    walk w = {.arena = arena, .log = log};
    int status = HGATE_OK;
    for (size_t i = 0; i < search->n_files && status == HGATE_OK; i++) {
        status = walk_file(&w, search->files[i]);
    }
    for (size_t i = 0; i < search->n_folders && status == HGATE_OK; i++) {
        status = walk_folder(&w, search->folders[i]);
    }
    if (status == HGATE_OK && search->default_folder) {
        status = walk_folder(&w, search->default_folder);
    }
    if (status == HGATE_OK) {
        *list = w.list;
        *n = w.n;
    }
    return status;
}
