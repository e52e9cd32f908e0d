/* SPDX-License-Identifier: BSD-3-Clause */
/* What headgate tune tells: how well the constants fit, and what they are good for. */
#include "core/base/alloc.h"
#include "tools/document.h"
#include "tools/machine_info.h"
#include "tools/report.h"
#include "tools/table.h"
#include "tools/tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- text --------------------------------------------------------------- */

static void add_spread(cli_table *table, const char *title, const cli_spread *spread)
{
    cli_table_add(table, "%s", title);
    cli_table_add(table, "%.1f %%", 100 * spread->small);
    cli_table_add(table, "%.1f %%", 100 * spread->medium);
    cli_table_add(table, "%.2f", spread->middle);
    cli_table_add(table, "%.2f", spread->most);
    cli_table_add(table, "%.2f", spread->worst);
}

static int tell_regrets(const cli_tune *tune)
{
    static const char *const heads[] = {"regret", "<= 1.10",   "<= 1.50",
                                        "middle", "95 of 100", "worst"};
    const cli_points *check = &tune->check;
    cli_spread before, after;
    cli_table table;
    int status = cli_points_spread(check->points, check->n, cli_point_regret_before, &before);
    if (status == CLI_DONE) {
        status = cli_points_spread(check->points, check->n, cli_point_regret, &after);
    }
    if (status != CLI_DONE || before.n == 0 || after.n == 0) {
        return status;
    }
    printf("\nchosen over best at %d points that were not fitted\n", after.n);
    cli_table_begin(&table, 2, 6, heads);
    add_spread(&table, "before", &before);
    add_spread(&table, "after", &after);
    cli_table_end(&table, stdout);
    if (after.most > 1.02 * before.most && after.small < before.small) {
        cli_warn("the choices are worse than before; was the machine busy?");
    }
    return CLI_DONE;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Predicted over measured at the points of the check. */
static int tell_predictions(const cli_tune *tune)
{
    const cli_points *check = &tune->check;
    size_t n = 0, room = 0;
    for (int i = 0; i < check->n; i++) {
        room += (size_t)check->points[i].n;
    }
    double *ratios = hg_calloc(NULL, room + 1, sizeof *ratios);
    if (!ratios) {
        return hg_error_memory("points", room * sizeof *ratios);
    }
    for (int i = 0; i < check->n; i++) {
        for (int k = 0; k < check->points[i].n; k++) {
            const cli_timed *timed = &check->points[i].kernels[k];
            if (timed->predicted > 0) {
                ratios[n++] = log(timed->predicted / timed->seconds);
            }
        }
    }
    if (n > 0) {
        qsort(ratios, n, sizeof *ratios, ascending);
        printf("predicted over measured there: middle %.2f", exp(ratios[n / 2]));
        for (size_t i = 0; i < n; i++) {
            ratios[i] = fabs(ratios[i]);
        }
        qsort(ratios, n, sizeof *ratios, ascending);
        printf(", 9 of 10 within a factor of %.2f\n", exp(ratios[n * 9 / 10]));
    }
    hg_free(NULL, ratios);
    return CLI_DONE;
}

static void tell_constants(const cli_tune *tune)
{
    static const char *const heads[] = {"plugin",  "constant", "value",
                                        "default", "residual", "samples"};
    cli_table table;
    cli_table_begin(&table, 2, 6, heads);
    for (size_t i = 0; i < tune->n_entries; i++) {
        const hg_calib_entry *entry = &tune->entries[i];
        cli_table_add(&table, "%s", entry->plugin);
        cli_table_add(&table, "%s", entry->constant);
        cli_table_add(&table, "%.3g", entry->value);
        cli_table_add(&table, "%.3g", entry->fallback);
        cli_table_add(&table, "%.0f %%", 100 * entry->residual);
        cli_table_add(&table, "%lld", (long long)entry->samples);
    }
    cli_table_end(&table, stdout);
}

static int tell_text(const cli_tune *tune)
{
    printf("%smeasured %d of %d points of the fit and %d others in %.0f s\n",
           tune->is_interrupted ? "interrupted; " : "", tune->fit.n, tune->fit.most, tune->check.n,
           tune->seconds);
    if (tune->options->count[OPT_VERBOSE]) {
        tell_constants(tune);
    }
    int status = tell_regrets(tune);
    if (status == CLI_DONE) {
        status = tell_predictions(tune);
    }
    printf("%zu constants written to %s\n", tune->n_entries, tune->path.data);
    return status;
}

/* ---- JSON --------------------------------------------------------------- */

static void put_constants(hg_json *json, const cli_tune *tune)
{
    hg_json_key(json, "constants");
    hg_json_array_begin(json);
    for (size_t i = 0; i < tune->n_entries; i++) {
        const hg_calib_entry *entry = &tune->entries[i];
        hg_json_object_begin(json);
        hg_json_key_string(json, "plugin", entry->plugin);
        hg_json_key_string(json, "constant", entry->constant);
        hg_json_key_real(json, "value", entry->value);
        hg_json_key_real(json, "default", entry->fallback);
        hg_json_key_real(json, "residual", entry->residual);
        hg_json_key_int(json, "samples", entry->samples);
        hg_json_object_end(json);
    }
    hg_json_array_end(json);
}

static int tell_json(const cli_tune *tune)
{
    cli_document document;
    cli_document_begin(&document);
    hg_json *json = &document.json;
    cli_machine_put(json);
    hg_json_key_string(json, "file", tune->path.data);
    hg_json_key_real(json, "seconds", tune->seconds);
    hg_json_key_bool(json, "is_complete", tune->fit.n == tune->fit.most);
    hg_json_key_int(json, "fitted_points", tune->fit.n);
    put_constants(json, tune);
    hg_json_key(json, "points");
    hg_json_array_begin(json);
    for (int i = 0; i < tune->check.n; i++) {
        hg_json_object_begin(json);
        cli_point_put(json, &tune->check.points[i]);
        hg_json_object_end(json);
    }
    hg_json_array_end(json);
    return cli_document_end(&document);
}

int cli_tune_tell(const cli_tune *tune)
{
    return tune->options->count[OPT_JSON] ? tell_json(tune) : tell_text(tune);
}
