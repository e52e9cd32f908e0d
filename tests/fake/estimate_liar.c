/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicts a nanosecond and takes 20 milliseconds. */
#define FAKE_NAME "fake-estimate-liar"
#define FAKE_DEFAULTS "seconds=1e-9;sleep=0.02"
#include "tests/fake/good.c"
