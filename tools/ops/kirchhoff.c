/* SPDX-License-Identifier: BSD-3-Clause */
/* Table rows of kirchhoff_forward and kirchhoff_adjoint: one argument list, two directions. */
#include "tools/generate/generate.h"
#include "tools/ops/call.h"

#include <float.h>

static const cli_key keys[] = {
    {"ns", 7, 1, NULL, "sources"},
    {"nr", 11, 1, NULL, "receivers"},
    {"nt", 400, 2, NULL, "samples of a trace"},
    {"nx", 64, 1, NULL, "image points along x"},
    {"nz", 50, 1, NULL, "image points along z"},
    {"ny", 0, 0, NULL, "image points along y; 0 = two dimensions"},
    {"dynamic", 0, 0, NULL, "1: weights from amplitudes and angles"},
};

#define FACTOR(field, value)                                                                       \
    {                                                                                              \
        .name = #field, .kind = HG_OPTION_REAL,                                                    \
        .ops = CLI_BIT(HGATE_OP_KIRCHHOFF_FORWARD) | CLI_BIT(HGATE_OP_KIRCHHOFF_ADJOINT),          \
        .offset = offsetof(cli_scalars, field), .preset = (value)                                  \
    }
static const hg_option extras[] = {FACTOR(alpha, 1), FACTOR(beta, 0)};

static void prepare(cli_case *c)
{
    static const char *const given[] = {"dt", "nt", "nx", "nz"};
    hgate_kirchhoff_params *p = &c->scalars.params.kirchhoff;
    p->dt = 0.004;
    p->nt = cli_case_key(c, "nt");
    p->nx = cli_case_key(c, "nx");
    p->nz = cli_case_key(c, "nz");
    p->ny = cli_case_key(c, "ny");
    for (int i = 0; i < CLI_COUNT(given); i++) {
        cli_case_mark(c, given[i]);
    }
    if (p->ny > 0) {
        cli_case_mark(c, "ny");
    }
    const int64_t area = cli_case_mul(c, p->nx, p->nz);
    cli_case_set_dim(c, HGATE_DIM_KIRCHHOFF_NI, p->ny > 0 ? cli_case_mul(c, p->ny, area) : area);
    if (cli_case_key(c, "dynamic") != 0) {
        p->flags |= HGATE_KIRCHHOFF_DYNAMIC;
        cli_case_mark(c, "dynamic");
        c->included = CLI_BIT(HGATE_KIRCHHOFF_AMP_SRC) | CLI_BIT(HGATE_KIRCHHOFF_AMP_REC) |
                      CLI_BIT(HGATE_KIRCHHOFF_ANG_SRC) | CLI_BIT(HGATE_KIRCHHOFF_ANG_REC) |
                      CLI_BIT(HGATE_KIRCHHOFF_VEL);
    }
}

static void sizes(cli_case *c)
{
    const hgate_kirchhoff_params *p = &c->scalars.params.kirchhoff;
    const bool is_major = p->flags & HGATE_KIRCHHOFF_STATION_MAJOR;
    const bool is_forward = c->op->op == HGATE_OP_KIRCHHOFF_FORWARD;
    const int input = is_forward ? HGATE_KIRCHHOFF_MODEL : HGATE_KIRCHHOFF_DATA;
    const int64_t slabs = p->ny > 0 ? p->ny : 1;
    c->layouts[0] = '\0';
    cli_case_layout(c, is_major ? "station" : "point");
    cli_case_layout(c, p->ny > 0 ? "3d" : "2d");
    cli_case_set_dim(c, HGATE_DIM_KIRCHHOFF_NT, p->nt);
    cli_case_set_dim(c, HGATE_DIM_KIRCHHOFF_NY, p->ny);
    cli_case_set_dim(c, HGATE_DIM_KIRCHHOFF_NZ, p->nz);
    if (p->nx > 0) {
        cli_case_set_dim(c, HGATE_DIM_KIRCHHOFF_NX, p->nx);
    } else if (p->nz > 0) {
        const int64_t ni = cli_case_extent(c, HGATE_KIRCHHOFF_TRAV_SRC, is_major ? 1 : 0);
        cli_case_set_dim(c, HGATE_DIM_KIRCHHOFF_NX, ni / p->nz / slabs);
    }
    /* flat in is flat out */
    if (c->arrays[input].is_given) {
        const int ndim = c->arrays[input].dl.ndim;
        c->out_ndim = is_forward ? (ndim == 1 ? 2 : 3) : ndim == 2 ? 1 : p->ny > 0 ? 3 : 2;
    }
}

static hgate_kirchhoff_tables tables_of(DLTensor *const *a)
{
    hgate_kirchhoff_tables tables;
    (void)hgate_kirchhoff_tables_init(&tables);
    tables.trav_src = a[HGATE_KIRCHHOFF_TRAV_SRC];
    tables.trav_rec = a[HGATE_KIRCHHOFF_TRAV_REC];
    tables.amp_src = a[HGATE_KIRCHHOFF_AMP_SRC];
    tables.amp_rec = a[HGATE_KIRCHHOFF_AMP_REC];
    tables.ang_src = a[HGATE_KIRCHHOFF_ANG_SRC];
    tables.ang_rec = a[HGATE_KIRCHHOFF_ANG_REC];
    tables.vel = a[HGATE_KIRCHHOFF_VEL];
    tables.six = a[HGATE_KIRCHHOFF_SIX];
    tables.rix = a[HGATE_KIRCHHOFF_RIX];
    tables.tap = a[HGATE_KIRCHHOFF_TAP];
    tables.wav = a[HGATE_KIRCHHOFF_WAV];
    return tables;
}

/* The two directions differ in which of the last two arguments is written. */
#define CALL(direction, in, out)                                                                   \
    const hgate_kirchhoff_params *params = &c->scalars->params.kirchhoff;                          \
    const hgate_kirchhoff_tables tables = tables_of(c->args);                                      \
    const double alpha = c->scalars->alpha, beta = c->scalars->beta;                               \
    switch (c->form) {                                                                             \
    case CLI_ONCE:                                                                                 \
        return hgate_kirchhoff_##direction(c->engine, c->exec, params, &tables, alpha,             \
                                           c->args[in], beta, c->args[out]);                       \
    case CLI_PLAN:                                                                                 \
        return hgate_kirchhoff_plan(c->engine, c->exec, params, &tables, &c->plan);                \
    case CLI_RUN:                                                                                  \
        return hgate_kirchhoff_##direction##_run(c->plan, c->exec, alpha, c->args[in], beta,       \
                                                 c->args[out]);                                    \
    case CLI_GROUPED:                                                                              \
        return hgate_kirchhoff_group_##direction(c->engine, c->exec, params, &tables, c->args[in], \
                                                 c->args[out], &c->group);                         \
    default:                                                                                       \
        return hgate_kirchhoff_##direction##_explain(c->engine, c->exec, params, &tables, alpha,   \
                                                     c->args[in], beta, c->args[out], &c->trace);  \
    }

static int forward_call(cli_call *c)
{
    CALL(forward, HGATE_KIRCHHOFF_MODEL, HGATE_KIRCHHOFF_DATA)
}

static int adjoint_call(cli_call *c)
{
    CALL(adjoint, HGATE_KIRCHHOFF_DATA, HGATE_KIRCHHOFF_MODEL)
}

static double pairs(const cli_case *c)
{
    return (double)c->dims[HGATE_DIM_KIRCHHOFF_NS] * (double)c->dims[HGATE_DIM_KIRCHHOFF_NR] *
           (double)c->dims[HGATE_DIM_KIRCHHOFF_NI];
}

#define COMMON                                                                                     \
    CLI_COUNT(keys), keys, .n_extras = CLI_COUNT(extras), .extras = extras, .prepare = prepare,    \
                           .sizes = sizes, .fill = cli_kirchhoff_fill, .work = pairs,              \
                           .work_unit = "pairs/s"

/* Single precision: u is rounded to eps u_max, which a record of 1000 samples turns into 1e-4. */
const cli_op cli_kirchhoff_ops[] = {
    {HGATE_OP_KIRCHHOFF_FORWARD, COMMON, .call = forward_call,
     .by_peak = CLI_BIT(HGATE_KIRCHHOFF_DATA), .tolerance = {2e-3, 1e-11}},
    {HGATE_OP_KIRCHHOFF_ADJOINT, COMMON, .call = adjoint_call,
     .by_peak = CLI_BIT(HGATE_KIRCHHOFF_MODEL), .tolerance = {2e-3, 1e-11}},
    {.op = -1},
};
