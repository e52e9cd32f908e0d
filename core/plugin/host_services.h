/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of functions that one engine hands to one plugin. Plugins link to nothing; this is all
 * they have. */
#ifndef HG_PLUGIN_HOST_SERVICES_H
#define HG_PLUGIN_HOST_SERVICES_H

#include "core/base/alloc.h"
#include "core/base/log.h"
#include "core/config/config.h"

#include <headgate/plugin.h>

/* Filled by hg_host_init() and not moved afterwards. What it points to belongs to the engine. */
typedef struct hg_host {
    hgate_host table; /* table.context leads back to here */
    const hg_allocator *allocator;
    hg_log *log;
    const hg_config *config;
    const char *plugin; /* its name */
    bool is_blas_left;  /* threads.blas: leave */
    int most_threads;   /* threads.max; 0: no limit */
    int openmp_threads; /* OMP_NUM_THREADS, counts where threads.max is 0; 0: not set */
    int quota;          /* threads that the control groups grant; 0: no limit */
} hg_host;

void hg_host_init(hg_host *host, const hg_config *config, const hg_allocator *allocator,
                  hg_log *log, const char *plugin);

/* Processors that this thread may run on. */
int hg_affinity_count(void);

/* Where the ranges go that plugins push on this thread. */
typedef struct hg_range_sink {
    void (*push)(void *user, const char *name);
    void (*pop)(void *user);
    void *user;
} hg_range_sink;

/* Sets the calling thread's sink (NULL: nowhere, as at first) and gives the one before. It has to
 * live until the next call; the engine sets it around a run and puts the old one back. */
const hg_range_sink *hg_host_ranges(const hg_range_sink *sink);

#endif
