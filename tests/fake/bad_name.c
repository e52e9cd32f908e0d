/* SPDX-License-Identifier: BSD-3-Clause */
/* Has a name with letters that no name has. */
#include "tests/fake/minimal.h"

const hgate_plugin hgate_plugin_descriptor = {
    HGATE_PLUGIN_HEADER,
    MINIMAL_MEMBERS("fake Bad\n", minimal_kernels),
};
