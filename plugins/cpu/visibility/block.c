/* SPDX-License-Identifier: BSD-3-Clause */
/* Everything about one block of sources that the fused call needs to make its part of Z. */
#include "plugins/cpu/visibility/block.h"

#include "plugins/cpu/visibility/stencils.h"

#include <string.h>

static size_t real_bytes(const hg_field *field)
{
    return field->in->is_64 ? sizeof(double) : sizeof(float);
}

/* ---- what all blocks share ---- */

void hg_field_lay_out(hgate_scratch *scratch, hg_field *field)
{
    const hg_visibility_inputs *in = field->in;
    field->room = in->nbeam < in->nant ? in->nbeam : in->nant;
    field->slot_of = hgate_scratch_take(scratch, in->nbeam, sizeof(int64_t));
    field->beam_of = hgate_scratch_take(scratch, field->room, sizeof(int64_t));
    field->antennas = hgate_scratch_take(scratch, in->nant, sizeof(hg_antenna_turns));
}

void hg_field_fill(hg_field *field)
{
    const hg_visibility_inputs *in = field->in;
    for (int64_t b = 0; b < in->nbeam; b++)
        field->slot_of[b] = -1;
    field->n_slots = 0;
    for (int64_t a = 0; a < in->nant; a++) {
        int64_t b = hg_beam_of(in->beam_idx, in->nbeam, a);
        if (field->slot_of[b] < 0) {
            field->beam_of[field->n_slots] = b;
            field->slot_of[b] = field->n_slots++;
        }
        double metres[3];
        for (int d = 0; d < 3; d++)
            metres[d] = hg_real(in->antpos, 3 * a + d);
        field->antennas[a] =
            hg_antenna_turns_of(metres, in->wavenumber, in->params->phase_sign, in->is_64);
    }
}

/* ---- one block ---- */

void hg_block_lay_out(hgate_scratch *scratch, const hg_field *field, int64_t chunk, hg_block *block)
{
    const hg_visibility_inputs *in = field->in;
    const int64_t widest =
        16; /* lanes of any instruction set: the estimate must not depend on it */
    int64_t n = (chunk + widest - 1) / widest * widest;
    size_t real = real_bytes(field);
    block->stride = n;
    block->wide = hgate_scratch_take(scratch, 3 * n, sizeof(double));
    block->unit = hgate_scratch_take(scratch, 3 * n, real);
    block->az = hgate_scratch_take(scratch, n, sizeof(double));
    block->za = hgate_scratch_take(scratch, n, sizeof(double));
    block->amp = hgate_scratch_take(scratch, n, real);
    block->node = hgate_scratch_take(scratch, 4 * n, sizeof(int64_t));
    block->weight = hgate_scratch_take(scratch, 4 * n, real);
    block->values = hgate_scratch_take(scratch, field->room * in->nfeed * in->nax * 2 * n, real);
    int64_t places = field->is_apart ? in->nant : widest + 1;
    block->phases = hgate_scratch_take(scratch, 2 * places * n, real);
}

/* Directions and amplitudes, in double and in the precision of the call; zeros behind the last. */
static void load_sources(const hg_visibility_inputs *in, const hg_sources *sources, hg_block *block)
{
    hg_reals unit = {block->unit, in->is_64}, amp = {block->amp, in->is_64};
    hg_chunk chunk = block->chunk;
    for (int64_t s = 0; s < block->stride; s++) {
        int64_t source = s < chunk.n ? sources->up[chunk.start + s] : -1;
        for (int d = 0; d < 3; d++) {
            double x = source < 0 ? 0.0 : hg_real(in->crd, d * in->nsrc + source);
            block->wide[d * block->stride + s] = x;
            hg_real_put(unit, d * block->stride + s, x);
        }
        hg_real_put(amp, s,
                    source < 0 ? 0.0
                               : hg_amplitude(chunk.sign * hg_real(in->flux, source), in->params));
    }
}

static hg_stencils stencils_of(const hg_field *field, const hg_block *block)
{
    hg_stencils at = {.n = block->chunk.n};
    for (int k = 0; k < 4; k++) {
        at.node[k] = block->node + k * block->stride;
        at.weight[k] = (char *)block->weight + (size_t)(k * block->stride) * real_bytes(field);
    }
    return at;
}

/* Nodes and weights of the loaded sources in beam b. */
static void find_nodes(const hg_field *field, hg_block *block, int64_t b)
{
    const hg_beam *beam = &field->in->beam;
    for (int64_t s = 0; s < block->stride; s++) {
        hg_stencil za = {{0, 0}, {0.0, 0.0}}, az = za;
        if (s < block->chunk.n)
            hg_beam_stencils(beam, b, block->az[s], block->za[s], &za, &az);
        hg_stencil_put(za, az, beam->naz, s, block->stride, block->node,
                       (hg_reals){block->weight, field->in->is_64});
    }
}

/* A plane of the grid (b, axis, feed). */
static const void *plane_of(const hg_beam *beam, int64_t b, int64_t axis, int64_t feed)
{
    size_t real = beam->grid.is_64 ? sizeof(double) : sizeof(float);
    size_t node = beam->is_complex ? 2 * real : real;
    int64_t plane = (b * beam->nax + axis) * beam->nfeed + feed;
    return (const char *)beam->grid.data + (size_t)(plane * beam->nza * beam->naz) * node;
}

/* Values (slot, feed, axis): the real part; the imaginary one is a stride further. */
static char *values_of(const hg_field *field, const hg_block *block, int64_t slot, int64_t feed,
                       int64_t axis)
{
    const hg_visibility_inputs *in = field->in;
    int64_t row = (slot * in->nfeed + feed) * in->nax + axis;
    return block->values + (size_t)(row * 2 * block->stride) * real_bytes(field);
}

static void interpolate(const hg_field *field, hg_block *block, int with_root, const void *amp)
{
    const hg_visibility_inputs *in = field->in;
    size_t step = (size_t)block->stride * real_bytes(field);
    hg_stencils at = stencils_of(field, block);
    for (int64_t slot = 0; slot < field->n_slots; slot++) {
        int64_t b = field->beam_of[slot];
        if (slot == 0 || !hg_beam_is_shared(&in->beam))
            find_nodes(field, block, b);
        for (int64_t feed = 0; feed < in->nfeed; feed++)
            for (int64_t axis = 0; axis < in->nax; axis++) {
                char *re = values_of(field, block, slot, feed, axis);
                field->lanes->interpolate(&at, plane_of(&in->beam, b, axis, feed),
                                          in->beam.is_complex, with_root, amp, re, re + step);
            }
    }
}

static void load_directions(const hg_field *field, const hg_sources *sources, hg_chunk chunk,
                            hg_block *block)
{
    block->chunk = chunk;
    load_sources(field->in, sources, block);
    field->lanes->angles(chunk.n, block->wide, block->wide + block->stride,
                         block->wide + 2 * block->stride, block->az, block->za);
}

void hg_block_load(const hg_field *field, const hg_sources *sources, hg_chunk chunk,
                   hg_block *block)
{
    load_directions(field, sources, chunk, block);
    interpolate(field, block, field->in->params->sqrt_power, block->amp);
}

/* ---- Z ---- */

static char *phases_in(const hg_field *field, const hg_block *block, int64_t slot)
{
    return block->phases + (size_t)(2 * slot * block->stride) * real_bytes(field);
}

/* One of the places for phases as factors of a row. */
static void take_phases(const hg_field *field, const hg_block *block, int64_t slot, hg_factors *row)
{
    char *re = phases_in(field, block, slot);
    row->phase[0] = re;
    row->phase[1] = re + (size_t)block->stride * real_bytes(field);
}

/* The same with the phases of an antenna in it. */
static void find_phases(const hg_field *field, const hg_block *block, int64_t a, int64_t slot,
                        hg_factors *row)
{
    hg_directions to = {block->chunk.n, block->stride, block->unit, block->wide};
    char *re = phases_in(field, block, slot);
    field->lanes->phases(&field->antennas[a], &to, field->tau_mode, re,
                         re + (size_t)block->stride * real_bytes(field));
    take_phases(field, block, slot, row);
}

static void find_values(const hg_field *field, const hg_block *block, int64_t a, int64_t feed,
                        int64_t axis, hg_factors *row)
{
    const hg_visibility_inputs *in = field->in;
    int64_t slot = field->slot_of[hg_beam_of(in->beam_idx, in->nbeam, a)];
    char *re = values_of(field, block, slot, feed, axis);
    row->value[0] = re;
    row->value[1] = re + (size_t)block->stride * real_bytes(field);
}

void hg_block_rows(const hg_field *field, hg_block *block, void *Z)
{
    const hg_visibility_inputs *in = field->in;
    size_t step = (size_t)block->chunk.n * 2 * real_bytes(field);
    char *out = Z;
    hg_factors row;
    for (int64_t a = 0; field->is_apart && a < in->nant; a++)
        find_phases(field, block, a, a, &row);
    for (int64_t a = 0; a < in->nant; a++) {
        if (field->is_apart)
            take_phases(field, block, a, &row);
        else
            find_phases(field, block, a, 0, &row);
        for (int64_t feed = 0; feed < in->nfeed; feed++)
            for (int64_t axis = 0; axis < in->nax; axis++, out += step) {
                find_values(field, block, a, feed, axis, &row);
                field->lanes->weave(block->chunk.n, &row, out);
            }
    }
}

/* Rows behind the last: zero phases of whatever value. */
static hg_factors nothing(const hg_field *field, const hg_block *block)
{
    hg_factors row;
    char *zeros = phases_in(field, block, field->lanes->lanes);
    memset(zeros, 0, (size_t)(2 * block->stride) * real_bytes(field));
    find_values(field, block, 0, 0, 0, &row);
    row.phase[0] = row.phase[1] = zeros;
    return row;
}

void hg_block_panels(const hg_field *field, hg_block *block, const hg_panels *panels)
{
    enum { MOST_LANES = 16 };
    const hg_visibility_inputs *in = field->in;
    int64_t lanes = field->lanes->lanes;
    for (int64_t q = 0; q < panels->n; q++) {
        hg_factors rows[MOST_LANES];
        int64_t last = -1;
        for (int64_t r = 0; r < lanes; r++) {
            int64_t a = (q * lanes + r) / in->nfeed, feed = (q * lanes + r) % in->nfeed;
            if (a >= in->nant) {
                rows[r] = nothing(field, block);
                continue;
            }
            if (a == last)
                rows[r] = rows[r - 1];
            else
                find_phases(field, block, a, r, &rows[r]);
            find_values(field, block, a, feed, 0, &rows[r]);
            last = a;
        }
        field->lanes->pack_factors(panels, q, rows, in->nax, 2 * block->stride, block->chunk.n);
    }
}

/* ---- power ---- */

hg_negative hg_block_negative(const hg_field *field, const hg_sources *sources, hg_chunk chunk,
                              hg_block *block)
{
    const hg_visibility_inputs *in = field->in;
    load_directions(field, sources, chunk, block);
    interpolate(field, block, 0, NULL);
    for (int64_t slot = 0; slot < field->n_slots; slot++)
        for (int64_t feed = 0; feed < in->nfeed; feed++)
            for (int64_t axis = 0; axis < in->nax; axis++) {
                hg_reals value = {values_of(field, block, slot, feed, axis), in->is_64};
                for (int64_t s = 0; s < block->chunk.n; s++)
                    if (hg_real(value, s) < 0.0)
                        return (hg_negative){1, field->beam_of[slot], axis, feed,
                                             sources->up[block->chunk.start + s]};
            }
    return (hg_negative){0};
}
