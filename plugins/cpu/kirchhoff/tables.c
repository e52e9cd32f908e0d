/* SPDX-License-Identifier: BSD-3-Clause */
/* Packing a survey's tables for the vector kernels. */
#include "plugins/cpu/kirchhoff/tables.h"

#include "plugins/cpu/kirchhoff/offsets.h"
#include "plugins/cpu/kirchhoff/pack_lanes.h"
#include "plugins/cpu/kirchhoff/survey.h"
#include "plugins/cpu/settings.h"

#include <string.h>

enum { MAX_TILE_POINTS = HG_TILE_BRICKS * 16 };

#ifdef HG_X86_64
static const hg_pack_lanes *const pack_fns[HG_ISA_COUNT] = {&hg_baseline_pack, &hg_avx2_pack,
                                                            &hg_avx512_pack};
#else
static const hg_pack_lanes *const pack_fns[HG_ISA_COUNT] = {&hg_baseline_pack, &hg_baseline_pack,
                                                            &hg_baseline_pack};
#endif

int hg_tables_lanes(int isa, int is_64)
{
    static const int lanes[HG_ISA_COUNT] = {4, 8, 16};
    return is_64 ? lanes[isa] / 2 : lanes[isa];
}

static void lay_out_side(hgate_scratch *scratch, hg_side *side, int64_t tiles, int64_t points,
                         size_t real, int is_dynamic)
{
    int64_t blocks = tiles * side->n;
    side->time = hgate_scratch_take(scratch, blocks * points, real);
    side->cosine = hgate_scratch_take(scratch, is_dynamic ? blocks * points : 0, real);
    side->sine = hgate_scratch_take(scratch, is_dynamic ? blocks * points : 0, real);
    side->base = hgate_scratch_take(scratch, blocks * HG_TILE_BRICKS, sizeof(int32_t));
    side->reach = hgate_scratch_take(scratch, blocks, sizeof(hg_reach));
}

static void lay_out(hgate_scratch *scratch, hg_tables *t)
{
    size_t real = t->is_64 ? sizeof(double) : sizeof(float);
    int64_t tiles = t->bricks.n_tiles, points = hg_tile_points(t);
    t->point = hgate_scratch_take(scratch, tiles * points, sizeof(int64_t));
    t->depth = hgate_scratch_take(scratch, tiles * HG_TILE_BRICKS, sizeof(int32_t));
    lay_out_side(scratch, &t->source, tiles, points, real, t->is_dynamic);
    lay_out_side(scratch, &t->receiver, tiles, points, real, t->is_dynamic);
    t->wav = hgate_scratch_take(scratch, t->nwav, real);
}

/* Sizes and options, without memory. */
static hg_tables describe(const hg_cpu *cpu, const hgate_problem *problem, const hg_survey *s)
{
    const int64_t *dims = problem->dims;
    hg_tables t = {.host = cpu->host,
                   .isa = cpu->isa,
                   .is_64 = problem->dtype == HGATE_F64,
                   .is_dynamic = s->is_dynamic,
                   .nt = s->nt,
                   .ni = s->ni,
                   .nwav = s->nwav,
                   .wavc = s->params->wavc};
    t.bricks = hg_bricks_of(dims[HGATE_DIM_KIRCHHOFF_NY], dims[HGATE_DIM_KIRCHHOFF_NX],
                            dims[HGATE_DIM_KIRCHHOFF_NZ], hg_tables_lanes(cpu->isa, t.is_64));
    t.source.n = s->ns;
    t.receiver.n = s->nr;
    return t;
}

size_t hg_tables_bytes(const hg_cpu *cpu, const hgate_problem *problem)
{
    hg_survey s = hg_survey_of(problem);
    hg_tables t = describe(cpu, problem, &s);
    hgate_scratch scratch = hgate_scratch_count();
    lay_out(&scratch, &t);
    size_t offsets = hg_offsets_bytes(&s, &t.bricks, t.is_64), bytes;
    return __builtin_add_overflow(scratch.bytes, offsets, &bytes) ? SIZE_MAX : bytes;
}

/* ---- one tile of one station ---- */

/* The tables of a side, and what its weights are multiplied with. */
typedef struct side_input {
    const hg_survey *survey;
    const hg_table *trav, *amp, *ang;
    double start;  /* subtracted from the times */
    int has_speed; /* 2 / vel goes into these weights */
} side_input;

/* Weight of an entry without the cosine: amplitude times taper, and 2 / vel; NaN where the table is
 * not finite. */
static double entry_weight(const side_input *in, int64_t i, int64_t station, double *half_angle)
{
    const hg_survey *s = in->survey;
    double q = hg_table_at(in->ang, i, station);
    double weight = hg_table_at(in->amp, i, station) * hg_taper(s, fabs(q), s->params->angle);
    if (in->has_speed)
        weight *= 2.0 / hg_real(s->vel, s->n_vel == 1 ? 0 : i);
    *half_angle = 0.5 * q;
    return isfinite(q) && isfinite(weight) ? weight : NAN;
}

typedef struct entries {
    double time[MAX_TILE_POINTS]; /* samples; NaN: not there */
    double cosine[MAX_TILE_POINTS], sine[MAX_TILE_POINTS];
} entries;

/* Values of the points of a tile; `nearest` repeats the point before a place that has none, -1
 * where there is none before it. */
static void read_values(const hg_table *table, const int64_t *nearest, int64_t n, int64_t station,
                        double *out)
{
    const int64_t step = table->step_point, at = station * table->step_station;
    const double *wide = table->values.data;
    const float *narrow = table->values.data;
    if (nearest[0] < 0)
        for (int64_t p = 0; p < n; p++)
            out[p] = nearest[p] < 0 ? NAN : hg_real(table->values, nearest[p] * step + at);
    else if (table->values.is_64)
        for (int64_t p = 0; p < n; p++)
            out[p] = wide[nearest[p] * step + at];
    else
        for (int64_t p = 0; p < n; p++)
            out[p] = (double)narrow[nearest[p] * step + at];
}

/* The two parts of the weights; an entry without one is not there. Places without a point repeat
 * the one before them, so that they bound nothing. */
static void read_weights(const side_input *in, const int64_t *point, int64_t n, int64_t station,
                         entries *e)
{
    for (int64_t p = 0; p < n; p++) {
        if (point[p] < 0) {
            e->time[p] = p > 0 ? e->time[p - 1] : NAN;
            e->cosine[p] = e->sine[p] = 0.0;
            continue;
        }
        double half_angle, weight = entry_weight(in, point[p], station, &half_angle);
        if (isnan(weight))
            e->time[p] = NAN;
        e->cosine[p] = isnan(weight) ? 0.0 : weight * cos(half_angle);
        e->sine[p] = isnan(weight) ? 0.0 : weight * sin(half_angle);
    }
}

/* Base of a brick whose times are `time`, and whole samples behind it after rounding; 0 when it has
 * none. */
static int brick_reach(const hg_pack_lanes *fns, const double *time, int lanes, int is_64,
                       int32_t *base, int32_t *span, int *has_gap)
{
    double low, high;
    *has_gap |= fns->bounds(time, lanes, &low, &high);
    *base = 0;
    *span = 0;
    if (low > high)
        return 0;
    *base = (int32_t)floor(low);
    double behind = high - *base;
    *span = (int32_t)(is_64 ? behind : (double)(float)behind);
    return 1;
}

/* Bases of the eight bricks and what they reach together. */
static hg_reach tile_reach(const hg_pack_lanes *fns, const double *time, int lanes, int is_64,
                           int32_t *base, int is_dark)
{
    hg_reach reach = {
        .first = 2 * HG_MAX_SAMPLES, .base = -HG_MAX_SAMPLES, .last = -HG_MAX_SAMPLES};
    int has_gap = 0;
    for (int b = 0; b < HG_TILE_BRICKS; b++) {
        int32_t span;
        if (!brick_reach(fns, time + b * lanes, lanes, is_64, &base[b], &span, &has_gap) || is_dark)
            continue;
        reach.first = base[b] < reach.first ? base[b] : reach.first;
        reach.base = base[b] > reach.base ? base[b] : reach.base;
        reach.last = base[b] + span > reach.last ? base[b] + span : reach.last;
        reach.span = span > reach.span ? span : reach.span;
    }
    if (has_gap)
        reach.last = 2 * HG_MAX_SAMPLES;
    return reach;
}

static void store(void *to, int64_t at, double value, int is_64)
{
    if (is_64)
        ((double *)to)[at] = value;
    else
        ((float *)to)[at] = (float)value;
}

static void pack_station(const side_input *in, const hg_tables *t, const hg_side *side,
                         const int64_t *nearest, int64_t tile, int64_t station)
{
    entries e;
    const hg_pack_lanes *fns = pack_fns[t->isa];
    const int64_t *point = t->point + tile * hg_tile_points(t);
    int64_t points = hg_tile_points(t), block = tile * side->n + station;
    int lanes = t->bricks.lanes, is_dark = t->is_dynamic;
    size_t real = t->is_64 ? sizeof(double) : sizeof(float);
    read_values(in->trav, nearest, points, station, e.time);
    fns->samples(e.time, points, in->start, in->survey->params->dt, (double)HG_MAX_SAMPLES);
    if (t->is_dynamic)
        read_weights(in, point, points, station, &e);
    for (int64_t p = 0; is_dark && p < points; p++)
        is_dark = e.cosine[p] == 0.0 && e.sine[p] == 0.0;
    int32_t *base = side->base + block * HG_TILE_BRICKS;
    side->reach[block] = tile_reach(fns, e.time, lanes, t->is_64, base, is_dark);
    for (int b = 0; b < HG_TILE_BRICKS; b++)
        fns->behind(e.time + b * lanes, lanes, base[b], t->is_64,
                    (char *)side->time + (size_t)(block * points + b * lanes) * real);
    for (int64_t p = 0; t->is_dynamic && p < points; p++) {
        store(side->cosine, block * points + p, e.cosine[p], t->is_64);
        store(side->sine, block * points + p, e.sine[p], t->is_64);
    }
}

typedef struct packing {
    const hg_tables *tables;
    side_input source, receiver;
} packing;

static void pack_tile(void *context, int64_t tile, int worker)
{
    (void)worker;
    const packing *p = context;
    const hg_tables *t = p->tables;
    const int64_t *point = t->point + tile * hg_tile_points(t);
    int64_t nearest[MAX_TILE_POINTS], last = -1;
    for (int64_t i = 0; i < hg_tile_points(t); i++)
        nearest[i] = last = point[i] < 0 ? last : point[i];
    for (int64_t station = 0; station < t->source.n; station++)
        pack_station(&p->source, t, &t->source, nearest, tile, station);
    for (int64_t station = 0; station < t->receiver.n; station++)
        pack_station(&p->receiver, t, &t->receiver, nearest, tile, station);
}

/* ---- the whole ---- */

/* An allocation with the header in front. */
static hg_tables *allocate(const hgate_host *host, const hg_tables *header)
{
    hg_tables copy = *header;
    hgate_scratch count = hgate_scratch_count();
    hgate_scratch_take(&count, 1, sizeof(hg_tables));
    lay_out(&count, &copy);
    char *memory = count.is_short ? NULL : host->alloc(host, count.bytes, HGATE_SCRATCH_ALIGNMENT);
    if (!memory)
        return NULL;
    hgate_scratch over = {.memory = memory, .size = count.bytes};
    hg_tables *t = hgate_scratch_take(&over, 1, sizeof(hg_tables));
    *t = copy;
    lay_out(&over, t);
    t->bytes = count.bytes;
    return t;
}

int hg_tables_make(void *state, const hgate_problem *problem, const hgate_run *run, void **prepared)
{
    const hg_cpu *cpu = state;
    hg_survey s = hg_survey_of(problem);
    hg_tables header = describe(cpu, problem, &s);
    hg_tables *t = allocate(run->host, &header);
    if (!t)
        return hgate_fail(run->host, HGATE_ENOMEM, "kirchhoff: no memory for the packed tables");
    t->task_points = hg_setting_integer(run->host, "ops.kirchhoff.cpu.tile", 0);
    hg_bricks_fill(&t->bricks, t->point, t->depth);
    for (int64_t q = 0; q < t->nwav; q++)
        store(t->wav, q, hg_real(s.wav, q), t->is_64);

    packing p = {.tables = t,
                 .source = {&s, &s.trav_src, &s.amp_src, &s.ang_src, s.params->t0, 0},
                 .receiver = {&s, &s.trav_rec, &s.amp_rec, &s.ang_rec, 0.0, 1}};
    cpu->spread(hg_cpu_threads(cpu, run->threads), t->bricks.n_tiles, pack_tile, &p);
    int status = s.has_aperture ? hg_offsets_make(run->host, &s, t) : HGATE_OK;
    if (status != HGATE_OK) {
        run->host->free(run->host, t);
        return hgate_fail(run->host, status, "kirchhoff: no memory for the offset factors");
    }
    *prepared = t;
    return HGATE_OK;
}

void hg_tables_free(void *state, void *prepared)
{
    (void)state;
    hg_tables *t = prepared;
    const hgate_host *host = t->host;
    if (t->offset_row)
        host->free(host, t->offset_row);
    host->free(host, t);
}
