/* SPDX-License-Identifier: BSD-3-Clause */
/* One agreement in the process on the thread count of each BLAS: 1 while any kernel is inside it.
 */
#ifndef HG_PLUGIN_BLAS_GUARD_H
#define HG_PLUGIN_BLAS_GUARD_H

#include <stdbool.h>

/* A library is known by its set function. The first one in remembers the count and sets 1, the last
 * one out puts it back; nobody waits for anybody's work. A pair may be nested. MT-Safe.
 * Without functions the library has neither threads nor locks: one thread at a time is let in, and
 * leaves itself. */
void hg_blas_enter(void (*set_threads)(int), int (*get_threads)(void));
void hg_blas_leave(void (*set_threads)(int));

/* Around fork(). In the child nobody is inside, and the count stays where it is. */
void hg_blas_before_fork(void);
void hg_blas_after_fork(bool is_child);

#endif
