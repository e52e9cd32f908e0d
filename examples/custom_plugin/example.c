// SPDX-License-Identifier: BSD-3-Clause
// A whole plugin: one kernel "dots" for V = alpha Z Z^H of few long rows, where a BLAS call spends
// most of its time on packing. doc/plugin.md explains it line by line.
#include <headgate/plugin_util.h>

// The marks [a], [b] ... are the sections of the explanation.

enum { MAX_ROWS = 16, LANES = 16, BLOCK = 1024 };

// [a] What the kernel cannot do it refuses here, in words and numbers. Without such a check it
// would be called for it.
static int supports(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    const hgate_visibility_params *params = problem->params;
    const int64_t m = hgate_dim(problem, HGATE_DIM_VISIBILITY_GRAM_M);
    (void)state;
    if (m > MAX_ROWS) {
        return hgate_refuse(reason, HGATE_REFUSE_LIMIT, (double)m, MAX_ROWS,
                            "%lld rows, at most %d", (long long)m, MAX_ROWS);
    }
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

// [b] Every row is kept a second time, turned by 90 degrees. One function lays the memory out, for
// estimate() and run().
static float *lay_out(hgate_scratch *scratch, int64_t m, int64_t n)
{
    return hgate_scratch_take(scratch, 2 * m * n, sizeof(float));
}

// [c] The host multiplies each term with its constant; the sum is the time that this kernel
// competes with.
enum { TERM_CALL, TERM_TURN, TERM_MULTIPLY_ADD };
static const hgate_term terms[] = {{"call", 0}, {"turn", 1}, {"multiply_add", 2}};

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    const int64_t m = hgate_dim(problem, HGATE_DIM_VISIBILITY_GRAM_M);
    const int64_t n = hgate_dim(problem, HGATE_DIM_VISIBILITY_GRAM_K);
    hgate_scratch scratch = hgate_scratch_count();
    (void)state, (void)k;
    lay_out(&scratch, m, n);
    est->ws_host = scratch.bytes;
    est->terms[TERM_CALL] = 1;
    est->terms[TERM_TURN] = (double)m * (double)n;
    est->terms[TERM_MULTIPLY_ADD] = (double)m * (double)(m + 1) / 2 * (double)n;
    return HGATE_OK;
}

// [d] A dot product in lanes that the compiler turns into vectors; a block's float32 sum goes into
// float64.
static double dot(const float *x, const float *y, int64_t n)
{
    double sum = 0;
    for (int64_t start = 0; start < n; start += BLOCK) {
        const int64_t end = start + BLOCK < n ? start + BLOCK : n;
        float lane[LANES] = {0};
        int64_t i = start;
        for (; i + LANES <= end; i += LANES) {
            for (int l = 0; l < LANES; l++) {
                lane[l] += x[i + l] * y[i + l];
            }
        }
        for (; i < end; i++) {
            lane[0] += x[i] * y[i];
        }
        for (int l = 0; l < LANES; l++) {
            sum += (double)lane[l];
        }
    }
    return sum;
}

// [e] Of rows x, y of n complex numbers, taken as 2n floats: the real part of sum x conj(y) is x .
// y, the imaginary part is x . (i y). The lower triangle is computed, the upper one is its mirror:
// V is Hermitian in bits.
static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *r)
{
    const int64_t m = hgate_dim(problem, HGATE_DIM_VISIBILITY_GRAM_M);
    const int64_t n = hgate_dim(problem, HGATE_DIM_VISIBILITY_GRAM_K);
    const float *Z = hgate_arg_data(problem, HGATE_VISIBILITY_GRAM_Z);
    float *V = hgate_arg_data(problem, HGATE_VISIBILITY_GRAM_V);
    hgate_scratch scratch = hgate_scratch_over(r);
    float *turned = lay_out(&scratch, m, n);
    (void)state, (void)prepared;
    if (scratch.is_short) {
        return hgate_fail(r->host, HGATE_ENOMEM, "workspace is %zu bytes, needed are %zu",
                          r->ws_host_bytes, scratch.bytes);
    }
    for (int64_t i = 0; i < m * n; i++) {
        turned[2 * i] = -Z[2 * i + 1];
        turned[2 * i + 1] = Z[2 * i];
    }

    r->committed = 1; // from here on V is written, so the host may not try another kernel
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j <= i; j++) {
            const float *x = Z + 2 * i * n;
            const float re = (float)(problem->alpha_re * dot(x, Z + 2 * j * n, 2 * n));
            const float im =
                i == j ? 0 : (float)(problem->alpha_re * dot(x, turned + 2 * j * n, 2 * n));
            V[2 * (j * m + i)] = re;
            V[2 * (j * m + i) + 1] = -im;
            V[2 * (i * m + j)] = re;
            V[2 * (i * m + j) + 1] = im;
        }
    }
    return HGATE_OK;
}

// [f] The kernel: where it may run, what it promises, what it is called.
static const hgate_kernel dots = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_VISIBILITY_GRAM,
    .name = "dots",
    .dtypes = HGATE_C64,
    .spaces = HGATE_SPACE_HOST,
    .flags = HGATE_KERNEL_DETERMINISTIC | HGATE_KERNEL_FORK_SAFE | HGATE_KERNEL_LINEAR_COST,
    .n_terms = HGATE_LENGTH_OF(terms),
    .terms = terms,
    .supports = supports,
    .estimate = estimate,
    .run = run,
};
static const hgate_kernel *const kernels[] = {&dots};

// [g] Start values, measured on the machine of config/calibration-avx512.yaml. "headgate tune"
// measures those of the machine at hand, within the ranges.
#define CONSTANT(NAME, VALUE, LOWEST, HIGHEST, HELP)                                               \
    static const hgate_constant NAME = {                                                           \
        sizeof(hgate_constant), #NAME, "s", VALUE, LOWEST, HIGHEST, HELP}
CONSTANT(call, 1.4e-6, 1e-9, 1e-4, "one call without work");
CONSTANT(turn, 2.3e-10, 1e-12, 1e-7, "one element of Z turned by 90 degrees");
CONSTANT(multiply_add, 3.6e-10, 1e-12, 1e-7, "one complex multiply-add");
static const hgate_constant *const constants[] = {&call, &turn, &multiply_add};

// [h] A plugin that needs a device looks for it here and says why it is not usable; this one needs
// nothing.
static int probe(const hgate_host *host, hgate_reason *reason, void **state)
{
    (void)host, (void)reason;
    *state = NULL;
    return HGATE_OK;
}

static void release(void *state)
{
    (void)state;
}

// [i] The one exported symbol.
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
