/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel fft of curvature. */
#ifndef HG_FFTW_CURVATURE_FFT_H
#define HG_FFTW_CURVATURE_FFT_H

#include "headgate/plugin.h"

extern const hgate_kernel hg_fftw_curvature;

#endif
