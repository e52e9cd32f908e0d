/* SPDX-License-Identifier: BSD-3-Clause */
/* The probe never answers. */
#define FAKE_NAME "fake-probe-hangs"
#define FAKE_DEFAULTS "probe=hang"
#include "tests/fake/good.c"
