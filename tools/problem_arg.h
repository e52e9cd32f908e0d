/* SPDX-License-Identifier: BSD-3-Clause */
/* "emi n=92 batch=1000 dtype=c64 mem=host": from words to a problem. */
#ifndef CLI_PROBLEM_ARG_H
#define CLI_PROBLEM_ARG_H

#include "tools/case.h"
#include "tools/options.h"

/** Reads OP KEY=VALUE... into a case; CLI_USAGE with what is wrong. The case is always valid and
 *  must be freed. */
int cli_problem_read(cli_case *c, int n_words, char *const *words);
/** Shapes of all arguments; the mask and the matrix of `curvature` have data, nothing else has. */
int cli_problem_shape(cli_case *c);
/** Memory and data for the inputs. */
int cli_problem_fill(cli_case *c, const cli_options *options);
/** The keys as words, dtype, mem, threads and seed: `member` is called for each. is_number tells
 *  whether the value is one. */
void cli_problem_each(const cli_case *c,
                      void (*member)(void *user, const char *key, const char *value,
                                     bool is_number),
                      void *user);

#endif
