/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernels of the family are given, and the functions that start them. `fault` may be NULL;
 * where a fault is set, outputs stay as they are. */
#ifndef HG_CUDA_VISIBILITY_LAUNCH_H
#define HG_CUDA_VISIBILITY_LAUNCH_H

#include "plugins/cuda/visibility/planes.h"
#include <cuda_runtime_api.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef const unsigned long long *hg_vis_fault;

/* ---- steps ---- */

typedef struct hg_vis_angles {
    const void *crd; /* (3, nsrc) */
    void *az, *za;   /* (nsrc) */
    int64_t nsrc;
    int is_64;
} hg_vis_angles;

typedef struct hg_vis_tau {
    const void *antpos, *crd; /* (nant, 3), (3, nsrc) */
    void *exptau;             /* (nant, nsrc) */
    int64_t nant, nsrc;
    int is_64, is_64_out;
    int mode, sign;
    double freq_hz;
} hg_vis_tau;

/* A number of each beam, or one for all; n 0: absent, counts as 0. */
typedef struct hg_vis_per_beam {
    const void *data;
    int64_t n;
} hg_vis_per_beam;

/* Grids of the beams and where their nodes are. */
typedef struct hg_vis_beam {
    const void *grid; /* (nbeam, nax, nfeed, nza, naz) */
    hg_vis_per_beam daz, dza, az0, za0;
    int64_t nbeam, nax, nfeed;
    int nza, naz;
    int is_64, is_complex; /* of the grid */
    int is_64_angle;       /* of steps and angles */
    int is_periodic;
} hg_vis_beam;

typedef struct hg_vis_interpolation {
    hg_vis_beam beam;
    const void *az, *za; /* (nsrc) */
    void *out;           /* (nbeam, nfeed, nax, nsrc) */
    int64_t nsrc;
    int is_64_out, is_complex_out;
    int with_root;
} hg_vis_interpolation;

typedef struct hg_vis_z {
    const void *beam, *exptau, *flux, *beam_idx;
    void *Z;
    int64_t nant, nfeed, nax, nsrc, nbeam;
    int is_64, is_int64;
    int flux_is_amp;
    double flux_scale;
} hg_vis_z;

cudaError_t hg_vis_start_angles(const hg_vis_angles *args, hg_vis_fault fault, cudaStream_t stream);
cudaError_t hg_vis_start_tau(const hg_vis_tau *args, hg_vis_fault fault, cudaStream_t stream);
cudaError_t hg_vis_start_beam(const hg_vis_interpolation *args, hg_vis_fault fault,
                              cudaStream_t stream);
/* Notes powers below 0 where a root is wanted, and writes nothing. */
cudaError_t hg_vis_check_power(const hg_vis_interpolation *args, unsigned long long *fault,
                               cudaStream_t stream);
cudaError_t hg_vis_start_z(const hg_vis_z *args, hg_vis_fault fault, cudaStream_t stream);

/* ---- sources above the horizon ---- */

/* A stable sort of the sources by (below the horizon, negative flux, cell of the first beam). */
typedef struct hg_vis_selection {
    const void *crd, *flux; /* (3, nsrc), (nsrc) */
    int64_t nsrc;
    int is_64;
    int is_signed; /* negative fluxes form a group of their own */
    int is_sorted; /* by cell; otherwise the order of the input is kept */
    hg_vis_beam beam;
    /* workspace */
    uint32_t *key[2], *order[2]; /* (nsrc) each */
    int *count;                  /* hg_vis_selection_counts() */
    int64_t *found;              /* positive ones up; all up */
} hg_vis_selection;

int64_t hg_vis_selection_counts(int64_t nsrc);
/* Leaves the order in *result, one of s->order, and the numbers in s->found. */
cudaError_t hg_vis_select(const hg_vis_selection *s, const uint32_t **result, cudaStream_t stream);
/* Notes that another number is up than was told. */
cudaError_t hg_vis_check_n_up(const hg_vis_selection *s, int64_t n_up, unsigned long long *fault,
                              cudaStream_t stream);

typedef struct hg_vis_compaction {
    const void *crd, *flux;
    void *crd_up, *flux_up; /* (3, nsrc), (nsrc) */
    int64_t *index;         /* may be NULL */
    const uint32_t *order;
    const int64_t *found;
    int64_t nsrc;
    int is_64;
} hg_vis_compaction;

cudaError_t hg_vis_compact(const hg_vis_compaction *args, hg_vis_fault fault, cudaStream_t stream);

/* ---- Z of a chunk ---- */

/* One source of the list as the Z kernel reads it, in the precision of the call. Two arrays: place
 * (nodes) and 8 numbers (direction, amplitude, four weights), each (count). */
typedef struct hg_vis_place {
    int node;         /* of the first neighbour in a plane */
    int down, across; /* to the next row and column */
    uint32_t source;  /* in the input */
} hg_vis_place;

typedef struct hg_vis_sources {
    const void *crd, *flux;
    int64_t nsrc, n; /* n: how many of the list */
    const uint32_t *order;
    const int64_t *found;
    hg_vis_beam beam;
    int is_64, is_shared; /* one geometry for all beams: nodes and weights are found here */
    int flux_is_amp;
    double flux_scale;
    void *unit;   /* (3, n) */
    void *amp;    /* (n) */
    void *weight; /* (4, n) */
    hg_vis_place *place;
} hg_vis_sources;

cudaError_t hg_vis_load_sources(const hg_vis_sources *args, cudaStream_t stream);

/* How a chunk of Z is written: rows of the call's complex type or of complex128, or planes of a
 * split product, whose columns are those of one axis after the other, each filled up with zeros to
 * whole blocks. */
enum hg_vis_form { HG_VIS_AS_GIVEN, HG_VIS_AS_DOUBLE, HG_VIS_AS_FP16, HG_VIS_AS_TF32 };

typedef struct hg_vis_chunk {
    hg_vis_sources sources;
    int64_t start, n; /* of the list */
    const void *antpos, *beam_idx;
    int64_t nant;
    int is_int64;
    int mode, sign;
    double freq_hz;
    int with_root;
    unsigned long long *power; /* notes powers below 0; NULL: their root is NaN */
    void *Z;                   /* (nant nfeed, nax n) */
    hg_planes planes;          /* in its place; K is nax hg_vis_padded() */
    int form;                  /* enum hg_vis_form */
} hg_vis_chunk;

/* Sources of a chunk, filled up. */
static inline int64_t hg_vis_padded(int64_t n, int form)
{
    const int64_t width = form == HG_VIS_AS_FP16 ? 32 : form == HG_VIS_AS_TF32 ? 16 : 1;
    return (n + width - 1) / width * width;
}

cudaError_t hg_vis_start_chunk(const hg_vis_chunk *args, hg_vis_fault fault, cudaStream_t stream);

/* planes.bounds of all rows: the largest component of the beam's nodes that directions above the
 * horizon can meet, times the largest amplitude of the list. beam_bounds: (nbeam, nfeed) floats of
 * workspace and one more. */
cudaError_t hg_vis_bound_rows(const hg_vis_chunk *args, float *beam_bounds, cudaStream_t stream);

/* ---- products ---- */

/* Columns [from, from + count) of a complex64 matrix (rows, stride) as complex128 (rows, count). */
cudaError_t hg_vis_widen(const void *from, int64_t stride, int64_t rows, int64_t count, void *to,
                         cudaStream_t stream);

/* V = alpha sum + beta V from the lower triangle of a sum (M, M); has_sum 0: the sum is 0. */
typedef struct hg_vis_finish {
    const void *sum;
    void *V;
    int64_t M;
    int is_64_sum, is_64;
    int has_sum, is_conj;
    double alpha, beta;
} hg_vis_finish;

cudaError_t hg_vis_finish_gram(const hg_vis_finish *args, hg_vis_fault fault, cudaStream_t stream);

/* Blocks for pairs of antennas. */
typedef struct hg_vis_pairs {
    const void *pairs; /* (npairs, 2) */
    int64_t npairs, nant, nfeed;
    int is_int64;
    int convention;
} hg_vis_pairs;

/* sum += sign Z Z^H for the blocks; Z (nant nfeed, K), sum (npairs, nfeed, nfeed) complex128.
 * is_first: the sum starts here. */
cudaError_t hg_vis_pair_dot(const hg_vis_pairs *pairs, const void *Z, int64_t K, int is_64,
                            double sign, int is_first, void *sum, hg_vis_fault fault,
                            cudaStream_t stream);
/* Vpairs = alpha sum + beta Vpairs, the sum as above or cut from the lower triangle of (M, M). */
typedef struct hg_vis_finish_pairs {
    hg_vis_pairs pairs;
    const void *sum;
    void *Vpairs;
    int is_full, is_64_sum, is_64;
    int has_sum;
    double alpha, beta;
} hg_vis_finish_pairs;

cudaError_t hg_vis_finish_blocks(const hg_vis_finish_pairs *args, hg_vis_fault fault,
                                 cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
