/* SPDX-License-Identifier: BSD-3-Clause */
/* Two kernels of an operation have one name. */
#include "tests/fake/minimal.h"

static const hgate_kernel twin = MINIMAL_KERNEL(HGATE_OP_VISIBILITY_GRAM, "only");
static const hgate_kernel *const kernels[] = {&minimal_kernel, &twin};

const hgate_plugin hgate_plugin_descriptor = {
    HGATE_PLUGIN_HEADER,
    MINIMAL_MEMBERS("fake-dup-kernel", kernels),
};
