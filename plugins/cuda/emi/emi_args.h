/* SPDX-License-Identifier: BSD-3-Clause */
/* What a launch of an emi kernel is given, and the point codes as the kernels write them. */
#ifndef HG_CUDA_EMI_ARGS_H
#define HG_CUDA_EMI_ARGS_H

#include <cuda_runtime_api.h>
#include <stdint.h>

typedef struct EmiArgs {
    const void *coh; /* (P, n(n-1)/2) packed, or (P, n, n); complex64 or complex128 */
    void *phase;     /* (P, n), the same type */
    void *quality;   /* (P), its real type; may be NULL */
    int *status;     /* (P), may be NULL */
    void *beta;      /* (P), its real type; may be NULL */
    int64_t points;
    int n, ref;
    int is_full, check_hermitian;
    double kappa;        /* condition limit of rule adaptive */
    double beta_fixed;   /* of rule fixed */
    unsigned char *left; /* (P) of 0, rule fixed only: 1 where another kernel has to serve */
    int is_evd;          /* M = |Gamma| o Gamma, its largest eigenvalue */
    int is_followed;     /* by kernel `again`: what float32 does not hold is left to it */
} EmiArgs;

/* Values of enum hgate_emi_status. */
enum {
    emi_ok = 0,
    emi_regularized = 1,
    emi_fallback_used = 2,
    emi_partial = 3,
    emi_indefinite = 4,
    emi_bad_nonfinite = 16,
    emi_bad_modulus = 17,
    emi_bad_hermitian = 18,
    emi_bad_empty = 19,
    emi_singular = 20,
    emi_no_convergence = 21,
    emi_zero_ref = 22
};

#endif
