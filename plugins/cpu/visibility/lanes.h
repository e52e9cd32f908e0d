/* SPDX-License-Identifier: BSD-3-Clause */
/* The inner loops of the family that are compiled for each instruction set. */
#ifndef HG_CPU_VISIBILITY_LANES_H
#define HG_CPU_VISIBILITY_LANES_H

#include <stddef.h>
#include <stdint.h>

/* Most sources of one block: the planes of a block stay in the first-level cache. */
enum { HG_BLOCK = 256 };

/* Nodes and weights of the sources of a block in one beam. All arrays have room for a whole number
 * of registers; what lies behind n has weight 0. */
typedef struct hg_stencils {
    int64_t n;
    const int64_t *node[4]; /* offsets in a plane, in nodes */
    const void *weight[4];  /* R */
} hg_stencils;

/* An antenna in wavelengths, made ready for each way to take phases. The sign of the exponent is in
 * it. */
typedef struct hg_antenna_turns {
    double hi[3], lo[3];      /* reduced: R parts of the position in wavelengths */
    double wide[3];           /* the position in wavelengths */
    double metres[3];         /* direct: the position, R */
    double radians_per_metre; /* direct, R */
} hg_antenna_turns;

/* Directions of a block: (3, stride) in R and, for mode wide, in double. */
typedef struct hg_directions {
    int64_t n, stride;
    const void *unit;
    const double *wide;
} hg_directions;

/* One row of Z as a product of two rows: planes of real and imaginary parts. */
typedef struct hg_factors {
    const void *value[2]; /* beam times amplitude; axis x is x axis_step further */
    const void *phase[2];
} hg_factors;

/* Z as the product of three real ones wants it: S = Re + Im, D = Re - Im and I = Im. Rows are cut
 * in panels of as many as a register has lanes; a panel holds one column after the other. Rows
 * behind the last are zeros. */
typedef struct hg_panels {
    int64_t n;                 /* panels */
    int64_t depth;             /* columns that a panel has room for */
    void *plus, *minus, *imag; /* S, D, I */
} hg_panels;

/* Rows east, north, up and flux of sources, and those that are up; R. */
typedef struct hg_selection {
    const void *in[4];
    void *out[4];
    int64_t *index; /* may be NULL */
} hg_selection;

typedef struct hg_visibility_lanes {
    int64_t lanes;
    /* How many of sources from ... end - 1 are up; packs them from place `to` on. */
    int64_t (*count_up)(const hg_selection *rows, int64_t from, int64_t end);
    int64_t (*select)(const hg_selection *rows, int64_t from, int64_t end, int64_t to);
    /* Azimuth and zenith angle of n directions, in double. */
    void (*angles)(int64_t n, const double *east, const double *north, const double *up, double *az,
                   double *za);
    /* re, im (n) = the plane at the sources; is_complex: nodes are pairs; amp may be NULL. im is
     * zeros for a real plane. with_root: square root before the amplitude. */
    void (*interpolate)(const hg_stencils *at, const void *plane, int is_complex, int with_root,
                        const void *amp, void *re, void *im);
    /* exp(2 pi i turns) of one antenna, by enum hgate_tau_mode. */
    void (*phases)(const hg_antenna_turns *antenna, const hg_directions *to, int tau_mode, void *re,
                   void *im);
    /* out[s] = (re + i im)[s], n complex numbers; with a second pair of planes their product. */
    void (*weave)(int64_t n, const hg_factors *row, void *out);
    /* out[s] = z[s] amp[s], n complex numbers. */
    void (*scale)(int64_t n, const void *z, const void *amp, void *out);
    /* out[s] = a[s] b[s], n complex numbers. */
    void (*times)(int64_t n, const void *a, const void *b, void *out);
    /* Panel q from the factors of its rows (as many as lanes): columns x n + s of nax axes. */
    void (*pack_factors)(const hg_panels *panels, int64_t q, const hg_factors *rows, int64_t nax,
                         int64_t axis_step, int64_t n);
    /* Panel q from `rows` rows of Z, K columns, `stride` complex numbers between rows. */
    void (*pack_rows)(const hg_panels *panels, int64_t q, const void *Z, int64_t rows,
                      int64_t stride, int64_t K);
    /* G[j ld + i] += sign sum_k S[i,k] D[j,k] for all i, j, and Q[j ld + i] += sign sum_k I[i,k]
     * I[j,k] where panel(i) >= panel(j); ld = n lanes. */
    void (*product)(const hg_panels *panels, int64_t K, double sign, void *G, void *Q);
    /* sum_k a[k] conj(b[k]) of n complex numbers: real and imaginary part. */
    void (*dot)(const void *a, const void *b, int64_t n, double sum[2]);
} hg_visibility_lanes;

/* By precision, for each instruction set. */
extern const hg_visibility_lanes hg_baseline_visibility[2], hg_avx2_visibility[2],
    hg_avx512_visibility[2];

/* Time of these loops against avx512: from the width of a register and, at baseline, what a missing
 * fused multiply-add costs. An estimate: headgate tune measures one level only. */
double hg_visibility_lanes_cost(int isa);

/* Those of an instruction set, enum hg_isa. */
const hg_visibility_lanes *hg_visibility_lanes_of(int isa, int is_64);

#endif
