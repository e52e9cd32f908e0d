/* SPDX-License-Identifier: BSD-3-Clause */
/* The small problems of `headgate selftest`. */
#ifndef CLI_SELFTEST_PROBLEMS_H
#define CLI_SELFTEST_PROBLEMS_H

/** "OP KEY=VALUE ..."; the first of each operation is the one of --quick. Ends with NULL. */
extern const char *const cli_selftest_problems[];

#endif
