/* SPDX-License-Identifier: BSD-3-Clause */
/* Named curvature problems: a mask, a source plane behind it, and the matrix between the two.
 *
 * "aris8" and its like have the extent and the densities of a real observation of a lensed galaxy:
 * a disc of 91 thousand pixels, mesh points at every 8th, 6th or 4th pixel. */
#include "tools/generate/curvature_case.h"

#include "core/base/alloc.h"
#include "core/base/error.h"
#include "tools/generate/generate.h"
#include "tools/generate/mesh.h"
#include "tools/generate/pixels.h"

#include <math.h>

typedef struct disc {
    double cy, cx, inner, outer;
} disc;

static bool in_disc(const void *shape, double y, double x)
{
    const disc *d = shape;
    const double square = (y - d->cy) * (y - d->cy) + (x - d->cx) * (x - d->cx);
    return square >= d->inner * d->inner && square <= d->outer * d->outer;
}

static bool everywhere(const void *shape, double y, double x)
{
    (void)shape;
    (void)y;
    (void)x;
    return true;
}

typedef enum mask_kind { SQUARE, CIRCLE, OFFSET, ANNULUS, ROW, COLUMN } mask_kind;
/* What the weights come from: a triangle mesh, a square grid, or runs of a line. */
typedef enum source_kind { MESH, GRID, RUNS } source_kind;

typedef struct case_row {
    mask_kind mask;
    source_kind source;
    int is_lensed;
    int64_t size, step; /* pixels along an edge; pixels between mesh points, or grid points */
    int64_t n_empty;    /* columns without an entry, strewn among the others */
} case_row;

const char *const cli_curvature_cases[] = {"square",        "circle",     "offset",     "annulus",
                                           "lens",          "rect",       "rect-lens",  "empty",
                                           "row",           "column",     "one",        "bench128",
                                           "bench128-lens", "aris8",      "aris6",      "aris4",
                                           "aris8-lens",    "aris6-lens", "aris4-lens", NULL};
static const case_row cases[] = {
    {SQUARE, MESH, 0, 24, 5, 0},  {CIRCLE, MESH, 0, 32, 5, 0},  {OFFSET, MESH, 0, 32, 4, 0},
    {ANNULUS, MESH, 0, 32, 4, 0}, {CIRCLE, MESH, 1, 40, 4, 0},  {CIRCLE, GRID, 0, 32, 8, 0},
    {CIRCLE, GRID, 1, 32, 8, 0},  {CIRCLE, MESH, 0, 28, 5, 7},  {ROW, RUNS, 0, 40, 6, 1},
    {COLUMN, RUNS, 0, 40, 6, 1},  {SQUARE, RUNS, 0, 1, 1, 2},   {CIRCLE, MESH, 0, 128, 6, 0},
    {CIRCLE, MESH, 1, 128, 6, 0}, {CIRCLE, MESH, 0, 341, 8, 0}, {CIRCLE, MESH, 0, 341, 6, 0},
    {CIRCLE, MESH, 0, 341, 4, 0}, {CIRCLE, MESH, 1, 341, 8, 0}, {CIRCLE, MESH, 1, 341, 6, 0},
    {CIRCLE, MESH, 1, 341, 4, 0},
};

static int make_mask(cli_pixels *pixels, mask_kind kind, int64_t size)
{
    const double n = (double)size, middle = 0.5 * (n - 1.0);
    const disc circle = {middle, middle, 0.0, 0.5 * n};
    const disc offset = {0.35 * n, 0.6 * n, 0.0, 0.3 * n};
    const disc annulus = {middle, middle, 0.2 * n, 0.49 * n};
    switch (kind) {
    case CIRCLE:
        return cli_pixels_new(pixels, size, size, in_disc, &circle);
    case OFFSET:
        return cli_pixels_new(pixels, size, size + 9, in_disc, &offset);
    case ANNULUS:
        return cli_pixels_new(pixels, size, size, in_disc, &annulus);
    case ROW:
        return cli_pixels_new(pixels, 1, size, everywhere, NULL);
    case COLUMN:
        return cli_pixels_new(pixels, size, 1, everywhere, NULL);
    default:
        return cli_pixels_new(pixels, size, size, everywhere, NULL);
    }
}

/* Where a pixel lies in the source plane. The lens is an isothermal one with a core and some shear,
 * which gives most source points several images. */
static void trace(const case_row *row, double iy, double ix, double *y, double *x)
{
    const double n = (double)row->size, middle = 0.5 * (n - 1.0);
    *y = iy - middle;
    *x = ix - middle;
    if (row->is_lensed) {
        const double radius = 0.235 * n, core = 0.02 * n, shear = 0.06;
        const double ty = *y, tx = *x, q = sqrt(tx * tx + ty * ty + core * core);
        *y = ty - radius * ty / q + shear * ty;
        *x = tx - radius * tx / q - shear * tx;
    }
}

/* Mesh points: every step-th pixel, traced, moved a little so that no four lie on a circle. */
static int64_t mesh_points(const case_row *row, const cli_pixels *pixels, cli_random *random,
                           double *y, double *x)
{
    int64_t n = 0;
    for (int64_t p = 0; p < pixels->n; p++) {
        if (pixels->iy[p] % row->step == row->step / 2 &&
            pixels->ix[p] % row->step == row->step / 2) {
            trace(row, (double)pixels->iy[p], (double)pixels->ix[p], &y[n], &x[n]);
            y[n] += 1e-3 * cli_random_normal(random);
            x[n] += 1e-3 * cli_random_normal(random);
            n++;
        }
    }
    return n;
}

static void map_by_mesh(const case_row *row, const cli_pixels *pixels, cli_mesh *mesh,
                        cli_mapping *mapping)
{
    for (int64_t p = 0; p < pixels->n; p++) {
        int64_t corner[3];
        double y, x, weight[3];
        trace(row, (double)pixels->iy[p], (double)pixels->ix[p], &y, &x);
        const int n = cli_mesh_locate(mesh, y, x, corner, weight) ? 3 : 1;
        for (int i = 0; i < n; i++) {
            mapping->column[CLI_PER_PIXEL * p + i] = corner[i];
            mapping->weight[CLI_PER_PIXEL * p + i] = weight[i];
        }
    }
}

static int map_mesh(const case_row *row, const cli_pixels *pixels, cli_random *random,
                    cli_mapping *mapping)
{
    cli_mesh *mesh = NULL;
    double *y = hg_calloc(NULL, (size_t)pixels->n, sizeof *y);
    double *x = hg_calloc(NULL, (size_t)pixels->n, sizeof *x);
    int status = y && x ? HGATE_OK : hg_error_memory("mesh", (size_t)pixels->n * sizeof *y);
    if (status == HGATE_OK) {
        const int64_t n = mesh_points(row, pixels, random, y, x);
        status = cli_mesh_new(y, x, n, &mesh);
        if (status == HGATE_OK) {
            status = cli_mapping_new(mapping, pixels->n, n);
        }
    }
    if (status == HGATE_OK) {
        map_by_mesh(row, pixels, mesh, mapping);
    }
    cli_mesh_free(mesh);
    hg_free(NULL, y);
    hg_free(NULL, x);
    return status;
}

/* Bilinear weights on step x step source points that span the traced pixels. */
static int map_grid(const case_row *row, const cli_pixels *pixels, cli_mapping *mapping)
{
    const int64_t m = row->step;
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int64_t p = 0; p < pixels->n; p++) {
        double y, x;
        trace(row, (double)pixels->iy[p], (double)pixels->ix[p], &y, &x);
        low[0] = fmin(low[0], y);
        high[0] = fmax(high[0], y);
        low[1] = fmin(low[1], x);
        high[1] = fmax(high[1], x);
    }
    const int status = cli_mapping_new(mapping, pixels->n, m * m);
    const double sy = (double)(m - 1) * (1.0 - 1e-9) / (high[0] - low[0]);
    const double sx = (double)(m - 1) * (1.0 - 1e-9) / (high[1] - low[1]);
    for (int64_t p = 0; status == HGATE_OK && p < pixels->n; p++) {
        double y, x;
        trace(row, (double)pixels->iy[p], (double)pixels->ix[p], &y, &x);
        y = (y - low[0]) * sy;
        x = (x - low[1]) * sx;
        const int64_t jy = (int64_t)y, jx = (int64_t)x;
        for (int i = 0; i < CLI_PER_PIXEL; i++) {
            const int64_t up = i / 2, right = i % 2;
            const double wy = y - (double)jy, wx = x - (double)jx;
            mapping->column[CLI_PER_PIXEL * p + i] = (jy + up) * m + jx + right;
            mapping->weight[CLI_PER_PIXEL * p + i] = (up ? wy : 1.0 - wy) * (right ? wx : 1.0 - wx);
        }
    }
    return status;
}

/* A line of pixels in `step` runs, each of which is one source pixel. */
static int map_runs(const case_row *row, const cli_pixels *pixels, cli_random *random,
                    cli_mapping *mapping)
{
    const int status = cli_mapping_new(mapping, pixels->n, row->step);
    for (int64_t p = 0; status == HGATE_OK && p < pixels->n; p++) {
        mapping->column[CLI_PER_PIXEL * p] = p * row->step / pixels->n;
        mapping->weight[CLI_PER_PIXEL * p] = cli_random_uniform(random, 0.2, 1.0);
    }
    return status;
}

/* Adds empty columns at random places. */
static int strew_empty(int64_t n_empty, int64_t n_pixels, cli_random *random, cli_mapping *mapping)
{
    const int64_t n = mapping->n_columns + n_empty;
    int64_t *place = hg_calloc(NULL, (size_t)n, sizeof *place);
    if (!place) {
        return hg_error_memory("columns", (size_t)n * sizeof *place);
    }
    for (int64_t s = 0; s < n; s++) {
        place[s] = s;
    }
    cli_random_shuffle(random, place, n);
    for (int64_t i = 0; i < CLI_PER_PIXEL * n_pixels; i++) {
        if (mapping->column[i] >= 0) {
            mapping->column[i] = place[mapping->column[i]];
        }
    }
    mapping->n_columns = n;
    hg_free(NULL, place);
    return HGATE_OK;
}

static int map(const case_row *row, const cli_pixels *pixels, cli_random *random,
               cli_mapping *mapping)
{
    switch (row->source) {
    case MESH:
        return map_mesh(row, pixels, random, mapping);
    case GRID:
        return map_grid(row, pixels, mapping);
    default:
        return map_runs(row, pixels, random, mapping);
    }
}

int cli_curvature_case(cli_case *c, int which, cli_random *random)
{
    const case_row *row = &cases[which];
    cli_pixels pixels = {0};
    cli_mapping mapping = {0};
    int status = make_mask(&pixels, row->mask, row->size);
    if (status == HGATE_OK) {
        status = map(row, &pixels, random, &mapping);
    }
    if (status == HGATE_OK && row->n_empty > 0) {
        status = strew_empty(row->n_empty, pixels.n, random, &mapping);
    }
    if (status == HGATE_OK) {
        status = cli_mapping_store(c, &pixels, &mapping);
    }
    cli_mapping_free(&mapping);
    cli_pixels_free(&pixels);
    return status;
}
