// SPDX-License-Identifier: BSD-3-Clause
// Counts every allocation of a process, whoever makes it: this program's malloc stands in front of
// the C library's.
#ifndef HG_TESTS_ALLOC_COUNT_MALLOC_H
#define HG_TESTS_ALLOC_COUNT_MALLOC_H

long count_malloc(void);

#endif
