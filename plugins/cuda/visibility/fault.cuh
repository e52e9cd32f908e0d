// SPDX-License-Identifier: BSD-3-Clause
// Noting a fault from a kernel, and asking whether one was noted.
#pragma once
#include "plugins/cuda/runtime/fault.h"

// The least key stays. NULL: nobody wants to know.
static __device__ __forceinline__ void fault_note(unsigned long long *fault, int kind, int64_t at)
{
    if (fault)
        atomicMin(fault, ((unsigned long long)kind << HG_FAULT_SHIFT) | (unsigned long long)at);
}

// Whether a kernel that ran before noted one: outputs stay as they are then.
static __device__ __forceinline__ bool fault_is_set(const unsigned long long *fault)
{
    return fault && *fault != HG_FAULT_NONE;
}
