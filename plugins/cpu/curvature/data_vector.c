/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel direct of curvature_data_vector: D = M' d, blocks of columns over the team.
 *
 *      D_s = sum_{t in s} vals_t d[rows_t]
 *
 * d (N), vals (nnz), D (S) of one precision; indptr (S+1) int64, rows (nnz) int32 or int64.
 * Work: nnz multiply-adds and one pass over rows that checks them; what limits is reading
 * 12 to 16 bytes for each entry. Sums are in double and in the order of the entries: the bits of
 * the reference. Source: normal equations of the pixelized image. */
#include "headgate/plugin_util.h"
#include "plugins/cpu/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/curvature/csc.h"

enum { COLUMNS = 256 };

static const hgate_term terms[] = {
    {"call", HG_K_CALL}, {"entries", HG_K_CURVATURE_DATA_ENTRY}, {"team", HG_K_TEAM}};

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)k;
    int workers = hg_cpu_threads(state, problem->threads);
    double nnz = (double)problem->dims[HGATE_DIM_CURVATURE_DATA_VECTOR_NNZ];
    double columns = (double)problem->dims[HGATE_DIM_CURVATURE_DATA_VECTOR_S];
    est->terms[0] = 1.0;
    est->terms[1] = (nnz + columns) / workers;
    est->terms[2] = hg_cpu_teams(workers, 1.0);
    return HGATE_OK;
}

typedef struct work {
    hg_csc m;
    hg_reals d, vals, out;
} work;

#define SUM(REAL, INDEX)                                                                           \
    static double sum_##REAL##_##INDEX(const work *w, int64_t t, int64_t end)                      \
    {                                                                                              \
        const REAL *d = w->d.data, *vals = w->vals.data;                                           \
        const INDEX *rows = w->m.rows.data;                                                        \
        double sum = 0.0;                                                                          \
        for (; t < end; t++)                                                                       \
            sum += (double)vals[t] * (double)d[rows[t]];                                           \
        return sum;                                                                                \
    }

SUM(float, int32_t)
SUM(float, int64_t)
SUM(double, int32_t)
SUM(double, int64_t)

static void do_block(void *context, int64_t i, int worker)
{
    (void)worker;
    static double (*const sums[2][2])(const work *, int64_t, int64_t) = {
        {sum_float_int32_t, sum_float_int64_t}, {sum_double_int32_t, sum_double_int64_t}};
    const work *w = context;
    const int64_t *start = w->m.indptr;
    int64_t end = (i + 1) * COLUMNS < w->m.n_columns ? (i + 1) * COLUMNS : w->m.n_columns;
    for (int64_t s = i * COLUMNS; s < end; s++)
        hg_real_put(w->out, s, sums[w->d.is_64][w->m.rows.is_64](w, start[s], start[s + 1]));
}

static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)prepared;
    const hg_cpu *cpu = state;
    const int64_t *dims = problem->dims;
    work w = {.m = {.n_rows = dims[HGATE_DIM_CURVATURE_DATA_VECTOR_N],
                    .n_columns = dims[HGATE_DIM_CURVATURE_DATA_VECTOR_S],
                    .nnz = dims[HGATE_DIM_CURVATURE_DATA_VECTOR_NNZ],
                    .indptr = hg_arg(problem, HGATE_CURVATURE_DATA_VECTOR_INDPTR),
                    .rows = hg_index_arg(problem, HGATE_CURVATURE_DATA_VECTOR_ROWS)},
              .d = hg_real_arg(problem, HGATE_CURVATURE_DATA_VECTOR_d),
              .vals = hg_real_arg(problem, HGATE_CURVATURE_DATA_VECTOR_VALS),
              .out = hg_real_arg(problem, HGATE_CURVATURE_DATA_VECTOR_D)};
    int status = hg_csc_check(run->host, &w.m);
    if (status != HGATE_OK)
        return status;
    run->committed = 1;
    cpu->spread(hg_cpu_threads(cpu, run->threads), (w.m.n_columns + COLUMNS - 1) / COLUMNS,
                do_block, &w);
    return HGATE_OK;
}

HG_CPU_KERNEL(curvature_data_vector, .op = HGATE_OP_CURVATURE_DATA_VECTOR, .name = "direct",
              .dtypes = HGATE_F32 | HGATE_F64, .n_terms = HGATE_LENGTH_OF(terms), .terms = terms,
              .estimate = estimate, .run = run);
