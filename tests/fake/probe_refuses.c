/* SPDX-License-Identifier: BSD-3-Clause */
/* The probe finds nothing to work with. */
#define FAKE_NAME "fake-probe-refuses"
#define FAKE_DEFAULTS "probe=refuse"
#include "tests/fake/good.c"
