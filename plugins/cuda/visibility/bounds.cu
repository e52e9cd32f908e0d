// SPDX-License-Identifier: BSD-3-Clause
// Bounds of the rows of Z before Z is made, for planes: largest node of the beam times largest
// amplitude. Only the rows of the grid that directions above the horizon can meet are read: what
// lies below may be anything. Numbers that are not finite take no part, since they spoil their own
// row whatever its scale.
#include "plugins/cuda/visibility/grid.cuh"
#include "plugins/cuda/visibility/indices.cuh"
#include "plugins/cuda/visibility/wavenumber.cuh"

enum { THREADS = 256, PIECES = 2 };

// Largest of the warps into *to; floats that are not negative are in the order of their bits.
static __device__ void keep_largest(float most, float *to)
{
    for (int step = 16; step > 0; step /= 2)
        most = fmaxf(most, __shfl_xor_sync(0xFFFFFFFFu, most, step));
    if (threadIdx.x % 32 == 0 && most > 0.0f)
        atomicMax((unsigned *)to, __float_as_uint(most));
}

static __device__ __forceinline__ float size_of(float v)
{
    return isfinite(v) ? fabsf(v) : 0.0f;
}

static __global__ void __launch_bounds__(THREADS)
    largest_amplitude(const float *amp, int64_t n, float *to)
{
    float most = 0;
    for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < n;
         i += (int64_t)gridDim.x * THREADS)
        most = fmaxf(most, size_of(amp[i]));
    keep_largest(most, to);
}

// One of PIECES pieces of plane (b, x, f).
static __global__ void __launch_bounds__(THREADS) largest_node(hg_vis_beam beam, float *to)
{
    const int64_t plane = (int64_t)blockIdx.x / PIECES, piece = (int64_t)blockIdx.x % PIECES;
    const int64_t b = plane / beam.nfeed / beam.nax, f = plane % beam.nfeed;
    const double dza = of_beam(beam.dza, b, beam.is_64_angle);
    const double za0 = of_beam(beam.za0, b, beam.is_64_angle);
    const Side low = side_clamp(-za0 / dza, beam.nza);
    const Side high = side_clamp((0.25 * HG_TWO_PI - za0) / dza, beam.nza);
    const int64_t last = high.node + 1 < beam.nza ? high.node + 1 : beam.nza - 1;
    const int64_t per_node = beam.is_complex ? 2 : 1;
    const float *grid = (const float *)beam.grid + plane * beam.nza * beam.naz * per_node;
    const int64_t first = (int64_t)low.node * beam.naz * per_node;
    const int64_t count = (last + 1) * beam.naz * per_node - first;
    const int64_t from = first + count * piece / PIECES, end = first + count * (piece + 1) / PIECES;
    float most = 0;
    int64_t i = from + threadIdx.x;
    for (; i + 7 * THREADS < end; i += 8 * THREADS) {
        float v[8];
#pragma unroll
        for (int k = 0; k < 8; k++)
            v[k] = grid[i + k * THREADS];
#pragma unroll
        for (int k = 0; k < 8; k++)
            most = fmaxf(most, size_of(v[k]));
    }
    for (; i < end; i += THREADS)
        most = fmaxf(most, size_of(grid[i]));
    keep_largest(most, to + b * beam.nfeed + f);
}

// A component of a turned number is at most sqrt 2 times its largest component.
static __global__ void __launch_bounds__(THREADS)
    bound_rows(hg_vis_chunk args, const float *beam_bounds, const float *amplitude)
{
    const hg_vis_beam &beam = args.sources.beam;
    const int64_t row = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (row >= args.planes.M)
        return;
    const int64_t b = beam_of(args.beam_idx, args.is_int64, beam.nbeam, row / beam.nfeed);
    const bool is_beam = b >= 0 && b < beam.nbeam; // a wrong index was noted before
    float most = is_beam ? beam_bounds[b * beam.nfeed + row % beam.nfeed] : 0.0f;
    most = args.with_root ? sqrtf(most) : most;
    args.planes.bounds[row] = fminf(1.4143f * most * *amplitude, 3.4e38f);
}

cudaError_t hg_vis_bound_rows(const hg_vis_chunk *args, float *beam_bounds, cudaStream_t stream)
{
    const hg_vis_beam *beam = &args->sources.beam;
    const int64_t n = beam->nbeam * beam->nfeed;
    const unsigned pieces = (unsigned)(n * beam->nax * PIECES);
    cudaError_t error = cudaMemsetAsync(beam_bounds, 0, (size_t)(n + 1) * sizeof(float), stream);
    if (error != cudaSuccess || args->sources.n == 0)
        return error;
    const int64_t runs = tiles(args->sources.n, 4 * THREADS);
    const unsigned blocks = (unsigned)(runs < 256 ? runs : 256);
    largest_amplitude<<<blocks, THREADS, 0, stream>>>((const float *)args->sources.amp,
                                                      args->sources.n, beam_bounds + n);
    largest_node<<<pieces, THREADS, 0, stream>>>(*beam, beam_bounds);
    bound_rows<<<(unsigned)tiles(args->planes.M, THREADS), THREADS, 0, stream>>>(*args, beam_bounds,
                                                                                 beam_bounds + n);
    return cudaGetLastError();
}
