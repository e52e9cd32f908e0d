/* SPDX-License-Identifier: BSD-3-Clause */
/* One point at a time by LAPACK in double, for points that need pivoting, and the closed form of up
 * to two images. */
#ifndef HG_EMI_PIVOTED_H
#define HG_EMI_PIVOTED_H

#include "headgate/plugin_util.h"
#include "plugins/cpu/emi/point.h"

/* More images than this are not served: LAPACK counts elements in int. */
enum { HG_PIVOTED_MAX_IMAGES = 46340 };

/* Bytes that hg_emi_solve_pivoted() needs. */
size_t hg_emi_pivoted_bytes(int64_t n);
/* Solves and stores a point. BLAS was entered. */
void hg_emi_solve_pivoted(const hg_emi_call *call, int64_t point, void *memory);

#endif
