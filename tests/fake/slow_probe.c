/* SPDX-License-Identifier: BSD-3-Clause */
/* The probe takes its time. */
#define FAKE_NAME "fake-slow-probe"
#define FAKE_DEFAULTS "probe=sleep"
#include "tests/fake/good.c"
