/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs work in a library with a thread count of its own, as the host lets them. */
#define FAKE_NAME "fake-blas-threads"
#define FAKE_DEFAULTS "habit=blas"
#include "tests/fake/good.c"
