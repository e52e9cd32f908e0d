/* SPDX-License-Identifier: BSD-3-Clause */
/* Begins with other letters. */
#include "tests/fake/minimal.h"

const hgate_plugin hgate_plugin_descriptor = {
    .magic = "HGATEPLX",
    .abi_major = HGATE_PLUGIN_ABI_MAJOR,
    .struct_size = sizeof(hgate_plugin),
    MINIMAL_MEMBERS("fake-bad-magic", minimal_kernels),
};
