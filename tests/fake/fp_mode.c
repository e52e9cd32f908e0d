/* SPDX-License-Identifier: BSD-3-Clause */
/* Its probe and its runs leave another rounding, and denormal numbers as 0. */
#define FAKE_NAME "fake-fp-mode"
#define FAKE_DEFAULTS "probe=fp_mode;habit=fp_mode"
#include "tests/fake/good.c"
