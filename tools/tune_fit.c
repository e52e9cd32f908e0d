/* SPDX-License-Identifier: BSD-3-Clause */
/* From measured points to the constants of a calibration file. */
#include "core/base/alloc.h"
#include "core/base/number.h"
#include "core/calib/fit.h"
#include "core/engine/engine_int.h"
#include "tools/report.h"
#include "tools/tune.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* What a sample counts whose least time is not sure. Conventional, not tuned. */
static const double weight_of_noisy = 0.3;

static const hgate_kernel *find_kernel(const hg_plugin *plugin, int op, const char *name)
{
    for (int i = 0; i < plugin->n_kernels; i++) {
        if (plugin->kernels[i]->op == op && strcmp(plugin->kernels[i]->name, name) == 0) {
            return plugin->kernels[i];
        }
    }
    return NULL;
}

/* Runs of a plugin as samples. Copies to a device are no work of a kernel, so runs with them tell
 * nothing of its constants. */
static int take_samples(const cli_points *points, const hg_plugin *plugin, hg_sample *samples)
{
    int n = 0;
    for (int i = 0; i < points->n; i++) {
        const cli_point *point = &points->points[i];
        for (int k = 0; k < point->n; k++) {
            const cli_timed *timed = &point->kernels[k];
            const hgate_kernel *kernel = strcmp(timed->plugin, plugin->name) == 0
                                             ? find_kernel(plugin, point->op, timed->kernel)
                                             : NULL;
            if (kernel && !timed->is_staged) {
                samples[n] = (hg_sample){.kernel = kernel,
                                         .seconds = timed->seconds,
                                         .weight = timed->is_noisy ? weight_of_noisy : 1};
                memcpy(samples[n++].terms, timed->terms, sizeof timed->terms);
            }
        }
    }
    return n;
}

static size_t count_kernels(const cli_points *points)
{
    size_t n = 0;
    for (int i = 0; i < points->n; i++) {
        n += (size_t)points->points[i].n;
    }
    return n;
}

/* ---- the older file ---------------------------------------------------- */

static const hg_setting *find_old(const hg_calib_file *old, const char *plugin,
                                  const char *constant, const char *what)
{
    char key[256];
    hg_text text = hg_text_over(key, sizeof key);
    hg_text_printf(&text, "plugins.%s.constants.%s.%s", plugin, constant, what);
    return old ? hg_calib_file_find(old, key) : NULL;
}

/* The old value of a constant that was not measured now. */
static bool take_over(const hg_calib_file *old, const hgate_constant *constant,
                      hg_calib_entry *entry)
{
    const hg_setting *value = find_old(old, entry->plugin, constant->name, "value");
    if (!value ||
        !(value->value.real >= constant->lowest && value->value.real <= constant->highest)) {
        return false;
    }
    const hg_setting *residual = find_old(old, entry->plugin, constant->name, "residual");
    const hg_setting *samples = find_old(old, entry->plugin, constant->name, "samples");
    entry->value = value->value.real;
    entry->residual = residual ? residual->value.real : 0;
    entry->samples = samples ? samples->value.integer : 0;
    return true;
}

static bool has_version(const hg_calib_file *old, const hgate_plugin *plugin)
{
    char key[256];
    hg_text text = hg_text_over(key, sizeof key);
    hg_text_printf(&text, "plugins.%s.plugin_version", plugin->name);
    const hg_setting *version = old ? hg_calib_file_find(old, key) : NULL;
    return version && strcmp(version->value.text, plugin->version) == 0;
}

/* ---- one plugin -------------------------------------------------------- */

/* Four digits say all that was measured. */
static double rounded(double value)
{
    char text[32];
    double out = value;
    snprintf(text, sizeof text, "%.4g", value);
    (void)hg_parse_real(text, strlen(text), &out);
    return out;
}

static void add_entries(cli_tune *tune, const hgate_plugin *plugin, const hg_fitted *fitted,
                        const hg_calib_file *old)
{
    const bool is_old_good = has_version(old, plugin);
    for (uint32_t k = 0; k < plugin->n_constants; k++) {
        const hgate_constant *constant = plugin->constants[k];
        hg_calib_entry entry = {.plugin = plugin->name,
                                .version = plugin->version,
                                .constant = constant->name,
                                .fallback = constant->value,
                                .value = rounded(fitted[k].value),
                                .residual = fitted[k].residual,
                                .samples = fitted[k].samples};
        if (fitted[k].is_measured || (is_old_good && take_over(old, constant, &entry))) {
            tune->entries[tune->n_entries++] = entry;
        }
    }
}

static int fit_plugin(cli_tune *tune, const hg_plugin *plugin, hg_sample *samples,
                      const hg_calib_file *old)
{
    const hgate_plugin *descriptor = plugin->descriptor;
    const int n = take_samples(&tune->fit, plugin, samples);
    hg_fitted *fitted = hg_calloc(NULL, (size_t)descriptor->n_constants + 1, sizeof *fitted);
    if (!fitted) {
        return hg_error_memory("fit", descriptor->n_constants * sizeof *fitted);
    }
    const int status = hg_calib_fit(descriptor, samples, n, NULL, fitted);
    if (status == HGATE_OK) {
        add_entries(tune, descriptor, fitted, old);
    }
    hg_free(NULL, fitted);
    return status;
}

static int fit_all(cli_tune *tune, const hg_calib_file *old)
{
    const hgate_engine *engine = tune->session.engine;
    const size_t most = count_kernels(&tune->fit);
    size_t n_constants = 0;
    for (int i = 0; i < engine->n_usable; i++) {
        n_constants += engine->usable[i]->descriptor->n_constants;
    }
    hg_sample *samples = hg_calloc(NULL, most + 1, sizeof *samples);
    tune->entries = hg_calloc(NULL, n_constants + 1, sizeof *tune->entries);
    int status =
        samples && tune->entries ? HGATE_OK : hg_error_memory("fit", most * sizeof *samples);
    for (int i = 0; status == HGATE_OK && i < engine->n_usable; i++) {
        status = fit_plugin(tune, engine->usable[i], samples, old);
    }
    hg_free(NULL, samples);
    return status;
}

int cli_tune_fit(cli_tune *tune, const hg_machine *machine)
{
    char ignored[512];
    hg_text why = hg_text_over(ignored, sizeof ignored);
    hg_calib_file file;
    const bool is_read = access(tune->path.data, F_OK) == 0 &&
                         hg_calib_file_read(tune->path.data, NULL, &file) == HGATE_OK;
    const bool is_ours = is_read && hg_calib_file_matches(&file, machine, &why);
    int status = fit_all(tune, is_ours ? &file : NULL);
    if (is_read) {
        hg_calib_file_release(&file);
    }
    if (status == HGATE_OK && count_kernels(&tune->fit) == 0) {
        status = hg_error(HGATE_ENOKERNEL, "nothing was measured: %s",
                          tune->is_interrupted ? "interrupted too early"
                                               : "no kernel is wanted, or the time was too short");
    }
    return status;
}

/* ---- the file ---------------------------------------------------------- */

static int64_t count_noisy(const cli_points *points)
{
    int64_t n = 0;
    for (int i = 0; i < points->n; i++) {
        for (int k = 0; k < points->points[i].n; k++) {
            n += points->points[i].kernels[k].is_noisy;
        }
    }
    return n;
}

int cli_tune_write(const cli_tune *tune, const hg_machine *machine)
{
    char date[32], note[128];
    const time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    hg_text words = hg_text_over(note, sizeof note);
    hg_text_printf(&words, "headgate tune: %d points, %zu runs of kernels, %lld of them noisy%s",
                   tune->fit.n, count_kernels(&tune->fit), (long long)count_noisy(&tune->fit),
                   tune->is_interrupted ? ", interrupted" : "");
    const hg_provenance provenance = {.date = date,
                                      .headgate = hgate_version(),
#ifdef __clang__
                                      .compiler = __VERSION__,
#else
                                      .compiler = "gcc " __VERSION__,
#endif
                                      .driver = "",
                                      .note = note,
                                      .threads = machine->cores,
                                      .seconds = tune->seconds};
    hg_text text = hg_text_growing(NULL);
    hg_calib_file_put(machine, &provenance, tune->entries, tune->n_entries, &text);
    int status = text.is_cut ? hg_error_memory("calibration file", text.length)
                             : hg_calib_file_write(tune->path.data, text.data, text.length);
    hg_text_release(&text);
    return status == HGATE_ECONFIG ? CLI_CANNOT_WRITE : status;
}
