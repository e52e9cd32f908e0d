/* SPDX-License-Identifier: BSD-3-Clause */
/* Says that its descriptor is shorter than any can be. */
#include "tests/fake/minimal.h"

const hgate_plugin hgate_plugin_descriptor = {
    .magic = HGATE_PLUGIN_MAGIC,
    .abi_major = HGATE_PLUGIN_ABI_MAJOR,
    .struct_size = 24,
    MINIMAL_MEMBERS("fake-size-lie-small", minimal_kernels),
};
