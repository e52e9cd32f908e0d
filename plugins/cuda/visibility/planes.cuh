// SPDX-License-Identifier: BSD-3-Clause
// Writers of planes, for kernels that make Z or copy it. The format is told in planes.h.
//
// A kernel that makes Z knows a bound of each row (largest grid value times largest amplitude) and
// writes v * hg_plane_scale(hg_plane_exponent(bound)) with a PlaneWriter; the bound goes into
// planes.bounds[row]. Neighbouring lanes should take neighbouring columns (or pairs of them) of one
// row: a warp then writes whole lines.
#ifndef HG_CUDA_PLANES_CUH
#define HG_CUDA_PLANES_CUH

#include "plugins/cuda/visibility/planes.h"
#include <cuda_fp16.h>

// Exponent that brings `bound` >= 0 to [2^14, 2^15); finite for every float, NaN included.
__device__ __forceinline__ int hg_plane_exponent(float bound)
{
    const int e = 141 - (int)((__float_as_uint(bound) >> 23) & 255);
    return e > 126 ? 126 : e;
}

// 2^exponent, for exponents of hg_plane_exponent(): -114 to 126.
__device__ __forceinline__ float hg_plane_scale(int exponent)
{
    return __uint_as_float((unsigned)(exponent + 127) << 23);
}

__device__ __forceinline__ unsigned hg_tf32(float v)
{
    unsigned bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(v));
    return bits;
}

// Stores of the two parts of a number, or of two neighbours, in a row of a block; place: byte of
// the hi part in the row, swizzled. KIND: enum hg_plane_kind.
template <int KIND> struct PlaneParts {
    static constexpr int width = KIND == HG_PLANE_FP16 ? 32 : 16;

    // Place of a column in row `row`.
    static __device__ unsigned place(int64_t column, int64_t row)
    {
        return (unsigned)(column % width) * (64 / width) ^ (unsigned)(row % 8) << 4;
    }

    static __device__ void put(unsigned char *line, unsigned place, float v)
    {
        if (KIND == HG_PLANE_FP16) {
            const __half hi = __float2half_rn(v);
            *(__half *)(line + place) = hi;
            *(__half *)(line + (place ^ 64)) = __float2half_rn(v - __half2float(hi));
        } else {
            const unsigned hi = hg_tf32(v);
            *(unsigned *)(line + place) = hi;
            *(unsigned *)(line + (place ^ 64)) = hg_tf32(v - __uint_as_float(hi));
        }
    }

    static __device__ void put2(unsigned char *line, unsigned place, float v, float w)
    {
        if (KIND == HG_PLANE_FP16) {
            const __half2 hi = __floats2half2_rn(v, w);
            const float2 back = __half22float2(hi);
            *(__half2 *)(line + place) = hi;
            *(__half2 *)(line + (place ^ 64)) = __floats2half2_rn(v - back.x, w - back.y);
        } else {
            const unsigned a = hg_tf32(v), b = hg_tf32(w);
            *(uint2 *)(line + place) = make_uint2(a, b);
            *(uint2 *)(line + (place ^ 64)) =
                make_uint2(hg_tf32(v - __uint_as_float(a)), hg_tf32(w - __uint_as_float(b)));
        }
    }
};

// One row of planes.
template <int KIND> struct PlaneWriter {
    static constexpr int width = PlaneParts<KIND>::width;
    unsigned char *line; // of this row in the first block of columns
    int64_t step;        // bytes from one block of columns to the next
    int64_t row;

    __device__ PlaneWriter(const hg_planes &p, int64_t row)
        : line(p.blocks + row / HG_PLANE_ROWS * HG_PLANE_BLOCK + row % HG_PLANE_ROWS * 128),
          step(hg_plane_row_blocks(p.M) * HG_PLANE_BLOCK), row(row)
    {
    }

    // Column `column` of the row, both components scaled.
    __device__ void put(int64_t column, float re, float im) const
    {
        unsigned char *const at = line + column / width * step;
        const unsigned place = PlaneParts<KIND>::place(column, row);
        PlaneParts<KIND>::put(at, place, re);
        PlaneParts<KIND>::put(at + HG_PLANE_BLOCK / 2, place, im);
    }

    // Columns `column` (even) and column + 1.
    __device__ void put2(int64_t column, float2 first, float2 second) const
    {
        unsigned char *const at = line + column / width * step;
        const unsigned place = PlaneParts<KIND>::place(column, row);
        PlaneParts<KIND>::put2(at, place, first.x, second.x);
        PlaneParts<KIND>::put2(at + HG_PLANE_BLOCK / 2, place, first.y, second.y);
    }
};

#endif
