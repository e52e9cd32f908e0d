/* SPDX-License-Identifier: BSD-3-Clause */
/* Visibilities of a call on the device, and their check. */
#ifndef HG_CUDA_CURVATURE_SKY_H
#define HG_CUDA_CURVATURE_SKY_H

#include "plugins/cuda/curvature/visibilities.h"
#include "plugins/cuda/runtime/state.h"

CurvatureVisibilities hg_cuda_visibilities(const hgate_problem *problem, int uv, int sigma,
                                           int count);
/* At check levels above none: looks at the arrays and waits for the answer. EVALUE. faults:
 * HG_N_FAULTS words of device workspace. */
int hg_cuda_check_visibilities(hg_cuda_state *state, const hgate_run *run,
                               const CurvatureVisibilities *visibilities,
                               const CurvatureDirty *dirty, unsigned long long *faults);
#define HG_CUDA_NO_CHECK                                                                           \
    "values cannot be checked while the stream is captured, expected check none"

#endif
