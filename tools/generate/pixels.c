/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of masked pixels, and the way from weights by pixel to a matrix by column. */
#include "tools/generate/pixels.h"

#include "core/base/alloc.h"
#include "core/base/error.h"
#include "core/base/mathx.h"

static int64_t walk_mask(int64_t ny, int64_t nx, cli_mask_fn is_in, const void *shape, int32_t *iy,
                         int32_t *ix)
{
    int64_t n = 0;
    for (int64_t y = 0; y < ny; y++) {
        for (int64_t x = 0; x < nx; x++) {
            if (is_in(shape, (double)y, (double)x)) {
                if (iy) {
                    iy[n] = (int32_t)y;
                    ix[n] = (int32_t)x;
                }
                n++;
            }
        }
    }
    return n;
}

int cli_pixels_new(cli_pixels *pixels, int64_t ny, int64_t nx, cli_mask_fn is_in, const void *shape)
{
    int64_t cells;
    if (!hg_int64_mul(ny, nx, &cells) || ny > INT32_MAX || nx > INT32_MAX) {
        return hg_error(HGATE_ESHAPE, "ny, nx: %lld by %lld cells are too many", (long long)ny,
                        (long long)nx);
    }
    const int64_t n = walk_mask(ny, nx, is_in, shape, NULL, NULL);
    *pixels = (cli_pixels){.ny = ny, .nx = nx, .n = n};
    pixels->iy = hg_calloc(NULL, (size_t)n, sizeof *pixels->iy);
    pixels->ix = hg_calloc(NULL, (size_t)n, sizeof *pixels->ix);
    if (!pixels->iy || !pixels->ix) {
        cli_pixels_free(pixels);
        return hg_error_memory("mask", (size_t)n * sizeof *pixels->iy);
    }
    (void)walk_mask(ny, nx, is_in, shape, pixels->iy, pixels->ix);
    return HGATE_OK;
}

void cli_pixels_free(cli_pixels *pixels)
{
    hg_free(NULL, pixels->iy);
    hg_free(NULL, pixels->ix);
    *pixels = (cli_pixels){0};
}

int cli_mapping_new(cli_mapping *mapping, int64_t n_pixels, int64_t n_columns)
{
    const size_t n = CLI_PER_PIXEL * (size_t)n_pixels;
    *mapping = (cli_mapping){.n_columns = n_columns};
    mapping->column = hg_calloc(NULL, n, sizeof *mapping->column);
    mapping->weight = hg_calloc(NULL, n, sizeof *mapping->weight);
    if (!mapping->column || !mapping->weight) {
        cli_mapping_free(mapping);
        return hg_error_memory("mapping matrix", n * sizeof *mapping->weight);
    }
    for (size_t i = 0; i < n; i++) {
        mapping->column[i] = -1;
    }
    return HGATE_OK;
}

void cli_mapping_free(cli_mapping *mapping)
{
    hg_free(NULL, mapping->column);
    hg_free(NULL, mapping->weight);
    *mapping = (cli_mapping){0};
}

/* An argument of one dimension with its memory. */
static int new_vector(cli_case *c, int arg, cli_type type, int64_t n)
{
    const char *name = c->row->args[arg].name;
    const int status = cli_array_set(&c->arrays[arg], name, type, 1, &n);
    return status == HGATE_OK ? cli_array_allocate(&c->arrays[arg], name) : status;
}

int cli_matrix_new(cli_case *c, int64_t n_columns, int64_t nnz)
{
    cli_case_set_dim(c, HGATE_DIM_CURVATURE_S, n_columns);
    cli_case_set_dim(c, HGATE_DIM_CURVATURE_NNZ, nnz);
    int status = new_vector(c, HGATE_CURVATURE_INDPTR, CLI_I64, n_columns + 1);
    if (status == HGATE_OK) {
        status = new_vector(c, HGATE_CURVATURE_ROWS, CLI_I32, nnz);
    }
    return status == HGATE_OK ? new_vector(c, HGATE_CURVATURE_VALS, cli_real(c->is_double), nnz)
                              : status;
}

int cli_pixels_store(cli_case *c, const cli_pixels *pixels)
{
    cli_array *iy = &c->arrays[HGATE_CURVATURE_IY], *ix = &c->arrays[HGATE_CURVATURE_IX];
    cli_case_set_dim(c, HGATE_DIM_CURVATURE_NY, pixels->ny);
    cli_case_set_dim(c, HGATE_DIM_CURVATURE_NX, pixels->nx);
    cli_case_set_dim(c, HGATE_DIM_CURVATURE_N, pixels->n);
    int status = new_vector(c, HGATE_CURVATURE_IY, CLI_I32, pixels->n);
    if (status == HGATE_OK) {
        status = new_vector(c, HGATE_CURVATURE_IX, CLI_I32, pixels->n);
    }
    if (status != HGATE_OK) {
        return status;
    }
    for (int64_t p = 0; p < pixels->n; p++) {
        cli_array_put_index(iy, p, pixels->iy[p]);
        cli_array_put_index(ix, p, pixels->ix[p]);
    }
    return HGATE_OK;
}

/* Counting sort on the column; inside a column the pixels keep their order. */
static void compress(cli_case *c, int64_t n_entries, const cli_mapping *mapping)
{
    int64_t *indptr = c->arrays[HGATE_CURVATURE_INDPTR].dl.data;
    for (int64_t i = 0; i < n_entries; i++) {
        if (mapping->column[i] >= 0) {
            indptr[mapping->column[i] + 1]++;
        }
    }
    for (int64_t s = 0; s < mapping->n_columns; s++) {
        indptr[s + 1] += indptr[s];
    }
    /* indptr[s] runs through its column and ends where the next one begins: shifted back below */
    for (int64_t i = 0; i < n_entries; i++) {
        if (mapping->column[i] >= 0) {
            const int64_t at = indptr[mapping->column[i]]++;
            cli_array_put_index(&c->arrays[HGATE_CURVATURE_ROWS], at, i / CLI_PER_PIXEL);
            cli_array_put(&c->arrays[HGATE_CURVATURE_VALS], at, mapping->weight[i]);
        }
    }
    for (int64_t s = mapping->n_columns; s > 0; s--) {
        indptr[s] = indptr[s - 1];
    }
    indptr[0] = 0;
}

int cli_mapping_store(cli_case *c, const cli_pixels *pixels, const cli_mapping *mapping)
{
    const int64_t n_entries = CLI_PER_PIXEL * pixels->n;
    int64_t nnz = 0;
    for (int64_t i = 0; i < n_entries; i++) {
        nnz += mapping->column[i] >= 0;
    }
    int status = cli_matrix_new(c, mapping->n_columns, nnz);
    if (status == HGATE_OK) {
        status = cli_pixels_store(c, pixels);
    }
    if (status == HGATE_OK) {
        compress(c, n_entries, mapping);
    }
    return status;
}
