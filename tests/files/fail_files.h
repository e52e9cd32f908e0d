// SPDX-License-Identifier: BSD-3-Clause
// Counts the calls that write files, and fails one of them or all from one on, as a quota or a
// broken disk does: these functions stand in front of the C library's. Part of a program, or
// preloaded into one.
#ifndef HG_TESTS_FILES_FAIL_FILES_H
#define HG_TESTS_FILES_FAIL_FILES_H

// Calls so far: creating a regular file, writing to one, cutting, syncing, closing and renaming it.
long count_file_calls(void);

// The n-th from now on fails with `error`, and those after it where `for_good`; 0: none does.
void fail_file_calls(long n, int error, int for_good);

#endif
