/* SPDX-License-Identifier: BSD-3-Clause */
/* The sources above the horizon, packed in their order; part of lanes_real.h. */

/* Source s of the rows is up; a direction that is not a number is nowhere. */
static inline int TYPED(is_up)(const REAL *const in[4], int64_t s)
{
    return (in[2][s] > (REAL)0) & (in[0][s] == in[0][s]) & (in[1][s] == in[1][s]);
}

static int64_t TYPED(count_up)(const hg_selection *rows, int64_t from, int64_t end)
{
    enum { PIECE = 1 << 14 };
    const REAL *const in[4] = {rows->in[0], rows->in[1], rows->in[2], rows->in[3]};
    int64_t n = 0;
    for (int64_t start = from; start < end; start += PIECE) { /* 32 bits hold a piece's count */
        const int64_t stop = end - start < PIECE ? end : start + PIECE;
        int32_t some = 0;
        for (int64_t s = start; s < stop; s++)
            some += TYPED(is_up)(in, s);
        n += some;
    }
    return n;
}

#if defined(__AVX512F__) && HG_VECTOR_BYTES == 64

#if IS_64
typedef __m512d TYPED(packed);
typedef __mmask8 TYPED(lane_mask);
#define LOAD(p) _mm512_loadu_pd(p)
#define UP(e, n, u)                                                                                \
    (_mm512_cmp_pd_mask(u, _mm512_setzero_pd(), _CMP_GT_OQ) & _mm512_cmp_pd_mask(e, n, _CMP_ORD_Q))
#define PUT(p, first, mask, v) _mm512_mask_storeu_pd(p, first, _mm512_maskz_compress_pd(mask, v))
#else
typedef __m512 TYPED(packed);
typedef __mmask16 TYPED(lane_mask);
#define LOAD(p) _mm512_loadu_ps(p)
#define UP(e, n, u)                                                                                \
    (_mm512_cmp_ps_mask(u, _mm512_setzero_ps(), _CMP_GT_OQ) & _mm512_cmp_ps_mask(e, n, _CMP_ORD_Q))
#define PUT(p, first, mask, v) _mm512_mask_storeu_ps(p, first, _mm512_maskz_compress_ps(mask, v))
#endif

/* Eight numbers from s on, of which the mask takes some. */
static inline void TYPED(put_index)(int64_t *to, unsigned mask, int64_t s)
{
    const __m512i lanes = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i index = _mm512_add_epi64(_mm512_set1_epi64(s), lanes);
    const __mmask8 first = (__mmask8)((1u << __builtin_popcount(mask)) - 1u);
    _mm512_mask_storeu_epi64(to, first, _mm512_maskz_compress_epi64((__mmask8)mask, index));
}

/* Registers that pack themselves; returns where the rest begins, and what was kept in *n. */
static inline int64_t TYPED(select_whole)(const hg_selection *rows, int64_t from, int64_t end,
                                          int64_t *n)
{
    const REAL *const in[4] = {rows->in[0], rows->in[1], rows->in[2], rows->in[3]};
    REAL *const out[4] = {rows->out[0], rows->out[1], rows->out[2], rows->out[3]};
    int64_t s = from, to = *n;
    for (; s + LANES <= end; s += LANES) {
        const TYPED(packed)
            v[4] = {LOAD(in[0] + s), LOAD(in[1] + s), LOAD(in[2] + s), LOAD(in[3] + s)};
        const unsigned mask = UP(v[0], v[1], v[2]);
        const unsigned kept = (unsigned)__builtin_popcount(mask);
        const unsigned first = kept == 0 ? 0 : 0xFFFFFFFFu >> (32 - kept);
        for (int d = 0; d < 4; d++)
            PUT(out[d] + to, (TYPED(lane_mask))first, (TYPED(lane_mask))mask, v[d]);
        for (int half = 0; rows->index && half < (IS_64 ? 1 : 2); half++)
            TYPED(put_index)
        (rows->index + to + (half ? __builtin_popcount(mask & 255u) : 0), mask >> 8 * half & 255u,
         s + 8 * half);
        to += kept;
    }
    *n = to;
    return s;
}

#undef LOAD
#undef UP
#undef PUT

#else

static inline int64_t TYPED(select_whole)(const hg_selection *rows, int64_t from, int64_t end,
                                          int64_t *n)
{
    (void)rows, (void)end, (void)n;
    return from;
}

#endif

/* Packs into a block without branches, and the block into the rows: nothing is written behind the
 * last that is kept, where another thread may be at work. */
static int64_t TYPED(select)(const hg_selection *rows, int64_t from, int64_t end, int64_t to)
{
    enum { PIECE = 128 };
    const REAL *const in[4] = {rows->in[0], rows->in[1], rows->in[2], rows->in[3]};
    REAL *const out[4] = {rows->out[0], rows->out[1], rows->out[2], rows->out[3]};
    REAL block[4][PIECE + 1];
    int64_t index[PIECE + 1], n = to;
    for (int64_t s = TYPED(select_whole)(rows, from, end, &n); s < end;) {
        const int64_t stop = end - s < PIECE ? end : s + PIECE;
        int64_t kept = 0;
        for (; s < stop; s++) {
            for (int d = 0; d < 4; d++)
                block[d][kept] = in[d][s];
            index[kept] = s;
            kept += TYPED(is_up)(in, s);
        }
        for (int d = 0; d < 4; d++)
            memcpy(out[d] + n, block[d], (size_t)kept * sizeof(REAL));
        if (rows->index)
            memcpy(rows->index + n, index, (size_t)kept * sizeof *index);
        n += kept;
    }
    return n - to;
}
