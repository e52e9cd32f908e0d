// SPDX-License-Identifier: BSD-3-Clause
// One small problem of each family, whose results a host knows.
#ifndef HG_TESTS_GUEST_WORK_H
#define HG_TESTS_GUEST_WORK_H

#include "tests/guest/library.h"

/// Runs all four with a context of its own and at most `threads` threads. NULL, or what went wrong.
/// Its arrays are on the heap, so that it may be called on a small stack.
const char *guest_work(const guest_library *lib, hgate_engine *engine, int threads);

#endif
