/* SPDX-License-Identifier: BSD-3-Clause */
/* Curvature matrix F = M' W M of a pixelized interferometer reconstruction, and its neighbours.
 *
 * N masked pixels at (iy, ix) inside an extent of ny x nx cells; M is an N x S mapping matrix in
 * compressed columns (indptr, rows, vals). W[p, q] = w(iy_p - iy_q, ix_p - ix_q), with
 *     w(dy, dx) = sum_k sigma_k^-2 cos(2 pi pix (dx u_k - dy v_k)),
 * offset (dy, dx) stored at w[dy mod 2ny][dx mod 2nx]; row ny and column nx of w belong to no pair
 * of pixels and are never used. Row 0 is the top of the image: y falls as iy grows.
 * R is float32 or float64, one precision per call; I is int32 or int64, each array its own.
 * Formulas: the least-squares likelihood of visibilities with equal noise on real and imaginary
 * part, whose curvature M' W M is, with W summed over the baselines. */
#ifndef HEADGATE_CURVATURE_H
#define HEADGATE_CURVATURE_H

#include "dlpack_compat.h"
#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Options of the family. hgate_curvature_params_init() sets the defaults. */
typedef struct hgate_curvature_params {
    size_t struct_size;
    double pix;    /**< pixel scale in radians, > 0; curvature_kernel only, no default */
    int w_general; /**< 1: w need not be even; only `full` and an unaveraged `fft` may run (0) */
    int check;     /**< enum hgate_check (values) */
} hgate_curvature_params;

HGATE_API int hgate_curvature_params_init(hgate_curvature_params *params);

/** F = M' W M.
 *  w (2ny, 2nx) R; iy, ix (N) I; indptr (S+1) int64; rows (nnz) I; vals (nnz) R; F (S, S) R,
 * written. Entries of a column may be unsorted and repeat; pixels may share a cell. A NaN or Inf in
 * vals takes the full kernel and touches only its own row and column of F. With params->w_general,
 * where w need not be even, the row of F is the column of M that is convolved:
 *     F[s, c] = sum over t in c, u in s of vals[t] vals[u] w(iy_t - iy_u, ix_t - ix_u),
 * the transpose of M' W M; for an even w they are the same. Errors: EVALUE (index
 * out of range, indptr not rising, w not finite or not even), ESHAPE, EDTYPE, ESTRIDE, EDEVICE,
 * EOVERLAP, ENOMEM. A refused call leaves F untouched. MT-Safe. */
HGATE_API int hgate_curvature(hgate_engine *engine, hgate_exec *exec,
                              const hgate_curvature_params *params, const DLTensor *w,
                              const DLTensor *iy, const DLTensor *ix, const DLTensor *indptr,
                              const DLTensor *rows, const DLTensor *vals, DLTensor *F);
/** Keeps w and the mask, which stay the same over many calls. The arrays must outlive the plan. */
HGATE_API int hgate_curvature_plan(hgate_engine *engine, hgate_exec *exec,
                                   const hgate_curvature_params *params, const DLTensor *w,
                                   const DLTensor *iy, const DLTensor *ix, hgate_plan **plan);
/** A new M each call. The route is decided per call, since f depends on M. */
HGATE_API int hgate_curvature_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *indptr,
                                  const DLTensor *rows, const DLTensor *vals, DLTensor *F);
HGATE_API int hgate_curvature_explain(hgate_engine *engine, hgate_exec *exec,
                                      const hgate_curvature_params *params, const DLTensor *w,
                                      const DLTensor *iy, const DLTensor *ix,
                                      const DLTensor *indptr, const DLTensor *rows,
                                      const DLTensor *vals, const DLTensor *F, hgate_trace **trace);

/** Share of the full kernel's multiply-adds that the row-restricted symmetric kernel needs:
 *      f = sum_s nnz_s sum_{y >= ymin(s)} width(y) / (nnz ny nx),   0 when nnz = 0.
 *  Host arrays as in hgate_curvature(). MT-Safe, no engine. */
HGATE_API int hgate_curvature_work_fraction(const DLTensor *iy, const DLTensor *ix, int64_t ny,
                                            int64_t nx, const DLTensor *indptr,
                                            const DLTensor *rows, double *f);

/** w from baselines. uv (K, 2) float64 in wavelengths; sigma (K) or (K, 2) float64, columns equal;
 *  w (2ny, 2nx) R, ny and nx from its shape; pixel scale in params->pix.
 *  sigma = +Inf is weight 0; sigma <= 0 or NaN, u or v not finite: EVALUE. K = 0 gives zeros. */
HGATE_API int hgate_curvature_kernel(hgate_engine *engine, hgate_exec *exec,
                                     const hgate_curvature_params *params, const DLTensor *uv,
                                     const DLTensor *sigma, DLTensor *w);
HGATE_API int hgate_curvature_kernel_plan(hgate_engine *engine, hgate_exec *exec,
                                          const hgate_curvature_params *params, const DLTensor *uv,
                                          const DLTensor *sigma, const DLTensor *w,
                                          hgate_plan **plan);
HGATE_API int hgate_curvature_kernel_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *uv,
                                         const DLTensor *sigma, DLTensor *w);
HGATE_API int hgate_curvature_kernel_explain(hgate_engine *engine, hgate_exec *exec,
                                             const hgate_curvature_params *params,
                                             const DLTensor *uv, const DLTensor *sigma,
                                             const DLTensor *w, hgate_trace **trace);

/** Dirty image d_p = sum_k sigma_k^-2 (Re vis_k cos phi - Im vis_k sin phi),
 *  phi = 2 pi (x_p u_k + y_p v_k). uv (K, 2), sigma (K) float64; vis (K) complex128;
 *  y, x (N) float64 in radians; d (N) float64, written. */
HGATE_API int hgate_curvature_dirty(hgate_engine *engine, hgate_exec *exec,
                                    const hgate_curvature_params *params, const DLTensor *uv,
                                    const DLTensor *sigma, const DLTensor *vis, const DLTensor *y,
                                    const DLTensor *x, DLTensor *d);
HGATE_API int hgate_curvature_dirty_plan(hgate_engine *engine, hgate_exec *exec,
                                         const hgate_curvature_params *params, const DLTensor *uv,
                                         const DLTensor *sigma, const DLTensor *vis,
                                         const DLTensor *y, const DLTensor *x, const DLTensor *d,
                                         hgate_plan **plan);
HGATE_API int hgate_curvature_dirty_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *uv,
                                        const DLTensor *sigma, const DLTensor *vis,
                                        const DLTensor *y, const DLTensor *x, DLTensor *d);
HGATE_API int hgate_curvature_dirty_explain(hgate_engine *engine, hgate_exec *exec,
                                            const hgate_curvature_params *params,
                                            const DLTensor *uv, const DLTensor *sigma,
                                            const DLTensor *vis, const DLTensor *y,
                                            const DLTensor *x, const DLTensor *d,
                                            hgate_trace **trace);

/** Data vector D = M' d. d (N) R; indptr (S+1) int64; rows (nnz) I; vals (nnz) R; D (S) R. */
HGATE_API int hgate_curvature_data_vector(hgate_engine *engine, hgate_exec *exec,
                                          const hgate_curvature_params *params, const DLTensor *d,
                                          const DLTensor *indptr, const DLTensor *rows,
                                          const DLTensor *vals, DLTensor *D);
HGATE_API int hgate_curvature_data_vector_plan(hgate_engine *engine, hgate_exec *exec,
                                               const hgate_curvature_params *params,
                                               const DLTensor *d, const DLTensor *indptr,
                                               const DLTensor *rows, const DLTensor *vals,
                                               const DLTensor *D, hgate_plan **plan);
HGATE_API int hgate_curvature_data_vector_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *d,
                                              const DLTensor *indptr, const DLTensor *rows,
                                              const DLTensor *vals, DLTensor *D);
HGATE_API int hgate_curvature_data_vector_explain(hgate_engine *engine, hgate_exec *exec,
                                                  const hgate_curvature_params *params,
                                                  const DLTensor *d, const DLTensor *indptr,
                                                  const DLTensor *rows, const DLTensor *vals,
                                                  const DLTensor *D, hgate_trace **trace);

#ifdef __cplusplus
}
#endif
#endif
