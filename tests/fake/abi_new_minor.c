/* SPDX-License-Identifier: BSD-3-Clause */
/* Made for a later minor version: longer records, unknown bits. What is known of it has to work. */
#define hgate_plugin_descriptor declared_by_the_header /* it has another type here */
#include "tests/fake/minimal.h"
#undef hgate_plugin_descriptor

struct later_kernel {
    hgate_kernel known;
    void *unknown[3];
};
struct later_plugin {
    hgate_plugin known;
    void *unknown[5];
};

static const struct later_kernel later = {
    .known =
        {
            .struct_size = sizeof(struct later_kernel),
            .op = HGATE_OP_VISIBILITY_GRAM,
            .name = "later",
            .dtypes = HGATE_C64 | 1u << 30,
            .spaces = HGATE_SPACE_HOST | 1u << 30,
            .flags = HGATE_KERNEL_DETERMINISTIC | 1u << 30,
            .estimate = minimal_estimate,
            .run = minimal_run,
        },
    .unknown = {(void *)&minimal_kernel},
};
static const hgate_kernel *const kernels[] = {&later.known, &minimal_kernel};

extern HGATE_PLUGIN_EXPORT const struct later_plugin hgate_plugin_descriptor;
const struct later_plugin hgate_plugin_descriptor = {
    .known =
        {
            .magic = HGATE_PLUGIN_MAGIC,
            .abi_major = HGATE_PLUGIN_ABI_MAJOR,
            .abi_minor = HGATE_PLUGIN_ABI_MINOR + 1,
            .struct_size = sizeof(struct later_plugin),
            MINIMAL_MEMBERS("fake-abi-new-minor", kernels),
        },
    .unknown = {(void *)&minimal_kernel},
};
