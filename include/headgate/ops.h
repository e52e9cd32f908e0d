/* SPDX-License-Identifier: BSD-3-Clause */
/* The operations: their numbers and words, and the headers of the four families.
 *
 * Each operation OP has four functions; arguments are engine or plan, context, params, inputs,
 * outputs:
 *
 *     hgate_OP          checks, chooses a kernel, runs it, frees what it needed
 *     hgate_OP_plan     checks and chooses once, for arrays of these shapes; data may be NULL but
 *                       in arrays that the plan keeps; freed by hgate_plan_free()
 *     hgate_OP_run      runs a plan on arrays of the same shapes and types, allocating nothing
 *     hgate_OP_explain  makes a trace of what would be chosen and runs nothing; data may be NULL;
 *                       freed by hgate_trace_free()
 *
 * kirchhoff_forward and kirchhoff_adjoint share the plan of hgate_kirchhoff_plan().
 *
 * Context NULL and params NULL mean the defaults. Arrays belong to the caller, are in row-major
 * order without gaps and all on one device. On the host the work is done when a call returns; on a
 * device it is queued on the stream of the context. Any number of threads may call at once, each
 * with a context of its own or with none.
 *
 * A call returns HGATE_OK or a negative status with a text in hgate_last_error(). Beside what a
 * function names it may be EINVAL (an argument is NULL), EABI, EDTYPE, ESHAPE, ESTRIDE, EDEVICE,
 * EOVERLAP, ENOMEM, ENOKERNEL, EDISABLED, ESTOPPED, on a device EDEVICE_LOST and EFORK. A refused
 * call leaves every output as it was. */
#ifndef HEADGATE_OPS_H
#define HEADGATE_OPS_H

#include "curvature.h"
#include "emi.h"
#include "kirchhoff.h"
#include "visibility.h"

#ifdef __cplusplus
extern "C" {
#endif

/** X(NUMBER, WORD, FAMILY): the word is the same in function, configuration, trace and command. The
 *  numbers are part of the plugin ABI: new operations go to the end. */
#define HGATE_OP_LIST(X)                                                                           \
    X(CURVATURE, curvature, curvature)                                                             \
    X(CURVATURE_KERNEL, curvature_kernel, curvature)                                               \
    X(CURVATURE_DIRTY, curvature_dirty, curvature)                                                 \
    X(CURVATURE_DATA_VECTOR, curvature_data_vector, curvature)                                     \
    X(EMI, emi, emi)                                                                               \
    X(EVD, evd, emi)                                                                               \
    X(DS_TEMP_COH, ds_temp_coh, emi)                                                               \
    X(VISIBILITY, visibility, visibility)                                                          \
    X(VISIBILITY_HORIZON, visibility_horizon, visibility)                                          \
    X(VISIBILITY_ANGLES, visibility_angles, visibility)                                            \
    X(VISIBILITY_BEAM, visibility_beam, visibility)                                                \
    X(VISIBILITY_TAU, visibility_tau, visibility)                                                  \
    X(VISIBILITY_Z, visibility_z, visibility)                                                      \
    X(VISIBILITY_GRAM, visibility_gram, visibility)                                                \
    X(VISIBILITY_PRODUCT, visibility_product, visibility)                                          \
    X(VISIBILITY_PAIRS, visibility_pairs, visibility)                                              \
    X(KIRCHHOFF_FORWARD, kirchhoff_forward, kirchhoff)                                             \
    X(KIRCHHOFF_ADJOINT, kirchhoff_adjoint, kirchhoff)                                             \
    X(KIRCHHOFF_TRAVELTIME, kirchhoff_traveltime, kirchhoff)                                       \
    X(KIRCHHOFF_ANGLES, kirchhoff_angles, kirchhoff)                                               \
    X(KIRCHHOFF_SPREADING, kirchhoff_spreading, kirchhoff)                                         \
    X(KIRCHHOFF_STATION_INDEX, kirchhoff_station_index, kirchhoff)                                 \
    X(KIRCHHOFF_WAVELET, kirchhoff_wavelet, kirchhoff)                                             \
    X(KIRCHHOFF_CONVOLVE, kirchhoff_convolve, kirchhoff)

#define HGATE_OP_ENUM_(NUMBER, WORD, FAMILY) HGATE_OP_##NUMBER,
enum hgate_op { HGATE_OP_LIST(HGATE_OP_ENUM_) HGATE_OP_COUNT };
#undef HGATE_OP_ENUM_

/** Word of an operation, "visibility_gram"; NULL for other numbers. MT-Safe. */
HGATE_API const char *hgate_op_name(int op);
/** Number of a word, -1 when there is none. MT-Safe. */
HGATE_API int hgate_op_find(const char *word);

#ifdef __cplusplus
}
#endif
#endif
