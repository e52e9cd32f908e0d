// SPDX-License-Identifier: BSD-3-Clause
// Kernel `block`: regularized EMI with packed triangles in shared memory, float32 and float64.
//
// Steps as in rows.cuh, the last ones in block_point.cuh. It needs the least shared memory per
// image, so it reaches the most images; each element goes through shared memory about three times a
// Householder step, which bounds it: about n^3 (4 real, 8 complex) words through 128 bytes a clock.
#include "plugins/cuda/emi/block_point.cuh"

// |Gamma| into both planes; the point's flags, isolated images marked in vector
// 9 (1 where there is a partner).
template <class R, class C>
static HG_INLINE unsigned block_load(const EmiArgs &p, int64_t point, const BlockPoint<R> &b)
{
    unsigned flags = 0;
    for (int i = b.tid; i < b.n; i += b.threads)
        b.vector[9][i] = 0;
    if (b.tid == 0)
        *b.flags = 0;
    __syncthreads();
    for (int r = b.warp; r < b.n; r += b.warps) {
        for (int c = b.lane; c <= r; c += 32) {
            R m = 1;
            if (c < r) {
                const C g = pair_value<C>(p, point, c, r);
                const unsigned f = value_flags(g);
                flags |= f;
                if (f & flag_nonzero)
                    b.vector[9][r] = b.vector[9][c] = 1;
                if (p.is_full && p.check_hermitian &&
                    !is_hermitian(g, ((const C *)p.coh)[(point * b.n + r) * b.n + c]))
                    flags |= flag_hermitian;
                m = modulus_of<R>(g);
            }
            b.p0[at(r, c)] = b.p1[at(r, c)] = m;
        }
    }
    if (flags)
        atomicOr(b.flags, flags);
    __syncthreads();
    return *b.flags;
}

// Rayleigh quotient of lambda_min's vector over |Gamma| in p1, in float64: see refined_minimum() in
// rows.cuh.
template <class R>
static HG_INLINE double block_refined(const BlockPoint<R> &b, R scale, R lambda, bool &is_refined)
{
    R *const z = b.vector[8];
    block_twisted(b, 5, scale, lambda / scale, b.vector[3], b.vector[4], z);
    for (int k = b.n - 3; k >= 0; k--) {
        R part = 0;
        for (int r = k + 1 + b.tid; r < b.n; r += b.threads)
            part += b.p0[at(r, k)] * z[r];
        const R f = b.vector[2][k] * block_sum(b, part);
        for (int r = k + 1 + b.tid; r < b.n; r += b.threads)
            z[r] -= f * b.p0[at(r, k)];
        __syncthreads();
    }
    double over = 0, under = 0;
    for (int r = b.tid; r < b.n; r += b.threads) {
        double y = 0;
        for (int c = 0; c <= r; c++)
            y += (double)b.p1[at(r, c)] * z[c];
        for (int c = r + 1, e = at(r + 1, r); c < b.n; e += c + 1, c++)
            y += (double)b.p1[e] * z[c];
        over += y * z[r];
        under += (double)z[r] * z[r];
    }
    // two-word sums in the type of the scratch: the high part first
    const R oh = (R)over, ol = (R)(over - oh), uh = (R)under, ul = (R)(under - uh);
    double sums[2] = {0, 0};
    const R parts[4] = {oh, ol, uh, ul};
    for (int k = 0; k < 4; k++) {
        __syncthreads();
        b.grid[b.tid] = parts[k];
        __syncthreads();
        for (int i = 0; i < b.threads; i++)
            sums[k / 2] += (double)b.grid[i];
    }
    const double quotient = sums[0] / sums[1];
    is_refined = fabs(quotient - lambda) <= 1e-4 * scale;
    return is_refined ? quotient : (double)lambda;
}

// lambda_min of |Gamma| and beta; false where rule fixed leaves the point to a kernel that pivots.
template <class R>
static HG_INLINE bool block_beta(const EmiArgs &p, const BlockPoint<R> &b, double &lowest,
                                 double &beta, bool &is_refined)
{
    block_tridiagonalize_real(b);
    const R scale = block_scale(b, 5);
    const R lo = block_section(b, 5, 1) * scale, hi = block_section(b, 5, b.n) * scale;
    const double limit = p.left ? least_safe<R>(p.beta_fixed, hi) : hi / p.kappa;
    lowest = lo;
    is_refined = false;
    if (lo < limit + 1e-4 * scale)
        lowest = block_refined(b, scale, lo, is_refined);
    beta = p.left ? p.beta_fixed : adaptive_beta(lowest, hi, p.kappa);
    return !p.left || lowest > limit;
}

// p0 = regularized |Gamma| from p1.
template <class R> static HG_INLINE void block_regularize(const BlockPoint<R> &b, R keep)
{
    for (int r = b.warp; r < b.n; r += b.warps)
        for (int c = b.lane; c <= r; c += 32)
            b.p0[at(r, c)] = c < r ? keep * b.p1[at(r, c)] : (R)1;
    __syncthreads();
}

// p0: minus the inverse B; in the direction of lambda_min's vector y (vector 8) y'By is set to what
// the eigenvalue says, as refine_inverse() in inverse.cuh does. Returns the norm of the error that
// is left in float32, 0 where it need not be looked at.
template <class R>
static HG_INLINE float block_refine_inverse(const BlockPoint<R> &b, double lowest, bool is_refined)
{
    const R *const y = b.vector[8];
    R form = 0, size = 0, square = 0;
    if (!is_refined && (sizeof(R) == 8 || is_exact_enough(lowest, b.n)))
        return 0.f;
    for (int r = b.tid; r < b.n; r += b.threads) {
        const R *const row = b.p0 + at(r, 0), d = row[r], own = is_refined ? y[r] : 0;
        R sum = 0, squares = 0;
        for (int c = 0; c < r; c++) {
            sum += row[c] * (is_refined ? y[c] : 0);
            squares += row[c] * row[c];
        }
        form += own * (2 * sum + d * own);
        size += own * own;
        square += 2 * squares + d * d;
    }
    form = block_sum(b, form);
    size = block_sum(b, size);
    square = block_sum(b, square);
    if (!is_refined)
        return inverse_error(square, 0);
    const double missing = 1 / lowest + (double)form / (double)size;
    const bool is_set = fabs(missing) * lowest < 0.125;
    if (is_set)
        for (int r = b.warp; r < b.n; r += b.warps)
            for (int c = b.lane; c <= r; c += 32)
                b.p0[at(r, c)] -= (R)(missing / size) * y[r] * y[c];
    __syncthreads();
    return is_set ? inverse_error(square, 1 / (lowest * lowest)) : error_of_lost;
}

template <class R, class C>
static __global__ void __maxnreg__(hg_emi_block_registers) emi_block(const EmiArgs p)
{
    extern __shared__ double2 shared[];
    const int64_t point = blockIdx.x;
    double beta = 0;
    float error = 0;
    BlockPoint<R> b;
    lay_out(b, shared, p.n);
    const int refused = refused_status(block_load<R, C>(p, point, b));
    if (refused || b.vector[9][p.ref] == 0) {
        write_refused<R>(p, point, refused ? refused : emi_zero_ref, b.tid, b.threads);
        return;
    }
    if (!p.is_evd) {
        bool is_refined;
        double lowest;
        if (!block_beta(p, b, lowest, beta, is_refined)) {
            if (b.tid == 0)
                p.left[point] = 1;
            return;
        }
        __syncthreads();
        block_regularize(b, (R)(1 - beta));
        block_negative_inverse(b);
        error = block_refine_inverse(b, (1 - beta) * lowest + beta, is_refined);
    }
    finish_point<R, C>(p, point, b, beta, error, p.is_followed);
}

template <class R, class C>
static cudaError_t launch(const EmiArgs *args, int threads, cudaStream_t stream)
{
    const int64_t bytes = hg_emi_block_bytes(args->n, threads, (int)sizeof(R));
    const cudaError_t error = cudaFuncSetAttribute(
        emi_block<R, C>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    if (error != cudaSuccess)
        return error;
    emi_block<R, C><<<(unsigned)args->points, threads, (size_t)bytes, stream>>>(*args);
    return cudaGetLastError();
}

extern "C" cudaError_t hg_emi_launch_block(const EmiArgs *args, int is_wide, int threads,
                                           cudaStream_t stream)
{
    return is_wide ? launch<double, double2>(args, threads, stream)
                   : launch<float, float2>(args, threads, stream);
}
