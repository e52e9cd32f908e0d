/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums for chosen pairs of antennas: row products of Z grouped by first antenna, and blocks cut out
 * of a full product. */
#ifndef HG_CPU_PAIR_SUMS_H
#define HG_CPU_PAIR_SUMS_H

#include "headgate/plugin_util.h"
#include "plugins/cpu/view.h"
#include "plugins/cpu/visibility/lanes.h"

/* A list of pairs, grouped. The sums are double whatever the precision of Z. */
typedef struct hg_pair_sums {
    hg_indices pairs;
    int64_t nant, nfeed, npairs;
    int convention;
    int64_t *order; /* (npairs): pairs by first antenna */
    int64_t *first; /* (nant + 1) */
    double *sum;    /* (npairs, nfeed, nfeed, 2) */
} hg_pair_sums;

/* Takes order and first from the workspace. */
void hg_pair_sums_lay_out(hgate_scratch *scratch, hg_pair_sums *sums);
/* Takes sum; each thread that adds has one of its own. */
void hg_pair_sums_lay_out_sum(hgate_scratch *scratch, hg_pair_sums *sums);
/* Groups the pairs, whose indices were checked. */
void hg_pair_sums_group(hg_pair_sums *sums);
void hg_pair_sums_clear(hg_pair_sums *sums);
/* sum += sign Z[left] . conj(Z[right]) for Z (nant nfeed, K), the pairs at places [from, to) of the
 * grouped list. */
void hg_pair_sums_add(hg_pair_sums *sums, const hg_visibility_lanes *lanes, const void *Z,
                      int is_64, int64_t K, double sign, int64_t from, int64_t to);
/* Adds the sums of another thread. */
void hg_pair_sums_join(hg_pair_sums *sums, const double *other);
/* Vpairs = alpha sum + beta Vpairs. */
void hg_pair_sums_store(const hg_pair_sums *sums, double alpha, double beta, hg_reals Vpairs);
/* Vpairs = alpha block + beta Vpairs with the blocks of a full product V (nant nfeed, nant nfeed)
 * of convention zzh. Reads neither order nor sum. */
void hg_pair_sums_cut(const hg_pair_sums *sums, hg_reals V, double alpha, double beta,
                      hg_reals Vpairs);

#endif
