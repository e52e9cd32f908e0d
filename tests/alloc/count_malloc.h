// SPDX-License-Identifier: BSD-3-Clause
// Counts every allocation of a process, and fails one of them, whoever makes it: this program's
// malloc stands in front of the C library's.
#ifndef HG_TESTS_ALLOC_COUNT_MALLOC_H
#define HG_TESTS_ALLOC_COUNT_MALLOC_H

long count_malloc(void);
// Those of the calling thread: a driver may have threads that go about their own business.
long count_own_malloc(void);

// From now on the n-th one fails, and only that one; 0: none does.
void fail_malloc(long n);

#endif
