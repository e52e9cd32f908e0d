/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets up the least squares problem of a fit and reads its answer. */
#include "core/calib/fit.h"

#include "core/base/error.h"
#include "core/calib/nnls.h"

#include <math.h>

/* Each default counts as a measurement with this weight: enough to hold what nothing else holds,
 * and nothing against a single clear sample. Conventional, not tuned. */
static const double weight_of_default = 1e-3;

static bool is_linear(const hg_sample *sample)
{
    return (sample->kernel->flags & HGATE_KERNEL_LINEAR_COST) && sample->seconds > 0 &&
           sample->weight > 0;
}

double hg_fit_predict(const hg_sample *sample, const hg_fitted *constants)
{
    double seconds = 0;
    for (int t = 0; t < sample->kernel->n_terms; t++) {
        seconds += constants[sample->kernel->terms[t].constant].value * sample->terms[t];
    }
    return seconds;
}

/* A row for each sample: weight / seconds times its terms, against weight. */
static int put_samples(const hg_sample *samples, int n, int n_constants, double *A, double *b)
{
    int m = 0;
    for (int i = 0; i < n; i++) {
        const hg_sample *sample = &samples[i];
        if (!is_linear(sample)) {
            continue;
        }
        double *row = A + (size_t)m * (size_t)n_constants;
        for (int t = 0; t < sample->kernel->n_terms; t++) {
            row[sample->kernel->terms[t].constant] +=
                sample->terms[t] * sample->weight / sample->seconds;
        }
        b[m++] = sample->weight;
    }
    return m;
}

/* A row for each default that is not zero. */
static int put_defaults(const hgate_plugin *plugin, int m, double *A, double *b)
{
    const size_t n = plugin->n_constants;
    for (size_t k = 0; k < n; k++) {
        const double value = plugin->constants[k]->value;
        if (value > 0) {
            A[(size_t)m * n + k] = weight_of_default / value;
            b[m++] = weight_of_default;
        }
    }
    return m;
}

static bool has_work(const hg_sample *sample, int constant)
{
    for (int t = 0; t < sample->kernel->n_terms; t++) {
        if (sample->kernel->terms[t].constant == constant && sample->terms[t] > 0) {
            return true;
        }
    }
    return false;
}

static void take_values(const hgate_plugin *plugin, const hg_sample *samples, int n,
                        const double *x, hg_fitted *out)
{
    for (int k = 0; k < (int)plugin->n_constants; k++) {
        const hgate_constant *constant = plugin->constants[k];
        out[k] = (hg_fitted){.value = constant->value};
        for (int i = 0; i < n; i++) {
            out[k].samples += is_linear(&samples[i]) && has_work(&samples[i], k);
        }
        out[k].is_measured = out[k].samples > 0;
        if (out[k].is_measured) {
            out[k].value = fmin(fmax(x[k], constant->lowest), constant->highest);
        }
    }
}

static void compute_residuals(const hg_sample *samples, int n, int n_constants, hg_fitted *out)
{
    for (int k = 0; k < n_constants; k++) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            if (is_linear(&samples[i]) && has_work(&samples[i], k)) {
                const double error = hg_fit_predict(&samples[i], out) / samples[i].seconds - 1;
                sum += error * error;
            }
        }
        out[k].residual = out[k].samples ? sqrt(sum / (double)out[k].samples) : 0;
    }
}

int hg_calib_fit(const hgate_plugin *plugin, const hg_sample *samples, int n,
                 const hg_allocator *allocator, hg_fitted *out)
{
    const size_t n_constants = plugin->n_constants;
    const size_t rows = (size_t)n + n_constants;
    double *memory = hg_calloc(allocator, rows * n_constants + rows + n_constants, sizeof *memory);
    if (!memory) {
        return hg_error_memory("fit", rows * n_constants * sizeof *memory);
    }
    double *A = memory, *b = A + rows * n_constants, *x = b + rows;
    int m = put_samples(samples, n, (int)n_constants, A, b);
    m = put_defaults(plugin, m, A, b);
    const int status = hg_nnls(A, b, m, (int)n_constants, allocator, x);
    if (status == HGATE_OK) {
        take_values(plugin, samples, n, x, out);
        compute_residuals(samples, n, (int)n_constants, out);
    }
    hg_free(allocator, memory);
    return status;
}
