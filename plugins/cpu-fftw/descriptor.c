/* SPDX-License-Identifier: BSD-3-Clause */
/* The one exported symbol: kernels and constants of cpu-fftw. */
#include "plugins/cpu-fftw/constants.h"
#include "plugins/cpu-fftw/convolve_fft.h"
#include "plugins/cpu-fftw/curvature_fft.h"
#include "plugins/cpu-fftw/probe.h"

static const hgate_kernel *const kernels[] = {&hg_fftw_curvature, &hg_fftw_convolve};

#define CONSTANT_RECORD(NAME, word, unit, value, lowest, highest, help)                            \
    static const hgate_constant constant_##word = {                                                \
        sizeof(hgate_constant), #word, unit, value, lowest, highest, help};
#define CONSTANT_POINTER(NAME, word, unit, value, lowest, highest, help) &constant_##word,

HG_FFTW_CONSTANTS(CONSTANT_RECORD)
static const hgate_constant *const constants[] = {HG_FFTW_CONSTANTS(CONSTANT_POINTER)};

const hgate_plugin hgate_plugin_descriptor = {
    .magic = HGATE_PLUGIN_MAGIC,
    .abi_major = HGATE_PLUGIN_ABI_MAJOR,
    .abi_minor = HGATE_PLUGIN_ABI_MINOR,
    .struct_size = sizeof(hgate_plugin),
    .name = "cpu-fftw",
    .version = PACKAGE_VERSION,
    .license = "GPL-2.0-or-later",
    .description = "Fourier routes on the CPU, by FFTW",
    .n_kernels = sizeof kernels / sizeof *kernels,
    .kernels = kernels,
    .n_constants = sizeof constants / sizeof *constants,
    .constants = constants,
    .probe = hg_fftw_probe,
    .describe = hg_fftw_describe,
    .release = hg_fftw_release,
};
