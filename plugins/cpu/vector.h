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

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#endif

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

#endif
