// SPDX-License-Identifier: BSD-3-Clause
// From sums to outputs: alpha, beta, the other triangle, blocks of pairs; and float32 to float64.
#include "plugins/cuda/visibility/fault.cuh"
#include "plugins/cuda/visibility/indices.cuh"

enum { TILE = 32, ROWS = 8, THREADS = 256 };

// ---- complex64 to complex128 ----

static __global__ void __launch_bounds__(THREADS)
    widen(const float2 *from, int64_t stride, int64_t count, double2 *to)
{
    const int64_t k = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (k >= count)
        return;
    const float2 z = from[(int64_t)blockIdx.y * stride + k];
    to[(int64_t)blockIdx.y * count + k] = make_double2(z.x, z.y);
}

cudaError_t hg_vis_widen(const void *from, int64_t stride, int64_t rows, int64_t count, void *to,
                         cudaStream_t stream)
{
    const int64_t most = 65535; // rows of a launch
    const unsigned blocks = (unsigned)((count + THREADS - 1) / THREADS);
    for (int64_t row = 0; row < rows; row += most) {
        const unsigned n = (unsigned)(rows - row < most ? rows - row : most);
        widen<<<dim3(blocks, n), THREADS, 0, stream>>>((const float2 *)from + row * stride, stride,
                                                       count, (double2 *)to + row * count);
    }
    return cudaGetLastError();
}

// ---- the whole matrix ----

template <class T> struct alignas(2 * sizeof(T)) Number {
    T re, im;
};

// V[i,j] = alpha sum[i,j] + beta V[i,j] for j <= i and its conjugate for V[j,i]. A block takes one
// tile of the lower triangle and writes its mirror image through shared memory; the diagonal has
// imaginary part +0.
template <class S, class T>
static __global__ void __launch_bounds__(TILE *ROWS)
    finish_gram(hg_vis_finish args, int64_t n_tiles, hg_vis_fault fault)
{
    __shared__ Number<T> tile[TILE][TILE + 1];
    const int64_t ti = (int64_t)blockIdx.x / n_tiles, tj = (int64_t)blockIdx.x % n_tiles;
    if (tj > ti || fault_is_set(fault))
        return;
    const Number<S> *sum = (const Number<S> *)args.sum;
    Number<T> *V = (Number<T> *)args.V;
    const int64_t j = tj * TILE + threadIdx.x;
    for (int r = threadIdx.y; r < TILE; r += ROWS) {
        const int64_t i = ti * TILE + r;
        if (i >= args.M || j > i)
            continue;
        double re = 0.0, im = 0.0;
        if (args.has_sum) {
            const Number<S> z = sum[i * args.M + j];
            re = args.alpha * (double)z.re;
            im = args.alpha * (double)(args.is_conj ? -z.im : z.im);
        }
        if (args.beta != 0.0) {
            const Number<T> old = V[i * args.M + j];
            re += args.beta * (double)old.re;
            im += args.beta * (double)old.im;
        }
        if (i == j)
            im = 0.0;
        const Number<T> v = {(T)re, (T)im};
        V[i * args.M + j] = v;
        tile[r][threadIdx.x] = v;
    }
    __syncthreads();
    const int64_t i = ti * TILE + threadIdx.x; // the column of the mirror image
    for (int r = threadIdx.y; r < TILE; r += ROWS) {
        const int64_t row = tj * TILE + r;
        if (i < args.M && row < i)
            V[row * args.M + i] = {tile[threadIdx.x][r].re, -tile[threadIdx.x][r].im};
    }
}

cudaError_t hg_vis_finish_gram(const hg_vis_finish *args, hg_vis_fault fault, cudaStream_t stream)
{
    const int64_t n_tiles = (args->M + TILE - 1) / TILE;
    const unsigned blocks = (unsigned)(n_tiles * n_tiles);
    const dim3 threads(TILE, ROWS);
    if (args->is_64)
        finish_gram<double, double><<<blocks, threads, 0, stream>>>(*args, n_tiles, fault);
    else if (args->is_64_sum)
        finish_gram<double, float><<<blocks, threads, 0, stream>>>(*args, n_tiles, fault);
    else
        finish_gram<float, float><<<blocks, threads, 0, stream>>>(*args, n_tiles, fault);
    return cudaGetLastError();
}

// ---- pairs ----

// Element (a, b) of the block of pair (i, j): the sum is over Z[left] conj(Z[right]).
struct BlockRows {
    int64_t left, right;
};

static __device__ BlockRows block_rows(const hg_vis_pairs &pairs, int64_t p, int64_t a, int64_t b)
{
    const int64_t i = index_at(pairs.pairs, pairs.is_int64, 2 * p);
    const int64_t j = index_at(pairs.pairs, pairs.is_int64, 2 * p + 1);
    const int64_t n = pairs.nfeed;
    if (pairs.convention == 1) // conj(Z[i,a]) Z[j,b]
        return {j * n + b, i * n + a};
    if (pairs.convention == 2) // as matvis
        return {j * n + a, i * n + b};
    return {i * n + a, j * n + b};
}

static __device__ double2 sum_at(const hg_vis_finish_pairs &args, int64_t at)
{
    if (!args.is_full)
        return ((const double2 *)args.sum)[at];
    const int64_t n = args.pairs.nfeed, M = args.pairs.nant * n;
    const BlockRows rows = block_rows(args.pairs, at / n / n, at / n % n, at % n);
    const bool is_lower = rows.left >= rows.right;
    const int64_t from = is_lower ? rows.left * M + rows.right : rows.right * M + rows.left;
    double2 z;
    if (args.is_64_sum) {
        z = ((const double2 *)args.sum)[from];
    } else {
        const float2 narrow = ((const float2 *)args.sum)[from];
        z = make_double2(narrow.x, narrow.y);
    }
    if (rows.left == rows.right)
        z.y = 0.0;
    return is_lower ? z : make_double2(z.x, -z.y);
}

static __global__ void __launch_bounds__(THREADS)
    finish_blocks(hg_vis_finish_pairs args, int64_t count, hg_vis_fault fault)
{
    const int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (at >= count || fault_is_set(fault))
        return;
    const double2 sum = args.has_sum ? sum_at(args, at) : make_double2(0.0, 0.0);
    double re = args.alpha * sum.x, im = args.alpha * sum.y;
    if (args.is_64) {
        double2 *V = (double2 *)args.Vpairs + at;
        if (args.beta != 0.0) {
            re += args.beta * V->x;
            im += args.beta * V->y;
        }
        *V = make_double2(re, im);
    } else {
        float2 *V = (float2 *)args.Vpairs + at;
        if (args.beta != 0.0) {
            re += args.beta * (double)V->x;
            im += args.beta * (double)V->y;
        }
        *V = make_float2((float)re, (float)im);
    }
}

cudaError_t hg_vis_finish_blocks(const hg_vis_finish_pairs *args, hg_vis_fault fault,
                                 cudaStream_t stream)
{
    const int64_t count = args->pairs.npairs * args->pairs.nfeed * args->pairs.nfeed;
    if (count == 0)
        return cudaSuccess;
    finish_blocks<<<(unsigned)((count + THREADS - 1) / THREADS), THREADS, 0, stream>>>(*args, count,
                                                                                       fault);
    return cudaGetLastError();
}

// ---- row products ----

// One element of one block by one thread block: threads take columns in turn, add up to 512 of
// their products in the precision of Z and those sums in double, and the block adds its threads in
// the order of a tree.
template <class R>
static __global__ void __launch_bounds__(THREADS)
    pair_dot(hg_vis_pairs pairs, const Number<R> *Z, int64_t K, double sign, int is_first,
             double2 *sum, hg_vis_fault fault)
{
    enum { CHAIN = 512 };
    __shared__ double2 part[THREADS];
    if (fault_is_set(fault))
        return;
    const int64_t at = blockIdx.x, n = pairs.nfeed;
    const BlockRows rows = block_rows(pairs, at / n / n, at / n % n, at % n);
    const Number<R> *left = Z + rows.left * K, *right = Z + rows.right * K;
    double2 own = make_double2(0.0, 0.0);
    for (int64_t start = threadIdx.x; start < K; start += (int64_t)CHAIN * THREADS) {
        const int64_t end =
            start + (int64_t)CHAIN * THREADS < K ? start + (int64_t)CHAIN * THREADS : K;
        R re = 0, im = 0;
        for (int64_t k = start; k < end; k += THREADS) {
            const Number<R> x = left[k], y = right[k];
            re = fma(x.re, y.re, fma(x.im, y.im, re));
            im = fma(x.im, y.re, fma(-x.re, y.im, im));
        }
        own.x += (double)re;
        own.y += (double)im;
    }
    part[threadIdx.x] = own;
    __syncthreads();
    for (int step = THREADS / 2; step > 0; step /= 2) {
        if ((int)threadIdx.x < step) {
            part[threadIdx.x].x += part[threadIdx.x + step].x;
            part[threadIdx.x].y += part[threadIdx.x + step].y;
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        const double2 old = is_first ? make_double2(0.0, 0.0) : sum[at];
        sum[at] = make_double2(old.x + sign * part[0].x, old.y + sign * part[0].y);
    }
}

cudaError_t hg_vis_pair_dot(const hg_vis_pairs *pairs, const void *Z, int64_t K, int is_64,
                            double sign, int is_first, void *sum, hg_vis_fault fault,
                            cudaStream_t stream)
{
    const int64_t blocks = pairs->npairs * pairs->nfeed * pairs->nfeed;
    if (blocks == 0)
        return cudaSuccess;
    if (is_64)
        pair_dot<<<(unsigned)blocks, THREADS, 0, stream>>>(*pairs, (const Number<double> *)Z, K,
                                                           sign, is_first, (double2 *)sum, fault);
    else
        pair_dot<<<(unsigned)blocks, THREADS, 0, stream>>>(*pairs, (const Number<float> *)Z, K,
                                                           sign, is_first, (double2 *)sum, fault);
    return cudaGetLastError();
}
