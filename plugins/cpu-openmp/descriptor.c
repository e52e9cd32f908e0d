/* SPDX-License-Identifier: BSD-3-Clause */
/* The one exported symbol: the shared kernels that spread their work, and the constants of
 * cpu-openmp. */
#include "plugins/cpu-openmp/team.h"
#include "plugins/cpu/constants.h"

#define TEAM_KERNELS(X)                                                                            \
    HG_CPU_CURVATURE_KERNELS(X)                                                                    \
    HG_CPU_EMI_KERNELS(X)                                                                          \
    HG_CPU_VISIBILITY_KERNELS(X)                                                                   \
    HG_CPU_KIRCHHOFF_KERNELS(X)

#define DECLARE(SYMBOL) extern const hgate_kernel hg_team_##SYMBOL;
TEAM_KERNELS(DECLARE)

#define POINT_TO(SYMBOL) &hg_team_##SYMBOL,
static const hgate_kernel *const kernels[] = {TEAM_KERNELS(POINT_TO)};

HG_CPU_CONSTANTS(HG_CONSTANT_RECORD)
static const hgate_constant *const constants[] = {HG_CPU_CONSTANTS(HG_CONSTANT_POINTER)};

const hgate_plugin hgate_plugin_descriptor = {
    .magic = HGATE_PLUGIN_MAGIC,
    .abi_major = HGATE_PLUGIN_ABI_MAJOR,
    .abi_minor = HGATE_PLUGIN_ABI_MINOR,
    .struct_size = sizeof(hgate_plugin),
    .name = "cpu-openmp",
    .version = PACKAGE_VERSION,
    .license = "BSD-3-Clause",
    .description = "vector kernels over a team of threads",
    .n_kernels = sizeof kernels / sizeof *kernels,
    .kernels = kernels,
    .n_constants = sizeof constants / sizeof *constants,
    .constants = constants,
    .probe = hg_team_probe,
    .describe = hg_team_describe,
    .release = hg_team_release,
};
