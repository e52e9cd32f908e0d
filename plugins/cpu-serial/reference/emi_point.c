/* SPDX-License-Identifier: BSD-3-Clause */
/* One point of emi or evd, in double: checks, the eigenproblems, the phases. */
#include "plugins/cpu-serial/reference/emi_point.h"

#include "plugins/cpu/lapack.h"

#include <float.h>
#include <math.h>

enum { LAPACK_BLOCK = 32 };

void emi_scratch_lay_out(hgate_scratch *scratch, int64_t n, emi_scratch *s, hg_emi_result *result)
{
    int64_t lwork = (LAPACK_BLOCK + 3) * n;
    size_t line = (size_t)n * sizeof(double);
    s->image = hgate_scratch_take(scratch, n, sizeof(int));
    s->gamma = hgate_scratch_take(scratch, n, 2 * line);
    s->a = hgate_scratch_take(scratch, n, line);
    s->eigenvalues = hgate_scratch_take(scratch, 1, line);
    s->real_work = hgate_scratch_take(scratch, lwork, sizeof(double));
    s->complex_work = hgate_scratch_take(scratch, lwork, sizeof(double complex));
    s->pivots = hgate_scratch_take(scratch, n, sizeof(int));
    s->lwork = (int)lwork;
    result->phase = hgate_scratch_take(scratch, n, sizeof(double complex));
}

static void take_gamma(const hg_emi_call *call, int64_t point, int m, emi_scratch *s)
{
    for (int j = 0; j < m; j++) {
        for (int i = 0; i < j; i++)
            s->gamma[i + j * m] = hg_emi_gamma(call, point, s->image[i], s->image[j]);
        s->gamma[j + j * m] = 1.0;
    }
}

static void scale_off_diagonal(int m, double factor, double complex *gamma)
{
    for (int j = 0; j < m; j++)
        for (int i = 0; i < j; i++)
            gamma[i + j * m] *= factor;
}

static void take_modulus(int m, emi_scratch *s)
{
    for (int j = 0; j < m; j++)
        for (int i = 0; i <= j; i++)
            s->a[i + j * m] = s->a[j + i * m] = cabs(s->gamma[i + j * m]);
}

/* Eigenpairs of the Hermitian matrix in s->gamma; the vectors take its place. */
static int eigenvectors(int m, emi_scratch *s)
{
    int info;
    zheev_("V", "U", &m, s->gamma, &m, s->eigenvalues, s->complex_work, &s->lwork, s->real_work,
           &info, 1, 1);
    return info == 0;
}

/* Eigenvector of the largest eigenvalue of |Gamma| o Gamma. */
static void solve_evd(const hg_emi_call *call, int m, emi_scratch *s, hg_emi_result *r)
{
    for (int j = 0; j < m; j++)
        for (int i = 0; i < j; i++)
            s->gamma[i + j * m] *= cabs(s->gamma[i + j * m]);
    if (!eigenvectors(m, s)) {
        hg_emi_fail(call, HGATE_EMI_NO_CONVERGENCE, r);
        return;
    }
    r->quality = s->eigenvalues[m - 1];
    hg_emi_take_phases(call, m, s->image, s->gamma + (int64_t)(m - 1) * m, r);
}

/* A^-1 in s->a, symmetric; 0 when a pivot vanishes. */
static int invert(int m, emi_scratch *s)
{
    int info;
    dgetrf_(&m, &m, s->a, &m, s->pivots, &info);
    if (info == 0)
        dgetri_(&m, s->a, &m, s->pivots, s->real_work, &s->lwork, &info);
    for (int j = 0; j < m; j++)
        for (int i = 0; i < j; i++)
            s->a[i + j * m] = s->a[j + i * m] = 0.5 * (s->a[i + j * m] + s->a[j + i * m]);
    return info == 0;
}

/* Eigenvector of the smallest eigenvalue of |Gamma|^-1 o Gamma. */
static void solve_emi(const hg_emi_call *call, int m, emi_scratch *s, hg_emi_result *r)
{
    take_modulus(m, s);
    if (!invert(m, s)) {
        hg_emi_fail(call, HGATE_EMI_SINGULAR, r);
        return;
    }
    for (int j = 0; j < m; j++)
        for (int i = 0; i <= j; i++)
            s->gamma[i + j * m] *= s->a[i + j * m];
    if (!eigenvectors(m, s)) {
        hg_emi_fail(call, HGATE_EMI_NO_CONVERGENCE, r);
        return;
    }
    r->quality = s->eigenvalues[0];
    hg_emi_take_phases(call, m, s->image, s->gamma, r);
}

/* Two images have one pair, so its phase is the answer and M = |Gamma|^-1 o Gamma has the
 * eigenvalue 1. */
static void solve_two(const hg_emi_call *call, emi_scratch *s, hg_emi_result *r)
{
    double complex v[2] = {1.0, conj(s->gamma[2]) / cabs(s->gamma[2])};
    r->quality = 1.0;
    hg_emi_take_phases(call, 2, s->image, v, r);
}

/* Checks and gathers a point. 0 when the result is there already. */
static int begin(const hg_emi_call *call, int64_t point, emi_scratch *s, hg_emi_result *r)
{
    r->beta = 0.0;
    r->quality = 1.0;
    r->status = HGATE_EMI_OK;
    if (call->n == 1) {
        r->phase[0] = 1.0;
        return 0;
    }
    int status = hg_emi_check_point(call, point);
    if (status != HGATE_EMI_OK) {
        hg_emi_fail(call, status, r);
        return 0;
    }
    int m = hg_emi_find_images(call, point, s->image);
    if (m == 0)
        hg_emi_fail(call, HGATE_EMI_ZERO_REF, r);
    take_gamma(call, point, m, s);
    return m;
}

void emi_solve_point(const hg_emi_call *call, int64_t point, emi_scratch *s, hg_emi_result *r)
{
    int info, m = begin(call, point, s, r);
    if (m == 0)
        return;
    take_modulus(m, s);
    dsyev_("N", "U", &m, s->a, &m, s->eigenvalues, s->real_work, &s->lwork, &info, 1, 1);
    if (info != 0) {
        hg_emi_fail(call, HGATE_EMI_NO_CONVERGENCE, r);
        return;
    }
    double beta = hg_emi_choose_beta(call, s->eigenvalues[0], s->eigenvalues[m - 1]);
    double smallest = INFINITY, largest = 0.0; /* in modulus, of |Gamma_beta| */
    for (int i = 0; i < m; i++) {
        double lambda = fabs((1.0 - beta) * s->eigenvalues[i] + beta);
        smallest = fmin(smallest, lambda);
        largest = fmax(largest, lambda);
    }
    int is_singular = smallest <= m * DBL_EPSILON * largest;
    int is_definite = (1.0 - beta) * s->eigenvalues[0] + beta > 0.0 && !is_singular;

    r->beta = beta;
    r->status = beta > 0.0 ? HGATE_EMI_REGULARIZED : HGATE_EMI_OK;
    scale_off_diagonal(m, 1.0 - beta, s->gamma);
    if (!is_definite && call->fallback == HGATE_EMI_FALLBACK_EVD) {
        r->status = HGATE_EMI_FALLBACK_USED;
        solve_evd(call, m, s, r);
    } else if (is_singular) {
        hg_emi_fail(call, HGATE_EMI_SINGULAR, r);
    } else if (!is_definite) {
        r->status = HGATE_EMI_INDEFINITE;
        solve_emi(call, m, s, r);
    } else if (m == 2) {
        solve_two(call, s, r);
    } else {
        solve_emi(call, m, s, r);
    }
}

void evd_solve_point(const hg_emi_call *call, int64_t point, emi_scratch *s, hg_emi_result *r)
{
    int m = begin(call, point, s, r);
    if (m > 0)
        solve_evd(call, m, s, r);
}
