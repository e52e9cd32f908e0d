/* SPDX-License-Identifier: BSD-3-Clause */
/* One point of emi or evd, in double: checks, the eigenproblems, the phases. */
#ifndef HG_REFERENCE_EMI_POINT_H
#define HG_REFERENCE_EMI_POINT_H

#include "headgate/plugin_util.h"
#include "plugins/cpu/emi/point.h"

/* Memory for one point of at most n images. */
typedef struct emi_scratch {
    int *image;            /* those that have a coherence with another */
    double complex *gamma; /* m x m, column-major, upper triangle; later M and its eigenvectors */
    double *a;             /* m x m, |Gamma| and its inverse */
    double *eigenvalues;
    double *real_work;
    double complex *complex_work;
    int *pivots;
    int lwork;
} emi_scratch;

void emi_scratch_lay_out(hgate_scratch *scratch, int64_t n, emi_scratch *s, hg_emi_result *result);

/* Both always succeed; what goes wrong is in result->status. */
void emi_solve_point(const hg_emi_call *call, int64_t point, emi_scratch *s, hg_emi_result *result);
void evd_solve_point(const hg_emi_call *call, int64_t point, emi_scratch *s, hg_emi_result *result);

#endif
