/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches of the set-up operations. */
#ifndef HG_CUDA_KIRCHHOFF_SETUP_H
#define HG_CUDA_KIRCHHOFF_SETUP_H

#include <cuda_runtime_api.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Axes in order: (x, z) or (y, x, z), the last one fastest. */
typedef struct hg_axes {
    int n, lateral; /* which one is x */
    int64_t size[3];
    double origin[3], step[3];
} hg_axes;

/* What the operations over a grid are given; each reads what it needs. */
typedef struct hg_setup {
    hg_axes axes;
    const void *in; /* stations (axes, n), trav (ni, n) or dist (ni, n) */
    void *out;
    void *dist; /* of traveltime; may be NULL */
    int64_t n, entries;
    int is_64, is_wide; /* real numbers, indices */
    int ndim;
    double v, eps;
} hg_setup;

cudaError_t hg_kirchhoff_traveltime(const hg_setup *setup, cudaStream_t stream);
cudaError_t hg_kirchhoff_angles(const hg_setup *setup, cudaStream_t stream);
cudaError_t hg_kirchhoff_spreading(const hg_setup *setup, cudaStream_t stream);
cudaError_t hg_kirchhoff_station_index(const hg_setup *setup, cudaStream_t stream);

typedef struct hg_response {
    const void *wav;
    void *out;
    double *spectrum; /* (nwav / 2 + 1, 2) */
    int64_t nwav;
    int is_64, ndim;
    double dt;
} hg_response;

cudaError_t hg_kirchhoff_wavelet(const hg_response *response, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
