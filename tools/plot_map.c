/* SPDX-License-Identifier: BSD-3-Clause */
/* The map of kernels: which one is best where, over two numbers of the problem. */
#include "tools/gnuplot.h"
#include "tools/plot.h"
#include "tools/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_KEYS = 16, MOST_WINNERS = 16 };

/* What the map shows. */
typedef struct map {
    const char *op, *x, *y;
    const cli_spot *like; /* every other key has this point's value; NULL: none was found */
    int n;                /* points that are so */
} map;

static const char *value_of(const cli_spot *spot, const char *key)
{
    const cli_json *member = cli_json_member(spot->problem, key);
    return member ? member->text : "";
}

/* A value that is a number, "5" or 5. */
static double number_of(const cli_spot *spot, const char *key)
{
    char *end = NULL;
    const char *text = value_of(spot, key);
    const double value = strtod(text, &end);
    return *text && !*end ? value : NAN;
}

static bool is_on_map(const map *m, const cli_spot *spot)
{
    return strcmp(spot->op, m->op) == 0 && spot->best[0] && isfinite(number_of(spot, m->x)) &&
           isfinite(number_of(spot, m->y));
}

/* Has b what a has, but for the axes? */
static bool has_all(const map *m, const cli_spot *a, const cli_spot *b)
{
    for (const cli_json *key = a->problem->first; key; key = key->next) {
        if (strcmp(key->key, m->x) != 0 && strcmp(key->key, m->y) != 0 &&
            strcmp(key->text, value_of(b, key->key)) != 0) {
            return false;
        }
    }
    return true;
}

/* Do two points agree in all but the axes? */
static bool is_like(const map *m, const cli_spot *a, const cli_spot *b)
{
    return has_all(m, a, b) && has_all(m, b, a);
}

/* The largest set of points that differ in the axes alone. */
static void find_like(const cli_plot *plot, map *m)
{
    m->n = 0;
    m->like = NULL;
    for (int i = 0; i < plot->n; i++) {
        int n = 0;
        for (int k = 0; k < plot->n && is_on_map(m, &plot->spots[i]); k++) {
            n += is_on_map(m, &plot->spots[k]) && is_like(m, &plot->spots[i], &plot->spots[k]);
        }
        if (n > m->n) {
            m->n = n;
            m->like = &plot->spots[i];
        }
    }
}

/* Different numbers that a key has over the points of the operation. */
static int count_values(const cli_plot *plot, const char *op, const char *key)
{
    int n = 0;
    for (int i = 0; i < plot->n; i++) {
        const double value =
            strcmp(plot->spots[i].op, op) == 0 ? number_of(&plot->spots[i], key) : NAN;
        bool is_new = isfinite(value);
        for (int k = 0; k < i && is_new; k++) {
            is_new = strcmp(plot->spots[k].op, op) != 0 || number_of(&plot->spots[k], key) != value;
        }
        n += is_new;
    }
    return n;
}

/* The axes that were not named: the numbers with the most values. */
static void choose_axes(const cli_plot *plot, const cli_spot *sample, map *m)
{
    for (int axis = 0; axis < 2; axis++) {
        const char **wanted = axis == 0 ? &m->x : &m->y;
        const char *other = axis == 0 ? m->y : m->x;
        int most = 1;
        const bool is_given = *wanted != NULL;
        for (const cli_json *key = sample->problem->first; key && !is_given; key = key->next) {
            const int n = count_values(plot, m->op, key->key);
            if (n > most && (!other || strcmp(key->key, other) != 0)) {
                most = n;
                *wanted = key->key;
            }
        }
    }
}

static int set_up(const cli_plot *plot, const cli_options *options, map *m)
{
    const cli_spot *sample = NULL;
    *m = (map){.op = options->text[OPT_OP], .x = options->text[OPT_X], .y = options->text[OPT_Y]};
    for (int i = 0; i < plot->n; i++) {
        if (!m->op) {
            m->op = plot->spots[i].op;
        }
        if (strcmp(plot->spots[i].op, m->op) != 0) {
            if (!options->text[OPT_OP]) {
                return cli_usage("--kind map: the documents have several operations, say --op OP");
            }
        } else if (!sample && plot->spots[i].problem) {
            sample = &plot->spots[i];
        }
    }
    if (!sample) {
        return hg_error(CLI_DATA, "plot: the documents have no point of %s", m->op ? m->op : "any");
    }
    choose_axes(plot, sample, m);
    if (!m->x || !m->y) {
        return hg_error(CLI_DATA, "plot: the points of %s do not differ in two numbers", m->op);
    }
    find_like(plot, m);
    return m->n > 0
               ? CLI_DONE
               : hg_error(CLI_DATA, "plot: no point of %s has both %s and %s", m->op, m->x, m->y);
}

/* Is a point one of those that are drawn? */
static bool is_shown(const map *m, const cli_spot *spot)
{
    return is_on_map(m, spot) && is_like(m, m->like, spot);
}

/* ---- drawing ------------------------------------------------------------ */

static int list_winners(const cli_plot *plot, const map *m, const char **winners)
{
    int n = 0;
    for (int i = 0; i < plot->n; i++) {
        const cli_spot *spot = &plot->spots[i];
        int w = 0;
        if (!is_shown(m, spot)) {
            continue;
        }
        while (w < n && strcmp(winners[w], spot->best) != 0) {
            w++;
        }
        if (w == n && n < MOST_WINNERS) {
            winners[n++] = spot->best;
        }
    }
    return n;
}

/* Points with this winner; without one, those where another kernel was chosen. */
static int put_points(const cli_plot *plot, const map *m, const char *winner, hg_text *script)
{
    int n = 0;
    for (int i = 0; i < plot->n; i++) {
        const cli_spot *spot = &plot->spots[i];
        if (is_shown(m, spot) &&
            (winner ? strcmp(spot->best, winner) == 0 : strcmp(spot->best, spot->chosen) != 0)) {
            hg_text_printf(script, "%.10g %.10g\n", number_of(spot, m->x), number_of(spot, m->y));
            n++;
        }
    }
    return n;
}

/* Is it the first point of the map with this value on an axis? */
static bool is_first(const cli_plot *plot, const map *m, const char *key, int i)
{
    for (int k = 0; k < i; k++) {
        if (is_shown(m, &plot->spots[k]) &&
            number_of(&plot->spots[k], key) == number_of(&plot->spots[i], key)) {
            return false;
        }
    }
    return is_shown(m, &plot->spots[i]);
}

/* A scale that fits the values, which are the marks on it. */
static void put_axis(const cli_plot *plot, const map *m, char axis, const char *key,
                     hg_text *script)
{
    double least = INFINITY, most = -INFINITY;
    hg_text marks = hg_text_growing(NULL), words = hg_text_growing(NULL);
    for (int i = 0; i < plot->n; i++) {
        if (is_first(plot, m, key, i)) {
            const double value = number_of(&plot->spots[i], key);
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

static void put_title(const map *m, hg_text *script)
{
    hg_text words = hg_text_growing(NULL);
    hg_text_printf(&words, "quickest kernel of %s", m->op);
    for (const cli_json *key = m->like->problem->first; key; key = key->next) {
        if (strcmp(key->key, m->x) != 0 && strcmp(key->key, m->y) != 0) {
            hg_text_printf(&words, " %s=%s", key->key, key->text);
        }
    }
    hg_text_put(script, "set title ");
    cli_gnuplot_put_text(script, words.data);
    hg_text_put(script, " noenhanced\n");
    hg_text_release(&words);
}

int cli_plot_map(const cli_plot *plot, const cli_options *options, hg_text *script)
{
    const char *winners[MOST_WINNERS];
    map m;
    const int status = set_up(plot, options, &m);
    if (status != CLI_DONE) {
        return status;
    }
    const int n = list_winners(plot, &m, winners);
    for (int w = 0; w <= n; w++) {
        hg_text_printf(script, "$w%d << EOD\n", w);
        (void)put_points(plot, &m, w < n ? winners[w] : NULL, script);
        hg_text_put(script, "EOD\n");
    }
    put_title(&m, script);
    put_axis(plot, &m, 'x', m.x, script);
    put_axis(plot, &m, 'y', m.y, script);
    hg_text_put(script, "set grid\nset key outside right top\nplot ");
    for (int w = 0; w < n; w++) {
        hg_text_printf(script, "%s$w%d using 1:2 with points pt 5 ps 3 lc rgb \"%s\" title ",
                       w ? ", " : "", w, cli_plot_colour(w));
        cli_gnuplot_put_text(script, winners[w]);
        hg_text_put(script, " noenhanced");
    }
    hg_text misses = hg_text_growing(NULL);
    if (put_points(plot, &m, NULL, &misses) > 0) {
        hg_text_printf(script,
                       ", $w%d using 1:2 with points pt 2 ps 2 lw 2 lc rgb \"black\" "
                       "title \"another was chosen\"",
                       n);
    }
    hg_text_release(&misses);
    hg_text_put_char(script, '\n');
    return CLI_DONE;
}
