/* SPDX-License-Identifier: BSD-3-Clause */
/* A call of emi or evd as all kernels of the CPU see it; reading and checking one point. */
#ifndef HG_EMI_POINT_H
#define HG_EMI_POINT_H

#include "plugins/cpu/view.h"

typedef struct hg_emi_call {
    int64_t n, n_points;
    int is_evd;
    int is_full;             /* coh (P, n, n), otherwise packed pairs */
    int ref, rule, fallback; /* as in hgate_emi_params */
    double given_beta, kappa;
    double hermitian_tolerance; /* infinite: not checked */
    int64_t groups_ahead; /* the worker of a group is likely to do the one so many behind it next */
    hg_reals coh;
    hg_reals phase, quality, beta; /* the last two and status may be absent */
    int32_t *status;
} hg_emi_call;

/* Reads the arguments of a problem of emi or evd, and the configuration. */
hg_emi_call hg_emi_call_of(const hgate_host *host, const hgate_problem *problem);

/* gamma_ij of a point, i < j: the upper triangle in the full layout. */
static inline double complex hg_emi_gamma(const hg_emi_call *call, int64_t point, int64_t i,
                                          int64_t j)
{
    int64_t n = call->n;
    int64_t at = call->is_full ? (point * n + i) * n + j
                               : point * (n * (n - 1) / 2) + i * (2 * n - i - 1) / 2 + j - i - 1;
    return hg_complex(call->coh, at);
}

/* The checks of a point, in the order of their codes; HGATE_EMI_OK when it can be solved. n is at
 * least 2. */
int hg_emi_check_point(const hg_emi_call *call, int64_t point);
/* Lists the images that have a coherence with another one, and returns their number, 0 when the
 * reference is none of them. The others have no phase; left in, they would add an eigenvalue 1 that
 * competes with the wanted one. */
int hg_emi_find_images(const hg_emi_call *call, int64_t point, int *image);

/* The answer to one point, in double. */
typedef struct hg_emi_result {
    double complex *phase; /* n */
    double quality, beta;
    int status; /* hgate_emi_status */
} hg_emi_result;

/* NaN everywhere, and a code from 16 on. */
void hg_emi_fail(const hg_emi_call *call, int status, hg_emi_result *result);
/* Phases of the listed images from the eigenvector v, relative to the reference. Components that
 * vanish have none. */
void hg_emi_take_phases(const hg_emi_call *call, int m, const int *image, const double complex *v,
                        hg_emi_result *result);
/* beta by the rule of the call from the extreme eigenvalues of |Gamma|. */
double hg_emi_choose_beta(const hg_emi_call *call, double low, double high);
void hg_emi_store(const hg_emi_call *call, int64_t point, const hg_emi_result *result);

#endif
