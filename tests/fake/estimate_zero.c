/* SPDX-License-Identifier: BSD-3-Clause */
/* Estimates are zero for work that is there. */
#define FAKE_NAME "fake-estimate-zero"
#define FAKE_DEFAULTS "estimate=zero"
#include "tests/fake/good.c"
