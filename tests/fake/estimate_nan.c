/* SPDX-License-Identifier: BSD-3-Clause */
/* Estimates are not a number. */
#define FAKE_NAME "fake-estimate-nan"
#define FAKE_DEFAULTS "estimate=nan"
#include "tests/fake/good.c"
