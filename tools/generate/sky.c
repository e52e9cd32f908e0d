/* SPDX-License-Identifier: BSD-3-Clause */
/* The sky and the instrument under it. */
#include "tools/generate/sky.h"

#include "core/base/alloc.h"
#include "core/base/error.h"
#include "tools/progress.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

#define PI 3.141592653589793238463
#define LIGHT 299792458.0
#define SPACING 14.6

/* ---- antennas ---------------------------------------------------------------------------- */

typedef struct place {
    double east, north;
} place;

/* From the middle outwards; places as far away as each other by their direction. */
static int by_ring(const void *a, const void *b)
{
    const place *p = a, *q = b;
    const double rp = hypot(p->east, p->north), rq = hypot(q->east, q->north);
    if (fabs(rp - rq) > 1e-6) {
        return rp < rq ? -1 : 1;
    }
    const double ap = atan2(p->north, p->east), aq = atan2(q->north, q->east);
    return (ap > aq) - (ap < aq);
}

static void shift_sector(place *p)
{
    static const place shift[3] = {{0.0, 0.0}, {1.0 / 3.0, 1.0 / 5.0}, {-1.0 / 4.0, 1.0 / 3.0}};
    const int sector = (int)((atan2(p->north, p->east) + PI) / (2.0 * PI / 3.0)) % 3;
    p->east += SPACING * shift[sector].east;
    p->north += SPACING * shift[sector].north;
}

int cli_hex_array(cli_array *antpos, cli_random *random)
{
    const int64_t nant = antpos->shape[0];
    int64_t rings = 0, n = 0;
    while (3 * rings * (rings + 1) + 1 < nant) {
        rings++;
    }
    const int64_t most = 3 * rings * (rings + 1) + 1;
    place *places = hg_calloc(NULL, (size_t)most, sizeof *places);
    if (!places) {
        return hg_error_memory("antpos", (size_t)most * sizeof *places);
    }
    for (int64_t i = -rings; i <= rings; i++) {
        for (int64_t j = -rings; j <= rings; j++) {
            if (llabs(i + j) <= rings) {
                places[n++] = (place){SPACING * ((double)i + 0.5 * (double)j),
                                      SPACING * sqrt(0.75) * (double)j};
            }
        }
    }
    qsort(places, (size_t)n, sizeof *places, by_ring);
    for (int64_t a = 0; a < nant; a++) {
        shift_sector(&places[a]);
        cli_array_put(antpos, 3 * a, places[a].east);
        cli_array_put(antpos, 3 * a + 1, places[a].north);
        cli_array_put(antpos, 3 * a + 2, 0.05 * cli_random_normal(random));
    }
    hg_free(NULL, places);
    return HGATE_OK;
}

/* ---- sources ----------------------------------------------------------------------------- */

static double draw_flux(cli_random *random)
{
    const double slope = 1.5; /* of the counts above a flux */
    const double faint = pow(0.1, -slope), bright = pow(100.0, -slope);
    const double share = cli_random_uniform(random, 0.0, 1.0);
    return pow(faint + share * (bright - faint), -1.0 / slope);
}

void cli_sky(cli_array *crd, cli_array *flux, cli_random *random)
{
    const int64_t nsrc = crd ? crd->shape[1] : flux->shape[0];
    for (int64_t s = 0; s < nsrc; s++) {
        if (crd) {
            const double up = cli_random_uniform(random, -1.0, 1.0);
            const double az = cli_random_uniform(random, 0.0, 2.0 * PI);
            const double flat = sqrt(1.0 - up * up);
            cli_array_put(crd, s, flat * cos(az));
            cli_array_put(crd, nsrc + s, flat * sin(az));
            cli_array_put(crd, 2 * nsrc + s, up);
        }
        if (flux) {
            cli_array_put(flux, s, draw_flux(random));
        }
    }
}

/* ---- beams ------------------------------------------------------------------------------- */

typedef struct dish {
    double diameter, east, north; /* metres; tilt in direction cosines */
    double ripple;                /* phase of a small threefold pattern */
} dish;

/* Response of a round aperture, 2 J1(x) / x. */
static double airy(double x)
{
    return fabs(x) < 1e-6 ? 1.0 : 2.0 * j1(x) / x;
}

static double complex dish_response(const dish *d, double za, double az, double frequency)
{
    const double east = sin(za) * cos(az) - d->east, north = sin(za) * sin(az) - d->north;
    const double size = PI * d->diameter * frequency / LIGHT;
    const double complex ripple = 1.0 + 0.02 * sin(za) * cexp(I * (3.0 * az + d->ripple));
    return airy(size * hypot(east, north)) * ripple;
}

/* One plane of the grid: a feed along one axis of the field, with its gain. */
static void fill_plane(cli_array *grid, int64_t plane, const dish *d, double rotation, int64_t axis,
                       double complex gain, double frequency)
{
    const int64_t nza = grid->shape[3], naz = grid->shape[4];
    for (int64_t i = 0; i < nza; i++) {
        for (int64_t j = 0; j < naz; j++) {
            const double za = nza > 1 ? 0.5 * PI * (double)i / (double)(nza - 1) : 0.0;
            const double az = naz > 1 ? 2.0 * PI * (double)j / (double)(naz - 1) : 0.0;
            const double dipole = axis % 2 == 0 ? cos(za) * sin(az + rotation) : cos(az + rotation);
            const double complex value = gain * dipole * dish_response(d, za, az, frequency);
            cli_array_put_complex(grid, (plane * nza + i) * naz + j, creal(value), cimag(value));
        }
    }
}

void cli_beam_grid(cli_array *grid, cli_array *daz, cli_array *dza, double frequency,
                   cli_random *random, struct cli_progress *progress)
{
    const int64_t nbeam = grid->shape[0], nax = grid->shape[1], nfeed = grid->shape[2];
    for (int64_t b = 0; b < nbeam; b++) {
        const dish d = {14.0 * (1.0 + 0.05 * cli_random_normal(random)),
                        0.02 * cli_random_normal(random), 0.02 * cli_random_normal(random),
                        cli_random_uniform(random, 0.0, 2.0 * PI)};
        for (int64_t f = 0; f < nfeed; f++) {
            const double rotation = (f == 0 ? 0.0 : 0.5 * PI) + 0.01 * cli_random_normal(random);
            for (int64_t x = 0; x < nax; x++) {
                const double complex gain = cexp(0.1 * I * cli_random_normal(random));
                fill_plane(grid, (b * nax + x) * nfeed + f, &d, rotation, x, gain, frequency);
            }
        }
        cli_progress_at(progress, b, nbeam);
    }
    for (int64_t b = 0; b < nbeam; b++) {
        cli_array_put(daz, b, 2.0 * PI / (double)(grid->shape[4] - 1));
        cli_array_put(dza, b, 0.5 * PI / (double)(grid->shape[3] - 1));
    }
}
