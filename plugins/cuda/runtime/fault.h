/* SPDX-License-Identifier: BSD-3-Clause */
/* What kernels find wrong in device data: noted on the device, told by the next wait for the
 * stream.
 *
 * The first fault of a run is the least key, whatever the order in which threads find them. Kernels
 * that write outputs look at it first, so that a faulty run leaves them as they were. */
#ifndef HG_CUDA_FAULT_H
#define HG_CUDA_FAULT_H

#include "plugins/cuda/runtime/state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is wrong. Lower ones win, so they stand in the order in which the host checks its arrays. */
enum hg_cuda_fault_kind {
    HG_FAULT_BEAM_IDX,
    HG_FAULT_PAIRS,
    HG_FAULT_ANTPOS,
    HG_FAULT_DAZ,
    HG_FAULT_DZA,
    HG_FAULT_AZ0,
    HG_FAULT_ZA0,
    HG_FAULT_TURN, /* columns that do not make one turn */
    HG_FAULT_FLUX,
    HG_FAULT_FLUX_NEGATIVE,
    HG_FAULT_CRD,
    HG_FAULT_LENGTH, /* a direction that is no unit vector */
    HG_FAULT_N_UP,
    HG_FAULT_POWER, /* a power below 0 that should have a root */
    HG_CUDA_N_FAULT_KINDS
};

enum { HG_FAULT_SHIFT = 48 }; /* key: kind << 48 | position */
#define HG_FAULT_NONE (~0ULL) /* bytes of 0xFF, as a memset leaves them */
enum { HG_FAULT_BYTES = 64 }; /* of workspace that a run keeps for its key */

/* One fault in memory that both sides see. */
typedef struct hg_cuda_fault {
    unsigned long long key; /* written last; HG_FAULT_NONE: nothing to tell */
    double value;           /* what was found */
    int64_t size[4];        /* limits, or sizes that the position counts in */
} hg_cuda_fault;

/* The record of a stream, in pinned memory that kernels can write. It stays for the life of the
 * plugin. Allocates when a stream is new, also while one is captured. MT-Safe. */
int hg_cuda_fault_record(hg_cuda_state *state, int device_id, void *stream, hg_cuda_fault **record);
/* After a wait: the status of what was found on the stream, with its message, and clears it. */
int hg_cuda_fault_take(hg_cuda_state *state, int device_id, void *stream);
int hg_cuda_faults_new(const hgate_host *host, struct hg_cuda_faults **faults);
void hg_cuda_faults_free(hg_cuda_state *state);

#ifdef __cplusplus
}
#endif
#endif
