/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of one benchmark, and its report. */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include "tools/runner.h"

typedef struct cli_bench {
    cli_case *c;
    cli_runner *runners; /* n of them are wanted */
    int n, n_listed;
    cli_runner reference;
    bool has_reference, is_verified;
    bool is_different; /* an error beyond its tolerance: set by cli_bench_tell() */
    cli_outputs expected;
    char chosen_plugin[64], chosen_kernel[64];
} cli_bench;

/** Prints the table or the document. */
int cli_bench_tell(cli_bench *bench, bool is_json);

#endif
