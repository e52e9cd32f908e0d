/* SPDX-License-Identifier: BSD-3-Clause */
/* A run starts a thread that goes on for ever. */
#define FAKE_NAME "fake-leaves-thread"
#define FAKE_DEFAULTS "habit=thread"
#include "tests/fake/good.c"
