/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference of kirchhoff_angles: ray angles from the gradient of a traveltime table. */
#include "plugins/cpu-serial/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/kirchhoff/grid.h"

static const hgate_term terms[] = {{"call", HG_K_CALL}, {"entries", HG_K_REFERENCE_ANGLE_ENTRY}};

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)state, (void)k;
    est->terms[0] = 1.0;
    est->terms[1] = (double)problem->dims[HGATE_DIM_KIRCHHOFF_GRID_NI] *
                    (double)problem->dims[HGATE_DIM_KIRCHHOFF_GRID_N];
    return HGATE_OK;
}

/* Derivative along one axis: `at` is the entry, `coordinate` its index on the axis, `stride` the
 * distance of neighbours. Central inside, one-sided at the ends, 0 on an axis of length 1. */
static double derivative(hg_reals trav, int64_t at, int64_t coordinate, int64_t size,
                         int64_t stride, double step)
{
    if (size == 1)
        return 0.0;
    int64_t back = coordinate > 0 ? 1 : 0, ahead = coordinate < size - 1 ? 1 : 0;
    double difference = hg_real(trav, at + ahead * stride) - hg_real(trav, at - back * stride);
    return difference / ((double)(back + ahead) * step) + 0.0; /* no -0, which has a direction */
}

/* 2D: atan2(dt/dx, dt/dz). 3D: sgn(dt/dx) acos(dt/dz / |grad|) by the arctangent, which is as good
 * near the axis as elsewhere; sgn(0) = 1, and 0 without gradient. */
static double angle(const hg_axes *axes, const double gradient[HG_MAX_AXES])
{
    double dx = gradient[axes->lateral], dz = gradient[axes->n - 1];
    if (axes->n == 2)
        return atan2(dx, dz);
    if (isnan(gradient[0]) || isnan(dx))
        return NAN; /* hypot() of an infinity forgets it */
    double turn = atan2(hypot(gradient[0], dx), dz);
    return dx < 0.0 ? -turn : turn;
}

/* ang[i,j] from the gradient of trav[:,j] on the grid, with the grid's own steps
 *
 * trav and ang (ni, n), last axis of the grid fastest. In double, rounded once. Each table has its
 * own sign. Source: ray direction as the gradient of the eikonal. */
static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)state, (void)prepared;
    const hgate_kirchhoff_setup *setup = problem->params;
    int64_t n = problem->dims[HGATE_DIM_KIRCHHOFF_GRID_N];
    int64_t ni = problem->dims[HGATE_DIM_KIRCHHOFF_GRID_NI];
    hg_axes axes = hg_axes_of(&setup->grid);
    hg_reals trav = hg_real_arg(problem, HGATE_KIRCHHOFF_ANGLES_TRAV);
    hg_reals ang = hg_real_arg(problem, HGATE_KIRCHHOFF_ANGLES_ANG);

    run->committed = 1;
    for (int64_t i = 0; i < ni; i++)
        for (int64_t j = 0; j < n; j++) {
            double gradient[HG_MAX_AXES];
            int64_t rest = i, stride = n;
            for (int d = axes.n - 1; d >= 0; d--) {
                gradient[d] = derivative(trav, i * n + j, rest % axes.size[d], axes.size[d], stride,
                                         axes.step[d]);
                rest /= axes.size[d];
                stride *= axes.size[d];
            }
            hg_real_put(ang, i * n + j, angle(&axes, gradient));
        }
    return HGATE_OK;
}

const hgate_kernel hg_reference_kirchhoff_angles = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_KIRCHHOFF_ANGLES,
    .name = "reference",
    .dtypes = HGATE_F32 | HGATE_F64,
    .spaces = HG_CPU_SPACES,
    .flags = HG_CPU_FLAGS | HGATE_KERNEL_REFERENCE,
    .n_terms = sizeof terms / sizeof *terms,
    .terms = terms,
    .estimate = estimate,
    .run = run,
};
