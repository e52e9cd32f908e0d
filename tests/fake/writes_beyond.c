/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs write one byte behind the argument that ends last. */
#define FAKE_NAME "fake-writes-beyond"
#define FAKE_DEFAULTS "habit=beyond"
#include "tests/fake/good.c"
