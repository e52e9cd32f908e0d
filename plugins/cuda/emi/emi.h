/* SPDX-License-Identifier: BSD-3-Clause */
/* The emi family of the cuda plugin: kernels and cost constants. */
#ifndef HG_CUDA_EMI_H
#define HG_CUDA_EMI_H

#include "plugins/cuda/emi/emi_args.h"
#include "plugins/cuda/runtime/state.h"

#define HG_CUDA_EMI_KERNELS(X)                                                                     \
    X(hg_cuda_emi_warp)                                                                            \
    X(hg_cuda_emi_rows)                                                                            \
    X(hg_cuda_emi_block)                                                                           \
    X(hg_cuda_emi_library)                                                                         \
    X(hg_cuda_evd_warp)                                                                            \
    X(hg_cuda_evd_rows)                                                                            \
    X(hg_cuda_evd_block)                                                                           \
    X(hg_cuda_evd_library)                                                                         \
    X(hg_cuda_ds_temp_coh)

extern const hgate_kernel hg_cuda_emi_warp, hg_cuda_emi_rows, hg_cuda_emi_block,
    hg_cuda_emi_library, hg_cuda_evd_warp, hg_cuda_evd_rows, hg_cuda_evd_block, hg_cuda_evd_library,
    hg_cuda_ds_temp_coh;

/* ---- start.c: what warp, rows and block share */

/* What every launch is given, from a problem of emi or evd. */
EmiArgs hg_cuda_emi_arguments(const hg_cuda_state *state, const hgate_problem *problem);
/* Refuses devices, and rules that the kernels without pivoting do not serve. */
int hg_cuda_emi_refuse(hg_cuda_state *state, const hgate_problem *problem, hgate_reason *reason);
/* How a launch would look, for explain: limit in images, threads and points of a block, blocks of a
 * multiprocessor; and where points go that it leaves, under rule fixed to library alone. */
void hg_cuda_emi_tell(const hg_cuda_state *state, const hgate_problem *problem, int64_t limit,
                      int threads, int64_t blocks, int64_t points, hgate_reason *reason);
/* Dynamic shared memory that a block may ask for on the problem's device. */
int64_t hg_cuda_emi_block_memory(const hg_cuda_state *state, const hg_cuda_device *device);
/* Blocks of a multiprocessor: what shared memory, registers and threads allow. */
int64_t hg_cuda_emi_resident(const hg_cuda_device *device, int64_t bytes, int registers,
                             int threads);
/* Workspace of a run: none, but for rule fixed. */
void hg_cuda_emi_workspace(const hg_cuda_state *state, const hgate_problem *problem,
                           hgate_estimate *est);
/* Runs a problem whose kernel is started by `launch`; what it leaves goes to again, and to library
 * under rule fixed. */
typedef cudaError_t hg_cuda_emi_launch(hg_cuda_state *state, const hgate_problem *problem,
                                       const EmiArgs *args, cudaStream_t stream);
int hg_cuda_emi_start(hg_cuda_state *state, const hgate_problem *problem, hgate_run *run,
                      hg_cuda_emi_launch *launch);

/* ---- again.c */

/* Whether what float32 does not hold of a problem is left to kernel again. */
bool hg_cuda_emi_is_followed(const hg_cuda_state *state, const hgate_problem *problem);
/* Solves the points that carry the mark of trust.cuh. */
cudaError_t hg_cuda_emi_again(const hg_cuda_state *state, const hgate_problem *problem,
                              const EmiArgs *args, cudaStream_t stream);

/* ---- library.c */

/* Points of a problem for kernel library, and memory for its chunks. */
typedef struct hg_cuda_emi_rest {
    const int64_t *index; /* on the device; NULL: all points, in their order */
    int64_t count;
    void *device, *host;
    size_t device_bytes, host_bytes;
} hg_cuda_emi_rest;

/* Of the solver's host workspace, which was 0 wherever it was looked at. */
enum { HG_CUDA_EMI_LIBRARY_HOST = 1 << 16 };
/* Device memory for `points` points, which go through in chunks where that is more than
 * ops.emi.cuda.workspace_mb. */
size_t hg_cuda_emi_library_bytes(const hg_cuda_state *state, size_t points, size_t n);
int hg_cuda_emi_library_supports(void *state, const hgate_problem *problem, hgate_reason *reason);
int hg_cuda_emi_library_run(hg_cuda_state *state, const hgate_problem *problem, hgate_run *run,
                            const hg_cuda_emi_rest *rest);

/* A wave is one filling of the device with points; its steps, one an image, wait for barriers and
 * sums. Flops count as a multiprocessor's share. Values from one H200 (n = 10 to 196, batches that
 * fill the device). */
#define HG_CUDA_EMI_CONSTANTS(X)                                                                   \
    X(emi_warp_step, "s", 3.3e-6, 1e-8, 1e-4, "kernel warp: one image of a wave")                  \
    X(emi_warp_flop, "s/flop", 2e-12, 1e-14, 1e-8, "kernel warp: a flop of a multiprocessor")      \
    X(emi_rows_step, "s", 3.1e-6, 1e-8, 1e-4, "kernel rows: one image of a wave")                  \
    X(emi_rows_flop, "s/flop", 4.3e-12, 1e-14, 1e-8, "kernel rows: a flop of a multiprocessor")    \
    X(emi_block_step, "s", 7.5e-6, 1e-8, 1e-4, "kernel block: one image of a wave")                \
    X(emi_block_flop, "s/flop", 2.7e-11, 1e-14, 1e-8, "kernel block: a flop of a multiprocessor")  \
    X(emi_library_step, "s/n", 9.4e-6, 1e-8, 1e-2, "kernel library: one image of a chunk")         \
    X(emi_library_n3, "s/n^3", 2.7e-11, 1e-14, 1e-8, "kernel library: n^3 of a point")             \
    X(emi_byte, "s/byte", 2.6e-13, 1e-14, 1e-9, "device memory read or written by emi kernels")

#endif
