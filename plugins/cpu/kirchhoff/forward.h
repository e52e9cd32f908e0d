/* SPDX-License-Identifier: BSD-3-Clause */
/* The inner loop of demigration: tiles scattered into pair buffers of some traces. */
#ifndef HG_CPU_FORWARD_H
#define HG_CPU_FORWARD_H

#include "plugins/cpu/kirchhoff/tables.h"

/* Traces of some neighbouring sources and receivers. */
typedef struct hg_traces {
    int64_t source, n_sources;
    int64_t receiver, n_receivers;
} hg_traces;

/* Sums of a trace in two parts: sample k is a[k] - b[k] + b[k-1]. Two copies of (a, b) per sample
 * take turns, so that neighbouring points rarely wait for each other's sum; the last sample of a
 * copy collects what lies outside. */
enum { HG_PAIR_COPIES = 2 };

typedef struct hg_forward_fns {
    /* buffers (n_sources, n_receivers, HG_PAIR_COPIES, nt, 2) += the points of tiles [from, to).
     * model is packed like the tables; tiles with is_zero set are left out. */
    void (*scatter)(const hg_tables *t, const hg_traces *traces, int64_t from, int64_t to,
                    const void *model, const unsigned char *is_zero, void *buffers);
    /* Adds the copies of one trace to sums (nt, 2), or puts them there. */
    void (*collect)(const void *copies, int64_t nt, int is_first, void *sums);
    /* trace[k] = a[k] - b[k] + b[k-1]. */
    void (*resolve)(const void *sums, int64_t nt, void *trace);
    /* data = alpha trace + beta data; trace is not read for alpha 0, data not for beta 0. */
    void (*output)(const void *trace, int64_t nt, double alpha, double beta, void *data);
} hg_forward_fns;

/* By precision, for each instruction set. */
extern const hg_forward_fns hg_baseline_forward[2], hg_avx2_forward[2], hg_avx512_forward[2];

#endif
