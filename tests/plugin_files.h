/* SPDX-License-Identifier: BSD-3-Clause */
/* For tests of plugin files: a private folder with files in it, and a log that is kept. */
#ifndef HG_TESTS_PLUGIN_FILES_H
#define HG_TESTS_PLUGIN_FILES_H

#include "core/base/log.h"
#include "core/base/text.h"

#include <check.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { path_bytes = 4096 };

/* Top of the build tree: as make check tells, else the current folder. */
static inline const char *build_folder(void)
{
    static char current[path_bytes];
    const char *told = getenv("abs_top_builddir");
    if (!told) {
        ck_assert_ptr_nonnull(getcwd(current, sizeof current));
    }
    return told ? told : current;
}

/* "folder/name" in one of a few buffers, for use in one expression. */
static inline const char *in(const char *folder, const char *name)
{
    static char buffers[8][path_bytes];
    static int next;
    char *path = buffers[next++ % 8];
    ck_assert_int_lt(snprintf(path, path_bytes, "%s/%s", folder, name), path_bytes);
    return path;
}

/* A new folder below the build tree; its name is kept in `folder`. */
static inline void make_folder(char folder[static path_bytes])
{
    snprintf(folder, path_bytes, "%s", in(build_folder(), "tests/plugin-XXXXXX"));
    ck_assert_ptr_nonnull(mkdtemp(folder));
    char *real = realpath(folder, NULL);
    ck_assert_ptr_nonnull(real);
    snprintf(folder, path_bytes, "%s", real);
    free(real);
}

static inline int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info;
    (void)kind;
    (void)where;
    return remove(path);
}

static inline void remove_folder(const char *folder)
{
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* The pattern with `folder` for each '@', in one of a few buffers. */
static inline const char *expand(const char *pattern, const char *folder)
{
    static char buffers[4][path_bytes];
    static int next;
    hg_text path = hg_text_over(buffers[next++ % 4], path_bytes);
    for (const char *c = pattern; *c; c++) {
        hg_text_put_n(&path, *c == '@' ? folder : c, *c == '@' ? strlen(folder) : 1);
    }
    ck_assert(!path.is_cut);
    return path.data;
}

static inline void make_subfolder(const char *folder, const char *name)
{
    ck_assert_int_eq(mkdir(in(folder, name), 0700), 0);
}

static inline void write_file(const char *path, const void *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");
    ck_assert_msg(file, "%s", path);
    ck_assert_uint_eq(fwrite(bytes, 1, n, file), n);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(chmod(path, 0600), 0);
}

/* To be freed. */
static inline char *read_file(const char *from, size_t *size)
{
    FILE *file = fopen(from, "rb");
    ck_assert_msg(file, "%s", from);
    fseek(file, 0, SEEK_END);
    size_t n = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(n);
    ck_assert_ptr_nonnull(bytes);
    ck_assert_uint_eq(fread(bytes, 1, n, file), n);
    fclose(file);
    *size = n;
    return bytes;
}

static inline void copy_file(const char *from, const char *to)
{
    size_t n = 0;
    char *bytes = read_file(from, &n);
    write_file(to, bytes, n);
    free(bytes);
}

/* Path of a fake plugin in the build tree: fake("good"). */
static inline const char *fake(const char *name)
{
    char file[256];
    snprintf(file, sizeof file, "tests/fake/.libs/headgate-fake-%s.so", name);
    return in(build_folder(), file);
}

static inline const char *fake_folder(void)
{
    return in(build_folder(), "tests/fake/.libs");
}

/* ---- log ------------------------------------------------------------------------------------- */

typedef struct kept_log {
    hg_log *log;
    int n_warnings; /* and errors */
    size_t length;
    char text[16384]; /* lines of all levels */
} kept_log;

static inline void keep_line(void *user, int level, const char *component, const char *text)
{
    kept_log *kept = user;
    kept->n_warnings += level <= HGATE_LOG_WARN;
    if (kept->length < sizeof kept->text) {
        kept->length +=
            (size_t)snprintf(kept->text + kept->length, sizeof kept->text - kept->length,
                             "%s: %s\n", component, text);
    }
}

static inline void open_log(kept_log *kept)
{
    memset(kept, 0, sizeof *kept);
    ck_assert_int_eq(hg_log_new(keep_line, kept, HGATE_LOG_TRACE, NULL, &kept->log), HGATE_OK);
}

#endif
