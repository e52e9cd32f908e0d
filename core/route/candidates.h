/* SPDX-License-Identifier: BSD-3-Clause */
/* Every kernel that an engine has, by operation, in one fixed order: the list that each decision
 * walks through. */
#ifndef HG_ROUTE_CANDIDATES_H
#define HG_ROUTE_CANDIDATES_H

#include "core/calib/calib.h"
#include "core/plugin/registry.h"
#include "core/route/rules.h"

#include <stdatomic.h>

/** The only things that change while an engine is open. Relaxed counters: a decision that misses
 * the newest value is a decision a moment earlier. */
typedef struct hg_kernel_health {
    atomic_uint bad_estimates;
    atomic_uint warned; /* bit -status: the fallback for this status was logged */
} hg_kernel_health;

/** A usable plugin, as routing sees it. */
typedef struct hg_backend {
    const hg_plugin *plugin;
    int index;               /* among the usable plugins */
    const double *constants; /* in force */
    bool is_calibrated;      /* constants were measured here or set, not just the defaults */
    double stage_per_byte;   /* seconds per byte copied between host and device */
    int preference;          /* place in routing.prefer; unnamed plugins share the last one */
    hg_cause off;            /* kill switch */
    atomic_ullong *lost;     /* bit for each device that failed for good */
} hg_backend;

/** A kernel of an operation. */
typedef struct hg_candidate {
    const hg_backend *backend;
    const hgate_kernel *kernel;
    hg_cause off;
    uint32_t gates;   /* bit for each gate (gates.h) that names this kernel */
    uint32_t outside; /* bit for each gate that may refuse what it does not name */
    int turn;         /* among equals: by plugin name, then the vocabulary, then kernel name */
    int plain;        /* candidate for data that this kernel must not meet, -1: none */
    int whole;        /* symmetric curvature: the full kernel of the same plugin, else -1 */
    hg_kernel_health *health;
} hg_candidate;

typedef struct hg_candidates {
    int n;
    const hg_candidate *items; /* by plugin name, then kernel name */
} hg_candidates;

typedef struct hg_catalog hg_catalog;

/** Lists the kernels of n usable plugins. Rules, plugins and calibration must outlive the catalog.
 */
int hg_catalog_new(const hg_rules *rules, const hg_calib *calib, const hg_plugin *const *plugins,
                   int n, const hg_allocator *allocator, hg_catalog **out);
void hg_catalog_free(hg_catalog *catalog);

const hg_rules *hg_catalog_rules(const hg_catalog *catalog);
const hg_calib *hg_catalog_calib(const hg_catalog *catalog);
hg_candidates hg_catalog_list(const hg_catalog *catalog, int op);
/** Longest list of all operations. */
int hg_catalog_longest(const hg_catalog *catalog);
/** Has any plugin kernels for device memory? */
bool hg_catalog_has_device(const hg_catalog *catalog);
/** A number that no other decision of this engine has. */
uint64_t hg_catalog_next_decision(const hg_catalog *catalog);

/** Is the device marked as failed; mark it. */
bool hg_backend_is_lost(const hg_backend *backend, int device_id);
void hg_backend_lose(const hg_backend *backend, int device_id);
/** The same for the i-th usable plugin. */
void hg_catalog_lose(const hg_catalog *catalog, int i, int device_id);

#endif
