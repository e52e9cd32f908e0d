// SPDX-License-Identifier: BSD-3-Clause
// Many threads with one engine and with several, sharing plans; opening and closing meanwhile.
// Meant to be run under the thread sanitizer too: no plugin here uses OpenMP.
#include "core/engine/dispatch.h"
#include "tests/dispatch/opened.h"
#include "tests/dispatch/question.h"
#include "tests/harness.h"
#include "tests/sanitized.h"

#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { n_threads = 16, n_calls = 200 };

static atomic_int n_lines;

static void count_line(void *user, int level, const char *component, const char *text)
{
    (void)user, (void)level, (void)component, (void)text;
    atomic_fetch_add(&n_lines, 1);
}

// Kernels fail now and then, so that fallback, its warning and the muting of bad estimates happen
// in parallel too.
static hgate_engine *open_shared(void)
{
    hgate_config *api = opened_config("good other device estimate-nan",
                                      "plugins: {fake-good: {options: {fail_status_det: -8, "
                                      "fail_times_det: 50, ws_bytes: 999}}}\n"
                                      "log: {level: trace}");
    hgate_options options;
    hgate_options_init(&options);
    options.config = api;
    options.log = count_line;
    hgate_engine *engine = NULL;
    ck_assert_msg(hgate_open(&options, &engine) == HGATE_OK, "%s", hgate_last_error());
    hgate_config_free(api);
    return engine;
}

typedef struct worker {
    pthread_t thread;
    int number;
    hgate_engine *engine;
    hgate_plan *angles, *curvature; // shared
    const char *failure;            // NULL: none
} worker;

#define EXPECT(CONDITION)                                                                          \
    if (!(CONDITION)) {                                                                            \
        w->failure = #CONDITION;                                                                   \
        goto done;                                                                                 \
    }

static int discard(void *user, const char *text, size_t n)
{
    (void)text;
    *(size_t *)user += n;
    return 0;
}

static void *work(void *user)
{
    worker *w = user;
    question *one_shot = malloc(sizeof *one_shot), *planned = malloc(sizeof *planned);
    question *curvature = malloc(sizeof *curvature);
    hgate_exec *exec = NULL;
    EXPECT(hgate_exec_new(w->engine, &exec) == HGATE_OK);
    question_ask(one_shot, w->number % 2 ? "emi n=9 batch=5" : "visibility_horizon nsrc=5");
    question_ask(planned, "visibility_angles nsrc=17");
    question_ask(curvature, "curvature ny=3 nx=5 n=4 s=2 nnz=6 f=0.5");
    for (int i = 0; i < n_calls; i++) {
        EXPECT(hg_dispatch(w->engine, i % 3 ? exec : NULL, &one_shot->problem) == HGATE_OK);
        EXPECT(hg_plan_execute(w->angles, exec, 0, &planned->problem) == HGATE_OK);
        EXPECT(hg_plan_execute(w->curvature, exec, 0, &curvature->problem) == HGATE_OK);
        if (i % 20 == 0) {
            hgate_trace *trace;
            size_t n = 0;
            EXPECT(hg_explain(w->engine, exec, &one_shot->problem, &trace) == HGATE_OK);
            EXPECT(hgate_trace_json(trace, discard, &n) == HGATE_OK && n > 100);
            hgate_trace_free(trace);
        }
        if (i % 50 == w->number) {
            char expected[64];
            snprintf(expected, sizeof expected, "threads: is %d, expected 0 to 4096",
                     -1 - w->number);
            EXPECT(hgate_exec_set_threads(exec, -1 - w->number) == HGATE_EVALUE);
            EXPECT(strcmp(hgate_last_error(), expected) == 0);
        }
    }
done:
    hgate_exec_free(exec);
    free(one_shot);
    free(planned);
    free(curvature);
    return NULL;
}

static hgate_plan *make_plan(hgate_engine *engine, const char *words)
{
    question q;
    question_ask(&q, words);
    const hg_problem *problem = &q.problem;
    hgate_plan *plan = NULL;
    ck_assert_msg(hg_plan_new(engine, NULL, &problem, 1, &plan) == HGATE_OK, "%s",
                  hgate_last_error());
    return plan;
}

static void run_workers(hgate_engine *const *engines, int n_engines)
{
    worker workers[n_threads];
    hgate_plan *plans[n_threads][2];
    for (int e = 0; e < n_engines; e++) {
        plans[e][0] = make_plan(engines[e], "visibility_angles nsrc=17 data=0");
        plans[e][1] = make_plan(engines[e], "curvature ny=3 nx=5 n=4 s=0 nnz=0 data=0");
    }
    for (int i = 0; i < n_threads; i++) {
        const int e = i % n_engines;
        workers[i] = (worker){
            .number = i, .engine = engines[e], .angles = plans[e][0], .curvature = plans[e][1]};
        ck_assert_int_eq(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < n_threads; i++) {
        pthread_join(workers[i].thread, NULL);
        ck_assert_msg(workers[i].failure == NULL, "thread %d: %s: %s", i, workers[i].failure,
                      hgate_last_error());
    }
    for (int e = 0; e < n_engines; e++) {
        const hgate_trace *trace;
        ck_assert_int_eq(hgate_plan_trace(plans[e][1], &trace), HGATE_OK);
        ck_assert_int_eq(trace->n_attempts, 1);
        hgate_plan_free(plans[e][0]);
        hgate_plan_free(plans[e][1]);
    }
}

START_TEST(one_engine)
{
    hgate_engine *engine = open_shared();
    run_workers(&engine, 1);
    ck_assert_int_eq(opened_count(engine, "good", "prepare"),
                     opened_count(engine, "good", "discard"));
    hgate_close(engine);
}
END_TEST

START_TEST(several_engines)
{
    static const int counts[] = {2, 8};
    hgate_engine *engines[8] = {NULL};
    for (int i = 0; i < counts[_i]; i++) {
        engines[i] = open_shared();
    }
    run_workers(engines, counts[_i]);
    for (int i = 0; i < counts[_i]; i++) {
        hgate_close(engines[i]);
    }
}
END_TEST

typedef struct opener {
    pthread_t thread;
    const hgate_options *options;
    int n_failures;
} opener;

// With options there is a plugin that answers.
static void *open_and_close(void *user)
{
    opener *o = user;
    question *q = malloc(sizeof *q);
    question_ask(q, "visibility_angles nsrc=17");
    for (int i = 0; i < 25; i++) {
        hgate_engine *engine = NULL;
        o->n_failures += hgate_open(o->options, &engine) != HGATE_OK;
        o->n_failures +=
            hg_dispatch(engine, NULL, &q->problem) != (o->options ? HGATE_OK : HGATE_ENOKERNEL);
        hgate_close(engine);
    }
    free(q);
    return NULL;
}

START_TEST(open_and_close_meanwhile)
{
    // with another configuration, and without options: what the environment says
    hgate_options options;
    hgate_options_init(&options);
    hgate_config *other = opened_config("good", "routing: {strategy: prefer, deterministic: true}");
    options.config = other;
    char path[1024];
    const char *top = getenv("abs_top_builddir");
    snprintf(path, sizeof path, "%s/tests/threads/plugins", top ? top : ".");
    setenv("HEADGATE_PLUGIN_PATH", path, 1); // an empty folder does
    hgate_engine *engine = open_shared();
    setenv("HEADGATE_PLUGIN_PATH", path, 1);
    opener openers[4];
    for (int i = 0; i < 4; i++) {
        openers[i] = (opener){.options = i % 2 ? &options : NULL};
        pthread_create(&openers[i].thread, NULL, open_and_close, &openers[i]);
    }
    run_workers(&engine, 1);
    for (int i = 0; i < 4; i++) {
        pthread_join(openers[i].thread, NULL);
        ck_assert_int_eq(openers[i].n_failures, 0);
    }
    hgate_close(engine);
    hgate_config_free(other);
}
END_TEST

static long resident_bytes(void)
{
    long total = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    ck_assert(file && fscanf(file, "%ld %ld", &total, &resident) == 2);
    fclose(file);
    return resident * sysconf(_SC_PAGESIZE);
}

static int count_descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    int n = 0;
    while (folder && readdir(folder)) {
        n++;
    }
    closedir(folder);
    return n;
}

START_TEST(a_hundred_engines)
{
    enum { N = 100 };
    hgate_engine *engines[N] = {NULL};
    question q;
    question_ask(&q, "visibility_angles nsrc=3");
    engines[0] = opened("good", NULL, NULL, NULL);
    const int descriptors = count_descriptors();
    for (int i = 1; i < N; i++) {
        engines[i] = opened("good", NULL, NULL, NULL);
    }
    ck_assert_int_eq(count_descriptors(), descriptors);
    for (int i = 0; i < N; i++) {
        ck_assert_int_eq(hg_dispatch(engines[i], NULL, &q.problem), HGATE_OK);
    }
    for (int i = 0; i < N; i++) {
        hgate_close(engines[(7 * i) % N]); // in no order
    }
}
END_TEST

// The whole of an engine's life ten thousand times, and not a byte kept.
START_TEST(ten_thousand_times)
{
    long bytes = 0;
    int descriptors = 0;
    hgate_config *api = opened_config("good", NULL);
    hgate_options options;
    hgate_options_init(&options);
    options.config = api;
    question q;
    question_ask(&q, "visibility_angles nsrc=3");
    for (int i = 0; i < n_opens(); i++) {
        hgate_engine *engine = NULL;
        bytes = i == 200 ? resident_bytes() : bytes;
        descriptors = i == 200 ? count_descriptors() : descriptors;
        ck_assert_int_eq(hgate_open(&options, &engine), HGATE_OK);
        if (i % 100 == 0) {
            ck_assert_int_eq(hg_dispatch(engine, NULL, &q.problem), HGATE_OK);
        }
        hgate_close(engine);
    }
    ck_assert_int_eq(count_descriptors(), descriptors);
    if (watches_memory()) {
        ck_assert_int_le(resident_bytes() - bytes, 1 << 20);
    }
    hgate_config_free(api);
}
END_TEST

// A thread with the smallest stack that we promise to live with.
static void *shallow(void *user)
{
    worker *w = user;
    question *q = malloc(sizeof *q);
    hgate_exec *exec = NULL;
    hgate_trace *trace = NULL;
    size_t n = 0;
    EXPECT(hgate_exec_new(w->engine, &exec) == HGATE_OK);
    question_ask(q, "emi n=9 batch=5");
    EXPECT(hg_dispatch(w->engine, exec, &q->problem) == HGATE_OK);
    EXPECT(hg_explain(w->engine, exec, &q->problem, &trace) == HGATE_OK);
    EXPECT(hgate_trace_json(trace, discard, &n) == HGATE_OK);
    EXPECT(hgate_trace_text(trace, discard, &n) == HGATE_OK);
    question_ask(q, "emi n=9 batch=5 mem=cuda:7");
    EXPECT(hg_dispatch(w->engine, exec, &q->problem) != HGATE_OK);
done:
    hgate_trace_free(trace);
    hgate_exec_free(exec);
    free(q);
    return NULL;
}

START_TEST(small_stacks)
{
    hgate_engine *engine = opened("good", NULL, NULL, NULL);
    worker w = {.engine = engine};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    ck_assert_int_eq(pthread_attr_setstacksize(&attributes, 64 * 1024), 0);
    ck_assert_int_eq(pthread_create(&w.thread, &attributes, shallow, &w), 0);
    pthread_join(w.thread, NULL);
    ck_assert_msg(w.failure == NULL, "%s", w.failure);
    pthread_attr_destroy(&attributes);
    hgate_close(engine);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("threads");
    TCase *tests = tcase_create("threads");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, one_engine);
    tcase_add_loop_test(tests, several_engines, 0, 2);
    tcase_add_test(tests, open_and_close_meanwhile);
    tcase_add_test(tests, a_hundred_engines);
    tcase_add_test(tests, ten_thousand_times);
    tcase_add_test(tests, small_stacks);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
