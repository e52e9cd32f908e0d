/* SPDX-License-Identifier: BSD-3-Clause */
/* Masks and mapping matrices of the curvature family. */
#ifndef CLI_GENERATE_PIXELS_H
#define CLI_GENERATE_PIXELS_H

#include "tools/case.h"

/** Pixels that take part, in row-major order. */
typedef struct cli_pixels {
    int64_t ny, nx, n;
    int32_t *iy, *ix;
} cli_pixels;

/** Is a cell in the mask? */
typedef bool (*cli_mask_fn)(const void *shape, double y, double x);

int cli_pixels_new(cli_pixels *pixels, int64_t ny, int64_t nx, cli_mask_fn is_in,
                   const void *shape);
void cli_pixels_free(cli_pixels *pixels);

/** What a pixel maps to: up to four columns with their weights. */
enum { CLI_PER_PIXEL = 4 };
typedef struct cli_mapping {
    int64_t n_columns;
    int64_t *column; /* CLI_PER_PIXEL for each pixel; -1: none */
    double *weight;
} cli_mapping;

int cli_mapping_new(cli_mapping *mapping, int64_t n_pixels, int64_t n_columns);
void cli_mapping_free(cli_mapping *mapping);

/** Writes mask and matrix into the arguments of `curvature`, columns compressed. */
int cli_mapping_store(cli_case *c, const cli_pixels *pixels, const cli_mapping *mapping);
/** Room for a matrix of n columns and nnz entries in the arguments. */
int cli_matrix_new(cli_case *c, int64_t n_columns, int64_t nnz);
/** The mask alone. */
int cli_pixels_store(cli_case *c, const cli_pixels *pixels);

#endif
