/* SPDX-License-Identifier: BSD-3-Clause */
/* A second plugin beside fake-good, everything twice as slow. */
#define FAKE_NAME "fake-other"
#define FAKE_DEFAULTS "seconds=4e-3;seconds_det=2e-3;seconds_reference=2e-6"
#include "tests/fake/good.c"
