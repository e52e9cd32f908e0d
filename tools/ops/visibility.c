/* SPDX-License-Identifier: BSD-3-Clause */
/* Table rows of the fused `visibility` and of the steps of its chain. */
#include "tools/generate/generate.h"
#include "tools/ops/call.h"

#define PARAMS (&c->scalars->params.visibility)

/* ---- visibility -------------------------------------------------------------------------- */

static const cli_key fused_keys[] = {
    {"nant", 19, 1, NULL, "antennas"},
    {"nfeed", 2, 1, NULL, "feeds of an antenna"},
    {"nax", 2, 1, NULL, "axes of the electric field"},
    {"nsrc", 3000, 0, NULL, "sources, half of them above the horizon"},
    {"nbeam", 3, 1, NULL, "different beams"},
    {"nchunk", 1, 1, NULL, "chunks of sources, at least"},
    {"npairs", 0, 0, NULL, "antenna pairs; 0 = all of V"},
};

static void set_frequency(cli_case *c)
{
    c->scalars.params.visibility.freq_hz = CLI_FREQUENCY;
    cli_case_mark(c, "freq_hz");
}

static void fused_prepare(cli_case *c)
{
    set_frequency(c);
    c->included = CLI_BIT(HGATE_VISIBILITY_BEAM_IDX);
    if (cli_case_key(c, "npairs") > 0) {
        c->included |= CLI_BIT(HGATE_VISIBILITY_PAIRS);
    }
    /* one degree in zenith angle, two in azimuth */
    cli_case_set_dim(c, HGATE_DIM_VISIBILITY_NZA, 91);
    cli_case_set_dim(c, HGATE_DIM_VISIBILITY_NAZ, 181);
    c->scalars.params.visibility.min_chunks = cli_case_key(c, "nchunk");
    if (c->scalars.params.visibility.min_chunks > 1) {
        cli_case_mark(c, "min_chunks");
    }
}

static void fused_sizes(cli_case *c)
{
    const bool is_listed =
        c->arrays[HGATE_VISIBILITY_PAIRS].is_given || c->included & CLI_BIT(HGATE_VISIBILITY_PAIRS);
    c->layouts[0] = '\0';
    cli_case_layout(c, is_listed ? "listed" : "square");
}

static int fused_call(cli_call *c)
{
    DLTensor **a = c->args;
    hgate_visibility_input in;
    const int status = hgate_visibility_input_init(&in);
    if (status != HGATE_OK) {
        return status;
    }
    in.antpos = a[HGATE_VISIBILITY_ANTPOS];
    in.crd = a[HGATE_VISIBILITY_CRD];
    in.flux = a[HGATE_VISIBILITY_FLUX];
    in.grid = a[HGATE_VISIBILITY_GRID];
    in.daz = a[HGATE_VISIBILITY_DAZ];
    in.dza = a[HGATE_VISIBILITY_DZA];
    in.az0 = a[HGATE_VISIBILITY_AZ0];
    in.za0 = a[HGATE_VISIBILITY_ZA0];
    in.beam_idx = a[HGATE_VISIBILITY_BEAM_IDX];
    in.pairs = a[HGATE_VISIBILITY_PAIRS];
    CLI_FORMS(visibility, (PARAMS), (&in, a[HGATE_VISIBILITY_V]))
}

/* Antennas times sources: the pieces that Z is made of. */
static double fused_work(const cli_case *c)
{
    return (double)cli_case_extent(c, HGATE_VISIBILITY_ANTPOS, 0) *
           (double)cli_case_extent(c, HGATE_VISIBILITY_FLUX, 0);
}

/* ---- visibility_horizon, visibility_angles ----------------------------------------------- */

static const cli_key source_keys[] = {{"nsrc", 100000, 0, NULL, "sources"}};

static void no_prepare(cli_case *c)
{
    (void)c;
}

static int horizon_call(cli_call *c)
{
    DLTensor **a = c->args;
    int64_t *n_up = &c->scalars->n_up;
    switch (c->form) {
    case CLI_ONCE:
        return hgate_visibility_horizon(c->engine, c->exec, PARAMS, a[0], a[1], a[2], a[3], a[4],
                                        n_up);
    case CLI_PLAN:
        return hgate_visibility_horizon_plan(c->engine, c->exec, PARAMS, a[0], a[1], a[2], a[3],
                                             a[4], &c->plan);
    case CLI_RUN:
        return hgate_visibility_horizon_run(c->plan, c->exec, a[0], a[1], a[2], a[3], a[4], n_up);
    default:
        return hgate_visibility_horizon_explain(c->engine, c->exec, PARAMS, a[0], a[1], a[2], a[3],
                                                a[4], &c->trace);
    }
}

static int angles_call(cli_call *c)
{
    DLTensor **a = c->args;
    CLI_FORMS(visibility_angles, (PARAMS), (a[0], a[1], a[2]))
}

static double source_work(const cli_case *c)
{
    return (double)cli_case_extent(c, 0, 1);
}

/* ---- visibility_beam --------------------------------------------------------------------- */

static const cli_key beam_keys[] = {
    {"nbeam", 3, 1, NULL, "beams"},
    {"nfeed", 2, 1, NULL, "feeds of an antenna"},
    {"nax", 2, 1, NULL, "axes of the electric field"},
    {"nsrc", 5000, 0, NULL, "sources"},
    {"nza", 91, 2, NULL, "zenith angles of the grid"},
    {"naz", 181, 2, NULL, "azimuth angles of the grid"},
};
static const hg_option beam_extras[] = {CLI_OUT_DTYPE(HGATE_OP_VISIBILITY_BEAM)};

static int beam_call(cli_call *c)
{
    DLTensor **a = c->args;
    hgate_beam_geometry geometry;
    const int status = hgate_beam_geometry_init(&geometry);
    if (status != HGATE_OK) {
        return status;
    }
    geometry.daz = a[HGATE_VISIBILITY_BEAM_DAZ];
    geometry.dza = a[HGATE_VISIBILITY_BEAM_DZA];
    geometry.az0 = a[HGATE_VISIBILITY_BEAM_AZ0];
    geometry.za0 = a[HGATE_VISIBILITY_BEAM_ZA0];
    CLI_FORMS(visibility_beam, (PARAMS),
              (a[HGATE_VISIBILITY_BEAM_GRID], &geometry, a[HGATE_VISIBILITY_BEAM_AZ],
               a[HGATE_VISIBILITY_BEAM_ZA], a[HGATE_VISIBILITY_BEAM_BEAM]))
}

/* ---- visibility_tau, visibility_z -------------------------------------------------------- */

/* tau takes the first two */
static const cli_key z_keys[] = {
    {"nant", 19, 1, NULL, "antennas"},
    {"nsrc", 5000, 0, NULL, "sources"},
    {"nfeed", 2, 1, NULL, "feeds of an antenna"},
    {"nax", 2, 1, NULL, "axes of the electric field"},
    {"nbeam", 3, 1, NULL, "beams"},
};
enum { N_TAU_KEYS = 2, N_Z_KEYS = CLI_COUNT(z_keys) };
static const hg_option tau_extras[] = {CLI_OUT_DTYPE(HGATE_OP_VISIBILITY_TAU)};

static int tau_call(cli_call *c)
{
    DLTensor **a = c->args;
    CLI_FORMS(visibility_tau, (PARAMS), (a[0], a[1], a[2]))
}

static void z_prepare(cli_case *c)
{
    c->included = CLI_BIT(HGATE_VISIBILITY_Z_BEAM_IDX);
}

static int z_call(cli_call *c)
{
    DLTensor **a = c->args;
    CLI_FORMS(visibility_z, (PARAMS), (a[0], a[1], a[2], a[3], a[4]))
}

/* Elements of the last argument, which is the output of the three. */
static double output_work(const cli_case *c)
{
    return (double)c->arrays[c->row->n_args - 1].count;
}

#define KEYS(table) .n_keys = CLI_COUNT(table), .keys = table
#define EXTRAS(table) .n_extras = CLI_COUNT(table), .extras = table

const cli_op cli_visibility_ops[] = {
    {HGATE_OP_VISIBILITY, KEYS(fused_keys), .prepare = fused_prepare, .sizes = fused_sizes,
     .fill = cli_visibility_fill, .call = fused_call, .work = fused_work,
     .work_unit = "antenna*source/s", .by_peak = CLI_BIT(HGATE_VISIBILITY_V),
     .tolerance = {1e-5, 1e-12}},
    {HGATE_OP_VISIBILITY_HORIZON, KEYS(source_keys), .prepare = no_prepare,
     .fill = cli_visibility_step_fill, .call = horizon_call, .work = source_work,
     .work_unit = "sources/s",
     .by_peak = CLI_BIT(HGATE_VISIBILITY_HORIZON_CRD_UP) |
                CLI_BIT(HGATE_VISIBILITY_HORIZON_FLUX_UP) |
                CLI_BIT(HGATE_VISIBILITY_HORIZON_INDEX)},
    {HGATE_OP_VISIBILITY_ANGLES, KEYS(source_keys), .prepare = no_prepare,
     .fill = cli_visibility_step_fill, .call = angles_call, .work = source_work,
     .work_unit = "sources/s",
     .by_peak = CLI_BIT(HGATE_VISIBILITY_ANGLES_AZ) | CLI_BIT(HGATE_VISIBILITY_ANGLES_ZA),
     .tolerance = {1e-6, 1e-14}},
    {HGATE_OP_VISIBILITY_BEAM, KEYS(beam_keys), EXTRAS(beam_extras), .prepare = no_prepare,
     .fill = cli_visibility_step_fill, .call = beam_call, .work = output_work,
     .work_unit = "values/s", .by_peak = CLI_BIT(HGATE_VISIBILITY_BEAM_BEAM),
     .tolerance = {1e-4, 1e-12}},
    {HGATE_OP_VISIBILITY_TAU, N_TAU_KEYS, z_keys, EXTRAS(tau_extras), .prepare = set_frequency,
     .fill = cli_visibility_step_fill, .call = tau_call, .work = output_work,
     .work_unit = "phases/s", .by_peak = CLI_BIT(HGATE_VISIBILITY_TAU_EXPTAU),
     .tolerance = {2e-6, 1e-12}},
    {HGATE_OP_VISIBILITY_Z, N_Z_KEYS, z_keys, .prepare = z_prepare,
     .fill = cli_visibility_step_fill, .call = z_call, .work = output_work, .work_unit = "values/s",
     .by_peak = CLI_BIT(HGATE_VISIBILITY_Z_Z), .tolerance = {1e-6, 1e-14}},
    {.op = -1},
};
