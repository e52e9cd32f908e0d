/* SPDX-License-Identifier: BSD-3-Clause */
/* One of its kernels is not there. */
#include "tests/fake/minimal.h"

static const hgate_kernel *const kernels[] = {&minimal_kernel, NULL};

const hgate_plugin hgate_plugin_descriptor = {
    HGATE_PLUGIN_HEADER,
    MINIMAL_MEMBERS("fake-null-kernel", kernels),
};
