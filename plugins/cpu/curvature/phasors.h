/* SPDX-License-Identifier: BSD-3-Clause */
/* Cosines and sines of many angles in turns, for each instruction set. */
#ifndef HG_CURVATURE_PHASORS_H
#define HG_CURVATURE_PHASORS_H

#include <stdint.h>

/* Arrays of phasors are worked on in whole groups of this many. */
enum { HG_PHASOR_GROUP = 8 };

/* cosine[k] = weight[k] cos(2 pi factor turns[k]) and the sine alike, for k below n, a multiple of
 * HG_PHASOR_GROUP. weight NULL: 1. Absolute error below 4e-16 beside that of the product factor
 * turns[k]. */
typedef void (*hg_phasors_fn)(const double *turns, const double *weight, double factor, int64_t n,
                              double *cosine, double *sine);

void hg_baseline_phasors(const double *turns, const double *weight, double factor, int64_t n,
                         double *cosine, double *sine);
void hg_avx2_phasors(const double *turns, const double *weight, double factor, int64_t n,
                     double *cosine, double *sine);
void hg_avx512_phasors(const double *turns, const double *weight, double factor, int64_t n,
                       double *cosine, double *sine);

hg_phasors_fn hg_phasors_of(int isa);

/* sum[k mod HG_PHASOR_GROUP] += re[k] cos(phi_k) - im[k] sin(phi_k), phi_k = 2 pi (x u[k] + y v[k])
 * for k below n, a multiple of HG_PHASOR_GROUP; each of the sums is one chain. */
typedef void (*hg_waves_fn)(const double *u, const double *v, const double *re, const double *im,
                            double x, double y, int64_t n, double sum[HG_PHASOR_GROUP]);

void hg_baseline_waves(const double *u, const double *v, const double *re, const double *im,
                       double x, double y, int64_t n, double sum[HG_PHASOR_GROUP]);
void hg_avx2_waves(const double *u, const double *v, const double *re, const double *im, double x,
                   double y, int64_t n, double sum[HG_PHASOR_GROUP]);
void hg_avx512_waves(const double *u, const double *v, const double *re, const double *im, double x,
                     double y, int64_t n, double sum[HG_PHASOR_GROUP]);

hg_waves_fn hg_waves_of(int isa);

#endif
