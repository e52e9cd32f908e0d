/* SPDX-License-Identifier: BSD-3-Clause */
/* The probe reads where nothing is. */
#define FAKE_NAME "fake-probe-segfaults"
#define FAKE_DEFAULTS "probe=segfault"
#include "tests/fake/good.c"
