/* SPDX-License-Identifier: BSD-3-Clause */
/* The catalog: made once at open, read-only afterwards but for the health counters. */
#include "core/route/candidates.h"

#include "core/base/error.h"
#include "core/route/gates.h"
#include "core/tensor/op_table.h"

#include <stdlib.h>
#include <string.h>

/* Bytes between host and device cost this much where the plugin declares no constant of that name:
 * 10 GB/s, what pageable memory reaches on common links. Not measured here. */
static const double default_stage_per_byte = 1e-10;
static const char stage_constant[] = "stage_per_byte";

struct hg_catalog {
    const hg_allocator *allocator;
    const hg_rules *rules;
    const hg_calib *calib;
    int n_backends;
    hg_backend *backends;
    atomic_ullong *lost;
    int n;
    hg_candidate *items;
    hg_kernel_health *health;
    hg_candidates lists[HGATE_OP_COUNT];
    int longest;
    bool has_device;
    atomic_ullong *decisions;
};

/* ---- names -------------------------------------------------------------- */

/* The kernels of the vocabulary, in the order in which equals are taken: what needs no special case
 * first. */
static const char *const vocabulary[] = {
    "full",        "symmetric", "pair",    "fft",     "warp", "rows",   "block",
    "interleaved", "single",    "pivoted", "library", "herk", "gemm",   "gemm3m",
    "herk3",       "zherk",     "fp16x3",  "tf32x3",  "dot",  "window", "gather",
    "scatter",     "atomic",    "direct",  NULL,
};

static int rank_of(const char *kernel)
{
    int rank = 0;
    while (vocabulary[rank] && strcmp(vocabulary[rank], kernel) != 0) {
        rank++;
    }
    return rank;
}

static int preference_of(const hg_rules *rules, const char *plugin)
{
    const size_t n = hg_config_count(rules->config, "routing.prefer");
    size_t i = 0;
    while (i < n && strcmp(hg_config_item(rules->config, "routing.prefer", i), plugin) != 0) {
        i++;
    }
    return (int)i;
}

/* ---- backends ----------------------------------------------------------- */

static void set_constants(hg_backend *backend, const hg_calib *calib, int i)
{
    const hgate_plugin *descriptor = backend->plugin->descriptor;
    backend->constants = hg_calib_constants(calib, i);
    backend->stage_per_byte = default_stage_per_byte;
    for (uint32_t k = 0; k < descriptor->n_constants; k++) {
        if (hg_calib_source(calib, i, (int)k) != HG_CONSTANT_DEFAULT) {
            backend->is_calibrated = true;
        }
        if (strcmp(descriptor->constants[k]->name, stage_constant) == 0) {
            backend->stage_per_byte = backend->constants[k];
        }
    }
}

static void make_backends(hg_catalog *catalog, const hg_plugin *const *plugins)
{
    for (int i = 0; i < catalog->n_backends; i++) {
        hg_backend *backend = &catalog->backends[i];
        backend->plugin = plugins[i];
        backend->index = i;
        backend->preference = preference_of(catalog->rules, plugins[i]->name);
        backend->lost = &catalog->lost[i];
        hg_config_killed_plugin(catalog->rules->config, plugins[i]->name, &backend->off.key,
                                &backend->off.origin);
        set_constants(backend, catalog->calib, i);
    }
}

/* ---- candidates --------------------------------------------------------- */

static int by_op_plugin_kernel(const void *left, const void *right)
{
    const hg_candidate *a = left, *b = right;
    if (a->kernel->op != b->kernel->op) {
        return a->kernel->op < b->kernel->op ? -1 : 1;
    }
    const int order = strcmp(a->backend->plugin->name, b->backend->plugin->name);
    return order ? order : strcmp(a->kernel->name, b->kernel->name);
}

static void make_candidate(hg_catalog *catalog, hg_candidate *candidate, const hg_backend *backend,
                           const hgate_kernel *kernel)
{
    candidate->backend = backend;
    candidate->kernel = kernel;
    candidate->gates = hg_gates_naming(kernel->op, kernel->name);
    candidate->outside = hg_gates_not_naming(kernel->op, kernel->name);
    candidate->plain = -1;
    candidate->whole = -1;
    hg_config_killed_kernel(catalog->rules->config, hg_op_row(kernel->op)->word,
                            backend->plugin->name, kernel->name, &candidate->off.key,
                            &candidate->off.origin);
    if (kernel->spaces & (HGATE_SPACE_CUDA | HGATE_SPACE_CUDA_MANAGED)) {
        catalog->has_device = true;
    }
}

static void split_by_op(hg_catalog *catalog)
{
    int begin = 0;
    for (int op = 0; op < HGATE_OP_COUNT; op++) {
        int end = begin;
        while (end < catalog->n && catalog->items[end].kernel->op == op) {
            end++;
        }
        catalog->lists[op] = (hg_candidates){end - begin, catalog->items + begin};
        catalog->longest = end - begin > catalog->longest ? end - begin : catalog->longest;
        begin = end;
    }
}

static int find(hg_candidates list, const char *plugin, const char *kernel)
{
    for (int i = 0; i < list.n; i++) {
        if (strcmp(list.items[i].backend->plugin->name, plugin) == 0 &&
            strcmp(list.items[i].kernel->name, kernel) == 0) {
            return i;
        }
    }
    return -1;
}

/* The kernel for data that this one must not meet: as it says itself, or `full` for the curvature
 * kernels that only finite values may reach; of the same plugin, else of the one that always has it
 * in that memory. */
static int plain_of(hg_candidates list, const hg_candidate *candidate)
{
    const char *plain = candidate->kernel->plain;
    if (!plain && (candidate->gates & HG_GATE_BIT(HG_GATE_FINITE_VALS))) {
        plain = "full";
    }
    if (!plain) {
        return -1;
    }
    const int own = find(list, candidate->backend->plugin->name, plain);
    if (own >= 0) {
        return own;
    }
    if (!(candidate->kernel->spaces & HGATE_SPACE_HOST)) {
        return find(list, "cuda", plain);
    }
    const int serial = find(list, "cpu-serial", plain);
    return serial >= 0 ? serial : find(list, "cpu-serial", "reference");
}

/* Does a come before b when nothing else tells them apart? */
static bool comes_before(const hg_candidate *a, const hg_candidate *b)
{
    int order = strcmp(a->backend->plugin->name, b->backend->plugin->name);
    if (order == 0) {
        order = rank_of(a->kernel->name) - rank_of(b->kernel->name);
    }
    return order ? order < 0 : strcmp(a->kernel->name, b->kernel->name) < 0;
}

/* Worked out here, so that decisions compare numbers and not names. */
static void take_turns(hg_catalog *catalog)
{
    for (int i = 0; i < catalog->n; i++) {
        hg_candidate *candidate = &catalog->items[i];
        const hg_candidates list = catalog->lists[candidate->kernel->op];
        for (int k = 0; k < list.n; k++) {
            candidate->turn += comes_before(&list.items[k], candidate);
        }
    }
}

static void link_kernels(hg_catalog *catalog)
{
    for (int i = 0; i < catalog->n; i++) {
        hg_candidate *candidate = &catalog->items[i];
        const hg_candidates list = catalog->lists[candidate->kernel->op];
        candidate->health = &catalog->health[i];
        candidate->plain = plain_of(list, candidate);
        if (candidate->gates & HG_GATE_BIT(HG_GATE_KAPPA)) {
            candidate->whole = find(list, candidate->backend->plugin->name, "full");
        }
    }
}

/* ---- life --------------------------------------------------------------- */

static bool allocate(hg_catalog *catalog, const hg_plugin *const *plugins)
{
    for (int i = 0; i < catalog->n_backends; i++) {
        catalog->n += plugins[i]->n_kernels;
    }
    const hg_allocator *allocator = catalog->allocator;
    const size_t n = (size_t)catalog->n, n_backends = (size_t)catalog->n_backends;
    catalog->backends = hg_calloc(allocator, n_backends, sizeof *catalog->backends);
    catalog->lost = hg_calloc(allocator, n_backends, sizeof *catalog->lost);
    catalog->items = hg_calloc(allocator, n, sizeof *catalog->items);
    catalog->health = hg_calloc(allocator, n, sizeof *catalog->health);
    catalog->decisions = hg_calloc(allocator, 1, sizeof *catalog->decisions);
    return catalog->backends && catalog->lost && catalog->items && catalog->health &&
           catalog->decisions;
}

int hg_catalog_new(const hg_rules *rules, const hg_calib *calib, const hg_plugin *const *plugins,
                   int n, const hg_allocator *allocator, hg_catalog **out)
{
    hg_catalog *catalog = hg_calloc(allocator, 1, sizeof *catalog);
    if (!catalog) {
        return hg_error_memory("list of kernels", sizeof *catalog);
    }
    catalog->allocator = allocator;
    catalog->rules = rules;
    catalog->calib = calib;
    catalog->n_backends = n;
    if (!allocate(catalog, plugins)) {
        const int n_kernels = catalog->n;
        hg_catalog_free(catalog);
        return hg_error_memory("list of kernels", (size_t)n_kernels * sizeof(hg_candidate));
    }
    make_backends(catalog, plugins);
    int at = 0;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < plugins[i]->n_kernels; k++) {
            make_candidate(catalog, &catalog->items[at++], &catalog->backends[i],
                           plugins[i]->kernels[k]);
        }
    }
    qsort(catalog->items, (size_t)catalog->n, sizeof *catalog->items, by_op_plugin_kernel);
    split_by_op(catalog);
    take_turns(catalog);
    link_kernels(catalog);
    *out = catalog;
    return HGATE_OK;
}

void hg_catalog_free(hg_catalog *catalog)
{
    if (!catalog) {
        return;
    }
    hg_free(catalog->allocator, catalog->backends);
    hg_free(catalog->allocator, catalog->lost);
    hg_free(catalog->allocator, catalog->items);
    hg_free(catalog->allocator, catalog->health);
    hg_free(catalog->allocator, catalog->decisions);
    hg_free(catalog->allocator, catalog);
}

const hg_rules *hg_catalog_rules(const hg_catalog *catalog)
{
    return catalog->rules;
}

const hg_calib *hg_catalog_calib(const hg_catalog *catalog)
{
    return catalog->calib;
}

hg_candidates hg_catalog_list(const hg_catalog *catalog, int op)
{
    return catalog->lists[op];
}

int hg_catalog_longest(const hg_catalog *catalog)
{
    return catalog->longest;
}

bool hg_catalog_has_device(const hg_catalog *catalog)
{
    return catalog->has_device;
}

uint64_t hg_catalog_next_decision(const hg_catalog *catalog)
{
    return atomic_fetch_add_explicit(catalog->decisions, 1, memory_order_relaxed) + 1;
}

/* ---- lost devices ------------------------------------------------------- */

/* Devices from number 63 on share a bit: a machine with so many loses them together. */
static unsigned long long device_bit(int device_id)
{
    return 1ULL << (device_id < 0 || device_id > 63 ? 63 : device_id);
}

bool hg_backend_is_lost(const hg_backend *backend, int device_id)
{
    return (atomic_load_explicit(backend->lost, memory_order_relaxed) & device_bit(device_id)) != 0;
}

void hg_backend_lose(const hg_backend *backend, int device_id)
{
    atomic_fetch_or_explicit(backend->lost, device_bit(device_id), memory_order_relaxed);
}

void hg_catalog_lose(const hg_catalog *catalog, int i, int device_id)
{
    hg_backend_lose(&catalog->backends[i], device_id);
}
