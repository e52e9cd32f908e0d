/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of a grouped call between the caller's arrays and a device, through staging. */
#include "core/group/device.h"

#include "core/base/clock.h"

/* ---- copies in ---- */

/* A piece that nothing is in, after waiting where all are on their way. */
static int take_piece(hg_device *d, char **piece)
{
    hg_staging *ring = &d->way_in;
    int status = HGATE_OK;
    if (ring->in_use == HG_PIECES) {
        status = hg_device_wait(d, d->in);
        ring->in_use = 0;
    }
    *piece = ring->memory + (size_t)ring->in_use++ * ring->piece;
    return status;
}

/* The part of a copy that a run is, from or to a compact piece. */
static hg_pack pack_of_run(const hg_pack *whole, hg_run run, void *piece, bool out)
{
    hg_pack pack = *whole;
    const int64_t step_a = out ? whole->to_a : whole->from_a;
    const int64_t step_b = out ? whole->to_b : whole->from_b;
    const size_t at = (size_t)(run.a * step_a + run.b * step_b) * whole->element;
    pack.n_a = run.n_a;
    pack.n_b = run.n_b;
    if (out) {
        pack.from = piece;
        pack.from_a = run.n_b;
        pack.to = (char *)whole->to + at;
    } else {
        pack.from = (const char *)whole->from + at;
        pack.to = piece;
        pack.to_a = run.n_b;
    }
    return pack;
}

/* Sends all of a copy to the device, where it lies row by row. */
static int send(hg_device *d, const hg_pack *whole, char *there, bool is_in_place)
{
    const size_t all = (size_t)(whole->n_a * whole->n_b) * whole->element;
    const int64_t room = (int64_t)(d->way_in.piece / whole->element);
    int status = HGATE_OK;
    if (is_in_place) {
        return hg_device_start(d, HGATE_COPY_IN, there, (void *)whole->from, all, d->in);
    }
    for (hg_run run = hg_run_next((hg_run){0}, whole->n_a, whole->n_b, room);
         run.n_a > 0 && status == HGATE_OK; run = hg_run_next(run, whole->n_a, whole->n_b, room)) {
        char *piece;
        status = take_piece(d, &piece);
        const hg_pack pack = pack_of_run(whole, run, piece, false);
        if (status == HGATE_OK) {
            hg_pack_run(&pack, &d->s->crew);
            status = hg_device_start(d, HGATE_COPY_IN,
                                     there + (size_t)(run.a * whole->n_b + run.b) * whole->element,
                                     piece, (size_t)(run.n_a * run.n_b) * whole->element, d->in);
        }
    }
    return status;
}

static int send_tables(hg_device *d, hg_side side, hg_part part, char *there)
{
    int status = HGATE_OK;
    for (int t = 0; t < d->s->n_tables && status == HGATE_OK; t++) {
        const hg_pack pack = hg_survey_stations(d->s, side, t, part, true, NULL);
        status = send(d, &pack, there + (size_t)(t * part.n) * hg_station_bytes(d->s),
                      d->tables_in_place);
    }
    return status;
}

int hg_device_receivers(hg_device *d, hg_part part)
{
    return send_tables(d, HG_RECEIVERS, part, d->receivers);
}

int hg_device_in(hg_device *d, hg_slot *slot, hg_part sources, hg_part receivers)
{
    const hg_survey *s = d->s;
    const size_t traces = (size_t)(sources.n * receivers.n) * hg_trace_bytes(s);
    slot->begin[HGATE_GROUP_COPY_IN] = hg_now();
    slot->moved[HGATE_GROUP_COPY_IN] =
        (size_t)(s->n_tables * sources.n) * hg_station_bytes(s) + (d->is_forward ? 0 : traces);
    int status = send_tables(d, HG_SOURCES, sources, slot->tables);
    if (status == HGATE_OK && !d->is_forward) {
        const hg_pack pack = hg_survey_traces(s, sources, receivers, NULL, false);
        status = send(d, &pack, slot->traces, d->traces_in_place);
    }
    return status;
}

/* ---- copies out ---- */

/* Starts copies of the next runs to the pieces of one half of the ring. */
static int start_half(hg_device *d, int half, const hg_pack *whole, const char *from)
{
    const hg_staging *ring = &d->way_out;
    const int64_t room = (int64_t)(ring->piece / whole->element);
    int status = HGATE_OK;
    d->n_flying[half] = 0;
    while (d->n_flying[half] < HG_PIECES / 2 && status == HGATE_OK) {
        const hg_run run = hg_run_next(d->last_out, whole->n_a, whole->n_b, room);
        if (run.n_a == 0) {
            break;
        }
        const int piece = half * (HG_PIECES / 2) + d->n_flying[half]++;
        d->last_out = run;
        d->flying[piece] = run;
        status =
            hg_device_start(d, HGATE_COPY_OUT,
                            (void *)(from + (size_t)(run.a * whole->n_b + run.b) * whole->element),
                            ring->memory + (size_t)piece * ring->piece,
                            (size_t)(run.n_a * run.n_b) * whole->element, d->out);
    }
    return status;
}

static void unpack_half(hg_device *d, int half, const hg_pack *whole)
{
    for (int i = 0; i < d->n_flying[half]; i++) {
        const int piece = half * (HG_PIECES / 2) + i;
        const hg_pack pack = pack_of_run(
            whole, d->flying[piece], d->way_out.memory + (size_t)piece * d->way_out.piece, true);
        hg_pack_run(&pack, &d->s->crew);
    }
    d->n_flying[half] = 0;
}

int hg_device_out(hg_device *d, hg_slot *slot, hg_part sources, hg_part receivers)
{
    const size_t bytes = (size_t)(sources.n * receivers.n) * hg_trace_bytes(d->s);
    slot->begin[HGATE_GROUP_COPY_OUT] = hg_now();
    slot->moved[HGATE_GROUP_COPY_OUT] = d->is_forward ? bytes : 0;
    if (!d->is_forward) {
        return HGATE_OK;
    }
    const hg_pack whole = hg_survey_traces(d->s, sources, receivers, NULL, true);
    if (d->traces_in_place) {
        return hg_device_start(d, HGATE_COPY_OUT, slot->traces, whole.to, bytes, d->out);
    }
    d->last_out = (hg_run){0};
    const int status = start_half(d, 0, &whole, slot->traces);
    return status == HGATE_OK ? start_half(d, 1, &whole, slot->traces) : status;
}

/* While one half is put away the other one is on its way. */
int hg_device_land(hg_device *d, hg_slot *slot, hg_part sources, hg_part receivers)
{
    if (!d->is_forward) {
        return HGATE_OK;
    }
    const hg_pack whole = hg_survey_traces(d->s, sources, receivers, NULL, true);
    int status = hg_device_wait(d, d->out);
    bool has_arrived[2] = {true, true};
    for (int half = 0; status == HGATE_OK && d->n_flying[half] > 0; half = !half) {
        if (!has_arrived[half]) {
            status = hg_device_wait(d, d->out);
        }
        if (status == HGATE_OK && d->n_flying[!half] == 0) {
            status = start_half(d, !half, &whole, slot->traces);
            has_arrived[!half] = false;
        }
        if (status == HGATE_OK) {
            unpack_half(d, half, &whole);
        }
    }
    return status;
}
