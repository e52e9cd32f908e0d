/* SPDX-License-Identifier: BSD-3-Clause */
/* Points of complex64 that need more digits, again in double and in lanes. */
#ifndef HG_EMI_AGAIN_H
#define HG_EMI_AGAIN_H

#include "plugins/cpu/emi/interleaved.h"

/* Bytes that hg_emi_solve_again() needs; SIZE_MAX when the count overflows. */
size_t hg_emi_again_bytes(const hg_interleaved *wide, int64_t n);
/* Solves and stores the listed points, at most wide->lanes of them. Bit l of the result is set when
 * points[l] needs a solver with pivoting: nothing was stored for it. */
uint64_t hg_emi_solve_again(const hg_emi_call *call, const hg_interleaved *wide,
                            const int64_t *points, int count, void *memory);

#endif
