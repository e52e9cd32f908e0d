/* SPDX-License-Identifier: BSD-3-Clause */
/* Phase linking of radar stacks: regularized EMI, the classic eigenvector, temporal coherence.
 *
 * P points, n images. coh holds complex coherences gamma_ij = E[s_i conj(s_j)] / norm, so that
 * arg gamma_ij = theta_i - theta_j, either full (P, n, n), upper triangle used, diagonal taken as
 * 1, or packed (P, n(n-1)/2): pairs (i, j), i < j, row by row, at i(2n-i-1)/2 + j-i-1. C is
 * complex64 or complex128, R its real type. EMI: eigenvector of the smallest eigenvalue of
 * |Gamma|^-1 o Gamma (Ansari, De Zan, Bamler 2018), with Gamma shrunk towards the identity by beta,
 * the least value that keeps |Gamma| positive definite and its condition number below kappa. */
#ifndef HEADGATE_EMI_H
#define HEADGATE_EMI_H

#include "dlpack_compat.h"
#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hgate_emi_beta_rule {
    HGATE_EMI_BETA_ADAPTIVE = 0, /**< the least beta that the point needs */
    HGATE_EMI_BETA_FIXED = 1,    /**< params->beta for every point */
    HGATE_EMI_BETA_NONE = 2      /**< no regularization */
} hgate_emi_beta_rule;

/** Largest beta of rule fixed that kernels in float32 serve: what M has beside the identity falls
 * with (1 - beta)^2. Above it complex64 goes to kernels that compute in float64. */
#define HGATE_EMI_BETA_SINGLE 0.9

/** Largest kappa of rule adaptive that kernels of a GPU in float32 serve: above it M, which they
 * hold in float32 also where a point's inverse needs float64, leaves too few digits, and complex64
 * goes to kernels that compute in float64. Kernels of the CPU do that for each point that needs it,
 * whatever kappa is. */
#define HGATE_EMI_KAPPA_SINGLE 1e5

typedef enum hgate_emi_fallback {
    HGATE_EMI_FALLBACK_NONE = 0,
    HGATE_EMI_FALLBACK_EVD = 1 /**< points whose |Gamma| is not positive definite take evd */
} hgate_emi_fallback;

/** Codes of the status array. Below 16 phase is usable; from 16 on phase, quality, beta are NaN. */
typedef enum hgate_emi_status {
    HGATE_EMI_OK = 0,
    HGATE_EMI_REGULARIZED = 1,     /**< beta > 0 */
    HGATE_EMI_FALLBACK_USED = 2,   /**< rules fixed and none: evd was taken */
    HGATE_EMI_PARTIAL = 3,         /**< some images have no defined phase: NaN there */
    HGATE_EMI_INDEFINITE = 4,      /**< |Gamma| not positive definite; quality may be negative */
    HGATE_EMI_BAD_NONFINITE = 16,  /**< NaN or Inf off the diagonal */
    HGATE_EMI_BAD_MODULUS = 17,    /**< a modulus above 1 + 1e-5 */
    HGATE_EMI_BAD_HERMITIAN = 18,  /**< full layout: the triangles disagree */
    HGATE_EMI_BAD_EMPTY = 19,      /**< every off-diagonal value is 0 */
    HGATE_EMI_SINGULAR = 20,       /**< rules fixed and none: |Gamma| singular */
    HGATE_EMI_NO_CONVERGENCE = 21, /**< the eigensolver gave up */
    HGATE_EMI_ZERO_REF = 22        /**< the reference image has no defined phase */
} hgate_emi_status;

/** Options of the family. hgate_emi_params_init() sets the defaults. */
typedef struct hgate_emi_params {
    size_t struct_size;
    int n_images; /**< 0: from the shape; else it must match */
    int ref;      /**< reference image, 0 <= ref < n (0) */
    int rule;     /**< hgate_emi_beta_rule (adaptive) */
    double beta;  /**< rule fixed: 0 <= beta < 1 (0); see HGATE_EMI_BETA_SINGLE */
    double kappa; /**< condition limit of rule adaptive, 1e2 ... 1e12 (1e5); see
                     HGATE_EMI_KAPPA_SINGLE */
    int fallback; /**< hgate_emi_fallback (none) */
    int check;    /**< enum hgate_check (values) */
} hgate_emi_params;

HGATE_API int hgate_emi_params_init(hgate_emi_params *params);

/** Phases of every point. coh (P, n, n) or (P, n(n-1)/2) C; phase (P, n) C, unit modulus, phase_ref
 *  exactly 1; quality (P) R, the smallest eigenvalue; status (P) int32; beta (P) R. The last three
 * may be NULL. A bad point gets a code and NaN and changes no other point. Errors of the whole
 * call: ESHAPE, EDTYPE, EDEVICE, ESTRIDE, EOVERLAP, EVALUE (ref, beta, kappa). P = 0 succeeds.
 * MT-Safe. */
HGATE_API int hgate_emi(hgate_engine *engine, hgate_exec *exec, const hgate_emi_params *params,
                        const DLTensor *coh, DLTensor *phase, DLTensor *quality, DLTensor *status,
                        DLTensor *beta);
HGATE_API int hgate_emi_plan(hgate_engine *engine, hgate_exec *exec, const hgate_emi_params *params,
                             const DLTensor *coh, const DLTensor *phase, const DLTensor *quality,
                             const DLTensor *status, const DLTensor *beta, hgate_plan **plan);
HGATE_API int hgate_emi_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *coh,
                            DLTensor *phase, DLTensor *quality, DLTensor *status, DLTensor *beta);
HGATE_API int hgate_emi_explain(hgate_engine *engine, hgate_exec *exec,
                                const hgate_emi_params *params, const DLTensor *coh,
                                const DLTensor *phase, const DLTensor *quality,
                                const DLTensor *status, const DLTensor *beta, hgate_trace **trace);

/** Eigenvector of the largest eigenvalue of |Gamma| o Gamma; quality is that eigenvalue.
 *  Arrays as in hgate_emi(); rule, beta, kappa, fallback are not used. */
HGATE_API int hgate_evd(hgate_engine *engine, hgate_exec *exec, const hgate_emi_params *params,
                        const DLTensor *coh, DLTensor *phase, DLTensor *quality, DLTensor *status);
HGATE_API int hgate_evd_plan(hgate_engine *engine, hgate_exec *exec, const hgate_emi_params *params,
                             const DLTensor *coh, const DLTensor *phase, const DLTensor *quality,
                             const DLTensor *status, hgate_plan **plan);
HGATE_API int hgate_evd_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *coh,
                            DLTensor *phase, DLTensor *quality, DLTensor *status);
HGATE_API int hgate_evd_explain(hgate_engine *engine, hgate_exec *exec,
                                const hgate_emi_params *params, const DLTensor *coh,
                                const DLTensor *phase, const DLTensor *quality,
                                const DLTensor *status, hgate_trace **trace);

/** Goodness of fit t = |sum_p (gamma_p/|gamma_p|) conj(phase_i) phase_j| / N over the pairs with a
 *  finite, non-zero gamma and finite phases; NaN when there is none.
 *  coh (P, N) or (P, n, n) C; pairs (N, 2) int32, which pair each column holds, NULL: all pairs in
 *  packed order; phase (P, n) C; t_coh (P) R. */
HGATE_API int hgate_ds_temp_coh(hgate_engine *engine, hgate_exec *exec,
                                const hgate_emi_params *params, const DLTensor *coh,
                                const DLTensor *pairs, const DLTensor *phase, DLTensor *t_coh);
HGATE_API int hgate_ds_temp_coh_plan(hgate_engine *engine, hgate_exec *exec,
                                     const hgate_emi_params *params, const DLTensor *coh,
                                     const DLTensor *pairs, const DLTensor *phase,
                                     const DLTensor *t_coh, hgate_plan **plan);
HGATE_API int hgate_ds_temp_coh_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *coh,
                                    const DLTensor *pairs, const DLTensor *phase, DLTensor *t_coh);
HGATE_API int hgate_ds_temp_coh_explain(hgate_engine *engine, hgate_exec *exec,
                                        const hgate_emi_params *params, const DLTensor *coh,
                                        const DLTensor *pairs, const DLTensor *phase,
                                        const DLTensor *t_coh, hgate_trace **trace);

#ifdef __cplusplus
}
#endif
#endif
