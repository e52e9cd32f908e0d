// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of the split product share: which tile and split a thread block makes, where a
// part of V lies in the slots, and how a kernel starts while the one before it ends.
#ifndef HG_CUDA_SPLIT_TILES_CUH
#define HG_CUDA_SPLIT_TILES_CUH

#include "plugins/cuda/visibility/split_tiles.h"

// Row and column of element `index` of a triangle with its diagonal, in order of rows.
static __device__ __forceinline__ int2 triangle_place(int index)
{
    int i = (int)((sqrtf(8.0f * (float)index + 1.0f) - 1.0f) * 0.5f);
    while ((int64_t)i * (i + 1) / 2 > index)
        i--;
    while ((int64_t)(i + 1) * (i + 2) / 2 <= index)
        i++;
    return make_int2(i, index - (int)((int64_t)i * (i + 1) / 2));
}

struct SplitUnit {
    int kind;        // enum hg_split_class
    int row, column; // of the tile, in tiles
    int split, splits;
};

static __device__ __forceinline__ SplitUnit split_unit(const hg_split_tiles &t, int unit)
{
    SplitUnit u;
    u.kind = 0;
    while (unit >= t.first[u.kind + 1])
        u.kind++;
    u.splits = t.splits[u.kind];
    const int tile = (unit - t.first[u.kind]) / u.splits, last = t.row_blocks / 2;
    u.split = (unit - t.first[u.kind]) % u.splits;
    u.row = u.column = last;
    if (t.path == HG_SPLIT_MMA) {
        const int2 at = triangle_place(tile);
        u.row = at.x, u.column = at.y;
    } else if (u.kind == HG_SPLIT_WHOLE) {
        const int2 at = triangle_place(tile);
        u.row = at.x + 1, u.column = at.y;
    } else if (u.kind == HG_SPLIT_DIAGONAL) {
        u.row = u.column = tile;
    } else if (u.kind == HG_SPLIT_EDGE) {
        u.column = tile;
    }
    return u;
}

// Where the partial sums of one 64 x 64 part of V are: `splits` slots, `stride` apart, from
// `first`; two summands in a slot where `second` is not 0.
struct SplitPart {
    int splits;
    int64_t first, stride, second; // elements
};

static __device__ __forceinline__ SplitPart split_part(const hg_split_tiles &t, int row, int column)
{
    const int I = row / 2, J = column / 2, edge = I == t.row_blocks / 2;
    int kind = 0, place = 0, tile;
    int64_t second = 0;
    if (t.path == HG_SPLIT_MMA) {
        tile = row * (row + 1) / 2 + column;
    } else {
        place = row % 2 * 2 + column % 2;
        kind = I == J ? (edge ? HG_SPLIT_CORNER : HG_SPLIT_DIAGONAL)
                      : (edge ? HG_SPLIT_EDGE : HG_SPLIT_WHOLE);
        tile = kind == HG_SPLIT_WHOLE      ? I * (I - 1) / 2 + J
               : kind == HG_SPLIT_DIAGONAL ? I
               : kind == HG_SPLIT_EDGE     ? J
                                           : 0;
        if (kind == HG_SPLIT_CORNER)
            second = HG_SPLIT_PLACE;
        else if (kind == HG_SPLIT_DIAGONAL && place == 2)
            second = -HG_SPLIT_PLACE;
    }
    SplitPart p;
    p.splits = t.splits[kind];
    p.stride = (int64_t)t.places * HG_SPLIT_PLACE;
    p.first = (t.first[kind] + (int64_t)tile * p.splits) * p.stride + place * HG_SPLIT_PLACE;
    p.second = second;
    return p;
}

// ---- overlapped launches (compute capability 9.0; elsewhere kernels follow one another)

// The next kernel of the stream may be brought onto the device; it waits below.
static __device__ __forceinline__ void let_next_start()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

// The kernel before this one has ended and its writes are seen.
static __device__ __forceinline__ void wait_for_previous()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// A launch that may begin before the kernel in front of it has ended.
template <typename... Parameters, typename... Arguments>
static cudaError_t launch_overlapped(void (*kernel)(Parameters...), dim3 grid, dim3 threads,
                                     int shared, cudaStream_t stream, bool is_allowed,
                                     const Arguments &...arguments)
{
    cudaLaunchAttribute overlap = {};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = threads;
    config.dynamicSmemBytes = (size_t)shared;
    config.stream = stream;
    config.attrs = &overlap;
    config.numAttrs = is_allowed;
    return cudaLaunchKernelEx(&config, kernel, arguments...);
}

#endif
