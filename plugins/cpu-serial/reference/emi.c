/* SPDX-License-Identifier: BSD-3-Clause */
/* References of emi and evd: one point after the other, by LAPACK in double. */
#include "headgate/plugin_util.h"
#include "plugins/cpu-serial/constants.h"
#include "plugins/cpu-serial/reference/emi_point.h"
#include "plugins/cpu/blas.h"
#include "plugins/cpu/cpu.h"

#include <limits.h>
#include <math.h>

static const hgate_term emi_terms[] = {
    {"call", HG_K_CALL}, {"n3", HG_K_REFERENCE_EMI_N3}, {"n2", HG_K_REFERENCE_EMI_N2}};
static const hgate_term evd_terms[] = {
    {"call", HG_K_CALL}, {"n3", HG_K_REFERENCE_EVD_N3}, {"n2", HG_K_REFERENCE_EMI_N2}};

/* LAPACK counts in int, elements of a matrix too. */
enum { MAX_IMAGES = 46340 };

static int supports(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    (void)state;
    int64_t n = problem->dims[HGATE_DIM_EMI_N];
    if (n > MAX_IMAGES)
        return hgate_refuse(reason, HGATE_REFUSE_LIMIT, (double)n, MAX_IMAGES,
                            "%lld images, at most %d", (long long)n, (int)MAX_IMAGES);
    return HGATE_OK;
}

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)state, (void)k;
    double n = (double)problem->dims[HGATE_DIM_EMI_N];
    double points = (double)problem->dims[HGATE_DIM_EMI_BATCH];
    est->terms[0] = 1.0;
    est->terms[1] = points * n * n * n;
    est->terms[2] = points * n * n;
    hgate_scratch scratch = hgate_scratch_count();
    emi_scratch s;
    hg_emi_result r;
    emi_scratch_lay_out(&scratch, problem->dims[HGATE_DIM_EMI_N], &s, &r);
    est->ws_host = scratch.bytes;
    return HGATE_OK;
}

static int run_points(const hgate_problem *problem, hgate_run *run,
                      void (*solve)(const hg_emi_call *, int64_t, emi_scratch *, hg_emi_result *))
{
    hg_emi_call call = hg_emi_call_of(run->host, problem);
    hgate_scratch scratch = hgate_scratch_over(run);
    emi_scratch s;
    hg_emi_result r;
    emi_scratch_lay_out(&scratch, call.n, &s, &r);
    if (scratch.is_short)
        return hgate_fail(run->host, HGATE_EPLUGIN, "emi: workspace of %zu bytes, needs %zu",
                          run->ws_host_bytes, scratch.bytes);
    int status = HGATE_OK;
    run->committed = 1;
    (void)hg_blas_enter(run->host, 1);
    for (int64_t point = 0; point < call.n_points && status == HGATE_OK; point++) {
        solve(&call, point, &s, &r);
        hg_emi_store(&call, point, &r);
        if (point % 64 == 63 || point + 1 == call.n_points)
            status = hgate_progress(run, point + 1, call.n_points);
    }
    hg_blas_leave(run->host);
    return status;
}

/* A = |Gamma|, Gamma_b = (1 - beta) Gamma + beta I, A_b likewise
 * v = eigenvector of the smallest eigenvalue of A_b^-1 o Gamma_b;   phase_i = v_i conj(v_ref) /
 * |v_i conj(v_ref)|
 *
 * coh (P, n, n) or (P, n(n-1)/2), phase (P, n); quality (P), the eigenvalue; status (P); beta (P).
 * Per point: eigenvalues of A, its inverse by factors with pivoting, all eigenvectors of M; about
 * 30 n^3 operations. Images without any coherence are left out. Two images have a closed form.
 * Source: Ansari, De Zan, Bamler 2018; strength of the regularization: beta.h. */
static int run_emi(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)state, (void)prepared;
    return run_points(problem, run, emi_solve_point);
}

/* The same for the largest eigenvalue of A o Gamma, without beta. */
static int run_evd(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)state, (void)prepared;
    return run_points(problem, run, evd_solve_point);
}

const hgate_kernel hg_reference_emi = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_EMI,
    .name = "reference",
    .dtypes = HGATE_C64 | HGATE_C128,
    .spaces = HG_CPU_SPACES,
    .flags = HG_CPU_FLAGS | HGATE_KERNEL_REFERENCE,
    .n_terms = HGATE_LENGTH_OF(emi_terms),
    .terms = emi_terms,
    .supports = supports,
    .estimate = estimate,
    .run = run_emi,
};

const hgate_kernel hg_reference_evd = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_EVD,
    .name = "reference",
    .dtypes = HGATE_C64 | HGATE_C128,
    .spaces = HG_CPU_SPACES,
    .flags = HG_CPU_FLAGS | HGATE_KERNEL_REFERENCE,
    .n_terms = HGATE_LENGTH_OF(evd_terms),
    .terms = evd_terms,
    .supports = supports,
    .estimate = estimate,
    .run = run_evd,
};
