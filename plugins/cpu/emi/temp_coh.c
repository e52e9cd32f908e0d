/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel direct of ds_temp_coh: as many points at once as a vector has lanes (lanes_temp_coh.h).
 * Work: P N phasors; bound by reading coh once. */
#include "plugins/cpu/emi/temp_coh.h"
#include "headgate/plugin_util.h"
#include "plugins/cpu/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/emi/interleaved.h"
#include "plugins/cpu/settings.h"

#include <inttypes.h>
#include <math.h>

enum { GROUPS_PER_ROUND = 64 };

static const hgate_term terms[] = {
    {"call", HG_K_CALL}, {"group_pairs", HG_K_DS_TEMP_COH_PAIR}, {"team", HG_K_TEAM}};

static int supports(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    (void)state;
    int64_t pairs = problem->dims[HGATE_DIM_DS_TEMP_COH_NPAIRS];
    if (pairs > INT32_MAX)
        return hgate_refuse(reason, HGATE_REFUSE_LIMIT, (double)pairs, INT32_MAX,
                            "%" PRId64 " pairs, at most %d", pairs, INT32_MAX);
    if (problem->dims[HGATE_DIM_DS_TEMP_COH_FULL] && hgate_arg(problem, HGATE_DS_TEMP_COH_PAIRS))
        return hgate_refuse(reason, HGATE_REFUSE_FEATURE, NAN, NAN,
                            "no list of pairs with full matrices");
    return HGATE_OK;
}

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)k;
    const hg_cpu *cpu = state;
    const hg_interleaved *lanes = hg_interleaved_of(cpu, problem);
    int workers = hg_cpu_threads(cpu, problem->threads);
    int64_t points = problem->dims[HGATE_DIM_DS_TEMP_COH_BATCH];
    double turns = ceil((double)((points + lanes->lanes - 1) / lanes->lanes) / workers);
    est->terms[0] = 1.0;
    est->terms[1] = turns * (double)problem->dims[HGATE_DIM_DS_TEMP_COH_NPAIRS];
    est->terms[2] = hg_cpu_teams(workers, ceil(turns / GROUPS_PER_ROUND));
    hgate_scratch scratch = hgate_scratch_count();
    hgate_scratch_take(&scratch, workers,
                       lanes->temp_coh_bytes(problem->dims[HGATE_DIM_DS_TEMP_COH_N]));
    est->ws_host = scratch.bytes;
    return HGATE_OK;
}

static int check_pairs(const hgate_host *host, const hg_temp_coh_call *call)
{
    for (int64_t p = 0; p < call->n_pairs && call->pairs; p++) {
        int32_t i = call->pairs[2 * p], j = call->pairs[2 * p + 1];
        if (i < 0 || i >= call->n || j < 0 || j >= call->n || i == j)
            return hgate_fail(host, HGATE_EVALUE,
                              "pairs: row %" PRId64 " is (%" PRId32 ", %" PRId32
                              "), expected two images below %" PRId64,
                              p, i, j, call->n);
    }
    return HGATE_OK;
}

typedef struct work {
    hg_temp_coh_call call;
    const hg_interleaved *lanes;
    int64_t first; /* group of this round */
    char *memory;
    size_t worker_bytes;
} work;

static void do_group(void *context, int64_t i, int worker)
{
    const work *w = context;
    w->lanes->temp_coh(&w->call, (w->first + i) * w->lanes->lanes,
                       w->memory + (size_t)worker * w->worker_bytes);
}

static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    (void)prepared;
    const hg_cpu *cpu = state;
    work w = {.call = {.n = problem->dims[HGATE_DIM_DS_TEMP_COH_N],
                       .n_points = problem->dims[HGATE_DIM_DS_TEMP_COH_BATCH],
                       .n_pairs = problem->dims[HGATE_DIM_DS_TEMP_COH_NPAIRS],
                       .is_full = (int)problem->dims[HGATE_DIM_DS_TEMP_COH_FULL],
                       .pairs = hg_arg(problem, HGATE_DS_TEMP_COH_PAIRS),
                       .coh = hg_real_arg(problem, HGATE_DS_TEMP_COH_COH),
                       .phase = hg_real_arg(problem, HGATE_DS_TEMP_COH_PHASE),
                       .t_coh = hg_real_arg(problem, HGATE_DS_TEMP_COH_T_COH)},
              .lanes = hg_interleaved_of(cpu, problem)};
    int workers = hg_cpu_threads(cpu, run->threads);
    hgate_scratch scratch = hgate_scratch_over(run);
    w.worker_bytes = w.lanes->temp_coh_bytes(w.call.n);
    w.memory = hgate_scratch_take(&scratch, workers, w.worker_bytes);
    if (scratch.is_short)
        return hgate_fail(run->host, HGATE_EPLUGIN,
                          "ds_temp_coh: workspace of %zu bytes, needs %zu", run->ws_host_bytes,
                          scratch.bytes);
    int status = check_pairs(run->host, &w.call);
    if (status != HGATE_OK)
        return status;
    int64_t groups = (w.call.n_points + w.lanes->lanes - 1) / w.lanes->lanes,
            round = GROUPS_PER_ROUND * (int64_t)workers;
    run->committed = 1;
    for (w.first = 0; w.first < groups && status == HGATE_OK; w.first += round) {
        int64_t count = groups - w.first < round ? groups - w.first : round;
        cpu->spread(workers, count, do_group, &w);
        status = hgate_progress(run, w.first + count, groups);
    }
    return status;
}

HG_CPU_KERNEL(temp_coh_direct, .op = HGATE_OP_DS_TEMP_COH, .name = "direct",
              .dtypes = HGATE_C64 | HGATE_C128, .n_terms = HGATE_LENGTH_OF(terms), .terms = terms,
              .supports = supports, .estimate = estimate, .run = run);
