/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference of curvature_dirty: the dirty image by the plain sum over visibilities. */
#include "headgate/plugin_util.h"
#include "plugins/cpu-serial/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/curvature/turns.h"
#include "plugins/cpu/view.h"

static const hgate_term terms[] = {{"call", HG_K_CALL},
                                   {"phasors", HG_K_REFERENCE_CURVATURE_PHASOR}};

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)state, (void)k;
    est->terms[0] = 1.0;
    est->terms[1] = (double)problem->dims[HGATE_DIM_CURVATURE_DIRTY_K] *
                    (double)problem->dims[HGATE_DIM_CURVATURE_DIRTY_N];
    return HGATE_OK;
}

/* d_p = sum_k sigma_k^-2 (Re vis_k cos phi - Im vis_k sin phi)        phi = 2 pi (x_p u_k + y_p
 * v_k)
 *
 * uv (K, 2), sigma (K) or (K, 2), vis (K) complex, y and x (N) in radians, d (N); all of 64-bit
 * reals. Work: N K sines and cosines, arguments reduced to half a turn first. Source: adjoint of
 * V_k = sum_p I_p exp(-2 pi i (x_p u_k + y_p v_k)) with weights sigma^-2. */
static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)state, (void)prepared;
    int64_t n_vis = problem->dims[HGATE_DIM_CURVATURE_DIRTY_K];
    int64_t n_pixels = problem->dims[HGATE_DIM_CURVATURE_DIRTY_N];
    const DLTensor *sigma_arg = problem->args[HGATE_CURVATURE_DIRTY_SIGMA];
    int64_t sigma_step = sigma_arg->ndim == 2 ? 2 : 1;
    const double *uv = hg_arg(problem, HGATE_CURVATURE_DIRTY_UV);
    const double *sigma = hg_data(sigma_arg);
    const double *vis = hg_arg(problem, HGATE_CURVATURE_DIRTY_VIS);
    const double *y = hg_arg(problem, HGATE_CURVATURE_DIRTY_Y);
    const double *x = hg_arg(problem, HGATE_CURVATURE_DIRTY_X);
    double *d = hg_arg(problem, HGATE_CURVATURE_DIRTY_D);

    run->committed = 1;
    for (int64_t p = 0; p < n_pixels; p++) {
        double sum = 0.0;
        for (int64_t k = 0; k < n_vis; k++) {
            double phi = hg_radians(x[p] * uv[2 * k] + y[p] * uv[2 * k + 1]);
            double s = sigma[k * sigma_step];
            sum += (vis[2 * k] * cos(phi) - vis[2 * k + 1] * sin(phi)) / (s * s);
        }
        d[p] = sum;
        int status = p % 256 == 255 ? hgate_progress(run, p + 1, n_pixels) : HGATE_OK;
        if (status != HGATE_OK)
            return status;
    }
    return HGATE_OK;
}

const hgate_kernel hg_reference_curvature_dirty = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_CURVATURE_DIRTY,
    .name = "reference",
    .dtypes = HGATE_F64 | HGATE_C128,
    .spaces = HG_CPU_SPACES,
    .flags = HG_CPU_FLAGS | HGATE_KERNEL_REFERENCE,
    .n_terms = HGATE_LENGTH_OF(terms),
    .terms = terms,
    .estimate = estimate,
    .run = run,
};
