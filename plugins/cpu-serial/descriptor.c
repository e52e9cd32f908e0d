/* SPDX-License-Identifier: BSD-3-Clause */
/* The one exported symbol: kernels and constants of cpu-serial, gathered from the lists of the
 * families. */
#include "plugins/cpu-serial/constants.h"
#include "plugins/cpu-serial/probe.h"

#define SHARED_KERNELS(X)                                                                          \
    HG_CPU_CURVATURE_KERNELS(X)                                                                    \
    HG_CPU_EMI_KERNELS(X)                                                                          \
    HG_CPU_VISIBILITY_KERNELS(X)                                                                   \
    HG_CPU_KIRCHHOFF_KERNELS(X)

#define REFERENCE_KERNELS(X)                                                                       \
    HG_REFERENCE_CURVATURE_KERNELS(X)                                                              \
    HG_REFERENCE_EMI_KERNELS(X)                                                                    \
    HG_REFERENCE_VISIBILITY_KERNELS(X)                                                             \
    HG_REFERENCE_KIRCHHOFF_KERNELS(X)

#define DECLARE_SHARED(SYMBOL) extern const hgate_kernel hg_serial_##SYMBOL;
#define DECLARE_REFERENCE(SYMBOL) extern const hgate_kernel hg_reference_##SYMBOL;
SHARED_KERNELS(DECLARE_SHARED)
REFERENCE_KERNELS(DECLARE_REFERENCE)

#define POINT_TO_SHARED(SYMBOL) &hg_serial_##SYMBOL,
#define POINT_TO_REFERENCE(SYMBOL) &hg_reference_##SYMBOL,
static const hgate_kernel *const kernels[] = {SHARED_KERNELS(POINT_TO_SHARED)
                                                  REFERENCE_KERNELS(POINT_TO_REFERENCE)};

HG_SERIAL_CONSTANTS(HG_CONSTANT_RECORD)
static const hgate_constant *const constants[] = {HG_SERIAL_CONSTANTS(HG_CONSTANT_POINTER)};

const hgate_plugin hgate_plugin_descriptor = {
    .magic = HGATE_PLUGIN_MAGIC,
    .abi_major = HGATE_PLUGIN_ABI_MAJOR,
    .abi_minor = HGATE_PLUGIN_ABI_MINOR,
    .struct_size = sizeof(hgate_plugin),
    .name = "cpu-serial",
    .version = PACKAGE_VERSION,
    .license = "BSD-3-Clause",
    .description = "reference kernels and vector kernels on one thread",
    .n_kernels = sizeof kernels / sizeof *kernels,
    .kernels = kernels,
    .n_constants = sizeof constants / sizeof *constants,
    .constants = constants,
    .probe = hg_serial_probe,
    .describe = hg_serial_describe,
    .release = hg_serial_release,
};
