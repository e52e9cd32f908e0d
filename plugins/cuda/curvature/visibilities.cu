// SPDX-License-Identifier: BSD-3-Clause
// Sums over visibilities: the factors of w (kernel gemm), the dirty image, and the checks of both.
//
//      w(dy, dx) = sum_k sigma_k^-2 cos(2 pi pix (dx u_k - dy v_k)) = C + S, by products of
//                  [sigma_k^-2 cos(dy a_k)] [cos(dx b_k)] and the same with sines
//      d_p = sum_k sigma_k^-2 (Re V_k cos phi - Im V_k sin phi)     phi = 2 pi (x_p u_k + y_p v_k)
//
// uv (K, 2), sigma (K) or (K, 2), V (K) complex, y, x (N): float64. Angles are counted in turns and
// reduced before the sine. The dirty image takes N K sines and cosines; a block shares the
// visibilities of a step through shared memory. Where pixels are few, the visibilities are cut into
// slices whose sums are added in order. Each sum is one chain in a fixed order.
#include "plugins/cuda/curvature/visibilities.h"

enum { THREADS = 256, STEP = 256 }; // conventional

static unsigned blocks_for(int64_t n)
{
    const int64_t blocks = (n + THREADS - 1) / THREADS, most = 1 << 20;
    return (unsigned)(blocks < 1 ? 1 : blocks < most ? blocks : most);
}

// ---- checks ----

static __device__ void note(unsigned long long *fault, int64_t i)
{
    atomicMin(fault, (unsigned long long)i);
}

static __device__ void look_at_noise(const CurvatureVisibilities &v, int64_t k,
                                     unsigned long long *faults)
{
    const double *sigma = v.sigma + k * v.sigma_step;
    if (!(sigma[0] > 0))
        note(&faults[HG_FAULT_SIGMA], k * v.sigma_step);
    else if (v.sigma_step == 2 && sigma[1] != sigma[0])
        note(&faults[HG_FAULT_SIGMA_PAIR], 2 * k + 1);
}

static __global__ void look(CurvatureVisibilities v, CurvatureDirty d, unsigned long long *faults)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x,
                  first = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (int64_t k = first; k < v.count; k += step) {
        for (int i = 0; i < 2; i++)
            if (!isfinite(v.uv[2 * k + i]))
                note(&faults[HG_FAULT_UV], 2 * k + i);
        look_at_noise(v, k, faults);
        for (int64_t i = 2 * k; d.vis && i < 2 * k + 2; i++)
            if (!isfinite(d.vis[i]))
                note(&faults[HG_FAULT_VIS], i);
    }
    for (int64_t p = first; p < d.n_pixels; p += step) {
        if (!isfinite(d.y[p]))
            note(&faults[HG_FAULT_Y], p);
        if (!isfinite(d.x[p]))
            note(&faults[HG_FAULT_X], p);
    }
}

extern "C" cudaError_t hg_curvature_look_at_visibilities(const CurvatureVisibilities *v,
                                                         const CurvatureDirty *dirty,
                                                         unsigned long long *faults,
                                                         cudaStream_t stream)
{
    const int64_t n = v->count > dirty->n_pixels ? v->count : dirty->n_pixels;
    look<<<blocks_for(n), THREADS, 0, stream>>>(*v, *dirty, faults);
    return cudaGetLastError();
}

// ---- w ----

static __device__ void cosine_of_turns(double turns, double *sine, double *cosine)
{
    sincospi(2 * (turns - rint(turns)), sine, cosine);
}

static __global__ void phasors(CurvatureVisibilities v, CurvatureOffsets o)
{
    const int64_t line = o.ny + o.nx, count = o.count * line;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += (int64_t)gridDim.x * blockDim.x) {
        const int64_t k = i / line, at = i % line, from = o.first + k;
        double sine, cosine;
        if (at < o.ny) {
            const double sigma = v.sigma[from * v.sigma_step], weight = 1 / (sigma * sigma);
            cosine_of_turns((double)at * (o.pix * v.uv[2 * from + 1]), &sine, &cosine);
            o.row_cos[k * o.ny + at] = weight * cosine;
            o.row_sin[k * o.ny + at] = weight * sine;
        } else {
            const int64_t dx = at - o.ny;
            cosine_of_turns((double)dx * (o.pix * v.uv[2 * from]), &sine, &cosine);
            o.column_cos[k * o.nx + dx] = cosine;
            o.column_sin[k * o.nx + dx] = sine;
        }
    }
}

extern "C" cudaError_t hg_curvature_phasors(const CurvatureVisibilities *v,
                                            const CurvatureOffsets *o, cudaStream_t stream)
{
    phasors<<<blocks_for(o->count * (o->ny + o->nx)), THREADS, 0, stream>>>(*v, *o);
    return cudaGetLastError();
}

// The four quadrants of w: C + S where dy and dx have one sign, C - S elsewhere.
template <class R> static __global__ void store(CurvatureOffsets o)
{
    const int64_t ny = o.ny, nx = o.nx, count = 4 * ny * nx;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += (int64_t)gridDim.x * blockDim.x) {
        const int64_t y = i / (2 * nx), x = i % (2 * nx);
        double value = 0;
        if (y != ny && x != nx) {
            const int64_t at = (y < ny ? y : 2 * ny - y) * nx + (x < nx ? x : 2 * nx - x);
            value = (y < ny) == (x < nx) || y == 0 || x == 0 ? o.cos_part[at] + o.sin_part[at]
                                                             : o.cos_part[at] - o.sin_part[at];
        }
        ((R *)o.w)[i] = (R)value;
    }
}

extern "C" cudaError_t hg_curvature_store_offsets(const CurvatureOffsets *o, cudaStream_t stream)
{
    const unsigned blocks = blocks_for(4 * (int64_t)o->ny * o->nx);
    if (o->is_f64)
        store<double><<<blocks, THREADS, 0, stream>>>(*o);
    else
        store<float><<<blocks, THREADS, 0, stream>>>(*o);
    return cudaGetLastError();
}

// ---- dirty image ----

static __global__ void __launch_bounds__(THREADS) waves(CurvatureVisibilities v, CurvatureDirty d)
{
    __shared__ double2 baseline[STEP], weighted[STEP];
    const int64_t p = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    const int64_t slice = (v.count + d.n_slices - 1) / d.n_slices, begin = blockIdx.y * slice,
                  end = begin + slice < v.count ? begin + slice : v.count;
    const bool is_there = p < d.n_pixels;
    const double x = is_there ? d.x[p] : 0, y = is_there ? d.y[p] : 0;
    double sum = 0;
    for (int64_t first = begin; first < end; first += STEP) {
        const int64_t k = first + threadIdx.x;
        if (k < end) {
            const double sigma = v.sigma[k * v.sigma_step], weight = 1 / (sigma * sigma);
            baseline[threadIdx.x] = make_double2(v.uv[2 * k], v.uv[2 * k + 1]);
            weighted[threadIdx.x] = make_double2(weight * d.vis[2 * k], weight * d.vis[2 * k + 1]);
        }
        __syncthreads();
        const int n = end - first < STEP ? (int)(end - first) : STEP;
        for (int i = 0; i < n; i++) {
            const double2 uv = baseline[i], vis = weighted[i];
            double sine, cosine;
            cosine_of_turns(fma(x, uv.x, y * uv.y), &sine, &cosine);
            sum = fma(vis.x, cosine, sum);
            sum = fma(-vis.y, sine, sum);
        }
        __syncthreads();
    }
    if (is_there)
        (d.n_slices > 1 ? d.parts + blockIdx.y * d.n_pixels : d.d)[p] = sum;
}

static __global__ void add_slices(CurvatureDirty d)
{
    const int64_t p = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= d.n_pixels)
        return;
    double sum = 0;
    for (int i = 0; i < d.n_slices; i++)
        sum += d.parts[i * d.n_pixels + p];
    d.d[p] = sum;
}

extern "C" cudaError_t hg_curvature_dirty(const CurvatureVisibilities *v, const CurvatureDirty *d,
                                          cudaStream_t stream)
{
    const unsigned blocks = (unsigned)((d->n_pixels + THREADS - 1) / THREADS);
    waves<<<dim3(blocks, (unsigned)d->n_slices), THREADS, 0, stream>>>(*v, *d);
    if (d->n_slices > 1)
        add_slices<<<blocks, THREADS, 0, stream>>>(*d);
    return cudaGetLastError();
}
