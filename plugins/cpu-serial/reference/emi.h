/* SPDX-License-Identifier: BSD-3-Clause */
/* Family emi: the reference kernels and the constants of their cost. */
#ifndef HG_REFERENCE_EMI_H
#define HG_REFERENCE_EMI_H

/* X(SYMBOL): record hg_reference_SYMBOL. */
#define HG_REFERENCE_EMI_KERNELS(X) X(emi) X(evd) X(ds_temp_coh)

/* X(NAME, word, unit, value, lowest, highest, help) */
#define HG_REFERENCE_EMI_CONSTANTS(X)                                                              \
    X(REFERENCE_EMI_N3, reference_emi_n3, "s", 5e-9, 1e-11, 1e-6,                                  \
      "cube of the images of one point in the reference of emi")                                   \
    X(REFERENCE_EVD_N3, reference_evd_n3, "s", 4e-9, 1e-11, 1e-6,                                  \
      "cube of the images of one point in the reference of evd")                                   \
    X(REFERENCE_EMI_N2, reference_emi_n2, "s", 1e-7, 1e-10, 1e-5,                                  \
      "square of the images of one point in the references of emi and evd")                        \
    X(REFERENCE_DS_TEMP_COH_PAIR, reference_ds_temp_coh_pair, "s/pair", 4e-8, 1e-10, 1e-6,         \
      "one pair of one point in the reference of ds_temp_coh")

#endif
