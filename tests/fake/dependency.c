/* SPDX-License-Identifier: BSD-3-Clause */
/* A library with a descriptor that a plugin must not borrow. */
#include "tests/fake/minimal.h"

extern HGATE_PLUGIN_EXPORT int fake_dependency_answer(void);

int fake_dependency_answer(void)
{
    return 42;
}

const hgate_plugin hgate_plugin_descriptor = {
    HGATE_PLUGIN_HEADER,
    MINIMAL_MEMBERS("fake-dependency", minimal_kernels),
};
