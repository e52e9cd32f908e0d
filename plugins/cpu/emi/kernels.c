/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels interleaved and pivoted of emi and evd: who serves what, at what cost, and the spread
 * over groups of points. */
#include "headgate/plugin_util.h"
#include "plugins/cpu/blas.h"
#include "plugins/cpu/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/emi/interleaved.h"
#include "plugins/cpu/emi/pivoted.h"
#include "plugins/cpu/settings.h"

#include <math.h>

/* Points of up to two images have a closed form and go through in groups of this many. */
enum { SMALL_IMAGES = 2, SMALL_GROUP = 256 };

/* Groups of a worker between two looks at the caller's wish to stop: about 20 ms of small stacks,
 * since the team is waited for each time; a fifth of a second at most up to 150 images. */
static int64_t groups_per_round(int64_t n)
{
    enum { LEAST = 64, MOST = 1024 };
    int64_t groups = 8 * 1000 * 1000 / (n * n * n + 1);
    return groups < LEAST ? LEAST : groups > MOST ? MOST : groups;
}

const hg_interleaved *hg_interleaved_of(const hg_cpu *cpu, const hgate_problem *problem)
{
    static const hg_interleaved *const by_isa[HG_ISA_COUNT] = {
        [HG_ISA_BASELINE] = hg_baseline_interleaved,
#ifdef HG_X86_64
        [HG_ISA_AVX2] = hg_avx2_interleaved,
        [HG_ISA_AVX512] = hg_avx512_interleaved,
#endif
    };
    return &by_isa[cpu->isa][problem->dtype == HGATE_C128];
}

/* ---- who serves what ---- */

static int refuse_images(int64_t n, hgate_reason *reason)
{
    return hgate_refuse(reason, HGATE_REFUSE_LIMIT, (double)n, HG_PIVOTED_MAX_IMAGES,
                        "%lld images, at most %d", (long long)n, (int)HG_PIVOTED_MAX_IMAGES);
}

static int supports_pivoted(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    (void)state;
    int64_t n = problem->dims[HGATE_DIM_EMI_N];
    return n > HG_PIVOTED_MAX_IMAGES ? refuse_images(n, reason) : HGATE_OK;
}

static int supports_interleaved(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    const hg_cpu *cpu = state;
    const hgate_emi_params *params = problem->params;
    int64_t n = problem->dims[HGATE_DIM_EMI_N];
    if (problem->op == HGATE_OP_EMI && params->rule == HGATE_EMI_BETA_NONE)
        return hgate_refuse(reason, HGATE_REFUSE_FEATURE, NAN, NAN,
                            "rule none: the inverse needs pivoting");
    if (problem->op == HGATE_OP_EMI && params->rule == HGATE_EMI_BETA_FIXED &&
        problem->dtype == HGATE_C64 && params->beta > HGATE_EMI_BETA_SINGLE)
        return hgate_refuse(reason, HGATE_REFUSE_LIMIT, params->beta, HGATE_EMI_BETA_SINGLE,
                            "beta %g, at most %g in float32", params->beta, HGATE_EMI_BETA_SINGLE);
    if (n > HG_PIVOTED_MAX_IMAGES)
        return refuse_images(n, reason);
    int64_t limit = hg_setting_integer(cpu->host, "ops.emi.cpu.interleave_max_bytes", 0);
    size_t bytes = hg_interleaved_of(cpu, problem)->bytes(n);
    if (n > SMALL_IMAGES && limit > 0 && bytes > (size_t)limit)
        return hgate_refuse(
            reason, HGATE_REFUSE_LIMIT, (double)bytes, (double)limit,
            "%zu bytes for a group of points, ops.emi.cpu.interleave_max_bytes is %lld", bytes,
            (long long)limit);
    return HGATE_OK;
}

/* ---- cost ---- */

static const hgate_term interleaved_terms[] = {{"call", HG_K_CALL},
                                               {"groups_n3", HG_K_EMI_GROUP_N3},
                                               {"groups_n", HG_K_EMI_GROUP_N},
                                               {"groups_n3_spilled", HG_K_EMI_GROUP_N3_SPILLED},
                                               {"team", HG_K_TEAM}};
static const hgate_term pivoted_terms[] = {{"call", HG_K_CALL},
                                           {"n3", HG_K_EMI_PIVOTED_N3},
                                           {"n2", HG_K_EMI_PIVOTED_N2},
                                           {"team", HG_K_TEAM}};

static int workers_of(const hg_cpu *cpu, int64_t n_points, int threads)
{
    int64_t least = hg_setting_integer(cpu->host, "ops.emi.cpu.threads_min_points", 64);
    return n_points < least ? 1 : hg_cpu_threads(cpu, threads);
}

/* Memory of one worker: its group, and a point with pivoting. */
static size_t worker_bytes(const hg_interleaved *solver, int64_t n)
{
    size_t pivoted = hg_emi_pivoted_bytes(n),
           group = solver && n > SMALL_IMAGES ? solver->bytes(n) : 0;
    return group > SIZE_MAX - pivoted ? SIZE_MAX : group + pivoted;
}

/* Between n^3 and n nothing is left to fit: the steps of order n^2 are bound by the n waits of
 * their loops. Within 10 % of what 3 to 110 images take. */
static int estimate_interleaved(void *state, const hgate_problem *problem, const double *k,
                                hgate_estimate *est)
{
    (void)k;
    const hg_cpu *cpu = state;
    const hg_interleaved *solver = hg_interleaved_of(cpu, problem);
    int64_t n = problem->dims[HGATE_DIM_EMI_N], points = problem->dims[HGATE_DIM_EMI_BATCH];
    int workers = workers_of(cpu, points, problem->threads);
    double groups = (double)((points + solver->lanes - 1) / solver->lanes);
    double turns = ceil(groups / workers), cube = (double)n * (double)n * (double)n;
    double part = problem->op == HGATE_OP_EVD ? 0.6 : 1.0; /* measured */
    est->terms[0] = 1.0;
    est->terms[solver->bytes(n) <= cpu->cache_bytes ? 1 : 3] = part * turns * cube;
    est->terms[2] = part * turns * (double)n;
    est->terms[4] = hg_cpu_teams(workers, ceil(turns / (double)groups_per_round(n)));
    hgate_scratch scratch = hgate_scratch_count();
    hgate_scratch_take(&scratch, workers, worker_bytes(solver, n));
    hgate_scratch_take(&scratch, workers * groups_per_round(n), sizeof(uint64_t));
    est->ws_host = scratch.bytes;
    return HGATE_OK;
}

static int estimate_pivoted(void *state, const hgate_problem *problem, const double *k,
                            hgate_estimate *est)
{
    (void)k;
    int64_t n = problem->dims[HGATE_DIM_EMI_N], points = problem->dims[HGATE_DIM_EMI_BATCH];
    int workers = workers_of(state, points, problem->threads);
    double turns = ceil((double)points / workers);
    est->terms[0] = 1.0;
    est->terms[1] = turns * (double)n * (double)n * (double)n;
    est->terms[2] = turns * (double)n * (double)n;
    est->terms[3] = hg_cpu_teams(workers, ceil(turns / (double)groups_per_round(n)));
    hgate_scratch scratch = hgate_scratch_count();
    hgate_scratch_take(&scratch, workers, worker_bytes(NULL, n));
    hgate_scratch_take(&scratch, workers * groups_per_round(n), sizeof(uint64_t));
    est->ws_host = scratch.bytes;
    return HGATE_OK;
}

/* ---- run ---- */

typedef struct work {
    hg_emi_call call;
    const hg_interleaved *solver; /* NULL: every point with pivoting */
    int64_t group;                /* points of a piece of work */
    int64_t first;                /* group of this round */
    char *memory;
    size_t worker_bytes, group_bytes;
    uint64_t *again; /* of each group of the round: its points that need pivoting */
} work;

static void do_group(void *context, int64_t i, int worker)
{
    const work *w = context;
    w->again[i] = w->solver->solve(&w->call, (w->first + i) * w->group,
                                   w->memory + (size_t)worker * w->worker_bytes);
}

static void do_pivoting(void *context, int64_t i, int worker)
{
    const work *w = context;
    int64_t first = (w->first + i) * w->group;
    char *memory = w->memory + (size_t)worker * w->worker_bytes + w->group_bytes;
    for (int64_t l = 0; l < w->group && first + l < w->call.n_points; l++)
        if (!w->solver || (w->again[i] >> l & 1))
            hg_emi_solve_pivoted(&w->call, first + l, memory);
}

static void do_round(const hgate_host *host, const hg_cpu *cpu, int workers, int64_t count, work *w)
{
    uint64_t any = !w->solver;
    if (w->solver)
        cpu->spread(workers, count, do_group, w);
    for (int64_t i = 0; i < count && w->solver; i++)
        any |= w->again[i];
    if (any) {
        workers = hg_blas_enter(host, workers);
        cpu->spread(workers, count, do_pivoting, w);
        hg_blas_leave(host);
    }
}

static int run_groups(const hg_interleaved *solver, const hg_cpu *cpu, const hgate_problem *problem,
                      hgate_run *run)
{
    work w = {.call = hg_emi_call_of(run->host, problem), .solver = solver};
    if (w.call.n <= SMALL_IMAGES)
        w.solver = NULL;
    w.group = w.solver ? w.solver->lanes : w.call.n <= SMALL_IMAGES ? SMALL_GROUP : 1;
    w.group_bytes = w.solver ? w.solver->bytes(w.call.n) : 0;
    w.worker_bytes = worker_bytes(solver, w.call.n);
    int workers = workers_of(cpu, w.call.n_points, run->threads);
    w.call.groups_ahead = workers;
    hgate_scratch scratch = hgate_scratch_over(run);
    w.memory = hgate_scratch_take(&scratch, workers, w.worker_bytes);
    w.again = hgate_scratch_take(&scratch, workers * groups_per_round(w.call.n), sizeof(uint64_t));
    if (scratch.is_short)
        return hgate_fail(run->host, HGATE_EPLUGIN, "emi: workspace of %zu bytes, needs %zu",
                          run->ws_host_bytes, scratch.bytes);

    int64_t groups = (w.call.n_points + w.group - 1) / w.group,
            round = groups_per_round(w.call.n) * workers;
    int status = HGATE_OK;
    run->committed = 1;
    for (w.first = 0; w.first < groups && status == HGATE_OK; w.first += round) {
        int64_t count = groups - w.first < round ? groups - w.first : round;
        do_round(run->host, cpu, workers, count, &w);
        status = hgate_progress(run, w.first + count, groups);
    }
    return status;
}

static int run_interleaved(void *state, const hgate_problem *problem, const void *prepared,
                           hgate_run *run)
{
    (void)prepared;
    return run_groups(hg_interleaved_of(state, problem), state, problem, run);
}

static int run_pivoted(void *state, const hgate_problem *problem, const void *prepared,
                       hgate_run *run)
{
    (void)prepared;
    return run_groups(NULL, state, problem, run);
}

#define EMI_KERNEL(symbol, operation, kernel)                                                      \
    HG_CPU_KERNEL(symbol, .op = operation, .name = #kernel, .dtypes = HGATE_C64 | HGATE_C128,      \
                  .n_terms = HGATE_LENGTH_OF(kernel##_terms), .terms = kernel##_terms,             \
                  .supports = supports_##kernel, .estimate = estimate_##kernel,                    \
                  .run = run_##kernel)

EMI_KERNEL(emi_interleaved, HGATE_OP_EMI, interleaved);
EMI_KERNEL(emi_pivoted, HGATE_OP_EMI, pivoted);
EMI_KERNEL(evd_interleaved, HGATE_OP_EVD, interleaved);
