/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference of curvature_kernel: w from baselines by the plain sum of cosines. */
#include "headgate/plugin_util.h"
#include "plugins/cpu-serial/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/curvature/turns.h"
#include "plugins/cpu/view.h"

static const hgate_term terms[] = {{"call", HG_K_CALL},
                                   {"cosines", HG_K_REFERENCE_CURVATURE_COSINE}};

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)state, (void)k;
    const int64_t *dims = problem->dims;
    est->terms[0] = 1.0;
    est->terms[1] = (double)dims[HGATE_DIM_CURVATURE_KERNEL_K] * 2.0 *
                    (double)dims[HGATE_DIM_CURVATURE_KERNEL_NY] *
                    (double)dims[HGATE_DIM_CURVATURE_KERNEL_NX];
    return HGATE_OK;
}

/* w(dy, dx) = sum_k sigma_k^-2 cos(2 pi pix (dx u_k - dy v_k))        at w[dy mod 2ny][dx mod 2nx]
 *
 * uv (K, 2) and sigma (K) or (K, 2) float64, w (2ny, 2nx). The sign of dy: row 0 is the top of the
 * image. w is even, so the half dy > 0 and dy = 0, dx >= 0 is summed and stored twice; row ny and
 * column nx belong to no pair of pixels and are 0. Work: about 2 ny nx K cosines, their arguments
 * reduced to half a turn before the multiplication by 2 pi. sigma = +Inf is weight 0. Source:
 * phases of the discrete Fourier transform of an image with equal noise on both parts. */
static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)state, (void)prepared;
    int64_t n_vis = problem->dims[HGATE_DIM_CURVATURE_KERNEL_K];
    int64_t ny = problem->dims[HGATE_DIM_CURVATURE_KERNEL_NY];
    int64_t nx = problem->dims[HGATE_DIM_CURVATURE_KERNEL_NX];
    const DLTensor *sigma_arg = problem->args[HGATE_CURVATURE_KERNEL_SIGMA];
    int64_t sigma_step = sigma_arg->ndim == 2 ? 2 : 1;
    const double *uv = hg_arg(problem, HGATE_CURVATURE_KERNEL_UV);
    const double *sigma = hg_data(sigma_arg);
    hg_reals w = hg_real_arg(problem, HGATE_CURVATURE_KERNEL_W);
    double pix = ((const hgate_curvature_params *)problem->params)->pix;

    run->committed = 1;
    for (int64_t i = 0; i < 4 * ny * nx; i++)
        hg_real_put(w, i, 0.0);
    for (int64_t dy = 0; dy < ny; dy++) {
        for (int64_t dx = dy == 0 ? 0 : 1 - nx; dx < nx; dx++) {
            double sum = 0.0;
            for (int64_t k = 0; k < n_vis; k++) {
                double turns = pix * uv[2 * k] * (double)dx - pix * uv[2 * k + 1] * (double)dy;
                double s = sigma[k * sigma_step];
                sum += cos(hg_radians(turns)) / (s * s);
            }
            hg_real_put(w, dy * 2 * nx + (dx < 0 ? dx + 2 * nx : dx), sum);
            hg_real_put(w, (dy > 0 ? 2 * ny - dy : 0) * 2 * nx + (dx > 0 ? 2 * nx - dx : -dx), sum);
        }
        int status = hgate_progress(run, dy + 1, ny);
        if (status != HGATE_OK)
            return status;
    }
    return HGATE_OK;
}

const hgate_kernel hg_reference_curvature_kernel = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_CURVATURE_KERNEL,
    .name = "reference",
    .dtypes = HGATE_F32 | HGATE_F64,
    .spaces = HG_CPU_SPACES,
    .flags = HG_CPU_FLAGS | HGATE_KERNEL_REFERENCE,
    .n_terms = HGATE_LENGTH_OF(terms),
    .terms = terms,
    .estimate = estimate,
    .run = run,
};
