/* SPDX-License-Identifier: BSD-3-Clause */
/* Family emi: the reference kernels and the constants of their cost. */
#ifndef HG_REFERENCE_EMI_H
#define HG_REFERENCE_EMI_H

/* X(SYMBOL): record hg_reference_SYMBOL. */
#define HG_REFERENCE_EMI_KERNELS(X)

/* X(NAME, word, unit, value, lowest, highest, help) */
#define HG_REFERENCE_EMI_CONSTANTS(X)

#endif
