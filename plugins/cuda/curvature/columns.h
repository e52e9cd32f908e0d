/* SPDX-License-Identifier: BSD-3-Clause */
/* The mapping matrix of a call on the device: its workspace, its checks. */
#ifndef HG_CUDA_CURVATURE_COLUMNS_H
#define HG_CUDA_CURVATURE_COLUMNS_H

#include "plugins/cuda/curvature/arrays.h"
#include "plugins/cuda/runtime/state.h"

/* Cuts the arrays from device workspace. kind: that of the lists. */
void hg_cuda_columns_lay_out(hgate_scratch *scratch, const hgate_problem *problem, int kind,
                             CurvatureColumns *columns);

/* Starts the set-up of M. Where nobody has looked at it before (no facts are known and the check
 * level is not none) the faults are read back, the one wait of a call: EVALUE for wild indices,
 * HGATE_RUN_PLAIN for values that are not finite if the caller cannot take them. */
int hg_cuda_columns_set_up(hg_cuda_state *state, const hgate_problem *problem, const hgate_run *run,
                           const CurvatureExtent *extent, const CurvatureLists *lists,
                           int takes_any_value, CurvatureColumns *columns);

/* Bytes that a call may take for columns of U beside `fixed` bytes: what
 * ops.curvature.max_workspace_bytes, memory.device_workspace_limit and the device allow. */
size_t hg_cuda_columns_room(const hg_cuda_state *state, const hgate_problem *problem, size_t fixed);

#endif
