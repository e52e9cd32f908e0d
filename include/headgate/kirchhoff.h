/* SPDX-License-Identifier: BSD-3-Clause */
/* Kirchhoff demigration (forward) and migration (adjoint) from traveltime tables.
 *
 * ns sources, nr receivers, nt samples of dt seconds from t0; ni image points, z fastest. R is
 * float32 or float64, one type for all real arrays of a call; I is int32 or int64. With
 *     u = (trav_src[i,s] + trav_rec[i,r] - t0) / dt,  k = floor(u),  f = u - k,
 * a pair is used iff 0 <= u < nt - 1:
 *     forward   data[s,r,k] += g model[i] (1-f),  data[s,r,k+1] += g model[i] f
 *     adjoint   model[i]    += g (data[s,r,k] (1-f) + data[s,r,k+1] f)
 * g = 1 (kinematic), or with amplitudes a, angles q and velocity (dynamic)
 *     g = 2 cos((qs - qr)/2) as ar / vel[i] T(|qs|; angle) T(|qr|; angle)
 *         T(|six - rix|/(iz+1); aperture),
 * where T(a; lo, hi) is 1 below lo, 0 from hi on, a cosine taper between. Both directions use the
 * same u, f and g, so that the pair is adjoint in finite precision (Bleistein's Kirchhoff integral
 * in the discrete form that migration codes use). A wavelet is convolved along time, in forward
 * after the sum, in adjoint (its transpose) before it. */
#ifndef HEADGATE_KIRCHHOFF_H
#define HEADGATE_KIRCHHOFF_H

#include "dlpack_compat.h"
#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bits of hgate_kirchhoff_params.flags. */
enum {
    HGATE_KIRCHHOFF_DYNAMIC = 1, /**< weights g from amp, ang, vel */
    HGATE_KIRCHHOFF_STATION_MAJOR =
        2, /**< tables are (ns, ni), (nr, ni) in place of (ni, ns), (ni, nr) */
    HGATE_KIRCHHOFF_SKIP_NONFINITE = 4 /**< table entries that are NaN or Inf contribute nothing */
};

/** How the taper of the offset aperture acts between its limits. */
enum hgate_offset_taper {
    HGATE_OFFSET_TAPER_APPLY = 0, /**< rolls off */
    HGATE_OFFSET_TAPER_UNIT = 1   /**< only the cut at the upper limit */
};

/** hgate_kirchhoff_params_init(): kinematic, no limits, checks on. */
typedef struct hgate_kirchhoff_params {
    size_t struct_size;
    double dt;          /**< seconds, > 0; no default */
    double t0;          /**< seconds of sample 0 (0) */
    int64_t nt;         /**< samples, >= 2; no default */
    int64_t ny, nx, nz; /**< image grid; ny = 0: 2D; nz required, nx = 0: ni / nz */
    int flags;          /**< HGATE_KIRCHHOFF_DYNAMIC ... (0) */
    int offset_taper;   /**< enum hgate_offset_taper (apply) */
    double
        aperture[2]; /**< lower and upper limit of offset / depth, in grid steps (Inf, Inf = off) */
    double angle[2]; /**< lower and upper limit of |angle|, radians (Inf, Inf = off) */
    int64_t wavc;    /**< index of the wavelet's centre (0) */
    int check;       /**< enum hgate_check (values) */
} hgate_kirchhoff_params;

HGATE_API int hgate_kirchhoff_params_init(hgate_kirchhoff_params *params);

/** Tables of a survey, seconds and radians; unused ones NULL. hgate_kirchhoff_tables_init() clears.
 */
typedef struct hgate_kirchhoff_tables {
    size_t struct_size;
    const DLTensor *trav_src; /**< (ni, ns) R */
    const DLTensor *trav_rec; /**< (ni, nr) R */
    const DLTensor *amp_src;  /**< as trav_src; dynamic */
    const DLTensor *amp_rec;
    const DLTensor *ang_src; /**< signed, 0 = vertical; dynamic */
    const DLTensor *ang_rec;
    const DLTensor *vel; /**< (ni) or (1) R, > 0; dynamic */
    const DLTensor *six; /**< (ns) I, lateral grid index; dynamic with aperture */
    const DLTensor *rix; /**< (nr) I */
    const DLTensor *tap; /**< (ntap) R or float64, ntap >= 2; NULL: 21 points of a cosine */
    const DLTensor *wav; /**< (nwav) R, convolved along time; NULL: none */
} hgate_kirchhoff_tables;

HGATE_API int hgate_kirchhoff_tables_init(hgate_kirchhoff_tables *tables);

typedef struct hgate_kirchhoff_plan_info {
    size_t struct_size;
    size_t bytes_referenced;   /**< of the caller's tables that the plan still reads */
    int tables_referenced;     /**< 0: the caller may free the tables */
    size_t bytes_prepared;     /**< held by the plan itself */
    size_t ws_host, ws_device; /**< workspace of a run */
    const char *forward_plugin, *forward_kernel;
    const char *adjoint_plugin, *adjoint_kernel;
    int64_t pairs;         /**< ns nr ni */
    int64_t pairs_dropped; /**< outside the record or not finite; -1 below check level full */
} hgate_kirchhoff_plan_info;

/** Demigration data = alpha L model + beta data. model (nx, nz), (ny, nx, nz) or (ni) R;
 *  data (ns, nr, nt) or (ns nr, nt) R. beta 0: data is not read.
 *  Errors: EVALUE (negative or non-finite table entry with its position, dt, limits), EINVAL
 * (missing table), ESHAPE, EDTYPE, ESTRIDE, EDEVICE, EOVERLAP, ENOMEM. A refused call leaves data
 * untouched. */
HGATE_API int hgate_kirchhoff_forward(hgate_engine *engine, hgate_exec *exec,
                                      const hgate_kirchhoff_params *params,
                                      const hgate_kirchhoff_tables *tables, double alpha,
                                      const DLTensor *model, double beta, DLTensor *data);
/** Migration model = alpha L' data + beta model; arrays and errors as above. */
HGATE_API int hgate_kirchhoff_adjoint(hgate_engine *engine, hgate_exec *exec,
                                      const hgate_kirchhoff_params *params,
                                      const hgate_kirchhoff_tables *tables, double alpha,
                                      const DLTensor *data, double beta, DLTensor *model);
/** Checks and prepares the tables for both directions; their data are needed. The tables must
 * outlive the plan unless hgate_kirchhoff_info() says tables_referenced == 0. */
HGATE_API int hgate_kirchhoff_plan(hgate_engine *engine, hgate_exec *exec,
                                   const hgate_kirchhoff_params *params,
                                   const hgate_kirchhoff_tables *tables, hgate_plan **plan);
HGATE_API int hgate_kirchhoff_forward_run(hgate_plan *plan, hgate_exec *exec, double alpha,
                                          const DLTensor *model, double beta, DLTensor *data);
HGATE_API int hgate_kirchhoff_adjoint_run(hgate_plan *plan, hgate_exec *exec, double alpha,
                                          const DLTensor *data, double beta, DLTensor *model);
/** Bytes, kernels and pair counts of a plan. Set info->struct_size first. */
HGATE_API int hgate_kirchhoff_info(const hgate_plan *plan, hgate_kirchhoff_plan_info *info);
HGATE_API int hgate_kirchhoff_forward_explain(hgate_engine *engine, hgate_exec *exec,
                                              const hgate_kirchhoff_params *params,
                                              const hgate_kirchhoff_tables *tables, double alpha,
                                              const DLTensor *model, double beta,
                                              const DLTensor *data, hgate_trace **trace);
HGATE_API int hgate_kirchhoff_adjoint_explain(hgate_engine *engine, hgate_exec *exec,
                                              const hgate_kirchhoff_params *params,
                                              const hgate_kirchhoff_tables *tables, double alpha,
                                              const DLTensor *data, double beta,
                                              const DLTensor *model, hgate_trace **trace);

/* ---- set-up operations --------------------------------------------------------------------- */

/* Errors of all of them: EVALUE (grid, steps, v, eps, dt, ndim, wavc; a station that is not finite
 * or a distance below 0, with its position), ESHAPE, EDTYPE, ESTRIDE, EDEVICE, EOVERLAP, ENOMEM. */

/** A regular grid: node = origin + step * index; steps may be negative, not 0. */
typedef struct hgate_kirchhoff_grid {
    size_t struct_size;
    int64_t ny, nx, nz; /**< ny = 0: 2D */
    double dy, dx, dz;
    double y0, x0, z0;
} hgate_kirchhoff_grid;

HGATE_API int hgate_kirchhoff_grid_init(hgate_kirchhoff_grid *grid);

/** Straight-ray traveltimes dist / v. stations (ndim, n) R, rows (x, z) or (y, x, z);
 *  trav (ni, n) R; dist (ni, n) R or NULL, in the grid's length unit. v > 0. */
HGATE_API int hgate_kirchhoff_traveltime(hgate_engine *engine, hgate_exec *exec,
                                         const hgate_kirchhoff_grid *grid, const DLTensor *stations,
                                         double v, DLTensor *trav, DLTensor *dist);
HGATE_API int hgate_kirchhoff_traveltime_plan(hgate_engine *engine, hgate_exec *exec,
                                              const hgate_kirchhoff_grid *grid,
                                              const DLTensor *stations, double v,
                                              const DLTensor *trav, const DLTensor *dist,
                                              hgate_plan **plan);
HGATE_API int hgate_kirchhoff_traveltime_run(hgate_plan *plan, hgate_exec *exec,
                                             const DLTensor *stations, DLTensor *trav,
                                             DLTensor *dist);
HGATE_API int hgate_kirchhoff_traveltime_explain(hgate_engine *engine, hgate_exec *exec,
                                                 const hgate_kirchhoff_grid *grid,
                                                 const DLTensor *stations, double v,
                                                 const DLTensor *trav, const DLTensor *dist,
                                                 hgate_trace **trace);

/** Ray angles from the gradient of a table: 2D atan2(dt/dx, dt/dz);
 *  3D sgn(dt/dx) acos(dt/dz / |grad|). trav (ni, n) R; ang (ni, n) R, radians. */
HGATE_API int hgate_kirchhoff_angles(hgate_engine *engine, hgate_exec *exec,
                                     const hgate_kirchhoff_grid *grid, const DLTensor *trav,
                                     DLTensor *ang);
HGATE_API int hgate_kirchhoff_angles_plan(hgate_engine *engine, hgate_exec *exec,
                                          const hgate_kirchhoff_grid *grid, const DLTensor *trav,
                                          const DLTensor *ang, hgate_plan **plan);
HGATE_API int hgate_kirchhoff_angles_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *trav,
                                         DLTensor *ang);
HGATE_API int hgate_kirchhoff_angles_explain(hgate_engine *engine, hgate_exec *exec,
                                             const hgate_kirchhoff_grid *grid, const DLTensor *trav,
                                             const DLTensor *ang, hgate_trace **trace);

/** Geometrical spreading: ndim 2: 1/sqrt(dist + eps), 3: 1/(dist + eps). dist, amp (ni, n) R;
 *  eps > 0 in the unit of dist, the same for all groups of a survey. */
HGATE_API int hgate_kirchhoff_spreading(hgate_engine *engine, hgate_exec *exec, int ndim,
                                        double eps, const DLTensor *dist, DLTensor *amp);
HGATE_API int hgate_kirchhoff_spreading_plan(hgate_engine *engine, hgate_exec *exec, int ndim,
                                             double eps, const DLTensor *dist, const DLTensor *amp,
                                             hgate_plan **plan);
HGATE_API int hgate_kirchhoff_spreading_run(hgate_plan *plan, hgate_exec *exec,
                                            const DLTensor *dist, DLTensor *amp);
HGATE_API int hgate_kirchhoff_spreading_explain(hgate_engine *engine, hgate_exec *exec, int ndim,
                                                double eps, const DLTensor *dist,
                                                const DLTensor *amp, hgate_trace **trace);

/** Lateral grid index floor((x - x0) / dx) in float64, which may lie outside of the grid; EVALUE
 * where it does not fit I. stations (ndim, n) R; idx (n) I. */
HGATE_API int hgate_kirchhoff_station_index(hgate_engine *engine, hgate_exec *exec,
                                            const hgate_kirchhoff_grid *grid,
                                            const DLTensor *stations, DLTensor *idx);
HGATE_API int hgate_kirchhoff_station_index_plan(hgate_engine *engine, hgate_exec *exec,
                                                 const hgate_kirchhoff_grid *grid,
                                                 const DLTensor *stations, const DLTensor *idx,
                                                 hgate_plan **plan);
HGATE_API int hgate_kirchhoff_station_index_run(hgate_plan *plan, hgate_exec *exec,
                                                const DLTensor *stations, DLTensor *idx);
HGATE_API int hgate_kirchhoff_station_index_explain(hgate_engine *engine, hgate_exec *exec,
                                                    const hgate_kirchhoff_grid *grid,
                                                    const DLTensor *stations, const DLTensor *idx,
                                                    hgate_trace **trace);

/** The wavelet's own DFT times sqrt(i w) (ndim 2) or -i w (ndim 3), the half derivative and the
 *  derivative that the Kirchhoff integral asks for; dt in seconds. wav, wav_filtered (nwav) R. */
HGATE_API int hgate_kirchhoff_wavelet(hgate_engine *engine, hgate_exec *exec, int ndim, double dt,
                                      const DLTensor *wav, DLTensor *wav_filtered);
HGATE_API int hgate_kirchhoff_wavelet_plan(hgate_engine *engine, hgate_exec *exec, int ndim,
                                           double dt, const DLTensor *wav,
                                           const DLTensor *wav_filtered, hgate_plan **plan);
HGATE_API int hgate_kirchhoff_wavelet_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *wav,
                                          DLTensor *wav_filtered);
HGATE_API int hgate_kirchhoff_wavelet_explain(hgate_engine *engine, hgate_exec *exec, int ndim,
                                              double dt, const DLTensor *wav,
                                              const DLTensor *wav_filtered, hgate_trace **trace);

/** out[n] = sum_q wav[q] in[n - q + wavc] along the last axis, zeros outside, same length; adjoint
 * 1: the correlation out[n] = sum_q wav[q] in[n + q - wavc]. wav (nwav), in and out (..., nt) R. */
HGATE_API int hgate_kirchhoff_convolve(hgate_engine *engine, hgate_exec *exec, int adjoint,
                                       const DLTensor *wav, int64_t wavc, const DLTensor *in,
                                       DLTensor *out);
HGATE_API int hgate_kirchhoff_convolve_plan(hgate_engine *engine, hgate_exec *exec, int adjoint,
                                            const DLTensor *wav, int64_t wavc, const DLTensor *in,
                                            const DLTensor *out, hgate_plan **plan);
HGATE_API int hgate_kirchhoff_convolve_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *wav,
                                           const DLTensor *in, DLTensor *out);
HGATE_API int hgate_kirchhoff_convolve_explain(hgate_engine *engine, hgate_exec *exec, int adjoint,
                                               const DLTensor *wav, int64_t wavc,
                                               const DLTensor *in, const DLTensor *out,
                                               hgate_trace **trace);

#ifdef __cplusplus
}
#endif
#endif
