// SPDX-License-Identifier: BSD-3-Clause
// kirchhoff_wavelet: inverse DFT of (DFT of wav times sqrt(i w) or -i w), nwav^2 terms of a plain
// sum in float64, one warp a frequency and then one a sample. The inverse is that of a real signal.
#include "plugins/cuda/kirchhoff/launch.cuh"
#include "plugins/cuda/kirchhoff/setup.h"

enum { THREADS = 128, WARPS = THREADS / 32 };

static __device__ double lanes_sum(double value)
{
    for (int half = 16; half > 0; half /= 2)
        value += __shfl_xor_sync(~0u, value, half);
    return value;
}

// cos and sin of 2 pi f j / n; the product is reduced first.
static __device__ void root(int64_t f, int64_t j, int64_t n, double *c, double *s)
{
    sincospi(2.0 * (double)(f * j % n) / (double)n, s, c);
}

template <class R> static __global__ void __launch_bounds__(THREADS) spectrum(const hg_response a)
{
    const int64_t f = (int64_t)blockIdx.x * WARPS + threadIdx.x / 32, n = a.nwav;
    if (f > n / 2)
        return;
    double re = 0.0, im = 0.0, c, s;
    for (int64_t j = threadIdx.x & 31; j < n; j += 32) {
        const double x = ((const R *)a.wav)[j];
        root(f, j, n, &c, &s);
        re += x * c;
        im -= x * s;
    }
    re = lanes_sum(re);
    im = lanes_sum(im);
    const double w = 6.283185307179586476925286766559 * (double)f / ((double)n * a.dt);
    const double half = sqrt(0.5 * w); // sqrt(i w) = sqrt(w / 2) (1 + i)
    if ((threadIdx.x & 31) == 0) {
        a.spectrum[2 * f] = a.ndim == 2 ? half * (re - im) : w * im;
        a.spectrum[2 * f + 1] = a.ndim == 2 ? half * (re + im) : -w * re;
    }
}

template <class R> static __global__ void __launch_bounds__(THREADS) signal(const hg_response a)
{
    const int64_t j = (int64_t)blockIdx.x * WARPS + threadIdx.x / 32, n = a.nwav;
    if (j >= n)
        return;
    double sum = 0.0, c, s;
    for (int64_t f = threadIdx.x & 31; f <= n / 2; f += 32) {
        const bool is_single = f == 0 || 2 * f == n; // others have a mirror image
        root(f, j, n, &c, &s);
        const double back = is_single ? 0.0 : a.spectrum[2 * f + 1];
        sum += (is_single ? 1.0 : 2.0) * (a.spectrum[2 * f] * c - back * s);
    }
    sum = lanes_sum(sum);
    if ((threadIdx.x & 31) == 0)
        ((R *)a.out)[j] = (R)(sum / (double)n);
}

extern "C" cudaError_t hg_kirchhoff_wavelet(const hg_response *a, cudaStream_t stream)
{
    const cudaError_t error = launch(a->is_64 ? spectrum<double> : spectrum<float>,
                                     ceil_div(a->nwav / 2 + 1, WARPS), 1, THREADS, 0, stream, *a);
    return error ? error
                 : launch(a->is_64 ? signal<double> : signal<float>, ceil_div(a->nwav, WARPS), 1,
                          THREADS, 0, stream, *a);
}
