// SPDX-License-Identifier: BSD-3-Clause
// The split product on the tensor cores of any device from sm_80 up: partial tiles of Z Z^H, 64 x
// 64, from the planes that gram_wgmma.cu reads too; formula and order of sums as there.
//
// Four warps of 32 x 32 elements. Two stages of 32 KiB: one block of columns is multiplied while
// the next is copied. A warp holds 64 tensor sums, which are added to 64 float32 sums after each
// plane of a block (32 columns of fp16, 16 of tf32), and its operands; ldmatrix moves the same
// bytes for both types. Limit: the instructions mma.sync, on Hopper well below wgmma.
#include "plugins/cuda/visibility/split_gram.h"
#include "plugins/cuda/visibility/split_tiles.cuh"

enum { THREADS = 128, STAGES = 2, STAGE = 2 * HG_PLANE_BLOCK, SHARED = STAGES * STAGE };

static __device__ __forceinline__ void copy_16(uint32_t to, const void *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}

static __device__ __forceinline__ void copy_block(uint32_t to, const unsigned char *from)
{
#pragma unroll
    for (int i = 0; i < HG_PLANE_BLOCK / 16 / THREADS; i++) {
        const int at = 16 * (i * THREADS + (int)threadIdx.x);
        copy_16(to + at, from + at);
    }
}

// Four 8 x 16-byte matrices; lane l gives the address of row l % 8 of matrix l / 8.
static __device__ __forceinline__ void load_matrices(unsigned (&r)[4], uint32_t address)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address));
}

template <int KIND>
static __device__ __forceinline__ void multiply(float (&d)[4], const unsigned (&a)[4], unsigned b0,
                                                unsigned b1)
{
    if (KIND == HG_PLANE_FP16)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                     "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
    else
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
                     "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// Address of 16-byte piece `piece` of a row of a block in shared memory.
static __device__ __forceinline__ uint32_t piece_of(uint32_t block, int row, int piece)
{
    return block + row * 128 + ((piece ^ row % 8) << 4);
}

// Sums of a warp: rows 16 m + lane / 4 (+ 8), columns 8 n + 2 (lane % 4) (+ 1).
struct WarpSums {
    float re[2][4][4], im[2][4][4];
};

// d = 32 rows of a plane of A times 32 rows of X, then 32 rows of Y, of B.
template <int KIND>
static __device__ __forceinline__ void chain(float (&d)[2][8][4], uint32_t a, uint32_t b, int row,
                                             int column)
{
    const int lane = (int)threadIdx.x % 32;
#pragma unroll
    for (int m = 0; m < 2; m++)
#pragma unroll
        for (int n = 0; n < 8; n++)
#pragma unroll
            for (int k = 0; k < 4; k++)
                d[m][n][k] = 0;
#pragma unroll 1                           // unrolled it would not fit in registers
    for (int half = 0; half < 2; half++) { // 32 bytes of the row: two pieces of hi, two of lo
        unsigned hi[2][4], lo[2][4];
#pragma unroll
        for (int m = 0; m < 2; m++) {
            const int r = row + 16 * m + lane % 16, piece = 2 * half + lane / 16;
            load_matrices(hi[m], piece_of(a, r, piece));
            load_matrices(lo[m], piece_of(a, r, piece + 4));
        }
#pragma unroll
        for (int n = 0; n < 8; n += 2) {
            const int r = column + n % 4 * 8 + lane / 16 * 8 + lane % 8;
            const int piece = 2 * half + lane / 8 % 2;
            const uint32_t plane = b + n / 4 * (HG_PLANE_BLOCK / 2);
            unsigned bh[4], bl[4];
            load_matrices(bh, piece_of(plane, r, piece));
            load_matrices(bl, piece_of(plane, r, piece + 4));
#pragma unroll
            for (int m = 0; m < 2; m++)
#pragma unroll
                for (int k = 0; k < 2; k++) {
                    multiply<KIND>(d[m][n + k], lo[m], bh[2 * k], bh[2 * k + 1]);
                    multiply<KIND>(d[m][n + k], hi[m], bl[2 * k], bl[2 * k + 1]);
                    multiply<KIND>(d[m][n + k], hi[m], bh[2 * k], bh[2 * k + 1]);
                }
        }
    }
}

template <int KIND>
static __device__ __forceinline__ void add_block(WarpSums &s, uint32_t a, uint32_t b, int row,
                                                 int column)
{
    float d[2][8][4];
#pragma unroll
    for (int plane = 0; plane < 2; plane++) {
        chain<KIND>(d, a + plane * (HG_PLANE_BLOCK / 2), b, row, column);
#pragma unroll
        for (int m = 0; m < 2; m++)
#pragma unroll
            for (int n = 0; n < 4; n++)
#pragma unroll
                for (int k = 0; k < 4; k++) {
                    if (plane == 0) {
                        s.re[m][n][k] += d[m][n][k];
                        s.im[m][n][k] -= d[m][n + 4][k];
                    } else {
                        s.im[m][n][k] += d[m][n][k];
                        s.re[m][n][k] += d[m][n + 4][k];
                    }
                }
    }
}

template <int KIND>
static __global__ void __launch_bounds__(THREADS, 2)
    gram_mma(const unsigned char *__restrict__ blocks, float2 *slots,
             const __grid_constant__ hg_split_tiles t)
{
    extern __shared__ __align__(128) unsigned char memory[];
    const uint32_t stages = (uint32_t)__cvta_generic_to_shared(memory);
    const SplitUnit u = split_unit(t, (int)blockIdx.x);
    const int steps = (t.column_blocks - u.split + u.splits - 1) / u.splits;
    const int64_t step = (int64_t)t.row_blocks * HG_PLANE_BLOCK * u.splits;
    const unsigned char *from = blocks + (int64_t)u.split * t.row_blocks * HG_PLANE_BLOCK;
    const int64_t left = (int64_t)u.row * HG_PLANE_BLOCK,
                  right = (int64_t)u.column * HG_PLANE_BLOCK;
    const int is_diagonal = u.row == u.column, warp = (int)threadIdx.x / 32;
    const int row = warp / 2 * 32, column = warp % 2 * 32;
    WarpSums s = {};
    copy_block(stages, from + left);
    if (!is_diagonal)
        copy_block(stages + HG_PLANE_BLOCK, from + right);
    asm volatile("cp.async.commit_group;" ::: "memory");
    for (int i = 0; i < steps; i++) {
        const uint32_t now = stages + i % STAGES * STAGE, next = stages + (i + 1) % STAGES * STAGE;
        if (i + 1 < steps) {
            from += step;
            copy_block(next, from + left);
            if (!is_diagonal)
                copy_block(next + HG_PLANE_BLOCK, from + right);
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
        asm volatile("cp.async.wait_group 1;" ::: "memory");
        __syncthreads();
        add_block<KIND>(s, now, is_diagonal ? now : now + HG_PLANE_BLOCK, row, column);
        __syncthreads();
    }
    const int lane = (int)threadIdx.x % 32;
    float2 *const slot = slots + (int64_t)blockIdx.x * HG_SPLIT_PLACE;
#pragma unroll
    for (int m = 0; m < 2; m++)
#pragma unroll
        for (int n = 0; n < 4; n++) {
            float2 *const out =
                slot + (row + 16 * m + lane / 4) * 64 + column + 8 * n + lane % 4 * 2;
            const float *const re = s.re[m][n], *const im = s.im[m][n];
            *(float4 *)out = make_float4(re[0], im[0], re[1], im[1]);
            *(float4 *)(out + 8 * 64) = make_float4(re[2], im[2], re[3], im[3]);
        }
}

template <int KIND> static cudaError_t launch(const hg_split_gram *g, cudaStream_t stream)
{
    const cudaError_t error =
        cudaFuncSetAttribute(gram_mma<KIND>, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED);
    if (error != cudaSuccess)
        return error;
    gram_mma<KIND><<<(unsigned)g->tiles.first[HG_SPLIT_CLASSES], THREADS, SHARED, stream>>>(
        g->planes.blocks, (float2 *)g->slots, g->tiles);
    return cudaGetLastError();
}

extern "C" cudaError_t hg_split_gram_mma(const hg_split_gram *g, cudaStream_t stream)
{
    return g->planes.kind == HG_PLANE_FP16 ? launch<HG_PLANE_FP16>(g, stream)
                                           : launch<HG_PLANE_TF32>(g, stream);
}
