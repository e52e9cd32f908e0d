/* SPDX-License-Identifier: BSD-3-Clause */
/* Says that its descriptor is longer than its symbol is. */
#include "tests/fake/minimal.h"

const hgate_plugin hgate_plugin_descriptor = {
    .magic = HGATE_PLUGIN_MAGIC,
    .abi_major = HGATE_PLUGIN_ABI_MAJOR,
    .struct_size = sizeof(hgate_plugin) + 64,
    MINIMAL_MEMBERS("fake-size-lie-big", minimal_kernels),
};
