/* SPDX-License-Identifier: BSD-3-Clause */
/* Needs a function that nobody has. */
#include "tests/fake/minimal.h"

extern int hgate_fake_that_nobody_has(void);

static int probe(const hgate_host *host, hgate_reason *reason, void **state)
{
    return hgate_fake_that_nobody_has() + minimal_probe(host, reason, state);
}

const hgate_plugin hgate_plugin_descriptor = {
    HGATE_PLUGIN_HEADER,
    MINIMAL_MEMBERS_PROBE("fake-unresolved-symbol", minimal_kernels, probe),
};
