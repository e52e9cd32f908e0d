/* SPDX-License-Identifier: BSD-3-Clause */
/* Least squares with coefficients that may not be negative. */
#ifndef HG_CALIB_NNLS_H
#define HG_CALIB_NNLS_H

#include "core/base/alloc.h"

/** Minimises |A x - b| over x >= 0. A is m x n, row-major; columns of zeros get x = 0. Columns may
 *  have any scale. HGATE_OK or ENOMEM; the best x that was found if the search does not end. */
int hg_nnls(const double *A, const double *b, int m, int n, const hg_allocator *allocator,
            double *x);

#endif
