// SPDX-License-Identifier: BSD-3-Clause
// All operations on random problems, from four threads, on engines of several configurations that
// they share, each answer compared with the reference kernel; memory stays where it was.
// SOAK_SECONDS sets how long; make check-soak runs it for as long as it is told.
#include "tests/harness.h"
#include "tests/real/problem.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { N_THREADS = 4, N_SAMPLES = 100000 };

static const char *const settings[] = {
    "",
    "threads: {max: 2}\nrouting: {deterministic: true}",
    "routing: {strategy: prefer, prefer: [cpu-openmp, cpu-serial, cpu-fftw]}",
    "plugins: {cpu-openmp: {enabled: false}, cpu-fftw: {enabled: false}}",
    "ops: {curvature: {exact_triangle: false}, emi: {check: full}, visibility: {check: full}}",
    "gates: {curvature: {symmetric_max_work_fraction: off}, visibility: {gemm3m: off}}",
};
enum { N_ENGINES = sizeof settings / sizeof *settings };

typedef struct soak {
    hgate_engine *engines[N_ENGINES], *reference;
    double end; // on the clock
    atomic_long n_calls, n_unfit;
    _Atomic(const char *) wrong;
    char words[N_THREADS][400];
} soak;

typedef struct worker {
    pthread_t thread;
    soak *soak;
    int number;
    uint64_t random;
} worker;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t next_random(worker *w)
{
    return real_random(&w->random);
}

static void draw_problem(worker *w, char *words, size_t size)
{
    real_draw(words, size, real_ranges[next_random(w) % (uint64_t)real_count(real_ranges)],
              &w->random);
    const size_t n = strlen(words);
    snprintf(words + n, size - n, " dtype=%s", next_random(w) % 2 ? "f64" : "f32");
}

// Once, or planned and run twice. A kernel of the engine's choice.
static int call_it(worker *w, cli_case *c, hgate_engine *engine, hgate_exec *exec)
{
    cli_call call = {.form = CLI_ONCE, .engine = engine, .exec = exec};
    cli_outputs_poison(c);
    cli_case_arguments(c, &call);
    if (next_random(w) % 2) {
        return c->op->call(&call);
    }
    call.form = CLI_PLAN;
    int status = c->op->call(&call);
    call.form = CLI_RUN;
    for (int i = 0; i < 2 && status == HGATE_OK; i++) {
        status = c->op->call(&call);
    }
    hgate_plan_free(call.plan);
    return status;
}

static const char *compare_one(worker *w, cli_case *c)
{
    soak *s = w->soak;
    hgate_engine *engine = s->engines[next_random(w) % N_ENGINES];
    hgate_exec *exec = NULL;
    cli_outputs expected;
    const char *wrong = NULL;
    if (call_it(w, c, s->reference, NULL) != HGATE_OK) {
        return "the reference kernel failed";
    }
    if (cli_outputs_keep(&expected, c) != HGATE_OK || hgate_exec_new(engine, &exec) != HGATE_OK) {
        return "no memory";
    }
    if (call_it(w, c, engine, exec) != HGATE_OK) {
        wrong = "a call failed";
    } else if (!(cli_outputs_error(c, &expected) <= cli_outputs_tolerance(c))) {
        wrong = "an answer differs from that of the reference kernel";
    }
    hgate_exec_free(exec);
    cli_outputs_free(&expected);
    return wrong;
}

static void *work(void *user)
{
    worker *w = user;
    char *words = w->soak->words[w->number];
    while (now() < w->soak->end && !w->soak->wrong) {
        cli_case c;
        draw_problem(w, words, sizeof w->soak->words[0]);
        const bool is_fit = real_try(&c, words);
        const char *wrong = is_fit ? compare_one(w, &c) : NULL;
        cli_case_free(&c);
        atomic_fetch_add(is_fit ? &w->soak->n_calls : &w->soak->n_unfit, 1);
        if (wrong) {
            size_t n = strlen(words);
            snprintf(words + n, sizeof w->soak->words[0] - n, ": %s", hgate_last_error());
            w->soak->wrong = wrong;
            return words;
        }
    }
    return NULL;
}

static hgate_engine *open_reference(void)
{
    char yaml[4096] = "routing: {force: {";
    for (int op = 0; op < HGATE_OP_COUNT; op++) {
        const size_t n = strlen(yaml);
        snprintf(yaml + n, sizeof yaml - n, "%s%s: cpu-serial/reference", op ? ", " : "",
                 hgate_op_name(op));
    }
    strcat(yaml, "}}");
    return real_open(NULL, NULL, yaml, NULL);
}

static long resident_bytes(void)
{
    long total = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    ck_assert(file && fscanf(file, "%ld %ld", &total, &resident) == 2);
    fclose(file);
    return resident * sysconf(_SC_PAGESIZE);
}

// The most of each quarter of the time.
static void watch(const soak *s, double seconds, long most[4])
{
    const double start = s->end - seconds;
    while (now() < s->end && !s->wrong) {
        const int quarter = (int)(4 * (now() - start) / seconds);
        const long bytes = resident_bytes();
        if (quarter >= 0 && quarter < 4) {
            most[quarter] = bytes > most[quarter] ? bytes : most[quarter];
        }
        usleep(100000);
    }
}

START_TEST(everything_at_once)
{
    const char *told = getenv("SOAK_SECONDS");
    const double seconds = told ? strtod(told, NULL) : 2;
    static soak s;
    worker workers[N_THREADS];
    long most[4] = {0};
    for (int i = 0; i < N_ENGINES; i++) {
        s.engines[i] = real_open(NULL, NULL, settings[i], NULL);
    }
    s.reference = open_reference();
    s.end = now() + seconds;
    for (int i = 0; i < N_THREADS; i++) {
        workers[i] =
            (worker){.soak = &s, .number = i, .random = 88172645463325252u + 977u * (unsigned)i};
        ck_assert_int_eq(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    watch(&s, seconds, most);
    for (int i = 0; i < N_THREADS; i++) {
        void *words;
        pthread_join(workers[i].thread, &words);
        ck_assert_msg(!words, "%s: %s", (char *)words, s.wrong);
    }
    printf("%ld problems, %ld more that no generator makes; resident KiB at most in each quarter: "
           "%ld %ld %ld %ld\n",
           (long)s.n_calls, (long)s.n_unfit, most[0] >> 10, most[1] >> 10, most[2] >> 10,
           most[3] >> 10);
    ck_assert_int_gt(s.n_calls, 10);
    ck_assert_int_lt(s.n_unfit, s.n_calls);
    // short runs are all beginning
    ck_assert_msg(seconds < 60 || most[3] <= most[1] + (1 << 20), "memory grows");
    for (int i = 0; i < N_ENGINES; i++) {
        hgate_close(s.engines[i]);
    }
    hgate_close(s.reference);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("soak");
    TCase *tests = tcase_create("soak");
    tcase_set_timeout(tests, 86400);
    tcase_add_test(tests, everything_at_once);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
