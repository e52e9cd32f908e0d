// SPDX-License-Identifier: BSD-3-Clause
// A whole plugin: one kernel "loops" for V = alpha Z Z^H in complex64, on the host.
//
// Build it with the Makefile beside it, put the folder into HEADGATE_PLUGIN_PATH, and look:
//     headgate info
//     HEADGATE_FORCE=visibility_gram=example headgate bench visibility_gram m=20 k=300 dtype=c64
#include <headgate/plugin_util.h>

#include <complex.h>

// What the kernel cannot do it refuses here, in words. Without such a check it would be called for
// it.
static int supports(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    const hgate_visibility_params *params = problem->params;
    (void)state;
    if (params->convention != HGATE_VISIBILITY_ZZH) {
        return hgate_refuse(reason, HGATE_REFUSE_FEATURE, params->convention, HGATE_VISIBILITY_ZZH,
                            "convention is %d, only %d is served", params->convention,
                            HGATE_VISIBILITY_ZZH);
    }
    if (problem->beta_re != 0) {
        return hgate_refuse(reason, HGATE_REFUSE_FEATURE, problem->beta_re, 0,
                            "beta is not 0, but the kernel does not add to V");
    }
    return HGATE_OK;
}

// The host multiplies each term with its constant; the sum is the time that this kernel competes
// with.
enum { TERM_CALL, TERM_MULTIPLY_ADD };
static const hgate_term terms[] = {{"call", 0}, {"multiply_add", 1}};

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    double m = (double)hgate_dim(problem, HGATE_DIM_VISIBILITY_GRAM_M);
    double n_terms = (double)hgate_dim(problem, HGATE_DIM_VISIBILITY_GRAM_K);
    (void)state, (void)k;
    est->terms[TERM_CALL] = 1;
    est->terms[TERM_MULTIPLY_ADD] = m * (m + 1) / 2 * n_terms;
    return HGATE_OK;
}

// V is Hermitian in bits: the lower triangle is computed, the upper one is its mirror.
static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *r)
{
    int64_t m = hgate_dim(problem, HGATE_DIM_VISIBILITY_GRAM_M);
    int64_t n_terms = hgate_dim(problem, HGATE_DIM_VISIBILITY_GRAM_K);
    const float complex *Z = hgate_arg_data(problem, HGATE_VISIBILITY_GRAM_Z);
    float complex *V = hgate_arg_data(problem, HGATE_VISIBILITY_GRAM_V);
    (void)state, (void)prepared;

    r->committed = 1; // from here on V is written, so the host may not try another kernel
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j <= i; j++) {
            double complex sum = 0;
            for (int64_t n = 0; n < n_terms; n++) {
                sum +=
                    (double complex)Z[i * n_terms + n] * conj((double complex)Z[j * n_terms + n]);
            }
            sum *= problem->alpha_re;
            V[j * m + i] = (float complex)conj(sum);
            V[i * m + j] = (float complex)(i == j ? creal(sum) : sum);
        }
    }
    return HGATE_OK;
}

static const hgate_kernel loops = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_VISIBILITY_GRAM,
    .name = "loops",
    .dtypes = HGATE_C64,
    .spaces = HGATE_SPACE_HOST,
    .flags = HGATE_KERNEL_DETERMINISTIC | HGATE_KERNEL_FORK_SAFE | HGATE_KERNEL_LINEAR_COST,
    .n_terms = HGATE_LENGTH_OF(terms),
    .terms = terms,
    .supports = supports,
    .estimate = estimate,
    .run = run,
};
static const hgate_kernel *const kernels[] = {&loops};

// Guesses, not measurements, which "headgate tune" may replace within the given range.
static const hgate_constant call = {sizeof(hgate_constant), "call", "s", 1e-7, 1e-9, 1e-4,
                                    "one call without work"};
static const hgate_constant multiply_add = {
    sizeof(hgate_constant), "multiply_add", "s", 2e-9, 1e-11, 1e-6, "one complex multiply-add"};
static const hgate_constant *const constants[] = {&call, &multiply_add};

static int probe(const hgate_host *host, hgate_reason *reason, void **state)
{
    (void)host, (void)reason;
    *state = NULL; // a plugin that needs a device looks for it here and says why it is not usable
    return HGATE_OK;
}

static void release(void *state)
{
    (void)state;
}

HGATE_PLUGIN_EXPORT const hgate_plugin hgate_plugin_descriptor = {
    HGATE_PLUGIN_HEADER,
    .name = "example",
    .version = "1.0",
    .license = "BSD-3-Clause",
    .description = "the plugin of the tutorial",
    .n_kernels = HGATE_LENGTH_OF(kernels),
    .kernels = kernels,
    .n_constants = HGATE_LENGTH_OF(constants),
    .constants = constants,
    .probe = probe,
    .release = release,
};
