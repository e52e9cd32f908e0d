// SPDX-License-Identifier: BSD-3-Clause
// curvature_data_vector `direct`: D_s = sum_{t in s} vals_t d[rows_t].
// d (N), vals (nnz), D (S) of one precision, indptr (S+1), rows (nnz). A warp a column, its lanes
// over the entries, a fixed tree at the end; sums in float64. Bound by reading 12 to 16 bytes an
// entry.
#include "plugins/cuda/curvature/visibilities.h"

enum { THREADS = 256 }; // conventional

static __device__ int64_t row_at(const CurvatureProduct &a, int64_t t)
{
    return a.rows_are_64 ? ((const int64_t *)a.rows)[t] : ((const int *)a.rows)[t];
}

// Range of column s; empty where indptr does not rise from 0 to nnz, which `bad` then tells.
static __device__ bool range_of(const CurvatureProduct &a, int64_t s, int64_t *begin, int64_t *end,
                                int64_t *bad)
{
    *begin = a.indptr[s];
    *end = a.indptr[s + 1];
    *bad = -1;
    if (*begin < 0 || *begin > a.nnz || (s == 0 && *begin != 0))
        *bad = s;
    else if (*end < *begin || *end > a.nnz || (s == a.n_columns - 1 && *end != a.nnz))
        *bad = s + 1;
    return *bad < 0;
}

static __global__ void look(CurvatureProduct a, unsigned long long *faults)
{
    const int64_t step = (int64_t)gridDim.x * blockDim.x,
                  first = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    int64_t begin, end, bad;
    for (int64_t s = first; s < a.n_columns; s += step)
        if (!range_of(a, s, &begin, &end, &bad))
            atomicMin(&faults[0], (unsigned long long)bad);
    for (int64_t t = first; t < a.nnz; t += step) {
        const int64_t row = row_at(a, t);
        if (row < 0 || row >= a.n_rows)
            atomicMin(&faults[1], (unsigned long long)t);
    }
}

extern "C" cudaError_t hg_curvature_look_at_columns(const CurvatureProduct *product,
                                                    unsigned long long *faults, cudaStream_t stream)
{
    const int64_t n = product->nnz > product->n_columns ? product->nnz : product->n_columns;
    const int64_t blocks = (n + THREADS - 1) / THREADS, most = 4096;
    look<<<(unsigned)(blocks < 1      ? 1
                      : blocks < most ? blocks
                                      : most),
           THREADS, 0, stream>>>(*product, faults);
    return cudaGetLastError();
}

template <class R> static __global__ void products(CurvatureProduct a)
{
    const int64_t s = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int lane = threadIdx.x & 31;
    if (s >= a.n_columns)
        return;
    int64_t begin, end, bad;
    double sum = 0;
    if (range_of(a, s, &begin, &end, &bad))
        for (int64_t t = begin + lane; t < end; t += 32) {
            const int64_t row = row_at(a, t);
            if (row >= 0 && row < a.n_rows)
                sum = fma((double)((const R *)a.vals)[t], (double)((const R *)a.d)[row], sum);
        }
    for (int apart = 16; apart > 0; apart /= 2)
        sum += __shfl_xor_sync(~0u, sum, apart);
    if (lane == 0)
        ((R *)a.D)[s] = (R)sum;
}

extern "C" cudaError_t hg_curvature_data_vector(const CurvatureProduct *product,
                                                cudaStream_t stream)
{
    const unsigned blocks = (unsigned)((product->n_columns * 32 + THREADS - 1) / THREADS);
    if (product->is_f64)
        products<double><<<blocks, THREADS, 0, stream>>>(*product);
    else
        products<float><<<blocks, THREADS, 0, stream>>>(*product);
    return cudaGetLastError();
}
