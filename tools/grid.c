/* SPDX-License-Identifier: BSD-3-Clause */
/* From lines with alternatives to points. */
#include "tools/grid.h"

#include "core/base/alloc.h"
#include "core/base/error.h"
#include "tools/random.h"

#include <headgate/headgate.h>
#include <headgate/plugin.h>
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

/* Has the engine kernels for arrays on a device, for the operation of a line? */
static bool is_for_devices(const hgate_engine *engine, const char *line)
{
    for (int op = 0; engine && op < HGATE_OP_COUNT; op++) {
        if (!is_of(line, hgate_op_name(op))) {
            continue;
        }
        for (int i = 0; i < hgate_kernel_count(engine, op); i++) {
            hgate_kernel_info info = {.struct_size = sizeof info};
            if (hgate_kernel_get(engine, op, i, &info) == HGATE_OK &&
                info.spaces & HGATE_SPACE_CUDA) {
                return true;
            }
        }
    }
    return false;
}

static int add_points(cli_grid *grid, const char *line, const char *where)
{
    const int n = cli_grid_points(line);
    for (int i = 0; i < n; i++) {
        hg_text text = hg_text_growing(NULL);
        cli_grid_put_point(line, i, &text);
        hg_text_put(&text, where);
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

int cli_grid_new(cli_grid *grid, const char *const *lines, const char *op,
                 const hgate_engine *engine)
{
    int most = 0, status = HGATE_OK;
    for (int i = 0; lines[i]; i++) {
        most += is_of(lines[i], op) ? 2 * cli_grid_points(lines[i]) : 0;
    }
    *grid = (cli_grid){.points = hg_calloc(NULL, (size_t)most + 1, sizeof *grid->points)};
    if (!grid->points) {
        return hg_error_memory("grid", (size_t)most * sizeof *grid->points);
    }
    for (int i = 0; status == HGATE_OK && lines[i]; i++) {
        if (is_of(lines[i], op)) {
            status = add_points(grid, lines[i], "");
            if (status == HGATE_OK && is_for_devices(engine, lines[i])) {
                status = add_points(grid, lines[i], " mem=cuda:0");
            }
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
