/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects cells, then prints them in columns. */
#include "tools/table.h"

#include "core/base/alloc.h"
#include "core/base/text.h"

#include <stdarg.h>
#include <string.h>

void cli_table_begin(cli_table *table, int indent, int n_columns, const char *const *heads)
{
    *table = (cli_table){.n_columns = n_columns, .indent = indent};
    for (int i = 0; heads && i < n_columns; i++) {
        cli_table_add(table, "%s", heads[i]);
    }
}

static bool make_room(cli_table *table)
{
    if (table->n_cells < table->room) {
        return true;
    }
    const size_t room = 2 * table->room + 64;
    char **cells = hg_calloc(NULL, room, sizeof *cells);
    if (!cells) {
        table->is_short = true;
        return false;
    }
    if (table->cells) {
        memcpy(cells, table->cells, table->n_cells * sizeof *cells);
    }
    hg_free(NULL, table->cells);
    table->cells = cells;
    table->room = room;
    return true;
}

void cli_table_add(cli_table *table, const char *format, ...)
{
    char line[2048];
    va_list arguments;
    va_start(arguments, format);
    hg_text text = hg_text_over(line, sizeof line);
    hg_text_vprintf(&text, format, arguments);
    va_end(arguments);
    hg_text safe = hg_text_growing(NULL);
    hg_text_put_untrusted(&safe, line, text.length, sizeof line);
    if (make_room(table)) {
        char *cell = hg_strdup(NULL, safe.data);
        table->is_short = table->is_short || !cell;
        table->cells[table->n_cells++] = cell;
    }
    hg_text_release(&safe);
}

static const char *cell_at(const cli_table *table, size_t row, int column)
{
    const size_t i = row * (size_t)table->n_columns + (size_t)column;
    return i < table->n_cells && table->cells[i] ? table->cells[i] : "";
}

/* How much of a text fits: up to a space where there is one. */
static size_t piece(const char *text, size_t room)
{
    const size_t n = strlen(text);
    if (n <= room) {
        return n;
    }
    for (size_t i = room; i > 0; i--) {
        if (text[i] == ' ') {
            return i;
        }
    }
    const size_t word = strcspn(text, " "); /* longer than the room: let it stick out */
    return word;
}

static void print_wrapped(const char *text, int column, FILE *to)
{
    const size_t room = column < CLI_TABLE_WIDTH - 20 ? (size_t)(CLI_TABLE_WIDTH - column) : 20;
    size_t n = piece(text, room);
    fprintf(to, "%.*s\n", (int)n, text);
    for (text += n; *text; text += n) {
        text += strspn(text, " ");
        n = piece(text, room);
        if (n > 0) {
            fprintf(to, "%*s%.*s\n", column, "", (int)n, text);
        }
    }
}

void cli_table_drop(cli_table *table)
{
    for (size_t i = 0; i < table->n_cells; i++) {
        hg_free(NULL, table->cells[i]);
    }
    hg_free(NULL, table->cells);
    *table = (cli_table){0};
}

void cli_table_end(cli_table *table, FILE *to)
{
    size_t width[CLI_TABLE_COLUMNS] = {0};
    const size_t columns = (size_t)table->n_columns;
    const size_t rows = (table->n_cells + columns - 1) / columns;
    for (size_t i = 0; i < table->n_cells; i++) {
        const size_t n = table->cells[i] ? strlen(table->cells[i]) : 0;
        width[i % columns] = n > width[i % columns] ? n : width[i % columns];
    }
    for (size_t row = 0; row < rows; row++) {
        int column = table->indent;
        fprintf(to, "%*s", table->indent, "");
        for (int i = 0; i + 1 < table->n_columns; i++) {
            fprintf(to, "%-*s  ", (int)width[i], cell_at(table, row, i));
            column += (int)width[i] + 2;
        }
        print_wrapped(cell_at(table, row, table->n_columns - 1), column, to);
    }
    if (table->is_short) {
        fprintf(to, "(cut: no memory)\n");
    }
    cli_table_drop(table);
}
