// SPDX-License-Identifier: BSD-3-Clause
// Kernel of `warp` and `rows`: regularized EMI of one point by a team of warps, matrix rows in
// registers, of M the last columns in shared memory where there are many.
//
// coh (P, n(n-1)/2) or (P, n, n) complex64; phase (P, n), quality, status, beta (P). Steps: |Gamma|
// to tridiagonal form, its extreme eigenvalues, beta; inverse of the regularized |Gamma|; M =
// inverse o Gamma; M to tridiagonal form, smallest eigenvalue, its vector, phases. About 7.7 n^3
// flops a point on triangles; nothing but input, output and spilled registers touches global
// memory. The inverse does not pivot: under rule fixed, points that need it are left to library.
// Points whose inverse float32 does not hold are left to again (trust.cuh). evd takes minus |Gamma|
// o Gamma for M and has no steps before.
#pragma once
#include "plugins/cuda/emi/answer.cuh"
#include "plugins/cuda/emi/complex.cuh"
#include "plugins/cuda/emi/inverse.cuh"
#include "plugins/cuda/emi/real.cuh"
#include "plugins/cuda/emi/spectrum.cuh"
#include "plugins/cuda/emi/trust.cuh"

// The eigenvector of |Gamma| to lambda, into s->x; one warp.
template <class S>
HG_INLINE void minimum_vector(const float *reflectors, float scale, float lambda, int n,
                              PointMemory<S> *s, int lane)
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
                                   PointMemory<S> *s, const Thread<S> &t)
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
HG_INLINE unsigned row_moduli(const float2 *packed, float (&a)[S::FOLD][S::COLS_REAL], int n,
                              PointMemory<S> *s, const Thread<S> &t, bool &is_isolated)
{
    unsigned partners = 0; // bit r: row r of the thread has one here
    unsigned largest = 0;  // bits of a float that is not negative: ordered as it is, no number last
    for_columns<S>(packed, n, t, [&](auto r_, auto q, int j, float2 g) {
        constexpr int r = decltype(r_)::value;
        const int row = t.row_of(r);
        const bool is_used = row < n && j < n;
        const float square = square_of(g), m = j == row ? 1.f : root_of(square).value;
        a[r][decltype(q)::value] = is_used ? m : 0.f;
        partners |= is_used && j != row && (g.x != 0.f || g.y != 0.f) ? 1u << r : 0u;
        largest = max(largest, __float_as_uint(square));
    });
    unsigned flags = partners ? flag_nonzero : 0u;
    if (largest > __float_as_uint(1.00001f))
        for (int r = 0; r < S::FOLD; r++)
            flags |= row_flags(packed, min(t.row_of(r), n - 1), n);
    bool has_partner = partners;
    if (S::SHARES > 1) {
        float *const mark = (float *)s->y;
        unrolled<S::FOLD>([&](auto r) {
            mark[t.share * S::ROWS + t.row_of(decltype(r)::value)] =
                partners >> decltype(r)::value & 1 ? 1.f : 0.f;
        });
        team_barrier<S::LANES, S::TEAM_WARPS>();
        float marks = 0;
        unrolled<S::SHARES>([&](auto i) { marks += mark[decltype(i)::value * S::ROWS + t.row]; });
        has_partner = marks != 0.f;
    }
    is_isolated = t.row < n && !has_partner;
    return flags;
}

// Extreme eigenvalues of |Gamma|, whose own row is a, and from them beta; NaN where rule fixed
// leaves the point to a kernel that pivots. All threads have read the packed input: the reflectors
// may lie over it.
template <class S>
HG_INLINE double find_beta(const EmiArgs &p, int64_t point, float2 *packed,
                           float (&a)[S::FOLD][S::COLS_REAL], PointMemory<S> *s, const Thread<S> &t,
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

// Rows of M = inverse(regularized |Gamma|) o Gamma, or of minus |Gamma| o Gamma for evd, in
// registers and tail.
template <class S>
HG_INLINE void weighted_matrix(const EmiArgs &p, float2 *packed, float2 *tail, double beta,
                               const Smallest &smallest, unsigned flags,
                               float (&re)[S::FOLD][S::COLS], float (&im)[S::FOLD][S::COLS],
                               PointMemory<S> *s, const Thread<S> &t)
{
    constexpr int TEAM = S::TEAM_WARPS, EXTRA = S::COLS_REAL - S::COLS;
    const int n = p.n;
    const float keep = (float)(1 - beta);
    float a[S::FOLD][S::COLS_REAL], diagonal[S::FOLD];
    unrolled<S::FOLD>([&](auto r) { diagonal[decltype(r)::value] = 1.f; });
    for_columns<S>(packed, n, t, [&](auto r_, auto q, int j, float2 g) {
        constexpr int r = decltype(r_)::value;
        a[r][decltype(q)::value] =
            j < n && t.row_of(r) < n ? keep * root_of(square_of(g)).value : 0.f;
    });
    float error = 0;
    if (!p.is_evd) {
        negative_inverse<S>(a, diagonal, n, s, t);
        error = refine_inverse<S>(a, diagonal, smallest, beta, n, s, t);
    }
    if (t.team == 0)
        s->error = error;
    unrolled<S::FOLD>(
        [&](auto r) { diagonal[decltype(r)::value] = -diagonal[decltype(r)::value]; });
    if (flags &
        flag_isolated) { // out of the way of the smallest eigenvalue, which is at most trace / n
        float trace = lanes_sum<S::LANES>(t.row < n && t.sub == 0 ? own_of(diagonal, t) : 0.f);
        if (TEAM > 1) {
            if (t.lane == 0)
                s->share[0][t.warp] = trace;
            team_barrier<S::LANES, TEAM>();
            trace = partials_sum<TEAM>(s->share[0]);
        }
        unrolled<S::FOLD>([&](auto r) {
            if (s->isolated[t.row_of(decltype(r)::value)])
                diagonal[decltype(r)::value] = p.is_evd ? 1.f : trace + 1.f;
        });
    }
    float more_re[S::FOLD][EXTRA > 0 ? EXTRA : 1], more_im[S::FOLD][EXTRA > 0 ? EXTRA : 1];
    for_columns<S>(packed, n, t, [&](auto r_, auto q_, int j, float2 g) {
        constexpr int r = decltype(r_)::value, q = decltype(q_)::value;
        const int row = t.row_of(r);
        const float weight = j < n && row < n ? -keep * a[r][q] : 0.f;
        float x = weight * g.x, y = row < j ? weight * g.y : -weight * g.y;
        if (j == row) {
            x = diagonal[r];
            y = 0;
        }
        if constexpr (q < S::COLS) {
            re[r][q] = x;
            im[r][q] = y;
        } else {
            more_re[r][q - S::COLS] = x;
            more_im[r][q - S::COLS] = y;
        }
    });
    if constexpr (S::HAS_TAIL) {
        const int columns = tail_columns<S>(n);
        team_barrier<S::LANES, TEAM>(); // the tail lies over the packed input
        unrolled<EXTRA>([&](auto i) {
            constexpr int e = decltype(i)::value, q = S::COLS + e;
            const int j = t.chunk_begin(q / S::CHUNK) + q % S::CHUNK - S::REGISTER_COLS;
            if (j < columns)
                unrolled<S::FOLD>([&](auto r_) {
                    constexpr int r = decltype(r_)::value;
                    tail[j * S::ROWS + t.row_of(r)] = make_float2(more_re[r][e], more_im[r][e]);
                });
        });
    }
    team_barrier<S::LANES, TEAM>();
}

// Whether the phases may be off by more than they bear: x is the vector of M to lambda, its
// eigenvalue over the scale. One warp.
template <class S>
HG_INLINE bool is_inexact(const PointMemory<S> *s, const LaneVector<S> &x, unsigned isolated,
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
    // by a shuffle, as the number of the warp in Thread: else the compiler works out the address
    // again behind every barrier, and waits for it
    char *const memory = (char *)__cvta_shared_to_generic(
        __shfl_sync(0xffffffffu, (unsigned)__cvta_generic_to_shared(shared), 0));
    const int n = p.n, slot = TEAM == 1 ? threadIdx.x / S::LANES : 0;
    const int64_t wanted = (int64_t)blockIdx.x * S::POINTS + slot;
    const bool writes = wanted < p.points; // spare teams repeat the last point and write nothing
    const int64_t point = writes ? wanted : p.points - 1;
    PointMemory<S> *const s = (PointMemory<S> *)(memory + slot * point_bytes<S>(n));
    float2 *const tail = (float2 *)(s + 1), *const packed = tail;
    float2 *const reflectors = tail + tail_columns<S>(n) * S::ROWS;

    load_point<S>(p, point, packed, t);
    team_barrier<S::LANES, TEAM>();
    float a[S::FOLD][S::COLS_REAL];
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

    float re[S::FOLD][S::COLS], im[S::FOLD][S::COLS];
    weighted_matrix<S>(p, packed, tail, beta, smallest, flags, re, im, s, t);
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
