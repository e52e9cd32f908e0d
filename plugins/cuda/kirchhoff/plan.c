/* SPDX-License-Identifier: BSD-3-Clause */
/* The plan of the family: the survey's tables packed in device memory. */
#include "plugins/cuda/kirchhoff/plan.h"

#include "headgate/kirchhoff.h"
#include "plugins/cuda/kirchhoff/pack.h"
#include "plugins/cuda/runtime/spare.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- sizes ---- */

hg_migration_sizes hg_migration_sizes_of(const hgate_problem *problem)
{
    const hgate_kirchhoff_params *params = problem->params;
    hg_migration_sizes s = {
        .ns = hgate_dim(problem, HGATE_DIM_KIRCHHOFF_NS),
        .nr = hgate_dim(problem, HGATE_DIM_KIRCHHOFF_NR),
        .nt = hgate_dim(problem, HGATE_DIM_KIRCHHOFF_NT),
        .ni = hgate_dim(problem, HGATE_DIM_KIRCHHOFF_NI),
        .nz = hgate_dim(problem, HGATE_DIM_KIRCHHOFF_NZ),
        .nwav = hgate_dim(problem, HGATE_DIM_KIRCHHOFF_NWAV),
        .is_64 = problem->dtype == HGATE_F64,
        .is_dynamic = (params->flags & HGATE_KIRCHHOFF_DYNAMIC) != 0,
    };
    s.traces = s.ns * s.nr;
    s.n_tiles = (s.ni + HG_TILE - 1) / HG_TILE;
    s.real = s.is_64 ? sizeof(double) : sizeof(float);
    s.has_aperture = s.is_dynamic && !isinf(params->aperture[0]) &&
                     hgate_arg(problem, HGATE_KIRCHHOFF_SIX) &&
                     hgate_arg(problem, HGATE_KIRCHHOFF_RIX);
    return s;
}

/* Blocks of a launch are tiles times stations at most. */
int hg_migration_refuse(const hg_cuda_state *state, const hgate_problem *problem,
                        hgate_reason *reason)
{
    const hg_migration_sizes s = hg_migration_sizes_of(problem);
    const double blocks = (double)s.n_tiles * (double)(s.ns > s.nr ? s.ns : s.nr);
    const int status = hg_cuda_refuse_device(state, problem, reason);
    if (status)
        return status;
    if (s.nt > HG_MOST_SAMPLES)
        return hgate_refuse(reason, HGATE_REFUSE_LIMIT, (double)s.nt, HG_MOST_SAMPLES,
                            "%" PRId64 " samples per trace, packed tables reach %d", s.nt,
                            HG_MOST_SAMPLES);
    if (blocks > INT32_MAX || (double)s.traces * (double)(s.nt / 512 + 1) > INT32_MAX)
        return hgate_refuse(reason, HGATE_REFUSE_LIMIT, blocks, INT32_MAX,
                            "%" PRId64 " image points and %" PRId64 " by %" PRId64
                            " stations need more blocks than a launch has",
                            s.ni, s.ns, s.nr);
    return HGATE_OK;
}

/* ---- memory ---- */

/* Pieces that are needed only while the plan is made. */
typedef struct making {
    hg_pack_facts *facts;
    unsigned long long *first;
} making;

static void lay_out_side(hgate_scratch *scratch, int64_t n_tiles, const hg_migration_sizes *s,
                         hg_stations *side)
{
    int64_t blocks, entries;
    if (__builtin_mul_overflow(n_tiles, side->n, &blocks) ||
        __builtin_mul_overflow(blocks, (int64_t)HG_TILE, &entries))
        blocks = entries = -1; /* makes the count overflow */
    side->time = hgate_scratch_take(scratch, entries, s->real);
    side->cosine = hgate_scratch_take(scratch, s->is_dynamic ? entries : 0, s->real);
    side->sine = hgate_scratch_take(scratch, s->is_dynamic ? entries : 0, s->real);
    side->reach = hgate_scratch_take(scratch, blocks, sizeof(hg_reach));
}

static void lay_out(hgate_scratch *scratch, const hg_migration_sizes *s, hg_cuda_tables *t,
                    making *m)
{
    *t = (hg_cuda_tables){.is_64 = s->is_64,
                          .is_dynamic = s->is_dynamic,
                          .nt = s->nt,
                          .ni = s->ni,
                          .nz = s->nz,
                          .n_tiles = s->n_tiles,
                          .nwav = s->nwav,
                          .source = {.n = s->ns},
                          .receiver = {.n = s->nr}};
    m->facts = hgate_scratch_take(scratch, 1, sizeof *m->facts);
    m->first = hgate_scratch_take(scratch, HG_CHECKED_TABLES, sizeof *m->first);
    t->point = hgate_scratch_take(scratch, s->n_tiles * HG_TILE, sizeof(int64_t));
    t->depth =
        hgate_scratch_take(scratch, s->has_aperture ? s->n_tiles * HG_TILE : 0, sizeof(int32_t));
    lay_out_side(scratch, s->n_tiles, s, &t->source);
    lay_out_side(scratch, s->n_tiles, s, &t->receiver);
    t->wav = hgate_scratch_take(scratch, s->nwav, s->real);
    if (!s->has_aperture)
        t->depth = NULL;
    if (!s->nwav)
        t->wav = NULL;
}

size_t hg_migration_bytes(const hgate_problem *problem)
{
    const hg_migration_sizes s = hg_migration_sizes_of(problem);
    hgate_scratch scratch = hgate_scratch_count();
    hg_cuda_tables unused;
    making m;
    size_t bytes;
    lay_out(&scratch, &s, &unused, &m);
    return __builtin_add_overflow(scratch.bytes, hg_aperture_bytes(problem), &bytes) ? SIZE_MAX
                                                                                     : bytes;
}

/* ---- the caller's tables ---- */

static hg_pack_side side_of(const hgate_problem *problem, int is_receiver, int64_t n)
{
    const hgate_kirchhoff_params *params = problem->params;
    const int is_station_major = (params->flags & HGATE_KIRCHHOFF_STATION_MAJOR) != 0;
    const int is_dynamic = (params->flags & HGATE_KIRCHHOFF_DYNAMIC) != 0;
    hg_pack_side side = {
        .trav = hgate_arg_data(problem, HGATE_KIRCHHOFF_TRAV_SRC + is_receiver),
        .step_point = is_station_major ? 1 : n,
        .step_station = is_station_major ? hgate_dim(problem, HGATE_DIM_KIRCHHOFF_NI) : 1,
        .start = is_receiver ? 0.0 : params->t0,
    };
    if (is_dynamic) {
        side.amp = hgate_arg_data(problem, HGATE_KIRCHHOFF_AMP_SRC + is_receiver);
        side.ang = hgate_arg_data(problem, HGATE_KIRCHHOFF_ANG_SRC + is_receiver);
    }
    if (is_dynamic && is_receiver) {
        side.vel = hgate_arg_data(problem, HGATE_KIRCHHOFF_VEL);
        side.n_vel = hgate_tensor_count(hgate_arg(problem, HGATE_KIRCHHOFF_VEL));
    }
    return side;
}

static hg_pack pack_of(const hgate_problem *problem, const hg_cuda_tables *t)
{
    const hgate_kirchhoff_params *params = problem->params;
    const DLTensor *tap = hgate_arg(problem, HGATE_KIRCHHOFF_TAP);
    hg_pack pack = {
        .tables = *t,
        .order = hg_order_of(hgate_dim(problem, HGATE_DIM_KIRCHHOFF_NY),
                             hgate_dim(problem, HGATE_DIM_KIRCHHOFF_NX), t->nz),
        .source = side_of(problem, 0, t->source.n),
        .receiver = side_of(problem, 1, t->receiver.n),
        .dt = params->dt,
        .angle = {params->angle[0], params->angle[1]},
    };
    if (tap) {
        pack.tap = hgate_tensor_data(tap);
        pack.n_tap = hgate_tensor_count(tap);
        pack.tap_is_64 = tap->dtype.bits == 64;
    }
    return pack;
}

/* Room for a window: what a pair of stations meets of a trace, 2 samples more, aligned at both
 * ends. Not a multiple of 32, or windows would share their banks. Tiles far wider than others read
 * memory instead. */
static int64_t window_of(const hg_pack_facts *facts, int64_t n_tiles)
{
    int64_t width = 2 * (int64_t)(facts->width_sum / (unsigned long long)n_tiles) + 32;
    if (width > facts->width_most)
        width = facts->width_most;
    const int64_t window = (width + 2 + 3 + 3) & ~INT64_C(3);
    return window % 32 ? window : window + 4;
}

static int pack_tables(hg_cuda_state *state, const hgate_problem *problem, const hgate_run *run,
                       const making *m, hg_cuda_tables *t)
{
    hg_pack_facts facts;
    const hg_pack pack = pack_of(problem, t);
    const int code = (int)hg_kirchhoff_pack(
        &pack, m->facts, hgate_arg_data(problem, HGATE_KIRCHHOFF_WAV), run->stream);
    int status = hg_cuda_status(state, run->device_id, code, "pack the tables of kirchhoff");
    if (!status)
        status = hg_cuda_copy(state, HGATE_COPY_OUT, m->facts, &facts, sizeof facts, run->device_id,
                              run->stream);
    if (!status)
        t->window = window_of(&facts, t->n_tiles);
    return status;
}

static int fill(hg_cuda_state *state, const hgate_problem *problem, const hgate_run *run,
                hg_migration_plan *plan, const making *m)
{
    const hgate_kirchhoff_params *params = problem->params;
    int status = HGATE_OK, previous;
    if (run->check != HGATE_CHECK_NONE && params->check != HGATE_CHECK_NONE)
        status = hg_migration_check(state, problem, run, m->first);
    if (!status && plan->tables.depth)
        status = hg_aperture_make(state, problem, run, plan);
    if (status || plan->tables.n_tiles == 0)
        return status;
    status = hg_cuda_enter(state, run->device_id, &previous);
    if (status)
        return status;
    status = pack_tables(state, problem, run, m, &plan->tables);
    hg_cuda_leave(previous);
    return status;
}

int hg_migration_prepare(void *state, const hgate_problem *problem, const hgate_run *run,
                         void **prepared)
{
    const hgate_kirchhoff_params *params = problem->params;
    const hg_migration_sizes s = hg_migration_sizes_of(problem);
    hg_migration_plan *plan = run->host->alloc(run->host, sizeof *plan, 64);
    hgate_scratch count = hgate_scratch_count();
    making m;
    if (!plan)
        return hgate_fail(run->host, HGATE_ENOMEM, "kirchhoff: no memory for a plan");
    *plan = (hg_migration_plan){.host = run->host, .device_id = run->device_id};
    lay_out(&count, &s, &plan->tables, &m);
    int status =
        count.is_short
            ? hgate_fail(run->host, HGATE_ENOMEM, "kirchhoff: tables beyond any memory")
            : hg_cuda_spare_take(state, count.bytes, run->device_id, &plan->memory, &plan->bytes);
    if (!status) {
        hgate_scratch over = {.memory = plan->memory, .size = count.bytes};
        lay_out(&over, &s, &plan->tables, &m);
        plan->tables.wavc = params->wavc;
        status = fill(state, problem, run, plan, &m);
    }
    if (status)
        hg_migration_discard(state, plan);
    else
        *prepared = plan;
    return status;
}

void hg_migration_discard(void *state, void *prepared)
{
    hg_migration_plan *plan = prepared;
    const hgate_host *host = plan->host;
    hg_cuda_ws_free(state, plan->offset_memory, plan->device_id, NULL);
    hg_cuda_spare_give(state, plan->memory, plan->bytes, plan->device_id);
    host->free(host, plan);
}
