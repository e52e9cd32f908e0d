// SPDX-License-Identifier: BSD-3-Clause
// Convolution of traces with a wavelet, and scaling.
//
// A block makes 512 samples of a trace, a thread four of them, 128 apart. Wavelet and trace pass
// through shared memory in chunks, so neither length has a limit. Sums in the type of the traces,
// nwav multiply-adds a sample.
#include "plugins/cuda/kirchhoff/filter.h"
#include "plugins/cuda/kirchhoff/launch.cuh"

enum { THREADS = 128, EACH = 4, MADE = THREADS * EACH, CHUNK = 256 };

struct FilterArgs {
    hg_filter f;
    int64_t pieces; // of a trace
};

// Sample n of the trace, 0 outside.
template <class R> static __device__ R sample(const R *trace, int64_t nt, int64_t n)
{
    return n >= 0 && n < nt ? trace[n] : (R)0;
}

template <class R> static __global__ void __launch_bounds__(THREADS) filter(const FilterArgs a)
{
    __shared__ R w[CHUNK], x[MADE + CHUNK];
    const hg_filter &f = a.f;
    const int64_t trace = blockIdx.x / a.pieces, n0 = blockIdx.x % a.pieces * MADE;
    const R *in = (const R *)f.in + trace * f.nt, *wav = (const R *)f.wav;
    R sum[EACH] = {0};
    // Only terms that meet the trace: from = n - q + wavc or n + q - wavc within [0, nt).
    const int64_t n_end = min(n0 + MADE, f.nt);
    int64_t q0 = f.is_adjoint ? f.wavc - (n_end - 1) : n0 + f.wavc - (f.nt - 1);
    int64_t q_end = f.is_adjoint ? f.nt - n0 + f.wavc : n_end + f.wavc;
    q0 = max(q0, (int64_t)0);
    q_end = min(q_end, f.nwav);
    for (; q0 < q_end; q0 += CHUNK) {
        const int count = (int)min(q_end - q0, (int64_t)CHUNK);
        // x[i] is what output n0 and term q0 + CHUNK - 1 (or q0) need first
        const int64_t from = f.is_adjoint ? n0 + q0 - f.wavc : n0 - (q0 + CHUNK - 1) + f.wavc;
        __syncthreads();
        for (int i = threadIdx.x; i < MADE + CHUNK; i += THREADS)
            x[i] = sample(in, f.nt, from + i);
        for (int i = threadIdx.x; i < count; i += THREADS)
            w[i] = wav[q0 + i];
        __syncthreads();
        for (int q = 0; q < count; q++) {
            const R *at = x + threadIdx.x + (f.is_adjoint ? q : CHUNK - 1 - q);
#pragma unroll
            for (int e = 0; e < EACH; e++)
                sum[e] = fma(w[q], at[THREADS * e], sum[e]);
        }
    }
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        const int64_t n = n0 + threadIdx.x + THREADS * e;
        if (n >= f.nt)
            continue;
        R *to = (R *)f.out + trace * f.nt + n;
        const R value = (R)f.alpha * sum[e];
        *to = f.beta != 0.0 ? fma((R)f.beta, *to, value) : value;
    }
}

extern "C" cudaError_t hg_kirchhoff_filter(const hg_filter *f, cudaStream_t stream)
{
    if (f->nt == 0 || f->traces == 0)
        return cudaSuccess;
    const int64_t pieces = ceil_div(f->nt, MADE);
    return launch(f->is_64 ? filter<double> : filter<float>, f->traces * pieces, 1, THREADS, 0,
                  stream, FilterArgs{*f, pieces});
}

template <class R> static __global__ void __launch_bounds__(THREADS) scale(const hg_scaling a)
{
    const int64_t step = (int64_t)gridDim.x * THREADS;
    for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < a.count; i += step) {
        R *value = (R *)a.values + i;
        *value = a.beta != 0.0 ? (R)a.beta * *value : (R)0;
    }
}

extern "C" cudaError_t hg_kirchhoff_scale(const hg_scaling *s, cudaStream_t stream)
{
    const int64_t most = 1 << 16, blocks = ceil_div(s->count, THREADS * EACH);
    return launch(s->is_64 ? scale<double> : scale<float>, blocks < most ? blocks : most, 1,
                  THREADS, 0, stream, *s);
}
