// SPDX-License-Identifier: BSD-3-Clause
// Engines with the real plugins: opened and closed thousands of times, nothing is kept; with every
// kernel that an operation chooses switched off in turn, the next one answers, and after the last
// one there is an error and never another way.
#include "tests/harness.h"
#include "tests/real/problem.h"
#include "tests/sanitized.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// ---- lives

static long resident_bytes(void)
{
    long all, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    ck_assert(file && fscanf(file, "%ld %ld", &all, &resident) == 2);
    fclose(file);
    return resident * sysconf(_SC_PAGESIZE);
}

static int count_descriptors(void)
{
    int n = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder && readdir(folder))
        n++;
    closedir(folder);
    return n;
}

// A fifth of what the fake plugins get: loading checks every file each time.
START_TEST(thousands_of_lives)
{
    enum { SETTLED = 100 };
    long bytes = 0;
    int descriptors = 0;
    cli_case c;
    real_outputs outputs;
    real_make(&c, "emi n=5 batch=7 dtype=f32");
    real_outputs_make(&outputs, &c);
    for (int i = 0; i < SETTLED + n_opens() / 5; i++) {
        hgate_engine *engine = NULL;
        ck_assert_int_eq(hgate_open(NULL, &engine), HGATE_OK);
        if (i % 50 == 0)
            ck_assert_int_eq(real_call(&outputs, engine, NULL), HGATE_OK);
        hgate_close(engine);
        if (i == SETTLED) {
            bytes = resident_bytes();
            descriptors = count_descriptors();
        }
    }
    ck_assert_int_eq(count_descriptors(), descriptors);
    if (watches_memory())
        ck_assert_int_le(resident_bytes() - bytes, 1 << 20);
    real_outputs_free(&outputs);
    cli_case_free(&c);
}
END_TEST

// ---- switches

enum { MOST_KERNELS = 32 };

typedef struct switches {
    const char *op;
    int n;
    char off[MOST_KERNELS][96]; // "PLUGIN.KERNEL"
} switches;

static hgate_engine *open_without(const switches *s)
{
    hgate_config *config;
    hgate_options options;
    hgate_engine *engine = NULL;
    ck_assert_int_eq(hgate_config_new(&config), HGATE_OK);
    for (int i = 0; i < s->n; i++) {
        char key[192];
        snprintf(key, sizeof key, "kernels.%s.%s.enabled", s->op, s->off[i]);
        ck_assert_msg(hgate_config_set(config, key, "false") == HGATE_OK, "%s", hgate_last_error());
    }
    hgate_options_init(&options);
    options.config = config;
    ck_assert_msg(hgate_open(&options, &engine) == HGATE_OK, "%s", hgate_last_error());
    hgate_config_free(config);
    return engine;
}

// One call; what served it goes on the list.
static int call_without(real_outputs *outputs, switches *s)
{
    hgate_engine *engine = open_without(s);
    hgate_exec *exec;
    ck_assert_int_eq(hgate_exec_new(engine, &exec), HGATE_OK);
    const int status = real_call(outputs, engine, exec);
    if (status == HGATE_OK) {
        const hgate_trace *trace;
        const char *plugin, *kernel;
        ck_assert_int_eq(hgate_exec_last_trace(exec, &trace), HGATE_OK);
        ck_assert_int_eq(hgate_trace_choice(trace, &plugin, &kernel, NULL), HGATE_OK);
        ck_assert_int_lt(s->n, MOST_KERNELS);
        snprintf(s->off[s->n], sizeof s->off[0], "%s.%s", plugin, kernel);
        for (int i = 0; i < s->n; i++)
            ck_assert_msg(strcmp(s->off[i], s->off[s->n]) != 0, "%s is off and runs", s->off[i]);
        s->n++;
    }
    hgate_exec_free(exec);
    hgate_close(engine);
    return status;
}

START_TEST(each_kernel_is_switched_off)
{
    cli_case c;
    cli_outputs expected;
    real_outputs outputs;
    real_make(&c, real_problems[_i]);
    real_outputs_make(&outputs, &c);
    switches s = {.op = c.row->word};
    int status = call_without(&outputs, &s);
    ck_assert_msg(status == HGATE_OK, "%s", hgate_last_error());
    ck_assert_int_eq(cli_outputs_keep(&expected, &outputs.mine), HGATE_OK);
    while ((status = call_without(&outputs, &s)) == HGATE_OK) {
        const double error = cli_outputs_error(&outputs.mine, &expected);
        ck_assert_msg(error <= cli_outputs_tolerance(&c), "%s of %s: error %g", s.off[s.n - 1],
                      s.op, error);
    }
    ck_assert_msg(status == HGATE_ENOKERNEL, "%s: %d: %s", s.op, status, hgate_last_error());
    ck_assert(real_is_untouched(&outputs));
    ck_assert_str_eq(s.off[s.n - 1], "cpu-serial.reference"); // the last resort
    ck_assert_msg(strstr(hgate_last_error(), "enabled"), "%s", hgate_last_error());
    cli_outputs_free(&expected);
    real_outputs_free(&outputs);
    cli_case_free(&c);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("engines");
    TCase *tests = tcase_create("engines");
    tcase_add_test(tests, thousands_of_lives);
    tcase_add_loop_test(tests, each_kernel_is_switched_off, 0, real_count(real_problems));
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
