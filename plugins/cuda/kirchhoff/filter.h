/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches that work on traces: convolution with a wavelet, scaling. */
#ifndef HG_CUDA_KIRCHHOFF_FILTER_H
#define HG_CUDA_KIRCHHOFF_FILTER_H

#include <cuda_runtime_api.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* out[n] = alpha sum_q w[q] in[n - q + wavc] + beta out[n], adjoint sum_q w[q] in[n + q - wavc];
 * in, out (traces, nt), zeros outside. beta 0: out is not read. */
typedef struct hg_filter {
    const void *wav, *in;
    void *out;
    int64_t nwav, wavc, nt, traces;
    double alpha, beta;
    int is_64, is_adjoint;
} hg_filter;

cudaError_t hg_kirchhoff_filter(const hg_filter *filter, cudaStream_t stream);

/* values = beta values; 0 fills with zeros. */
typedef struct hg_scaling {
    void *values;
    int64_t count;
    double beta;
    int is_64;
} hg_scaling;

cudaError_t hg_kirchhoff_scale(const hg_scaling *scaling, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
