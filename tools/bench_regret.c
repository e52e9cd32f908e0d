/* SPDX-License-Identifier: BSD-3-Clause */
/* headgate bench --regret: the choices of the engine against the best kernel, over the grids. */
#include "tools/bench.h"
#include "tools/document.h"
#include "tools/machine_info.h"
#include "tools/point.h"
#include "tools/report.h"

#include "core/base/alloc.h"

#include <math.h>
#include <stdlib.h>

enum { WORST = 10 };

static int by_regret(const void *a, const void *b)
{
    const double x = cli_point_regret(a), y = cli_point_regret(b);
    if (isnan(x) || isnan(y)) {
        return isnan(x) - isnan(y);
    }
    return (x < y) - (x > y);
}

/* Each line of a trace behind a margin. */
typedef struct margin {
    bool is_inside; /* a line */
} margin;

static int write_indented(void *user, const char *piece, size_t n)
{
    margin *m = user;
    for (size_t i = 0; i < n; i++) {
        if (!m->is_inside && piece[i] != '\n') {
            fputs("        ", stdout);
        }
        m->is_inside = piece[i] != '\n';
        putchar(piece[i]);
    }
    return ferror(stdout);
}

static void print_kernel(const char *role, const cli_point *point, int i)
{
    const cli_timed *timed = &point->kernels[i];
    printf("        %-6s %s/%s: %.3g s, predicted %.3g s\n", role, timed->plugin, timed->kernel,
           timed->seconds, timed->predicted);
}

static int tell_text(const cli_point *points, int n)
{
    cli_spread spread;
    const int status = cli_points_spread(points, n, cli_point_regret, &spread);
    if (status != CLI_DONE || spread.n == 0) {
        printf("grid: no point with a choice\n");
        return status;
    }
    printf("grid: %d points with a choice\n"
           "  regret at most 1.10: %.1f %%, at most 1.50: %.1f %%\n"
           "  regret, middle %.2f, 95 of 100 %.2f, worst %.2f\n",
           spread.n, 100 * spread.small, 100 * spread.medium, spread.middle, spread.most,
           spread.worst);
    printf("\nthe worst points, with the traces of the choices\n");
    for (int i = 0; i < n && i < WORST && cli_point_regret(&points[i]) > 1; i++) {
        margin m = {false};
        printf("\n%6.2f  %s\n", cli_point_regret(&points[i]), points[i].problem);
        print_kernel("chosen", &points[i], points[i].chosen);
        print_kernel("best", &points[i], points[i].best);
        (void)hgate_trace_text(points[i].trace, write_indented, &m);
    }
    return CLI_DONE;
}

static int tell_json(const cli_point *points, int n)
{
    cli_document document;
    cli_document_begin(&document);
    hg_json *json = &document.json;
    cli_machine_put(json);
    hg_json_key(json, "points");
    hg_json_array_begin(json);
    for (int i = 0; i < n; i++) {
        hg_json_object_begin(json);
        cli_point_put(json, &points[i]);
        if (i < WORST && cli_point_regret(&points[i]) > 1) {
            (void)cli_document_put_trace(&document, "trace", points[i].trace);
        }
        hg_json_object_end(json);
    }
    hg_json_array_end(json);
    return cli_document_end(&document);
}

static int measure(const cli_grid *grid, const cli_session *session, const cli_options *options)
{
    static const cli_point_rules rules = {.longest = INFINITY, .most_seconds = 1};
    cli_progress progress;
    int status = CLI_DONE, n = 0;
    cli_point *points = hg_calloc(NULL, (size_t)grid->n + 1, sizeof *points);
    if (!points) {
        return hg_error_memory("points", (size_t)grid->n * sizeof *points);
    }
    cli_progress_start(&progress, options, "measuring");
    while (status == CLI_DONE && n < grid->n) {
        status = cli_point_measure(&points[n], grid->points[n], session, options, &rules);
        cli_progress_at(&progress, ++n, grid->n);
    }
    cli_progress_end(&progress);
    if (status == CLI_DONE) {
        qsort(points, (size_t)n, sizeof *points, by_regret);
        status = options->count[OPT_JSON] ? tell_json(points, n) : tell_text(points, n);
    }
    for (int i = 0; i < n; i++) {
        cli_point_free(&points[i]);
    }
    hg_free(NULL, points);
    return status;
}

int cli_bench_regret(const cli_options *options)
{
    const cli_op *op = NULL;
    cli_session session;
    cli_grid grid;
    int status = options->text[OPT_OP] ? cli_op_find(options->text[OPT_OP], &op) : CLI_DONE;
    if (status == CLI_DONE) {
        status = cli_session_open(&session, options, NULL, NULL, 0);
    }
    if (status != CLI_DONE) {
        return status;
    }
    status = cli_grid_new(&grid, cli_grid_check_lines, options->text[OPT_OP], session.engine);
    if (status == CLI_DONE) {
        status = measure(&grid, &session, options);
        cli_grid_free(&grid);
    }
    cli_session_close(&session);
    return status;
}
