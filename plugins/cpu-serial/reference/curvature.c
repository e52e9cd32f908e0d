/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference of curvature: F = M' (W M), one column of M after the other. */
#include "headgate/plugin_util.h"
#include "plugins/cpu-serial/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/curvature/csc.h"

#include <inttypes.h>

static const hgate_term terms[] = {{"call", HG_K_CALL},
                                   {"pairs", HG_K_REFERENCE_CURVATURE_PAIR},
                                   {"gather", HG_K_REFERENCE_CURVATURE_GATHER}};

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)state, (void)k;
    double pixels = (double)problem->dims[HGATE_DIM_CURVATURE_N];
    double nnz = (double)problem->dims[HGATE_DIM_CURVATURE_NNZ];
    est->terms[0] = 1.0;
    est->terms[1] = pixels * nnz;
    est->terms[2] = (double)problem->dims[HGATE_DIM_CURVATURE_S] * nnz;
    hgate_scratch scratch = hgate_scratch_count();
    hgate_scratch_take(&scratch, problem->dims[HGATE_DIM_CURVATURE_N], sizeof(double));
    est->ws_host = scratch.bytes;
    return HGATE_OK;
}

/* The mask and w as the caller gave them. */
typedef struct image {
    int64_t ny, nx, n_pixels;
    hg_indices iy, ix;
    hg_reals w;
} image;

/* W[p, q]: offset (dy, dx) is at w[dy mod 2ny][dx mod 2nx]. */
static double w_at(const image *im, int64_t p, int64_t q)
{
    int64_t dy = hg_index(im->iy, p) - hg_index(im->iy, q);
    int64_t dx = hg_index(im->ix, p) - hg_index(im->ix, q);
    int64_t row = dy < 0 ? dy + 2 * im->ny : dy;
    int64_t column = dx < 0 ? dx + 2 * im->nx : dx;
    return hg_real(im->w, row * 2 * im->nx + column);
}

static int check_pixels(const hgate_host *host, const image *im)
{
    for (int64_t p = 0; p < im->n_pixels; p++) {
        int64_t y = hg_index(im->iy, p), x = hg_index(im->ix, p);
        if (y < 0 || y >= im->ny || x < 0 || x >= im->nx)
            return hgate_fail(host, HGATE_EVALUE,
                              "iy, ix: element %" PRId64 " is (%" PRId64 ", %" PRId64
                              "), outside of the extent (%" PRId64 ", %" PRId64 ")",
                              p, y, x, im->ny, im->nx);
    }
    return HGATE_OK;
}

/* F[s, c] = sum_{t in c} vals_t U_s[rows_t]        U_s[p] = sum_{t in s} vals_t W[p, rows_t]
 *
 * w (2ny, 2nx), iy and ix (N), indptr (S+1), rows and vals (nnz), F (S, S).
 * Work: N nnz reads of w and S nnz for the second sum, all in double and in the order of the
 * entries. F is symmetric up to rounding, and not averaged. A non-finite value touches its own row
 * and column only. Source: F = M' W M written out. */
static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)state, (void)prepared;
    const int64_t *dims = problem->dims;
    image im = {.ny = dims[HGATE_DIM_CURVATURE_NY],
                .nx = dims[HGATE_DIM_CURVATURE_NX],
                .n_pixels = dims[HGATE_DIM_CURVATURE_N],
                .iy = hg_index_arg(problem, HGATE_CURVATURE_IY),
                .ix = hg_index_arg(problem, HGATE_CURVATURE_IX),
                .w = hg_real_arg(problem, HGATE_CURVATURE_W)};
    hg_csc m = {.n_rows = im.n_pixels,
                .n_columns = dims[HGATE_DIM_CURVATURE_S],
                .nnz = dims[HGATE_DIM_CURVATURE_NNZ],
                .indptr = hg_arg(problem, HGATE_CURVATURE_INDPTR),
                .rows = hg_index_arg(problem, HGATE_CURVATURE_ROWS)};
    hg_reals vals = hg_real_arg(problem, HGATE_CURVATURE_VALS);
    hg_reals f = hg_real_arg(problem, HGATE_CURVATURE_F);
    hgate_scratch scratch = hgate_scratch_over(run);
    double *u = hgate_scratch_take(&scratch, im.n_pixels, sizeof *u);
    if (im.n_pixels > 0 && !u)
        return hgate_fail(run->host, HGATE_EPLUGIN, "curvature: workspace is too small");

    int status = check_pixels(run->host, &im);
    if (status == HGATE_OK)
        status = hg_csc_check(run->host, &m);
    if (status != HGATE_OK)
        return status;
    run->committed = 1;
    for (int64_t s = 0; s < m.n_columns && status == HGATE_OK; s++) {
        for (int64_t p = 0; p < im.n_pixels; p++) {
            u[p] = 0.0;
            for (int64_t t = m.indptr[s]; t < m.indptr[s + 1]; t++)
                u[p] += hg_real(vals, t) * w_at(&im, p, hg_index(m.rows, t));
        }
        for (int64_t c = 0; c < m.n_columns; c++) {
            double sum = 0.0;
            for (int64_t t = m.indptr[c]; t < m.indptr[c + 1]; t++)
                sum += hg_real(vals, t) * u[hg_index(m.rows, t)];
            hg_real_put(f, s * m.n_columns + c, sum);
        }
        status = hgate_progress(run, s + 1, m.n_columns);
    }
    return status;
}

const hgate_kernel hg_reference_curvature = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_CURVATURE,
    .name = "reference",
    .dtypes = HGATE_F32 | HGATE_F64,
    .spaces = HG_CPU_SPACES,
    .flags = HG_CPU_FLAGS | HGATE_KERNEL_REFERENCE,
    .n_terms = HGATE_LENGTH_OF(terms),
    .terms = terms,
    .estimate = estimate,
    .run = run,
};
