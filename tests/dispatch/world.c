// SPDX-License-Identifier: BSD-3-Clause
// Made-up plugins.
#include "tests/dispatch/world.h"

#include "core/base/error.h"
#include "core/plugin/host_services.h"

#include <check.h>
#include <headgate/engine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_kernels = 40, most_plugins = 8 };

// What the functions of a kernel need to know; they are told the plugin's state and the problem
// only, so each kernel of a plugin has functions of its own, by its number.
typedef struct made_kernel {
    hgate_kernel kernel;
    hgate_term term;
    hgate_constant constant;
    char name[32];
    double seconds;
    size_t workspace, prepared;
    bool is_threaded, is_refusing;
} made_kernel;

typedef struct made_plugin {
    char name[32];
    hgate_plugin descriptor;
    hg_plugin plugin;
    int n;
    made_kernel *kernels[most_kernels];
    const hgate_kernel *kernel_list[most_kernels];
    const hgate_constant *constant_list[most_kernels + 1];
    hgate_constant stage;
} made_plugin;

struct world {
    hgate_config *api;
    hg_config *config;
    hg_rules rules;
    hg_calib *calib;
    hg_catalog *catalog;
    hgate_trace *trace;
    int n_kernels, n_plugins;
    made_kernel kernels[most_kernels];
    made_plugin plugins[most_plugins];
    const hg_plugin *list[most_plugins];
    bool is_forked;
    int stream_device;
};

/* ---- functions of kernels, by number within the plugin --------------------- */

static int supports(const made_plugin *plugin, int i, hgate_reason *reason)
{
    if (!plugin->kernels[i]->is_refusing) {
        return HGATE_OK;
    }
    reason->code = HGATE_REFUSE_LIMIT;
    reason->value = 3;
    reason->limit = 2;
    snprintf(reason->text, sizeof reason->text, "needs 3 of what there are 2");
    return HGATE_ENOKERNEL;
}

static int estimate(const made_plugin *plugin, int i, const hgate_problem *problem,
                    const double *constants, hgate_estimate *cost)
{
    const made_kernel *made = plugin->kernels[i];
    cost->terms[0] = 1;
    cost->seconds = constants[i] / (made->is_threaded ? problem->threads : 1);
    cost->ws_host = made->workspace;
    cost->prepared_bytes = made->prepared;
    return HGATE_OK;
}

static int never_run(void *state, const hgate_problem *problem, const void *prepared,
                     hgate_run *run)
{
    (void)state, (void)problem, (void)prepared, (void)run;
    return HGATE_EINTERNAL;
}

#define NUMBERS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
#define FUNCTIONS(I)                                                                               \
    static int supports_##I(void *state, const hgate_problem *problem, hgate_reason *reason)       \
    {                                                                                              \
        (void)problem;                                                                             \
        return supports(state, I, reason);                                                         \
    }                                                                                              \
    static int estimate_##I(void *state, const hgate_problem *problem, const double *k,            \
                            hgate_estimate *cost)                                                  \
    {                                                                                              \
        return estimate(state, I, problem, k, cost);                                               \
    }
NUMBERS(FUNCTIONS)

static int (*const supports_list[])(void *, const hgate_problem *, hgate_reason *) = {
#define ENTRY(I) supports_##I,
    NUMBERS(ENTRY)
#undef ENTRY
};
static int (*const estimate_list[])(void *, const hgate_problem *, const double *,
                                    hgate_estimate *) = {
#define ENTRY(I) estimate_##I,
    NUMBERS(ENTRY)
#undef ENTRY
};

static int copy(void *state, int direction, void *device, void *host, size_t bytes, int device_id,
                void *stream)
{
    (void)state, (void)direction, (void)device, (void)host, (void)bytes, (void)device_id;
    (void)stream;
    return HGATE_OK;
}

static int ws_alloc(void *state, size_t bytes, int device_id, void *stream, void **memory)
{
    (void)state, (void)bytes, (void)device_id, (void)stream, (void)memory;
    return HGATE_ENOMEM;
}

static void ws_free(void *state, void *memory, int device_id, void *stream)
{
    (void)state, (void)memory, (void)device_id, (void)stream;
}

/* ---- reading the words ------------------------------------------------------ */

static made_plugin *find_plugin(world *w, const char *name, size_t n)
{
    for (int i = 0; i < w->n_plugins; i++) {
        if (strlen(w->plugins[i].name) == n && strncmp(w->plugins[i].name, name, n) == 0) {
            return &w->plugins[i];
        }
    }
    ck_assert_int_lt(w->n_plugins, most_plugins);
    made_plugin *plugin = &w->plugins[w->n_plugins++];
    memcpy(plugin->name, name, n);
    return plugin;
}

static void read_suffixes(made_kernel *made, const char *at)
{
    uint32_t flags = HGATE_KERNEL_DETERMINISTIC | HGATE_KERNEL_FORK_SAFE;
    while (*at) {
        char *end = (char *)at + 1;
        switch (*at) {
        case '!':
            flags &= ~(uint32_t)HGATE_KERNEL_DETERMINISTIC;
            break;
        case '*':
            flags |= HGATE_KERNEL_THREADED;
            made->is_threaded = true;
            break;
        case '~':
            flags &= ~(uint32_t)HGATE_KERNEL_FORK_SAFE;
            break;
        case '@':
            made->workspace = strtoull(at + 1, &end, 10);
            break;
        case '^':
            made->prepared = strtoull(at + 1, &end, 10);
            break;
        case '#':
            made->is_refusing = true;
            break;
        default:
            ck_abort_msg("no suffix %s", at);
        }
        at = end;
    }
    made->kernel.flags |= flags;
}

// "cuda/block=1e-3@4096"
static void add_kernel(world *w, int op, const char *word)
{
    const char *slash = strchr(word, '/');
    const char *equals = slash ? strchr(slash, '=') : NULL;
    ck_assert_msg(equals != NULL, "%s is no plugin/kernel=seconds", word);
    made_plugin *plugin = find_plugin(w, word, (size_t)(slash - word));
    ck_assert_int_lt(plugin->n, (int)(sizeof estimate_list / sizeof *estimate_list));
    made_kernel *made = &w->kernels[w->n_kernels++];
    const int i = plugin->n++;
    snprintf(made->name, sizeof made->name, "%.*s", (int)(equals - slash - 1), slash + 1);
    char *end;
    made->seconds = strtod(equals + 1, &end);
    made->term = (hgate_term){"call", i};
    made->constant = (hgate_constant){
        sizeof made->constant, made->name, "s", made->seconds, -1e300, 1e300, "",
    };
    made->kernel = (hgate_kernel){
        .struct_size = sizeof made->kernel,
        .op = op,
        .name = made->name,
        .dtypes = HGATE_F32 | HGATE_F64 | HGATE_C64 | HGATE_C128,
        .spaces = strncmp(plugin->name, "cuda", 4) == 0 ? HGATE_SPACE_CUDA : HGATE_SPACE_HOST,
        .flags = strcmp(made->name, "reference") == 0 ? HGATE_KERNEL_REFERENCE : 0,
        .n_terms = 1,
        .terms = &made->term,
        .supports = supports_list[i],
        .estimate = estimate_list[i],
        .run = never_run,
    };
    read_suffixes(made, end);
    plugin->kernels[i] = made;
    plugin->kernel_list[i] = &made->kernel;
    plugin->constant_list[i] = &made->constant;
}

static void finish_plugin(made_plugin *plugin)
{
    plugin->stage =
        (hgate_constant){sizeof plugin->stage, "stage_per_byte", "s/byte", 1e-9, 0, 1, ""};
    plugin->constant_list[plugin->n] = &plugin->stage;
    const bool is_device = strncmp(plugin->name, "cuda", 4) == 0;
    plugin->descriptor = (hgate_plugin){
        .name = plugin->name,
        .n_kernels = (uint32_t)plugin->n,
        .kernels = plugin->kernel_list,
        .n_constants = (uint32_t)plugin->n + 1,
        .constants = plugin->constant_list,
        .ws_alloc = is_device ? ws_alloc : NULL,
        .ws_free = is_device ? ws_free : NULL,
        .copy = is_device ? copy : NULL,
    };
    plugin->plugin = (hg_plugin){
        .name = plugin->name,
        .status = HGATE_PLUGIN_USABLE,
        .reason = "",
        .descriptor = &plugin->descriptor,
        .state = plugin,
        .n_kernels = plugin->n,
        .kernels = plugin->kernel_list,
    };
}

/* ---- life -------------------------------------------------------------------- */

static void read_config(world *w, const char *config)
{
    char text[2048];
    const int n = snprintf(text, sizeof text, "version: 1\n%s\n", config ? config : "");
    ck_assert_int_lt(n, (int)sizeof text);
    ck_assert_int_eq(hgate_config_new(&w->api), HGATE_OK);
    int status = hgate_config_load_text(w->api, text, (size_t)n, "test.yaml");
    ck_assert_msg(status == HGATE_OK, "%s", hgate_last_error());
    status = hg_config_resolve(w->api, NULL, NULL, &w->config);
    ck_assert_msg(status == HGATE_OK, "%s", hgate_last_error());
}

world *world_new(const char *op, const char *kernels, const char *config)
{
    world *w = calloc(1, sizeof *w);
    char *copy_of = strdup(kernels), *rest = copy_of;
    for (const char *word; (word = strtok_r(rest, " \n", &rest)) != NULL;) {
        ck_assert_int_lt(w->n_kernels, most_kernels);
        add_kernel(w, hgate_op_find(op), word);
    }
    free(copy_of);
    for (int i = 0; i < w->n_plugins; i++) {
        finish_plugin(&w->plugins[i]);
        w->list[i] = &w->plugins[i].plugin;
    }
    read_config(w, config);
    hg_rules_read(w->config, &w->rules);
    int status = hg_calib_new(w->config, w->list, w->n_plugins, NULL, NULL, &w->calib);
    ck_assert_msg(status == HGATE_OK, "%s", hgate_last_error());
    status = hg_catalog_new(&w->rules, w->calib, w->list, w->n_plugins, NULL, &w->catalog);
    ck_assert_int_eq(status, HGATE_OK);
    status = hg_trace_new(NULL, w->catalog, hg_catalog_longest(w->catalog), &w->trace);
    ck_assert_int_eq(status, HGATE_OK);
    w->stream_device = -1;
    return w;
}

void world_free(world *w)
{
    hg_trace_delete(w->trace);
    hg_catalog_free(w->catalog);
    hg_calib_free(w->calib);
    hg_config_release(w->config);
    hgate_config_free(w->api);
    free(w);
}

const hg_catalog *world_catalog(const world *w)
{
    return w->catalog;
}

void world_set_forked(world *w, bool is_forked)
{
    w->is_forked = is_forked;
}

void world_set_stream(world *w, int device_id)
{
    w->stream_device = device_id;
}

hgate_trace *world_decide(world *w, const question *q)
{
    const hg_request request = {
        .catalog = w->catalog,
        .problem = &q->problem,
        .threads = q->threads,
        .stream_device = w->stream_device,
        .is_forked = w->is_forked,
    };
    hg_decide(&request, w->trace);
    return w->trace;
}

const hg_record *world_record(const hgate_trace *trace, const char *name)
{
    const hg_candidates list = hg_trace_candidates(trace);
    for (int i = 0; i < list.n; i++) {
        char full[80];
        snprintf(full, sizeof full, "%s/%s", list.items[i].backend->plugin->name,
                 list.items[i].kernel->name);
        if (strcmp(full, name) == 0) {
            return &trace->records[i];
        }
    }
    ck_abort_msg("no kernel %s", name);
    return NULL;
}

const char *world_chosen(const hgate_trace *trace)
{
    static char name[80];
    if (trace->chosen < 0) {
        return "none";
    }
    const hg_candidate *candidate = &hg_trace_candidates(trace).items[trace->chosen];
    snprintf(name, sizeof name, "%s/%s", candidate->backend->plugin->name, candidate->kernel->name);
    return name;
}
