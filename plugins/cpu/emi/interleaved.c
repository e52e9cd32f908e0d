/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel interleaved of emi and evd: one group of points; compiled for each instruction set.
 *
 *      A = |Gamma|, beta from its extreme eigenvalues, B = A_beta^-1, M = B o Gamma_beta,
 *      smallest eigenpair of M
 *
 * Lane l of every vector belongs to point first + l, so each step is the plain algorithm without a
 * branch on the data, and no number ever moves from one point to another: a point's bits do not
 * depend on its neighbours. Points that are bad take part as identity matrices; the lanes behind
 * the last point repeat it.
 *
 * Work per point, real operations: real tridiagonalization 4/3 n^3, inverse n^3, complex
 * tridiagonalization 16/3 n^3, the rest O(n^2). Each step of a tridiagonalization reads and writes
 * the rest of the triangle once: the rank-2 update of the step before and the product with the new
 * reflector share the pass. Memory of a group: 3 n (n-1) / 2 vectors, which should stay in the
 * second-level cache.
 *
 * Limits: condition numbers of A_beta up to 6e4 in single precision, and phases that bear the error
 * of the inverse (lanes_trust.h); what is worse is solved again in double. In double 3e13; what is
 * worse goes to the solver with pivoting.
 *
 * Source: Golub, Van Loan, Matrix Computations, 8.3 (tridiagonalization), 8.5 (bisection);
 * Parlett, Dhillon 1997 (twisted factorization). */
#include "plugins/cpu/emi/interleaved.h"

#include "headgate/plugin_util.h"
#include "plugins/cpu/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Rows of a matrix that are worked on together, so that their vectors stay in the first-level
 * cache. */
enum { TILE_ROWS = 32 };

#define REAL float
#define EPSILON FLT_EPSILON
#define BITS 32
#define VECTOR hg_f32v
#define INTEGER hg_i32v
#define LANES ((int)HG_F32_LANES)
#define TYPED(base) base##_f32
#define OP(base) hg_##base##_f32
#include "plugins/cpu/emi/lanes.h"

#define REAL double
#define EPSILON DBL_EPSILON
#define BITS 64
#define VECTOR hg_f64v
#define INTEGER hg_i64v
#define LANES ((int)HG_F64_LANES)
#define TYPED(base) base##_f64
#define OP(base) hg_##base##_f64
#include "plugins/cpu/emi/lanes.h"

const hg_interleaved HG_NAME(interleaved)[2] = {
    {(int)HG_F32_LANES, group_bytes_f32, solve_f32, temp_coh_bytes_f32, temp_coh_f32},
    {(int)HG_F64_LANES, group_bytes_f64, solve_f64, temp_coh_bytes_f64, temp_coh_f64}};
