// SPDX-License-Identifier: BSD-3-Clause
// The small kernels of `library`: one block a point, plain loops; the time is in the library's
// calls.
#include "plugins/cuda/emi/contract.cuh"
#include "plugins/cuda/emi/library.h"

static constexpr int threads = 128; // conventional

static __device__ int64_t point_at(const LibraryChunk &k, int64_t at)
{
    return k.index ? k.index[k.first + at] : k.first + at;
}

// Coherence (i, j) for any i, j; the diagonal counts as 1.
static __device__ double2 coherence(const LibraryChunk &k, int64_t point, int i, int j)
{
    if (i == j)
        return make_double2(1, 0);
    const int64_t n = k.args.n, lo = i < j ? i : j, hi = i < j ? j : i;
    const int64_t index = k.args.is_full
                              ? (point * n + lo) * n + hi
                              : point * (n * (n - 1) / 2) + lo * (2 * n - lo - 1) / 2 + hi - lo - 1;
    double2 g;
    if (k.is_wide) {
        g = ((const double2 *)k.args.coh)[index];
    } else {
        const float2 f = ((const float2 *)k.args.coh)[index];
        g = make_double2(f.x, f.y);
    }
    if (i > j)
        g.y = -g.y;
    return g;
}

static __device__ bool triangles_agree(const LibraryChunk &k, int64_t point, int i, int j)
{
    const int64_t n = k.args.n, up = (point * n + i) * n + j, down = (point * n + j) * n + i;
    if (k.is_wide)
        return is_hermitian(((const double2 *)k.args.coh)[up], ((const double2 *)k.args.coh)[down]);
    return is_hermitian(((const float2 *)k.args.coh)[up], ((const float2 *)k.args.coh)[down]);
}

// a = |Gamma|, or the identity for points that are refused, so that no solver meets their values.
static __global__ void load(const LibraryChunk k)
{
    __shared__ unsigned shared;
    const int n = k.args.n;
    const int64_t at = blockIdx.x, point = point_at(k, at);
    unsigned flags = n == 1 ? flag_nonzero : 0u;
    if (threadIdx.x == 0)
        shared = 0;
    __syncthreads();
    for (int e = threadIdx.x; e < n * n; e += threads) {
        const int i = e / n, j = e % n;
        if (i >= j)
            continue;
        flags |= value_flags(coherence(k, point, i, j));
        if (k.args.is_full && k.args.check_hermitian && !triangles_agree(k, point, i, j))
            flags |= flag_hermitian;
    }
    atomicOr(&shared, flags);
    __syncthreads();
    const int refused = refused_status(shared);
    if (threadIdx.x == 0)
        k.state[at] = refused;
    for (int e = threadIdx.x; e < n * n; e += threads) {
        const double2 g = coherence(k, point, e / n, e % n);
        k.a[at * n * n + e] = e / n == e % n ? 1 : refused ? 0 : hypot(g.x, g.y);
    }
    if (threadIdx.x == 0) {
        k.a_each[at] = k.a + at * n * n;
        k.inverse_each[at] = k.inverse + at * n * n;
    }
}

// From the eigenvalues of |Gamma|: beta, the point's code, and the regularized matrix in a (the
// solver used it up).
static __global__ void regularize(const LibraryChunk k)
{
    __shared__ double shared;
    const int n = k.args.n;
    const int64_t at = blockIdx.x, point = point_at(k, at);
    if (threadIdx.x == 0) {
        const double *values = k.values + at * n;
        const double beta = k.rule == hg_emi_adaptive
                                ? adaptive_beta(values[0], values[n - 1], k.args.kappa)
                            : k.rule == hg_emi_fixed ? k.args.beta_fixed
                                                     : 0;
        int state = k.state[at];
        if (state < emi_bad_nonfinite) {
            double least = INFINITY, most = 0;
            for (int i = 0; i < n; i++) {
                const double v = fabs((1 - beta) * values[i] + beta);
                least = fmin(least, v);
                most = fmax(most, v);
            }
            state = beta > 0 ? emi_regularized : emi_ok;
            if ((1 - beta) * values[0] + beta <= 0)
                state = k.fallback_evd ? -1 : emi_indefinite;
            if (state >= 0 && least <= n * 2.220446049250313e-16 * most)
                state = k.fallback_evd ? -1 : emi_singular;
            if (k.info_values[at])
                state = emi_no_convergence;
        }
        k.state[at] = state;
        k.beta[at] = shared = beta;
    }
    __syncthreads();
    const double keep = 1 - shared;
    const bool usable = k.state[at] < emi_bad_nonfinite && k.state[at] >= 0;
    for (int e = threadIdx.x; e < n * n; e += threads) {
        const double2 g = coherence(k, point, e / n, e % n);
        k.a[at * n * n + e] = e / n == e % n ? 1 : usable ? keep * hypot(g.x, g.y) : 0;
    }
}

static __device__ bool has_partner(const LibraryChunk &k, int64_t point, int i)
{
    for (int j = 0; j < k.args.n; j++) {
        const double2 g = coherence(k, point, i, j);
        if (j != i && (g.x != 0 || g.y != 0))
            return true;
    }
    return k.args.n == 1;
}

// M = inverse o Gamma, or |Gamma| o Gamma for evd, both regularized; column by column, its upper
// triangle counts. Isolated images go out of the way of the wanted eigenvalue.
static __global__ void weigh(const LibraryChunk k)
{
    extern __shared__ unsigned char linked[];
    __shared__ double trace;
    const int n = k.args.n;
    const int64_t at = blockIdx.x, point = point_at(k, at);
    const int state = k.state[at];
    const bool is_evd = k.rule == hg_emi_evd || state < 0, refused = state >= emi_bad_nonfinite;
    const double keep = 1 - k.beta[at];
    const double *inverse = k.inverse + at * n * n;
    for (int i = threadIdx.x; i < n; i += threads)
        linked[i] = refused || has_partner(k, point, i);
    if (threadIdx.x == 0) {
        trace = 0;
        for (int i = 0; i < n && !is_evd; i++)
            trace += inverse[i * n + i];
        if (!refused && !is_evd && k.info_lu[at])
            k.state[at] = emi_singular;
    }
    __syncthreads();
    for (int e = threadIdx.x; e < n * n; e += threads) {
        const int column = e / n, row = e % n;
        double2 g = refused ? make_double2(row == column, 0) : coherence(k, point, row, column);
        double weight = 1;
        if (refused) {
            weight = 1;
        } else if (is_evd) {
            weight = row == column
                         ? (linked[row] ? 1 : -1) // an isolated image goes below the largest
                         : keep * keep * hypot(g.x, g.y);
        } else {
            weight = (inverse[row * n + column] + inverse[column * n + row]) / 2;
            if (row != column)
                weight *= keep;
            else if (!linked[row])
                weight = fabs(trace) + 1; // above the smallest, at most trace / n, which may be < 0
        }
        g.x *= weight;
        g.y *= weight;
        k.m[at * n * n + e] = g;
    }
}

template <class R, class C>
static __device__ void write_point(const LibraryChunk &k, int64_t at, const double2 *v,
                                   double quality, int state, double *shared)
{
    const EmiArgs &p = k.args;
    const int n = p.n;
    const int64_t point = point_at(k, at);
    if (threadIdx.x == 0) {
        double largest = 0;
        for (int i = 0; i < n; i++)
            largest = fmax(largest, hypot(v[i].x, v[i].y));
        *shared = 64 * 2.220446049250313e-16 * largest;
    }
    __syncthreads();
    const double least = *shared;
    const double2 f = v[p.ref];
    if (state < emi_bad_nonfinite && !(hypot(f.x, f.y) > least))
        state = emi_zero_ref;
    const bool passed = state < emi_bad_nonfinite || state > emi_bad_empty; // the checks of values
    if (passed && !has_partner(k, point, p.ref))
        state = emi_zero_ref; // whatever else is wrong
    if (state >= emi_bad_nonfinite) {
        write_refused<R>(p, point, state, threadIdx.x, threads);
        return;
    }
    int partial = 0;
    for (int i = threadIdx.x; i < n; i += threads) {
        const double re = v[i].x * f.x + v[i].y * f.y, im = v[i].y * f.x - v[i].x * f.y,
                     m = hypot(re, im);
        C phase = {(R)(re / m), (R)(im / m)};
        if (!(hypot(v[i].x, v[i].y) > least) || !has_partner(k, point, i)) {
            phase = {(R)NAN, (R)NAN};
            partial = 1;
        }
        if (i == p.ref)
            phase = {1, 0};
        ((C *)p.phase)[point * n + i] = phase;
    }
    partial = __syncthreads_or(partial);
    if (threadIdx.x == 0) {
        if (p.quality)
            ((R *)p.quality)[point] = (R)quality;
        if (p.beta)
            ((R *)p.beta)[point] = (R)k.beta[at];
        if (p.status)
            p.status[point] = partial ? emi_partial : state < 0 ? emi_fallback_used : state;
    }
}

static __global__ void finish(const LibraryChunk k)
{
    __shared__ double shared;
    const int n = k.args.n;
    const int64_t at = blockIdx.x;
    int state = k.state[at];
    const int wanted = k.rule == hg_emi_evd || state < 0 ? n - 1 : 0;
    if (state < emi_bad_nonfinite && k.info_vectors[at])
        state = emi_no_convergence;
    const double2 *v = k.m + (at * n + wanted) * n;
    const double quality = k.values[at * n + wanted];
    if (k.is_wide)
        write_point<double, double2>(k, at, v, quality, state, &shared);
    else
        write_point<float, float2>(k, at, v, quality, state, &shared);
}

extern "C" cudaError_t hg_emi_library_load(const LibraryChunk *chunk, cudaStream_t stream)
{
    load<<<(unsigned)chunk->count, threads, 0, stream>>>(*chunk);
    return cudaGetLastError();
}

extern "C" cudaError_t hg_emi_library_regularize(const LibraryChunk *chunk, cudaStream_t stream)
{
    regularize<<<(unsigned)chunk->count, threads, 0, stream>>>(*chunk);
    return cudaGetLastError();
}

extern "C" cudaError_t hg_emi_library_weigh(const LibraryChunk *chunk, cudaStream_t stream)
{
    weigh<<<(unsigned)chunk->count, threads, (size_t)chunk->args.n, stream>>>(*chunk);
    return cudaGetLastError();
}

extern "C" cudaError_t hg_emi_library_finish(const LibraryChunk *chunk, cudaStream_t stream)
{
    finish<<<(unsigned)chunk->count, threads, 0, stream>>>(*chunk);
    return cudaGetLastError();
}
