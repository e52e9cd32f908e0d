/* SPDX-License-Identifier: BSD-3-Clause */
/* The log: a callback of the host application, a level, and a brake on repeated lines. */
#ifndef HG_BASE_LOG_H
#define HG_BASE_LOG_H

#include "core/base/alloc.h"
#include "core/base/attributes.h"

#include <headgate/engine.h>
#include <stdbool.h>

typedef struct hg_log hg_log;

/** A log that calls `callback` (NULL: nobody) for lines of `level` (enum hgate_log_level) and more
 *  urgent ones. HGATE_ENOMEM is the only failure. */
int hg_log_new(hgate_log_fn callback, void *user, int level, const hg_allocator *allocator,
               hg_log **out);

/** Sums up the lines that were counted and not written, and frees the log. NULL is fine. */
void hg_log_free(hg_log *log);

/** Not while other threads write. */
void hg_log_set_level(hg_log *log, int level);

/** Would a line of this level be written? For texts that are costly to make. A NULL log: no. */
bool hg_log_is_on(const hg_log *log, int level);

/** Writes one line. The same line more than 10 times is counted only, and summed up when the log
 *  is freed or many other lines came between. Control characters are escaped. NULL log: nothing.
 *  MT-Safe. */
void hg_log_line(hg_log *log, int level, const char *component, const char *format, ...)
    HG_PRINTF(4, 5);

#endif
