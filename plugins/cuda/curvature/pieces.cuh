// SPDX-License-Identifier: BSD-3-Clause
// The entries of a column by block and row, for kernel fft.
#pragma once
#include "plugins/cuda/curvature/sort.cuh"

// Keys (block, y); what was sorted by x stays so.
static __device__ void cut_blocks(const Keys &k, unsigned n, const CurvatureLists &l)
{
    for (unsigned i = threadIdx.x; i < n; i += SORT_THREADS) {
        const int y = row_of_key(k.high[i]), x = (int)(unsigned)k.high[i];
        const uint64_t block = (uint64_t)(y / l.height) * l.columns + x / l.width;
        k.high[i] = block << 32 | (unsigned)y;
        k.low[i] = i;
    }
    __syncthreads();
}

static __device__ void walk_pieces(const CurvatureColumns &c, int64_t begin, unsigned n,
                                   const Keys &k, const CurvatureLists &l)
{
    int n_pieces = 0;
    uint64_t last = nowhere;
    CurvaturePiece piece = {};
    for (unsigned i = 0; i < n; i++) {
        if (k.high[i] != last) {
            if (i > 0)
                c.pieces[begin + n_pieces++] = piece;
            last = k.high[i];
            piece.block = (int)(last >> 32);
            piece.y = (int)(unsigned)last - piece.block / l.columns * l.height;
            piece.first = (int)i;
            piece.n = 0;
        }
        piece.n++;
    }
    if (n > 0)
        c.pieces[begin + n_pieces++] = piece;
    c.n_boxes[blockIdx.x] = n_pieces;
}

template <class R>
static __device__ void make_pieces(const CurvatureColumns &c, int64_t begin, unsigned n,
                                   const Keys &k, const CurvatureLists &l)
{
    cut_blocks(k, n, l);
    sort_keys(k, n);
    if (threadIdx.x == 0)
        walk_pieces(c, begin, n, k, l);
    for (unsigned i = threadIdx.x; i < n; i += SORT_THREADS) {
        const int block = (int)(k.high[i] >> 32);
        c.piece_x[begin + i] = c.cells[begin + k.low[i]].x - block % l.columns * l.width;
        ((R *)c.run_values)[begin + i] = ((const R *)c.values)[begin + k.low[i]];
    }
}
