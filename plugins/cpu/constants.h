/* SPDX-License-Identifier: BSD-3-Clause */
/* Constants of the shared kernels. Each CPU plugin declares them first and in this order, so that
 * the term lists of the kernels hold for both. */
#ifndef HG_CPU_CONSTANTS_H
#define HG_CPU_CONSTANTS_H

#include "plugins/cpu/curvature/kernels.h"
#include "plugins/cpu/emi/kernels.h"
#include "plugins/cpu/kirchhoff/kernels.h"
#include "plugins/cpu/visibility/kernels.h"

/* X(NAME, word, unit, value, lowest, highest, help); the index of a constant is HG_K_NAME. */
#define HG_CPU_CONSTANTS(X)                                                                        \
    X(CALL, call, "s", 2e-7, 1e-9, 1e-3, "starting a kernel")                                      \
    X(TEAM, team, "s", 5e-6, 1e-9, 1e-2, "giving work to a team of threads and waiting for it")    \
    HG_CPU_CURVATURE_CONSTANTS(X)                                                                  \
    HG_CPU_EMI_CONSTANTS(X)                                                                        \
    HG_CPU_VISIBILITY_CONSTANTS(X)                                                                 \
    HG_CPU_KIRCHHOFF_CONSTANTS(X)

#define HG_CONSTANT_INDEX(NAME, word, unit, value, lowest, highest, help) HG_K_##NAME,
enum { HG_CPU_CONSTANTS(HG_CONSTANT_INDEX) HG_CPU_N_CONSTANTS };

/* For a plugin's table: one record, and the pointer to it. */
#define HG_CONSTANT_RECORD(NAME, word, unit, value, lowest, highest, help)                         \
    static const hgate_constant constant_##word = {                                                \
        sizeof(hgate_constant), #word, unit, value, lowest, highest, help};
#define HG_CONSTANT_POINTER(NAME, word, unit, value, lowest, highest, help) &constant_##word,

#endif
