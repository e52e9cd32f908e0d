/* SPDX-License-Identifier: BSD-3-Clause */
/* Made for an ABI of the future. */
#include "tests/fake/minimal.h"

const hgate_plugin hgate_plugin_descriptor = {
    .magic = HGATE_PLUGIN_MAGIC,
    .abi_major = HGATE_PLUGIN_ABI_MAJOR + 1,
    .struct_size = sizeof(hgate_plugin),
    MINIMAL_MEMBERS("fake-abi-other-major", minimal_kernels),
};
