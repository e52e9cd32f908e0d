/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs ask for more workspace than was estimated. */
#define FAKE_NAME "fake-ws-liar"
#define FAKE_DEFAULTS "ws_bytes=64;ws_lie=refuse"
#include "tests/fake/good.c"
