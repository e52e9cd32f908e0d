/* SPDX-License-Identifier: BSD-3-Clause */
/* Z of one chunk of sources for the fused call. */
#ifndef HG_CPU_FILL_H
#define HG_CPU_FILL_H

#include "plugins/cpu/visibility/inputs.h"
#include "plugins/cpu/visibility/sources.h"

/* Memory for one chunk; pieces of the workspace. */
typedef struct hg_fill {
    double *crd;            /* (chunk, 3) */
    double *amp;            /* (chunk) */
    double *angles;         /* (chunk, 2): azimuth, zenith angle */
    double complex *values; /* (nfeed, nax, chunk): one beam */
    void *Z;                /* (nant nfeed, nax chunk) in the precision of the call */
} hg_fill;

void hg_fill_lay_out(hgate_scratch *scratch, const hg_visibility_inputs *in, int64_t chunk,
                     hg_fill *fill);
/* Directions, angles and amplitudes of a chunk. */
void hg_fill_load(const hg_visibility_inputs *in, const hg_sources *sources, hg_chunk chunk,
                  hg_fill *fill);
/* All of Z of the loaded chunk; its rows are nax n long. */
void hg_fill_z(const hg_visibility_inputs *in, hg_chunk chunk, hg_fill *fill);
/* EVALUE for the first interpolated power of the loaded chunk that is below 0. */
int hg_fill_check_power(const hgate_host *host, const hg_visibility_inputs *in,
                        const hg_sources *sources, hg_chunk chunk, hg_fill *fill);

#endif
