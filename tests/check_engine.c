// SPDX-License-Identifier: BSD-3-Clause
// Opening and closing engines, what they tell, and what they refuse.
#include "core/engine/dispatch.h"
#include "tests/dispatch/opened.h"
#include "tests/dispatch/question.h"
#include "tests/harness.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

START_TEST(opens_without_options)
{
    hgate_engine *engine = NULL;
    ck_assert_msg(hgate_open(NULL, &engine) == HGATE_OK, "%s", hgate_last_error());
    ck_assert_ptr_nonnull(engine);
    hgate_close(engine);
    hgate_close(NULL);
}
END_TEST

START_TEST(options_of_another_size)
{
    hgate_options options;
    hgate_engine *engine = (hgate_engine *)&options;
    ck_assert_int_eq(hgate_options_init(&options), HGATE_OK);
    ck_assert_int_eq(hgate_options_init(NULL), HGATE_EINVAL);
    static const long sizes[] = {0, -8, 8};
    for (int i = 0; i < 3; i++) {
        options.struct_size = sizes[i] == 0 ? 0 : sizeof options + (size_t)sizes[i];
        ck_assert_int_eq(hgate_open(&options, &engine), HGATE_EABI);
        ck_assert_ptr_eq(engine, &options);
    }
    char expected[128];
    snprintf(expected, sizeof expected,
             "options: struct_size is %zu, expected %zu; call hgate_options_init first",
             sizeof options + 8, sizeof options);
    ck_assert_str_eq(hgate_last_error(), expected);
    ck_assert_int_eq(hgate_open(NULL, NULL), HGATE_EINVAL);
}
END_TEST

START_TEST(half_an_allocator)
{
    hgate_options options;
    hgate_options_init(&options);
    options.allocator.free = hg_allocator_default()->free;
    hgate_engine *engine = NULL;
    ck_assert_int_eq(hgate_open(&options, &engine), HGATE_EINVAL);
    ck_assert_str_eq(hgate_last_error(),
                     "options: allocator.alloc and allocator.free must be set together");
    ck_assert_ptr_null(engine);
}
END_TEST

START_TEST(runs_the_quickest)
{
    hgate_engine *engine = opened("good other", NULL, NULL, NULL);
    question q;
    question_ask(&q, "visibility_horizon nsrc=5");
    question_poison(&q);
    ck_assert_msg(hg_dispatch(engine, NULL, &q.problem) == HGATE_OK, "%s", hgate_last_error());
    ck_assert(!question_is_untouched(&q));
    ck_assert_int_eq(opened_count(engine, "good", "run"), 1);
    ck_assert_int_eq(opened_count(engine, "other", "run"), 0);
    ck_assert_str_eq(opened_last_kernel(engine, "good"), "det");
    hgate_close(engine);
}
END_TEST

START_TEST(tells_its_plugins)
{
    hgate_engine *engine = opened("good bad-magic other probe-refuses", NULL, NULL, NULL);
    static const struct {
        const char *name, *status;
        bool is_usable;
    } expected[] = {{"fake-good", "usable", true},
                    {NULL, "bad_magic", false},
                    {"fake-other", "usable", true},
                    {"fake-probe-refuses", "unavailable", false}};
    ck_assert_int_eq(hgate_plugin_count(engine), 4);
    for (int i = 0; i < 4; i++) {
        hgate_plugin_info info = {.struct_size = sizeof info};
        ck_assert_int_eq(hgate_plugin_get(engine, i, &info), HGATE_OK);
        ck_assert_str_eq(info.status_name, expected[i].status);
        if (expected[i].name) {
            ck_assert_str_eq(info.name, expected[i].name);
        }
        ck_assert_int_eq(info.n_kernels, expected[i].is_usable ? 4 * HGATE_OP_COUNT : 0);
        ck_assert_int_eq(info.version != NULL, expected[i].is_usable);
        ck_assert_int_eq(info.reason[0] == '\0', expected[i].is_usable);
        ck_assert_ptr_nonnull(strstr(info.path, "headgate-fake-"));
    }
    hgate_plugin_info info = {.struct_size = sizeof info};
    ck_assert_int_eq(hgate_plugin_get(engine, 4, &info), HGATE_EVALUE);
    ck_assert_str_eq(hgate_last_error(), "i: is 4, there are 4 plugins");
    ck_assert_int_eq(hgate_plugin_get(engine, -1, &info), HGATE_EVALUE);
    info.struct_size--;
    ck_assert_int_eq(hgate_plugin_get(engine, 0, &info), HGATE_EABI);
    ck_assert_int_eq(hgate_plugin_get(engine, 0, NULL), HGATE_EINVAL);
    ck_assert_int_eq(hgate_plugin_get(NULL, 0, &info), HGATE_EINVAL);
    ck_assert_int_eq(hgate_plugin_count(NULL), 0);
    hgate_close(engine);
}
END_TEST

static void count_row(void *user, const char *key, const char *value)
{
    ck_assert_ptr_nonnull(key);
    ck_assert_ptr_nonnull(value);
    ++*(int *)user;
}

START_TEST(describes_its_plugins)
{
    hgate_engine *engine = opened("good bad-magic", NULL, NULL, NULL);
    int n = 0;
    ck_assert_int_eq(hgate_plugin_describe(engine, 0, count_row, &n), HGATE_OK);
    ck_assert_int_gt(n, 5);
    n = 0;
    ck_assert_int_eq(hgate_plugin_describe(engine, 1, count_row, &n), HGATE_OK);
    ck_assert_int_eq(n, 0);
    ck_assert_int_eq(hgate_plugin_describe(engine, 2, count_row, &n), HGATE_EVALUE);
    ck_assert_int_eq(hgate_plugin_describe(engine, 0, NULL, &n), HGATE_EINVAL);
    hgate_close(engine);
}
END_TEST

START_TEST(tells_its_kernels_in_a_fixed_order)
{
    hgate_engine *engine = opened("other good", NULL, NULL, NULL);
    static const char *const plugins[] = {"fake-good",  "fake-good",  "fake-good",  "fake-good",
                                          "fake-other", "fake-other", "fake-other", "fake-other"};
    static const char *const names[] = {"det", "linear", "loose", "reference",
                                        "det", "linear", "loose", "reference"};
    ck_assert_int_eq(hgate_kernel_count(engine, HGATE_OP_EMI), 8);
    for (int i = 0; i < 8; i++) {
        hgate_kernel_info info = {.struct_size = sizeof info};
        ck_assert_int_eq(hgate_kernel_get(engine, HGATE_OP_EMI, i, &info), HGATE_OK);
        ck_assert_str_eq(info.plugin, plugins[i]);
        ck_assert_str_eq(info.name, names[i]);
        ck_assert_uint_eq(info.spaces, HGATE_SPACE_HOST);
        ck_assert_int_eq((info.flags & HGATE_KERNEL_REFERENCE) != 0, i % 4 == 3);
    }
    hgate_kernel_info info = {.struct_size = sizeof info};
    ck_assert_int_eq(hgate_kernel_get(engine, HGATE_OP_EMI, 8, &info), HGATE_EVALUE);
    ck_assert_int_eq(hgate_kernel_get(engine, HGATE_OP_COUNT, 0, &info), HGATE_EINVAL);
    info.struct_size = 4;
    ck_assert_int_eq(hgate_kernel_get(engine, HGATE_OP_EMI, 0, &info), HGATE_EABI);
    ck_assert_int_eq(hgate_kernel_count(engine, -1), 0);
    ck_assert_int_eq(hgate_kernel_count(NULL, 0), 0);
    hgate_close(engine);
}
END_TEST

START_TEST(disabled_operations)
{
    hgate_engine *engine = opened("good", "ops: {emi: {enabled: false}}", NULL, NULL);
    ck_assert_int_eq(hg_engine_begin(engine, NULL, HGATE_OP_EVD), HGATE_EDISABLED);
    ck_assert_str_eq(hgate_last_error(), "evd: ops.emi.enabled is false (test.yaml:2:13)");
    ck_assert_int_eq(hg_engine_begin(engine, NULL, HGATE_OP_CURVATURE), HGATE_OK);
    ck_assert_int_eq(hg_engine_begin(NULL, NULL, HGATE_OP_CURVATURE), HGATE_EINVAL);
    hgate_close(engine);
}
END_TEST

START_TEST(context_of_another_engine)
{
    hgate_engine *a = opened("good", NULL, NULL, NULL), *b = opened("good", NULL, NULL, NULL);
    hgate_exec *exec;
    ck_assert_int_eq(hgate_exec_new(a, &exec), HGATE_OK);
    ck_assert_int_eq(hg_engine_begin(a, exec, 0), HGATE_OK);
    ck_assert_int_eq(hg_engine_begin(b, exec, 0), HGATE_EINVAL);
    ck_assert_str_eq(hgate_last_error(), "exec: belongs to another engine");
    hgate_exec_free(exec);
    hgate_close(b);
    hgate_close(a);
}
END_TEST

START_TEST(forced_plugin_that_is_missing)
{
    heard h;
    hgate_engine *engine = opened("good", "routing: {force: {emi: cuda/block}}", &h, NULL);
    ck_assert_str_eq(h.text, "2 route: test.yaml:2:19: routing.force.emi names plugin cuda, "
                             "which is not usable\n");
    question q;
    question_ask(&q, "emi n=9 batch=2");
    question_poison(&q);
    ck_assert_int_eq(hg_dispatch(engine, NULL, &q.problem), HGATE_ENOKERNEL);
    ck_assert(question_is_untouched(&q));
    hgate_close(engine);
}
END_TEST

START_TEST(objects_outlive_close)
{
    heard h;
    hgate_engine *engine = opened("good", NULL, &h, NULL);
    question q;
    question_ask(&q, "visibility_horizon");
    const hg_problem *problem = &q.problem;
    hgate_exec *exec;
    hgate_plan *plan;
    hgate_trace *trace;
    ck_assert_int_eq(hgate_exec_new(engine, &exec), HGATE_OK);
    ck_assert_int_eq(hg_plan_new(engine, exec, &problem, 1, &plan), HGATE_OK);
    ck_assert_int_eq(hg_explain(engine, exec, problem, &trace), HGATE_OK);
    hgate_close(engine);
    ck_assert_int_eq(hg_plan_execute(plan, exec, 0, problem), HGATE_OK);
    const char *plugin;
    ck_assert_int_eq(hgate_trace_choice(trace, &plugin, NULL, NULL), HGATE_OK);
    ck_assert_str_eq(plugin, "fake-good");
    hgate_trace_free(trace);
    hgate_exec_free(exec);
    hgate_plan_free(plan);
    ck_assert_int_eq(h.n, 0);
}
END_TEST

static void read_file(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

START_TEST(log_file_gets_the_lines)
{
    char path[] = P_tmpdir "/headgate-log-XXXXXX", config[256], text[1024];
    close(mkstemp(path));
    snprintf(config, sizeof config, "log: {file: %s}\nrouting: {force: {emi: cuda}}", path);
    for (int i = 0; i < 2; i++) {
        hgate_close(opened("good", config, NULL, NULL)); // with a callback and without
    }
    read_file(path, text, sizeof text);
    ck_assert_uint_eq(strlen(text) % 2, 0);
    static const char line[] = "Z warn route: test.yaml:3:19: routing.force.emi names plugin cuda, "
                               "which is not usable\n";
    const char *first = strstr(text, line);
    ck_assert_ptr_nonnull(first);
    ck_assert_int_eq(first - text, (long)strlen("2026-01-31T12:00:00"));
    ck_assert_ptr_nonnull(strstr(first + 1, line));
    unlink(path);
}
END_TEST

START_TEST(log_file_that_cannot_be)
{
    hgate_options options;
    hgate_options_init(&options);
    hgate_config *api = opened_config("good", "log: {file: /nowhere/at/all.log}");
    options.config = api;
    hgate_engine *engine = NULL;
    ck_assert_int_eq(hgate_open(&options, &engine), HGATE_ECONFIG);
    ck_assert_str_eq(hgate_last_error(), "test.yaml:2:7: log.file: cannot open "
                                         "/nowhere/at/all.log: No such file or directory");
    hgate_config_free(api);
}
END_TEST

START_TEST(log_level_is_obeyed)
{
    heard h;
    hgate_close(opened("good", "log: {level: error}\nrouting: {force: {emi: cuda}}", &h, NULL));
    ck_assert_int_eq(h.n, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("engine");
    TCase *tests = tcase_create("engine");
    tcase_add_test(tests, opens_without_options);
    tcase_add_test(tests, options_of_another_size);
    tcase_add_test(tests, half_an_allocator);
    tcase_add_test(tests, runs_the_quickest);
    tcase_add_test(tests, tells_its_plugins);
    tcase_add_test(tests, describes_its_plugins);
    tcase_add_test(tests, tells_its_kernels_in_a_fixed_order);
    tcase_add_test(tests, disabled_operations);
    tcase_add_test(tests, context_of_another_engine);
    tcase_add_test(tests, forced_plugin_that_is_missing);
    tcase_add_test(tests, objects_outlive_close);
    tcase_add_test(tests, log_file_gets_the_lines);
    tcase_add_test(tests, log_file_that_cannot_be);
    tcase_add_test(tests, log_level_is_obeyed);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
