// SPDX-License-Identifier: BSD-3-Clause
// Every malloc of the process fails in turn, whoever asks: the library, libyaml, the dynamic loader
// while it maps a plugin, the C library. Each time in a child of its own: a clean error or an
// answer, and the same again with memory works.
#include "core/base/text.h"
#include "core/calib/file.h"
#include "core/engine/dispatch.h"
#include "tests/alloc/count_malloc.h"
#include "tests/dispatch/opened.h"
#include "tests/dispatch/question.h"
#include "tests/harness.h"

#include "tests/tensors.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int discard(void *user, const char *text, size_t n)
{
    (void)user, (void)text, (void)n;
    return 0;
}

static int configure(void)
{
    static const char yaml[] =
        "version: 1\nplugins: {path: [/a, /b], cuda: {enabled: false}}\n"
        "kernels: {emi: {cuda: {block: {enabled: false}}}}\nlog: {file: /x, level: ~}\n";
    hgate_config *config = NULL;
    int status = hgate_config_new(&config);
    if (status == HGATE_OK) {
        status = hgate_config_load_text(config, yaml, sizeof yaml - 1, "x");
    }
    if (status == HGATE_OK) {
        status = hgate_config_set(config, "routing.prefer", "[cuda, cpu-serial]");
    }
    if (status == HGATE_OK) {
        status = hgate_config_dump(config, discard, NULL);
    }
    hgate_config_free(config);
    return status;
}

// Made before memory runs out.
static hgate_config *settings;
static question q;

static int open_and_close(void)
{
    hgate_options options;
    hgate_engine *engine = NULL;
    hgate_options_init(&options);
    options.config = settings;
    const int status = hgate_open(&options, &engine);
    hgate_close(engine);
    return status;
}

// A plugin may be left out for want of memory, and then nothing serves.
static int live(void)
{
    hgate_options options;
    hgate_engine *engine = NULL;
    hgate_exec *exec = NULL;
    hgate_trace *trace = NULL;
    hgate_options_init(&options);
    options.config = settings;
    int status = hgate_open(&options, &engine);
    if (status == HGATE_OK) {
        status = hgate_exec_new(engine, &exec);
    }
    if (status == HGATE_OK) {
        status = hg_dispatch(engine, exec, &q.problem);
    }
    if (status == HGATE_OK) {
        status = hg_explain(engine, exec, &q.problem, &trace);
    }
    if (status == HGATE_OK) {
        status = hgate_trace_json(trace, discard, NULL);
    }
    if (status == HGATE_OK) {
        status = hgate_trace_text(trace, discard, NULL);
    }
    hgate_trace_free(trace);
    hgate_exec_free(exec);
    hgate_close(engine);
    return status;
}

// Groups on a device, with threads that pack and streams: they are started, or not.
static int groups(void)
{
    enum { NS = 5, NR = 3, NT = 40, NX = 7, NZ = 600, NI = NX * NZ };
    static float src[NS * NI], rec[NR * NI], image[NI], traces[NS * NR * NT];
    static void *const streams[] = {(void *)0x10, (void *)0x20, (void *)0x30};
    const DLTensor trav_src = TENSOR(src, F32, NI, NS), trav_rec = TENSOR(rec, F32, NI, NR);
    const DLTensor data = TENSOR(traces, F32, NS, NR, NT);
    DLTensor model = TENSOR(image, F32, NX, NZ);
    hgate_options options;
    hgate_engine *engine = NULL;
    hgate_kirchhoff_params params;
    hgate_kirchhoff_tables tables;
    hgate_group_params group;
    hgate_options_init(&options);
    options.config = settings;
    hgate_kirchhoff_params_init(&params);
    params.dt = 1, params.nt = NT, params.nx = NX, params.nz = NZ;
    hgate_kirchhoff_tables_init(&tables);
    tables.trav_src = &trav_src, tables.trav_rec = &trav_rec;
    hgate_group_params_init(&group);
    group.sources_per_group = 2, group.device_id = 0;
    group.streams = streams, group.nstreams = 3;
    memset(image, 0xa5, sizeof image);
    int status = hgate_open(&options, &engine);
    if (status == HGATE_OK) {
        status =
            hgate_kirchhoff_group_adjoint(engine, NULL, &params, &tables, &data, &model, &group);
        const unsigned char *bytes = (const unsigned char *)image;
        for (size_t i = 0; i < sizeof image && status != HGATE_OK; i++) {
            status = bytes[i] == 0xa5 ? status : HGATE_EINTERNAL; // a refused call writes nothing
        }
    }
    hgate_close(engine);
    return status;
}

static int write_calibration(void)
{
    static const hg_machine machine = {.cpu = "a", .cores = 1, .isa = "b", .blas = "c", .gpus = ""};
    static const hg_provenance provenance = {
        .date = "", .headgate = "", .compiler = "", .driver = "", .note = ""};
    static const hg_calib_entry entry = {.plugin = "cpu-serial",
                                         .version = "1",
                                         .constant = "call",
                                         .value = 1e-6,
                                         .fallback = 1e-6};
    char path[64];
    hg_calib_file file;
    hg_text text = hg_text_growing(NULL);
    snprintf(path, sizeof path, P_tmpdir "/headgate-malloc-%ld", (long)getppid());
    hg_calib_file_put(&machine, &provenance, &entry, 1, &text);
    int status = text.is_cut ? HGATE_ENOMEM : hg_calib_file_write(path, text.data, text.length);
    hg_text_release(&text);
    if (status == HGATE_OK) {
        status = hg_calib_file_read(path, NULL, &file);
        if (status == HGATE_OK) {
            hg_calib_file_release(&file);
        }
    }
    unlink(path);
    return status;
}

static const struct {
    const char *name;
    int (*run)(void);
    int least; // so many failures there are at least
} steps[] = {{"configure", configure, 100},
             {"open and close", open_and_close, 100},
             {"open, run, explain, close", live, 120},
             {"open, migrate in groups, close", groups, 60},
             {"write and read a calibration", write_calibration, 10}};

enum { BEYOND = 10, CLEAN, WRONG };

static int in_child(int (*run)(void), long n)
{
    alarm(60);
    const long before = count_malloc();
    fail_malloc(n);
    const int status = run();
    const bool is_beyond = count_malloc() - before < n;
    fail_malloc(0);
    if (is_beyond) {
        return status == HGATE_OK ? BEYOND : WRONG;
    }
    const bool is_clean = status == HGATE_OK || status == HGATE_ENOMEM || status == HGATE_ECONFIG ||
                          status == HGATE_ENOKERNEL;
    if (!is_clean) {
        fprintf(stderr, "malloc %ld: status %d: %s\n", n, status, hgate_last_error());
    }
    return is_clean && run() == HGATE_OK ? CLEAN : WRONG;
}

START_TEST(each_malloc)
{
    long n = 1;
    settings = opened_config(steps[_i].run == groups
                                 ? "survey"
                                 : "good device probe-refuses bad-magic unresolved-symbol",
                             "");
    question_ask(&q, "visibility_angles nsrc=17");
    for (;; n++) {
        int state;
        const pid_t pid = fork();
        ck_assert_int_ge(pid, 0);
        if (pid == 0) {
            _exit(in_child(steps[_i].run, n));
        }
        ck_assert_int_eq(waitpid(pid, &state, 0), pid);
        ck_assert_msg(WIFEXITED(state), "%s: malloc %ld: signal %d", steps[_i].name, n,
                      WTERMSIG(state));
        if (WEXITSTATUS(state) == BEYOND) {
            break;
        }
        ck_assert_msg(WEXITSTATUS(state) == CLEAN, "%s: malloc %ld", steps[_i].name, n);
    }
    ck_assert_int_ge(n, steps[_i].least);
    hgate_config_free(settings);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("each_malloc");
    TCase *tests = tcase_create("each_malloc");
    tcase_set_timeout(tests, 600);
    tcase_add_loop_test(tests, each_malloc, 0, (int)(sizeof steps / sizeof *steps));
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
