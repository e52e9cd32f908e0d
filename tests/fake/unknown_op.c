/* SPDX-License-Identifier: BSD-3-Clause */
/* One of its kernels serves an operation of the future; the other is served. */
#include "tests/fake/minimal.h"

static const hgate_kernel future = MINIMAL_KERNEL(10000, "future");
static const hgate_kernel *const kernels[] = {&future, &minimal_kernel};

const hgate_plugin hgate_plugin_descriptor = {
    HGATE_PLUGIN_HEADER,
    MINIMAL_MEMBERS("fake-unknown-op", kernels),
};
