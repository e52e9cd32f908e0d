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
/* Refuses to wait for a check on a stream that is captured. ESTATE. */
int hg_cuda_refuse_capture(hg_cuda_state *state, const hgate_run *run, const char *op);

#endif
