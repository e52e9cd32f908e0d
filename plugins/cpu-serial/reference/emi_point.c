/* SPDX-License-Identifier: BSD-3-Clause */
/* One point of emi or evd, in double: checks, the eigenproblems, the phases. */
#include "plugins/cpu-serial/reference/emi_point.h"

#include "plugins/cpu/emi/beta.h"
#include "plugins/cpu/lapack.h"

#include <float.h>
#include <math.h>

enum { LAPACK_BLOCK = 32 };

void emi_scratch_lay_out(hgate_scratch *scratch, int64_t n, emi_scratch *s, emi_result *result)
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

/* gamma_ij, i < j: the upper triangle in the full layout. */
static double complex gamma_at(const emi_call *call, int64_t point, int64_t i, int64_t j)
{
    int64_t n = call->n;
    int64_t at = call->is_full ? (point * n + i) * n + j
                               : point * (n * (n - 1) / 2) + i * (2 * n - i - 1) / 2 + j - i - 1;
    return hg_complex(call->coh, at);
}

/* Whether the lower triangle disagrees with the upper one; a NaN there does. */
static int is_not_hermitian(const emi_call *call, int64_t point)
{
    int64_t n = call->n;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i + 1; j < n; j++) {
            double complex below = hg_complex(call->coh, (point * n + j) * n + i);
            if (!(cabs(gamma_at(call, point, i, j) - conj(below)) <= call->hermitian_tolerance))
                return 1;
        }
    return 0;
}

/* The checks, in this order; HGATE_EMI_OK when the point can be solved. */
static int check_point(const emi_call *call, int64_t point)
{
    double largest = 0.0;
    int is_finite = 1;
    for (int64_t i = 0; i < call->n; i++)
        for (int64_t j = i + 1; j < call->n; j++) {
            double complex gamma = gamma_at(call, point, i, j);
            is_finite &= isfinite(creal(gamma)) && isfinite(cimag(gamma));
            largest = fmax(largest, cabs(gamma));
        }
    if (!is_finite)
        return HGATE_EMI_BAD_NONFINITE;
    if (largest > 1.0 + 1e-5)
        return HGATE_EMI_BAD_MODULUS;
    if (call->is_full && isfinite(call->hermitian_tolerance) && is_not_hermitian(call, point))
        return HGATE_EMI_BAD_HERMITIAN;
    if (largest == 0.0)
        return HGATE_EMI_BAD_EMPTY;
    return HGATE_EMI_OK;
}

/* Lists the images that have a coherence with another one. The others have no phase; left in, they
 * would add an eigenvalue 1 that competes with the wanted one. */
static int find_images(const emi_call *call, int64_t point, int *image)
{
    int m = 0;
    for (int i = 0; i < call->n; i++) {
        int is_linked = 0;
        for (int j = 0; j < call->n && !is_linked; j++)
            is_linked = j != i && cabs(gamma_at(call, point, i < j ? i : j, i < j ? j : i)) > 0.0;
        if (is_linked)
            image[m++] = i;
    }
    return m;
}

static void take_gamma(const emi_call *call, int64_t point, int m, emi_scratch *s)
{
    for (int j = 0; j < m; j++) {
        for (int i = 0; i < j; i++)
            s->gamma[i + j * m] = gamma_at(call, point, s->image[i], s->image[j]);
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

static void fail(const emi_call *call, int status, emi_result *r)
{
    for (int i = 0; i < call->n; i++)
        r->phase[i] = CMPLX(NAN, NAN);
    r->quality = r->beta = NAN;
    r->status = status;
}

/* Phases of the images from an eigenvector, relative to the reference. Components that vanish have
 * none. */
static void take_phases(const emi_call *call, int m, const int *image, const double complex *v,
                        emi_result *r)
{
    double largest = 0.0, tiny;
    int ref = -1, n_defined = 0;
    for (int i = 0; i < m; i++) {
        largest = fmax(largest, cabs(v[i]));
        ref = image[i] == call->params->ref ? i : ref;
    }
    tiny = 64.0 * DBL_EPSILON * largest;
    if (ref < 0 || !(cabs(v[ref]) > tiny)) {
        fail(call, HGATE_EMI_ZERO_REF, r);
        return;
    }
    for (int i = 0; i < call->n; i++)
        r->phase[i] = CMPLX(NAN, NAN);
    for (int i = 0; i < m; i++)
        if (cabs(v[i]) > tiny) {
            double complex z = v[i] * conj(v[ref]);
            r->phase[image[i]] = z / cabs(z);
            n_defined++;
        }
    r->phase[call->params->ref] = 1.0;
    if (n_defined < call->n)
        r->status = HGATE_EMI_PARTIAL;
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
static void solve_evd(const emi_call *call, int m, emi_scratch *s, emi_result *r)
{
    for (int j = 0; j < m; j++)
        for (int i = 0; i < j; i++)
            s->gamma[i + j * m] *= cabs(s->gamma[i + j * m]);
    if (!eigenvectors(m, s)) {
        fail(call, HGATE_EMI_NO_CONVERGENCE, r);
        return;
    }
    r->quality = s->eigenvalues[m - 1];
    take_phases(call, m, s->image, s->gamma + (int64_t)(m - 1) * m, r);
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
static void solve_emi(const emi_call *call, int m, emi_scratch *s, emi_result *r)
{
    take_modulus(m, s);
    if (!invert(m, s)) {
        fail(call, HGATE_EMI_SINGULAR, r);
        return;
    }
    for (int j = 0; j < m; j++)
        for (int i = 0; i <= j; i++)
            s->gamma[i + j * m] *= s->a[i + j * m];
    if (!eigenvectors(m, s)) {
        fail(call, HGATE_EMI_NO_CONVERGENCE, r);
        return;
    }
    r->quality = s->eigenvalues[0];
    take_phases(call, m, s->image, s->gamma, r);
}

/* Two images have one pair, so its phase is the answer and M = |Gamma|^-1 o Gamma has the
 * eigenvalue 1. */
static void solve_two(const emi_call *call, emi_scratch *s, emi_result *r)
{
    double complex v[2] = {1.0, conj(s->gamma[2]) / cabs(s->gamma[2])};
    r->quality = 1.0;
    take_phases(call, 2, s->image, v, r);
}

static double choose_beta(const hgate_emi_params *params, double low, double high)
{
    switch (params->rule) {
    case HGATE_EMI_BETA_FIXED:
        return params->beta;
    case HGATE_EMI_BETA_NONE:
        return 0.0;
    default:
        return hg_emi_beta(low, high, params->kappa);
    }
}

/* Checks and gathers a point. 0 when the result is there already. */
static int begin(const emi_call *call, int64_t point, emi_scratch *s, emi_result *r)
{
    r->beta = 0.0;
    r->quality = 1.0;
    r->status = HGATE_EMI_OK;
    if (call->n == 1) {
        r->phase[0] = 1.0;
        return 0;
    }
    int status = check_point(call, point);
    if (status != HGATE_EMI_OK) {
        fail(call, status, r);
        return 0;
    }
    int m = find_images(call, point, s->image);
    take_gamma(call, point, m, s);
    return m;
}

void emi_solve_point(const emi_call *call, int64_t point, emi_scratch *s, emi_result *r)
{
    int info, m = begin(call, point, s, r);
    if (m == 0)
        return;
    take_modulus(m, s);
    dsyev_("N", "U", &m, s->a, &m, s->eigenvalues, s->real_work, &s->lwork, &info, 1, 1);
    if (info != 0) {
        fail(call, HGATE_EMI_NO_CONVERGENCE, r);
        return;
    }
    double beta = choose_beta(call->params, s->eigenvalues[0], s->eigenvalues[m - 1]);
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
    if (!is_definite && call->params->fallback == HGATE_EMI_FALLBACK_EVD) {
        r->status = HGATE_EMI_FALLBACK_USED;
        solve_evd(call, m, s, r);
    } else if (is_singular) {
        fail(call, HGATE_EMI_SINGULAR, r);
    } else if (!is_definite) {
        r->status = HGATE_EMI_INDEFINITE;
        solve_emi(call, m, s, r);
    } else if (m == 2) {
        solve_two(call, s, r);
    } else {
        solve_emi(call, m, s, r);
    }
}

void evd_solve_point(const emi_call *call, int64_t point, emi_scratch *s, emi_result *r)
{
    int m = begin(call, point, s, r);
    if (m > 0)
        solve_evd(call, m, s, r);
}
