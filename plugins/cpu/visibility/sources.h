/* SPDX-License-Identifier: BSD-3-Clause */
/* Sources of the fused call: which are up, in what order, in which chunks. */
#ifndef HG_CPU_SOURCES_H
#define HG_CPU_SOURCES_H

#include "headgate/plugin_util.h"
#include "plugins/cpu/view.h"
#include "plugins/cpu/visibility/sky.h"
#include "plugins/visibility_plan.h"

#include <inttypes.h>

/* Where a source stands in the grid of the first beam. */
typedef struct hg_cell {
    int64_t source;
    int32_t row, column;
} hg_cell;

/* Sources above the horizon: first those with flux >= 0 (or all), then those with negative flux
 * when it is signed. */
typedef struct hg_sources {
    int64_t *up; /* indices, room for nsrc */
    int64_t n_plus, n_up;
    int64_t chunk;    /* sources per chunk at most */
    hg_cell *cell[2]; /* room for the sort, nsrc each; absent where there is none */
    int64_t *count;   /* room for the longer side of the grid and one more */
} hg_sources;

/* Fills sources->up. With is_signed the negative sources go to the end; the order is kept inside
 * each group. */
static inline void hg_sources_find(hg_sources *sources, hg_reals crd, hg_reals flux, int64_t nsrc,
                                   int is_signed)
{
    int64_t n = 0;
    for (int negative = 0; negative <= (is_signed ? 1 : 0); negative++) {
        for (int64_t s = 0; s < nsrc; s++)
            if (hg_is_up(hg_real(crd, s), hg_real(crd, nsrc + s), hg_real(crd, 2 * nsrc + s)) &&
                (is_signed && hg_real(flux, s) < 0.0) == negative)
                sources->up[n++] = s;
        if (!negative)
            sources->n_plus = n;
    }
    sources->n_up = n;
}

/* Makes at least min_chunks chunks of what is up. */
static inline void hg_sources_split(hg_sources *sources, int64_t min_chunks)
{
    if (sources->n_up == 0 || min_chunks < 2)
        return;
    int64_t most = (sources->n_up - 1) / min_chunks + 1;
    if (sources->chunk > most)
        sources->chunk = most;
}

/* One chunk: positions [start, start + n) of up, all of one sign. */
typedef struct hg_chunk {
    int64_t start, n;
    double sign;
} hg_chunk;

/* The chunk that starts at a position; n is 0 behind the last source. */
static inline hg_chunk hg_chunk_at(const hg_sources *sources, int64_t start)
{
    int64_t end = start < sources->n_plus ? sources->n_plus : sources->n_up;
    int64_t n = end - start < sources->chunk ? end - start : sources->chunk;
    return (hg_chunk){start, n, start < sources->n_plus ? 1.0 : -1.0};
}

/* Number of chunks, and the c-th. */
static inline int64_t hg_chunks(const hg_sources *sources, int64_t n)
{
    return (n + sources->chunk - 1) / sources->chunk;
}

static inline int64_t hg_chunk_count(const hg_sources *sources)
{
    return hg_chunks(sources, sources->n_plus) +
           hg_chunks(sources, sources->n_up - sources->n_plus);
}

static inline hg_chunk hg_chunk_nth(const hg_sources *sources, int64_t c)
{
    int64_t plus = hg_chunks(sources, sources->n_plus);
    return hg_chunk_at(sources, c < plus ? c * sources->chunk
                                         : sources->n_plus + (c - plus) * sources->chunk);
}

#endif
