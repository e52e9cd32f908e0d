// SPDX-License-Identifier: BSD-3-Clause
// Estimates: what is added up, at which thread count, with which factors, and which answers nobody
// believes.
#include "core/base/log.h"
#include "tests/dispatch/world.h"
#include "tests/harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- one plugin by hand: work terms, and answers that go wrong on request --- */

typedef struct tampered {
    double terms[HGATE_MAX_TERMS];
    double seconds;
    int status;
    int calls;
    int thread_counts[16];
} tampered;

static int estimate(void *state, const hgate_problem *problem, const double *k,
                    hgate_estimate *cost)
{
    (void)k;
    tampered *t = state;
    t->thread_counts[t->calls++ & 15] = problem->threads;
    memcpy(cost->terms, t->terms, sizeof t->terms);
    cost->seconds = t->seconds;
    return t->status;
}

static const hgate_term terms[] = {{"flop", 1}, {"call", 0}};
static const hgate_constant call = {sizeof call, "call", "s", 5, 0, 10, ""};
static const hgate_constant flop = {sizeof flop, "flop", "s/flop", 0.25, 0, 1, ""};
static const hgate_constant *const constants[] = {&call, &flop};

typedef struct hand_made {
    tampered state;
    hgate_kernel kernel;
    const hgate_kernel *kernels[1];
    hgate_plugin descriptor;
    hg_plugin plugin;
    const hg_plugin *list[1];
    hgate_config *api;
    hg_config *config;
    hg_rules rules;
    hg_calib *calib;
    hg_catalog *catalog;
    hgate_trace *trace;
} hand_made;

static void make(hand_made *m, uint32_t flags, const char *setting, const char *value)
{
    memset(m, 0, sizeof *m);
    m->kernel = (hgate_kernel){
        .struct_size = sizeof m->kernel,
        .op = HGATE_OP_VISIBILITY_ANGLES,
        .name = "direct",
        .dtypes = HGATE_F64,
        .spaces = HGATE_SPACE_HOST,
        .flags = flags,
        .n_terms = 2,
        .terms = terms,
        .estimate = estimate,
    };
    m->kernels[0] = &m->kernel;
    m->descriptor = (hgate_plugin){.name = "p",
                                   .n_kernels = 1,
                                   .kernels = m->kernels,
                                   .n_constants = 2,
                                   .constants = constants};
    m->plugin = (hg_plugin){.name = "p",
                            .reason = "",
                            .descriptor = &m->descriptor,
                            .state = &m->state,
                            .n_kernels = 1,
                            .kernels = m->kernels};
    m->list[0] = &m->plugin;
    ck_assert_int_eq(hgate_config_new(&m->api), HGATE_OK);
    ck_assert_int_eq(hgate_config_load_text(m->api, "version: 1\n", 11, "t"), HGATE_OK);
    if (setting) {
        ck_assert_int_eq(hgate_config_set(m->api, setting, value), HGATE_OK);
    }
    ck_assert_int_eq(hg_config_resolve(m->api, NULL, NULL, &m->config), HGATE_OK);
    hg_rules_read(m->config, &m->rules);
    ck_assert_int_eq(hg_calib_new(m->config, m->list, 1, NULL, NULL, &m->calib), HGATE_OK);
    ck_assert_int_eq(hg_catalog_new(&m->rules, m->calib, m->list, 1, NULL, &m->catalog), HGATE_OK);
    ck_assert_int_eq(hg_trace_new(NULL, m->catalog, 1, &m->trace), HGATE_OK);
}

static void unmake(hand_made *m)
{
    hg_trace_delete(m->trace);
    hg_catalog_free(m->catalog);
    hg_calib_free(m->calib);
    hg_config_release(m->config);
    hgate_config_free(m->api);
}

static const hg_record *decide(hand_made *m, int threads, hg_log *log)
{
    question q;
    question_ask(&q, "visibility_angles nsrc=10");
    const hg_request request = {.catalog = m->catalog,
                                .problem = &q.problem,
                                .threads = threads,
                                .stream_device = -1,
                                .log = log};
    hg_decide(&request, m->trace);
    return &m->trace->records[0];
}

START_TEST(terms_times_constants)
{
    hand_made m;
    make(&m, HGATE_KERNEL_LINEAR_COST, NULL, NULL);
    m.state.terms[0] = 12;
    m.state.terms[1] = 2;
    m.state.seconds = 77; /* not read */
    ck_assert_double_eq(decide(&m, 1, NULL)->seconds, 12 * 0.25 + 2 * 5);
    unmake(&m);
}
END_TEST

START_TEST(constants_that_are_set)
{
    hand_made m;
    make(&m, HGATE_KERNEL_LINEAR_COST, "calibration.constants.p.flop", "0.5");
    m.state.terms[0] = 12;
    m.state.terms[1] = 2;
    ck_assert_double_eq(decide(&m, 1, NULL)->seconds, 12 * 0.5 + 2 * 5);
    unmake(&m);
}
END_TEST

START_TEST(seconds_of_a_kernel_that_is_not_linear)
{
    hand_made m;
    make(&m, 0, NULL, NULL);
    m.state.terms[0] = 12;
    m.state.seconds = 77;
    ck_assert_double_eq(decide(&m, 1, NULL)->seconds, 77);
    unmake(&m);
}
END_TEST

typedef struct fault_row {
    uint32_t flags;
    double seconds, term0, undeclared;
    int status;
    hg_fault fault;
} fault_row;

static const fault_row faults[] = {
    {0, 1, 0, 0, HGATE_OK, HG_FAULT_NONE},
    {0, 1, 0, 0, HGATE_EINTERNAL, HG_FAULT_STATUS},
    {0, 1, 0, 0, 1, HG_FAULT_STATUS},
    {0, NAN, 0, 0, HGATE_OK, HG_FAULT_NAN},
    {0, -1e-300, 0, 0, HGATE_OK, HG_FAULT_NEGATIVE},
    {0, INFINITY, 0, 0, HGATE_OK, HG_FAULT_INFINITE},
    {0, 3.3e9, 0, 0, HGATE_OK, HG_FAULT_INFINITE},
    {0, 0, 0, 0, HGATE_OK, HG_FAULT_ZERO},
    {0, 1, -1, 0, HGATE_OK, HG_FAULT_TERMS},
    {0, 1, NAN, 0, HGATE_OK, HG_FAULT_TERMS},
    {0, 1, 0, 1, HGATE_OK, HG_FAULT_TERMS},
    {0, 1, 0, NAN, HGATE_OK, HG_FAULT_TERMS},
    {HGATE_KERNEL_LINEAR_COST, 0, 4, 0, HGATE_OK, HG_FAULT_NONE},
    {HGATE_KERNEL_LINEAR_COST, 9, 0, 0, HGATE_OK, HG_FAULT_ZERO},
    {HGATE_KERNEL_LINEAR_COST, 9, NAN, 0, HGATE_OK, HG_FAULT_NAN},
    {HGATE_KERNEL_LINEAR_COST, 9, -4, 0, HGATE_OK, HG_FAULT_NEGATIVE},
    {HGATE_KERNEL_LINEAR_COST, 9, INFINITY, 0, HGATE_OK, HG_FAULT_INFINITE},
};

START_TEST(answers_that_nobody_believes)
{
    const fault_row *row = &faults[_i];
    hand_made m;
    make(&m, row->flags, NULL, NULL);
    m.state.seconds = row->seconds;
    m.state.terms[0] = row->term0;
    m.state.terms[HGATE_MAX_TERMS - 1] = row->undeclared;
    m.state.status = row->status;
    const hg_record *record = decide(&m, 1, NULL);
    ck_assert_int_eq(record->fault, row->fault);
    ck_assert_int_eq(m.trace->n_usable, row->fault == HG_FAULT_NONE);
    ck_assert_int_eq(record->reason == HG_REASON_BAD_ESTIMATE, row->fault != HG_FAULT_NONE);
    unmake(&m);
}
END_TEST

typedef struct lines {
    int n;
    char last[256];
} lines;

static void keep_line(void *user, int level, const char *component, const char *text)
{
    lines *l = user;
    ck_assert_int_eq(level, HGATE_LOG_WARN);
    ck_assert_str_eq(component, "route");
    l->n++;
    snprintf(l->last, sizeof l->last, "%s", text);
}

START_TEST(muted_after_three)
{
    hand_made m;
    lines l = {0};
    hg_log *log;
    ck_assert_int_eq(hg_log_new(keep_line, &l, HGATE_LOG_WARN, NULL, &log), HGATE_OK);
    make(&m, 0, NULL, NULL);
    m.state.seconds = NAN;
    for (int i = 1; i <= 3; i++) {
        ck_assert_int_eq(decide(&m, 1, log)->fault, HG_FAULT_NAN);
        ck_assert_int_eq(m.state.calls, i);
        ck_assert_int_eq(l.n, i == 3);
    }
    ck_assert_str_eq(l.last, "p/direct is muted: 3 of its estimates for visibility_angles could "
                             "not be used");
    m.state.seconds = 1; /* too late */
    ck_assert_int_eq(decide(&m, 1, log)->fault, HG_FAULT_MUTED);
    ck_assert_int_eq(m.state.calls, 3);
    ck_assert_int_eq(l.n, 1);
    unmake(&m);
    hg_log_free(log);
}
END_TEST

START_TEST(good_answers_in_between_do_not_count)
{
    hand_made m;
    make(&m, 0, NULL, NULL);
    for (int i = 0; i < 8; i++) {
        m.state.seconds = i % 4 == 0 ? NAN : 1;
        ck_assert_int_eq(decide(&m, 1, NULL)->fault, i % 4 == 0 ? HG_FAULT_NAN : HG_FAULT_NONE);
    }
    unmake(&m);
}
END_TEST

START_TEST(thread_counts_that_are_asked)
{
    static const struct {
        uint32_t flags;
        int threads, n, counts[6];
    } rows[] = {
        {0, 7, 1, {1}},
        {HGATE_KERNEL_THREADED, 1, 1, {1}},
        {HGATE_KERNEL_THREADED, 2, 2, {1, 2}},
        {HGATE_KERNEL_THREADED, 3, 3, {1, 2, 3}},
        {HGATE_KERNEL_THREADED, 4, 3, {1, 2, 4}},
        {HGATE_KERNEL_THREADED, 7, 4, {1, 2, 4, 7}},
        {HGATE_KERNEL_THREADED, 16, 5, {1, 2, 4, 8, 16}},
        {HGATE_KERNEL_THREADED, 0, 1, {1}},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        hand_made m;
        make(&m, rows[r].flags, NULL, NULL);
        m.state.seconds = 1;
        ck_assert_int_eq(decide(&m, rows[r].threads, NULL)->threads, 1); /* more gains nothing */
        ck_assert_int_eq(m.state.calls, rows[r].n);
        for (int i = 0; i < rows[r].n; i++) {
            ck_assert_int_eq(m.state.thread_counts[i], rows[r].counts[i]);
        }
        unmake(&m);
    }
}
END_TEST

/* ---- made-up machines ------------------------------------------------------- */

START_TEST(more_threads_when_they_pay)
{
    world *w = world_new("visibility_angles", "p/a=6* p/b=5", NULL);
    question q;
    question_ask(&q, "visibility_angles threads=3");
    const hgate_trace *trace = world_decide(w, &q);
    ck_assert_str_eq(world_chosen(trace), "p/a");
    ck_assert_int_eq(world_record(trace, "p/a")->threads, 3);
    ck_assert_double_eq(world_record(trace, "p/a")->seconds, 2);
    ck_assert_int_eq(world_record(trace, "p/b")->threads, 1);
    q.threads = 1;
    ck_assert_str_eq(world_chosen(world_decide(w, &q)), "p/b");
    world_free(w);
}
END_TEST

START_TEST(few_points_take_one_thread)
{
    static const struct {
        const char *question;
        int threads;
    } rows[] = {
        {"emi n=9 batch=63 threads=4", 1},         {"emi n=9 batch=64 threads=4", 4},
        {"evd n=9 batch=63 threads=4", 1},         {"ds_temp_coh n=9 batch=63 threads=4", 1},
        {"ds_temp_coh n=9 batch=64 threads=4", 4},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        question q;
        question_ask(&q, rows[r].question);
        world *w = world_new(hgate_op_name(q.problem.p.op), "p/single=8*", NULL);
        const hgate_trace *trace = world_decide(w, &q);
        ck_assert_int_eq(world_record(trace, "p/single")->threads, rows[r].threads);
        ck_assert_int_eq(trace->threads_capped, rows[r].threads == 1);
        world_free(w);
    }
}
END_TEST

typedef struct kappa_row {
    const char *config, *question;
    double seconds,
        shown; /* of symmetric, when full takes 10 s and symmetric says 4 s; NAN: not shown */
} kappa_row;

static const kappa_row kappas[] = {
    /* unless something was measured here: 1.32 */
    {NULL, "f=0.5", 6.6, 1.32},
    {NULL, "f=0.7", 9.24, 1.32},
    {"gates: {curvature: {symmetric_max_work_fraction: 1}}", "f=0.9", 10,
     1.32}, /* never above full */
    /* a number that is set rules */
    {"gates: {curvature: {symmetric_kappa: 1.1}}", "f=0.5", 5.5, 1.1},
    {"gates: {curvature: {symmetric_kappa: off}}", "f=0.5", 5, 1},
    {"gates: {curvature: {symmetric_kappa: 3}}", "f=0.5", 10, 3},
    /* measured: the kernel's own constant, and the factor that it amounts to */
    {"calibration: {constants: {p: {symmetric: 4}}}", "f=0.5", 4, 0.8},
    {"calibration: {constants: {p: {symmetric: 4}}}\n"
     "gates: {curvature: {symmetric_kappa: 1.1}}",
     "f=0.5", 5.5, 1.1},
    /* f is not known: the kernel's own word */
    {NULL, "", 4, NAN},
    {NULL, "f=0", 0, 1.32},
};

START_TEST(kappa)
{
    const kappa_row *row = &kappas[_i];
    char words[64];
    snprintf(words, sizeof words, "curvature %s", row->question);
    world *w = world_new("curvature", "p/full=10 p/symmetric=4 q/full=99", row->config);
    question q;
    question_ask(&q, words);
    const hgate_trace *trace = world_decide(w, &q);
    ck_assert_double_eq_tol(world_record(trace, "p/symmetric")->seconds, row->seconds, 1e-12);
    const double shown = trace->verdicts[HG_GATE_KAPPA].value;
    if (isnan(row->shown)) {
        ck_assert(isnan(shown));
    } else {
        ck_assert_double_eq_tol(shown, row->shown, 1e-12);
    }
    world_free(w);
}
END_TEST

START_TEST(kappa_without_a_full_kernel)
{
    world *w = world_new("curvature", "p/symmetric=4 q/full=99", NULL);
    question q;
    question_ask(&q, "curvature f=0.5");
    ck_assert_double_eq(world_record(world_decide(w, &q), "p/symmetric")->seconds, 4);
    world_free(w);
}
END_TEST

START_TEST(copies_cost)
{
    /* 256 bytes an array, 1e-9 s a byte; outputs that are read go both ways */
    static const struct {
        const char *op, *question;
        double bytes;
    } rows[] = {
        {"visibility_angles", "visibility_angles", 3 * 256},          /* crd in; az, za out */
        {"visibility_gram", "visibility_gram", 2 * 256},              /* Z in, V out */
        {"visibility_gram", "visibility_gram beta_out=0.5", 3 * 256}, /* V in too */
        {"visibility_product", "visibility_product", 3 * 256},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        world *w = world_new(rows[r].op, "cuda/a=1e-6 p/a=1", NULL);
        question q;
        question_ask(&q, rows[r].question);
        const hg_record *record = world_record(world_decide(w, &q), "cuda/a");
        ck_assert(record->is_staged);
        ck_assert_uint_eq(record->staged, (size_t)rows[r].bytes);
        ck_assert_double_eq_tol(record->seconds, 1e-6 + 1e-9 * rows[r].bytes, 1e-18);
        world_free(w);
    }
}
END_TEST

START_TEST(copies_can_turn_the_choice)
{
    /* 768 bytes take 0.768 us with the plugin's constant */
    question q;
    question_ask(&q, "visibility_angles");
    world *w = world_new("visibility_angles", "cuda/a=1e-7 p/a=8e-7", NULL);
    ck_assert_str_eq(world_chosen(world_decide(w, &q)), "p/a");
    world_free(w);
    w = world_new("visibility_angles", "cuda/a=1e-7 p/a=8e-7",
                  "calibration: {constants: {cuda: {stage_per_byte: 1e-11}}}");
    ck_assert_str_eq(world_chosen(world_decide(w, &q)), "cuda/a");
    world_free(w);
}
END_TEST

#define COUNT(ARRAY) ((int)(sizeof(ARRAY) / sizeof *(ARRAY)))

int main(void)
{
    Suite *suite = suite_create("cost");
    TCase *tests = tcase_create("cost");
    tcase_add_test(tests, terms_times_constants);
    tcase_add_test(tests, constants_that_are_set);
    tcase_add_test(tests, seconds_of_a_kernel_that_is_not_linear);
    tcase_add_loop_test(tests, answers_that_nobody_believes, 0, COUNT(faults));
    tcase_add_test(tests, muted_after_three);
    tcase_add_test(tests, good_answers_in_between_do_not_count);
    tcase_add_test(tests, thread_counts_that_are_asked);
    tcase_add_test(tests, more_threads_when_they_pay);
    tcase_add_test(tests, few_points_take_one_thread);
    tcase_add_loop_test(tests, kappa, 0, COUNT(kappas));
    tcase_add_test(tests, kappa_without_a_full_kernel);
    tcase_add_test(tests, copies_cost);
    tcase_add_test(tests, copies_can_turn_the_choice);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
