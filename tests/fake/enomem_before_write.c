/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs find no memory, before they write. */
#define FAKE_NAME "fake-enomem-before-write"
#define FAKE_DEFAULTS "fail_status=-8"
#include "tests/fake/good.c"
