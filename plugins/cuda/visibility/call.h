/* SPDX-License-Identifier: BSD-3-Clause */
/* One run of a kernel of the family: device, stream, checks of device data before, report after. */
#ifndef HG_CUDA_VISIBILITY_CALL_H
#define HG_CUDA_VISIBILITY_CALL_H

#include "plugins/cuda/runtime/state.h"
#include "plugins/cuda/visibility/check.h"
#include "plugins/cuda/visibility/launch.h"

typedef struct hg_vis_call {
    hg_cuda_state *state;
    const hgate_problem *problem;
    const hgate_visibility_params *params;
    hgate_run *run;
    cudaStream_t stream;
    int previous;          /* the caller's device */
    hgate_scratch scratch; /* over the device workspace */
    hg_vis_rules rules;
    unsigned long long *fault; /* NULL: nothing is checked */
    hg_cuda_fault *record;
} hg_vis_call;

/* Makes the device current. Every call that began ends. */
int hg_vis_begin(hg_vis_call *call, void *state, const hgate_problem *problem, hgate_run *run);
/* Adds a rule for an argument of the problem; an absent one has none. */
void hg_vis_demand(hg_vis_call *call, int arg, int test, int kind, int64_t limit);
/* Starts the checks. `may_fault`: kernels note faults, too. */
int hg_vis_look(hg_vis_call *call, int may_fault);
/* The same, and from here on outputs may be written. */
int hg_vis_commit(hg_vis_call *call, int may_fault);
int hg_vis_status(const hg_vis_call *call, cudaError_t error);
/* Reports and makes the caller's device current again; returns `status` or what failed here. */
int hg_vis_end(hg_vis_call *call, int status);

/* Whether device data are looked at. */
static inline int hg_vis_checks(const hg_vis_call *call)
{
    return call->run->check >= HGATE_CHECK_VALUES;
}

/* Bytes of workspace that begin() takes for itself. */
static inline size_t hg_vis_call_bytes(void)
{
    return HG_FAULT_BYTES;
}

/* Type of an array's numbers. */
static inline int hg_vis_is_64(const DLTensor *tensor)
{
    return tensor->dtype.bits == (tensor->dtype.code == HGATE_DL_COMPLEX ? 128 : 64);
}

static inline int hg_vis_is_complex(const DLTensor *tensor)
{
    return tensor->dtype.code == HGATE_DL_COMPLEX;
}

/* A number of each beam. */
static inline hg_vis_per_beam hg_vis_per_beam_arg(const hgate_problem *problem, int index)
{
    const DLTensor *tensor = hgate_arg(problem, index);
    hg_vis_per_beam array = {hgate_arg_data(problem, index),
                             tensor ? hgate_tensor_count(tensor) : 0};
    return array;
}

/* The refusals of every kernel: device, and sizes that 32 bits count here. */
int hg_vis_supports(const hg_cuda_state *state, const hgate_problem *problem, hgate_reason *reason);
/* Refuses grids and source lists whose numbers do not fit in 31 bits. */
int hg_vis_counts(int64_t nsrc, int64_t nza, int64_t naz, hgate_reason *reason);

#endif
