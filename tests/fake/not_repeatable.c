/* SPDX-License-Identifier: BSD-3-Clause */
/* Flagged deterministic, and `det` writes another number in each run. */
#define FAKE_NAME "fake-not-repeatable"
#define FAKE_DEFAULTS "drift_det=1"
#include "tests/fake/good.c"
