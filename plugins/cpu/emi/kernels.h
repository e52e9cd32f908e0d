/* SPDX-License-Identifier: BSD-3-Clause */
/* Family emi: the shared kernels and the constants of their cost. */
#ifndef HG_CPU_EMI_KERNELS_H
#define HG_CPU_EMI_KERNELS_H

/* X(SYMBOL): records hg_serial_SYMBOL and hg_team_SYMBOL. */
#define HG_CPU_EMI_KERNELS(X)                                                                      \
    X(emi_interleaved) X(emi_pivoted) X(evd_interleaved) X(temp_coh_direct)

/* X(NAME, word, unit, value, lowest, highest, help) */
#define HG_CPU_EMI_CONSTANTS(X)                                                                    \
    X(EMI_GROUP_N3, emi_group_n3, "s", 1.5e-9, 1e-12, 1e-6,                                        \
      "cube of the images of a group of points in cache, kernel interleaved")                      \
    X(EMI_GROUP_N3_SPILLED, emi_group_n3_spilled, "s", 2.5e-9, 1e-12, 1e-6,                        \
      "the same where the group is larger than the cache")                                         \
    X(EMI_GROUP_N, emi_group_n, "s", 5.5e-7, 1e-10, 1e-4,                                          \
      "image of a group of points, kernel interleaved")                                            \
    X(EMI_PIVOTED_N3, emi_pivoted_n3, "s", 1.5e-9, 1e-12, 1e-6,                                    \
      "cube of the images of one point, kernel pivoted")                                           \
    X(EMI_PIVOTED_N2, emi_pivoted_n2, "s", 5e-8, 1e-11, 1e-5,                                      \
      "square of the images of one point, kernel pivoted")                                         \
    X(DS_TEMP_COH_PAIR, ds_temp_coh_pair, "s", 2e-8, 1e-11, 1e-6,                                  \
      "pair of a group of points, ds_temp_coh by kernel direct")

#endif
