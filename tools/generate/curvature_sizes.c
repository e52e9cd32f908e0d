/* SPDX-License-Identifier: BSD-3-Clause */
/* A curvature problem of given sizes: columns of neighbouring pixels with weights that fall from
 * the middle. */
#include "tools/generate/curvature_case.h"

#include "core/base/alloc.h"
#include "core/base/error.h"
#include "tools/generate/generate.h"
#include "tools/generate/pixels.h"

#include <math.h>
#include <stdlib.h>

typedef struct extent {
    int64_t ny, nx;
} extent;

bool cli_ellipse_has(int64_t ny, int64_t nx, int64_t iy, int64_t ix)
{
    const double u = (double)(2 * iy - ny + 1) / (double)ny;
    const double v = (double)(2 * ix - nx + 1) / (double)nx;
    return u * u + v * v <= 1.0;
}

static bool in_ellipse(const void *shape, double y, double x)
{
    const extent *e = shape;
    return cli_ellipse_has(e->ny, e->nx, (int64_t)y, (int64_t)x);
}

int64_t cli_ellipse_count(int64_t ny, int64_t nx)
{
    int64_t n = 0;
    for (int64_t y = 0; y < ny; y++) {
        for (int64_t x = 0; x < nx; x++) {
            n += cli_ellipse_has(ny, nx, y, x);
        }
    }
    return n;
}

/* A step from the middle of a column to one of its pixels. */
typedef struct offset {
    int32_t dy, dx;
} offset;

static int by_distance(const void *a, const void *b)
{
    const offset *p = a, *q = b;
    const int64_t dp = (int64_t)p->dy * p->dy + (int64_t)p->dx * p->dx;
    const int64_t dq = (int64_t)q->dy * q->dy + (int64_t)q->dx * q->dx;
    if (dp != dq) {
        return dp < dq ? -1 : 1;
    }
    return p->dy != q->dy ? (p->dy < q->dy ? -1 : 1) : (p->dx > q->dx) - (p->dx < q->dx);
}

typedef struct neighbourhood {
    offset *offsets; /* nearest first */
    int64_t n;
    int32_t *pixel_at; /* ny x nx, -1 outside the mask */
} neighbourhood;

/* Enough steps for `most` pixels even at the edge of the mask, where half of them lead outside. */
static int make_neighbourhood(neighbourhood *to, const cli_pixels *pixels, int64_t most)
{
    const double reach = 2.0 + 1.5 * sqrt((double)most);
    const int64_t ry = reach < (double)pixels->ny ? (int64_t)reach : pixels->ny;
    const int64_t rx = reach < (double)pixels->nx ? (int64_t)reach : pixels->nx;
    const int64_t n = (2 * ry + 1) * (2 * rx + 1), cells = pixels->ny * pixels->nx;
    *to = (neighbourhood){0};
    to->offsets = hg_calloc(NULL, (size_t)n, sizeof *to->offsets);
    to->pixel_at = hg_calloc(NULL, (size_t)cells, sizeof *to->pixel_at);
    if (!to->offsets || !to->pixel_at) {
        return hg_error_memory("mask", (size_t)n * sizeof *to->offsets);
    }
    for (int64_t dy = -ry; dy <= ry; dy++) {
        for (int64_t dx = -rx; dx <= rx; dx++) {
            to->offsets[to->n++] = (offset){(int32_t)dy, (int32_t)dx};
        }
    }
    qsort(to->offsets, (size_t)to->n, sizeof *to->offsets, by_distance);
    for (int64_t i = 0; i < cells; i++) {
        to->pixel_at[i] = -1;
    }
    for (int64_t p = 0; p < pixels->n; p++) {
        to->pixel_at[pixels->iy[p] * pixels->nx + pixels->ix[p]] = (int32_t)p;
    }
    return HGATE_OK;
}

typedef struct entry {
    int64_t row;
    double value;
} entry;

static int by_row(const void *a, const void *b)
{
    const entry *p = a, *q = b;
    return (p->row > q->row) - (p->row < q->row);
}

/* The `wanted` pixels nearest to a middle; where the mask has too few, they come again. */
static void make_column(const cli_pixels *pixels, const neighbourhood *near, int64_t middle,
                        int64_t wanted, entry *entries)
{
    int64_t found = 0;
    for (int64_t i = 0; i < near->n && found < wanted; i++) {
        const int64_t y = pixels->iy[middle] + near->offsets[i].dy;
        const int64_t x = pixels->ix[middle] + near->offsets[i].dx;
        if (y < 0 || y >= pixels->ny || x < 0 || x >= pixels->nx ||
            near->pixel_at[y * pixels->nx + x] < 0) {
            continue;
        }
        const double fall = (double)found / (double)wanted;
        entries[found++] = (entry){near->pixel_at[y * pixels->nx + x], 1.0 - sqrt(0.9 * fall)};
    }
    for (int64_t i = found; i < wanted; i++) {
        entries[i] = entries[i - found];
    }
    qsort(entries, (size_t)wanted, sizeof *entries, by_row);
}

static int fill_columns(cli_case *c, const cli_pixels *pixels, const neighbourhood *near,
                        int64_t most)
{
    const int64_t s = c->arrays[HGATE_CURVATURE_INDPTR].count - 1;
    const int64_t nnz = c->arrays[HGATE_CURVATURE_VALS].count;
    int64_t *indptr = c->arrays[HGATE_CURVATURE_INDPTR].dl.data;
    entry *entries = hg_calloc(NULL, (size_t)most, sizeof *entries);
    if (!entries) {
        return hg_error_memory("column", (size_t)most * sizeof *entries);
    }
    for (int64_t i = 0; i < s; i++) {
        const int64_t n = nnz / s + (i < nnz % s);
        const double share = ((double)i + 0.5) / (double)s;
        make_column(pixels, near, (int64_t)(share * (double)pixels->n), n, entries);
        for (int64_t t = 0; t < n; t++) {
            cli_array_put_index(&c->arrays[HGATE_CURVATURE_ROWS], indptr[i] + t, entries[t].row);
            cli_array_put(&c->arrays[HGATE_CURVATURE_VALS], indptr[i] + t, entries[t].value);
        }
        indptr[i + 1] = indptr[i] + n;
    }
    hg_free(NULL, entries);
    return HGATE_OK;
}

int cli_curvature_sizes(cli_case *c, int64_t ny, int64_t nx, int64_t s, int64_t nnz)
{
    const extent e = {ny, nx};
    cli_pixels pixels = {0};
    neighbourhood near = {0};
    if (s == 0 && nnz > 0) {
        return hg_error(HGATE_ESHAPE, "nnz: %lld entries in no column", (long long)nnz);
    }
    const int64_t most = s > 0 ? nnz / s + 1 : 1;
    int status = cli_matrix_new(c, s, nnz);
    if (status == HGATE_OK) {
        status = cli_pixels_new(&pixels, ny, nx, in_ellipse, &e);
    }
    if (status == HGATE_OK) {
        status = cli_pixels_store(c, &pixels);
    }
    if (status == HGATE_OK) {
        status = make_neighbourhood(&near, &pixels, most);
    }
    if (status == HGATE_OK) {
        status = fill_columns(c, &pixels, &near, most);
    }
    hg_free(NULL, near.offsets);
    hg_free(NULL, near.pixel_at);
    cli_pixels_free(&pixels);
    return status;
}
