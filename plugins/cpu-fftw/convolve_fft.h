/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel fft of kirchhoff_convolve. */
#ifndef HG_FFTW_CONVOLVE_FFT_H
#define HG_FFTW_CONVOLVE_FFT_H

#include "headgate/plugin.h"

extern const hgate_kernel hg_fftw_convolve;

#endif
