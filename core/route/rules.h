/* SPDX-License-Identifier: BSD-3-Clause */
/* What routing reads of the configuration: every word looked up once, when the engine opens, so
 * that a call meets plain numbers. */
#ifndef HG_ROUTE_RULES_H
#define HG_ROUTE_RULES_H

#include "core/config/config.h"
#include "headgate/ops.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The key that decided something and where it was set; key NULL: nothing did. */
typedef struct hg_cause {
    const char *key;
    const char *origin;
} hg_cause;

/** routing.force.<op>; plugin NULL: nothing is forced. */
typedef struct hg_force {
    const char *plugin;
    const char *kernel; /* NULL: any of the plugin */
    const char *origin;
} hg_force;

/** Which failures let the next kernel try: HG_FALLBACK_MEMORY ENOMEM, HG_FALLBACK_ANY also a busy
 * or unavailable device. */
typedef enum hg_fallback { HG_FALLBACK_NEVER, HG_FALLBACK_MEMORY, HG_FALLBACK_ANY } hg_fallback;

/** ops.curvature.fft and .direct. */
typedef enum hg_route_word { HG_ROUTE_AUTO, HG_ROUTE_OFF, HG_ROUTE_FORCE } hg_route_word;

typedef struct hg_rules {
    const hg_config *config;
    bool is_deterministic;
    bool stages_host_input;
    bool orders_by_preference; /* routing.strategy: prefer */
    hg_fallback fallback;
    double tie_margin;
    size_t host_limit; /* bytes of workspace; 0: none */
    size_t device_limit;
    int max_threads; /* threads.max; 0: automatic */
    bool logs_decisions;
    bool measures; /* trace.timing */
    bool calls_range_hooks;

    hg_cause op_off[HGATE_OP_COUNT];
    hg_force force[HGATE_OP_COUNT];

    /* gates, as numbers: see gates.c for what they mean */
    double max_work_fraction; /* 0: never */
    double kappa;             /* 0: auto */
    int64_t warp_max_images;  /* 0: never */
    int64_t rows_max_images; /* 0: what the device allows, -1: never; block and herk the same way */
    int64_t block_max_images;
    int64_t herk_min_antennas;
    bool gemm3m_is_off;
    size_t max_table_bytes; /* 0: no limit */
    int64_t cuda_min_pairs;

    /* options that refuse kernels */
    bool exact_triangle;
    hg_route_word fft, direct;
    size_t curvature_limit;    /* bytes of workspace; 0: none */
    int matprod;               /* enum hgate_matprod */
    int64_t emi_thread_points; /* fewer points: one thread */
} hg_rules;

/** Reads the rules. `config` must outlive them. */
void hg_rules_read(const hg_config *config, hg_rules *rules);

/** Word of a product kernel (enum hgate_matprod), NULL for auto and other numbers. */
const char *hg_matprod_word(int matprod);

#endif
