/* SPDX-License-Identifier: BSD-3-Clause */
/* Realistic input of the curvature family: baselines, noise, the kernel w, visibilities. */
#include "tools/generate/generate.h"

#include "core/base/alloc.h"
#include "core/base/error.h"
#include "tools/generate/curvature_case.h"
#include "tools/progress.h"

#include <math.h>

#define TWO_PI 6.283185307179586476925

enum { N_VISIBILITIES = 200 }; /* behind a w that is made up here */

void cli_curvature_prepare(cli_case *c)
{
    const int64_t which = cli_case_key(c, "case");
    cli_random random;
    cli_random_seed(&random, c->seed);
    const int status = which >= 0
                           ? cli_curvature_case(c, (int)which, &random)
                           : cli_curvature_sizes(c, cli_case_key(c, "ny"), cli_case_key(c, "nx"),
                                                 cli_case_key(c, "s"), cli_case_key(c, "nnz"));
    if (c->status == HGATE_OK) {
        c->status = status;
    }
}

/* Normal baselines, cut where the pixels no longer sample them; noise that differs by a half. */
static void draw_baseline(cli_random *random, double uv[2], double *sigma)
{
    const double limit = 0.42 / CLI_PIXEL;
    for (int i = 0; i < 2; i++) {
        uv[i] = fmin(fmax(cli_random_normal(random) * 0.35 * limit, -limit), limit);
    }
    *sigma = cli_random_uniform(random, 0.8, 1.3);
}

static void draw_baselines(cli_random *random, cli_array *uv, cli_array *sigma)
{
    for (int64_t k = 0; k < sigma->count; k++) {
        double baseline[2], noise;
        draw_baseline(random, baseline, &noise);
        cli_array_put(uv, 2 * k, baseline[0]);
        cli_array_put(uv, 2 * k + 1, baseline[1]);
        cli_array_put(sigma, k, noise);
    }
}

/* One visibility's share of w(dy, dx) = sum wt cos(2 pi CLI_PIXEL (dx u - dy v)) for dy >= 0. The
 * cosine is split, so that only ny + 2 nx of them are needed. */
static void add_visibility(double *half, int64_t ny, int64_t nx, const double uv[2], double weight,
                           double *cosines, double *sines)
{
    const int64_t width = 2 * nx - 1;
    for (int64_t j = 0; j < width; j++) {
        const double phase = TWO_PI * CLI_PIXEL * uv[0] * (double)(j - (nx - 1));
        cosines[j] = cos(phase);
        sines[j] = sin(phase);
    }
    for (int64_t dy = 0; dy < ny; dy++) {
        const double phase = TWO_PI * CLI_PIXEL * uv[1] * (double)dy;
        const double a = weight * cos(phase), b = weight * sin(phase);
        for (int64_t j = 0; j < width; j++) {
            half[dy * width + j] += a * cosines[j] + b * sines[j];
        }
    }
}

/* w is even: offset (-dy, -dx) has the value of (dy, dx). */
static void spread_half(cli_array *w, const double *half, int64_t ny, int64_t nx)
{
    const int64_t width = 2 * nx - 1;
    for (int64_t dy = 0; dy < ny; dy++) {
        for (int64_t j = 0; j < width; j++) {
            const int64_t dx = j - (nx - 1);
            const int64_t right = dx < 0 ? dx + 2 * nx : dx;
            const int64_t left = dx > 0 ? 2 * nx - dx : -dx;
            const int64_t up = dy > 0 ? 2 * ny - dy : 0;
            cli_array_put(w, dy * 2 * nx + right, half[dy * width + j]);
            cli_array_put(w, up * 2 * nx + left, half[dy * width + j]);
        }
    }
}

int cli_curvature_fill(cli_case *c, cli_random *random)
{
    cli_array *w = &c->arrays[HGATE_CURVATURE_W];
    const int64_t ny = w->shape[0] / 2, nx = w->shape[1] / 2, width = 2 * nx - 1;
    double *half = hg_calloc(NULL, (size_t)ny, (size_t)width * sizeof *half);
    double *turns = hg_calloc(NULL, 2 * (size_t)width, sizeof *turns);
    if (half && turns) {
        for (int64_t k = 0; k < N_VISIBILITIES; k++) {
            double uv[2], sigma;
            draw_baseline(random, uv, &sigma);
            add_visibility(half, ny, nx, uv, 1.0 / (sigma * sigma), turns, turns + width);
            cli_progress_at(c->progress, k, N_VISIBILITIES);
        }
        spread_half(w, half, ny, nx);
    }
    const int status = half && turns ? HGATE_OK : hg_error_memory("w", w->bytes);
    hg_free(NULL, half);
    hg_free(NULL, turns);
    return status;
}

int cli_curvature_kernel_fill(cli_case *c, cli_random *random)
{
    draw_baselines(random, &c->arrays[HGATE_CURVATURE_KERNEL_UV],
                   &c->arrays[HGATE_CURVATURE_KERNEL_SIGMA]);
    return HGATE_OK;
}

/* Positions of the pixels of an ellipse: y falls and x grows with the index. */
static void place_pixels(cli_case *c)
{
    const int64_t ny = cli_case_key(c, "ny"), nx = cli_case_key(c, "nx");
    int64_t n = 0;
    for (int64_t iy = 0; iy < ny; iy++) {
        for (int64_t ix = 0; ix < nx; ix++) {
            if (cli_ellipse_has(ny, nx, iy, ix)) {
                const double y = (double)(ny - 1 - 2 * iy), x = (double)(2 * ix - nx + 1);
                cli_array_put(&c->arrays[HGATE_CURVATURE_DIRTY_Y], n, 0.5 * CLI_PIXEL * y);
                cli_array_put(&c->arrays[HGATE_CURVATURE_DIRTY_X], n, 0.5 * CLI_PIXEL * x);
                n++;
            }
        }
    }
}

/* Visibilities of three round sources, with noise. */
int cli_curvature_dirty_fill(cli_case *c, cli_random *random)
{
    cli_array *uv = &c->arrays[HGATE_CURVATURE_DIRTY_UV];
    cli_array *sigma = &c->arrays[HGATE_CURVATURE_DIRTY_SIGMA];
    cli_array *vis = &c->arrays[HGATE_CURVATURE_DIRTY_VIS];
    enum { N_SOURCES = 3 };
    double y[N_SOURCES], x[N_SOURCES], flux[N_SOURCES];
    const double reach = 0.2 * CLI_PIXEL * (double)cli_case_key(c, "ny");
    draw_baselines(random, uv, sigma);
    place_pixels(c);
    for (int i = 0; i < N_SOURCES; i++) {
        y[i] = cli_random_uniform(random, -reach, reach);
        x[i] = cli_random_uniform(random, -reach, reach);
        flux[i] = cli_random_uniform(random, 20.0, 60.0);
    }
    for (int64_t k = 0; k < vis->count; k++) {
        const double u = cli_array_real(uv, 2 * k), v = cli_array_real(uv, 2 * k + 1);
        const double noise = cli_array_real(sigma, k);
        double re = noise * cli_random_normal(random), im = noise * cli_random_normal(random);
        for (int i = 0; i < N_SOURCES; i++) {
            const double size = 2.0 * CLI_PIXEL;
            const double fall = flux[i] * exp(-0.5 * TWO_PI * size * size * (u * u + v * v));
            const double phase = TWO_PI * (x[i] * u + y[i] * v);
            re += fall * cos(phase);
            im -= fall * sin(phase);
        }
        cli_array_put_complex(vis, k, re, im);
    }
    return HGATE_OK;
}

/* Columns of neighbouring pixels in a list of pixels. */
int cli_curvature_data_vector_fill(cli_case *c, cli_random *random)
{
    cli_array *d = &c->arrays[HGATE_CURVATURE_DATA_VECTOR_d];
    cli_array *rows = &c->arrays[HGATE_CURVATURE_DATA_VECTOR_ROWS];
    cli_array *vals = &c->arrays[HGATE_CURVATURE_DATA_VECTOR_VALS];
    int64_t *indptr = c->arrays[HGATE_CURVATURE_DATA_VECTOR_INDPTR].dl.data;
    const int64_t s = c->arrays[HGATE_CURVATURE_DATA_VECTOR_INDPTR].count - 1;
    for (int64_t p = 0; p < d->count; p++) {
        cli_array_put(d, p, cli_random_normal(random));
    }
    for (int64_t i = 0; i < s; i++) {
        const int64_t n = vals->count / s + (i < vals->count % s);
        const int64_t first = cli_random_below(random, d->count);
        for (int64_t t = 0; t < n; t++) {
            cli_array_put_index(rows, indptr[i] + t, (first + t) % d->count);
            cli_array_put(vals, indptr[i] + t, cli_random_uniform(random, 0.0, 1.0));
        }
        indptr[i + 1] = indptr[i] + n;
    }
    return HGATE_OK;
}
