/* SPDX-License-Identifier: BSD-3-Clause */
/* The probe takes itself for a program. */
#define FAKE_NAME "fake-probe-exits"
#define FAKE_DEFAULTS "probe=exit"
#include "tests/fake/good.c"
