/* SPDX-License-Identifier: BSD-3-Clause */
/* From lines with alternatives to points. */
#include "tools/grid.h"

#include "core/base/alloc.h"
#include "core/base/error.h"
#include "tools/random.h"

#include <stdbool.h>
#include <string.h>

/* Alternatives of the group at its opening brace. */
static int count_group(const char *group)
{
    int n = 1;
    for (; *group && *group != '}'; group++) {
        n += *group == ',';
    }
    return n;
}

int cli_grid_points(const char *line)
{
    int n = 1;
    for (const char *group = strchr(line, '{'); group; group = strchr(group + 1, '{')) {
        n *= count_group(group);
    }
    return n;
}

static void put_alternative(const char *group, int which, hg_text *out)
{
    const char *at = group + 1;
    for (; which > 0; which--) {
        at += strcspn(at, ",}") + 1;
    }
    hg_text_put_n(out, at, strcspn(at, ",}"));
}

void cli_grid_put_point(const char *line, int i, hg_text *out)
{
    while (*line) {
        const size_t plain = strcspn(line, "{");
        hg_text_put_n(out, line, plain);
        line += plain;
        if (*line == '{') {
            const int n = count_group(line);
            put_alternative(line, i % n, out);
            i /= n;
            line += strcspn(line, "}") + 1;
        }
    }
}

static bool is_of(const char *line, const char *op)
{
    return !op || (strncmp(line, op, strlen(op)) == 0 && line[strlen(op)] == ' ');
}

static int add_points(cli_grid *grid, const char *line)
{
    const int n = cli_grid_points(line);
    for (int i = 0; i < n; i++) {
        hg_text text = hg_text_growing(NULL);
        cli_grid_put_point(line, i, &text);
        grid->points[grid->n] = text.is_cut ? NULL : hg_strdup(NULL, text.data);
        hg_text_release(&text);
        if (!grid->points[grid->n]) {
            return hg_error_memory("grid", strlen(line));
        }
        grid->n++;
    }
    return HGATE_OK;
}

/* The same order every time. */
static int mix(cli_grid *grid)
{
    cli_random random;
    const size_t n = (size_t)grid->n;
    int64_t *order = hg_calloc(NULL, n + 1, sizeof *order);
    char **mixed = hg_calloc(NULL, n + 1, sizeof *mixed);
    if (!order || !mixed) {
        hg_free(NULL, order);
        hg_free(NULL, mixed);
        return hg_error_memory("grid", n * sizeof *order);
    }
    for (int i = 0; i < grid->n; i++) {
        order[i] = i;
    }
    cli_random_seed(&random, 1);
    cli_random_shuffle(&random, order, grid->n);
    for (int i = 0; i < grid->n; i++) {
        mixed[i] = grid->points[order[i]];
    }
    hg_free(NULL, order);
    hg_free(NULL, grid->points);
    grid->points = mixed;
    return HGATE_OK;
}

int cli_grid_new(cli_grid *grid, const char *op)
{
    int most = 0, status = HGATE_OK;
    for (int i = 0; cli_grid_lines[i]; i++) {
        most += is_of(cli_grid_lines[i], op) ? cli_grid_points(cli_grid_lines[i]) : 0;
    }
    *grid = (cli_grid){.points = hg_calloc(NULL, (size_t)most + 1, sizeof *grid->points)};
    if (!grid->points) {
        return hg_error_memory("grid", (size_t)most * sizeof *grid->points);
    }
    for (int i = 0; status == HGATE_OK && cli_grid_lines[i]; i++) {
        if (is_of(cli_grid_lines[i], op)) {
            status = add_points(grid, cli_grid_lines[i]);
        }
    }
    if (status == HGATE_OK) {
        status = mix(grid);
    }
    if (status != HGATE_OK) {
        cli_grid_free(grid);
    }
    return status;
}

void cli_grid_free(cli_grid *grid)
{
    for (int i = 0; i < grid->n; i++) {
        hg_free(NULL, grid->points[i]);
    }
    hg_free(NULL, grid->points);
    *grid = (cli_grid){0};
}
