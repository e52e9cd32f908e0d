/* SPDX-License-Identifier: BSD-3-Clause */
/* Sample indices and samples of one register of image points: split u, pick from a window in
 * registers, gather from memory.
 *
 * For each precision: the type of a register of indices (hg_at_f32, hg_at_f64), of one index in
 * memory, and hg_split_T(u, &fraction)   whole part of u >= 0 and what is left of it hg_pick2_T,
 * hg_pick4_T     elements of a window of 2 or 4 registers; the index must lie inside hg_gather_T(x,
 * k, n, f, x0, x1)  x[k], x[k+1] where k as an unsigned number is below n; elsewhere zeros, and the
 * fraction becomes 0 hg_confine_T(k, n)         k where it is below n as an unsigned number, else n
 *     hg_store_at_T(to, k)       indices to memory
 *     hg_store_pairs_T(to, a, b) a[0], b[0], a[1], b[1], ...
 * HG_PICKS_T says whether picking pays. */
#ifndef HG_CPU_LANES_H
#define HG_CPU_LANES_H

#include "plugins/cpu/vector.h"

typedef int32_t hg_index_f32;
typedef hg_i32v hg_at_f32;

/* k + n, wrapping: what is out of range stays out of range. */
static inline hg_at_f32 hg_shift_f32(hg_at_f32 k, int64_t n)
{
    typedef uint32_t word __attribute__((vector_size(sizeof(hg_at_f32))));
    return (hg_at_f32)((word)k + (uint32_t)n);
}

#if defined(__AVX512F__) && defined(__AVX512DQ__) && HG_VECTOR_BYTES == 64

enum { HG_PICKS_F32 = 1, HG_PICKS_F64 = 1 };
typedef hg_i64v hg_at_f64;
typedef int64_t hg_index_f64;

static inline hg_at_f32 hg_split_f32(hg_f32v u, hg_f32v *fraction)
{
    *fraction = (hg_f32v)_mm512_reduce_ps((__m512)u, _MM_FROUND_TO_ZERO);
    return (hg_at_f32)_mm512_cvttps_epi32((__m512)u);
}

static inline hg_at_f64 hg_split_f64(hg_f64v u, hg_f64v *fraction)
{
    *fraction = (hg_f64v)_mm512_reduce_pd((__m512d)u, _MM_FROUND_TO_ZERO);
    return (hg_at_f64)_mm512_cvttpd_epi64((__m512d)u);
}

static inline hg_f32v hg_pick2_f32(const hg_f32v w[2], hg_at_f32 q)
{
    return (hg_f32v)_mm512_permutex2var_ps((__m512)w[0], (__m512i)q, (__m512)w[1]);
}

static inline hg_f64v hg_pick2_f64(const hg_f64v w[2], hg_at_f64 q)
{
    return (hg_f64v)_mm512_permutex2var_pd((__m512d)w[0], (__m512i)q, (__m512d)w[1]);
}

static inline hg_f32v hg_pick4_f32(const hg_f32v w[4], hg_at_f32 q)
{
    __mmask16 is_behind = _mm512_test_epi32_mask((__m512i)q, _mm512_set1_epi32(32));
    return (hg_f32v)_mm512_mask_blend_ps(is_behind, (__m512)hg_pick2_f32(w, q),
                                         (__m512)hg_pick2_f32(w + 2, q));
}

static inline hg_f64v hg_pick4_f64(const hg_f64v w[4], hg_at_f64 q)
{
    __mmask8 is_behind = _mm512_test_epi64_mask((__m512i)q, _mm512_set1_epi64(16));
    return (hg_f64v)_mm512_mask_blend_pd(is_behind, (__m512d)hg_pick2_f64(w, q),
                                         (__m512d)hg_pick2_f64(w + 2, q));
}

static inline void hg_gather_f32(const float *x, hg_at_f32 k, int64_t n, hg_f32v *f, hg_f32v *x0,
                                 hg_f32v *x1)
{
    __mmask16 is_in = _mm512_cmplt_epu32_mask((__m512i)k, _mm512_set1_epi32((int32_t)n));
    __m512 zero = _mm512_setzero_ps();
    *x0 = (hg_f32v)_mm512_mask_i32gather_ps(zero, is_in, (__m512i)k, x, 4);
    *x1 = (hg_f32v)_mm512_mask_i32gather_ps(zero, is_in, (__m512i)k, x + 1, 4);
    *f = (hg_f32v)_mm512_maskz_mov_ps(is_in, (__m512)*f);
}

static inline void hg_gather_f64(const double *x, hg_at_f64 k, int64_t n, hg_f64v *f, hg_f64v *x0,
                                 hg_f64v *x1)
{
    __mmask8 is_in = _mm512_cmplt_epu64_mask((__m512i)k, _mm512_set1_epi64(n));
    __m512d zero = _mm512_setzero_pd();
    *x0 = (hg_f64v)_mm512_mask_i64gather_pd(zero, is_in, (__m512i)k, x, 8);
    *x1 = (hg_f64v)_mm512_mask_i64gather_pd(zero, is_in, (__m512i)k, x + 1, 8);
    *f = (hg_f64v)_mm512_maskz_mov_pd(is_in, (__m512d)*f);
}

static inline void hg_store_pairs_f32(float *to, hg_f32v a, hg_f32v b)
{
    const __m512i low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const __m512i high = _mm512_add_epi32(low, _mm512_set1_epi32(8));
    _mm512_storeu_ps(to, _mm512_permutex2var_ps((__m512)a, low, (__m512)b));
    _mm512_storeu_ps(to + 16, _mm512_permutex2var_ps((__m512)a, high, (__m512)b));
}

static inline void hg_store_pairs_f64(double *to, hg_f64v a, hg_f64v b)
{
    const __m512i low = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
    const __m512i high = _mm512_add_epi64(low, _mm512_set1_epi64(4));
    _mm512_storeu_pd(to, _mm512_permutex2var_pd((__m512d)a, low, (__m512d)b));
    _mm512_storeu_pd(to + 8, _mm512_permutex2var_pd((__m512d)a, high, (__m512d)b));
}

/* k + n, wrapping: what is out of range stays out of range. */
static inline hg_at_f64 hg_shift_f64(hg_at_f64 k, int64_t n)
{
    typedef uint64_t word __attribute__((vector_size(sizeof(hg_at_f64))));
    return (hg_at_f64)((word)k + (uint64_t)n);
}

/* The smaller one as unsigned numbers, so that negative indices go to n. */
static inline hg_at_f32 hg_confine_f32(hg_at_f32 k, int64_t n)
{
    return (hg_at_f32)_mm512_min_epu32((__m512i)k, _mm512_set1_epi32((int32_t)n));
}

static inline hg_at_f64 hg_confine_f64(hg_at_f64 k, int64_t n)
{
    return (hg_at_f64)_mm512_min_epu64((__m512i)k, _mm512_set1_epi64(n));
}

#else

typedef int32_t hg_index_f64;
typedef int32_t hg_at_f64 __attribute__((vector_size(HG_VECTOR_BYTES / 2)));

static inline hg_at_f32 hg_split_f32(hg_f32v u, hg_f32v *fraction)
{
    hg_at_f32 q = __builtin_convertvector(u, hg_at_f32);
    *fraction = u - __builtin_convertvector(q, hg_f32v);
    return q;
}

static inline hg_at_f64 hg_split_f64(hg_f64v u, hg_f64v *fraction)
{
    hg_at_f64 q = __builtin_convertvector(u, hg_at_f64);
    *fraction = u - __builtin_convertvector(q, hg_f64v);
    return q;
}

/* k + n, wrapping: what is out of range stays out of range. */
static inline hg_at_f64 hg_shift_f64(hg_at_f64 k, int64_t n)
{
    typedef uint32_t word __attribute__((vector_size(sizeof(hg_at_f64))));
    return (hg_at_f64)((word)k + (uint32_t)n);
}

static inline hg_at_f32 hg_confine_f32(hg_at_f32 k, int64_t n)
{
    hg_at_f32 is_in = (k >= 0) & (k < (int32_t)n);
    return (k & is_in) | ((int32_t)n & ~is_in);
}

static inline hg_at_f64 hg_confine_f64(hg_at_f64 k, int64_t n)
{
    hg_at_f64 is_in = (k >= 0) & (k < (int32_t)n);
    return (k & is_in) | ((int32_t)n & ~is_in);
}

#if defined(__AVX2__) && HG_VECTOR_BYTES == 32

enum { HG_PICKS_F32 = 1, HG_PICKS_F64 = 0 };

static inline void hg_store_pairs_f32(float *to, hg_f32v a, hg_f32v b)
{
    __m256 low = _mm256_unpacklo_ps((__m256)a, (__m256)b);  /* lanes 0 1, 4 5 */
    __m256 high = _mm256_unpackhi_ps((__m256)a, (__m256)b); /* lanes 2 3, 6 7 */
    _mm256_storeu_ps(to, _mm256_permute2f128_ps(low, high, 0x20));
    _mm256_storeu_ps(to + 8, _mm256_permute2f128_ps(low, high, 0x31));
}

static inline void hg_store_pairs_f64(double *to, hg_f64v a, hg_f64v b)
{
    __m256d low = _mm256_unpacklo_pd((__m256d)a, (__m256d)b);
    __m256d high = _mm256_unpackhi_pd((__m256d)a, (__m256d)b);
    _mm256_storeu_pd(to, _mm256_permute2f128_pd(low, high, 0x20));
    _mm256_storeu_pd(to + 4, _mm256_permute2f128_pd(low, high, 0x31));
}

static inline hg_f32v hg_pick2_f32(const hg_f32v w[2], hg_at_f32 q)
{
    __m256 low = _mm256_permutevar8x32_ps((__m256)w[0], (__m256i)q);
    __m256 high = _mm256_permutevar8x32_ps((__m256)w[1], (__m256i)q);
    /* bit 3 of the index tells the register; the blend looks at bit 31 */
    __m256 is_high = _mm256_castsi256_ps(_mm256_slli_epi32((__m256i)q, 28));
    return (hg_f32v)_mm256_blendv_ps(low, high, is_high);
}

static inline hg_f32v hg_pick4_f32(const hg_f32v w[4], hg_at_f32 q)
{
    __m256 is_behind = _mm256_castsi256_ps(_mm256_slli_epi32((__m256i)q, 27));
    return (hg_f32v)_mm256_blendv_ps((__m256)hg_pick2_f32(w, q), (__m256)hg_pick2_f32(w + 2, q),
                                     is_behind);
}

static inline void hg_gather_f32(const float *x, hg_at_f32 k, int64_t n, hg_f32v *f, hg_f32v *x0,
                                 hg_f32v *x1)
{
    hg_i32v is_in = (k >= 0) & (k < (int32_t)n);
    __m256 zero = _mm256_setzero_ps(), mask = _mm256_castsi256_ps((__m256i)is_in);
    *x0 = (hg_f32v)_mm256_mask_i32gather_ps(zero, x, (__m256i)k, mask, 4);
    *x1 = (hg_f32v)_mm256_mask_i32gather_ps(zero, x + 1, (__m256i)k, mask, 4);
    *f = (hg_f32v)_mm256_and_ps((__m256)*f, mask);
}

static inline void hg_gather_f64(const double *x, hg_at_f64 k, int64_t n, hg_f64v *f, hg_f64v *x0,
                                 hg_f64v *x1)
{
    hg_at_f64 is_in = (k >= 0) & (k < (int32_t)n);
    __m256d zero = _mm256_setzero_pd();
    __m256d mask = _mm256_castsi256_pd(_mm256_cvtepi32_epi64((__m128i)is_in));
    *x0 = (hg_f64v)_mm256_mask_i32gather_pd(zero, x, (__m128i)k, mask, 8);
    *x1 = (hg_f64v)_mm256_mask_i32gather_pd(zero, x + 1, (__m128i)k, mask, 8);
    *f = (hg_f64v)_mm256_and_pd((__m256d)*f, mask);
}

#else

enum { HG_PICKS_F32 = 0, HG_PICKS_F64 = 0 };

static inline void hg_store_pairs_f32(float *to, hg_f32v a, hg_f32v b)
{
    for (int l = 0; l < (int)HG_F32_LANES; l++) {
        to[2 * l] = a[l];
        to[2 * l + 1] = b[l];
    }
}

static inline void hg_store_pairs_f64(double *to, hg_f64v a, hg_f64v b)
{
    for (int l = 0; l < (int)HG_F64_LANES; l++) {
        to[2 * l] = a[l];
        to[2 * l + 1] = b[l];
    }
}

/* Element by element: there is no gather. */
static inline void hg_gather_f32(const float *x, hg_at_f32 k, int64_t n, hg_f32v *f, hg_f32v *x0,
                                 hg_f32v *x1)
{
    for (int l = 0; l < (int)HG_F32_LANES; l++) {
        int is_in = (uint32_t)k[l] < (uint32_t)n;
        (*x0)[l] = is_in ? x[k[l]] : 0.0f;
        (*x1)[l] = is_in ? x[k[l] + 1] : 0.0f;
        (*f)[l] = is_in ? (*f)[l] : 0.0f;
    }
}

static inline void hg_gather_f64(const double *x, hg_at_f64 k, int64_t n, hg_f64v *f, hg_f64v *x0,
                                 hg_f64v *x1)
{
    for (int l = 0; l < (int)HG_F64_LANES; l++) {
        int is_in = (uint32_t)k[l] < (uint32_t)n;
        (*x0)[l] = is_in ? x[k[l]] : 0.0;
        (*x1)[l] = is_in ? x[k[l] + 1] : 0.0;
        (*f)[l] = is_in ? (*f)[l] : 0.0;
    }
}

#endif

/* Where nothing is picked the window kernel refuses; these keep its source in one piece. */
#if !(defined(__AVX2__) && HG_VECTOR_BYTES == 32)
static inline hg_f32v hg_pick2_f32(const hg_f32v w[2], hg_at_f32 q)
{
    (void)q;
    return w[0];
}

static inline hg_f32v hg_pick4_f32(const hg_f32v w[4], hg_at_f32 q)
{
    (void)q;
    return w[0];
}
#endif

static inline hg_f64v hg_pick2_f64(const hg_f64v w[2], hg_at_f64 q)
{
    (void)q;
    return w[0];
}

static inline hg_f64v hg_pick4_f64(const hg_f64v w[4], hg_at_f64 q)
{
    (void)q;
    return w[0];
}

#endif

static inline void hg_store_at_f32(hg_index_f32 *to, hg_at_f32 k)
{
    __builtin_memcpy(to, &k, sizeof k);
}

static inline void hg_store_at_f64(hg_index_f64 *to, hg_at_f64 k)
{
    __builtin_memcpy(to, &k, sizeof k);
}

#endif
