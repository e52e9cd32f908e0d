/* SPDX-License-Identifier: BSD-3-Clause */
/* From JSON documents to points. */
#include "core/config/file.h"
#include "tools/plot.h"
#include "tools/report.h"

#include "core/base/alloc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_BYTES = 64 << 20 };

static cli_spot *add_spot(cli_plot *plot)
{
    if (plot->n == plot->room) {
        const int room = 2 * plot->room + 64;
        cli_spot *spots = hg_arena_array(&plot->arena, (size_t)room, sizeof *spots);
        if (!spots) {
            return NULL;
        }
        if (plot->n > 0) {
            memcpy(spots, plot->spots, (size_t)plot->n * sizeof *spots);
        }
        plot->spots = spots;
        plot->room = room;
    }
    return &plot->spots[plot->n++];
}

int cli_names_add(cli_names *list, const char *name, cli_plot *plot)
{
    for (int i = 0; i < list->n; i++) {
        if (strcmp(list->names[i], name) == 0) {
            return CLI_DONE;
        }
    }
    if (list->n == list->room) {
        const int room = 2 * list->room + 16;
        const char **names = hg_arena_array(&plot->arena, (size_t)room, sizeof *names);
        if (!names) {
            return hg_error_memory("names", (size_t)room * sizeof *names);
        }
        if (list->n > 0) {
            memcpy(names, list->names, (size_t)list->n * sizeof *names);
        }
        list->names = names;
        list->room = room;
    }
    list->names[list->n++] = name;
    return CLI_DONE;
}

/* Kernels with a time, from an array of objects. */
static int take_marks(cli_plot *plot, const cli_json *list, cli_spot *spot)
{
    int room = 0;
    for (const cli_json *item = list ? list->first : NULL; item; item = item->next) {
        room++;
    }
    spot->marks = hg_arena_array(&plot->arena, (size_t)room + 1, sizeof *spot->marks);
    if (!spot->marks) {
        return hg_error_memory("points", (size_t)room * sizeof *spot->marks);
    }
    for (const cli_json *item = list ? list->first : NULL; item; item = item->next) {
        cli_mark *mark = &spot->marks[spot->n];
        mark->seconds = cli_json_number(item, "seconds");
        mark->predicted = cli_json_number(item, "predicted");
        snprintf(mark->plugin, sizeof mark->plugin, "%s", cli_json_text(item, "plugin"));
        snprintf(mark->name, sizeof mark->name, "%s/%s", mark->plugin,
                 cli_json_text(item, "kernel"));
        spot->n += mark->seconds > 0;
    }
    return CLI_DONE;
}

static const char *quickest(const cli_spot *spot)
{
    int best = -1;
    for (int i = 0; i < spot->n; i++) {
        best = best < 0 || spot->marks[i].seconds < spot->marks[best].seconds ? i : best;
    }
    return best < 0 ? "" : spot->marks[best].name;
}

/* What bench prints for one problem. */
static int take_bench(cli_plot *plot, const cli_json *document, cli_spot *spot)
{
    const cli_json *chosen = cli_json_member(document, "chosen");
    const int status = take_marks(plot, cli_json_member(document, "results"), spot);
    snprintf(spot->chosen, sizeof spot->chosen, "%s/%s", cli_json_text(chosen, "plugin"),
             cli_json_text(chosen, "kernel"));
    snprintf(spot->best, sizeof spot->best, "%s", status == CLI_DONE ? quickest(spot) : "");
    return status;
}

static int take_point(cli_plot *plot, const cli_json *point, cli_spot *spot)
{
    snprintf(spot->chosen, sizeof spot->chosen, "%s", cli_json_text(point, "chosen"));
    snprintf(spot->best, sizeof spot->best, "%s", cli_json_text(point, "best"));
    return take_marks(plot, cli_json_member(point, "kernels"), spot);
}

static int take(cli_plot *plot, const cli_json *from, bool is_bench)
{
    cli_spot *spot = add_spot(plot);
    if (!spot) {
        return hg_error_memory("points", sizeof *spot);
    }
    *spot = (cli_spot){.op = cli_json_text(from, "op"),
                       .problem = cli_json_member(from, "problem"),
                       .regret = cli_json_number(from, "regret"),
                       .regret_before = cli_json_number(from, "regret_before")};
    return is_bench ? take_bench(plot, from, spot) : take_point(plot, from, spot);
}

static int take_document(cli_plot *plot, const cli_json *document, const char *path)
{
    const cli_json *points = cli_json_member(document, "points");
    if (cli_json_number(document, "schema") != 1 ||
        (!points && !cli_json_member(document, "results"))) {
        return hg_error(
            CLI_DATA, "%s: not what 'headgate bench --json' or 'headgate tune --json' print", path);
    }
    if (!points) {
        return take(plot, document, true);
    }
    int status = CLI_DONE;
    for (const cli_json *point = points->first; point && status == CLI_DONE; point = point->next) {
        status = take(plot, point, false);
    }
    return status;
}

int cli_plot_read(cli_plot *plot, const char *path)
{
    hg_file file;
    cli_json *document = NULL;
    int status = hg_file_read(path, MOST_BYTES, NULL, &file);
    if (status == HGATE_ECONFIG) {
        return access(path, R_OK) == 0 ? CLI_DATA : CLI_NO_INPUT;
    }
    if (status == HGATE_OK) {
        status = cli_json_read(file.text, file.n, path, &plot->arena, &document);
        hg_free(NULL, file.text);
    }
    return status == CLI_DONE ? take_document(plot, document, path) : status;
}
