/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes over the elements of host arrays that find the first one that cannot be. */
#ifndef HG_OPS_SCAN_H
#define HG_OPS_SCAN_H

#include "core/tensor/problem.h"

#include <float.h>
#include <math.h>

/* Element of a real or complex array (complex: real and imaginary parts in turn), of an index
 * array. */
double hg_real_at(const DLTensor *tensor, int64_t i);
int64_t hg_index_at(const DLTensor *tensor, int64_t i);

/* A range of real numbers. NaN is in none. */
typedef struct hg_range {
    double least, most;
    bool skips_nonfinite; /* NaN and infinities pass */
    const char *words;    /* "a finite number, 0 or more" */
} hg_range;

#define HG_FINITE                                                                                  \
    {                                                                                              \
        -DBL_MAX, DBL_MAX, false, "a finite number"                                                \
    }
#define HG_ABOVE_0                                                                                 \
    {                                                                                              \
        DBL_TRUE_MIN, DBL_MAX, false, "a finite number above 0"                                    \
    }
#define HG_NOT_NEGATIVE                                                                            \
    {                                                                                              \
        0, DBL_MAX, false, "a finite number, 0 or more"                                            \
    }

/* First element outside of a range, -1 when there is none. */
int64_t hg_scan_range(const DLTensor *tensor, const hg_range *range);

/* What the elements of an argument must be: indices below a size, or numbers in a range. */
typedef struct hg_value_rule {
    int arg;
    int below; /* index of a size; -1: numbers */
    hg_range range;
} hg_value_rule;

#define HG_NUMBERS(ARG, ...)                                                                       \
    {                                                                                              \
        ARG, -1, __VA_ARGS__                                                                       \
    }
#define HG_INDICES(ARG, DIM)                                                                       \
    {                                                                                              \
        ARG, DIM, HG_FINITE                                                                        \
    }

/* Checks the arguments of n rules in order; absent ones pass. EVALUE with argument, position,
 * value. */
int hg_check_elements(const hg_problem *problem, const hg_value_rule *rules, int n);
#define HG_CHECK_ELEMENTS(PROBLEM, RULES)                                                          \
    hg_check_elements(PROBLEM, RULES, (int)(sizeof(RULES) / sizeof *(RULES)))

/* EVALUE: "NAME: entry (3, 5) is -0.25, expected WORDS". */
int hg_refuse_real(const char *name, const DLTensor *tensor, int64_t i, const char *words);

#endif
