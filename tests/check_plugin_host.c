// SPDX-License-Identifier: BSD-3-Clause
// The services that a plugin is given, called as a plugin calls them.
#include "core/plugin/host_services.h"

#include "core/plugin/cpu_quota.h"
#include "core/plugin/fork_guard.h"

#include "tests/cpu_quota.h"
#include "tests/failing_alloc.h"
#include "tests/harness.h"
#include "tests/plugin_files.h"
#include "tests/plugin_list.h"

#include <headgate/plugin_util.h>
#include <sched.h>
#include <sys/wait.h>

static kept_log kept;
static hg_config *config;
static hg_host record;
static const hgate_host *host;
static failing_alloc memory;
static hg_allocator allocator;

static void serve(const char *yaml)
{
    config = make_config("version: 1\n%s", yaml);
    open_log(&kept);
    allocator = failing_allocator(&memory);
    hg_host_init(&record, config, &allocator, kept.log, "mine");
    host = &record.table;
}

static void setup(void)
{
    serve("plugins:\n  mine: {options: {depth: 3, word: 'two words'}}\n"
          "  yours: {options: {depth: 4}}\n"
          "ops:\n  emi: {kappa: 2e4}\n");
}

static void teardown(void)
{
    ck_assert_int_eq(memory.live, 0);
    hg_log_free(kept.log);
    hg_config_release(config);
}

START_TEST(the_table_is_whole)
{
    ck_assert_uint_eq(host->struct_size, sizeof *host);
    ck_assert_int_eq(host->abi_minor, HGATE_PLUGIN_ABI_MINOR);
    ck_assert(HGATE_HAS(host, hgate_host, error));
    hgate_host older = *host;
    older.struct_size = offsetof(hgate_host, error);
    ck_assert(!HGATE_HAS(&older, hgate_host, error));
    ck_assert(HGATE_HAS(&older, hgate_host, setting));
}
END_TEST

START_TEST(log_lines_carry_the_plugins_name)
{
    hgate_logf(host, HGATE_LOG_INFO, "%d devices", 2);
    host->log(host, HGATE_LOG_WARN, "100%s sure");
    host->log(host, HGATE_LOG_OFF, "never");
    host->log(host, -4, "never");
    host->log(host, HGATE_LOG_INFO, NULL);
    ck_assert_str_eq(kept.text, "mine: 2 devices\nmine: 100%s sure\n");
    ck_assert_int_eq(kept.n_warnings, 1);
}
END_TEST

START_TEST(memory_is_the_engines)
{
    for (size_t alignment = 1; alignment <= 4096; alignment *= 2) {
        char *piece = host->alloc(host, 3 * alignment + 1, alignment);
        ck_assert_ptr_nonnull(piece);
        ck_assert_uint_eq((uintptr_t)piece % alignment, 0);
        piece[3 * alignment] = 1;
        ck_assert_int_eq(memory.live, 1);
        host->free(host, piece);
    }
    host->free(host, NULL);
    memory.fail_from = 1;
    ck_assert_ptr_null(host->alloc(host, 8, 8));
}
END_TEST

START_TEST(options_and_settings_are_text)
{
    ck_assert_str_eq(host->option(host, "depth"), "3");
    ck_assert_str_eq(host->option(host, "word"), "two words");
    ck_assert_ptr_null(host->option(host, "height"));
    ck_assert_ptr_null(host->option(host, ""));
    ck_assert_str_eq(host->setting(host, "ops.emi.kappa"), "20000");
    ck_assert_str_eq(host->setting(host, "ops.emi.rule"), "adaptive");
    ck_assert_str_eq(host->setting(host, "plugins.yours.options.depth"), "4");
    static const char *const unknown[] = {"", "ops", "ops.emi", "ops.emi.kappa ", "zzz", "a"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        ck_assert_msg(!host->setting(host, unknown[i]), "\"%s\"", unknown[i]);
    }
}
END_TEST

START_TEST(errors_reach_the_host)
{
    ck_assert_int_eq(hgate_fail(host, HGATE_EDEVICE_BUSY, "device %d is taken", 3),
                     HGATE_EDEVICE_BUSY);
    ck_assert_str_eq(hgate_last_error(), "device 3 is taken");
    ck_assert_int_eq(host->error(host, HGATE_ENOMEM, "100%d"), HGATE_ENOMEM);
    ck_assert_str_eq(hgate_last_error(), "100%d");
    ck_assert_int_eq(host->error(host, HGATE_ENOMEM, NULL), HGATE_ENOMEM);
    ck_assert_str_eq(hgate_last_error(), "");
}
END_TEST

START_TEST(time_goes_on)
{
    double before = host->now(host);
    ck_assert_double_ge(host->now(host), before);
}
END_TEST

// ---- threads

static int online_before;

static void limit_to(int n)
{
    cpu_set_t all, some;
    ck_assert_int_eq(sched_getaffinity(0, sizeof all, &all), 0);
    online_before = CPU_COUNT(&all);
    CPU_ZERO(&some);
    for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&some) < n; cpu++) {
        if (CPU_ISSET(cpu, &all)) {
            CPU_SET(cpu, &some);
        }
    }
    ck_assert_int_eq(sched_setaffinity(0, sizeof some, &some), 0);
}

// A quota of the machine that the tests run on holds for them, too.
static int within_quota(int threads)
{
    const int quota = hg_cpu_quota("");
    return quota > 0 && quota < threads ? quota : threads;
}

START_TEST(the_hint_is_what_the_affinity_mask_allows)
{
    limit_to(1 << 20);
    ck_assert_int_eq(host->thread_hint(host), within_quota(online_before));
    ck_assert_int_eq(hg_affinity_count(), online_before);
    limit_to(1);
    ck_assert_int_eq(host->thread_hint(host), 1);
}
END_TEST

START_TEST(the_hint_keeps_to_the_configuration)
{
    int all = within_quota(hg_affinity_count());
    static const char *const limits[] = {"threads: {max: 1}\n", "threads: {max: 2}\n",
                                         "threads: {max: 4096}\n", "threads: {max: 0}\n"};
    const int expected[] = {1, all < 2 ? all : 2, all, all};
    teardown();
    for (int i = 0; i < 4; i++) {
        serve(limits[i]);
        ck_assert_int_eq(host->thread_hint(host), expected[i]);
        if (i < 3) {
            teardown();
        }
    }
}
END_TEST

START_TEST(a_child_is_told_one)
{
    hg_fork_watch();
    pid_t pid = fork();
    if (pid == 0) {
        _exit(host->thread_hint(host));
    }
    int status;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 1);
    ck_assert_int_eq(host->thread_hint(host), within_quota(hg_affinity_count()));
}
END_TEST

// ---- BLAS

static int blas_threads = 6;

static void set_threads(int n)
{
    blas_threads = n;
}

static int get_threads(void)
{
    return blas_threads;
}

START_TEST(blas_is_guarded_unless_it_is_left)
{
    host->blas_enter(host, set_threads, get_threads);
    ck_assert_int_eq(blas_threads, 1);
    host->blas_leave(host, set_threads);
    ck_assert_int_eq(blas_threads, 6);
    teardown();
    serve("threads: {blas: leave}\n");
    host->blas_enter(host, set_threads, get_threads);
    ck_assert_int_eq(blas_threads, 6);
    host->blas_leave(host, set_threads);
    ck_assert_int_eq(blas_threads, 6);
}
END_TEST

// ---- ranges

static char ranges[200];

static void push(void *user, const char *name)
{
    ck_assert_ptr_eq(user, &memory);
    strcat(strcat(ranges, "("), name);
}

static void pop(void *user)
{
    ck_assert_ptr_eq(user, &memory);
    strcat(ranges, ")");
}

START_TEST(ranges_go_to_the_sink_of_the_thread)
{
    const hg_range_sink sink = {push, pop, &memory};
    const hg_range_sink silent = {0};
    host->range_push(host, "lost");
    host->range_pop(host);
    ck_assert_ptr_null(hg_host_ranges(&sink));
    host->range_push(host, "outer");
    ck_assert_ptr_eq(hg_host_ranges(&silent), &sink);
    host->range_push(host, "lost");
    host->range_pop(host);
    ck_assert_ptr_eq(hg_host_ranges(&sink), &silent);
    host->range_push(host, "inner");
    host->range_pop(host);
    host->range_pop(host);
    ck_assert_ptr_eq(hg_host_ranges(NULL), &sink);
    ck_assert_str_eq(ranges, "(outer(inner))");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("plugin_host");
    TCase *tests = tcase_create("host");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 30);
    tcase_add_test(tests, the_table_is_whole);
    tcase_add_test(tests, log_lines_carry_the_plugins_name);
    tcase_add_test(tests, memory_is_the_engines);
    tcase_add_test(tests, options_and_settings_are_text);
    tcase_add_test(tests, errors_reach_the_host);
    tcase_add_test(tests, time_goes_on);
    tcase_add_test(tests, the_hint_is_what_the_affinity_mask_allows);
    tcase_add_test(tests, the_hint_keeps_to_the_configuration);
    tcase_add_test(tests, a_child_is_told_one);
    tcase_add_test(tests, blas_is_guarded_unless_it_is_left);
    tcase_add_test(tests, ranges_go_to_the_sink_of_the_thread);
    suite_add_tcase(suite, tests);
    suite_add_tcase(suite, cpu_quota_tests());
    return run_suite(suite);
}
