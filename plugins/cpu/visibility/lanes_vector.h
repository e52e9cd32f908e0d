/* SPDX-License-Identifier: BSD-3-Clause */
/* What the loops of the family need beyond vector.h: gathers of 64 bits, pairs taken apart, two
 * registers of double as one of float. */

#if HG_VECTOR_BYTES == 64
#define EVEN_F32 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define ODD_F32 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define SWAP_F32 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14
#define EVEN_F64 0, 2, 4, 6, 8, 10, 12, 14
#define ODD_F64 1, 3, 5, 7, 9, 11, 13, 15
#define SWAP_F64 1, 0, 3, 2, 5, 4, 7, 6
#define JOIN_F32 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#elif HG_VECTOR_BYTES == 32
#define EVEN_F32 0, 2, 4, 6, 8, 10, 12, 14
#define ODD_F32 1, 3, 5, 7, 9, 11, 13, 15
#define SWAP_F32 1, 0, 3, 2, 5, 4, 7, 6
#define EVEN_F64 0, 2, 4, 6
#define ODD_F64 1, 3, 5, 7
#define SWAP_F64 1, 0, 3, 2
#define JOIN_F32 0, 1, 2, 3, 4, 5, 6, 7
#else
#define EVEN_F32 0, 2, 4, 6
#define ODD_F32 1, 3, 5, 7
#define SWAP_F32 1, 0, 3, 2
#define EVEN_F64 0, 2
#define ODD_F64 1, 3
#define SWAP_F64 1, 0
#define JOIN_F32 0, 1, 2, 3
#endif

/* Real parts, imaginary parts of the pairs in a and b. */
static inline hg_f32v even_f32(hg_f32v a, hg_f32v b)
{
    return __builtin_shufflevector(a, b, EVEN_F32);
}

static inline hg_f32v odd_f32(hg_f32v a, hg_f32v b)
{
    return __builtin_shufflevector(a, b, ODD_F32);
}

static inline hg_f64v even_f64(hg_f64v a, hg_f64v b)
{
    return __builtin_shufflevector(a, b, EVEN_F64);
}

static inline hg_f64v odd_f64(hg_f64v a, hg_f64v b)
{
    return __builtin_shufflevector(a, b, ODD_F64);
}

/* Each pair turned around. */
static inline hg_f32v swap_f32(hg_f32v a)
{
    return __builtin_shufflevector(a, a, SWAP_F32);
}

static inline hg_f64v swap_f64(hg_f64v a)
{
    return __builtin_shufflevector(a, a, SWAP_F64);
}

static inline hg_f32v narrow(hg_f64v a, hg_f64v b)
{
    typedef float half __attribute__((vector_size(HG_VECTOR_BYTES / 2)));
    half low = __builtin_convertvector(a, half), high = __builtin_convertvector(b, half);
    return __builtin_shufflevector(low, high, JOIN_F32);
}

/* 64 bits at base + 8 at[l] where is_in has a bit set, else zeros without reading. */
static inline hg_f64v gather_64(const void *base, hg_i64v at, hg_i64v is_in)
{
#if defined(__AVX512F__) && HG_VECTOR_BYTES == 64
    return (hg_f64v)_mm512_mask_i64gather_pd(_mm512_setzero_pd(),
                                             _mm512_test_epi64_mask((__m512i)is_in, (__m512i)is_in),
                                             (__m512i)at, base, 8);
#elif defined(__AVX2__) && HG_VECTOR_BYTES == 32
    hg_i64v mask = is_in != (hg_i64v){0};
    return (hg_f64v)_mm256_mask_i64gather_pd(_mm256_setzero_pd(), base, (__m256i)at, (__m256d)mask,
                                             8);
#else
    hg_f64v out = {0.0};
    for (int l = 0; l < (int)HG_F64_LANES; l++)
        if (is_in[l]) {
            double element;
            memcpy(&element, (const char *)base + 8 * at[l], sizeof element);
            out[l] = element;
        }
    return out;
#endif
}

static inline hg_i64v load_nodes(const int64_t *node)
{
    hg_i64v out;
    memcpy(&out, node, sizeof out);
    return out;
}
