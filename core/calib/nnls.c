/* SPDX-License-Identifier: BSD-3-Clause */
/* Non-negative least squares by active sets (Lawson and Hanson, Solving Least Squares Problems,
 * chapter 23): columns enter the fit one by one, where the gradient says that they would help, and
 * leave it when their coefficient would fall below zero. The few columns of the fit are solved by
 * Householder reflections each time; problems here have tens of columns and hundreds of rows. */
#include "core/calib/nnls.h"

#include "core/base/error.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef struct search {
    int m, n;
    double *columns; /* n columns of m, each of length 1 or 0 */
    const double *b;
    double *x, *z; /* n: accepted and tried coefficients, of the scaled columns */
    double *scale; /* n: lengths of the columns */
    double *gradient;
    int *inside; /* columns in the fit, n_inside of them */
    int n_inside;
    double *work; /* (n + 1) m: the fit's columns and the right-hand side */
} search;

/* ---- least squares of the columns inside -------------------------------- */

/* Reflects column k to a multiple of a unit vector and the later ones with it. Returns the
 * diagonal. */
static double reflect(double *q, int m, int k, int n_columns)
{
    double *column = q + (size_t)k * (size_t)m;
    double length = 0;
    for (int i = k; i < m; i++) {
        length += column[i] * column[i];
    }
    length = sqrt(length);
    if (length == 0) {
        return 0;
    }
    const double diagonal = column[k] > 0 ? -length : length;
    const double factor = column[k] - diagonal; /* no cancellation: the signs differ */
    for (int c = k + 1; c < n_columns; c++) {
        double *other = q + (size_t)c * (size_t)m;
        double dot = other[k] * factor;
        for (int i = k + 1; i < m; i++) {
            dot += column[i] * other[i];
        }
        const double share = -dot / (diagonal * factor);
        other[k] -= share * factor;
        for (int i = k + 1; i < m; i++) {
            other[i] -= share * column[i];
        }
    }
    column[k] = diagonal;
    return diagonal;
}

/* Solves for the columns inside into z; false when they depend on each other. */
static bool solve(search *s)
{
    const size_t m = (size_t)s->m;
    const int k_max = s->n_inside;
    for (int k = 0; k < k_max; k++) {
        memcpy(s->work + (size_t)k * m, s->columns + (size_t)s->inside[k] * m, m * sizeof *s->work);
    }
    double *right = s->work + (size_t)k_max * m;
    memcpy(right, s->b, m * sizeof *right);
    for (int k = 0; k < k_max; k++) {
        if (k >= s->m || fabs(reflect(s->work, s->m, k, k_max + 1)) < 1e-10) {
            return false;
        }
    }
    for (int k = k_max - 1; k >= 0; k--) {
        double value = right[k];
        for (int c = k + 1; c < k_max; c++) {
            value -= s->work[(size_t)c * m + (size_t)k] * s->z[s->inside[c]];
        }
        s->z[s->inside[k]] = value / s->work[(size_t)k * m + (size_t)k];
    }
    return true;
}

/* ---- the search --------------------------------------------------------- */

static void compute_gradient(search *s)
{
    for (int j = 0; j < s->n; j++) {
        s->gradient[j] = 0;
    }
    for (int i = 0; i < s->m; i++) {
        double rest = s->b[i];
        for (int k = 0; k < s->n_inside; k++) {
            const int j = s->inside[k];
            rest -= s->columns[(size_t)j * (size_t)s->m + (size_t)i] * s->x[j];
        }
        for (int j = 0; j < s->n; j++) {
            s->gradient[j] += s->columns[(size_t)j * (size_t)s->m + (size_t)i] * rest;
        }
    }
}

static bool is_inside(const search *s, int j)
{
    for (int k = 0; k < s->n_inside; k++) {
        if (s->inside[k] == j) {
            return true;
        }
    }
    return false;
}

/* The column outside that helps most; -1 when none does. */
static int find_entering(const search *s, double tolerance)
{
    int best = -1;
    for (int j = 0; j < s->n; j++) {
        if (s->scale[j] > 0 && !is_inside(s, j) && s->gradient[j] > tolerance &&
            (best < 0 || s->gradient[j] > s->gradient[best])) {
            best = j;
        }
    }
    return best;
}

static void remove_at(search *s, int k)
{
    s->x[s->inside[k]] = 0;
    for (; k + 1 < s->n_inside; k++) {
        s->inside[k] = s->inside[k + 1];
    }
    s->n_inside--;
}

/* Walks from x towards z until a coefficient reaches zero, and takes that column out. Is z reached?
 */
static bool walk(search *s)
{
    double step = 1;
    int leaving = -1;
    for (int k = 0; k < s->n_inside; k++) {
        const int j = s->inside[k];
        if (s->z[j] <= 0) {
            const double share = s->x[j] / (s->x[j] - s->z[j]);
            if (leaving < 0 || share < step) {
                step = share;
                leaving = k;
            }
        }
    }
    for (int k = 0; k < s->n_inside; k++) {
        const int j = s->inside[k];
        s->x[j] += step * (s->z[j] - s->x[j]);
    }
    if (leaving >= 0) {
        remove_at(s, leaving);
    }
    return leaving < 0;
}

static void run(search *s)
{
    double length = 0;
    for (int i = 0; i < s->m; i++) {
        length += s->b[i] * s->b[i];
    }
    const double tolerance = 1e-12 * sqrt(length);
    for (int round = 0; round < 3 * s->n; round++) { /* as many as the authors found enough */
        compute_gradient(s);
        const int entering = find_entering(s, tolerance);
        if (entering < 0) {
            return;
        }
        s->inside[s->n_inside++] = entering;
        if (!solve(s) || s->z[entering] <= 0) {
            s->n_inside--; /* no new direction, or rounding: not a column that helps */
            s->scale[entering] = 0;
            continue;
        }
        while (!walk(s)) {
            if (s->n_inside == 0 || !solve(s)) {
                break;
            }
        }
    }
}

/* ---- memory ------------------------------------------------------------- */

static void load(search *s, const double *A)
{
    for (int j = 0; j < s->n; j++) {
        double *column = s->columns + (size_t)j * (size_t)s->m;
        double length = 0;
        for (int i = 0; i < s->m; i++) {
            column[i] = A[(size_t)i * (size_t)s->n + (size_t)j];
            length = hypot(length, column[i]);
        }
        s->scale[j] = length;
        for (int i = 0; i < s->m && length > 0; i++) {
            column[i] /= length;
        }
    }
}

int hg_nnls(const double *A, const double *b, int m, int n, const hg_allocator *allocator,
            double *x)
{
    const size_t rows = (size_t)m, count = (size_t)n;
    search s = {.m = m, .n = n, .b = b};
    const size_t doubles = count * rows + (count + 1) * rows + 5 * count;
    double *memory = hg_calloc(allocator, doubles, sizeof *memory);
    s.inside = hg_calloc(allocator, count, sizeof *s.inside);
    int status = HGATE_OK;
    if (memory && s.inside) {
        s.columns = memory;
        s.work = s.columns + count * rows;
        s.x = s.work + (count + 1) * rows;
        s.z = s.x + count;
        s.scale = s.z + count;
        s.gradient = s.scale + count;
        double *lengths = s.gradient + count;
        load(&s, A);
        memcpy(lengths, s.scale, count * sizeof *lengths);
        run(&s);
        for (int j = 0; j < n; j++) {
            x[j] = lengths[j] > 0 ? s.x[j] / lengths[j] : 0;
        }
    } else {
        status = hg_error_memory("fit", doubles * sizeof *memory);
    }
    hg_free(allocator, memory);
    hg_free(allocator, s.inside);
    return status;
}
