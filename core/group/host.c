/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups on the host, one by one: what a kernel prepares is bounded by the group. */
#include "core/group/pipe.h"

#include "core/base/clock.h"
#include "core/base/error.h"

#include <string.h>

typedef struct room {
    hg_groups *g;
    hg_survey *s;
    char *tables[2]; /* packed, where a part is not contiguous in the caller's */
    char *traces;    /* where a group has some of the receivers */
    char *image;     /* adjoint: the sum */
} room;

static int allocate(const room *r, size_t bytes, char **out)
{
    *out = hg_alloc_aligned(&r->s->engine->allocator, bytes, 64);
    return *out ? HGATE_OK : hg_error_memory("groups", bytes);
}

static int open_room(room *r)
{
    const hg_survey *s = r->s;
    int status = HGATE_OK;
    for (int side = 0; side < 2 && status == HGATE_OK; side++) {
        const hg_part full = hg_survey_part(s, (hg_side)side, 0);
        if (!hg_survey_is_contiguous(s, (hg_side)side, full, false)) {
            status = allocate(r, r->g->need.tables[side], &r->tables[side]);
        }
    }
    if (status == HGATE_OK && s->n_groups[HG_RECEIVERS] > 1) {
        status = allocate(r, r->g->need.traces, &r->traces);
    }
    if (status == HGATE_OK && !hg_groups_are_forward(r->g)) {
        status = allocate(r, r->g->need.image, &r->image);
    }
    return status;
}

static void close_room(room *r)
{
    char *all[] = {r->tables[0], r->tables[1], r->traces, r->image};
    for (int i = 0; i < 4; i++) {
        hg_free(&r->s->engine->allocator, all[i]);
    }
}

/* Packs the tables of a part where they have to be. */
static size_t pack_side(const room *r, hg_side side, hg_part part)
{
    if (!r->tables[side]) {
        return 0;
    }
    const size_t bytes = (size_t)part.n * hg_station_bytes(r->s);
    for (int t = 0; t < r->s->n_tables; t++) {
        const hg_pack pack =
            hg_survey_stations(r->s, side, t, part, false, r->tables[side] + (size_t)t * bytes);
        hg_pack_run(&pack, &r->s->crew);
    }
    return bytes * (size_t)r->s->n_tables;
}

static size_t move_traces(const room *r, hg_part sources, hg_part receivers, bool out)
{
    if (!r->traces || out != hg_groups_are_forward(r->g)) {
        return 0;
    }
    const hg_pack pack = hg_survey_traces(r->s, sources, receivers, r->traces, out);
    hg_pack_run(&pack, &r->s->crew);
    return (size_t)(sources.n * receivers.n) * hg_trace_bytes(r->s);
}

static void place(hg_problem *problem, int arg, const void *data)
{
    if (problem->args[arg]) {
        problem->tensors[arg].dl.data = (void *)data;
    }
}

static void place_side(const room *r, hg_side side, hg_part part)
{
    hg_problem *problem = &r->g->problem;
    const DLTensor *index = hg_survey_whole(r->s)->args[hg_side_index(side)];
    for (int t = 0; t < r->s->n_tables; t++) {
        place(problem, hg_side_table(side, t),
              r->tables[side] ? r->tables[side] + (size_t)(t * part.n) * hg_station_bytes(r->s)
                              : hg_survey_in_place(r->s, side, t, part));
    }
    if (index) {
        place(problem, hg_side_index(side),
              (const char *)index->data + part.first * (index->dtype.bits / 8));
    }
}

static void place_all(const room *r, hg_part sources, hg_part receivers)
{
    const hg_problem *whole = hg_survey_whole(r->s);
    static const int shared[] = {HGATE_KIRCHHOFF_VEL, HGATE_KIRCHHOFF_TAP, HGATE_KIRCHHOFF_WAV,
                                 HGATE_KIRCHHOFF_MODEL};
    hg_survey_problem(r->s, r->g->op, sources, receivers, &r->g->problem);
    place_side(r, HG_SOURCES, sources);
    place_side(r, HG_RECEIVERS, receivers);
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        place(&r->g->problem, shared[i],
              whole->args[shared[i]] ? whole->args[shared[i]]->data : NULL);
    }
    if (r->image) {
        place(&r->g->problem, HGATE_KIRCHHOFF_MODEL, r->image);
    }
    const hg_pack traces = hg_survey_traces(r->s, sources, receivers, NULL, true);
    place(&r->g->problem, HGATE_KIRCHHOFF_DATA, r->traces ? r->traces : traces.to);
}

/* begin and the time since, for the callback. */
static double since(double *begin)
{
    const double now = hg_now(), seconds = now - *begin;
    *begin = now;
    return seconds;
}

static int run_group(const room *r, int64_t group, int64_t k, hg_part receivers, size_t moved,
                     double begin)
{
    const hg_survey *s = r->s;
    const hg_part sources = hg_survey_part(s, HG_SOURCES, k);
    moved += pack_side(r, HG_SOURCES, sources);
    moved += move_traces(r, sources, receivers, false);
    place_all(r, sources, receivers);
    int status = hg_survey_tell(s, group, HGATE_GROUP_COPY_IN, since(&begin), moved);
    if (status == HGATE_OK) {
        begin = hg_now();
        status = hg_groups_run(r->g, group == 0, NULL);
        hg_groups_release(r->g);
    }
    const double computed = since(&begin);
    moved = status == HGATE_OK ? move_traces(r, sources, receivers, true) : 0;
    const bool is_last = group + 1 == s->n_groups[0] * s->n_groups[1];
    moved += r->image && is_last ? r->g->need.image : 0;
    if (status == HGATE_OK) {
        status = hg_survey_tell(s, group, HGATE_GROUP_COMPUTE, computed, 0);
    }
    return status == HGATE_OK ? hg_survey_tell(s, group, HGATE_GROUP_COPY_OUT, since(&begin), moved)
                              : status;
}

static int run_all(const room *r)
{
    const hg_survey *s = r->s;
    int status = HGATE_OK;
    int64_t group = 0;
    for (int64_t row = 0; row < s->n_groups[HG_RECEIVERS] && status == HGATE_OK; row++) {
        const hg_part receivers = hg_survey_part(s, HG_RECEIVERS, row);
        double begin = hg_now();
        size_t moved = pack_side(r, HG_RECEIVERS, receivers);
        for (int64_t k = 0; k < s->n_groups[HG_SOURCES] && status == HGATE_OK; k++, group++) {
            status = hg_survey_failed(s, group, run_group(r, group, k, receivers, moved, begin));
            moved = 0;
            begin = hg_now();
        }
    }
    return status;
}

int hg_groups_on_host(hg_groups *g)
{
    room r = {.g = g, .s = g->survey};
    int status = open_room(&r);
    if (status == HGATE_OK) {
        status = run_all(&r);
    }
    if (status == HGATE_OK && r.image) {
        memcpy(hg_survey_whole(g->survey)->args[HGATE_KIRCHHOFF_MODEL]->data, r.image,
               g->need.image);
    }
    close_room(&r);
    return status;
}
