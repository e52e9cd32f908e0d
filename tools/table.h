/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables for people: columns as wide as their cells, 80 columns in all, the last one wrapped. */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "core/base/attributes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { CLI_TABLE_COLUMNS = 8, CLI_TABLE_WIDTH = 80 };

typedef struct cli_table {
    int n_columns;
    int indent;
    size_t n_cells, room;
    char **cells;  /* row by row */
    bool is_short; /* memory ran out: cells are missing */
} cli_table;

/** heads: n column titles; NULL for a table without. */
void cli_table_begin(cli_table *table, int indent, int n_columns, const char *const *heads);
/** Adds the next cell; the text may be untrusted. */
void cli_table_add(cli_table *table, const char *format, ...) HG_PRINTF(2, 3);
/** Frees it unprinted. */
void cli_table_drop(cli_table *table);
/** Prints and frees. */
void cli_table_end(cli_table *table, FILE *to);

#endif
