/* SPDX-License-Identifier: BSD-3-Clause */
/* Mask and matrix of a curvature problem, by name or by sizes. */
#ifndef CLI_GENERATE_CURVATURE_CASE_H
#define CLI_GENERATE_CURVATURE_CASE_H

#include "tools/case.h"

/** Case number `which` of cli_curvature_cases. */
int cli_curvature_case(cli_case *c, int which, cli_random *random);
/** An ellipse of ny x nx with s compact columns of nnz entries in all. */
int cli_curvature_sizes(cli_case *c, int64_t ny, int64_t nx, int64_t s, int64_t nnz);

#endif
