// SPDX-License-Identifier: BSD-3-Clause
// Kernel of `warp` and `rows`: regularized EMI of one point by a team of warps, one matrix row per
// thread.
//
// coh (P, n(n-1)/2) or (P, n, n) complex64; phase (P, n), quality, status, beta (P). Steps: |Gamma|
// to tridiagonal form, its extreme eigenvalues, beta; inverse of the regularized |Gamma|; M =
// inverse o Gamma; M to tridiagonal form, smallest eigenvalue, its vector, phases. About 7.7 n^3
// flops a point on triangles; nothing but input and output touches global memory. The inverse does
// not pivot: under rule fixed, points that need it are left to another kernel. evd takes minus
// |Gamma| o Gamma for M and has no steps before.
#pragma once
#include "plugins/cuda/emi/answer.cuh"
#include "plugins/cuda/emi/complex.cuh"
#include "plugins/cuda/emi/inverse.cuh"
#include "plugins/cuda/emi/real.cuh"
#include "plugins/cuda/emi/spectrum.cuh"
#include "plugins/cuda/emi/trust.cuh"

// The smallest eigenvalue of |Gamma|. Refined: y is the own component of its vector, else 0.
struct Smallest {
    double value;
    float y;
    bool is_refined;
};

// The eigenvector of |Gamma| to lambda, into s->x; one warp.
template <class S>
HG_INLINE void minimum_vector(const float *reflectors, float scale, float lambda, int n,
                              PointMemory<S::ROWS> *s, int lane)
{
    float *const z = (float *)s->column, *const shared = (float *)s->x;
    float moved = lambda / scale;
    (void)twisted_vector<S>(s, n, scale, moved, z, lane);
    float x[S::WARPS];
    unrolled<S::WARPS>([&](auto m_) {
        constexpr int m = decltype(m_)::value;
        x[m] = m * 32 + lane < n ? z[m * 32 + lane] : 0.f;
    });
    back_transform_real<S>(x, s, reflectors, n, lane);
    unrolled<S::WARPS>(
        [&](auto m_) { shared[decltype(m_)::value * 32 + lane] = x[decltype(m_)::value]; });
}

// lambda_min again as the Rayleigh quotient of its eigenvector over |Gamma|, in float64. beta
// follows lambda_min, and the phases follow beta: the error of the float32 tridiagonalization there
// is most of the phases' error. Each pair once: a warp takes a row of the packed input, and what
// the rounding of a modulus left out is summed up in float32.
template <class S>
HG_INLINE Smallest refined_minimum(const float2 *packed, float scale, float lambda, int n,
                                   PointMemory<S::ROWS> *s, const Thread<S> &t)
{
    constexpr int TEAM = S::TEAM_WARPS;
    const float *const x = (const float *)s->x;
    float column[S::WARPS];
    double under = 0, over = 0;
    unrolled<S::WARPS>([&](auto m_) {
        constexpr int m = decltype(m_)::value;
        column[m] = m * 32 + t.lane < n ? x[m * 32 + t.lane] : 0.f;
        under += (double)column[m] * column[m];
    });
#pragma unroll 2
    for (int i = t.warp; i < n - 1; i += TEAM) {
        const float2 *const row = packed + i * (2 * n - i - 1) / 2 - i - 1;
        double sum = 0;
        float rest = 0;
        unrolled<S::WARPS>([&](auto m_) {
            constexpr int m = decltype(m_)::value;
            const int j = m * 32 + t.lane;
            const bool counts = j > i && j < n;
            const float2 g = counts ? row[j] : make_float2(0, 0);
            const Root root = root_of(square_of(g));
            sum += (double)root.value * column[m];
            rest += modulus_rest(g, root) * column[m];
        });
        over += (double)x[i] * (sum + rest);
    }
    over = lanes_sum<S::LANES>(over);
    under = lanes_sum<S::LANES>(under);
    const float own = x[t.row];
    if (TEAM > 1) {
        if (t.lane == 0)
            s->partial_wide[t.warp] = over;
        team_barrier<S::LANES, TEAM>();
        over = partials_sum<TEAM>(s->partial_wide);
    } else {
        team_barrier<S::LANES, TEAM>(); // everybody has read x
    }
    const double quotient = (2 * over + under) / under;
    if (fabs(quotient - lambda) <= 1e-4 * scale)
        return {quotient, t.row < n ? own : 0.f, true};
    return {lambda, 0.f, false}; // a failed vector changes nothing
}

// The values of this thread's row again, one by one: value_flags of all of them.
HG_INLINE unsigned row_flags(const float2 *packed, int row, int n)
{
    unsigned flags = 0;
    for (int j = 0; j < n; j++)
        if (j != row)
            flags |= value_flags(packed[row < j ? row * (2 * n - row - 1) / 2 + j - row - 1
                                                : j * (2 * n - j - 1) / 2 + row - j - 1]);
    return flags;
}

// a: own row of |Gamma|. Returns the flags of the values: a square above the threshold, also an
// infinite one or no number, is looked at again. is_isolated: the row holds no coherence in any
// thread of it.
template <class S>
HG_INLINE unsigned row_moduli(const float2 *packed, float (&a)[S::COLS_REAL], int n,
                              PointMemory<S::ROWS> *s, const Thread<S> &t, bool &is_isolated)
{
    const int used = t.row < n ? n : 0;
    bool has_partner = false;
    unsigned largest = 0; // bits of a float that is not negative: ordered as it is, no number last
    for_columns<S>(packed, n, t, [&](auto q, int j, float2 g) {
        const float square = square_of(g), m = j == t.row ? 1.f : root_of(square).value;
        a[decltype(q)::value] = j < used ? m : 0.f;
        has_partner |= j < used && j != t.row && (g.x != 0.f || g.y != 0.f);
        largest = max(largest, __float_as_uint(square));
    });
    unsigned flags = has_partner ? flag_nonzero : 0u;
    if (largest > __float_as_uint(1.00001f))
        flags |= row_flags(packed, t.row < n ? t.row : n - 1, n);
    if (S::SPLIT > 1) {
        float *const mark = (float *)s->y;
        mark[t.sub * S::ROWS + t.row] = has_partner ? 1.f : 0.f;
        team_barrier<S::LANES, S::TEAM_WARPS>();
        has_partner |= mark[(t.sub ^ 1) * S::ROWS + t.row] != 0.f;
    }
    is_isolated = t.row < n && !has_partner;
    return flags;
}

// Extreme eigenvalues of |Gamma|, whose own row is a, and from them beta; NaN where rule fixed
// leaves the point to a kernel that pivots. All threads have read the packed input: the reflectors
// may lie over it.
template <class S>
HG_INLINE double find_beta(const EmiArgs &p, int64_t point, float2 *packed,
                           float (&a)[S::COLS_REAL], PointMemory<S::ROWS> *s, const Thread<S> &t,
                           Smallest &smallest)
{
    constexpr int TEAM = S::TEAM_WARPS;
    const int n = p.n;
    float *const reflectors = (float *)(S::KEEPS_INPUT ? packed + n * (n - 1) / 2 : packed);
    tridiagonalize_real<S>(a, n, s, reflectors, t);
    float scale = 1;
    if (TEAM == 1) {
        scale = scale_tridiagonal<S>(s, n, t.lane, true);
        __syncwarp(lane_mask<S::LANES>());
        const float lo = multisection<S>(s, n, 1, S::LANES == 32 ? 6 : 7, t.lane) * scale;
        const float hi = multisection<S>(s, n, n, S::LANES == 32 ? 5 : 6, t.lane) * scale;
        if (t.lane == 0) {
            s->edges[0] = lo;
            s->edges[1] = hi;
            s->scale = scale;
        }
    } else {
        if (t.warp < 2)
            scale = scale_tridiagonal<S>(s, n, t.lane, t.warp == 0);
        team_barrier<S::LANES, TEAM>();
        if (t.warp < 2) {
            const float edge = multisection<S>(s, n, t.warp ? n : 1, 6, t.lane) * scale;
            if (t.lane == 0)
                s->edges[t.warp] = edge;
            if (t.team == 0)
                s->scale = scale;
        }
    }
    team_barrier<S::LANES, TEAM>();
    smallest = {s->edges[0], 0.f, false};
    const double hi = s->edges[1];
    scale = s->scale;
    const double limit = p.left ? least_safe<float>(p.beta_fixed, hi) : hi / p.kappa;
    // far from the limit the last digits of lambda_min change nothing
    const bool matters = smallest.value < limit + 1e-4 * scale;
    if (matters && t.warp == 0)
        minimum_vector<S>(reflectors, scale, s->edges[0], n, s, t.lane);
    team_barrier<S::LANES, TEAM>();
    if (!S::KEEPS_INPUT) { // the reflectors lie over it
        load_point<S>(p, point, packed, t);
        team_barrier<S::LANES, TEAM>();
    }
    if (matters)
        smallest = refined_minimum<S>(packed, scale, s->edges[0], n, s, t);
    if (p.left)
        return smallest.value > limit ? p.beta_fixed : NAN;
    return adaptive_beta(smallest.value, hi, p.kappa);
}

// a, diagonal: minus the inverse B of the regularized |Gamma|. Most of its error lies along the
// vector y of lambda_min: there y'By is set to what the eigenvalue says. Returns the norm of the
// error that is left.
template <class S>
HG_INLINE float refine_inverse(float (&a)[S::COLS_REAL], float &diagonal, const Smallest &smallest,
                               double beta, int n, PointMemory<S::ROWS> *s, const Thread<S> &t)
{
    constexpr int TEAM = S::TEAM_WARPS;
    const double lowest = (1 - beta) * smallest.value + beta;
    if (!smallest.is_refined && is_exact_enough(lowest, n))
        return 0.f;
    float *const y = (float *)s->column;
    if (t.sub == 0)
        y[t.row] = smallest.y;
    team_barrier<S::LANES, TEAM>();
    const float own = t.sub == 0 && t.row < n ? diagonal : 0.f;
    float product = own * smallest.y, square = own * own;
    for_own_columns<S>(t, [&](auto q_, int j) { // by itself, or more is spilled
        constexpr int q = decltype(q_)::value;
        square += j == t.row ? 0.f : a[q] * a[q];
    });
    for_own_columns<S>(
        t, [&](auto q, int j) { product += j == t.row ? 0.f : a[decltype(q)::value] * y[j]; });
    float form = lanes_sum<S::LANES>(product * smallest.y);
    float size = lanes_sum<S::LANES>(t.sub == 0 ? smallest.y * smallest.y : 0.f);
    square = lanes_sum<S::LANES>(square);
    if (TEAM > 1) {
        if (t.lane == 0) {
            s->partial_wide[t.warp] = form;
            s->partial_wide[TEAM + t.warp] = size;
            s->partial_wide[2 * TEAM + t.warp] = square;
        }
        team_barrier<S::LANES, TEAM>();
        form = (float)partials_sum<TEAM>(s->partial_wide);
        size = (float)partials_sum<TEAM>(s->partial_wide + TEAM);
        square = (float)partials_sum<TEAM>(s->partial_wide + 2 * TEAM);
    }
    if (!smallest.is_refined)
        return inverse_error(square, 0);
    const double missing = 1 / lowest + form / size;
    if (!(fabs(missing) * lowest < 0.125))
        return error_of_lost; // or y is not that vector
    const float factor = (float)(missing / size) * smallest.y;
    diagonal -= factor * smallest.y;
    for_own_columns<S>(t, [&](auto q, int j) { a[decltype(q)::value] -= factor * y[j]; });
    return inverse_error(square, 1 / (lowest * lowest));
}

// Rows of M = inverse(regularized |Gamma|) o Gamma, or of minus |Gamma| o Gamma for evd, in
// registers and tail.
template <class S>
HG_INLINE void weighted_matrix(const EmiArgs &p, float2 *packed, float2 *tail, double beta,
                               const Smallest &smallest, unsigned flags, bool is_isolated,
                               float (&re)[S::COLS], float (&im)[S::COLS], PointMemory<S::ROWS> *s,
                               const Thread<S> &t)
{
    constexpr int TEAM = S::TEAM_WARPS, EXTRA = S::COLS_REAL - S::COLS;
    const int n = p.n, used = t.row < n ? n : 0, row = t.row < n ? t.row : n - 1;
    const float keep = (float)(1 - beta);
    float a[S::COLS_REAL], diagonal = 1.f;
    for_columns<S>(packed, n, t, [&](auto q, int j, float2 g) {
        a[decltype(q)::value] = j < used ? keep * root_of(square_of(g)).value : 0.f;
    });
    float error = 0;
    if (!p.is_evd) {
        negative_inverse<S>(a, diagonal, n, s, t);
        error = refine_inverse<S>(a, diagonal, smallest, beta, n, s, t);
    }
    if (t.team == 0)
        s->error = error;
    float on_diagonal = -diagonal;
    if (flags &
        flag_isolated) { // out of the way of the smallest eigenvalue, which is at most trace / n
        float trace = lanes_sum<S::LANES>(t.row < n && t.sub == 0 ? on_diagonal : 0.f);
        if (TEAM > 1) {
            if (t.lane == 0)
                s->share[t.warp] = trace;
            team_barrier<S::LANES, TEAM>();
            trace = partials_sum<TEAM>(s->share);
        }
        if (is_isolated)
            on_diagonal = p.is_evd ? 1.f : trace + 1.f;
    }
    float more_re[EXTRA > 0 ? EXTRA : 1], more_im[EXTRA > 0 ? EXTRA : 1];
    for_columns<S>(packed, n, t, [&](auto q_, int j, float2 g) {
        constexpr int q = decltype(q_)::value;
        const float weight = j < used ? -keep * a[q] : 0.f;
        float x = weight * g.x, y = row < j ? weight * g.y : -weight * g.y;
        if (j == t.row) {
            x = on_diagonal;
            y = 0;
        }
        if constexpr (q < S::COLS) {
            re[q] = x;
            im[q] = y;
        } else {
            more_re[q - S::COLS] = x;
            more_im[q - S::COLS] = y;
        }
    });
    if constexpr (S::HAS_TAIL) {
        const int columns = tail_columns<S>(n);
        team_barrier<S::LANES, TEAM>(); // the tail lies over the packed input
        unrolled<EXTRA>([&](auto i) {
            constexpr int q = S::COLS + decltype(i)::value, ch = q / S::CHUNK;
            const int j = (ch * S::SPLIT + t.sub) * S::CHUNK + q % S::CHUNK - S::REGISTER_COLS;
            if (j < columns)
                tail[j * S::ROWS + t.row] = make_float2(more_re[q - S::COLS], more_im[q - S::COLS]);
        });
    }
    team_barrier<S::LANES, TEAM>();
}

// Whether the phases may be off by more than they bear: x is the vector of M to lambda, its
// eigenvalue over the scale. One warp.
template <class S>
HG_INLINE bool is_inexact(const PointMemory<S::ROWS> *s, const LaneVector<S> &x, unsigned isolated,
                          float lambda, float scale, int n, int lane)
{
    const float error = s->error;
    if (!(lambda > 0.f)) // M is positive definite
        return true;
    if (error <= error_looked_at)
        return false;
    float sum = 0, count = 0, least = INFINITY;
    unrolled<S::WARPS>([&](auto m_) {
        constexpr int m = decltype(m_)::value;
        if (m * 32 + lane < n && !(isolated >> m & 1)) {
            const float square = fmaf(x.re[m], x.re[m], x.im[m] * x.im[m]);
            sum += square;
            count += 1.f;
            least = fminf(least, square);
        }
    });
    sum = lanes_sum<S::LANES>(sum);
    count = lanes_sum<S::LANES>(count);
    least = -lanes_max<S::LANES>(-least);
    const float next = lambda + gap_needed(error, sum, count, least) / scale;
    return sturm_count<S>(s, n, fminf(next, 2.f)) >= 2; // all eigenvalues are below 1
}

template <class S>
__global__ void __launch_bounds__(S::THREADS, S::BLOCKS) emi_rows(const EmiArgs p)
{
    extern __shared__ float4 shared[];
    constexpr int TEAM = S::TEAM_WARPS, TEAM_THREADS = S::LANES * TEAM;
    const Thread<S> t;
    const int n = p.n, slot = TEAM == 1 ? threadIdx.x / S::LANES : 0;
    const int64_t wanted = (int64_t)blockIdx.x * S::POINTS + slot;
    const bool writes = wanted < p.points; // spare teams repeat the last point and write nothing
    const int64_t point = writes ? wanted : p.points - 1;
    PointMemory<S::ROWS> *const s =
        (PointMemory<S::ROWS> *)((char *)shared + slot * point_bytes<S>(n));
    float2 *const tail = (float2 *)(s + 1), *const packed = tail;
    float2 *const reflectors = tail + tail_columns<S>(n) * S::ROWS;

    load_point<S>(p, point, packed, t);
    team_barrier<S::LANES, TEAM>();
    float a[S::COLS_REAL];
    bool is_isolated;
    unsigned flags = row_moduli<S>(packed, a, n, s, t, is_isolated);
    if (p.is_full && p.check_hermitian)
        flags |= hermitian_flags<S>(p, point, t);
    if (is_isolated)
        flags |= t.row == p.ref ? flag_isolated | flag_ref_isolated : flag_isolated;
    if (t.sub == 0)
        s->isolated[t.row] = is_isolated;
    flags = team_flags<S>(flags, s->flags, t);
    const int refused = refused_status(flags);
    if (refused) {
        if (writes)
            write_refused<float>(p, point, refused, t.team, TEAM_THREADS);
        return;
    }
    Smallest smallest = {0, 0.f, false};
    double beta = 0;
    if (!p.is_evd)
        beta = find_beta<S>(p, point, packed, a, s, t, smallest);
    if (p.left && isnan(beta)) {
        if (writes && t.team == 0)
            p.left[point] = 1;
        return;
    }
    if (flags & flag_ref_isolated) {
        if (writes)
            write_refused<float>(p, point, emi_zero_ref, t.team, TEAM_THREADS);
        return;
    }

    float re[S::COLS], im[S::COLS];
    weighted_matrix<S>(p, packed, tail, beta, smallest, flags, is_isolated, re, im, s, t);
    tridiagonalize_complex<S>(re, im, n, s, reflectors, tail, t);
    if (t.warp)
        return;
    accumulate_phases<S>(s, n, t.lane);
    const float scale = scale_tridiagonal<S>(s, n, t.lane, true);
    __syncwarp(lane_mask<S::LANES>());
    float lambda = multisection<S>(s, n, 1, S::LANES == 32 ? 7 : 8, t.lane);
    float *const z = (float *)s->column;
    const float z2 = twisted_vector<S>(s, n, scale, lambda, z, t.lane);
    LaneVector<S> x;
    from_tridiagonal<S>(x, s, z, z2, n, t.lane);
    back_transform_complex<S>(x, s, reflectors, tail, n, t.lane);
    unsigned isolated = 0;
    unrolled<S::WARPS>([&](auto m_) {
        constexpr int m = decltype(m_)::value;
        isolated |= (unsigned)s->isolated[m * 32 + t.lane] << m;
    });
    if (p.is_followed && is_inexact<S>(s, x, isolated, lambda, scale, n, t.lane)) {
        if (writes && t.lane == 0)
            leave_point(p, point);
        return;
    }
    write_phases<S>(p, point, x, isolated, p.is_evd ? -lambda * scale : lambda * scale, beta,
                    t.lane, writes);
}
