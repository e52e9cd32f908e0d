// SPDX-License-Identifier: BSD-3-Clause
// Problems of the family emi for the tests: a stack of points, its results, and coherences made on
// the spot.
#include "tests/kernels/emi_stack.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

stack stack_new(const char *type, int64_t points, int64_t n, int is_full)
{
    stack s = {
        .params = {.struct_size = sizeof s.params, .kappa = 1e5, .check = HGATE_CHECK_VALUES},
        .points = points,
        .n = n};
    const char *real = strcmp(type, "c64") == 0 ? "f32" : "f64";
    s.coh = is_full ? array_3d(type, points, n, n) : array_2d(type, points, n * (n - 1) / 2);
    s.phase = array_2d(type, points, n);
    s.quality = array_1d(real, points);
    s.status = array_1d("i32", points);
    s.beta = array_1d(real, points);
    return s;
}

void stack_free(stack *s)
{
    array_free(s->coh);
    array_free(s->phase);
    array_free(s->quality);
    array_free(s->status);
    array_free(s->beta);
}

uint32_t stack_dtype(const stack *s)
{
    return s->coh->element == 8 ? HGATE_C64 : HGATE_C128;
}

int64_t stack_at(const stack *s, int64_t point, int64_t i, int64_t j)
{
    int64_t n = s->n;
    if (s->coh->dl.ndim == 3)
        return 2 * ((point * n + i) * n + j);
    return 2 * (point * (n * (n - 1) / 2) + i * (2 * n - i - 1) / 2 + j - i - 1);
}

void stack_put(stack *s, int64_t point, int64_t i, int64_t j, double re, double im)
{
    array_put(s->coh, stack_at(s, point, i, j), re);
    array_put(s->coh, stack_at(s, point, i, j) + 1, im);
    if (s->coh->dl.ndim == 3) {
        array_put(s->coh, stack_at(s, point, j, i), re);
        array_put(s->coh, stack_at(s, point, j, i) + 1, -im);
    }
}

stack stack_as(const stack *s, const char *type, int is_full)
{
    stack t = stack_new(type, s->points, s->n, is_full);
    t.params = s->params;
    for (int64_t p = 0; p < s->points; p++)
        for (int64_t i = 0; i < s->n; i++) {
            if (is_full)
                array_put(t.coh, stack_at(&t, p, i, i), 1.0);
            for (int64_t j = i + 1; j < s->n; j++)
                stack_put(&t, p, i, j, array_get(s->coh, stack_at(s, p, i, j)),
                          array_get(s->coh, stack_at(s, p, i, j) + 1));
        }
    return t;
}

conf_call stack_call(stack *s, int op)
{
    conf_call call;
    conf_call_init(&call, op, stack_dtype(s), &s->params);
    conf_in(&call, HGATE_EMI_COH, s->coh);
    conf_out(&call, HGATE_EMI_PHASE, s->phase);
    conf_out(&call, HGATE_EMI_QUALITY, s->quality);
    conf_out(&call, HGATE_EMI_STATUS, s->status);
    if (op == HGATE_OP_EMI)
        conf_out(&call, HGATE_EMI_BETA, s->beta);
    conf_dim(&call, HGATE_DIM_EMI_N, s->n);
    conf_dim(&call, HGATE_DIM_EMI_BATCH, s->points);
    conf_dim(&call, HGATE_DIM_EMI_FULL, s->coh->dl.ndim == 3);
    return call;
}

int stack_run(stack *s, const conf_kernel *kernel, int threads)
{
    conf_call call = stack_call(s, kernel->kernel->op);
    return conf_run(kernel, &call, threads);
}

void stack_run_ok(stack *s, const conf_kernel *kernel, int threads)
{
    conf_call call = stack_call(s, kernel->kernel->op);
    conf_run_ok(kernel, &call, threads);
}

int stack_status(const stack *s, int64_t point)
{
    return (int)array_get(s->status, point);
}

double stack_angle(const stack *s, int64_t point, int64_t image)
{
    int64_t at = 2 * (point * s->n + image);
    return atan2(array_get(s->phase, at + 1), array_get(s->phase, at));
}

double stack_phase_error(const stack *a, const stack *b, int64_t point)
{
    double worst = 0.0;
    for (int64_t i = 0; i < a->n; i++) {
        double x = stack_angle(a, point, i), y = stack_angle(b, point, i);
        if (isnan(x) != isnan(y))
            return INFINITY;
        if (!isnan(x))
            worst = fmax(worst, fabs(remainder(x - y, 6.283185307179586)));
    }
    return worst;
}

void stack_generate_closing(stack *s, double decay, double *theta, uint64_t seed)
{
    for (int64_t i = 0; i < s->points * s->n; i++)
        theta[i] = 6.0 * random_uniform(&seed) - 3.0;
    for (int64_t p = 0; p < s->points; p++)
        for (int64_t i = 0; i < s->n; i++)
            for (int64_t j = i + 1; j < s->n; j++) {
                double angle = theta[p * s->n + i] - theta[p * s->n + j];
                double modulus = pow(decay, (double)(j - i));
                stack_put(s, p, i, j, modulus * cos(angle), modulus * sin(angle));
            }
}

// Lower Cholesky factor, in place, of the true coherence of one point.
static void true_coherence(int64_t n, double *a, uint64_t *seed)
{
    double first = 0.75 + 0.22 * random_uniform(seed), decay = 2.0 + 25.0 * random_uniform(seed);
    double last = first * (0.02 + 0.4 * random_uniform(seed));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++)
            a[i * n + j] = i == j ? 1.0 : (first - last) * exp((double)(j - i) / decay) + last;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            double sum = a[i * n + j];
            for (int64_t k = 0; k < j; k++)
                sum -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = i == j ? sqrt(sum) : sum / a[j * n + j];
        }
}

static void add_looks(int64_t n, int64_t looks, const double *factor, const double *theta,
                      double *re, double *im, double *sum, uint64_t *seed)
{
    double *white = calloc((size_t)(2 * n), sizeof *white);
    memset(sum, 0, (size_t)(2 * n * n) * sizeof *sum);
    for (int64_t l = 0; l < looks; l++) {
        for (int64_t i = 0; i < 2 * n; i++)
            white[i] = random_normal(seed);
        for (int64_t i = 0; i < n; i++) {
            double x = 0.0, y = 0.0;
            for (int64_t k = 0; k <= i; k++) {
                x += factor[i * n + k] * white[2 * k];
                y += factor[i * n + k] * white[2 * k + 1];
            }
            re[i] = x * cos(theta[i]) - y * sin(theta[i]);
            im[i] = x * sin(theta[i]) + y * cos(theta[i]);
        }
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = i; j < n; j++) {
                sum[2 * (i * n + j)] += re[i] * re[j] + im[i] * im[j];
                sum[2 * (i * n + j) + 1] += im[i] * re[j] - re[i] * im[j];
            }
    }
    free(white);
}

void stack_generate(stack *s, int64_t looks, uint64_t seed)
{
    int64_t n = s->n;
    double *memory = calloc((size_t)(3 * n * n + 3 * n), sizeof *memory);
    double *factor = memory, *sum = factor + n * n, *theta = sum + 2 * n * n;
    double *re = theta + n, *im = re + n;
    for (int64_t p = 0; p < s->points; p++) {
        double drift = 0.2 * random_normal(&seed);
        true_coherence(n, factor, &seed);
        for (int64_t i = 0; i < n; i++)
            theta[i] = drift * (double)i + 0.6 * random_normal(&seed);
        add_looks(n, looks, factor, theta, re, im, sum, &seed);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = i + 1; j < n; j++) {
                double scale = 1.0 / sqrt(sum[2 * (i * n + i)] * sum[2 * (j * n + j)]);
                stack_put(s, p, i, j, scale * sum[2 * (i * n + j)],
                          scale * sum[2 * (i * n + j) + 1]);
            }
    }
    free(memory);
}
