/* SPDX-License-Identifier: BSD-3-Clause */
/* Realistic input of the kirchhoff family: stations near the surface, straight rays through a
 * constant velocity, dipping reflectors. */
#include "tools/generate/generate.h"

#include "core/base/alloc.h"
#include "core/base/error.h"
#include "tools/progress.h"

#include <math.h>
#include <stdlib.h>

#define TWO_PI 6.283185307179586476925

/* A grid with its origin at 0; ny = 0 is two dimensions. */
typedef struct survey {
    int64_t ny, nx, nz;
    double dy, dx, dz;
} survey;

typedef struct station {
    double y, x, z;
} station;

static int by_x(const void *a, const void *b)
{
    const station *p = a, *q = b;
    return (p->x > q->x) - (p->x < q->x);
}

/* Unevenly spaced along the surface; the first one, where wanted, lies outside the grid. */
static station *draw_stations(const survey *s, int64_t n, double depth, bool is_first_outside,
                              cli_random *random)
{
    station *stations = hg_calloc(NULL, (size_t)n, sizeof *stations);
    for (int64_t i = 0; stations && i < n; i++) {
        stations[i].y =
            s->ny > 0 ? cli_random_uniform(random, 0.0, s->dy * (double)(s->ny - 1)) : 0.0;
        stations[i].x = cli_random_uniform(random, 0.0, s->dx * (double)(s->nx - 1));
        stations[i].z = depth + cli_random_uniform(random, 0.0, 3.0);
    }
    if (stations && s->ny == 0) {
        qsort(stations, (size_t)n, sizeof *stations, by_x);
    }
    if (stations && is_first_outside) {
        stations[0].x = -1.7 * s->dx;
    }
    return stations;
}

static station ray(const survey *s, const station *from, int64_t point)
{
    const int64_t iz = point % s->nz, ix = point / s->nz % s->nx, iy = point / s->nz / s->nx;
    return (station){s->dy * (double)iy - from->y, s->dx * (double)ix - from->x,
                     s->dz * (double)iz - from->z};
}

static double length(station r)
{
    return sqrt(r.y * r.y + r.x * r.x + r.z * r.z);
}

/* The farthest image point is a corner of the grid. */
static double farthest(const survey *s, const station *stations, int64_t n)
{
    const int64_t ny = s->ny > 0 ? s->ny : 1;
    double most = 0.0;
    for (int64_t i = 0; i < n; i++) {
        for (int corner = 0; corner < 8; corner++) {
            const int64_t iy = corner & 4 ? ny - 1 : 0, ix = corner & 2 ? s->nx - 1 : 0;
            const int64_t iz = corner & 1 ? s->nz - 1 : 0;
            most = fmax(most, length(ray(s, &stations[i], (iy * s->nx + ix) * s->nz + iz)));
        }
    }
    return most;
}

/* Angle of a ray with the vertical, signed by its direction along x. */
static double ray_angle(const survey *s, station r)
{
    if (s->ny == 0) {
        return atan2(r.x, r.z);
    }
    const double distance = length(r);
    const double angle = distance > 0.0 ? acos(fmin(fmax(r.z / distance, -1.0), 1.0)) : 0.0;
    return r.x < 0.0 ? -angle : angle;
}

/* What a table holds of the rays to its stations. */
typedef struct ray_table {
    cli_array *trav, *amp, *ang; /* (ni, n); the last two may be absent */
    double velocity, eps;
} ray_table;

static void fill_table(const survey *s, const station *stations, const ray_table *t,
                       struct cli_progress *progress)
{
    const int64_t ni = t->trav->shape[0], n = t->trav->shape[1];
    for (int64_t i = 0; i < ni; i++) {
        for (int64_t j = 0; j < n; j++) {
            const station r = ray(s, &stations[j], i);
            const double distance = length(r);
            cli_array_put(t->trav, i * n + j, distance / t->velocity);
            if (t->amp->is_given) {
                const double spread = distance + t->eps;
                cli_array_put(t->amp, i * n + j, s->ny > 0 ? 1.0 / spread : 1.0 / sqrt(spread));
                cli_array_put(t->ang, i * n + j, ray_angle(s, r));
            }
        }
        cli_progress_at(progress, i, ni);
    }
}

/* Three gently dipping reflectors, one sample thick. */
static void fill_model(const survey *s, cli_array *model)
{
    static const struct {
        double depth, strength;
    } layers[] = {{0.3, 1.0}, {0.55, -0.6}, {0.8, 0.4}};
    const int64_t columns = model->count / s->nz;
    for (int64_t column = 0; column < columns; column++) {
        const double ix = (double)(column % s->nx), iy = (double)(column / s->nx);
        for (size_t l = 0; l < sizeof layers / sizeof layers[0]; l++) {
            const int64_t iz = (int64_t)(layers[l].depth * (double)s->nz + 0.06 * ix + 0.04 * iy);
            cli_array_put(model, column * s->nz + (iz < s->nz ? iz : s->nz - 1),
                          layers[l].strength);
        }
    }
}

static void fill_normal(cli_array *array, cli_random *random)
{
    for (int64_t i = 0; i < array->count; i++) {
        cli_array_put(array, i, cli_random_normal(random));
    }
}

static void fill_arrays(cli_case *c, const survey *s, const station *sources,
                        const station *receivers, cli_random *random)
{
    const hgate_kirchhoff_params *p = &c->scalars.params.kirchhoff;
    cli_array *a = c->arrays;
    const double reach = farthest(s, sources, a[HGATE_KIRCHHOFF_TRAV_SRC].shape[1]) +
                         farthest(s, receivers, a[HGATE_KIRCHHOFF_TRAV_REC].shape[1]);
    /* fast enough for the longest way to end within the record */
    const double velocity = reach / (0.95 * p->dt * (double)(p->nt - 1));
    const ray_table to_sources = {&a[HGATE_KIRCHHOFF_TRAV_SRC], &a[HGATE_KIRCHHOFF_AMP_SRC],
                                  &a[HGATE_KIRCHHOFF_ANG_SRC], velocity, 0.01 * reach};
    const ray_table to_receivers = {&a[HGATE_KIRCHHOFF_TRAV_REC], &a[HGATE_KIRCHHOFF_AMP_REC],
                                    &a[HGATE_KIRCHHOFF_ANG_REC], velocity, 0.01 * reach};
    fill_table(s, sources, &to_sources, c->progress);
    fill_table(s, receivers, &to_receivers, c->progress);
    for (int64_t i = 0; i < a[HGATE_KIRCHHOFF_VEL].count; i++) {
        cli_array_put(&a[HGATE_KIRCHHOFF_VEL], i, velocity * cli_random_uniform(random, 1.0, 1.1));
    }
    if (c->op->op == HGATE_OP_KIRCHHOFF_FORWARD) {
        fill_model(s, &a[HGATE_KIRCHHOFF_MODEL]);
    } else {
        fill_normal(&a[HGATE_KIRCHHOFF_DATA], random);
    }
}

int cli_kirchhoff_fill(cli_case *c, cli_random *random)
{
    const hgate_kirchhoff_params *p = &c->scalars.params.kirchhoff;
    const survey s = {p->ny, p->nx, p->nz, 12.0, 10.0, 8.0};
    station *sources = draw_stations(&s, cli_case_key(c, "ns"), 2.0, true, random);
    station *receivers = draw_stations(&s, cli_case_key(c, "nr"), 5.0, false, random);
    int status = HGATE_OK;
    if (sources && receivers) {
        fill_arrays(c, &s, sources, receivers, random);
    } else {
        status = hg_error_memory("stations", (size_t)cli_case_key(c, "ns") * sizeof *sources);
    }
    hg_free(NULL, sources);
    hg_free(NULL, receivers);
    return status;
}

/* ---- set-up operations ------------------------------------------------------------------- */

static void fill_stations(cli_array *array, const survey *s, const station *stations)
{
    const int64_t n = array->shape[1];
    for (int64_t i = 0; i < n; i++) {
        int64_t row = 0;
        if (s->ny > 0) {
            cli_array_put(array, row++ * n + i, stations[i].y);
        }
        cli_array_put(array, row++ * n + i, stations[i].x);
        cli_array_put(array, row * n + i, stations[i].z);
    }
}

int cli_kirchhoff_setup_fill(cli_case *c, cli_random *random)
{
    const hgate_kirchhoff_setup *setup = &c->scalars.params.setup;
    const hgate_kirchhoff_grid *g = &setup->grid;
    const survey s = {g->ny, g->nx, g->nz, g->dy, g->dx, g->dz};
    cli_array absent = {0};
    station *stations = draw_stations(&s, cli_case_key(c, "n"), 2.0, true, random);
    if (!stations) {
        return hg_error_memory("stations", (size_t)cli_case_key(c, "n") * sizeof *stations);
    }
    if (c->op->op == HGATE_OP_KIRCHHOFF_TRAVELTIME ||
        c->op->op == HGATE_OP_KIRCHHOFF_STATION_INDEX) {
        fill_stations(&c->arrays[0], &s, stations);
    } else { /* traveltimes, or distances: the way at speed 1 */
        const bool is_dist = c->op->op == HGATE_OP_KIRCHHOFF_SPREADING;
        const ray_table table = {&c->arrays[0], &absent, &absent, is_dist ? 1.0 : setup->v, 0.0};
        fill_table(&s, stations, &table, c->progress);
    }
    hg_free(NULL, stations);
    return HGATE_OK;
}

/* Ricker wavelet of 25 Hz at 4 ms, and traces of noise. */
int cli_kirchhoff_wavelet_fill(cli_case *c, cli_random *random)
{
    cli_array *wav = &c->arrays[0];
    for (int64_t i = 0; i < wav->count; i++) {
        const double turn = 0.5 * TWO_PI * 25.0 * 0.004 * (double)(i - wav->count / 2);
        cli_array_put(wav, i, (1.0 - 2.0 * turn * turn) * exp(-turn * turn));
    }
    if (c->op->op == HGATE_OP_KIRCHHOFF_CONVOLVE) {
        fill_normal(&c->arrays[HGATE_KIRCHHOFF_CONVOLVE_IN], random);
    }
    return HGATE_OK;
}
