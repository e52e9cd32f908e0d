/* SPDX-License-Identifier: BSD-3-Clause */
/* Realistic input of the emi family: sample coherences of radar stacks.
 *
 * Each point has a coherence that decays with the time between two images towards a long-term
 * level, with a yearly cycle; phases with a trend, a yearly term and noise; and `looks` independent
 * looks of circular Gaussian images, whose sample covariance is what a real estimate would be.
 *
 * A smooth coherence is a model in place of looks: moduli exp(-(2.3 (i - j) / n)^2), the same
 * phases and a little noise. Its matrix of moduli has many small eigenvalues. */
#include "tools/generate/generate.h"

#include "core/base/alloc.h"
#include "core/base/error.h"
#include "tools/progress.h"

#include <math.h>

#define TWO_PI 6.283185307179586476925
#define DAYS_OF_A_YEAR 365.25

typedef struct stack {
    int64_t n, looks;
    double *days;    /* n: when the images were taken */
    double *theta;   /* n: true phases of the point */
    double *factor;  /* n x n: Cholesky factor of the true coherence */
    double *re, *im; /* n x looks: the images */
    double *noise;   /* 2n: one look before it is mixed */
} stack;

static void free_stack(stack *s)
{
    double *const all[] = {s->days, s->theta, s->factor, s->re, s->im, s->noise};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        hg_free(NULL, all[i]);
    }
}

static int new_stack(stack *s, int64_t n, int64_t looks, cli_random *random)
{
    const size_t size = (size_t)n, pixels = (size_t)looks * sizeof(double);
    *s = (stack){.n = n, .looks = looks};
    s->days = hg_calloc(NULL, size, sizeof(double));
    s->theta = hg_calloc(NULL, size, sizeof(double));
    s->factor = hg_calloc(NULL, size, size * sizeof(double));
    s->re = hg_calloc(NULL, size, pixels);
    s->im = hg_calloc(NULL, size, pixels);
    s->noise = hg_calloc(NULL, 2 * size, sizeof(double));
    if (!s->days || !s->theta || !s->factor || !s->re || !s->im || !s->noise) {
        free_stack(s);
        return hg_error_memory("images", size * pixels);
    }
    double day = 0.0;
    for (int64_t i = 0; i < n; i++) { /* every twelfth day, some acquisitions missing */
        day += cli_random_uniform(random, 0.0, 1.0) < 0.15 ? 24.0 : 12.0;
        s->days[i] = day;
    }
    return HGATE_OK;
}

static void draw_phases(stack *s, cli_random *random)
{
    const double trend = 4.0 * cli_random_normal(random);
    const double yearly = cli_random_normal(random);
    const double offset = cli_random_uniform(random, 0.0, TWO_PI);
    for (int64_t i = 0; i < s->n; i++) {
        const double years = s->days[i] / DAYS_OF_A_YEAR;
        s->theta[i] =
            trend * years + yearly * sin(TWO_PI * years + offset) + 0.6 * cli_random_normal(random);
    }
}

/* The true coherence, and its Cholesky factor in place. */
static void draw_coherence(stack *s, cli_random *random)
{
    const int64_t n = s->n;
    const double start = cli_random_uniform(random, 0.75, 0.97);
    const double decay = cli_random_uniform(random, 20.0, 300.0);
    const double level = fmin(cli_random_uniform(random, 0.02, 0.45), start);
    const double season = cli_random_uniform(random, 0.0, 0.35);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j <= i; j++) {
            const double days = fabs(s->days[i] - s->days[j]);
            const double cycle = 1.0 - season + season * cos(TWO_PI * days / DAYS_OF_A_YEAR);
            double sum = i == j ? 1.0 : ((start - level) * exp(-days / decay) + level) * cycle;
            for (int64_t k = 0; k < j; k++) {
                sum -= s->factor[i * n + k] * s->factor[j * n + k];
            }
            /* nearly dependent images: rounding must not make the root imaginary */
            s->factor[i * n + j] = i == j ? sqrt(fmax(sum, 1e-12)) : sum / s->factor[j * n + j];
        }
    }
}

static void draw_images(stack *s, cli_random *random)
{
    const int64_t n = s->n;
    for (int64_t l = 0; l < s->looks; l++) {
        for (int64_t i = 0; i < 2 * n; i++) {
            s->noise[i] = cli_random_normal(random);
        }
        for (int64_t i = 0; i < n; i++) {
            double re = 0.0, im = 0.0;
            for (int64_t k = 0; k <= i; k++) {
                re += s->factor[i * n + k] * s->noise[2 * k];
                im += s->factor[i * n + k] * s->noise[2 * k + 1];
            }
            const double c = cos(s->theta[i]), d = sin(s->theta[i]);
            s->re[i * s->looks + l] = c * re - d * im;
            s->im[i * s->looks + l] = c * im + d * re;
        }
    }
}

/* sum over the looks of s_i conj(s_j), in four chains: one would wait for each addition. */
static void covariance(const stack *s, int64_t i, int64_t j, double *re, double *im)
{
    const double *ri = s->re + i * s->looks, *rj = s->re + j * s->looks;
    const double *ii = s->im + i * s->looks, *ij = s->im + j * s->looks;
    double sr[4] = {0.0}, si[4] = {0.0};
    for (int64_t l = 0; l < s->looks; l++) {
        sr[l % 4] += ri[l] * rj[l] + ii[l] * ij[l];
        si[l % 4] += ii[l] * rj[l] - ri[l] * ij[l];
    }
    *re = sr[0] + sr[1] + sr[2] + sr[3];
    *im = si[0] + si[1] + si[2] + si[3];
}

/* Puts gamma of images i < j, and its conjugate where both triangles are held. */
static void put_pair(cli_array *coh, int64_t n, int64_t point, int64_t i, int64_t j, double re,
                     double im)
{
    if (coh->dl.ndim == 3) {
        cli_array_put_complex(coh, (point * n + i) * n + j, re, im);
        cli_array_put_complex(coh, (point * n + j) * n + i, re, -im);
    } else {
        const int64_t at = i * (2 * n - i - 1) / 2 + j - i - 1;
        cli_array_put_complex(coh, point * coh->shape[1] + at, re, im);
    }
}

static void store_sample(stack *s, cli_array *coh, int64_t point)
{
    const int64_t n = s->n;
    double *power = s->noise; /* no longer needed */
    for (int64_t i = 0; i < n; i++) {
        double zero;
        covariance(s, i, i, &power[i], &zero);
    }
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = i + 1; j < n; j++) {
            double re, im;
            covariance(s, i, j, &re, &im);
            const double norm = sqrt(power[i] * power[j]);
            put_pair(coh, n, point, i, j, re / norm, im / norm);
        }
    }
}

static void store_smooth(const stack *s, cli_array *coh, int64_t point, cli_random *random)
{
    const int64_t n = s->n;
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = i + 1; j < n; j++) {
            const double apart = 2.3 * (double)(j - i) / (double)n, modulus = exp(-apart * apart);
            const double angle = s->theta[i] - s->theta[j] + 0.01 * cli_random_normal(random);
            put_pair(coh, n, point, i, j, modulus * cos(angle), modulus * sin(angle));
        }
    }
}

/* Coherences of all points; where phase is wanted, the true phases with some noise. */
static int fill(cli_case *c, cli_random *random, cli_array *coh, cli_array *phase)
{
    const int64_t n = cli_case_key(c, "n"), points = coh->shape[0];
    stack s;
    const int status = new_stack(&s, n, cli_case_key(c, "looks"), random);
    if (status != HGATE_OK) {
        return status;
    }
    for (int64_t p = 0; p < points; p++) {
        draw_phases(&s, random);
        if (cli_case_key(c, "coherence") == 1) {
            store_smooth(&s, coh, p, random);
        } else {
            draw_coherence(&s, random);
            draw_images(&s, random);
            store_sample(&s, coh, p);
        }
        for (int64_t i = 0; coh->dl.ndim == 3 && i < n; i++) {
            cli_array_put_complex(coh, (p * n + i) * n + i, 1.0, 0.0);
        }
        for (int64_t i = 0; phase && i < n; i++) {
            const double angle = s.theta[i] - s.theta[0] + 0.1 * cli_random_normal(random);
            cli_array_put_complex(phase, p * n + i, cos(angle), sin(angle));
        }
        cli_progress_at(c->progress, p, points);
    }
    free_stack(&s);
    return HGATE_OK;
}

int cli_emi_fill(cli_case *c, cli_random *random)
{
    return fill(c, random, &c->arrays[HGATE_EMI_COH], NULL);
}

int cli_temp_coh_fill(cli_case *c, cli_random *random)
{
    return fill(c, random, &c->arrays[HGATE_DS_TEMP_COH_COH], &c->arrays[HGATE_DS_TEMP_COH_PHASE]);
}
