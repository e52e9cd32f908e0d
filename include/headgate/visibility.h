/* SPDX-License-Identifier: BSD-3-Clause */
/* Per-antenna visibility simulation of a radio interferometer at one time and one frequency.
 *
 * Z[(a,f),(x,s)] = beam[beam_idx[a], f, x, s] exp(i phase(a, s)) amp[s]; V = alpha Z Z^H + beta V.
 * nant antennas, nfeed feeds, nax axes of the electric field, nsrc sources, nbeam beams on a grid
 * of nza x naz zenith and azimuth angles. R is float32 or float64, C complex64 or complex128 of the
 * same precision, I int32 or int64. Positions in metres and unit vectors in one East North Up
 * frame; azimuth from East to North in [0, 2 pi), zenith angle, both in radians; frequency in Hz.
 * The product of per-antenna factors is the measurement equation of an interferometer in the form
 * that matvis computes. */
#ifndef HEADGATE_VISIBILITY_H
#define HEADGATE_VISIBILITY_H

#include "dlpack_compat.h"
#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

enum hgate_visibility_convention {
    HGATE_VISIBILITY_ZZH = 0,  /**< V[i,j] = sum_k Z[i,k] conj(Z[j,k]) */
    HGATE_VISIBILITY_CONJ = 1, /**< the transpose of it */
    HGATE_VISIBILITY_PAIRS_MATVIS =
        2 /**< pairs only: out[p,a,b] = sum_k Z[(j,a),k] conj(Z[(i,b),k]) */
};
enum hgate_az_mode {
    HGATE_AZ_CLAMP = 0,   /**< outside the grid: the boundary value */
    HGATE_AZ_PERIODIC = 1 /**< naz columns make one turn; a grid that does not is EINVAL */
};
enum hgate_tau_mode {
    HGATE_TAU_AUTO = 0,   /**< reduced for float32, wide for float64 inputs with complex64 output */
    HGATE_TAU_DIRECT = 1, /**< radians in the output precision */
    HGATE_TAU_REDUCED = 2, /**< float32 turns in two exact parts, whole turns removed */
    HGATE_TAU_WIDE = 3     /**< turns in float64, sine in the output precision */
};
/** Product kernels; AUTO leaves the choice to configuration and cost. */
enum hgate_matprod {
    HGATE_MATPROD_AUTO = 0,
    HGATE_MATPROD_HERK = 1,
    HGATE_MATPROD_GEMM = 2,
    HGATE_MATPROD_GEMM3M = 3,
    HGATE_MATPROD_HERK3 = 4,
    HGATE_MATPROD_ZHERK = 5,
    HGATE_MATPROD_FP16X3 = 6,
    HGATE_MATPROD_TF32X3 = 7,
    HGATE_MATPROD_DOT = 8
};

/** Options of the family; each operation reads those it knows. */
typedef struct hgate_visibility_params {
    size_t struct_size;
    double freq_hz;  /**< > 0; visibility and visibility_tau, no default */
    double alpha;    /**< (1) */
    double beta;     /**< (0): 0 never reads the output */
    double alpha_re; /**< visibility_product (1, 0, 0, 0) */
    double alpha_im;
    double beta_re;
    double beta_im;
    int convention;       /**< enum hgate_visibility_convention (zzh) */
    int az_mode;          /**< enum hgate_az_mode (clamp) */
    int tau_mode;         /**< enum hgate_tau_mode (auto) */
    int phase_sign;       /**< +1 or -1: sign of the exponent (1) */
    double flux_scale;    /**< amplitude = sqrt(flux_scale flux) (0.5) */
    int flux_is_amp;      /**< 1: flux holds amplitudes, any sign (0) */
    int signed_flux;      /**< 1: negative flux allowed; subtracted by a second product (0) */
    int sqrt_power;       /**< 1: root of a real power beam after interpolation (0) */
    int matprod;          /**< enum hgate_matprod (auto) */
    int64_t min_chunks;   /**< at least so many source chunks (1) */
    size_t mem_limit;     /**< bytes for visibility; 0 = what is free (0) */
    double memory_buffer; /**< share of mem_limit that may be used, 0 < x <= 1 (0.9) */
    int check;            /**< enum hgate_check (values) */
} hgate_visibility_params;

HGATE_API int hgate_visibility_params_init(hgate_visibility_params *params);

/** Steps and first nodes of beam grids, radians, (nbeam) or (1) R; az0, za0 NULL = 0. */
typedef struct hgate_beam_geometry {
    size_t struct_size;
    const DLTensor *daz, *dza;
    const DLTensor *az0, *za0;
} hgate_beam_geometry;

HGATE_API int hgate_beam_geometry_init(hgate_beam_geometry *geometry);

/** Everything hgate_visibility() reads. hgate_visibility_input_init() clears it, n_up = -1. */
typedef struct hgate_visibility_input {
    size_t struct_size;
    const DLTensor *antpos; /**< (nant, 3) R, metres */
    const DLTensor *crd;    /**< (3, nsrc) R, unit vectors */
    const DLTensor *flux;   /**< (nsrc) R */
    const DLTensor *grid;   /**< (nbeam, nax, nfeed, nza, naz) R (power) or C (electric field) */
    const DLTensor *daz, *dza;
    const DLTensor *az0, *za0;
    const DLTensor *beam_idx; /**< (nant) I, or NULL when nbeam is 1 or nant */
    const DLTensor *pairs;    /**< (npairs, 2) I, or NULL for all of V */
    int64_t n_up;             /**< sources above the horizon if known, else -1 */
} hgate_visibility_input;

HGATE_API int hgate_visibility_input_init(hgate_visibility_input *input);

/** All steps fused: horizon cut, beam, phase, Z, product, in chunks of sources.
 *  V (nant nfeed, nant nfeed) C, Hermitian in bits; with in->pairs (npairs, nfeed, nfeed) C.
 *  Errors: EVALUE with position (flux, crd, beam_idx, pairs, steps, freq_hz), EINVAL (periodic grid
 *  that is not a turn), ESHAPE, EDTYPE, ESTRIDE, EDEVICE, EOVERLAP, ENOMEM with the bytes. */
HGATE_API int hgate_visibility(hgate_engine *engine, hgate_exec *exec,
                               const hgate_visibility_params *params,
                               const hgate_visibility_input *in, DLTensor *V);
HGATE_API int hgate_visibility_plan(hgate_engine *engine, hgate_exec *exec,
                                    const hgate_visibility_params *params,
                                    const hgate_visibility_input *in, const DLTensor *V,
                                    hgate_plan **plan);
HGATE_API int hgate_visibility_run(hgate_plan *plan, hgate_exec *exec,
                                   const hgate_visibility_input *in, DLTensor *V);
HGATE_API int hgate_visibility_explain(hgate_engine *engine, hgate_exec *exec,
                                       const hgate_visibility_params *params,
                                       const hgate_visibility_input *in, const DLTensor *V,
                                       hgate_trace **trace);

/** Sizes for chunk planning. */
typedef struct hgate_visibility_shape {
    size_t struct_size;
    int64_t nant, nfeed, nax, nsrc, nbeam;
    int64_t nbeampix;    /**< sum of nza naz over all beams */
    int is_f64;          /**< 0: float32 / complex64 */
    int is_complex_grid; /**< 0: real power beams */
    int is_fused;        /**< phases and beam stay in registers */
} hgate_visibility_shape;

typedef struct hgate_visibility_chunk_info {
    size_t struct_size;
    int64_t n_chunks;
    int64_t chunk;     /**< sources per chunk, rounded up */
    size_t fixed;      /**< bytes that no chunk count changes */
    size_t per_source; /**< bytes per source of a chunk */
    size_t bytes;      /**< fixed + chunk per_source */
} hgate_visibility_chunk_info;

/** Plans the chunks for mem_limit bytes; reads min_chunks and memory_buffer of params.
 *  ENOMEM names the bytes when not even one source fits; ESHAPE on overflow. MT-Safe, no engine. */
HGATE_API int hgate_visibility_chunks(const hgate_visibility_shape *shape, size_t mem_limit,
                                      const hgate_visibility_params *params,
                                      hgate_visibility_chunk_info *info);

/* ---- the steps, each usable alone ---------------------------------------------------------- */

/** Sources with Up > 0, order kept. crd (3, nsrc), flux (nsrc) R; crd_up (3, nsrc), flux_up (nsrc)
 * R and index (nsrc) int64 or NULL: the first n_up columns are written; crd_up keeps row stride
 * nsrc. */
HGATE_API int hgate_visibility_horizon(hgate_engine *engine, hgate_exec *exec,
                                       const hgate_visibility_params *params, const DLTensor *crd,
                                       const DLTensor *flux, DLTensor *crd_up, DLTensor *flux_up,
                                       DLTensor *index, int64_t *n_up);
HGATE_API int hgate_visibility_horizon_plan(hgate_engine *engine, hgate_exec *exec,
                                            const hgate_visibility_params *params,
                                            const DLTensor *crd, const DLTensor *flux,
                                            const DLTensor *crd_up, const DLTensor *flux_up,
                                            const DLTensor *index, hgate_plan **plan);
HGATE_API int hgate_visibility_horizon_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *crd,
                                           const DLTensor *flux, DLTensor *crd_up,
                                           DLTensor *flux_up, DLTensor *index, int64_t *n_up);
HGATE_API int hgate_visibility_horizon_explain(hgate_engine *engine, hgate_exec *exec,
                                               const hgate_visibility_params *params,
                                               const DLTensor *crd, const DLTensor *flux,
                                               const DLTensor *crd_up, const DLTensor *flux_up,
                                               const DLTensor *index, hgate_trace **trace);

/** az = atan2(north, east) in [0, 2 pi), za = atan2(hypot(east, north), up). crd (3, nsrc);
 *  az, za (nsrc) R. Relative error of za at most 4 eps up to the zenith. */
HGATE_API int hgate_visibility_angles(hgate_engine *engine, hgate_exec *exec,
                                      const hgate_visibility_params *params, const DLTensor *crd,
                                      DLTensor *az, DLTensor *za);
HGATE_API int hgate_visibility_angles_plan(hgate_engine *engine, hgate_exec *exec,
                                           const hgate_visibility_params *params,
                                           const DLTensor *crd, const DLTensor *az,
                                           const DLTensor *za, hgate_plan **plan);
HGATE_API int hgate_visibility_angles_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *crd,
                                          DLTensor *az, DLTensor *za);
HGATE_API int hgate_visibility_angles_explain(hgate_engine *engine, hgate_exec *exec,
                                              const hgate_visibility_params *params,
                                              const DLTensor *crd, const DLTensor *az,
                                              const DLTensor *za, hgate_trace **trace);

/** Bilinear interpolation. grid (nbeam, nax, nfeed, nza, naz); az, za (nsrc) R;
 *  beam (nbeam, nfeed, nax, nsrc): feed before axis. Real grids to real or complex output, complex
 * grids to complex output, any precision; arithmetic in the wider type, rounded once. A neighbour
 * of weight 0 does not enter. NaN angle: NaN for that source. */
HGATE_API int hgate_visibility_beam(hgate_engine *engine, hgate_exec *exec,
                                    const hgate_visibility_params *params, const DLTensor *grid,
                                    const hgate_beam_geometry *geometry, const DLTensor *az,
                                    const DLTensor *za, DLTensor *beam);
HGATE_API int hgate_visibility_beam_plan(hgate_engine *engine, hgate_exec *exec,
                                         const hgate_visibility_params *params,
                                         const DLTensor *grid, const hgate_beam_geometry *geometry,
                                         const DLTensor *az, const DLTensor *za,
                                         const DLTensor *beam, hgate_plan **plan);
HGATE_API int hgate_visibility_beam_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *grid,
                                        const hgate_beam_geometry *geometry, const DLTensor *az,
                                        const DLTensor *za, DLTensor *beam);
HGATE_API int hgate_visibility_beam_explain(hgate_engine *engine, hgate_exec *exec,
                                            const hgate_visibility_params *params,
                                            const DLTensor *grid,
                                            const hgate_beam_geometry *geometry, const DLTensor *az,
                                            const DLTensor *za, const DLTensor *beam,
                                            hgate_trace **trace);

/** exptau = exp(phase_sign 2 pi i freq_hz / c antpos . crd), c = 299792458 m/s.
 *  antpos (nant, 3), crd (3, nsrc) R; exptau (nant, nsrc) C, may be complex64 for float64 inputs.
 */
HGATE_API int hgate_visibility_tau(hgate_engine *engine, hgate_exec *exec,
                                   const hgate_visibility_params *params, const DLTensor *antpos,
                                   const DLTensor *crd, DLTensor *exptau);
HGATE_API int hgate_visibility_tau_plan(hgate_engine *engine, hgate_exec *exec,
                                        const hgate_visibility_params *params,
                                        const DLTensor *antpos, const DLTensor *crd,
                                        const DLTensor *exptau, hgate_plan **plan);
HGATE_API int hgate_visibility_tau_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *antpos,
                                       const DLTensor *crd, DLTensor *exptau);
HGATE_API int hgate_visibility_tau_explain(hgate_engine *engine, hgate_exec *exec,
                                           const hgate_visibility_params *params,
                                           const DLTensor *antpos, const DLTensor *crd,
                                           const DLTensor *exptau, hgate_trace **trace);

/** Z from its factors. beam (nbeam, nfeed, nax, nsrc) C, exptau (nant, nsrc) C, flux (nsrc) R,
 *  beam_idx (nant) I or NULL; Z (nant nfeed, nax nsrc) C. Inputs are not modified. */
HGATE_API int hgate_visibility_z(hgate_engine *engine, hgate_exec *exec,
                                 const hgate_visibility_params *params, const DLTensor *beam,
                                 const DLTensor *exptau, const DLTensor *flux,
                                 const DLTensor *beam_idx, DLTensor *Z);
HGATE_API int hgate_visibility_z_plan(hgate_engine *engine, hgate_exec *exec,
                                      const hgate_visibility_params *params, const DLTensor *beam,
                                      const DLTensor *exptau, const DLTensor *flux,
                                      const DLTensor *beam_idx, const DLTensor *Z,
                                      hgate_plan **plan);
HGATE_API int hgate_visibility_z_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *beam,
                                     const DLTensor *exptau, const DLTensor *flux,
                                     const DLTensor *beam_idx, DLTensor *Z);
HGATE_API int hgate_visibility_z_explain(hgate_engine *engine, hgate_exec *exec,
                                         const hgate_visibility_params *params,
                                         const DLTensor *beam, const DLTensor *exptau,
                                         const DLTensor *flux, const DLTensor *beam_idx,
                                         const DLTensor *Z, hgate_trace **trace);

/** V = alpha Z Z^H + beta V. Z (M, K), V (M, M) C. V is Hermitian in bits, its diagonal has
 * imaginary part +0. beta 0: V is not read; else its lower triangle and the real diagonal are. */
HGATE_API int hgate_visibility_gram(hgate_engine *engine, hgate_exec *exec,
                                    const hgate_visibility_params *params, const DLTensor *Z,
                                    DLTensor *V);
HGATE_API int hgate_visibility_gram_plan(hgate_engine *engine, hgate_exec *exec,
                                         const hgate_visibility_params *params, const DLTensor *Z,
                                         const DLTensor *V, hgate_plan **plan);
HGATE_API int hgate_visibility_gram_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *Z,
                                        DLTensor *V);
HGATE_API int hgate_visibility_gram_explain(hgate_engine *engine, hgate_exec *exec,
                                            const hgate_visibility_params *params,
                                            const DLTensor *Z, const DLTensor *V,
                                            hgate_trace **trace);

/** C = alpha A B^H + beta C with complex alpha, beta. A (m, k), B (n, k), C (m, n) complex. */
HGATE_API int hgate_visibility_product(hgate_engine *engine, hgate_exec *exec,
                                       const hgate_visibility_params *params, const DLTensor *A,
                                       const DLTensor *B, DLTensor *C);
HGATE_API int hgate_visibility_product_plan(hgate_engine *engine, hgate_exec *exec,
                                            const hgate_visibility_params *params,
                                            const DLTensor *A, const DLTensor *B, const DLTensor *C,
                                            hgate_plan **plan);
HGATE_API int hgate_visibility_product_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *A,
                                           const DLTensor *B, DLTensor *C);
HGATE_API int hgate_visibility_product_explain(hgate_engine *engine, hgate_exec *exec,
                                               const hgate_visibility_params *params,
                                               const DLTensor *A, const DLTensor *B,
                                               const DLTensor *C, hgate_trace **trace);

/** Blocks of Z Z^H for pairs of antennas: rows feed of i, columns feed of j. Z (nant nfeed, K) C;
 *  pairs (npairs, 2) I, any order, repeats allowed; Vpairs (npairs, nfeed, nfeed) C.
 *  nfeed is the last axis of Vpairs. */
HGATE_API int hgate_visibility_pairs(hgate_engine *engine, hgate_exec *exec,
                                     const hgate_visibility_params *params, const DLTensor *Z,
                                     const DLTensor *pairs, DLTensor *Vpairs);
HGATE_API int hgate_visibility_pairs_plan(hgate_engine *engine, hgate_exec *exec,
                                          const hgate_visibility_params *params, const DLTensor *Z,
                                          const DLTensor *pairs, const DLTensor *Vpairs,
                                          hgate_plan **plan);
HGATE_API int hgate_visibility_pairs_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *Z,
                                         const DLTensor *pairs, DLTensor *Vpairs);
HGATE_API int hgate_visibility_pairs_explain(hgate_engine *engine, hgate_exec *exec,
                                             const hgate_visibility_params *params,
                                             const DLTensor *Z, const DLTensor *pairs,
                                             const DLTensor *Vpairs, hgate_trace **trace);

#ifdef __cplusplus
}
#endif
#endif
