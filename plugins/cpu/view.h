/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading and writing arguments: data behind the byte offset, elements of either width. */
#ifndef HG_CPU_VIEW_H
#define HG_CPU_VIEW_H

#include "headgate/plugin.h"

#include <complex.h>

#ifndef CMPLX /* clang has the builtin, but not the macro, under this C library */
#define CMPLX(x, y) __builtin_complex((double)(x), (double)(y))
#endif

/* First element of an argument; NULL for an absent one, and for one that has no data yet. */
static inline void *hg_data(const DLTensor *tensor)
{
    return tensor && tensor->data ? (char *)tensor->data + tensor->byte_offset : NULL;
}

static inline void *hg_arg(const hgate_problem *problem, int index)
{
    return hg_data(problem->args[index]);
}

/* An array of int32 or int64. */
typedef struct hg_indices {
    const void *data;
    int is_64;
} hg_indices;

static inline hg_indices hg_index_arg(const hgate_problem *problem, int index)
{
    const DLTensor *tensor = problem->args[index];
    return (hg_indices){hg_data(tensor), tensor && tensor->dtype.bits == 64};
}

static inline int64_t hg_index(hg_indices indices, int64_t i)
{
    return indices.is_64 ? ((const int64_t *)indices.data)[i]
                         : (int64_t)((const int32_t *)indices.data)[i];
}

/* An array of float32 or float64, or of complex64 or complex128; computing is in double. */
typedef struct hg_reals {
    void *data;
    int is_64; /* each real number has 64 bits */
} hg_reals;

static inline hg_reals hg_real_arg(const hgate_problem *problem, int index)
{
    const DLTensor *tensor = problem->args[index];
    int bits = !tensor ? 0 : tensor->dtype.code == HGATE_DL_COMPLEX ? 128 : 64;
    return (hg_reals){hg_data(tensor), tensor && tensor->dtype.bits == bits};
}

static inline double hg_real(hg_reals array, int64_t i)
{
    return array.is_64 ? ((const double *)array.data)[i] : (double)((const float *)array.data)[i];
}

static inline void hg_real_put(hg_reals array, int64_t i, double value)
{
    if (array.is_64)
        ((double *)array.data)[i] = value;
    else
        ((float *)array.data)[i] = (float)value;
}

static inline double complex hg_complex(hg_reals array, int64_t i)
{
    return CMPLX(hg_real(array, 2 * i), hg_real(array, 2 * i + 1));
}

static inline void hg_complex_put(hg_reals array, int64_t i, double complex value)
{
    hg_real_put(array, 2 * i, creal(value));
    hg_real_put(array, 2 * i + 1, cimag(value));
}

#endif
