/* SPDX-License-Identifier: BSD-3-Clause */
/* Table rows of the products of the visibility family: gram, product, pairs. */
#include "core/base/error.h"
#include "tools/generate/generate.h"
#include "tools/ops/call.h"

#define PARAMS (&c->scalars->params.visibility)

static const cli_key gram_keys[] = {
    {"m", 74, 1, NULL, "rows of Z: antennas times feeds"},
    {"k", 4000, 0, NULL, "columns of Z: axes times sources"},
};
static const cli_key product_keys[] = {
    {"m", 74, 1, NULL, "rows of A"},
    {"n", 41, 1, NULL, "rows of B"},
    {"k", 4000, 0, NULL, "columns of both"},
};
static const cli_key pairs_keys[] = {
    {"nant", 37, 1, NULL, "antennas"},
    {"nfeed", 2, 1, NULL, "feeds of an antenna"},
    {"k", 4000, 0, NULL, "columns of Z: axes times sources"},
    {"npairs", 150, 0, NULL, "antenna pairs"},
};
#define SIZE(field)                                                                                \
    {                                                                                              \
        .name = #field, .kind = HG_OPTION_INT64, .ops = CLI_BIT(HGATE_OP_VISIBILITY_PAIRS),        \
        .offset = offsetof(cli_scalars, field), .is_required = true, .least = 1,                   \
        .most = (double)(INT64_MAX / 4), .expected = "1 or more"                                   \
    }
static const hg_option pairs_extras[] = {SIZE(nant), SIZE(nfeed)};

static void no_prepare(cli_case *c)
{
    (void)c;
}

static void pairs_prepare(cli_case *c)
{
    c->scalars.nant = cli_case_key(c, "nant");
    c->scalars.nfeed = cli_case_key(c, "nfeed");
    cli_case_mark(c, "nant");
    cli_case_mark(c, "nfeed");
}

/* The library takes the antennas from the rows of Z, so nobody else compares them with nant. */
static void pairs_sizes(cli_case *c)
{
    const cli_array *Z = &c->arrays[HGATE_VISIBILITY_PAIRS_Z];
    const int64_t rows = cli_case_mul(c, c->scalars.nant, c->scalars.nfeed);
    if (c->status == HGATE_OK && Z->is_given && Z->dl.ndim == 2 && Z->shape[0] != rows) {
        c->status = hg_error(HGATE_ESHAPE, "Z: has %lld rows, expected nant nfeed = %lld",
                             (long long)Z->shape[0], (long long)rows);
    }
    cli_case_set_dim(c, HGATE_DIM_VISIBILITY_PAIRS_NANT, c->scalars.nant);
    cli_case_set_dim(c, HGATE_DIM_VISIBILITY_PAIRS_NFEED, c->scalars.nfeed);
}

static int gram_call(cli_call *c)
{
    DLTensor **a = c->args;
    CLI_FORMS(visibility_gram, (PARAMS), (a[0], a[1]))
}

static int product_call(cli_call *c)
{
    DLTensor **a = c->args;
    CLI_FORMS(visibility_product, (PARAMS), (a[0], a[1], a[2]))
}

static int pairs_call(cli_call *c)
{
    DLTensor **a = c->args;
    CLI_FORMS(visibility_pairs, (PARAMS), (a[0], a[1], a[2]))
}

/* Real additions and multiplications of a general complex product, whatever the kernel saves. */
static double work(const cli_case *c)
{
    return 8.0 * (double)c->arrays[c->row->n_args - 1].count * (double)cli_case_extent(c, 0, 1);
}

#define KEYS(table) .n_keys = CLI_COUNT(table), .keys = table
#define FILL .fill = cli_visibility_product_fill
#define WORK .work = work, .work_unit = "flop/s"

const cli_op cli_visibility_product_ops[] = {
    {HGATE_OP_VISIBILITY_GRAM, KEYS(gram_keys), .prepare = no_prepare, FILL, .call = gram_call,
     WORK, .by_peak = CLI_BIT(HGATE_VISIBILITY_GRAM_V), .tolerance = {2e-6, 1e-12}},
    {HGATE_OP_VISIBILITY_PRODUCT, KEYS(product_keys), .prepare = no_prepare, FILL,
     .call = product_call, WORK, .by_peak = CLI_BIT(HGATE_VISIBILITY_PRODUCT_C),
     .tolerance = {2e-6, 1e-12}},
    {HGATE_OP_VISIBILITY_PAIRS, KEYS(pairs_keys), .n_extras = CLI_COUNT(pairs_extras),
     .extras = pairs_extras, .prepare = pairs_prepare, .sizes = pairs_sizes, FILL,
     .call = pairs_call, WORK, .by_peak = CLI_BIT(HGATE_VISIBILITY_PAIRS_VPAIRS),
     .tolerance = {2e-6, 1e-12}},
    {.op = -1},
};
