/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums for chosen pairs of antennas: row products of Z grouped by first antenna, and blocks cut out
 * of a full product. */
#include "plugins/cpu/visibility/pair_sums.h"

#include "plugins/cpu/visibility/hermitian.h"

#include <string.h>

/* Columns per pass: the rows of the first antenna stay in the first-level cache over its pairs, and
 * a float32 chain is short enough for double sums of the chains to keep the accuracy. */
enum { BLOCK = 1024 };

void hg_pair_sums_lay_out(hgate_scratch *scratch, hg_pair_sums *sums)
{
    sums->order = hgate_scratch_take(scratch, sums->npairs, sizeof(int64_t));
    sums->first = hgate_scratch_take(scratch, sums->nant + 1, sizeof(int64_t));
}

void hg_pair_sums_lay_out_sum(hgate_scratch *scratch, hg_pair_sums *sums)
{
    sums->sum =
        hgate_scratch_take(scratch, sums->npairs * sums->nfeed * sums->nfeed, 2 * sizeof(double));
}

void hg_pair_sums_group(hg_pair_sums *sums)
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
}

void hg_pair_sums_clear(hg_pair_sums *sums)
{
    memset(sums->sum, 0, (size_t)(sums->npairs * sums->nfeed * sums->nfeed) * 2 * sizeof(double));
}

/* One pair over the columns [k, k + n). */
static void add_pair(hg_pair_sums *sums, const hg_visibility_lanes *lanes, int64_t p, const void *Z,
                     size_t element, int64_t K, int64_t k, int64_t n, double sign)
{
    int64_t nfeed = sums->nfeed;
    int64_t i = hg_index(sums->pairs, 2 * p), j = hg_index(sums->pairs, 2 * p + 1);
    for (int64_t a = 0; a < nfeed; a++)
        for (int64_t b = 0; b < nfeed; b++) {
            hg_block_rows rows = hg_block_element(i, j, a, b, nfeed, sums->convention);
            double dot[2];
            lanes->dot((const char *)Z + (size_t)(rows.left * K + k) * element,
                       (const char *)Z + (size_t)(rows.right * K + k) * element, n, dot);
            double *sum = sums->sum + 2 * ((p * nfeed + a) * nfeed + b);
            sum[0] += sign * dot[0];
            sum[1] += sign * dot[1];
        }
}

void hg_pair_sums_add(hg_pair_sums *sums, const hg_visibility_lanes *lanes, const void *Z,
                      int is_64, int64_t K, double sign, int64_t from, int64_t to)
{
    for (int64_t k = 0; k < K; k += BLOCK)
        for (int64_t at = from; at < to; at++)
            add_pair(sums, lanes, sums->order[at], Z, is_64 ? 16 : 8, K, k,
                     K - k < BLOCK ? K - k : BLOCK, sign);
}

void hg_pair_sums_join(hg_pair_sums *sums, const double *other)
{
    for (int64_t i = 0; i < sums->npairs * sums->nfeed * sums->nfeed * 2; i++)
        sums->sum[i] += other[i];
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
