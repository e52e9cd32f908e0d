/* SPDX-License-Identifier: BSD-3-Clause */
/* Planes: Z of complex64 as the tensor cores want it, cut into two parts a number.
 *
 * A component v of row i is kept as hi + lo of v 2^e, where e follows from a bound of the row's
 * components, bounds[i], by hg_plane_exponent(): 2^e bounds[i] lies in [2^14, 2^15).
 *      fp16:  hi = half(v 2^e), lo = half(v 2^e - hi)     32 columns a block
 *      tf32:  the same with TF32 in 32-bit words          16 columns a block
 * A block is 16 KiB: 64 rows of real parts, then 64 rows of imaginary parts. A row of a block is
 * 128 bytes, first its hi, then its lo parts, in the 128-byte swizzle of the tensor cores: 16-byte
 * piece p of row r lies at piece p ^ (r % 8). Blocks of one set of columns follow one another, row
 * block by row block, so that what a product reads is contiguous and needs no further description.
 *
 * Whoever writes planes (planes.cuh has the writers)
 * - writes every column up to hg_planes_columns(), zeros from K on; rows from M on may hold
 *   anything;
 * - sets bounds[i] >= every |component| of row i, before the product runs; up to 1,000 times too
 *   large costs no accuracy;
 * - need not look for Inf and NaN: they spoil their own row and column of the product, as they
 * must.
 */
#ifndef HG_CUDA_PLANES_H
#define HG_CUDA_PLANES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __CUDACC__
#define HG_BOTH_SIDES __host__ __device__
#else
#define HG_BOTH_SIDES
#endif

enum hg_plane_kind { HG_PLANE_FP16, HG_PLANE_TF32 };
enum { HG_PLANE_ROWS = 64, HG_PLANE_BLOCK = 16384 /* bytes */ };

typedef struct hg_planes {
    unsigned char *blocks; /* aligned to 128 bytes */
    float *bounds;         /* (M) */
    int64_t M, K;
    int kind; /* enum hg_plane_kind */
} hg_planes;

/* Columns of a block. */
HG_BOTH_SIDES static inline int hg_plane_width(int kind)
{
    return kind == HG_PLANE_FP16 ? 32 : 16;
}

HG_BOTH_SIDES static inline int64_t hg_plane_row_blocks(int64_t M)
{
    return (M + HG_PLANE_ROWS - 1) / HG_PLANE_ROWS;
}

HG_BOTH_SIDES static inline int64_t hg_plane_column_blocks(int64_t K, int kind)
{
    return (K + hg_plane_width(kind) - 1) / hg_plane_width(kind);
}

/* K rounded up to whole blocks: columns that are written. */
HG_BOTH_SIDES static inline int64_t hg_planes_columns(int64_t K, int kind)
{
    return hg_plane_column_blocks(K, kind) * hg_plane_width(kind);
}

/* Blocks of all of Z; times HG_PLANE_BLOCK the bytes of hg_planes.blocks. */
HG_BOTH_SIDES static inline int64_t hg_planes_blocks(int64_t M, int64_t K, int kind)
{
    return hg_plane_row_blocks(M) * hg_plane_column_blocks(K, kind);
}

#endif
