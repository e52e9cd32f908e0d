/* SPDX-License-Identifier: BSD-3-Clause */
/* What a plan of kernel fft keeps: spectra of w, and a cuFFT plan without memory of its own. */
#ifndef HG_CUDA_CURVATURE_FFT_PLAN_H
#define HG_CUDA_CURVATURE_FFT_PLAN_H

#include "plugins/cuda/curvature/extent.h"
#include "plugins/cuda/curvature/fft.h"
#include "plugins/cuda/runtime/pool.h"
#include <pthread.h>

/* A batch is transformed in place; cuFFT was seen to want as much again, it gets twice that. */
enum { HG_FFT_PLANES = 3, HG_FFT_SPARE_BYTES = 1 << 20, HG_FFT_LONGEST = 65535 };

typedef struct hg_cuda_fft_plan {
    hg_cuda_extent *extent;
    CurvatureSpectra spectra;
    void *memory;
    int batch;            /* columns of an inverse transform */
    pthread_mutex_t lock; /* of the cuFFT plan: a user sets its stream and work area */
    cufftHandle inverse;
    size_t work_bytes;
    const hg_cuda_calls *calls; /* NULL: there is no cuFFT plan yet */
} hg_cuda_fft_plan;

/* 0 where a period is longer than HG_FFT_LONGEST. */
int hg_cuda_fft_cut(const hg_cuda_state *state, const hgate_problem *problem, CurvatureCut *cut);
/* Bytes of a transformed column; columns of a batch; bytes of a plan. */
size_t hg_cuda_fft_plane(const hgate_problem *problem, const CurvatureCut *cut);
int hg_cuda_fft_batch(const hg_cuda_state *state, const hgate_problem *problem,
                      const CurvatureCut *cut);
size_t hg_cuda_fft_plan_bytes(const hg_cuda_state *state, const hgate_problem *problem,
                              const CurvatureCut *cut);

/* hgate_kernel.prepare and .discard */
int hg_cuda_fft_prepare(void *state, const hgate_problem *problem, const hgate_run *run,
                        void **prepared);
void hg_cuda_fft_discard(void *state, void *prepared);

#endif
