/* SPDX-License-Identifier: BSD-3-Clause */
/* What must hold for the elements of device arrays: rules, a pass over them, and the report. */
#ifndef HG_CUDA_VISIBILITY_CHECK_H
#define HG_CUDA_VISIBILITY_CHECK_H

#include "plugins/cuda/runtime/fault.h"
#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

enum hg_vis_type { HG_VIS_F32, HG_VIS_F64, HG_VIS_I32, HG_VIS_I64 };
enum hg_vis_test {
    HG_VIS_FINITE,
    HG_VIS_POSITIVE,
    HG_VIS_NOT_NEGATIVE,
    HG_VIS_INDEX, /* 0 to limit - 1 */
    HG_VIS_UNIT,  /* (3, count): length 1 to within 1e-3 */
    HG_VIS_TURN   /* limit columns of this step make one turn */
};

typedef struct hg_vis_rule {
    const void *data;
    int64_t count;
    int64_t limit;
    int type; /* enum hg_vis_type */
    int test; /* enum hg_vis_test */
    int kind; /* enum hg_cuda_fault_kind of a breach */
} hg_vis_rule;

enum { HG_VIS_MAX_RULES = 12 };

/* What a run checks, and what the report tells beside the position. */
typedef struct hg_vis_rules {
    int n;
    hg_vis_rule rule[HG_VIS_MAX_RULES];
    int64_t power_size[4]; /* nfeed, nax, nsrc: how the position of a power counts */
    int64_t n_up;          /* as the caller told it */
} hg_vis_rules;

/* Clears *fault and notes the first breach. */
cudaError_t hg_vis_check(const hg_vis_rules *rules, unsigned long long *fault, cudaStream_t stream);
/* Tells what was noted, if anything, to the record of the stream. Last of a run. */
cudaError_t hg_vis_report(const hg_vis_rules *rules, const unsigned long long *fault,
                          hg_cuda_fault *record, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
