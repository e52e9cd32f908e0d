// SPDX-License-Identifier: BSD-3-Clause
// Loops and selections over arrays that must stay in registers.
//
// A pragma unrolls after the compiler has decided where an array lives, too late for arrays of this
// size: they end in local memory. These loops are unrolled by the front end, so every index is a
// constant from the start.
#pragma once
#include <utility>

#define HG_INLINE __device__ __forceinline__

template <class F, int... I> HG_INLINE void unrolled_over(F &&f, std::integer_sequence<int, I...>)
{
    (f(std::integral_constant<int, I>{}), ...);
}

// f(i) for i = 0 ... N-1, i a compile-time constant.
template <int N, class F> HG_INLINE void unrolled(F &&f)
{
    unrolled_over(f, std::make_integer_sequence<int, N>{});
}

// a[LO + i] for 0 <= i < HI - LO <= 16, i known at run time. By a tree of masks, one for each bit
// of i: predicates take three times as long to be ready on an H200.
template <int LO, int HI, int N> HG_INLINE float pick(const float (&a)[N], int i)
{
    static_assert(HI - LO <= 16, "four bits");
    if constexpr (HI - LO == 1) {
        return a[LO];
    } else {
        constexpr int bit = HI - LO > 8 ? 3 : HI - LO > 4 ? 2 : HI - LO > 2 ? 1 : 0;
        constexpr int half = 1 << bit;
        const int low = __float_as_int(pick<LO, LO + half>(a, i)),
                  high = __float_as_int(pick<LO + half, HI>(a, i)), mask = i << (31 - bit) >> 31;
        return __int_as_float((high & mask) | (low & ~mask));
    }
}

// a[k] = value for LO <= k < HI by predicated moves.
template <int LO, int HI, int N> HG_INLINE void put(float (&a)[N], int k, float value)
{
    unrolled<HI - LO>([&](auto i) {
        constexpr int j = LO + decltype(i)::value;
        asm("{ .reg .pred p; setp.eq.s32 p, %2, %3; @p mov.f32 %0, %1; }"
            : "+f"(a[j])
            : "f"(value), "r"(k), "r"(j));
    });
}
