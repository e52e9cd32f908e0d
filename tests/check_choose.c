// SPDX-License-Identifier: BSD-3-Clause
// The order of candidates: cost, ties, preference, the plain kernel last, forced choices.
#include "tests/dispatch/world.h"
#include "tests/harness.h"

typedef struct choose_row {
    const char *kernels;
    const char *config;
    const char *chosen;
    hg_reason why;
} choose_row;

static const choose_row rows[] = {
    /* seconds decide */
    {"p/a=3 p/b=1 p/c=2", NULL, "p/b", HG_REASON_QUICKEST},
    {"p/a=1 q/b=1.06", NULL, "p/a", HG_REASON_QUICKEST},
    {"p/a=1", NULL, "p/a", HG_REASON_ONLY},
    /* reference after all others, whatever it costs */
    {"cpu-serial/reference=1e-9 p/a=5", NULL, "p/a", HG_REASON_QUICKEST},
    {"cpu-serial/reference=1e-9 p/a=5#", NULL, "cpu-serial/reference", HG_REASON_ONLY},
    {"p/reference=2 q/reference=1", NULL, "q/reference", HG_REASON_QUICKEST},
    /* a tie: routing.prefer, then less workspace, then plugin, then kernel */
    {"cpu-serial/a=1 cpu-openmp/a=1.04", NULL, "cpu-openmp/a", HG_REASON_TIE},
    {"cpu-serial/a=1 cpu-openmp/a=1.05", NULL, "cpu-openmp/a", HG_REASON_TIE},
    {"cpu-serial/a=1 cpu-openmp/a=1.051", NULL, "cpu-serial/a", HG_REASON_QUICKEST},
    {"cpu-serial/a=1 cpu-openmp/a=1.04", "routing: {prefer: [cpu-serial]}", "cpu-serial/a",
     HG_REASON_TIE},
    {"cpu-serial/a=1 cpu-openmp/a=1.04", "routing: {tie_margin: 0}", "cpu-serial/a",
     HG_REASON_QUICKEST},
    {"cpu-serial/a=1 cpu-openmp/a=1.4", "routing: {tie_margin: 0.5}", "cpu-openmp/a",
     HG_REASON_TIE},
    {"p/a=1@64 q/a=1@32", NULL, "q/a", HG_REASON_TIE},
    {"q/a=1 p/a=1", NULL, "p/a", HG_REASON_TIE},
    {"p/b=1 p/a=1", NULL, "p/a", HG_REASON_TIE},
    {"p/b=1@1 p/a=1@2", NULL, "p/b", HG_REASON_TIE},
    /* ties within the vocabulary: its own order, not the alphabet's */
    {"p/gemm=1 p/herk=1", NULL, "p/herk", HG_REASON_TIE},
    {"p/fft=1 p/full=1 p/symmetric=1", NULL, "p/full", HG_REASON_TIE},
    {"p/block=1 p/rows=1 p/library=1", NULL, "p/rows", HG_REASON_TIE},
    {"p/zzz=1 p/direct=1", NULL, "p/direct", HG_REASON_TIE},
    /* the margin is taken of the best, not passed on from one to the next */
    {"cpu-serial/a=1 cpu-openmp/a=1.04 cuda-x/a=1.08", NULL, "cpu-openmp/a", HG_REASON_TIE},
    /* a reference does not tie with a kernel that is none */
    {"cpu-serial/reference=1 p/a=1", "routing: {prefer: [cpu-serial]}", "p/a", HG_REASON_QUICKEST},
    /* preference as the strategy */
    {"cpu-serial/a=1 cpu-openmp/a=9", "routing: {strategy: prefer}", "cpu-openmp/a",
     HG_REASON_PREFERENCE},
    {"cpu-serial/a=1 cpu-openmp/a=9 cpu-openmp/b=8", "routing: {strategy: prefer}", "cpu-openmp/b",
     HG_REASON_PREFERENCE},
    {"cpu-serial/a=1 cpu-openmp/reference=9", "routing: {strategy: prefer}", "cpu-serial/a",
     HG_REASON_PREFERENCE},
    /* forced */
    {"p/a=1 q/b=9", "routing: {force: {visibility_horizon: q}}", "q/b", HG_REASON_FORCED},
    {"p/a=1 q/b=9 q/c=7", "routing: {force: {visibility_horizon: q}}", "q/c", HG_REASON_FORCED},
    {"p/a=1 q/b=9 q/c=7", "routing: {force: {visibility_horizon: q/b}}", "q/b", HG_REASON_FORCED},
    {"p/a=1 cpu-serial/reference=9", "routing: {force: {visibility_horizon: cpu-serial/reference}}",
     "cpu-serial/reference", HG_REASON_FORCED},
    {"p/a=1 q/b=9#", "routing: {force: {visibility_horizon: q/b}}", "none", HG_REASON_NONE},
    {"p/a=1", "routing: {force: {visibility_horizon: z}}", "none", HG_REASON_NONE},
    {"p/a=1 q/b=9", "routing: {force: {visibility_angles: q}}", "p/a", HG_REASON_QUICKEST},
};

START_TEST(the_best_is_chosen)
{
    const choose_row *row = &rows[_i];
    world *w = world_new("visibility_horizon", row->kernels, row->config);
    question q;
    question_ask(&q, "visibility_horizon nsrc=11");
    const hgate_trace *trace = world_decide(w, &q);
    ck_assert_str_eq(world_chosen(trace), row->chosen);
    ck_assert_str_eq(hg_reason_word(trace->why), hg_reason_word(row->why));
    world_free(w);
}
END_TEST

START_TEST(the_order_is_total_and_repeats)
{
    world *w = world_new("visibility_horizon",
                         "q/b=1 q/a=1 p/c=1.01 p/d=5 cpu-serial/reference=1 r/e=2@7 r/f=2@6", NULL);
    question q;
    question_ask(&q, "visibility_horizon nsrc=11");
    const hgate_trace *trace = world_decide(w, &q);
    static const char *const expected[] = {
        "p/c", "q/a", "q/b", "r/f", "r/e", "p/d", "cpu-serial/reference"};
    ck_assert_int_eq(trace->n_usable, 7);
    for (int repeat = 0; repeat < 3; repeat++) {
        for (int k = 0; k < 7; k++) {
            const hg_record *record = &trace->records[trace->order[k]];
            ck_assert_ptr_eq(record, world_record(trace, expected[k]));
            ck_assert_int_eq(record->state, k == 0 ? HG_STATE_CHOSEN : HG_STATE_COSTLIER);
        }
        const uint64_t hash = hg_trace_decision_hash(trace);
        world_decide(w, &q);
        ck_assert_uint_eq(hg_trace_decision_hash(trace), hash);
    }
    ck_assert_int_eq(world_record(trace, "q/a")->reason, HG_REASON_TIE);
    ck_assert_int_eq(world_record(trace, "r/f")->reason, HG_REASON_COST);
    ck_assert_int_eq(world_record(trace, "cpu-serial/reference")->reason, HG_REASON_REFERENCE);
    world_free(w);
}
END_TEST

START_TEST(the_decision_hash_tells_decisions_apart)
{
    question q;
    question_ask(&q, "visibility_horizon nsrc=11");
    static const char *const worlds[] = {"p/a=1 q/b=2", "p/a=2 q/b=1", "p/a=1# q/b=2",
                                         "p/a=1 r/b=2", "p/a=1*  q/b=2"};
    uint64_t hashes[5];
    for (int i = 0; i < 5; i++) {
        q.threads = 4;
        world *w = world_new("visibility_horizon", worlds[i], NULL);
        hashes[i] = hg_trace_decision_hash(world_decide(w, &q));
        world_free(w);
        for (int k = 0; k < i; k++) {
            ck_assert_uint_ne(hashes[i], hashes[k]);
        }
    }
    question other;
    question_ask(&other, "visibility_horizon nsrc=12");
    world *w = world_new("visibility_horizon", worlds[0], NULL);
    ck_assert_uint_ne(hg_trace_decision_hash(world_decide(w, &other)), hashes[0]);
    world_free(w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("choose");
    TCase *tests = tcase_create("choose");
    tcase_add_loop_test(tests, the_best_is_chosen, 0, (int)(sizeof rows / sizeof *rows));
    tcase_add_test(tests, the_order_is_total_and_repeats);
    tcase_add_test(tests, the_decision_hash_tells_decisions_apart);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
