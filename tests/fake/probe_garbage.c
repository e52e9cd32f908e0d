/* SPDX-License-Identifier: BSD-3-Clause */
/* The probe returns a number that is no status. */
#define FAKE_NAME "fake-probe-garbage"
#define FAKE_DEFAULTS "probe=garbage"
#include "tests/fake/good.c"
