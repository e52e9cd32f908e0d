/* SPDX-License-Identifier: BSD-3-Clause */
/* The two kinds of benchmarks. */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include "tools/contest.h"

/** Prints the result of a contest: table or document. CLI_DIFFERS when an error is too large. */
int cli_bench_tell(const cli_contest *contest, bool is_json);

/** Measures the grids and prints how the choices compare with the best. */
int cli_bench_regret(const cli_options *options);

#endif
