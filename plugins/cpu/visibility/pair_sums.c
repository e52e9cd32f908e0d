/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums for chosen pairs of antennas: row products of Z grouped by first antenna, and blocks cut out
 * of a full product. */
#include "plugins/cpu/visibility/pair_sums.h"

#include "plugins/cpu/visibility/hermitian.h"

#include <string.h>

/* Columns per pass: the rows of the first antenna stay in the first-level cache over its pairs, and
 * a float32 chain is short enough for double sums of the chains to keep the accuracy. */
enum { BLOCK = 1024, LANES = 8 };

#define R float
#define NAME(word) word##_c64
#include "plugins/cpu/visibility/row_dot_real.h"

#define R double
#define NAME(word) word##_c128
#include "plugins/cpu/visibility/row_dot_real.h"

void hg_pair_sums_lay_out(hgate_scratch *scratch, hg_pair_sums *sums)
{
    sums->order = hgate_scratch_take(scratch, sums->npairs, sizeof(int64_t));
    sums->first = hgate_scratch_take(scratch, sums->nant + 1, sizeof(int64_t));
    sums->sum =
        hgate_scratch_take(scratch, sums->npairs * sums->nfeed * sums->nfeed, 2 * sizeof(double));
}

void hg_pair_sums_begin(hg_pair_sums *sums)
{
    int64_t *first = sums->first;
    memset(first, 0, (size_t)(sums->nant + 1) * sizeof *first);
    for (int64_t p = 0; p < sums->npairs; p++)
        first[hg_index(sums->pairs, 2 * p) + 1]++;
    for (int64_t a = 0; a < sums->nant; a++)
        first[a + 1] += first[a];
    /* first[a] is where antenna a starts; filling moves it to where a + 1 starts. */
    for (int64_t p = 0; p < sums->npairs; p++)
        sums->order[first[hg_index(sums->pairs, 2 * p)]++] = p;
    memset(sums->sum, 0, (size_t)(sums->npairs * sums->nfeed * sums->nfeed) * 2 * sizeof(double));
}

/* One pair over the columns [k, k + n). */
static void add_pair(hg_pair_sums *sums, int64_t p, const void *Z, int is_64, int64_t K, int64_t k,
                     int64_t n, double sign)
{
    int64_t nfeed = sums->nfeed;
    int64_t i = hg_index(sums->pairs, 2 * p), j = hg_index(sums->pairs, 2 * p + 1);
    for (int64_t a = 0; a < nfeed; a++)
        for (int64_t b = 0; b < nfeed; b++) {
            hg_block_rows rows = hg_block_element(i, j, a, b, nfeed, sums->convention);
            int64_t left = rows.left * K + k, right = rows.right * K + k;
            double complex dot =
                is_64 ? row_dot_c128((const double *)Z + 2 * left, (const double *)Z + 2 * right, n)
                      : row_dot_c64((const float *)Z + 2 * left, (const float *)Z + 2 * right, n);
            double *sum = sums->sum + 2 * ((p * nfeed + a) * nfeed + b);
            sum[0] += sign * creal(dot);
            sum[1] += sign * cimag(dot);
        }
}

void hg_pair_sums_add(hg_pair_sums *sums, const void *Z, int is_64, int64_t K, double sign)
{
    for (int64_t k = 0; k < K; k += BLOCK)
        for (int64_t at = 0; at < sums->npairs; at++)
            add_pair(sums, sums->order[at], Z, is_64, K, k, K - k < BLOCK ? K - k : BLOCK, sign);
}

void hg_pair_sums_store(const hg_pair_sums *sums, double alpha, double beta, hg_reals Vpairs)
{
    int64_t n = sums->npairs * sums->nfeed * sums->nfeed;
    for (int64_t at = 0; at < n; at++)
        hg_pair_put(Vpairs, at, CMPLX(sums->sum[2 * at], sums->sum[2 * at + 1]), alpha, beta);
}

void hg_pair_sums_cut(const hg_pair_sums *sums, hg_reals V, double alpha, double beta,
                      hg_reals Vpairs)
{
    int64_t nfeed = sums->nfeed, M = sums->nant * nfeed;
    for (int64_t p = 0; p < sums->npairs; p++)
        for (int64_t a = 0; a < nfeed; a++)
            for (int64_t b = 0; b < nfeed; b++) {
                hg_block_rows rows =
                    hg_block_element(hg_index(sums->pairs, 2 * p), hg_index(sums->pairs, 2 * p + 1),
                                     a, b, nfeed, sums->convention);
                hg_pair_put(Vpairs, (p * nfeed + a) * nfeed + b,
                            hg_complex(V, rows.left * M + rows.right), alpha, beta);
            }
}
