// SPDX-License-Identifier: BSD-3-Clause
// One point of the row kernels: its shape, its shared memory, its input and the checks of it.
//
// A point belongs to a team of WARPS * SPLIT warps (or LANES = 16 lanes, two points a warp). Thread
// (row, sub) holds, of matrix row `row`, the column chunks c * SPLIT + sub of CHUNK columns:
// COLS_REAL columns of the real matrices and COLS of the complex one in registers. With FOLD it
// holds chunks of WARPS rows instead, its lane's in each group of 32, and the warps of the team
// take the chunks in turn: what a thread loads of a vector serves all of its rows, and no warp runs
// out of rows before the others. Vectors are one element a thread either way, that of its own row.
// Columns of the complex matrix from COLS times the threads of a row on live in shared memory, each
// private to its thread.
#pragma once
#include "plugins/cuda/emi/contract.cuh"
#include "plugins/cuda/emi/team.cuh"

template <int LANES_, int COLS_REAL_, int COLS_, int WARPS_, int SPLIT_, int FOLD_, int CHUNK_,
          int POINTS_, int BLOCKS_>
struct RowShape {
    static constexpr int LANES = LANES_;
    static constexpr int COLS_REAL = COLS_REAL_;
    static constexpr int COLS = COLS_;
    static constexpr int WARPS = WARPS_; // of rows
    static constexpr int SPLIT = SPLIT_; // warps a row
    static constexpr int FOLD = FOLD_;   // rows a thread: 1 or WARPS
    static constexpr int CHUNK = CHUNK_;
    static constexpr int POINTS = POINTS_; // a block
    static constexpr int BLOCKS = BLOCKS_; // a multiprocessor, for the register budget
    static constexpr int TEAM_WARPS = WARPS * SPLIT;
    static constexpr int SHARES = FOLD > 1 ? TEAM_WARPS : SPLIT; // threads a row
    static constexpr int THREADS = LANES * TEAM_WARPS * POINTS;
    static constexpr int ROWS = LANES * WARPS; // leading dimension of everything in shared memory
    static constexpr int REGISTER_COLS = COLS * SHARES;
    static constexpr bool HAS_TAIL = COLS < COLS_REAL;
    static constexpr bool KEEPS_INPUT = WARPS <= 2; // beside the reflectors of the real matrix
    static constexpr int LIMIT = COLS_REAL * SHARES < ROWS ? COLS_REAL * SHARES : ROWS;
    static_assert(WARPS == 1 || POINTS == 1, "several points a block only with one warp a point");
    static_assert(LANES == 32 || (WARPS == 1 && SPLIT == 1), "half warps hold small points only");
    static_assert(FOLD == 1 || FOLD == WARPS, "a thread has one row, or one of every group");
    static_assert(FOLD == 1 || SPLIT == 1, "columns are shared in one way");
    static_assert(3 * TEAM_WARPS <= 32, "three sums of every warp in partial_wide");
    static_assert(SHARES == 1 || (COLS_REAL % CHUNK == 0 && COLS % CHUNK == 0),
                  "whole chunks only are taken in turn");
};

// Vectors of one point; the packed coherences, later reflectors and tail columns, follow it.
template <class S> struct PointMemory {
    static constexpr int ROWS = S::ROWS;
    float2 x[2][ROWS], w[ROWS], y[S::SHARES > 2 ? S::SHARES : 2][ROWS], column[ROWS];
    float share[S::TEAM_WARPS][32], share_norm[S::WARPS][32]; // of every warp the first four count
    double partial_wide[32];
    float d[ROWS + 4], e[ROWS + 4];                // tridiagonal matrix
    float d_scaled[ROWS + 4], e2_scaled[ROWS + 4]; // scaled to below 1; squares of the subdiagonal
    float tau[ROWS], q[ROWS], r[ROWS];
    float2 u[ROWS];        // phases of the subdiagonal
    float edges[2], scale; // extreme eigenvalues of |Gamma|, scale of its tridiagonal matrix
    float error;           // of the inverse: its norm
    unsigned flags[16];
    unsigned char isolated[ROWS];
};

// Columns that the tail holds, a multiple of 4.
template <class S> __host__ __device__ inline int tail_columns(int n)
{
    return S::HAS_TAIL && n > S::REGISTER_COLS ? ((n + 3) & ~3) - S::REGISTER_COLS : 0;
}

// Bytes of shared memory for one point of n images: the input must fit, and later reflectors and
// tail.
template <class S> __host__ __device__ inline int64_t point_bytes(int n)
{
    constexpr int64_t c = S::REGISTER_COLS;
    const int64_t tail = tail_columns<S>(n), pairs = (int64_t)n * (n - 1) / 2;
    const int64_t input = S::KEEPS_INPUT ? (3 * pairs + 1) / 2 : pairs; // and real reflectors
    const int64_t later = tail ? tail * S::ROWS + c * (c - 1) / 2 : 0;
    const int64_t bytes = (int64_t)sizeof(PointMemory<S>) + 8 * (input > later ? input : later);
    return (bytes + 15) & ~(int64_t)15;
}

// Who a thread is.
template <class S> struct Thread {
    int lane, warp, row_warp, row, team;
    int sub;   // which of the SPLIT warps of its own row
    int share; // which of the SHARES threads that hold a row's columns
    HG_INLINE Thread()
    {
        lane = threadIdx.x & (S::LANES - 1);
        // by a shuffle, which the compiler does once: short of registers, it reads the thread index
        // again in every step and waits for it
        warp = S::TEAM_WARPS == 1 ? 0 : __shfl_sync(0xffffffffu, threadIdx.x / 32, 0);
        row_warp = warp / S::SPLIT;
        sub = warp % S::SPLIT;
        row = row_warp * 32 + lane;
        share = S::FOLD > 1 ? warp : sub;
        team = warp * 32 + lane; // index within the team
    }
    // Matrix rows whose columns it holds.
    HG_INLINE int row_of(int r) const
    {
        return S::FOLD > 1 ? r * 32 + lane : row;
    }
    // Begin of its chunk number c.
    HG_INLINE int chunk_begin(int c) const
    {
        return (c * S::SHARES + share) * S::CHUNK;
    }
    HG_INLINE bool holds(int j) const
    {
        return S::SHARES == 1 || (unsigned)j / S::CHUNK % S::SHARES == (unsigned)share;
    }
};

// The own row's value of values of all rows.
template <class S> HG_INLINE float own_of(const float (&a)[S::FOLD], const Thread<S> &t)
{
    float own = a[0];
    unrolled<S::FOLD - 1>([&](auto i) {
        constexpr int r = decltype(i)::value + 1;
        own = t.row_warp == r ? a[r] : own;
    });
    return own;
}

// One value from global to shared memory, on its way until copies_done(): a thread waits once for
// all of its values instead of once for each.
HG_INLINE void start_copy(float2 *to, const float2 *from)
{
#if __CUDA_ARCH__ >= 800
    asm volatile(
        "cp.async.ca.shared.global [%0], [%1], 8;" ::"r"((unsigned)__cvta_generic_to_shared(to)),
        "l"(from)
        : "memory");
#else
    *to = *from;
#endif
}

HG_INLINE void copies_done()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

// Coherences of a point into packed order in shared memory. The copies of other threads are visible
// behind a barrier.
template <class S>
HG_INLINE void load_point(const EmiArgs &p, int64_t point, float2 *packed, const Thread<S> &t)
{
    const int n = p.n;
    if (!p.is_full) {
        const int pairs = n * (n - 1) / 2;
        const float2 *from = (const float2 *)p.coh + point * pairs;
#pragma unroll 4
        for (int i = t.team; i < pairs; i += S::LANES * S::TEAM_WARPS)
            start_copy(packed + i, from + i);
    } else {
        const float2 *from = (const float2 *)p.coh + point * n * n;
        for (int i = t.warp; i < n - 1; i += S::TEAM_WARPS) {
            float2 *to = packed + i * (2 * n - i - 1) / 2 - i - 1;
            for (int j = i + 1 + t.lane; j < n; j += S::LANES)
                start_copy(to + j, from + i * n + j);
        }
    }
    copies_done();
}

// flag_hermitian if the triangles of the full layout differ where this thread looks.
template <class S>
HG_INLINE unsigned hermitian_flags(const EmiArgs &p, int64_t point, const Thread<S> &t)
{
    const int n = p.n;
    const float2 *from = (const float2 *)p.coh + point * n * n;
    bool agrees = true;
    for (int i = t.warp; i < n - 1; i += S::TEAM_WARPS)
        for (int j = i + 1 + t.lane; j < n; j += S::LANES)
            agrees &= is_hermitian(from[i * n + j], from[j * n + i]);
    return agrees ? 0u : flag_hermitian;
}

// The flags of all threads of the point.
template <class S>
HG_INLINE unsigned team_flags(unsigned flags, unsigned *shared, const Thread<S> &t)
{
    flags = lanes_or<S::LANES>(flags);
    if (S::TEAM_WARPS == 1)
        return flags;
    if (t.lane == 0)
        shared[t.warp] = flags;
    team_barrier<S::LANES, S::TEAM_WARPS>();
    unsigned all = 0;
    for (int i = 0; i < S::TEAM_WARPS; i++)
        all |= shared[i];
    team_barrier<S::LANES, S::TEAM_WARPS>();
    return all;
}

// 1/x to full precision from the approximate reciprocal and one Newton step.
HG_INLINE float reciprocal(float x)
{
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    return fmaf(r, fmaf(-x, r, 1.f), r);
}

// 1/sqrt(x) likewise: a reflector that misses its column's norm by two units leaves that much of
// the column behind.
HG_INLINE float inverse_root(float x)
{
    float r;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    return fmaf(0.5f * r, fmaf(-x * r, r, 1.f), r);
}

HG_INLINE float modulus(float2 g)
{
    return __fsqrt_rn(fmaf(g.x, g.x, g.y * g.y));
}

// A rounded modulus and about half of its inverse.
struct Root {
    float value, half_inverse;
};

// The rounded root of a squared modulus, without branches. Below 3e-18 the result is smaller than
// the root: next to the diagonal 1 such a modulus is nothing.
HG_INLINE Root root_of(float square)
{
    float r;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(fmaxf(square, 1e-35f)));
    const float m = square * r, half = 0.5f * r;
    return {fmaf(fmaf(-m, m, square), half, m), half};
}

HG_INLINE float square_of(float2 g)
{
    return fmaf(g.x, g.x, g.y * g.y);
}

// |g| - m for the rounded modulus m, to seven digits of its own: the squares of |x|, |y| and m
// cancel without error when taken in this order, and their own rounding errors are exact.
HG_INLINE float modulus_rest(float2 g, Root m)
{
    const float a = fmaxf(fabsf(g.x), fabsf(g.y)), b = fminf(fabsf(g.x), fabsf(g.y));
    const float a2 = a * a, b2 = b * b, m2 = m.value * m.value;
    const float low = (fmaf(a, a, -a2) - fmaf(m.value, m.value, -m2)) + fmaf(b, b, -b2);
    return (((a2 - m2) + b2) + low) * m.half_inverse;
}

// f(r, q, j) for the registers of a thread: r its row and q the register (constants), j the matrix
// column.
template <class S, class F> HG_INLINE void for_own_columns(const Thread<S> &t, F &&f)
{
    unrolled<S::COLS_REAL>([&](auto q_) {
        constexpr int q = decltype(q_)::value;
        const int j = t.chunk_begin(q / S::CHUNK) + q % S::CHUNK;
        unrolled<S::FOLD>([&](auto r) { f(r, q_, j); });
    });
}

// Walks the registers of a thread: f(r, q, j, g) with r its row and q the register (constants), j
// the matrix column and g the coherence of (row, j) as stored. The index arithmetic is kept apart
// for each call, or the compiler shares it between passes and spills it.
template <class S, int R = 0, class F>
HG_INLINE void for_columns(const float2 *packed, int n, const Thread<S> &t, F &&f)
{
    constexpr int CHUNK = S::CHUNK, COLS = S::COLS_REAL;
    const int row = min(t.row_of(R), n - 1), pairs = n * (n - 1) / 2;
    const int row_base = row * (2 * n - row - 1) / 2 - row - 1;
    unrolled<(COLS + CHUNK - 1) / CHUNK>([&](auto c) {
        constexpr int lo = decltype(c)::value * CHUNK, hi = lo + CHUNK < COLS ? lo + CHUNK : COLS;
        int j = t.chunk_begin(decltype(c)::value), size = n, base = row_base;
        asm volatile("" : "+r"(size), "+r"(base));
        int column_base = j * (2 * size - j - 1) / 2 - j - 1;
        unrolled<hi - lo>([&](auto i) {
            const int index = row < j ? base + j : column_base + row;
            f(std::integral_constant<int, R>{},
              std::integral_constant<int, lo + decltype(i)::value>{}, j,
              packed[min(max(index, 0), pairs - 1)]);
            column_base += size - j - 2;
            j++;
        });
    });
    if constexpr (R + 1 < S::FOLD)
        for_columns<S, R + 1>(packed, n, t, f);
}
