/* SPDX-License-Identifier: BSD-3-Clause */
/* Decisions and budgets of groups. */
#include "core/group/cut.h"

#include "core/base/error.h"
#include "core/base/mathx.h"
#include "core/group/staging.h"
#include "core/route/staged.h"

#include <string.h>

size_t hg_cut_round(size_t bytes)
{
    enum { ALIGNMENT = 256 };
    return bytes > SIZE_MAX - ALIGNMENT ? SIZE_MAX
                                        : (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* ---- the kernel ---- */

/* Takes staged kernels out: groups on the host stay there. */
static void drop_staged(hgate_trace *trace)
{
    int kept = 0;
    for (int k = 0; k < trace->n_usable; k++) {
        if (!trace->records[trace->order[k]].is_staged) {
            trace->order[kept++] = trace->order[k];
        }
    }
    trace->n_usable = kept;
    trace->chosen = kept > 0 ? trace->order[0] : -1;
}

/* Puts the kernel that serves the other groups first. */
static void prefer(hgate_trace *trace, int candidate)
{
    int k = 0;
    while (k < trace->n_usable && trace->order[k] != candidate) {
        k++;
    }
    if (k == trace->n_usable) {
        return;
    }
    memmove(trace->order + 1, trace->order, (size_t)k * sizeof *trace->order);
    trace->order[0] = candidate;
    trace->chosen = candidate;
}

int hg_cut_decide(const hg_survey *s, const hg_problem *problem, const hgate_trace *like,
                  hg_call *call, hgate_trace *trace)
{
    int status = hg_call_begin(call, s->engine, s->exec, problem);
    if (status != HGATE_OK) {
        return status;
    }
    call->trace = trace;
    call->is_planned = false;
    status = hg_call_explain(call);
    if (status != HGATE_OK) {
        return status;
    }
    if (!s->is_on_device) {
        drop_staged(trace);
    }
    if (like && like->chosen >= 0) {
        prefer(trace, like->chosen);
    }
    for (int k = 0; k < trace->n_usable; k++) {
        hg_record *record = &trace->records[trace->order[k]];
        record->state = k == 0 ? HG_STATE_CHOSEN : HG_STATE_COSTLIER;
    }
    return HGATE_OK;
}

/* ---- bytes ---- */

/* Sums and products that stop at SIZE_MAX: more than any budget. */
static size_t plus(size_t a, size_t b)
{
    size_t sum;
    return hg_size_add(a, b, &sum) ? sum : SIZE_MAX;
}

static size_t times(size_t a, size_t b)
{
    size_t product;
    return hg_size_mul(a, b, &product) ? product : SIZE_MAX;
}

static size_t shared_bytes(const hg_survey *s)
{
    static const int shared[] = {HGATE_KIRCHHOFF_VEL, HGATE_KIRCHHOFF_SIX, HGATE_KIRCHHOFF_RIX,
                                 HGATE_KIRCHHOFF_TAP, HGATE_KIRCHHOFF_WAV};
    size_t sum = 0, bytes;
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        const DLTensor *tensor = hg_survey_whole(s)->args[shared[i]];
        if (tensor) {
            sum = plus(sum, hg_tensor_bytes(tensor, &bytes) ? hg_cut_round(bytes) : SIZE_MAX);
        }
    }
    return sum;
}

/* What the arrays of a group take. */
static void count_arrays(const hg_survey *s, const int64_t n[2], hg_need_bytes *b)
{
    for (int side = 0; side < 2; side++) {
        b->tables[side] = times((size_t)s->n_tables * (size_t)n[side], hg_station_bytes(s));
    }
    b->traces = times(times((size_t)n[0], (size_t)n[1]), hg_trace_bytes(s));
    b->image = hg_station_bytes(s);
    b->shared = shared_bytes(s);
}

/* Staging does not depend on the group: arrays of any size go through it in pieces. */
static void count_staged(const hg_survey *s, hg_need_bytes *b)
{
    const size_t budget = s->params.pinned_budget;
    size_t most = b->tables[0] > b->tables[1] ? b->tables[0] : b->tables[1];
    most = b->traces > most ? b->traces : most;
    b->piece = most < HG_PIECE_BYTES ? hg_cut_round(most) : HG_PIECE_BYTES;
    if (budget > 0 && b->piece > budget / (2 * HG_PIECES)) {
        b->piece = budget / (2 * HG_PIECES) / HG_LEAST_PIECE * HG_LEAST_PIECE;
    }
    if (b->piece == 0) {
        b->piece = HG_LEAST_PIECE; /* more than the budget, which is refused */
    }
    b->staged = 2 * HG_PIECES * b->piece;
}

/* On a device: two images at most (the caller's model, the sum), receivers' tables once, and for
 * each slot tables and traces. On the host: what is packed or summed. */
static void count_held(const hg_survey *s, const int64_t n[2], hg_need_bytes *b)
{
    const size_t slots = (size_t)s->params.nslots;
    const size_t work = plus(b->prepared, b->workspace);
    const size_t group = plus(hg_cut_round(b->tables[HG_SOURCES]), hg_cut_round(b->traces));
    if (s->is_on_device) {
        b->held = plus(plus(times(slots, group), plus(hg_cut_round(b->tables[1]), b->shared)),
                       plus(hg_cut_round(b->image), work));
        count_staged(s, b);
        return;
    }
    b->held = plus(work, b->image);
    b->staged = 0;
    for (int side = 0; side < 2; side++) {
        const hg_part part = {0, n[side]};
        const bool is_there = hg_survey_is_contiguous(s, (hg_side)side, part, false);
        b->held = plus(b->held, is_there ? 0 : b->tables[side]);
    }
    b->held = plus(b->held, n[1] < s->nr ? b->traces : 0);
}

/* What a group of n sources and receivers takes in the direction that takes more. `served` counts
 * the directions that a kernel serves. */
static int count_group(const hg_survey *s, const int64_t n[2], hgate_trace *const traces[2],
                       hg_need_bytes *b, bool served[2])
{
    *b = (hg_need_bytes){.held = 0};
    count_arrays(s, n, b);
    for (int d = 0; d < 2; d++) {
        hg_problem problem;
        hg_call call;
        hg_survey_problem(s, HGATE_OP_KIRCHHOFF_FORWARD + d, (hg_part){0, n[0]}, (hg_part){0, n[1]},
                          &problem);
        const int status = hg_cut_decide(s, &problem, NULL, &call, traces[d]);
        if (status != HGATE_OK) {
            return status;
        }
        served[d] = traces[d]->n_usable > 0;
        if (served[d]) {
            const hgate_estimate *cost = &traces[d]->records[traces[d]->chosen].cost;
            const size_t work = s->is_on_device ? cost->ws_device : cost->ws_host;
            b->workspace = work > b->workspace ? work : b->workspace;
            b->prepared = cost->prepared_bytes > b->prepared ? cost->prepared_bytes : b->prepared;
        }
    }
    count_held(s, n, b);
    return HGATE_OK;
}

/* ---- budgets ---- */

typedef struct limits {
    size_t held, staged; /* SIZE_MAX: none */
} limits;

static const hg_plugin *plugin_of(const hgate_trace *trace)
{
    return trace->n_usable > 0 ? hg_trace_candidates(trace).items[trace->chosen].backend->plugin
                               : NULL;
}

static int find_limits(const hg_survey *s, hgate_trace *const traces[2], limits *out)
{
    const hgate_group_params *p = &s->params;
    *out = (limits){p->device_budget ? p->device_budget : SIZE_MAX,
                    p->pinned_budget ? p->pinned_budget : SIZE_MAX};
    const hg_plugin *plugin = plugin_of(traces[0]) ? plugin_of(traces[0]) : plugin_of(traces[1]);
    if (p->device_budget || !s->is_on_device || !plugin || !plugin->descriptor->free_memory) {
        return HGATE_OK;
    }
    size_t available = 0;
    const int status = plugin->descriptor->free_memory(plugin->state, p->device_id, &available);
    out->held = available / 10 * 9;
    return status;
}

static bool fits(const hg_need_bytes *b, const limits *limit)
{
    return b->held <= limit->held;
}

/* The most stations of a side, up to n[side], that fit; n[side] is set to it, 1 at least. */
static int shrink(const hg_survey *s, int side, hgate_trace *const traces[2], const limits *limit,
                  int64_t n[2])
{
    int64_t low = 1, high = n[side];
    bool served[2];
    hg_need_bytes b;
    while (low < high) {
        n[side] = low + (high - low + 1) / 2;
        const int status = count_group(s, n, traces, &b, served);
        if (status != HGATE_OK) {
            return status;
        }
        if (fits(&b, limit) && (served[0] || served[1])) {
            low = n[side];
        } else {
            high = n[side] - 1;
        }
    }
    n[side] = low;
    return HGATE_OK;
}

/* Groups of equal size where the size is ours to choose. */
static int64_t even(int64_t total, int64_t most)
{
    const int64_t groups = (total + most - 1) / most;
    return (total + groups - 1) / groups;
}

static int refuse_budget(const hg_survey *s, const hg_need_bytes *b, const limits *limit,
                         const int64_t n[2])
{
    const bool is_given = s->params.device_budget || !s->is_on_device;
    return hg_error(HGATE_ENOMEM,
                    "%s: a group of %lld sources and %lld receivers needs %zu bytes, %zu are given",
                    is_given ? "device_budget" : "device memory", (long long)n[0], (long long)n[1],
                    b->held, limit->held);
}

static int refuse_kernels(const hg_survey *s, const hgate_trace *trace)
{
    return s->is_on_device || trace->n_usable > 0
               ? hg_decide_error(trace)
               : hg_error(HGATE_ENOKERNEL, "no kernel for host memory may serve the groups; "
                                           "device_id names a device");
}

int hg_cut_make(hg_survey *s, int op, hgate_trace *const traces[2], hg_need_bytes *needed)
{
    const hgate_group_params *p = &s->params;
    const int64_t all[2] = {s->sources.n, s->nr};
    const int64_t given[2] = {p->sources_per_group, p->receivers_per_group};
    int64_t n[2];
    bool served[2];
    limits limit;
    for (int side = 0; side < 2; side++) {
        n[side] = given[side] > 0 && given[side] < all[side] ? given[side] : all[side];
    }
    const int64_t one[2] = {1, 1};
    int status = count_group(s, one, traces, needed, served);
    if (status == HGATE_OK &&
        !(op < 0 ? served[0] || served[1] : served[op - HGATE_OP_KIRCHHOFF_FORWARD])) {
        return refuse_kernels(s, traces[op < 0 ? 0 : op - HGATE_OP_KIRCHHOFF_FORWARD]);
    }
    if (status == HGATE_OK) {
        status = find_limits(s, traces, &limit);
    }
    if (status == HGATE_OK && needed->staged > limit.staged) {
        return hg_error(HGATE_ENOMEM, "pinned_budget: staging needs %zu bytes, %zu are given",
                        needed->staged, limit.staged);
    }
    if (status == HGATE_OK) {
        status = count_group(s, n, traces, needed, served);
    }
    /* sources first, then receivers; what the caller gave stays */
    for (int side = 0; side < 2 && status == HGATE_OK; side++) {
        if (!given[side] && !(fits(needed, &limit) && (served[0] || served[1]))) {
            status = shrink(s, side, traces, &limit, n);
            n[side] = even(all[side], n[side]);
            status = status == HGATE_OK ? count_group(s, n, traces, needed, served) : status;
        }
    }
    if (status == HGATE_OK && !fits(needed, &limit)) {
        return refuse_budget(s, needed, &limit, n);
    }
    if (status == HGATE_OK && op >= 0 && !served[op - HGATE_OP_KIRCHHOFF_FORWARD]) {
        return refuse_kernels(s, traces[op - HGATE_OP_KIRCHHOFF_FORWARD]);
    }
    for (int side = 0; side < 2; side++) {
        s->per_group[side] = n[side];
        s->n_groups[side] = (all[side] + n[side] - 1) / n[side];
    }
    return status;
}
