/* SPDX-License-Identifier: BSD-3-Clause */
/* Realistic input, one function an operation: shapes are set, arrays have memory, seeds repeat. */
#ifndef CLI_GENERATE_H
#define CLI_GENERATE_H

#include "tools/case.h"

/** Pixel scale of the made-up sky: 25 milliarcseconds, in radians. */
#define CLI_PIXEL (0.025 / 206264.80624709636)
/** Frequency of the made-up visibilities, Hz. */
#define CLI_FREQUENCY 150e6

/** Curvature: the cases of KEY=VALUE `case`, NULL-ended. */
extern const char *const cli_curvature_cases[];
/** Mask and mapping matrix, of a case or of ny, nx, s, nnz: they tell the sizes. */
void cli_curvature_prepare(cli_case *c);
/** All the rest: w. */
int cli_curvature_fill(cli_case *c, cli_random *random);
int cli_curvature_kernel_fill(cli_case *c, cli_random *random);
int cli_curvature_dirty_fill(cli_case *c, cli_random *random);
int cli_curvature_data_vector_fill(cli_case *c, cli_random *random);
/** An ellipse that touches the edges of an ny x nx extent: is a cell in it, and how many are. */
bool cli_ellipse_has(int64_t ny, int64_t nx, int64_t iy, int64_t ix);
int64_t cli_ellipse_count(int64_t ny, int64_t nx);

int cli_emi_fill(cli_case *c, cli_random *random);
int cli_temp_coh_fill(cli_case *c, cli_random *random);

int cli_visibility_fill(cli_case *c, cli_random *random);
int cli_visibility_step_fill(cli_case *c, cli_random *random);
int cli_visibility_product_fill(cli_case *c, cli_random *random);

int cli_kirchhoff_fill(cli_case *c, cli_random *random);
int cli_kirchhoff_setup_fill(cli_case *c, cli_random *random);
int cli_kirchhoff_wavelet_fill(cli_case *c, cli_random *random);

#endif
