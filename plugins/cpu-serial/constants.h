/* SPDX-License-Identifier: BSD-3-Clause */
/* Constants of cpu-serial: those of the shared kernels, then those of the reference kernels. */
#ifndef HG_SERIAL_CONSTANTS_H
#define HG_SERIAL_CONSTANTS_H

#include "plugins/cpu-serial/reference/curvature.h"
#include "plugins/cpu-serial/reference/emi.h"
#include "plugins/cpu-serial/reference/kirchhoff.h"
#include "plugins/cpu-serial/reference/visibility.h"
#include "plugins/cpu/constants.h"

#define HG_REFERENCE_CONSTANTS(X)                                                                  \
    HG_REFERENCE_CURVATURE_CONSTANTS(X)                                                            \
    HG_REFERENCE_EMI_CONSTANTS(X)                                                                  \
    HG_REFERENCE_VISIBILITY_CONSTANTS(X)                                                           \
    HG_REFERENCE_KIRCHHOFF_CONSTANTS(X)

#define HG_SERIAL_CONSTANTS(X) HG_CPU_CONSTANTS(X) HG_REFERENCE_CONSTANTS(X)

enum {
    HG_SERIAL_LAST_SHARED = HG_CPU_N_CONSTANTS - 1,
    HG_REFERENCE_CONSTANTS(HG_CONSTANT_INDEX) HG_SERIAL_N_CONSTANTS
};

#endif
