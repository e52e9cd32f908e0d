/* SPDX-License-Identifier: BSD-3-Clause */
/* Its kernel has no function that does the work. */
#include "tests/fake/minimal.h"

static const hgate_kernel idle = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_VISIBILITY_GRAM,
    .name = "idle",
    .dtypes = HGATE_C64,
    .spaces = HGATE_SPACE_HOST,
    .estimate = minimal_estimate,
};
static const hgate_kernel *const kernels[] = {&minimal_kernel, &idle};

const hgate_plugin hgate_plugin_descriptor = {
    HGATE_PLUGIN_HEADER,
    MINIMAL_MEMBERS("fake-null-run", kernels),
};
