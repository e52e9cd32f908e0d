/* SPDX-License-Identifier: BSD-3-Clause */
/* Family kirchhoff: the reference kernels and the constants of their cost. */
#ifndef HG_REFERENCE_KIRCHHOFF_H
#define HG_REFERENCE_KIRCHHOFF_H

/* X(SYMBOL): record hg_reference_SYMBOL. */
#define HG_REFERENCE_KIRCHHOFF_KERNELS(X)

/* X(NAME, word, unit, value, lowest, highest, help) */
#define HG_REFERENCE_KIRCHHOFF_CONSTANTS(X)

#endif
