/* SPDX-License-Identifier: BSD-3-Clause */
/* Table rows of the operations of the curvature family. */
#include "tools/generate/generate.h"
#include "tools/ops/call.h"
#include "tools/report.h"

#define PARAMS (&c->scalars->params.curvature)

/* ---- curvature --------------------------------------------------------------------------- */

static const cli_key curvature_keys[] = {
    {"ny", 64, 1, NULL, "rows of the extent"},
    {"nx", 60, 1, NULL, "columns of the extent"},
    {"s", 150, 0, NULL, "source pixels, columns of M"},
    {"nnz", 9000, 0, NULL, "entries of M"},
    {"case", -1, 0, cli_curvature_cases, "a mask with a mesh, in place of ny nx s nnz"},
};

static int curvature_call(cli_call *c)
{
    DLTensor **a = c->args;
    switch (c->form) {
    case CLI_ONCE:
        return hgate_curvature(c->engine, c->exec, PARAMS, a[0], a[1], a[2], a[3], a[4], a[5],
                               a[6]);
    case CLI_PLAN:
        return hgate_curvature_plan(c->engine, c->exec, PARAMS, a[0], a[1], a[2], &c->plan);
    case CLI_RUN:
        return hgate_curvature_run(c->plan, c->exec, a[3], a[4], a[5], a[6]);
    default:
        return hgate_curvature_explain(c->engine, c->exec, PARAMS, a[0], a[1], a[2], a[3], a[4],
                                       a[5], a[6], &c->trace);
    }
}

/* Multiply-adds of the full kernel: nnz ny nx. */
static double curvature_work(const cli_case *c)
{
    return (double)c->arrays[HGATE_CURVATURE_VALS].count *
           (double)c->arrays[HGATE_CURVATURE_W].count / 4.0;
}

/* ---- curvature_kernel -------------------------------------------------------------------- */

static const cli_key kernel_keys[] = {
    {"k", 1000, 0, NULL, "visibilities"},
    {"ny", 64, 1, NULL, "rows of the extent"},
    {"nx", 60, 1, NULL, "columns of the extent"},
};
#define SIZE(field)                                                                                \
    {                                                                                              \
        .name = #field, .kind = HG_OPTION_INT64, .ops = CLI_BIT(HGATE_OP_CURVATURE_KERNEL),        \
        .offset = offsetof(cli_scalars, field), .is_required = true, .least = 1,                   \
        .most = (double)(INT64_MAX / 4), .expected = "1 or more"                                   \
    }
static const hg_option kernel_extras[] = {SIZE(ny), SIZE(nx),
                                          CLI_OUT_DTYPE(HGATE_OP_CURVATURE_KERNEL)};

static void kernel_prepare(cli_case *c)
{
    c->scalars.ny = cli_case_key(c, "ny");
    c->scalars.nx = cli_case_key(c, "nx");
    c->scalars.out_dtype = 1 + (int)cli_real(c->is_double);
    c->scalars.params.curvature.pix = CLI_PIXEL;
    cli_case_mark(c, "ny");
    cli_case_mark(c, "nx");
    cli_case_mark(c, "pix");
    cli_case_mark(c, "out_dtype");
}

static void kernel_sizes(cli_case *c)
{
    cli_case_set_dim(c, HGATE_DIM_CURVATURE_KERNEL_NY, c->scalars.ny);
    cli_case_set_dim(c, HGATE_DIM_CURVATURE_KERNEL_NX, c->scalars.nx);
}

static int kernel_call(cli_call *c)
{
    DLTensor **a = c->args;
    CLI_FORMS(curvature_kernel, (PARAMS), (a[0], a[1], a[2]))
}

static double kernel_work(const cli_case *c)
{
    return (double)cli_case_extent(c, HGATE_CURVATURE_KERNEL_UV, 0) *
           (double)c->arrays[HGATE_CURVATURE_KERNEL_W].count;
}

/* ---- curvature_dirty --------------------------------------------------------------------- */

static void dirty_prepare(cli_case *c)
{
    cli_case_set_dim(c, HGATE_DIM_CURVATURE_DIRTY_N,
                     cli_ellipse_count(cli_case_key(c, "ny"), cli_case_key(c, "nx")));
}

static int dirty_call(cli_call *c)
{
    DLTensor **a = c->args;
    CLI_FORMS(curvature_dirty, (PARAMS), (a[0], a[1], a[2], a[3], a[4], a[5]))
}

static double dirty_work(const cli_case *c)
{
    return (double)c->arrays[HGATE_CURVATURE_DIRTY_VIS].count *
           (double)c->arrays[HGATE_CURVATURE_DIRTY_D].count;
}

/* ---- curvature_data_vector --------------------------------------------------------------- */

static const cli_key vector_keys[] = {
    {"n", 90000, 1, NULL, "pixels"},
    {"s", 2500, 0, NULL, "source pixels, columns of M"},
    {"nnz", 270000, 0, NULL, "entries of M"},
};

static void vector_prepare(cli_case *c)
{
    if (cli_case_key(c, "s") == 0 && cli_case_key(c, "nnz") > 0) {
        c->status = hg_error(HGATE_ESHAPE, "nnz: entries, but no column for them");
    }
}

static int vector_call(cli_call *c)
{
    DLTensor **a = c->args;
    CLI_FORMS(curvature_data_vector, (PARAMS), (a[0], a[1], a[2], a[3], a[4]))
}

static double vector_work(const cli_case *c)
{
    return (double)c->arrays[HGATE_CURVATURE_DATA_VECTOR_VALS].count;
}

#define KEYS(table) .n_keys = CLI_COUNT(table), .keys = table

const cli_op cli_curvature_ops[] = {
    {HGATE_OP_CURVATURE, KEYS(curvature_keys), .is_double = true, .prepare = cli_curvature_prepare,
     .fill = cli_curvature_fill, .call = curvature_call, .work = curvature_work,
     .work_unit = "madd/s", .by_peak = CLI_BIT(HGATE_CURVATURE_F), .tolerance = {1e-5, 1e-12}},
    {HGATE_OP_CURVATURE_KERNEL, KEYS(kernel_keys), .is_double = true,
     .n_extras = CLI_COUNT(kernel_extras), .extras = kernel_extras, .prepare = kernel_prepare,
     .sizes = kernel_sizes, .fill = cli_curvature_kernel_fill, .call = kernel_call,
     .work = kernel_work, .work_unit = "cell*vis/s", .by_peak = CLI_BIT(HGATE_CURVATURE_KERNEL_W),
     .tolerance = {1e-6, 1e-12}},
    {HGATE_OP_CURVATURE_DIRTY, KEYS(kernel_keys), .is_double = true, .prepare = dirty_prepare,
     .fill = cli_curvature_dirty_fill, .call = dirty_call, .work = dirty_work,
     .work_unit = "pixel*vis/s", .by_peak = CLI_BIT(HGATE_CURVATURE_DIRTY_D),
     .tolerance = {1e-12, 1e-12}},
    {HGATE_OP_CURVATURE_DATA_VECTOR, KEYS(vector_keys), .is_double = true,
     .prepare = vector_prepare, .fill = cli_curvature_data_vector_fill, .call = vector_call,
     .work = vector_work, .work_unit = "entries/s",
     .by_peak = CLI_BIT(HGATE_CURVATURE_DATA_VECTOR_D), .tolerance = {1e-5, 1e-12}},
    {.op = -1},
};
