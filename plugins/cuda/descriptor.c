/* SPDX-License-Identifier: BSD-3-Clause */
/* Plugin cuda: what it exports. Each family brings its kernels and constants in lists of its own.
 */
#include "headgate/version.h"
#include "plugins/cuda/kernels.h"
#include "plugins/cuda/runtime/state.h"

#define KERNEL(NAME) &NAME,
static const hgate_kernel *const kernels[] = {HG_CUDA_KERNELS(KERNEL)};

#define CONSTANT(NAME, UNIT, VALUE, LOWEST, HIGHEST, HELP)                                         \
    static const hgate_constant constant_##NAME = {                                                \
        sizeof(hgate_constant), #NAME, UNIT, VALUE, LOWEST, HIGHEST, HELP};
HG_CUDA_CONSTANTS(CONSTANT)

#define ADDRESS(NAME, UNIT, VALUE, LOWEST, HIGHEST, HELP) &constant_##NAME,
static const hgate_constant *const constants[] = {HG_CUDA_CONSTANTS(ADDRESS)};

HGATE_PLUGIN_EXPORT const hgate_plugin hgate_plugin_descriptor = {
    .magic = {'H', 'G', 'A', 'T', 'E', 'P', 'L', 'G'},
    .abi_major = HGATE_PLUGIN_ABI_MAJOR,
    .abi_minor = HGATE_PLUGIN_ABI_MINOR,
    .struct_size = sizeof(hgate_plugin),
    .name = "cuda",
    .version = HGATE_VERSION_STRING,
    .license = "BSD-3-Clause",
    .description = "kernels for NVIDIA GPUs",
    .n_kernels = sizeof kernels / sizeof kernels[0],
    .kernels = kernels,
    .n_constants = sizeof constants / sizeof constants[0],
    .constants = constants,
    .probe = hg_cuda_probe,
    .describe = hg_cuda_describe,
    .release = hg_cuda_release,
    .ws_alloc = hg_cuda_ws_alloc,
    .ws_free = hg_cuda_ws_free,
    .copy = hg_cuda_copy,
    .sync = hg_cuda_sync,
    .derive = hg_cuda_curvature_derive,
    .pin = hg_cuda_pin,
    .unpin = hg_cuda_unpin,
    .copy_async = hg_cuda_copy_async,
    .free_memory = hg_cuda_free_memory,
};
