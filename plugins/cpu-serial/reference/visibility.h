/* SPDX-License-Identifier: BSD-3-Clause */
/* Family visibility: the reference kernels and the constants of their cost. */
#ifndef HG_REFERENCE_VISIBILITY_H
#define HG_REFERENCE_VISIBILITY_H

/* X(SYMBOL): record hg_reference_SYMBOL. */
#define HG_REFERENCE_VISIBILITY_KERNELS(X)

/* X(NAME, word, unit, value, lowest, highest, help) */
#define HG_REFERENCE_VISIBILITY_CONSTANTS(X)

#endif
