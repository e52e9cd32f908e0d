/* SPDX-License-Identifier: BSD-3-Clause */
/* Estimates are below zero. */
#define FAKE_NAME "fake-estimate-negative"
#define FAKE_DEFAULTS "estimate=negative"
#include "tests/fake/good.c"
