/* SPDX-License-Identifier: BSD-3-Clause */
/* Family visibility: the shared kernels and the constants of their cost. */
#ifndef HG_CPU_VISIBILITY_KERNELS_H
#define HG_CPU_VISIBILITY_KERNELS_H

/* X(SYMBOL): records hg_serial_SYMBOL and hg_team_SYMBOL. */
#define HG_CPU_VISIBILITY_KERNELS(X)

/* X(NAME, word, unit, value, lowest, highest, help) */
#define HG_CPU_VISIBILITY_CONSTANTS(X)

#endif
