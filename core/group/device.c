/* SPDX-License-Identifier: BSD-3-Clause */
/* Device memory of a grouped call, and the calls of its plugin. */
#include "core/group/device.h"

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
    const bool stages_in = !d->tables_in_place || (!d->is_forward && !d->traces_in_place);
    const bool stages_out = d->is_forward && !d->traces_in_place;
    int status = allocate(d, (size_t)n * (hg_cut_round(tables) + hg_cut_round(traces)), &d->blocks);
    if (status == HGATE_OK && (stages_in || stages_out)) {
        status = allocate_staging(d, need->piece * HG_PIECES * (size_t)(stages_in + stages_out));
    }
    char *at = d->blocks;
    for (int i = 0; i < n && status == HGATE_OK; i++) {
        d->slots[i].tables = take(&at, tables);
        d->slots[i].traces = take(&at, traces);
    }
    d->way_in = (hg_staging){d->pinned, need->piece, 0};
    d->way_out =
        (hg_staging){d->pinned + (stages_in ? need->piece * HG_PIECES : 0), need->piece, 0};
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

int hg_device_open(hg_device *d, hg_survey *s, bool is_forward, const hg_plugin *plugin,
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
