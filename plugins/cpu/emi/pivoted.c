/* SPDX-License-Identifier: BSD-3-Clause */
/* One point at a time by LAPACK in double, for points that need pivoting.
 *
 * As the reference, but only the wanted eigenpair is computed (zheevx): by tridiagonalization,
 * bisection and inverse iteration. In double for both precisions, because whether |Gamma| is
 * definite or singular is decided on its rounding. */
#include "plugins/cpu/emi/pivoted.h"

#include "plugins/cpu/lapack.h"

#include <float.h>
#include <math.h>

enum { LAPACK_BLOCK = 32 };

typedef struct scratch {
    int *image;
    double complex *gamma; /* m x m, column-major, upper triangle; later M */
    double *a;             /* m x m: |Gamma|, then its inverse */
    double *eigenvalues, *real_work;
    double complex *vector, *complex_work;
    int *integers; /* pivots, or the 6 m of zheevx */
    int lwork;
    hg_emi_result result;
} scratch;

static void lay_out(hgate_scratch *s, int64_t n, scratch *p)
{
    int64_t lwork = (LAPACK_BLOCK + 3) * n;
    size_t line = (size_t)n * sizeof(double);
    p->image = hgate_scratch_take(s, n, sizeof(int));
    p->gamma = hgate_scratch_take(s, n, 2 * line);
    p->a = hgate_scratch_take(s, n, line);
    p->eigenvalues = hgate_scratch_take(s, 1, line);
    p->real_work = hgate_scratch_take(s, lwork, sizeof(double));
    p->vector = hgate_scratch_take(s, n, sizeof(double complex));
    p->complex_work = hgate_scratch_take(s, lwork, sizeof(double complex));
    p->integers = hgate_scratch_take(s, 6 * n, sizeof(int));
    p->lwork = (int)lwork;
    p->result.phase = hgate_scratch_take(s, n, sizeof(double complex));
}

size_t hg_emi_pivoted_bytes(int64_t n)
{
    hgate_scratch s = hgate_scratch_count();
    scratch p;
    lay_out(&s, n, &p);
    return s.bytes;
}

static void take_gamma(const hg_emi_call *call, int64_t point, int m, scratch *p)
{
    for (int j = 0; j < m; j++) {
        for (int i = 0; i < j; i++) {
            p->gamma[i + j * m] = hg_emi_gamma(call, point, p->image[i], p->image[j]);
            p->a[i + j * m] = p->a[j + i * m] = cabs(p->gamma[i + j * m]);
        }
        p->gamma[j + j * m] = p->a[j + j * m] = 1.0;
    }
}

/* Eigenpair number `which` (from 1) of gamma. */
static void take_eigenpair(const hg_emi_call *call, int m, int which, scratch *p)
{
    const double unused = 0.0, tolerance = 2.0 * DBL_MIN;
    int found, info;
    zheevx_("V", "I", "U", &m, p->gamma, &m, &unused, &unused, &which, &which, &tolerance, &found,
            p->eigenvalues, p->vector, &m, p->complex_work, &p->lwork, p->real_work, p->integers,
            p->integers + 5 * m, &info, 1, 1, 1);
    if (info != 0 || found != 1) {
        hg_emi_fail(call, HGATE_EMI_NO_CONVERGENCE, &p->result);
        return;
    }
    p->result.quality = p->eigenvalues[0];
    hg_emi_take_phases(call, m, p->image, p->vector, &p->result);
}

/* gamma becomes |Gamma| o Gamma, and its largest eigenvalue counts. */
static void solve_evd(const hg_emi_call *call, int m, scratch *p)
{
    for (int j = 0; j < m; j++)
        for (int i = 0; i < j; i++)
            p->gamma[i + j * m] *= cabs(p->gamma[i + j * m]);
    take_eigenpair(call, m, m, p);
}

/* gamma becomes M = |Gamma|^-1 o Gamma, and its smallest eigenvalue counts. */
static void solve_emi(const hg_emi_call *call, int m, scratch *p)
{
    int info;
    for (int j = 0; j < m; j++)
        for (int i = 0; i <= j; i++)
            p->a[i + j * m] = p->a[j + i * m] = cabs(p->gamma[i + j * m]);
    dgetrf_(&m, &m, p->a, &m, p->integers, &info);
    if (info == 0)
        dgetri_(&m, p->a, &m, p->integers, p->real_work, &p->lwork, &info);
    if (info != 0) {
        hg_emi_fail(call, HGATE_EMI_SINGULAR, &p->result);
        return;
    }
    for (int j = 0; j < m; j++)
        for (int i = 0; i <= j; i++)
            p->gamma[i + j * m] *= 0.5 * (p->a[i + j * m] + p->a[j + i * m]);
    take_eigenpair(call, m, 1, p);
}

/* The phase of the one pair is the answer, and M has the eigenvalue 1. */
static void solve_two(const hg_emi_call *call, scratch *p)
{
    p->vector[0] = 1.0;
    p->vector[1] = conj(p->gamma[2]) / cabs(p->gamma[2]);
    p->result.quality = 1.0;
    hg_emi_take_phases(call, 2, p->image, p->vector, &p->result);
}

/* Eigenvalues of |Gamma| into p->eigenvalues; two images have a closed form. */
static int take_eigenvalues(int m, scratch *p)
{
    int info = 0;
    if (m == 2) {
        p->eigenvalues[0] = 1.0 - p->a[2];
        p->eigenvalues[1] = 1.0 + p->a[2];
    } else {
        dsyev_("N", "U", &m, p->a, &m, p->eigenvalues, p->real_work, &p->lwork, &info, 1, 1);
    }
    return info == 0;
}

static void regularize_and_solve(const hg_emi_call *call, int m, scratch *p)
{
    hg_emi_result *r = &p->result;
    double beta = hg_emi_choose_beta(call, p->eigenvalues[0], p->eigenvalues[m - 1]);
    double smallest = INFINITY, largest = 0.0; /* in modulus, of |Gamma_beta| */
    for (int i = 0; i < m; i++) {
        double lambda = fabs((1.0 - beta) * p->eigenvalues[i] + beta);
        smallest = fmin(smallest, lambda);
        largest = fmax(largest, lambda);
    }
    int is_singular = smallest <= m * DBL_EPSILON * largest;
    int is_definite = (1.0 - beta) * p->eigenvalues[0] + beta > 0.0 && !is_singular;
    r->beta = beta;
    r->status = beta > 0.0 ? HGATE_EMI_REGULARIZED : HGATE_EMI_OK;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < j; i++)
            p->gamma[i + j * m] *= 1.0 - beta;
    if (!is_definite && call->fallback == HGATE_EMI_FALLBACK_EVD) {
        r->status = HGATE_EMI_FALLBACK_USED;
        solve_evd(call, m, p);
    } else if (is_singular) {
        hg_emi_fail(call, HGATE_EMI_SINGULAR, r);
    } else if (is_definite && m == 2) {
        solve_two(call, p);
    } else {
        r->status = is_definite ? r->status : HGATE_EMI_INDEFINITE;
        solve_emi(call, m, p);
    }
}

static void solve(const hg_emi_call *call, int64_t point, scratch *p)
{
    hg_emi_result *r = &p->result;
    r->beta = 0.0;
    r->quality = 1.0;
    r->status = call->n == 1 ? HGATE_EMI_OK : hg_emi_check_point(call, point);
    if (call->n == 1) {
        r->phase[0] = 1.0;
        return;
    }
    if (r->status != HGATE_EMI_OK) {
        hg_emi_fail(call, r->status, r);
        return;
    }
    int m = hg_emi_find_images(call, point, p->image);
    take_gamma(call, point, m, p);
    if (m == 0)
        hg_emi_fail(call, HGATE_EMI_ZERO_REF, r);
    else if (call->is_evd)
        solve_evd(call, m, p);
    else if (take_eigenvalues(m, p))
        regularize_and_solve(call, m, p);
    else
        hg_emi_fail(call, HGATE_EMI_NO_CONVERGENCE, r);
}

void hg_emi_solve_pivoted(const hg_emi_call *call, int64_t point, void *memory)
{
    scratch p;
    hgate_scratch s = {memory, SIZE_MAX, 0, 0};
    lay_out(&s, call->n, &p);
    solve(call, point, &p);
    hg_emi_store(call, point, &p.result);
}
