// SPDX-License-Identifier: BSD-3-Clause
// One pass over the arrays of a run that notes the first element which cannot be, and the report.
#include "plugins/cuda/visibility/check.h"
#include "plugins/cuda/visibility/fault.cuh"

static __device__ double number_at(const hg_vis_rule &rule, int64_t i)
{
    switch (rule.type) {
    case HG_VIS_F32:
        return ((const float *)rule.data)[i];
    case HG_VIS_F64:
        return ((const double *)rule.data)[i];
    case HG_VIS_I32:
        return ((const int *)rule.data)[i];
    default:
        return (double)((const int64_t *)rule.data)[i];
    }
}

static __device__ double length_at(const hg_vis_rule &rule, int64_t s)
{
    const double e = number_at(rule, s), n = number_at(rule, rule.count + s);
    const double u = number_at(rule, 2 * rule.count + s);
    return sqrt(e * e + n * n + u * u);
}

static __device__ bool is_index(const hg_vis_rule &rule, int64_t i)
{
    const int64_t index = rule.type == HG_VIS_I64 ? ((const int64_t *)rule.data)[i]
                                                  : (int64_t)((const int *)rule.data)[i];
    return index >= 0 && index < rule.limit;
}

static __device__ bool holds(const hg_vis_rule &rule, int64_t i)
{
    const double two_pi = 6.283185307179586476925286766559;
    switch (rule.test) {
    case HG_VIS_FINITE:
        return isfinite(number_at(rule, i));
    case HG_VIS_POSITIVE:
        return isfinite(number_at(rule, i)) && number_at(rule, i) > 0.0;
    case HG_VIS_NOT_NEGATIVE:
        return isfinite(number_at(rule, i)) && number_at(rule, i) >= 0.0;
    case HG_VIS_INDEX:
        return is_index(rule, i);
    case HG_VIS_UNIT:
        return fabs(length_at(rule, i) - 1.0) <= 1e-3;
    default: {
        const double step = number_at(rule, i);
        return fabs((double)rule.limit * step - two_pi) <= 1e-3 * step;
    }
    }
}

static __global__ void __launch_bounds__(256)
    check_elements(hg_vis_rules rules, unsigned long long *fault)
{
    const int64_t thread = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int64_t threads = (int64_t)gridDim.x * blockDim.x;
    for (int r = 0; r < rules.n; r++)
        for (int64_t i = thread; i < rules.rule[r].count; i += threads)
            if (!holds(rules.rule[r], i))
                fault_note(fault, rules.rule[r].kind, i);
}

cudaError_t hg_vis_check(const hg_vis_rules *rules, unsigned long long *fault, cudaStream_t stream)
{
    int64_t most = 0;
    const cudaError_t error = cudaMemsetAsync(fault, 0xFF, HG_FAULT_BYTES, stream);
    for (int r = 0; r < rules->n; r++)
        most = most > rules->rule[r].count ? most : rules->rule[r].count;
    if (error != cudaSuccess || most == 0)
        return error;
    const int64_t blocks = (most + 255) / 256;
    check_elements<<<(unsigned)(blocks < 1024 ? blocks : 1024), 256, 0, stream>>>(*rules, fault);
    return cudaGetLastError();
}

// One thread; the record is cleared by the host when it has told the fault.
static __global__ void report(hg_vis_rules rules, const unsigned long long *fault,
                              hg_cuda_fault *record)
{
    const unsigned long long key = *fault;
    volatile hg_cuda_fault *to = record;
    if (key == HG_FAULT_NONE || to->key != HG_FAULT_NONE)
        return;
    const int kind = (int)(key >> HG_FAULT_SHIFT);
    const int64_t at = (int64_t)(key & ((1ULL << HG_FAULT_SHIFT) - 1));
    to->value = 0.0;
    to->size[0] = rules.n_up;
    for (int i = 0; kind == HG_FAULT_POWER && i < 4; i++)
        to->size[i] = rules.power_size[i];
    for (int r = 0; r < rules.n; r++)
        if (rules.rule[r].kind == kind) {
            to->value = rules.rule[r].test == HG_VIS_UNIT ? length_at(rules.rule[r], at)
                                                          : number_at(rules.rule[r], at);
            to->size[0] = rules.rule[r].limit;
        }
    __threadfence_system();
    to->key = key;
}

cudaError_t hg_vis_report(const hg_vis_rules *rules, const unsigned long long *fault,
                          hg_cuda_fault *record, cudaStream_t stream)
{
    report<<<1, 1, 0, stream>>>(*rules, fault, record);
    return cudaGetLastError();
}
