/* SPDX-License-Identifier: BSD-3-Clause */
/* Which points of the documents a figure over numbers of the problem shows, and its axes. */
#include "tools/gnuplot.h"
#include "tools/plot.h"
#include "tools/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *value_of(const cli_spot *spot, const char *key)
{
    const cli_json *member = cli_json_member(spot->problem, key);
    return member ? member->text : "";
}

/* A value that is a number, "5" or 5. */
double cli_view_number(const cli_spot *spot, const char *key)
{
    char *end = NULL;
    const char *text = value_of(spot, key);
    const double value = strtod(text, &end);
    return *text && !*end ? value : NAN;
}

static bool is_in_view(const cli_view *v, const cli_spot *spot)
{
    return strcmp(spot->op, v->op) == 0 && spot->best[0] && isfinite(cli_view_number(spot, v->x)) &&
           (!v->y || isfinite(cli_view_number(spot, v->y)));
}

static bool is_axis(const cli_view *v, const char *key)
{
    return strcmp(key, v->x) == 0 || (v->y && strcmp(key, v->y) == 0);
}

/* Has b what a has, but for the axes? */
static bool has_all(const cli_view *v, const cli_spot *a, const cli_spot *b)
{
    for (const cli_json *key = a->problem->first; key; key = key->next) {
        if (!is_axis(v, key->key) && strcmp(key->text, value_of(b, key->key)) != 0) {
            return false;
        }
    }
    return true;
}

/* Do two points agree in all but the axes? */
static bool is_like(const cli_view *v, const cli_spot *a, const cli_spot *b)
{
    return has_all(v, a, b) && has_all(v, b, a);
}

/* The largest set of points that differ in the axes alone. */
static void find_like(const cli_plot *plot, cli_view *v)
{
    v->n = 0;
    v->like = NULL;
    for (int i = 0; i < plot->n; i++) {
        int n = 0;
        for (int k = 0; k < plot->n && is_in_view(v, &plot->spots[i]); k++) {
            n += is_in_view(v, &plot->spots[k]) && is_like(v, &plot->spots[i], &plot->spots[k]);
        }
        if (n > v->n) {
            v->n = n;
            v->like = &plot->spots[i];
        }
    }
}

/* Different numbers that a key has over the points of the operation. */
static int count_values(const cli_plot *plot, const char *op, const char *key)
{
    int n = 0;
    for (int i = 0; i < plot->n; i++) {
        const double value =
            strcmp(plot->spots[i].op, op) == 0 ? cli_view_number(&plot->spots[i], key) : NAN;
        bool is_new = isfinite(value);
        for (int k = 0; k < i && is_new; k++) {
            is_new = strcmp(plot->spots[k].op, op) != 0 ||
                     cli_view_number(&plot->spots[k], key) != value;
        }
        n += is_new;
    }
    return n;
}

/* The axes that were not named: the numbers with the most values. */
static void choose_axes(const cli_plot *plot, const cli_spot *sample, int n_axes, cli_view *v)
{
    for (int axis = 0; axis < n_axes; axis++) {
        const char **wanted = axis == 0 ? &v->x : &v->y;
        const char *other = axis == 0 ? v->y : v->x;
        int most = 1;
        const bool is_given = *wanted != NULL;
        for (const cli_json *key = sample->problem->first; key && !is_given; key = key->next) {
            const int n = count_values(plot, v->op, key->key);
            if (n > most && (!other || strcmp(key->key, other) != 0)) {
                most = n;
                *wanted = key->key;
            }
        }
    }
}

/* The operation, and a point of it; NULL where the documents have none. */
static int find_op(const cli_plot *plot, const cli_options *options, cli_view *v,
                   const cli_spot **sample)
{
    for (int i = 0; i < plot->n; i++) {
        if (!v->op) {
            v->op = plot->spots[i].op;
        }
        if (strcmp(plot->spots[i].op, v->op) != 0) {
            if (!options->text[OPT_OP]) {
                return cli_usage("--kind %s: the documents have several operations, say --op OP",
                                 options->text[OPT_KIND]);
            }
        } else if (!*sample && plot->spots[i].problem) {
            *sample = &plot->spots[i];
        }
    }
    return *sample ? CLI_DONE
                   : hg_error(CLI_DATA, "plot: the documents have no point of %s",
                              v->op ? v->op : "any");
}

int cli_view_set(const cli_plot *plot, const cli_options *options, int n_axes, cli_view *v)
{
    const cli_spot *sample = NULL;
    *v = (cli_view){.op = options->text[OPT_OP],
                    .x = options->text[OPT_X],
                    .y = n_axes > 1 ? options->text[OPT_Y] : NULL};
    const int status = find_op(plot, options, v, &sample);
    if (status != CLI_DONE) {
        return status;
    }
    choose_axes(plot, sample, n_axes, v);
    if (!v->x || (n_axes > 1 && !v->y)) {
        return hg_error(CLI_DATA, "plot: the points of %s do not differ in %s", v->op,
                        n_axes > 1 ? "two numbers" : "a number");
    }
    find_like(plot, v);
    return v->n > 0 ? CLI_DONE
                    : hg_error(CLI_DATA, "plot: no point of %s has %s%s%s", v->op, v->x,
                               v->y ? " and " : "", v->y ? v->y : "");
}

bool cli_view_shows(const cli_view *v, const cli_spot *spot)
{
    return is_in_view(v, spot) && is_like(v, v->like, spot);
}

/* ---- axes and title ------------------------------------------------------ */

/* Is it the first point of the map with this value on an axis? */
static bool is_first(const cli_plot *plot, const cli_view *v, const char *key, int i)
{
    for (int k = 0; k < i; k++) {
        if (cli_view_shows(v, &plot->spots[k]) &&
            cli_view_number(&plot->spots[k], key) == cli_view_number(&plot->spots[i], key)) {
            return false;
        }
    }
    return cli_view_shows(v, &plot->spots[i]);
}

void cli_view_put_axis(const cli_plot *plot, const cli_view *v, char axis, hg_text *script)
{
    const char *key = axis == 'x' ? v->x : v->y;
    double least = INFINITY, most = -INFINITY;
    hg_text marks = hg_text_growing(NULL), words = hg_text_growing(NULL);
    for (int i = 0; i < plot->n; i++) {
        if (is_first(plot, v, key, i)) {
            const double value = cli_view_number(&plot->spots[i], key);
            hg_text_printf(&marks, "%s%.10g", marks.length ? ", " : "", value);
            least = fmin(least, value);
            most = fmax(most, value);
        }
    }
    if (least > 0) {
        hg_text_printf(script, "set logscale %c\nset %crange [%.10g:%.10g]\n", axis, axis,
                       least / 1.6, most * 1.6);
    } else {
        const double margin = 0.1 * (most - least) + 0.5;
        hg_text_printf(script, "set %crange [%.10g:%.10g]\n", axis, least - margin, most + margin);
    }
    hg_text_printf(script, "set %ctics (%s) nomirror\nset %clabel ", axis, marks.data, axis);
    hg_text_printf(&words, "%s (a number)", key);
    cli_gnuplot_put_text(script, words.data);
    hg_text_put(script, " noenhanced\n");
    hg_text_release(&marks);
    hg_text_release(&words);
}

void cli_view_put_title(const cli_view *v, const char *what, hg_text *script)
{
    hg_text words = hg_text_growing(NULL);
    hg_text_printf(&words, "%s of %s", what, v->op);
    cli_plot_put_title(words.data, v->like->problem, v->x, v->y, script);
    hg_text_release(&words);
}
