// SPDX-License-Identifier: BSD-3-Clause
// Index arrays of 32 or 64 bits.
#pragma once
#include "plugins/cuda/visibility/launch.h"

static __device__ __forceinline__ int64_t index_at(const void *data, int is_int64, int64_t i)
{
    return is_int64 ? ((const int64_t *)data)[i] : (int64_t)((const int *)data)[i];
}

// Without beam_idx one beam serves all antennas, or each has its own.
static __device__ __forceinline__ int64_t beam_of(const void *beam_idx, int is_int64, int64_t nbeam,
                                                  int64_t antenna)
{
    if (beam_idx)
        return index_at(beam_idx, is_int64, antenna);
    return nbeam == 1 ? 0 : antenna;
}
