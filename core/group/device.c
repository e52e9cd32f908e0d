/* SPDX-License-Identifier: BSD-3-Clause */
/* Device memory and copies of a grouped call. */
#include "core/group/device.h"

#include "core/base/clock.h"
#include "core/base/error.h"
#include "core/route/staged.h"
#include "core/tensor/dtype.h"

#include <string.h>

/* ---- the plugin's functions ---- */

static int told(const hg_device *d, int status, unsigned before)
{
    if (status != HGATE_OK && hg_error_count() == before) {
        hg_error(status, "%s: %s", d->plugin->name, hgate_status_text(status));
    }
    return status;
}

int hg_device_wait(const hg_device *d, void *stream)
{
    const unsigned before = hg_error_count();
    const hgate_plugin *calls = d->plugin->descriptor;
    return calls->sync
               ? told(d, calls->sync(d->plugin->state, d->s->params.device_id, stream), before)
               : HGATE_OK;
}

int hg_device_start(const hg_device *d, int direction, void *there, void *here, size_t bytes,
                    void *stream)
{
    const unsigned before = hg_error_count();
    const hgate_plugin *calls = d->plugin->descriptor;
    if (bytes == 0) {
        return HGATE_OK;
    }
    return told(
        d,
        (d->is_pinned && calls->copy_async ? calls->copy_async : calls->copy)(
            d->plugin->state, direction, there, here, bytes, d->s->params.device_id, stream),
        before);
}

int hg_device_copy(const hg_device *d, int direction, void *there, void *here, size_t bytes)
{
    const unsigned before = hg_error_count();
    return bytes == 0 ? HGATE_OK
                      : told(d,
                             d->plugin->descriptor->copy(d->plugin->state, direction, there, here,
                                                         bytes, d->s->params.device_id, d->in),
                             before);
}

static int allocate(hg_device *d, size_t bytes, char **out)
{
    void *memory = NULL;
    const unsigned before = hg_error_count();
    const int status = d->plugin->descriptor->ws_alloc(d->plugin->state, bytes,
                                                       d->s->params.device_id, d->work, &memory);
    *out = memory;
    return told(d, status == HGATE_OK && !memory ? HGATE_ENOMEM : status, before);
}

static int allocate_staging(hg_device *d, size_t bytes)
{
    const hgate_plugin *calls = d->plugin->descriptor;
    void *memory = NULL;
    if (calls->pin) {
        const unsigned before = hg_error_count();
        const int status = calls->pin(d->plugin->state, bytes, d->s->params.device_id, &memory);
        d->is_pinned = memory != NULL;
        d->pinned = memory;
        return told(d, status == HGATE_OK && !memory ? HGATE_ENOMEM : status, before);
    }
    d->pinned = hg_alloc(&d->s->engine->allocator, bytes);
    return d->pinned ? HGATE_OK : hg_error_memory("staging", bytes);
}

/* ---- open ---- */

static char *take(char **at, size_t bytes)
{
    char *piece = *at;
    *at += hg_cut_round(bytes);
    return piece;
}

static bool is_page_locked(const hg_survey *s, int arg)
{
    return hg_space_of(hg_survey_whole(s)->args[arg]->device) == HGATE_SPACE_CUDA_HOST;
}

static void find_places(hg_device *d)
{
    const hg_survey *s = d->s;
    d->traces_in_place = is_page_locked(s, HGATE_KIRCHHOFF_DATA) && s->n_groups[HG_RECEIVERS] == 1;
    d->tables_in_place = s->is_station_major;
    for (int t = 0; t < s->n_tables; t++) {
        d->tables_in_place &= is_page_locked(s, hg_side_table(HG_SOURCES, t)) &&
                              is_page_locked(s, hg_side_table(HG_RECEIVERS, t));
    }
}

static int open_slots(hg_device *d, const hg_need_bytes *need)
{
    const int n = d->s->params.nslots;
    const size_t tables = need->tables[HG_SOURCES], traces = need->traces;
    const size_t staged_in =
        (d->tables_in_place ? 0 : tables) + (d->traces_in_place || d->is_forward ? 0 : traces);
    const size_t staged_out = d->traces_in_place || !d->is_forward ? 0 : traces;
    int status = allocate(d, (size_t)n * (hg_cut_round(tables) + hg_cut_round(traces)), &d->blocks);
    if (status == HGATE_OK) {
        status = allocate_staging(d, (size_t)n * staged_in + staged_out);
    }
    char *at = d->blocks, *staged = d->pinned;
    for (int i = 0; i < n && status == HGATE_OK; i++) {
        hg_slot *slot = &d->slots[i];
        slot->tables = take(&at, tables);
        slot->traces = take(&at, traces);
        slot->staged_tables = d->tables_in_place ? NULL : staged;
        staged += d->tables_in_place ? 0 : tables;
        slot->staged_traces = d->traces_in_place ? NULL : staged;
        staged += d->traces_in_place || d->is_forward ? 0 : traces;
    }
    d->staged_out = staged;
    return status;
}

/* vel, tap, wav and the lateral indices as they are. */
static int copy_shared(hg_device *d, char **at)
{
    const hg_problem *whole = hg_survey_whole(d->s);
    static const int shared[] = {HGATE_KIRCHHOFF_VEL, HGATE_KIRCHHOFF_SIX, HGATE_KIRCHHOFF_RIX,
                                 HGATE_KIRCHHOFF_TAP, HGATE_KIRCHHOFF_WAV};
    int status = HGATE_OK;
    for (size_t i = 0; i < sizeof shared / sizeof *shared && status == HGATE_OK; i++) {
        const DLTensor *tensor = whole->args[shared[i]];
        size_t bytes;
        if (tensor && hg_tensor_bytes(tensor, &bytes)) {
            d->shared[shared[i]] = take(at, bytes);
            status = hg_device_copy(d, HGATE_COPY_IN, d->shared[shared[i]], tensor->data, bytes);
        }
    }
    return status;
}

static int open_model(hg_device *d, size_t bytes)
{
    const DLTensor *model = d->s->model;
    d->model = d->image;
    if (!d->is_forward) {
        return HGATE_OK;
    }
    char *data = (char *)model->data + model->byte_offset;
    if (hg_space_of(model->device) == HGATE_SPACE_CUDA) {
        d->model = data;
        return HGATE_OK;
    }
    return hg_device_copy(d, HGATE_COPY_IN, d->image, data, bytes);
}

int hg_device_open(hg_device *d, const hg_survey *s, bool is_forward, const hg_plugin *plugin,
                   const hg_need_bytes *need)
{
    const hgate_group_params *p = &s->params;
    *d = (hg_device){.s = s, .is_forward = is_forward, .plugin = plugin};
    if (!plugin->descriptor->ws_alloc || !plugin->descriptor->copy) {
        return hg_error(HGATE_EUNAVAILABLE, "%s: gives no device memory to copy groups to",
                        plugin->name);
    }
    void *own = s->exec ? s->exec->stream : NULL;
    d->work = p->nstreams > 0 ? p->streams[0] : own;
    d->in = p->nstreams > 1 ? p->streams[1] : d->work;
    d->out = p->nstreams > 2 ? p->streams[2] : d->in;
    find_places(d);
    const size_t fixed =
        hg_cut_round(need->tables[HG_RECEIVERS]) + hg_cut_round(need->image) + need->shared;
    int status = allocate(d, fixed, &d->fixed);
    char *at = d->fixed;
    if (status == HGATE_OK) {
        d->receivers = take(&at, need->tables[HG_RECEIVERS]);
        d->image = take(&at, need->image);
        status = copy_shared(d, &at);
    }
    if (status == HGATE_OK) {
        status = open_model(d, need->image);
    }
    return status == HGATE_OK ? open_slots(d, need) : status;
}

void hg_device_close(hg_device *d)
{
    if (!d->plugin) {
        return;
    }
    const hgate_plugin *calls = d->plugin->descriptor;
    const int device = d->s->params.device_id;
    char *blocks[] = {d->blocks, d->fixed};
    void *streams[] = {d->in, d->work, d->out};
    for (int i = 0; i < 3 && d->fixed && calls->sync; i++) {
        (void)calls->sync(d->plugin->state, device, streams[i]);
    }
    for (int i = 0; i < 2; i++) {
        if (blocks[i]) {
            calls->ws_free(d->plugin->state, blocks[i], device, d->work);
        }
    }
    if (d->is_pinned) {
        calls->unpin(d->plugin->state, d->pinned, device);
    } else {
        hg_free(&d->s->engine->allocator, d->pinned);
    }
    d->plugin = NULL;
}

/* ---- copies ---- */

/* Tables are packed and sent in pieces, so that one is on its way while the next is packed. */
enum { PIECE_BYTES = 8 << 20 };

static int64_t stations_of_piece(const hg_survey *s, int64_t most)
{
    const int64_t n = (int64_t)(PIECE_BYTES / (hg_station_bytes(s) + 1)) + 1;
    return n < most ? n : most;
}

static int start_tables(const hg_device *d, hg_side side, hg_part part, char *there, char *staged,
                        size_t *moved)
{
    const hg_survey *s = d->s;
    const int64_t step = stations_of_piece(s, part.n);
    for (int t = 0; t < s->n_tables; t++) {
        for (int64_t i = 0; i < part.n; i += step) {
            const int64_t left = part.n - i;
            const hg_part piece = {part.first + i, step < left ? step : left};
            const size_t bytes = (size_t)piece.n * hg_station_bytes(s);
            const size_t at = (size_t)(t * part.n + i) * hg_station_bytes(s);
            void *here = (void *)hg_survey_in_place(s, side, t, piece);
            if (staged) {
                here = staged + at;
                const hg_pack pack = hg_survey_stations(s, side, t, piece, true, here);
                hg_pack_run(&pack, s->threads);
            }
            const int status = hg_device_start(d, HGATE_COPY_IN, there + at, here, bytes, d->in);
            if (status != HGATE_OK) {
                return status;
            }
            *moved += bytes;
        }
    }
    return HGATE_OK;
}

/* Through the staging of the first slot, as many stations at once as it holds; no group is on its
 * way then. */
int hg_device_receivers(hg_device *d, hg_part part)
{
    const hg_survey *s = d->s;
    const int64_t step = d->tables_in_place ? part.n : s->per_group[HG_SOURCES];
    size_t moved = 0;
    if (step >= part.n) {
        const int status =
            start_tables(d, HG_RECEIVERS, part, d->receivers, d->slots[0].staged_tables, &moved);
        return status == HGATE_OK ? hg_device_wait(d, d->in) : status;
    }
    for (int t = 0; t < s->n_tables; t++) {
        for (int64_t i = 0; i < part.n; i += step) {
            const int64_t left = part.n - i;
            const hg_part piece = {part.first + i, step < left ? step : left};
            const hg_pack pack =
                hg_survey_stations(s, HG_RECEIVERS, t, piece, true, d->slots[0].staged_tables);
            hg_pack_run(&pack, s->threads);
            const int status = hg_device_copy(
                d, HGATE_COPY_IN, d->receivers + (size_t)(t * part.n + i) * hg_station_bytes(s),
                d->slots[0].staged_tables, (size_t)piece.n * hg_station_bytes(s));
            if (status != HGATE_OK) {
                return status;
            }
        }
    }
    return HGATE_OK;
}

int hg_device_in(hg_device *d, hg_slot *slot, hg_part sources, hg_part receivers)
{
    slot->begin[HGATE_GROUP_COPY_IN] = hg_now();
    slot->moved[HGATE_GROUP_COPY_IN] = 0;
    int status = start_tables(d, HG_SOURCES, sources, slot->tables, slot->staged_tables,
                              &slot->moved[HGATE_GROUP_COPY_IN]);
    if (status != HGATE_OK || d->is_forward) {
        return status;
    }
    const hg_pack pack = hg_survey_traces(d->s, sources, receivers, slot->staged_traces, false);
    if (slot->staged_traces) {
        hg_pack_run(&pack, d->s->threads);
    }
    const size_t bytes = (size_t)(sources.n * receivers.n) * hg_trace_bytes(d->s);
    slot->moved[HGATE_GROUP_COPY_IN] += bytes;
    return hg_device_start(d, HGATE_COPY_IN, slot->traces,
                           slot->staged_traces ? slot->staged_traces : (void *)pack.from, bytes,
                           d->in);
}

int hg_device_out(hg_device *d, hg_slot *slot, hg_part sources, hg_part receivers)
{
    const hg_pack pack = hg_survey_traces(d->s, sources, receivers, d->staged_out, true);
    const size_t bytes = (size_t)(sources.n * receivers.n) * hg_trace_bytes(d->s);
    slot->begin[HGATE_GROUP_COPY_OUT] = hg_now();
    slot->moved[HGATE_GROUP_COPY_OUT] = d->is_forward ? bytes : 0;
    return d->is_forward
               ? hg_device_start(d, HGATE_COPY_OUT, slot->traces,
                                 d->traces_in_place ? pack.to : d->staged_out, bytes, d->out)
               : HGATE_OK;
}

int hg_device_land(hg_device *d, hg_part sources, hg_part receivers)
{
    if (!d->is_forward) {
        return HGATE_OK;
    }
    const int status = hg_device_wait(d, d->out);
    if (status == HGATE_OK && !d->traces_in_place) {
        const hg_pack pack = hg_survey_traces(d->s, sources, receivers, d->staged_out, true);
        hg_pack_run(&pack, d->s->threads);
    }
    return status;
}
