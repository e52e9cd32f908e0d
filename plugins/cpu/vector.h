/* SPDX-License-Identifier: BSD-3-Clause */
/* Vector types of the instruction set that a kernel source is compiled for, and fused
 * multiply-adds.
 *
 * Kernel sources are compiled once per instruction set, with HG_ISA (a word for names) and
 * HG_VECTOR_BYTES (the width of a register). Arithmetic is GCC's vector extension, which builds on
 * any processor; only the fused multiply-add has no spelling there. The compiler never fuses by
 * itself (-ffp-contract=off), so the same source gives the same bits at every width that has the
 * instruction. */
#ifndef HG_CPU_VECTOR_H
#define HG_CPU_VECTOR_H

#include <stdint.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* In front of a loop with a small constant count over an array of vectors: written out, so that
 * they become registers. */
#if defined(__clang__)
#define HG_UNROLL _Pragma("clang loop unroll(full)")
#else
#define HG_UNROLL _Pragma("GCC unroll 16")
#endif

/* Hides where a pointer comes from. GCC 12 writes the address of one array of a loop as a multiple
 * of another's, and then takes what is stored there for a store into the other: where the other is
 * a local array, stores and whole calls vanish. */
#define HG_HIDE(pointer) __asm__ volatile("" : "+r"(pointer) : : "memory")

/* HG_NAME(base) is hg_<isa>_base. */
#define HG_PASTE_(isa, base) hg_##isa##_##base
#define HG_PASTE(isa, base) HG_PASTE_(isa, base)
#define HG_NAME(base) HG_PASTE(HG_ISA, base)

enum {
    HG_F32_LANES = HG_VECTOR_BYTES / sizeof(float),
    HG_F64_LANES = HG_VECTOR_BYTES / sizeof(double)
};

typedef float hg_f32v __attribute__((vector_size(HG_VECTOR_BYTES)));
typedef double hg_f64v __attribute__((vector_size(HG_VECTOR_BYTES)));
/* Results of comparisons: all bits of a lane set, or none. */
typedef int32_t hg_i32v __attribute__((vector_size(HG_VECTOR_BYTES)));
typedef int64_t hg_i64v __attribute__((vector_size(HG_VECTOR_BYTES)));
/* The same in memory that is aligned to an element only. */
typedef float hg_f32u __attribute__((vector_size(HG_VECTOR_BYTES), aligned(4), may_alias));
typedef double hg_f64u __attribute__((vector_size(HG_VECTOR_BYTES), aligned(8), may_alias));

static inline hg_f32v hg_load_f32(const float *from)
{
    return *(const hg_f32u *)from;
}

static inline hg_f64v hg_load_f64(const double *from)
{
    return *(const hg_f64u *)from;
}

static inline void hg_store_f32(float *to, hg_f32v value)
{
    *(hg_f32u *)to = value;
}

static inline void hg_store_f64(double *to, hg_f64v value)
{
    *(hg_f64u *)to = value;
}

/* All lanes x; the difference keeps the sign of a zero and costs nothing. */
static inline hg_f32v hg_set_f32(float x)
{
    return x - (hg_f32v){0};
}

static inline hg_f64v hg_set_f64(double x)
{
    return x - (hg_f64v){0};
}

/* a b + c, rounded once where the instruction set has it. */
#if defined(__FMA__) || defined(__FP_FAST_FMA)
static inline double hg_fma(double a, double b, double c)
{
    return __builtin_fma(a, b, c);
}
#else
static inline double hg_fma(double a, double b, double c)
{
    return a * b + c;
}
#endif

#if defined(__AVX512F__) && HG_VECTOR_BYTES == 64
static inline hg_f32v hg_fma_f32(hg_f32v a, hg_f32v b, hg_f32v c)
{
    return (hg_f32v)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
}

static inline hg_f64v hg_fma_f64(hg_f64v a, hg_f64v b, hg_f64v c)
{
    return (hg_f64v)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
}
#elif defined(__AVX2__) && defined(__FMA__) && HG_VECTOR_BYTES == 32
static inline hg_f32v hg_fma_f32(hg_f32v a, hg_f32v b, hg_f32v c)
{
    return (hg_f32v)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
}

static inline hg_f64v hg_fma_f64(hg_f64v a, hg_f64v b, hg_f64v c)
{
    return (hg_f64v)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
}
#elif defined(__FP_FAST_FMA)
/* Element by element; the compiler makes vector instructions of it. */
static inline hg_f32v hg_fma_f32(hg_f32v a, hg_f32v b, hg_f32v c)
{
    for (int i = 0; i < (int)HG_F32_LANES; i++)
        c[i] = __builtin_fmaf(a[i], b[i], c[i]);
    return c;
}

static inline hg_f64v hg_fma_f64(hg_f64v a, hg_f64v b, hg_f64v c)
{
    for (int i = 0; i < (int)HG_F64_LANES; i++)
        c[i] = __builtin_fma(a[i], b[i], c[i]);
    return c;
}
#else
static inline hg_f32v hg_fma_f32(hg_f32v a, hg_f32v b, hg_f32v c)
{
    return a * b + c;
}

static inline hg_f64v hg_fma_f64(hg_f64v a, hg_f64v b, hg_f64v c)
{
    return a * b + c;
}
#endif

/* c - a b, rounded once where the instruction set has it. */
#if defined(__AVX512F__) && HG_VECTOR_BYTES == 64
static inline hg_f32v hg_fnma_f32(hg_f32v a, hg_f32v b, hg_f32v c)
{
    return (hg_f32v)_mm512_fnmadd_ps((__m512)a, (__m512)b, (__m512)c);
}

static inline hg_f64v hg_fnma_f64(hg_f64v a, hg_f64v b, hg_f64v c)
{
    return (hg_f64v)_mm512_fnmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
}
#elif defined(__AVX2__) && defined(__FMA__) && HG_VECTOR_BYTES == 32
static inline hg_f32v hg_fnma_f32(hg_f32v a, hg_f32v b, hg_f32v c)
{
    return (hg_f32v)_mm256_fnmadd_ps((__m256)a, (__m256)b, (__m256)c);
}

static inline hg_f64v hg_fnma_f64(hg_f64v a, hg_f64v b, hg_f64v c)
{
    return (hg_f64v)_mm256_fnmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
}
#else
static inline hg_f32v hg_fnma_f32(hg_f32v a, hg_f32v b, hg_f32v c)
{
    return hg_fma_f32(-a, b, c);
}

static inline hg_f64v hg_fnma_f64(hg_f64v a, hg_f64v b, hg_f64v c)
{
    return hg_fma_f64(-a, b, c);
}
#endif

/* Square roots, correctly rounded. */
#if defined(__AVX512F__) && HG_VECTOR_BYTES == 64
static inline hg_f32v hg_sqrt_f32(hg_f32v a)
{
    return (hg_f32v)_mm512_sqrt_ps((__m512)a);
}

static inline hg_f64v hg_sqrt_f64(hg_f64v a)
{
    return (hg_f64v)_mm512_sqrt_pd((__m512d)a);
}
#elif defined(__AVX2__) && HG_VECTOR_BYTES == 32
static inline hg_f32v hg_sqrt_f32(hg_f32v a)
{
    return (hg_f32v)_mm256_sqrt_ps((__m256)a);
}

static inline hg_f64v hg_sqrt_f64(hg_f64v a)
{
    return (hg_f64v)_mm256_sqrt_pd((__m256d)a);
}
#else
static inline hg_f32v hg_sqrt_f32(hg_f32v a)
{
    for (int i = 0; i < (int)HG_F32_LANES; i++)
        a[i] = __builtin_sqrtf(a[i]);
    return a;
}

static inline hg_f64v hg_sqrt_f64(hg_f64v a)
{
    for (int i = 0; i < (int)HG_F64_LANES; i++)
        a[i] = __builtin_sqrt(a[i]);
    return a;
}
#endif

/* The square root, and half its inverse to 1e-7 (both 0 for 0): where many independent roots are
 * wanted. AVX-512 has one unit for roots and quotients, busy 12 and 10 cycles with each vector; an
 * estimate of 14 bits and three fused steps go through both units in 6. Rounded correctly from
 * 2^-100 on (seen for every float). */
#if defined(__AVX512F__) && HG_VECTOR_BYTES == 64
static inline hg_f32v hg_root_f32(hg_f32v a, hg_f32v *half_inverse)
{
    __mmask16 is_not_0 = _mm512_cmp_ps_mask((__m512)a, _mm512_setzero_ps(), _CMP_NEQ_UQ);
    hg_f32v inverse = (hg_f32v)_mm512_maskz_rsqrt14_ps(is_not_0, (__m512)a);
    hg_f32v root = a * inverse, half = 0.5f * inverse;
    hg_f32v error = hg_fnma_f32(root, half, (hg_f32v){0} + 0.5f);
    root = hg_fma_f32(root, error, root);
    *half_inverse = half = hg_fma_f32(half, error, half);
    return hg_fma_f32(hg_fnma_f32(root, root, a), half, root);
}
#else
static inline hg_f32v hg_root_f32(hg_f32v a, hg_f32v *half_inverse)
{
    hg_f32v root = hg_sqrt_f32(a);
    *half_inverse = (hg_f32v)((root > 0) & (hg_i32v)(0.5f / root));
    return root;
}
#endif

static inline hg_f64v hg_root_f64(hg_f64v a, hg_f64v *half_inverse)
{
    hg_f64v root = hg_sqrt_f64(a);
    *half_inverse = (hg_f64v)((root > 0) & (hg_i64v)(0.5 / root));
    return root;
}

/* Lane by lane: yes where the mask is set. */
static inline hg_f32v hg_select_f32(hg_i32v mask, hg_f32v yes, hg_f32v no)
{
    return (hg_f32v)((mask & (hg_i32v)yes) | (~mask & (hg_i32v)no));
}

static inline hg_f64v hg_select_f64(hg_i64v mask, hg_f64v yes, hg_f64v no)
{
    return (hg_f64v)((mask & (hg_i64v)yes) | (~mask & (hg_i64v)no));
}

static inline hg_f32v hg_abs_f32(hg_f32v a)
{
    return (hg_f32v)((hg_i32v)a & INT32_MAX);
}

static inline hg_f64v hg_abs_f64(hg_f64v a)
{
    return (hg_f64v)((hg_i64v)a & INT64_MAX);
}

/* |a| with the sign of b. */
static inline hg_f32v hg_copysign_f32(hg_f32v a, hg_f32v b)
{
    return (hg_f32v)(((hg_i32v)a & INT32_MAX) | ((hg_i32v)b & INT32_MIN));
}

static inline hg_f64v hg_copysign_f64(hg_f64v a, hg_f64v b)
{
    return (hg_f64v)(((hg_i64v)a & INT64_MAX) | ((hg_i64v)b & INT64_MIN));
}

/* Half as many floats as a vector has, from memory, to double; and back from two such vectors. GCC
 * 12 converts vectors of 64 bytes in quarters. */
#if defined(__AVX512F__) && HG_VECTOR_BYTES == 64
static inline hg_f64v hg_widen(const float *from)
{
    return (hg_f64v)_mm512_cvtps_pd(_mm256_loadu_ps(from));
}

static inline hg_f32v hg_narrow(hg_f64v low, hg_f64v high)
{
    __m512 half = _mm512_castps256_ps512(_mm512_cvtpd_ps((__m512d)low));
    return (hg_f32v)_mm512_insertf32x8(half, _mm512_cvtpd_ps((__m512d)high), 1);
}
#else
typedef float hg_f32h __attribute__((vector_size(HG_VECTOR_BYTES / 2), aligned(4), may_alias));

static inline hg_f64v hg_widen(const float *from)
{
    return __builtin_convertvector(*(const hg_f32h *)from, hg_f64v);
}

static inline hg_f32v hg_narrow(hg_f64v low, hg_f64v high)
{
    hg_f32v narrow;
    float *to = (float *)&narrow;
    *(hg_f32h *)to = __builtin_convertvector(low, hg_f32h);
    *(hg_f32h *)(to + HG_F64_LANES) = __builtin_convertvector(high, hg_f32h);
    return narrow;
}
#endif

/* The first halves of a and b, and the second halves, lane by lane in turn: a0 b0 a1 b1 ...
 * Repeated, they transpose. */
#if HG_VECTOR_BYTES == 64
#define HG_ZIP_LOW_F32 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define HG_ZIP_HIGH_F32 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#define HG_ZIP_LOW_F64 0, 8, 1, 9, 2, 10, 3, 11
#define HG_ZIP_HIGH_F64 4, 12, 5, 13, 6, 14, 7, 15
#elif HG_VECTOR_BYTES == 32
#define HG_ZIP_LOW_F32 0, 8, 1, 9, 2, 10, 3, 11
#define HG_ZIP_HIGH_F32 4, 12, 5, 13, 6, 14, 7, 15
#define HG_ZIP_LOW_F64 0, 4, 1, 5
#define HG_ZIP_HIGH_F64 2, 6, 3, 7
#else
#define HG_ZIP_LOW_F32 0, 4, 1, 5
#define HG_ZIP_HIGH_F32 2, 6, 3, 7
#define HG_ZIP_LOW_F64 0, 2
#define HG_ZIP_HIGH_F64 1, 3
#endif

static inline hg_f32v hg_zip_low_f32(hg_f32v a, hg_f32v b)
{
    return __builtin_shufflevector(a, b, HG_ZIP_LOW_F32);
}

static inline hg_f32v hg_zip_high_f32(hg_f32v a, hg_f32v b)
{
    return __builtin_shufflevector(a, b, HG_ZIP_HIGH_F32);
}

static inline hg_f64v hg_zip_low_f64(hg_f64v a, hg_f64v b)
{
    return __builtin_shufflevector(a, b, HG_ZIP_LOW_F64);
}

static inline hg_f64v hg_zip_high_f64(hg_f64v a, hg_f64v b)
{
    return __builtin_shufflevector(a, b, HG_ZIP_HIGH_F64);
}

#endif
