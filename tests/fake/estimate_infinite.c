/* SPDX-License-Identifier: BSD-3-Clause */
/* Estimates are infinite. */
#define FAKE_NAME "fake-estimate-infinite"
#define FAKE_DEFAULTS "estimate=infinite"
#include "tests/fake/good.c"
