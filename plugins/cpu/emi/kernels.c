/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels interleaved and pivoted of emi and evd: who serves what, at what cost, and the spread
 * over groups of points. */
#include "headgate/plugin_util.h"
#include "plugins/cpu/blas.h"
#include "plugins/cpu/constants.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/emi/again.h"
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

static const hg_interleaved *solver_of(const hg_cpu *cpu, int is_64)
{
    static const hg_interleaved *const by_isa[HG_ISA_COUNT] = {
        [HG_ISA_BASELINE] = hg_baseline_interleaved,
#ifdef HG_X86_64
        [HG_ISA_AVX2] = hg_avx2_interleaved,
        [HG_ISA_AVX512] = hg_avx512_interleaved,
#endif
    };
    return &by_isa[cpu->isa][is_64];
}

const hg_interleaved *hg_interleaved_of(const hg_cpu *cpu, const hgate_problem *problem)
{
    return solver_of(cpu, problem->dtype == HGATE_C128);
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

/* How a call is solved. */
typedef struct plan {
    const hg_interleaved *solver; /* NULL: every point with pivoting */
    const hg_interleaved *wide;   /* in double, for what it leaves; NULL: nothing before pivoting */
    int64_t group;                /* points of a piece of work */
    int workers;
    int64_t round; /* groups between two looks at the caller's wish to stop, as far as there are */
} plan;

static plan plan_of(const hg_cpu *cpu, const hgate_problem *problem, int is_interleaved,
                    int threads)
{
    const int64_t n = problem->dims[HGATE_DIM_EMI_N], points = problem->dims[HGATE_DIM_EMI_BATCH];
    plan p = {.workers = workers_of(cpu, points, threads),
              .group = n <= SMALL_IMAGES ? SMALL_GROUP : 1};
    if (is_interleaved && n > SMALL_IMAGES) {
        p.solver = hg_interleaved_of(cpu, problem);
        p.wide =
            problem->op == HGATE_OP_EMI && problem->dtype == HGATE_C64 ? solver_of(cpu, 1) : NULL;
        p.group = p.solver->lanes;
    }
    const int64_t groups = (points + p.group - 1) / p.group;
    p.round = groups_per_round(n) * p.workers;
    p.round = groups < p.round ? groups : p.round;
    return p;
}

/* Memory of a run: of each worker, for one step at a time; of each group of a round. */
typedef struct memory {
    char *of_workers;
    size_t worker_bytes;
    uint64_t *bits; /* a group's points that its solver leaves */
    int64_t *left;  /* their numbers */
} memory;

static memory lay_out(hgate_scratch *s, const plan *p, int64_t n)
{
    size_t bytes[] = {hg_emi_pivoted_bytes(n), p->solver ? p->solver->bytes(n) : 0,
                      p->wide ? hg_emi_again_bytes(p->wide, n) : 0};
    memory m = {.worker_bytes = bytes[0]};
    for (int i = 1; i < 3; i++)
        m.worker_bytes = bytes[i] > m.worker_bytes ? bytes[i] : m.worker_bytes;
    const int64_t points = p->solver ? p->round * p->group : 0;
    m.of_workers = hgate_scratch_take(s, p->workers, m.worker_bytes);
    m.bits = hgate_scratch_take(s,
                                p->wide     ? points / p->wide->lanes
                                : p->solver ? p->round
                                            : 0,
                                sizeof(uint64_t));
    m.left = hgate_scratch_take(s, points, sizeof(int64_t));
    return m;
}

/* Between n^3 and n nothing is left to fit: the steps of order n^2 are bound by the n waits of
 * their loops. Within 10 % of what 3 to 110 images take. */
static int estimate_interleaved(void *state, const hgate_problem *problem, const double *k,
                                hgate_estimate *est)
{
    (void)k;
    const hg_cpu *cpu = state;
    const hg_interleaved *solver = hg_interleaved_of(cpu, problem);
    const plan p = plan_of(cpu, problem, 1, problem->threads);
    int64_t n = problem->dims[HGATE_DIM_EMI_N], points = problem->dims[HGATE_DIM_EMI_BATCH];
    int workers = p.workers;
    double groups = (double)((points + solver->lanes - 1) / solver->lanes);
    double turns = ceil(groups / workers), cube = (double)n * (double)n * (double)n;
    double part = problem->op == HGATE_OP_EVD ? 0.6 : 1.0; /* measured */
    est->terms[0] = 1.0;
    est->terms[solver->bytes(n) <= cpu->cache_bytes ? 1 : 3] = part * turns * cube;
    est->terms[2] = part * turns * (double)n;
    est->terms[4] = hg_cpu_teams(workers, ceil(turns / (double)groups_per_round(n)));
    hgate_scratch scratch = hgate_scratch_count();
    lay_out(&scratch, &p, n);
    est->ws_host = scratch.bytes;
    return HGATE_OK;
}

static int estimate_pivoted(void *state, const hgate_problem *problem, const double *k,
                            hgate_estimate *est)
{
    (void)k;
    int64_t n = problem->dims[HGATE_DIM_EMI_N], points = problem->dims[HGATE_DIM_EMI_BATCH];
    const plan p = plan_of(state, problem, 0, problem->threads);
    int workers = p.workers;
    double turns = ceil((double)points / workers);
    est->terms[0] = 1.0;
    est->terms[1] = turns * (double)n * (double)n * (double)n;
    est->terms[2] = turns * (double)n * (double)n;
    est->terms[3] = hg_cpu_teams(workers, ceil(turns / (double)groups_per_round(n)));
    hgate_scratch scratch = hgate_scratch_count();
    lay_out(&scratch, &p, n);
    est->ws_host = scratch.bytes;
    return HGATE_OK;
}

/* ---- run ---- */

typedef struct work {
    hg_emi_call call;
    plan plan;
    memory memory;
    int64_t first;  /* group of this round */
    int64_t n_left; /* points in memory.left */
} work;

static void *memory_of(const work *w, int worker)
{
    return w->memory.of_workers + (size_t)worker * w->memory.worker_bytes;
}

static void do_group(void *context, int64_t i, int worker)
{
    const work *w = context;
    w->memory.bits[i] =
        w->plan.solver->solve(&w->call, (w->first + i) * w->plan.group, memory_of(w, worker));
}

static void do_again(void *context, int64_t i, int worker)
{
    const work *w = context;
    const int64_t first = i * w->plan.wide->lanes, left = w->n_left - first;
    const int count = left < w->plan.wide->lanes ? (int)left : w->plan.wide->lanes;
    w->memory.bits[i] = hg_emi_solve_again(&w->call, w->plan.wide, w->memory.left + first, count,
                                           memory_of(w, worker));
}

static void do_pivoted_point(void *context, int64_t i, int worker)
{
    const work *w = context;
    hg_emi_solve_pivoted(&w->call, w->memory.left[i], memory_of(w, worker));
}

/* Every point of a group. */
static void do_pivoted_group(void *context, int64_t i, int worker)
{
    const work *w = context;
    const int64_t first = (w->first + i) * w->plan.group;
    for (int64_t l = 0; l < w->plan.group && first + l < w->call.n_points; l++)
        hg_emi_solve_pivoted(&w->call, first + l, memory_of(w, worker));
}

static void spread_pivoting(const hgate_host *host, const hg_cpu *cpu, int64_t count,
                            void (*task)(void *context, int64_t i, int worker), work *w)
{
    const int workers = hg_blas_enter(host, w->plan.workers);
    cpu->spread(workers, count, task, w);
    hg_blas_leave(host);
}

/* Lists what the solver left of this round's groups. */
static void list_left(int64_t count, work *w)
{
    w->n_left = 0;
    for (int64_t i = 0; i < count; i++)
        for (uint64_t bits = w->memory.bits[i]; bits; bits &= bits - 1)
            w->memory.left[w->n_left++] = (w->first + i) * w->plan.group + __builtin_ctzll(bits);
}

/* Solves the list in double; keeps in it what needs pivoting. */
static void solve_left(const hg_cpu *cpu, work *w)
{
    const int lanes = w->plan.wide->lanes;
    const int64_t groups = (w->n_left + lanes - 1) / lanes;
    int64_t n_left = 0;
    cpu->spread(w->plan.workers, groups, do_again, w);
    for (int64_t i = 0; i < groups; i++)
        for (uint64_t bits = w->memory.bits[i]; bits; bits &= bits - 1)
            w->memory.left[n_left++] = w->memory.left[i * lanes + __builtin_ctzll(bits)];
    w->n_left = n_left;
}

static void do_round(const hgate_host *host, const hg_cpu *cpu, int64_t count, work *w)
{
    if (!w->plan.solver) {
        spread_pivoting(host, cpu, count, do_pivoted_group, w);
        return;
    }
    cpu->spread(w->plan.workers, count, do_group, w);
    list_left(count, w);
    if (w->plan.wide && w->n_left > 0)
        solve_left(cpu, w);
    if (w->n_left > 0)
        spread_pivoting(host, cpu, w->n_left, do_pivoted_point, w);
}

static int run_groups(int is_interleaved, const hg_cpu *cpu, const hgate_problem *problem,
                      hgate_run *run)
{
    work w = {.call = hg_emi_call_of(run->host, problem),
              .plan = plan_of(cpu, problem, is_interleaved, run->threads)};
    hgate_scratch scratch = hgate_scratch_over(run);
    w.call.groups_ahead = w.plan.workers;
    w.memory = lay_out(&scratch, &w.plan, w.call.n);
    if (scratch.is_short)
        return hgate_fail(run->host, HGATE_EPLUGIN, "emi: workspace of %zu bytes, needs %zu",
                          run->ws_host_bytes, scratch.bytes);

    const int64_t groups = (w.call.n_points + w.plan.group - 1) / w.plan.group;
    int status = HGATE_OK;
    run->committed = 1;
    for (w.first = 0; w.first < groups && status == HGATE_OK; w.first += w.plan.round) {
        int64_t count = groups - w.first < w.plan.round ? groups - w.first : w.plan.round;
        do_round(run->host, cpu, count, &w);
        status = hgate_progress(run, w.first + count, groups);
    }
    return status;
}

static int run_interleaved(void *state, const hgate_problem *problem, const void *prepared,
                           hgate_run *run)
{
    (void)prepared;
    return run_groups(1, state, problem, run);
}

static int run_pivoted(void *state, const hgate_problem *problem, const void *prepared,
                       hgate_run *run)
{
    (void)prepared;
    return run_groups(0, state, problem, run);
}

#define EMI_KERNEL(symbol, operation, kernel)                                                      \
    HG_CPU_KERNEL(symbol, .op = operation, .name = #kernel, .dtypes = HGATE_C64 | HGATE_C128,      \
                  .n_terms = HGATE_LENGTH_OF(kernel##_terms), .terms = kernel##_terms,             \
                  .supports = supports_##kernel, .estimate = estimate_##kernel,                    \
                  .run = run_##kernel)

EMI_KERNEL(emi_interleaved, HGATE_OP_EMI, interleaved);
EMI_KERNEL(emi_pivoted, HGATE_OP_EMI, pivoted);
EMI_KERNEL(evd_interleaved, HGATE_OP_EVD, interleaved);
