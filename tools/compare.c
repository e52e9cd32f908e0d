/* SPDX-License-Identifier: BSD-3-Clause */
/* Outputs kept, poisoned and compared. */
#include "tools/compare.h"

#include "core/base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int cli_outputs_keep(cli_outputs *outputs, const cli_case *c)
{
    *outputs = (cli_outputs){.n_up = c->scalars.n_up};
    for (int i = 0; i < c->row->n_args; i++) {
        const cli_array *from = &c->arrays[i];
        if (!cli_case_is_output(c, i)) {
            continue;
        }
        int status = cli_array_set(&outputs->arrays[i], c->row->args[i].name, from->type,
                                   from->dl.ndim, from->shape);
        if (status == HGATE_OK) {
            status = cli_array_allocate(&outputs->arrays[i], c->row->args[i].name);
        }
        if (status != HGATE_OK) {
            cli_outputs_free(outputs);
            return status;
        }
        memcpy(outputs->arrays[i].dl.data, from->dl.data, from->bytes);
    }
    return HGATE_OK;
}

void cli_outputs_free(cli_outputs *outputs)
{
    for (int i = 0; i < HGATE_MAX_ARGS; i++) {
        cli_array_free(&outputs->arrays[i]);
    }
}

void cli_outputs_poison(cli_case *c)
{
    for (int i = 0; i < c->row->n_args; i++) {
        cli_array *array = &c->arrays[i];
        for (int64_t k = 0; cli_case_is_output(c, i) && k < array->count; k++) {
            if (array->type == CLI_I32 || array->type == CLI_I64) {
                cli_array_put_index(array, k, -77777);
            } else {
                cli_array_put_complex(array, k, NAN, NAN);
            }
        }
    }
    c->scalars.n_up = -1;
}

static bool is_nan_at(const cli_array *array, int64_t i)
{
    return isnan(cli_array_real(array, i)) || isnan(cli_array_imag(array, i));
}

static double peak_error(const cli_array *array, const cli_array *reference, int64_t count)
{
    double worst = 0.0, peak = 0.0;
    for (int64_t i = 0; i < count; i++) {
        if (is_nan_at(array, i) || is_nan_at(reference, i)) {
            if (!(is_nan_at(array, i) && is_nan_at(reference, i))) {
                return INFINITY;
            }
            continue;
        }
        const double re = cli_array_real(reference, i), im = cli_array_imag(reference, i);
        const double d = hypot(cli_array_real(array, i) - re, cli_array_imag(array, i) - im);
        worst = fmax(worst, d);
        peak = fmax(peak, hypot(re, im));
    }
    return worst == 0.0 ? 0.0 : worst / fmax(peak, 1e-300);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Largest angle of a row between phases of unit modulus; NaN in both counts as equal. */
static double row_angle(const cli_array *array, const cli_array *reference, int64_t row)
{
    const int64_t n = array->shape[1];
    double worst = 0.0;
    for (int64_t i = row * n; i < (row + 1) * n; i++) {
        if (is_nan_at(array, i) != is_nan_at(reference, i)) {
            return INFINITY;
        }
        if (is_nan_at(array, i)) {
            continue;
        }
        const double a = cli_array_real(array, i), b = cli_array_imag(array, i);
        const double c = cli_array_real(reference, i), d = cli_array_imag(reference, i);
        worst = fmax(worst, fabs(atan2(b * c - a * d, a * c + b * d)));
    }
    return worst;
}

/* The angle that 99 of 100 points stay below: a point with a near tie between its eigenvalues has
 * no phases that two ways of computing must agree on. */
static double angle_error(const cli_array *array, const cli_array *reference)
{
    const int64_t points = array->shape[0];
    double *angles = hg_calloc(NULL, (size_t)points + 1, sizeof *angles);
    if (!angles || points == 0) {
        hg_free(NULL, angles);
        return points == 0 ? 0.0 : INFINITY;
    }
    for (int64_t p = 0; p < points; p++) {
        angles[p] = row_angle(array, reference, p);
    }
    qsort(angles, (size_t)points, sizeof *angles, ascending);
    const double worst = isinf(angles[points - 1]) ? INFINITY : angles[(points - 1) * 99 / 100];
    hg_free(NULL, angles);
    return worst;
}

double cli_outputs_error(const cli_case *c, const cli_outputs *reference)
{
    const bool is_horizon = c->op->op == HGATE_OP_VISIBILITY_HORIZON;
    double worst = 0.0;
    if (is_horizon && c->scalars.n_up != reference->n_up) {
        return INFINITY;
    }
    for (int i = 0; i < c->row->n_args; i++) {
        const cli_array *array = &c->arrays[i], *other = &reference->arrays[i];
        if (!array->is_given || !other->is_given) {
            continue;
        }
        if (c->op->by_angle >> i & 1) {
            worst = fmax(worst, angle_error(array, other));
        } else if (c->op->by_peak >> i & 1) {
            /* only the first n_up columns of the first row and of the vectors are written */
            worst =
                fmax(worst, peak_error(array, other, is_horizon ? reference->n_up : array->count));
        }
    }
    return worst;
}

const char *cli_outputs_measure(const cli_op *op)
{
    return op->by_angle ? "radians, 99 of 100 points" : "difference / peak";
}

double cli_outputs_tolerance(const cli_case *c)
{
    return c->op->tolerance[c->is_double ? 1 : 0] * (c->loss > 0.0 ? c->loss : 1.0);
}
