/* SPDX-License-Identifier: BSD-3-Clause */
/* A call of emi or evd as all kernels of the CPU see it; reading and checking one point. */
#include "plugins/cpu/emi/point.h"

#include "plugins/cpu/emi/beta.h"
#include "plugins/cpu/settings.h"

#include <float.h>
#include <math.h>

hg_emi_call hg_emi_call_of(const hgate_host *host, const hgate_problem *problem)
{
    const hgate_emi_params *params = problem->params;
    hg_emi_call call = {.n = problem->dims[HGATE_DIM_EMI_N],
                        .n_points = problem->dims[HGATE_DIM_EMI_BATCH],
                        .is_evd = problem->op == HGATE_OP_EVD,
                        .is_full = (int)problem->dims[HGATE_DIM_EMI_FULL],
                        .ref = params->ref,
                        .rule = params->rule,
                        .fallback = params->fallback,
                        .given_beta = params->beta,
                        .kappa = params->kappa,
                        .coh = hg_real_arg(problem, HGATE_EMI_COH),
                        .phase = hg_real_arg(problem, HGATE_EMI_PHASE),
                        .quality = hg_real_arg(problem, HGATE_EMI_QUALITY),
                        .status = hg_arg(problem, HGATE_EMI_STATUS)};
    if (!call.is_evd)
        call.beta = hg_real_arg(problem, HGATE_EMI_BETA);
    call.hermitian_tolerance = call.coh.is_64 ? 1e-10 : 1e-4;
    if (hg_setting_is(host, "ops.emi.check_hermitian", "false"))
        call.hermitian_tolerance = INFINITY;
    return call;
}

/* Whether the lower triangle disagrees with the upper one; a NaN there does. */
static int is_not_hermitian(const hg_emi_call *call, int64_t point)
{
    int64_t n = call->n;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i + 1; j < n; j++) {
            double complex below = hg_complex(call->coh, (point * n + j) * n + i);
            double complex gamma = hg_emi_gamma(call, point, i, j);
            if (!(cabs(gamma - conj(below)) <= call->hermitian_tolerance))
                return 1;
        }
    return 0;
}

int hg_emi_check_point(const hg_emi_call *call, int64_t point)
{
    double largest = 0.0;
    int is_finite = 1;
    for (int64_t i = 0; i < call->n; i++)
        for (int64_t j = i + 1; j < call->n; j++) {
            double complex gamma = hg_emi_gamma(call, point, i, j);
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

int hg_emi_find_images(const hg_emi_call *call, int64_t point, int *image)
{
    int m = 0, has_ref = 0;
    for (int i = 0; i < call->n; i++) {
        int is_linked = 0;
        for (int j = 0; j < call->n && !is_linked; j++)
            is_linked = j != i && hg_emi_gamma(call, point, i < j ? i : j, i < j ? j : i) != 0.0;
        if (is_linked)
            image[m++] = i;
        has_ref |= is_linked && i == call->ref;
    }
    return has_ref ? m : 0;
}

void hg_emi_fail(const hg_emi_call *call, int status, hg_emi_result *r)
{
    for (int i = 0; i < call->n; i++)
        r->phase[i] = CMPLX(NAN, NAN);
    r->quality = r->beta = NAN;
    r->status = status;
}

void hg_emi_take_phases(const hg_emi_call *call, int m, const int *image, const double complex *v,
                        hg_emi_result *r)
{
    double largest = 0.0, tiny;
    int ref = -1, n_defined = 0;
    for (int i = 0; i < m; i++) {
        largest = fmax(largest, cabs(v[i]));
        ref = image[i] == call->ref ? i : ref;
    }
    tiny = 64.0 * DBL_EPSILON * largest;
    if (ref < 0 || !(cabs(v[ref]) > tiny)) {
        hg_emi_fail(call, HGATE_EMI_ZERO_REF, r);
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
    r->phase[call->ref] = 1.0;
    if (n_defined < call->n)
        r->status = HGATE_EMI_PARTIAL;
}

double hg_emi_choose_beta(const hg_emi_call *call, double low, double high)
{
    switch (call->rule) {
    case HGATE_EMI_BETA_FIXED:
        return call->given_beta;
    case HGATE_EMI_BETA_NONE:
        return 0.0;
    default:
        return hg_emi_beta(low, high, call->kappa);
    }
}

void hg_emi_store(const hg_emi_call *call, int64_t point, const hg_emi_result *r)
{
    for (int64_t i = 0; i < call->n; i++)
        hg_complex_put(call->phase, point * call->n + i, r->phase[i]);
    if (call->quality.data)
        hg_real_put(call->quality, point, r->quality);
    if (call->status)
        call->status[point] = r->status;
    if (call->beta.data)
        hg_real_put(call->beta, point, r->beta);
}
