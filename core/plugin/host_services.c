/* SPDX-License-Identifier: BSD-3-Clause */
/* The services behind the table, each a few lines over the rooms base and config and the two
 * guards. */
#include "core/plugin/host_services.h"

#include "core/base/clock.h"
#include "core/base/error.h"
#include "core/plugin/blas_guard.h"
#include "core/plugin/cpu_quota.h"
#include "core/plugin/fork_guard.h"

#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local const hg_range_sink *ranges;

const hg_range_sink *hg_host_ranges(const hg_range_sink *sink)
{
    const hg_range_sink *before = ranges;
    ranges = sink;
    return before;
}

static const hg_host *self(const hgate_host *table)
{
    return table->context;
}

static void host_log(const hgate_host *table, int level, const char *text)
{
    if (level > HGATE_LOG_OFF && text) {
        hg_log_line(self(table)->log, level, self(table)->plugin, "%s", text);
    }
}

static void *host_alloc(const hgate_host *table, size_t size, size_t alignment)
{
    return hg_alloc_aligned(self(table)->allocator, size, alignment);
}

static void host_free(const hgate_host *table, void *memory)
{
    hg_free(self(table)->allocator, memory);
}

static void host_range_push(const hgate_host *table, const char *name)
{
    (void)table;
    if (ranges && ranges->push) {
        ranges->push(ranges->user, name);
    }
}

static void host_range_pop(const hgate_host *table)
{
    (void)table;
    if (ranges && ranges->pop) {
        ranges->pop(ranges->user);
    }
}

static void host_blas_enter(const hgate_host *table, void (*set_threads)(int),
                            int (*get_threads)(void))
{
    if (!self(table)->is_blas_left || !set_threads) {
        hg_blas_enter(set_threads, get_threads);
    }
}

static void host_blas_leave(const hgate_host *table, void (*set_threads)(int))
{
    if (!self(table)->is_blas_left || !set_threads) {
        hg_blas_leave(set_threads);
    }
}

static double host_now(const hgate_host *table)
{
    (void)table;
    return hg_now();
}

/* For machines with more processors than the usual mask has bits. */
static int count_with_wide_mask(void)
{
    for (size_t n = 4 * CPU_SETSIZE; n <= ((size_t)1 << 20); n *= 4) {
        cpu_set_t *set = CPU_ALLOC(n);
        if (!set) {
            break;
        }
        size_t bytes = CPU_ALLOC_SIZE(n);
        int count = sched_getaffinity(0, bytes, set) == 0 ? CPU_COUNT_S(bytes, set) : 0;
        CPU_FREE(set);
        if (count > 0) {
            return count;
        }
    }
    return 1;
}

int hg_affinity_count(void)
{
    cpu_set_t set; /* no memory is taken here: the hint is asked for at every call */
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
    return count > 0 ? count : count_with_wide_mask();
}

static int host_thread_hint(const hgate_host *table)
{
    if (hg_fork_is_child()) {
        return 1;
    }
    const hg_host *host = self(table);
    const int most = host->most_threads > 0 ? host->most_threads : host->openmp_threads;
    int count = hg_affinity_count();
    count = host->quota > 0 && host->quota < count ? host->quota : count;
    return most > 0 && most < count ? most : count;
}

static const char *host_option(const hgate_host *table, const char *key)
{
    return hg_config_plugin_option(self(table)->config, self(table)->plugin, key);
}

static const char *host_setting(const hgate_host *table, const char *key)
{
    return hg_config_text(self(table)->config, key);
}

static int host_error(const hgate_host *table, int status, const char *text)
{
    (void)table;
    return hg_error(status, "%s", text ? text : "");
}

/* OMP_NUM_THREADS, a number or a list for nested regions; 0 where it is not set. Workers of a pool
 * are told by it how much of the machine is theirs. */
static int openmp_threads(void)
{
    const char *text = getenv("OMP_NUM_THREADS");
    char *end = NULL;
    const long n = text ? strtol(text, &end, 10) : 0;
    return n > 0 && n <= INT_MAX && (*end == '\0' || *end == ',' || *end == ' ') ? (int)n : 0;
}

void hg_host_init(hg_host *host, const hg_config *config, const hg_allocator *allocator,
                  hg_log *log, const char *plugin)
{
    *host = (hg_host){
        .table =
            {
                .struct_size = sizeof(hgate_host),
                .abi_minor = HGATE_PLUGIN_ABI_MINOR,
                .context = host,
                .log = host_log,
                .alloc = host_alloc,
                .free = host_free,
                .range_push = host_range_push,
                .range_pop = host_range_pop,
                .blas_enter = host_blas_enter,
                .blas_leave = host_blas_leave,
                .now = host_now,
                .thread_hint = host_thread_hint,
                .option = host_option,
                .setting = host_setting,
                .error = host_error,
            },
        .allocator = allocator,
        .log = log,
        .config = config,
        .plugin = plugin,
        .is_blas_left = strcmp(hg_config_text(config, "threads.blas"), "leave") == 0,
        .most_threads = (int)hg_config_int(config, "threads.max"),
        .openmp_threads = openmp_threads(),
        .quota = hg_cpu_quota(""),
    };
}
