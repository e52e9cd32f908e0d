/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups on a device: the copies of one beside the work of another.
 *
 * The order of a step for group k: its tables have arrived, group k-1 has been computed; start k,
 * start to copy out k-1, pack and start to copy in k+1, put away k-1. The calling thread waits for
 * streams where one hands over to another, so no events are needed and a stop or a failure is
 * noticed between groups. What a group keeps is freed before the next one is started, when nothing
 * but the copy in of that next group may be on its way: freeing device memory waits for all of it.
 */
#include "core/group/pipe.h"

#include "core/base/clock.h"
#include "core/base/error.h"
#include "core/group/device.h"
#include "core/tensor/dtype.h"

#include <string.h>

typedef struct flow {
    hg_groups *g;
    hg_survey *s;
    hg_device device;
    hg_part receivers;
    int64_t row; /* of receiver groups */
    void *image; /* host copy of the sum */
} flow;

static hg_slot *slot_of(flow *f, int64_t k)
{
    return &f->device.slots[k % f->s->params.nslots];
}

static int64_t number_of(const flow *f, int64_t k)
{
    return f->row * f->s->n_groups[HG_SOURCES] + k;
}

static bool is_last(const flow *f, int64_t k)
{
    return number_of(f, k) + 1 == f->s->n_groups[HG_SOURCES] * f->s->n_groups[HG_RECEIVERS];
}

static void place(hg_problem *problem, int arg, void *data)
{
    if (problem->args[arg]) {
        problem->tensors[arg].dl.data = data;
    }
}

static char *index_at(const flow *f, hg_side side, int64_t first)
{
    const DLTensor *index = hg_survey_whole(f->s)->args[hg_side_index(side)];
    return index ? f->device.shared[hg_side_index(side)] + first * (index->dtype.bits / 8) : NULL;
}

static int start(flow *f, int64_t k)
{
    hg_survey *s = f->s;
    hg_device *d = &f->device;
    hg_slot *slot = slot_of(f, k);
    hg_problem *problem = &f->g->problem;
    const hg_part sources = hg_survey_part(s, HG_SOURCES, k);
    slot->begin[HGATE_GROUP_COMPUTE] = hg_now();
    hg_groups_release(f->g);
    hg_survey_problem(s, f->g->op, sources, f->receivers, problem);
    for (int t = 0; t < s->n_tables; t++) {
        place(problem, hg_side_table(HG_SOURCES, t),
              slot->tables + (size_t)(t * sources.n) * hg_station_bytes(s));
        place(problem, hg_side_table(HG_RECEIVERS, t),
              d->receivers + (size_t)(t * f->receivers.n) * hg_station_bytes(s));
    }
    static const int shared[] = {HGATE_KIRCHHOFF_VEL, HGATE_KIRCHHOFF_TAP, HGATE_KIRCHHOFF_WAV};
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        place(problem, shared[i], d->shared[shared[i]]);
    }
    place(problem, HGATE_KIRCHHOFF_SIX, index_at(f, HG_SOURCES, sources.first));
    place(problem, HGATE_KIRCHHOFF_RIX, index_at(f, HG_RECEIVERS, f->receivers.first));
    place(problem, HGATE_KIRCHHOFF_MODEL, d->model);
    place(problem, HGATE_KIRCHHOFF_DATA, slot->traces);
    return hg_groups_run(f->g, number_of(f, k) == 0, d->work);
}

static int tell(flow *f, int64_t k, int phase)
{
    const hg_slot *slot = slot_of(f, k);
    return hg_survey_tell(f->s, number_of(f, k), phase, slot->end[phase] - slot->begin[phase],
                          slot->moved[phase]);
}

static int wait_for(flow *f, int64_t k, int phase, void *stream)
{
    const int status = hg_device_wait(&f->device, stream);
    slot_of(f, k)->end[phase] = hg_now();
    return status;
}

/* The tables of the receivers come with the first group of their row. */
static int copy_in(flow *f, int64_t k)
{
    hg_slot *slot = slot_of(f, k);
    const double begin = hg_now();
    int status = k == 0 ? hg_device_receivers(&f->device, f->receivers) : HGATE_OK;
    if (status == HGATE_OK) {
        status = hg_device_in(&f->device, slot, hg_survey_part(f->s, HG_SOURCES, k), f->receivers);
    }
    if (k == 0) {
        slot->begin[HGATE_GROUP_COPY_IN] = begin;
        slot->moved[HGATE_GROUP_COPY_IN] +=
            (size_t)(f->s->n_tables * f->receivers.n) * hg_station_bytes(f->s);
    }
    return status;
}

static int copy_out(flow *f, int64_t k)
{
    return hg_device_out(&f->device, slot_of(f, k), hg_survey_part(f->s, HG_SOURCES, k),
                         f->receivers);
}

/* The sum leaves the device once. */
static int fetch_image(flow *f, hg_slot *slot)
{
    const size_t bytes = f->g->need.image;
    f->image = hg_alloc(&f->s->engine->allocator, bytes);
    slot->moved[HGATE_GROUP_COPY_OUT] = bytes;
    return f->image ? hg_device_copy(&f->device, HGATE_COPY_OUT, f->device.image, f->image, bytes)
                    : hg_error_memory("image", bytes);
}

/* Group k is complete: its traces are the caller's. */
static int put_away(flow *f, int64_t k)
{
    int status = hg_device_land(&f->device, slot_of(f, k), hg_survey_part(f->s, HG_SOURCES, k),
                                f->receivers);
    if (status == HGATE_OK && !f->device.is_forward && is_last(f, k)) {
        status = fetch_image(f, slot_of(f, k));
    }
    slot_of(f, k)->end[HGATE_GROUP_COPY_OUT] = hg_now();
    return status == HGATE_OK ? tell(f, k, HGATE_GROUP_COPY_OUT) : status;
}

/* One step as above; *at: the group that a failure belongs to. */
static int step(flow *f, int64_t k, int64_t *at)
{
    const int64_t n = f->s->n_groups[HG_SOURCES];
    const bool overlaps = f->s->params.nslots > 1;
    hg_device *d = &f->device;
    int status = HGATE_OK;
#define DO(GROUP, CALL)                                                                            \
    if (status == HGATE_OK) {                                                                      \
        *at = (GROUP);                                                                             \
        status = (CALL);                                                                           \
    }
    if (!overlaps || k == 0) {
        DO(k, copy_in(f, k));
    }
    DO(k, wait_for(f, k, HGATE_GROUP_COPY_IN, d->in));
    if (overlaps && k > 0) {
        DO(k - 1, wait_for(f, k - 1, HGATE_GROUP_COMPUTE, d->work));
        DO(k - 1, tell(f, k - 1, HGATE_GROUP_COMPUTE));
    }
    DO(k, start(f, k));
    if (overlaps && k > 0) {
        DO(k - 1, copy_out(f, k - 1));
    }
    if (overlaps && k + 1 < n) {
        DO(k + 1, copy_in(f, k + 1));
    }
    if (overlaps && k > 0) {
        DO(k - 1, put_away(f, k - 1));
    }
    DO(k, tell(f, k, HGATE_GROUP_COPY_IN));
    if (!overlaps || k + 1 == n) {
        DO(k, wait_for(f, k, HGATE_GROUP_COMPUTE, d->work));
        DO(k, tell(f, k, HGATE_GROUP_COMPUTE));
        DO(k, copy_out(f, k));
        DO(k, put_away(f, k));
    }
#undef DO
    return status;
}

static int run_rows(flow *f)
{
    int status = HGATE_OK;
    for (f->row = 0; f->row < f->s->n_groups[HG_RECEIVERS] && status == HGATE_OK; f->row++) {
        int64_t at = 0;
        f->receivers = hg_survey_part(f->s, HG_RECEIVERS, f->row);
        for (int64_t k = 0; k < f->s->n_groups[HG_SOURCES] && status == HGATE_OK; k++) {
            status = step(f, k, &at);
        }
        if (status != HGATE_OK) {
            return hg_survey_failed(f->s, number_of(f, at), status);
        }
    }
    return status;
}

/* Nothing can fail behind this, so a model is written by a call that succeeds, or not at all; only
 * the copy to a model on the device may break off. */
static int store_image(flow *f)
{
    const DLTensor *model = f->s->model;
    char *to = (char *)model->data + model->byte_offset;
    if (hg_space_of(model->device) == HGATE_SPACE_CUDA) {
        return hg_device_copy(&f->device, HGATE_COPY_IN, to, f->image, f->g->need.image);
    }
    memcpy(to, f->image, f->g->need.image);
    return HGATE_OK;
}

int hg_groups_on_device(hg_groups *g)
{
    flow f = {.g = g, .s = g->survey};
    const hg_plugin *plugin = hg_trace_candidates(g->like).items[g->like->chosen].backend->plugin;
    int status = hg_device_open(&f.device, g->survey, hg_groups_are_forward(g), plugin, &g->need);
    if (status == HGATE_OK) {
        status = run_rows(&f);
    }
    /* waits before anything that the device may still read is freed */
    for (int i = 0; i < 3 && f.device.fixed; i++) {
        void *const streams[] = {f.device.in, f.device.work, f.device.out};
        const int waited = hg_device_wait(&f.device, streams[i]);
        status = status == HGATE_OK ? waited : status;
    }
    if (status == HGATE_OK && !hg_groups_are_forward(g)) {
        status = store_image(&f);
    }
    hg_groups_release(g);
    hg_device_close(&f.device);
    hg_free(&g->survey->engine->allocator, f.image);
    return status;
}
