/* SPDX-License-Identifier: BSD-3-Clause */
/* Table rows of the operations of the emi family. */
#include "tools/generate/generate.h"
#include "tools/ops/call.h"
#include "tools/report.h"

#define PARAMS (&c->scalars->params.emi)

static const char *const rule_words[] = {"adaptive", "fixed", "none", NULL};
static const char *const layout_words[] = {"packed", "full", NULL};
static const char *const coherence_words[] = {"sample", "smooth", NULL};

/* rule stands last: the two operations without it leave it out */
static const cli_key keys[] = {
    {"n", 30, 1, NULL, "images"},
    {"batch", 200, 0, NULL, "points"},
    {"looks", 100, 1, NULL, "independent looks of each point"},
    {"layout", 0, 0, layout_words, "packed or full"},
    {"coherence", 0, 0, coherence_words, "sample: of those looks; smooth: a model, looks unused"},
    {"rule", 0, 0, rule_words, "adaptive, fixed or none"},
};
enum { N_KEYS = CLI_COUNT(keys), N_KEYS_NO_RULE = N_KEYS - 1 };

static void prepare(cli_case *c)
{
    hgate_emi_params *params = &c->scalars.params.emi;
    const int64_t n = cli_case_key(c, "n");
    if (n > INT32_MAX) {
        c->status = hg_error(HGATE_ESHAPE, "n: %lld images", (long long)n);
        return;
    }
    if (cli_case_key(c, "layout") == 0) {
        params->n_images = (int)n;
        cli_case_mark(c, "n_images");
    }
    if (c->op->op == HGATE_OP_EMI && cli_case_key(c, "coherence") == 1) {
        c->loss = 250.0; /* float64 keeps seven digits of the inverse, a device M in float32 */
    }
    params->rule = (int)cli_case_key(c, "rule");
    if (params->rule != HGATE_EMI_BETA_ADAPTIVE) {
        cli_case_mark(c, "rule");
    }
    if (params->rule == HGATE_EMI_BETA_FIXED) {
        params->beta = 0.1;
        cli_case_mark(c, "beta");
    }
}

/* The least n whose pairs are so many, from 1 on; halved to, since files claim what they like. */
static int64_t images_of_pairs(int64_t pairs)
{
    int64_t least = 1, most = INT32_MAX;
    while (least < most) {
        const int64_t n = least + (most - least) / 2;
        if (n * (n - 1) / 2 < pairs) {
            least = n + 1;
        } else {
            most = n;
        }
    }
    return least;
}

static void sizes(cli_case *c)
{
    const cli_array *coh = &c->arrays[HGATE_EMI_COH];
    const bool is_full = coh->is_given ? coh->dl.ndim == 3 : cli_case_key(c, "layout") == 1;
    c->layouts[0] = '\0';
    cli_case_layout(c, is_full ? "full" : "packed");
    if (c->scalars.params.emi.n_images > 0) {
        cli_case_set_dim(c, HGATE_DIM_EMI_N, c->scalars.params.emi.n_images);
    } else if (coh->is_given && !is_full) {
        cli_case_set_dim(c, HGATE_DIM_EMI_N, images_of_pairs(cli_case_extent(c, 0, 1)));
    }
}

static void temp_coh_sizes(cli_case *c)
{
    const cli_array *coh = &c->arrays[HGATE_DS_TEMP_COH_COH];
    const bool is_full = coh->is_given ? coh->dl.ndim == 3 : cli_case_key(c, "layout") == 1;
    const bool is_listed = c->arrays[HGATE_DS_TEMP_COH_PAIRS].is_given;
    c->layouts[0] = '\0';
    cli_case_layout(c, is_full ? "full" : is_listed ? "listed" : "packed");
}

static int emi_call(cli_call *c)
{
    DLTensor **a = c->args;
    CLI_FORMS(emi, (PARAMS), (a[0], a[1], a[2], a[3], a[4]))
}

static int evd_call(cli_call *c)
{
    DLTensor **a = c->args;
    CLI_FORMS(evd, (PARAMS), (a[0], a[1], a[2], a[3]))
}

static int temp_coh_call(cli_call *c)
{
    DLTensor **a = c->args;
    CLI_FORMS(ds_temp_coh, (PARAMS), (a[0], a[1], a[2], a[3]))
}

static double work(const cli_case *c)
{
    return (double)cli_case_extent(c, HGATE_EMI_COH, 0);
}

const cli_op cli_emi_ops[] = {
    {HGATE_OP_EMI, N_KEYS, keys, .prepare = prepare, .sizes = sizes, .fill = cli_emi_fill,
     .call = emi_call, .work = work, .work_unit = "points/s", .by_angle = CLI_BIT(HGATE_EMI_PHASE),
     .tolerance = {2e-4, 1e-9}},
    {HGATE_OP_EVD, N_KEYS_NO_RULE, keys, .prepare = prepare, .sizes = sizes, .fill = cli_emi_fill,
     .call = evd_call, .work = work, .work_unit = "points/s", .by_angle = CLI_BIT(HGATE_EMI_PHASE),
     .tolerance = {2e-4, 1e-9}},
    {HGATE_OP_DS_TEMP_COH, N_KEYS_NO_RULE, keys, .prepare = prepare, .sizes = temp_coh_sizes,
     .fill = cli_temp_coh_fill, .call = temp_coh_call, .work = work, .work_unit = "points/s",
     .by_peak = CLI_BIT(HGATE_DS_TEMP_COH_T_COH), .tolerance = {1e-5, 1e-12}},
    {.op = -1},
};
