// SPDX-License-Identifier: BSD-3-Clause
// Kernel `again`: points of complex64 that warp, rows or block left because float32 does not hold
// their inverse, once more with the inverse in float64.
//
// M in float32 suffices: its error is u |B|, not u |B|^2. The kernel looks for the marks itself, so
// nothing is read back, listed or allocated; each block looks at
// its own points and those of seven others, a word a point. It reaches as many images as block: one
// plane of doubles takes as much as two of floats.
#include "plugins/cuda/emi/again.h"
#include "plugins/cuda/emi/block_point.cuh"

// As lay_out(), for one plane of doubles and the vectors that |Gamma| needs: d, e, tau, later the
// trial points over them, and two more. Returns what lies behind.
static HG_INLINE unsigned *lay_out_wide(BlockPoint<double> &b, void *memory, int n)
{
    lay_out(b, memory, n);
    double *const first = b.p1, *const second = first + max(3 * n, b.threads);
    b.p1 = nullptr;
    for (int i = 0; i < 3; i++)
        b.vector[i] = first + i * n;
    b.vector[3] = second;
    b.vector[4] = second + n;
    b.grid = first;
    b.sums = second + 2 * n;
    b.counts = (int *)(b.sums + 2 * hg_emi_block_warps);
    return (unsigned *)(b.counts + b.threads);
}

// keep |Gamma| with a diagonal of 1 into p0.
static HG_INLINE void load_moduli(const EmiArgs &p, int64_t point, const BlockPoint<double> &b,
                                  double keep)
{
    __syncthreads();
    for (int r = b.warp; r < b.n; r += b.warps)
        for (int c = b.lane; c <= r; c += 32)
            b.p0[at(r, c)] =
                c < r ? keep * modulus_of<double>(pair_value<float2>(p, point, c, r)) : 1.;
    __syncthreads();
}

static HG_INLINE double exact_beta(const EmiArgs &p, int64_t point, const BlockPoint<double> &b)
{
    if (p.left)
        return p.beta_fixed;
    load_moduli(p, point, b, 1);
    block_tridiagonalize_real(b);
    const double scale = block_scale(b, 3);
    const double lo = block_section(b, 3, 1), hi = block_section(b, 3, b.n);
    return adaptive_beta(lo * scale, hi * scale, p.kappa);
}

// The plane of doubles becomes one of floats at the begin of the same memory; 1 in vector 9 for
// images that have a partner.
static HG_INLINE void narrow(const BlockPoint<double> &from, const BlockPoint<float> &to)
{
    const int count = from.n * (from.n + 1) / 2;
    for (int first = 0; first < count; first += from.threads) { // ends before what is still to read
        const int i = first + from.tid;
        const float value = i < count ? (float)from.p0[i] : 0.f;
        __syncthreads();
        if (i < count)
            to.p0[i] = value;
    }
    for (int i = to.tid; i < to.n; i += to.threads)
        to.vector[9][i] = 0;
    __syncthreads();
    for (int r = to.warp; r < to.n; r += to.warps)
        for (int c = to.lane; c < r; c += 32)
            if (to.p0[at(r, c)] != 0)
                to.vector[9][r] = to.vector[9][c] = 1;
    __syncthreads();
}

static HG_INLINE void solve_exactly(const EmiArgs &p, int64_t point, const BlockPoint<double> &wide,
                                    const BlockPoint<float> &b)
{
    const double beta = exact_beta(p, point, wide);
    load_moduli(p, point, wide, 1 - beta);
    block_negative_inverse(wide);
    narrow(wide, b);
    finish_point<float, float2>(p, point, b, beta, 0, false);
    __syncthreads();
}

// A block looks at as many points at a time as it has threads, far apart: left points may lie
// together. Behind its own points it looks at those of other blocks, which may have found several.
static __global__ void __maxnreg__(hg_emi_again_registers) emi_again(const EmiArgs p)
{
    extern __shared__ double2 shared[];
    constexpr int turns = 8; // not tuned
    BlockPoint<double> wide;
    BlockPoint<float> b;
    unsigned *const behind = lay_out_wide(wide, shared, p.n);
    lay_out(b, shared, p.n);
    unsigned *const left = (behind > b.flags ? behind : b.flags) + 1; // a bit a thread
    const int64_t step = gridDim.x;
    for (int turn = 0; turn < turns; turn++)
        for (int64_t first = (blockIdx.x + turn * step / turns) % step; first < p.points;
             first += step * b.threads) {
            const int64_t own = first + step * b.tid;
            const unsigned ballot = __ballot_sync(0xffffffffu, own < p.points && is_left(p, own));
            if (b.lane == 0)
                left[b.warp] = ballot;
            __syncthreads();
            for (int i = 0; i < b.warps; i++)
                for (unsigned bits = left[i]; bits; bits &= bits - 1) {
                    const int64_t point = first + step * (32 * i + __ffs((int)bits) - 1);
                    if (__syncthreads_or(b.tid == 0 && take_point(p, point)))
                        solve_exactly(p, point, wide, b);
                }
            __syncthreads();
        }
}

extern "C" cudaError_t hg_emi_launch_again(const EmiArgs *args, int threads, int64_t blocks,
                                           cudaStream_t stream)
{
    const size_t bytes = (size_t)hg_emi_again_bytes(args->n, threads);
    const cudaError_t error =
        cudaFuncSetAttribute(emi_again, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    if (error != cudaSuccess)
        return error;
    emi_again<<<(unsigned)blocks, threads, bytes, stream>>>(*args);
    return cudaGetLastError();
}
