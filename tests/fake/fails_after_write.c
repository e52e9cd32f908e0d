/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs fail after they wrote. */
#define FAKE_NAME "fake-fails-after-write"
#define FAKE_DEFAULTS "fail_status=-20;fail_after_write=1"
#include "tests/fake/good.c"
