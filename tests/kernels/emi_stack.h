// SPDX-License-Identifier: BSD-3-Clause
// Problems of the family emi for the tests: a stack of points, its results, and coherences made on
// the spot.
#ifndef HG_TESTS_EMI_STACK_H
#define HG_TESTS_EMI_STACK_H

#include "tests/kernels/conformance.h"

typedef struct stack {
    hgate_emi_params params;
    int64_t points, n;
    array *coh; // (points, n, n) or packed
    array *phase, *quality, *status, *beta;
} stack;

// Defaults, and empty results for a stack of this type ("c64", "c128"); is_full chooses the layout.
stack stack_new(const char *type, int64_t points, int64_t n, int is_full);
void stack_free(stack *s);
uint32_t stack_dtype(const stack *s);

// gamma_ij, i < j, of one point; a full layout gets the conjugate below the diagonal.
void stack_put(stack *s, int64_t point, int64_t i, int64_t j, double re, double im);
// The real part, and the imaginary part behind it, in the numbers of coh.
int64_t stack_at(const stack *s, int64_t point, int64_t i, int64_t j);
// The same points in another layout and type; results are empty.
stack stack_as(const stack *s, const char *type, int is_full);

// Runs emi (or evd) into the stack's results.
int stack_run(stack *s, const conf_kernel *kernel, int threads);
void stack_run_ok(stack *s, const conf_kernel *kernel, int threads);
conf_call stack_call(stack *s, int op);

// Largest angle between the phases of two results of one point over images that both define;
// infinite where only one does.
double stack_phase_error(const stack *a, const stack *b, int64_t point);
double stack_angle(const stack *s, int64_t point, int64_t image);
int stack_status(const stack *s, int64_t point);

// Sample coherences of `looks` looks of circular Gaussian images: exponential decay to a long-term
// level, phases of a drift and of noise.
void stack_generate(stack *s, int64_t looks, uint64_t seed);
// Phases that close: gamma_ij = decay^|i-j| exp(i (theta_i - theta_j)); theta of point p, image i
// is at p n + i.
void stack_generate_closing(stack *s, double decay, double *theta, uint64_t seed);

#endif
