/* SPDX-License-Identifier: BSD-3-Clause */
/* headgate plot FILE.json... -o OUT.svg|OUT.png: what bench and tune wrote, as a picture. */
#include "core/base/alloc.h"
#include "tools/command.h"
#include "tools/gnuplot.h"
#include "tools/outfile.h"
#include "tools/plot.h"
#include "tools/report.h"
#include "tools/signals.h"

#include <string.h>

typedef int (*figure_fn)(cli_plot *plot, const cli_options *options, hg_text *script);

static const struct {
    const char *word;
    figure_fn figures[2]; /* side by side where there are two */
} kinds[] = {
    {"kernels", {cli_plot_kernels, NULL}}, {"predicted", {cli_plot_predicted, NULL}},
    {"regret", {cli_plot_regret, NULL}},   {"overview", {cli_plot_predicted, cli_plot_regret}},
    {"map", {cli_plot_map, NULL}},         {"sizes", {cli_plot_sizes, NULL}},
};
enum { N_KINDS = sizeof kinds / sizeof kinds[0], OVERVIEW = 3 };

/* What fits the documents, unless a kind was asked for. */
static int choose_kind(const cli_plot *plot, const cli_options *options, int *kind)
{
    const char *word = options->text[OPT_KIND];
    *kind = plot->n == 1 ? 0 : OVERVIEW;
    if (!word) {
        return CLI_DONE;
    }
    for (*kind = 0; *kind < N_KINDS; ++*kind) {
        if (strcmp(kinds[*kind].word, word) == 0) {
            return CLI_DONE;
        }
    }
    return cli_usage("--kind is '%s', expected kernels, predicted, regret, overview, map or sizes",
                     word);
}

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

static int put_terminal(const char *output, bool is_wide, hg_text *script)
{
    const int width = is_wide ? 1300 : 900, height = 560;
    if (ends_with(output, ".svg")) {
        hg_text_printf(script,
                       "set terminal svg size %d,%d font \"sans-serif,14\" background "
                       "rgb \"white\"\n",
                       width, height);
    } else if (ends_with(output, ".png")) {
        hg_text_printf(script, "set terminal pngcairo size %d,%d font \"Sans,11\"\n", width,
                       height);
    } else {
        return cli_usage("-o '%s': expected a name that ends in .svg or .png", output);
    }
    return CLI_DONE;
}

static int draw(cli_plot *plot, const cli_options *options, int kind, const char *temporary,
                hg_text *script)
{
    const bool is_wide = kinds[kind].figures[1] != NULL;
    if (strpbrk(temporary, "'\n")) {
        return cli_usage("-o: gnuplot takes no name with a quote or a line end");
    }
    hg_text_printf(script, "set output '%s'\n", temporary);
    if (is_wide) {
        hg_text_put(script, "set multiplot layout 1,2\n");
    }
    int status = CLI_DONE;
    for (int i = 0; i < 2 && status == CLI_DONE && kinds[kind].figures[i]; i++) {
        if (i > 0) {
            hg_text_put(script, "unset logscale\nset format\nset xrange [*:*]\n");
        }
        status = kinds[kind].figures[i](plot, options, script);
    }
    if (is_wide) {
        hg_text_put(script, "unset multiplot\n");
    }
    hg_text_put(script, "unset output\n");
    if (status == CLI_DONE && script->is_cut) {
        status = hg_error_memory("script", script->length);
    }
    return status == CLI_DONE ? cli_gnuplot_run(script->data, script->length) : status;
}

static int make_picture(cli_plot *plot, const cli_options *options)
{
    const char *output = options->text[OPT_OUTPUT];
    cli_outfile file = {0};
    hg_text script = hg_text_growing(NULL);
    int kind = 0;
    int status = choose_kind(plot, options, &kind);
    if (status == CLI_DONE) {
        status = put_terminal(output, kinds[kind].figures[1] != NULL, &script);
    }
    if (status == CLI_DONE) {
        status = cli_outfile_open(&file, output, options->words[0]);
        if (status == CLI_DONE) {
            cli_signals_guard(file.temporary);
            status = draw(plot, options, kind, file.temporary, &script);
            if (status == CLI_DONE) {
                status = cli_outfile_commit(&file);
            } else {
                cli_outfile_abandon(&file);
            }
            cli_signals_guard(NULL);
        }
    }
    hg_text_release(&script);
    return status;
}

int cmd_plot(const cli_options *options)
{
    cli_plot plot = {.n = 0};
    if (options->n_words == 0) {
        return cli_usage("no file given: plot FILE.json... -o OUT.svg");
    }
    if (!options->text[OPT_OUTPUT]) {
        return cli_usage("no output file: -o OUT.svg or -o OUT.png");
    }
    int status = CLI_DONE;
    hg_arena_init(&plot.arena, NULL);
    for (int i = 0; i < options->n_words && status == CLI_DONE; i++) {
        status = cli_plot_read(&plot, options->words[i]);
    }
    if (status == CLI_DONE && plot.n == 0) {
        status = hg_error(CLI_DATA, "plot: the documents have no points");
    }
    if (status == CLI_DONE) {
        status = make_picture(&plot, options);
    }
    hg_arena_release(&plot.arena);
    return status;
}
