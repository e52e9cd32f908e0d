/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of pairs of antennas in a problem. */
#ifndef HG_CUDA_VISIBILITY_PAIRS_H
#define HG_CUDA_VISIBILITY_PAIRS_H

#include "plugins/cuda/visibility/products.h"
#include <limits.h>

/* Pairs of a problem; npairs -1 where it has none. */
static inline hg_vis_pairs hg_vis_pairs_of(const hgate_problem *problem, int arg, int64_t nant,
                                           int64_t nfeed)
{
    const hgate_visibility_params *params = problem->params;
    const DLTensor *tensor = hgate_arg(problem, arg);
    hg_vis_pairs pairs = {.pairs = hgate_arg_data(problem, arg),
                          .npairs = tensor ? tensor->shape[0] : -1,
                          .nant = nant,
                          .nfeed = nfeed,
                          .is_int64 = tensor && hgate_is_int64(tensor),
                          .convention = params->convention};
    return pairs;
}

static inline void *hg_vis_take_pair_sums(hgate_scratch *scratch, const hg_vis_pairs *pairs)
{
    return hgate_scratch_take(scratch, pairs->npairs * pairs->nfeed * pairs->nfeed, 16);
}

/* Row products start one thread block for each element of the blocks. */
static inline int hg_vis_dot_supports(const hg_vis_pairs *pairs, hgate_reason *reason)
{
    int64_t count;
    if (!__builtin_mul_overflow(pairs->npairs, pairs->nfeed, &count) &&
        !__builtin_mul_overflow(count, pairs->nfeed, &count) && count <= INT_MAX)
        return HGATE_OK;
    return hgate_refuse(reason, HGATE_REFUSE_LIMIT, (double)pairs->npairs, INT_MAX,
                        "%lld pairs of %lld x %lld elements, at most %d elements",
                        (long long)pairs->npairs, (long long)pairs->nfeed, (long long)pairs->nfeed,
                        INT_MAX);
}

/* Bytes of Z that row products ask for. */
static inline double hg_vis_dot_bytes(const hg_vis_pairs *pairs, double K, int is_64)
{
    const double nfeed = (double)pairs->nfeed;
    return 2.0 * nfeed * nfeed * (double)pairs->npairs * K * (is_64 ? 16.0 : 8.0);
}

#endif
