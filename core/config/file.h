/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a small text file whole. */
#ifndef HG_CONFIG_FILE_H
#define HG_CONFIG_FILE_H

#include "core/base/alloc.h"

typedef struct hg_file {
    char *text; /* not terminated; release with hg_free */
    size_t n;
} hg_file;

/** Reads a regular file of at most `limit` bytes. HGATE_OK; HGATE_ENOMEM; HGATE_ECONFIG with the
 *  reason as the last error: "PATH:1:1: ...". `out` is set on success only. */
int hg_file_read(const char *path, size_t limit, const hg_allocator *allocator, hg_file *out);

#endif
