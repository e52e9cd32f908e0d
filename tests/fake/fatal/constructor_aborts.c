/* SPDX-License-Identifier: BSD-3-Clause */
/* The process ends while the file is mapped. */
#include "tests/fake/minimal.h"

#include <stdlib.h>

__attribute__((constructor)) static void start(void)
{
    abort();
}

const hgate_plugin hgate_plugin_descriptor = {
    HGATE_PLUGIN_HEADER,
    MINIMAL_MEMBERS("fake-constructor-aborts", minimal_kernels),
};
