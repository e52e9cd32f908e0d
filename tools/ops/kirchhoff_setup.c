/* SPDX-License-Identifier: BSD-3-Clause */
/* Table rows of the set-up operations of the kirchhoff family. */
#include "tools/generate/generate.h"
#include "tools/ops/call.h"

#define SETUP const hgate_kirchhoff_setup *s = &c->scalars->params.setup

/* These operations have no params struct; the command hands their check level to the engine. */
static const char *const check_words[] = {"none", "values", "full", NULL};
static const hg_option extras[] = {{
    .name = "check",
    .kind = HG_OPTION_CHOICE,
    .offset = offsetof(cli_scalars, setup_check),
    .preset = HGATE_CHECK_VALUES,
    .words = check_words,
    .key = "ops.kirchhoff.check",
}};

/* ---- operations on a grid ---------------------------------------------------------------- */

static const cli_key grid_keys[] = {
    {"n", 20, 1, NULL, "stations"},
    {"nx", 128, 1, NULL, "image points along x"},
    {"nz", 100, 1, NULL, "image points along z"},
    {"ny", 0, 0, NULL, "image points along y; 0 = two dimensions"},
};

static void grid_prepare(cli_case *c)
{
    static const char *const given[] = {"nx", "nz", "dx", "dz", "v", "ndim", "eps"};
    hgate_kirchhoff_setup *setup = &c->scalars.params.setup;
    hgate_kirchhoff_grid *grid = &setup->grid;
    grid->nx = cli_case_key(c, "nx");
    grid->nz = cli_case_key(c, "nz");
    grid->ny = cli_case_key(c, "ny");
    grid->dx = 10.0;
    grid->dz = 6.0;
    setup->v = 1500.0;
    setup->ndim = grid->ny > 0 ? 3 : 2;
    setup->eps = 5.0;
    for (int i = 0; i < CLI_COUNT(given); i++) {
        cli_case_mark(c, given[i]);
    }
    if (grid->ny > 0) {
        grid->dy = 12.0;
        cli_case_mark(c, "ny");
        cli_case_mark(c, "dy");
    }
}

static void grid_sizes(cli_case *c)
{
    const hgate_kirchhoff_grid *grid = &c->scalars.params.setup.grid;
    c->layouts[0] = '\0';
    cli_case_layout(c, grid->ny > 0 ? "3d" : "2d");
    if (grid->nx > 0 && grid->nz > 0) {
        const int64_t area = cli_case_mul(c, grid->nx, grid->nz);
        cli_case_set_dim(c, HGATE_DIM_KIRCHHOFF_GRID_NI,
                         grid->ny > 0 ? cli_case_mul(c, grid->ny, area) : area);
    }
}

static int traveltime_call(cli_call *c)
{
    SETUP;
    DLTensor **a = c->args;
    switch (c->form) {
    case CLI_ONCE:
        return hgate_kirchhoff_traveltime(c->engine, c->exec, &s->grid, a[0], s->v, a[1], a[2]);
    case CLI_PLAN:
        return hgate_kirchhoff_traveltime_plan(c->engine, c->exec, &s->grid, a[0], s->v, a[1], a[2],
                                               &c->plan);
    case CLI_RUN:
        return hgate_kirchhoff_traveltime_run(c->plan, c->exec, a[0], a[1], a[2]);
    default:
        return hgate_kirchhoff_traveltime_explain(c->engine, c->exec, &s->grid, a[0], s->v, a[1],
                                                  a[2], &c->trace);
    }
}

static int angles_call(cli_call *c)
{
    SETUP;
    CLI_FORMS(kirchhoff_angles, (&s->grid), (c->args[0], c->args[1]))
}

static int spreading_call(cli_call *c)
{
    SETUP;
    CLI_FORMS(kirchhoff_spreading, (s->ndim, s->eps), (c->args[0], c->args[1]))
}

static int index_call(cli_call *c)
{
    SETUP;
    CLI_FORMS(kirchhoff_station_index, (&s->grid), (c->args[0], c->args[1]))
}

/* Elements of the first output. */
static double output_work(const cli_case *c)
{
    return (double)c->arrays[1].count;
}

/* ---- operations on a wavelet ------------------------------------------------------------- */

/* the wavelet alone takes the first */
static const cli_key wavelet_keys[] = {
    {"nwav", 81, 1, NULL, "samples of the wavelet"},
    {"nt", 1000, 1, NULL, "samples of a trace"},
    {"n", 300, 0, NULL, "traces"},
};

static void wavelet_prepare(cli_case *c)
{
    c->scalars.params.setup.ndim = 2;
    c->scalars.params.setup.dt = 0.004;
    cli_case_mark(c, "ndim");
    cli_case_mark(c, "dt");
}

static void convolve_prepare(cli_case *c)
{
    c->scalars.params.setup.wavc = cli_case_key(c, "nwav") / 2;
    cli_case_mark(c, "wavc");
}

static int wavelet_call(cli_call *c)
{
    SETUP;
    CLI_FORMS(kirchhoff_wavelet, (s->ndim, s->dt), (c->args[0], c->args[1]))
}

static int convolve_call(cli_call *c)
{
    SETUP;
    DLTensor **a = c->args;
    switch (c->form) {
    case CLI_ONCE:
        return hgate_kirchhoff_convolve(c->engine, c->exec, s->adjoint, a[0], s->wavc, a[1], a[2]);
    case CLI_PLAN:
        return hgate_kirchhoff_convolve_plan(c->engine, c->exec, s->adjoint, a[0], s->wavc, a[1],
                                             a[2], &c->plan);
    case CLI_RUN:
        return hgate_kirchhoff_convolve_run(c->plan, c->exec, a[0], a[1], a[2]);
    default:
        return hgate_kirchhoff_convolve_explain(c->engine, c->exec, s->adjoint, a[0], s->wavc, a[1],
                                                a[2], &c->trace);
    }
}

static double convolve_work(const cli_case *c)
{
    return (double)c->arrays[HGATE_KIRCHHOFF_CONVOLVE_IN].count *
           (double)c->arrays[HGATE_KIRCHHOFF_CONVOLVE_WAV].count;
}

#define EXTRAS .n_extras = CLI_COUNT(extras), .extras = extras
#define GRID                                                                                       \
    CLI_COUNT(grid_keys), grid_keys, EXTRAS, .prepare = grid_prepare, .sizes = grid_sizes,         \
                                             .fill = cli_kirchhoff_setup_fill, .work = output_work
#define FIRST CLI_BIT(1) /* argument 1 is the output of all but convolve */

const cli_op cli_kirchhoff_setup_ops[] = {
    {HGATE_OP_KIRCHHOFF_TRAVELTIME, GRID, .call = traveltime_call, .work_unit = "values/s",
     .by_peak = FIRST | CLI_BIT(HGATE_KIRCHHOFF_TRAVELTIME_DIST), .tolerance = {1e-6, 1e-14}},
    {HGATE_OP_KIRCHHOFF_ANGLES, GRID, .call = angles_call, .work_unit = "values/s",
     .by_peak = FIRST, .tolerance = {1e-5, 1e-12}},
    {HGATE_OP_KIRCHHOFF_SPREADING, GRID, .call = spreading_call, .work_unit = "values/s",
     .by_peak = FIRST, .tolerance = {1e-6, 1e-14}},
    {HGATE_OP_KIRCHHOFF_STATION_INDEX, GRID, .call = index_call, .work_unit = "stations/s",
     .by_peak = FIRST},
    {HGATE_OP_KIRCHHOFF_WAVELET, 1, wavelet_keys, EXTRAS, .prepare = wavelet_prepare,
     .fill = cli_kirchhoff_wavelet_fill, .call = wavelet_call, .work = output_work,
     .work_unit = "samples/s", .by_peak = FIRST, .tolerance = {1e-5, 1e-12}},
    {HGATE_OP_KIRCHHOFF_CONVOLVE, CLI_COUNT(wavelet_keys), wavelet_keys, EXTRAS,
     .prepare = convolve_prepare, .fill = cli_kirchhoff_wavelet_fill, .call = convolve_call,
     .work = convolve_work, .work_unit = "madd/s", .by_peak = CLI_BIT(HGATE_KIRCHHOFF_CONVOLVE_OUT),
     .tolerance = {1e-5, 1e-12}},
    {.op = -1},
};
