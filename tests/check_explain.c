// SPDX-License-Identifier: BSD-3-Clause
// What a trace says to people and to programs.
#include "core/route/explain.h"
#include "tests/dispatch/world.h"
#include "tests/harness.h"

#include <stdio.h>
#include <string.h>

typedef struct sheet {
    size_t n;
    int pieces, stop_after; /* 0: never */
    char text[32768];
} sheet;

static int write_sheet(void *user, const char *text, size_t n)
{
    sheet *s = user;
    ck_assert_uint_lt(s->n + n, sizeof s->text);
    memcpy(s->text + s->n, text, n);
    s->n += n;
    s->text[s->n] = '\0';
    return ++s->pieces == s->stop_after;
}

#define MACHINE                                                                                    \
    "cpu-openmp/interleaved=0.104* cpu-serial/single=0.093 cpu-serial/pivoted=0.4@1572864 "        \
    "cpu-serial/reference=4 cuda/block=1e-3 cuda/rows=1e-3 cuda/warp=1e-3# cpu-x/single=0.25#"

#define JSON                                                                                       \
    "{\"schema\":1,\"op\":\"curvature\",\"problem\":{\"ny\":3,\"nx\":4,\"n\":5,\"s\":6,"           \
    "\"nnz\":7,\"dtype\":\"f64\",\"space\":\"host\",\"threads\":1,\"vals_finite\":true,"           \
    "\"work_fraction\":0.5,\"pair_fraction\":0.375},\"config_hash\":\"xxxxxxxxxxxxxxxx\","         \
    "\"decision_hash\":\"xxxxxxxxxxxxxxxx\",\"calibration\":{\"source\":\"defaults\","             \
    "\"match\":true},\"deterministic\":false,\"forked\":false,\"unaligned\":[],"                   \
    "\"chosen\":{\"plugin\":\"cuda\",\"kernel\":\"fft\","                                          \
    "\"reason\":\"the quickest of 2 by prediction; predicted 1 s,"                                 \
    " next cpu-serial/full with 2 s\",\"seconds\":1.000001792,\"threads\":1},"                     \
    "\"gates\":[{\"gate\":\"curvature.symmetric_max_work_fraction\","                              \
    "\"kernels\":[\"symmetric\",\"pair\"],\"value\":0.5,\"limit\":0.25,"                           \
    "\"verdict\":\"refuse\",\"setting\":\"0.25\",\"origin\":\"test.yaml:2:21\"},"                  \
    "{\"gate\":\"curvature.finite_vals\",\"kernels\":[\"symmetric\",\"pair\",\"fft\"],"            \
    "\"value\":1,\"limit\":1,\"verdict\":\"pass\",\"setting\":null,\"origin\":\"fixed\"},"         \
    "{\"gate\":\"curvature.symmetric_kappa\",\"kernels\":[\"symmetric\"],\"value\":null,"          \
    "\"limit\":null,\"verdict\":\"pass\",\"setting\":\"auto\",\"origin\":\"default\"},"            \
    "{\"gate\":\"ops.curvature.exact_triangle\",\"kernels\":[\"pair\"],\"value\":1,"               \
    "\"limit\":null,\"verdict\":\"refuse\",\"setting\":\"true\",\"origin\":\"default\"},"          \
    "{\"gate\":\"ops.curvature.fft\",\"kernels\":[\"fft\"],\"value\":null,\"limit\":null,"         \
    "\"verdict\":\"pass\",\"setting\":\"auto\",\"origin\":\"default\"},"                           \
    "{\"gate\":\"ops.curvature.direct\",\"kernels\":[\"full\",\"symmetric\",\"pair\"],"            \
    "\"value\":null,\"limit\":null,\"verdict\":\"pass\",\"setting\":\"auto\","                     \
    "\"origin\":\"default\"}],\"candidates\":[{\"plugin\":\"cpu-serial\",\"kernel\":\"full\","     \
    "\"state\":\"costlier\",\"reason\":\"cost\",\"text\":\"predicted 2 s,"                         \
    " 2 times the chosen\",\"seconds\":2,\"threads\":1,\"terms\":{\"call\":1},\"ws_host\":64,"     \
    "\"ws_device\":0,\"prepared\":0,\"staged\":0},{\"plugin\":\"cpu-serial\","                     \
    "\"kernel\":\"symmetric\",\"state\":\"refused\",\"reason\":\"gate\","                          \
    "\"text\":\"curvature.symmetric_max_work_fraction: 0.5 work fraction,"                         \
    " the most is 0.25 (test.yaml:2:21)\",\"value\":0.5,\"limit\":0.25,"                           \
    "\"gate\":\"curvature.symmetric_max_work_fraction\"},{\"plugin\":\"cpu-y\","                   \
    "\"kernel\":\"full\",\"state\":\"refused\",\"reason\":\"limit\","                              \
    "\"text\":\"needs 3 of what there are 2\",\"value\":3,\"limit\":2},{\"plugin\":\"cuda\","      \
    "\"kernel\":\"fft\",\"state\":\"chosen\",\"reason\":\"quickest\","                             \
    "\"text\":\"the quickest of 2 by prediction; predicted 1 s,"                                   \
    " next cpu-serial/full with 2 s\",\"seconds\":1.000001792,\"threads\":1,"                      \
    "\"terms\":{\"call\":1},\"ws_host\":0,\"ws_device\":0,\"prepared\":3,\"staged\":1792}],"       \
    "\"attempts\":[{\"plugin\":\"cuda\",\"kernel\":\"fft\",\"status\":0,"                          \
    "\"status_name\":\"HGATE_OK\",\"committed\":true,\"plain\":false,\"measured\":4,"              \
    "\"measured_over_predicted\":3.999992832012845}],\"unusable_plugins\":[]}"

static const char answer[] =
    "emi n=92 batch=1000 full=1, c64 in host memory, up to 2 threads\n"
    "chosen: cpu-openmp/interleaved on 2 threads\n"
    "why: the quickest of 4 by prediction; predicted 52 ms, next cpu-serial/single with 93 ms\n"
    "constants: defaults\n";

static const char tables[] =
    "\n"
    "kernel                  state     predicted  threads  workspace   copied\n"
    "cpu-openmp/interleaved  chosen        52 ms        2        0 B      0 B\n"
    "cpu-serial/single       costlier      93 ms        1        0 B      0 B\n"
    "    cost: predicted 93 ms, 1.79 times the chosen\n"
    "cpu-serial/pivoted      costlier     400 ms        1    1.5 MiB      0 B\n"
    "    cost: predicted 400 ms, 7.69 times the chosen\n"
    "cpu-serial/reference    costlier        4 s        1        0 B      0 B\n"
    "    reference: predicted 4 s; the plain kernel, for when nothing else is left\n"
    "cpu-x/single            refused\n"
    "    limit: needs 3 of what there are 2\n"
    "cuda/block              refused\n"
    "    space: arrays are in host memory, the kernel works in cuda memory and\n"
    "    routing.stage_host_input is never (test.yaml:2:11)\n"
    "cuda/rows               refused\n"
    "    space: arrays are in host memory, the kernel works in cuda memory and\n"
    "    routing.stage_host_input is never (test.yaml:2:11)\n"
    "cuda/warp               refused\n"
    "    space: arrays are in host memory, the kernel works in cuda memory and\n"
    "    routing.stage_host_input is never (test.yaml:2:11)\n"
    "\n"
    "gate                                        verdict     value         limit\n"
    "    emi.warp_max_images                     refuse         92            32\n"
    "    emi.rows_max_images                     pass           92  the device's\n"
    "    emi.block_max_images                    pass           92           150"
    "  (test.yaml:3:15)\n"
    "    emi.require_regularized                 pass            1             1\n";

static world *machine(void)
{
    return world_new("emi", MACHINE,
                     "routing: {stage_host_input: never}\n"
                     "gates: {emi: {block_max_images: 150}}");
}

START_TEST(text_for_people)
{
    world *w = machine();
    question q;
    question_ask(&q, "emi n=92 batch=1000 dtype=c64 threads=2");
    sheet s = {0};
    char expected[4096];
    snprintf(expected, sizeof expected, "%s%s", answer, tables);
    ck_assert_int_eq(hg_explain_text(world_decide(w, &q), write_sheet, &s), HGATE_OK);
    ck_assert_str_eq(s.text, expected);
    world_free(w);
}
END_TEST

START_TEST(text_when_nothing_is_left)
{
    world *w = world_new("emi", "cpu-serial/single=1", NULL);
    question q;
    question_ask(&q, "emi n=198 batch=1000 dtype=c64 mem=cuda:1");
    sheet s = {0};
    ck_assert_int_eq(hg_explain_text(world_decide(w, &q), write_sheet, &s), HGATE_OK);
    static const char expected[] =
        "emi n=198 batch=1000 full=1, c64 in cuda:1 memory, up to 1 thread\n"
        "chosen: none, the only kernel is refused below\n"
        "constants: defaults\n"
        "no plugin for device memory was found\n"
        "\n"
        "kernel             state     predicted  threads  workspace   copied\n"
        "cpu-serial/single  refused\n"
        "    space: arrays are in cuda:1 memory, the kernel works in host memory\n";
    ck_assert_uint_gt(s.n, sizeof expected);
    s.text[sizeof expected - 1] = '\0';
    ck_assert_str_eq(s.text, expected);
    world_free(w);
}
END_TEST

START_TEST(text_without_any_kernel)
{
    world *w = world_new("emi", "cpu-serial/single=1", NULL);
    question q;
    question_ask(&q, "ds_temp_coh");
    sheet s = {0};
    ck_assert_int_eq(hg_explain_text(world_decide(w, &q), write_sheet, &s), HGATE_OK);
    ck_assert_ptr_nonnull(strstr(s.text, "\nchosen: none, no usable plugin has a kernel for it\n"));
    world_free(w);
}
END_TEST

START_TEST(notes_of_the_text)
{
    world *w = world_new("emi", "cpu-serial/single=1", NULL);
    question q;
    question_ask(&q, "emi n=5 batch=3 threads=2 mem=host");
    hg_problem_set_arg(&q.problem, HGATE_EMI_COH, NULL);
    DLTensor coh = *q.problem.args[HGATE_EMI_PHASE];
    coh.data = (char *)coh.data + 8;
    hg_problem_set_arg(&q.problem, HGATE_EMI_COH, &coh);
    sheet s = {0};
    ck_assert_int_eq(hg_explain_text(world_decide(w, &q), write_sheet, &s), HGATE_OK);
    ck_assert_ptr_nonnull(
        strstr(s.text, "\n    one thread: fewer points than ops.emi.cpu.threads_min_points\n"));
    ck_assert_ptr_nonnull(strstr(s.text, "\n    not at a multiple of 64 bytes: coh\n"));
    world_free(w);
}
END_TEST

// At most five lines before the tables, whatever happened.
START_TEST(the_answer_is_short)
{
    static const char *const questions[] = {"emi n=92", "emi n=9 rule=none mem=cuda:0",
                                            "emi n=9 threads=7", "emi n=9 mem=pinned"};
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        world *w = machine();
        question q;
        question_ask(&q, questions[i]);
        sheet s = {0};
        ck_assert_int_eq(hg_explain_text(world_decide(w, &q), write_sheet, &s), HGATE_OK);
        const char *end = strstr(s.text, "\n\n");
        ck_assert_ptr_nonnull(end);
        int lines = 1;
        for (const char *at = s.text; at < end; at++) {
            lines += *at == '\n';
        }
        ck_assert_int_le(lines, 5);
        world_free(w);
    }
}
END_TEST

// Hashes are not compared: the configuration's changes with every new key.
static void hide_hash(char *json, const char *key)
{
    char *at = strstr(json, key);
    ck_assert_ptr_nonnull(at);
    at += strlen(key);
    for (int i = 0; i < 16; i++) {
        ck_assert_ptr_nonnull(strchr("0123456789abcdef", at[i]));
        at[i] = 'x';
    }
    ck_assert_int_eq(at[16], '"');
}

START_TEST(json_for_programs)
{
    world *w = world_new("curvature",
                         "cpu-serial/full=2@64 cpu-serial/symmetric=9 cuda/fft=1^3 cpu-y/full=4#",
                         "gates: {curvature: {symmetric_max_work_fraction: 0.25}}");
    question q;
    question_ask(&q, "curvature ny=3 nx=4 n=5 s=6 nnz=7 f=0.5 g=0.375");
    hgate_trace *trace = world_decide(w, &q);
    hg_attempt *attempt = hg_trace_attempt(trace, trace->chosen);
    attempt->is_committed = true;
    attempt->measured = 4;
    sheet s = {0};
    ck_assert_int_eq(hg_explain_json(trace, write_sheet, &s), HGATE_OK);
    hide_hash(s.text, "\"config_hash\":\"");
    hide_hash(s.text, "\"decision_hash\":\"");
    ck_assert_str_eq(s.text, JSON);
    world_free(w);
}
END_TEST

START_TEST(json_when_nothing_is_left)
{
    world *w = world_new("visibility_angles", "p/a=1#", NULL);
    question q;
    question_ask(&q, "visibility_angles nsrc=3 dtype=f32");
    sheet s = {0};
    ck_assert_int_eq(hg_explain_json(world_decide(w, &q), write_sheet, &s), HGATE_OK);
    ck_assert_ptr_nonnull(
        strstr(s.text, "\"chosen\":null,\"message\":\"no kernel may serve visibility_angles "
                       "nsrc=3, f32 in host memory\","));
    world_free(w);
}
END_TEST

START_TEST(writers_may_stop)
{
    world *w = machine();
    question q;
    question_ask(&q, "emi n=92 batch=1000 dtype=c64");
    for (int stop = 1; stop <= 3; stop++) {
        sheet s = {.stop_after = stop};
        ck_assert_int_eq(hg_explain_text(world_decide(w, &q), write_sheet, &s), HGATE_ESTOPPED);
        ck_assert_int_eq(s.pieces, stop);
        s = (sheet){.stop_after = stop};
        ck_assert_int_eq(hg_explain_json(world_decide(w, &q), write_sheet, &s), HGATE_ESTOPPED);
        ck_assert_int_eq(s.pieces, stop);
    }
    world_free(w);
}
END_TEST

START_TEST(units_of_seconds_and_bytes)
{
    static const struct {
        double seconds;
        const char *text;
    } times[] = {{0, "0 ns"},        {1.5e-9, "1.5 ns"},  {1e-6, "1 us"},      {999e-6, "999 us"},
                 {999.7e-6, "1 ms"}, {0.0123, "12.3 ms"}, {0.99949, "999 ms"}, {0.9996, "1 s"},
                 {1, "1 s"},         {12345, "12345 s"}};
    static const struct {
        size_t bytes;
        const char *text;
    } sizes[] = {{0, "0 B"},          {1023, "1023 B"},     {1024, "1.0 KiB"},
                 {10240, "10 KiB"},   {1572864, "1.5 MiB"}, {(size_t)3 << 30, "3.0 GiB"},
                 {SIZE_MAX, "16 EiB"}};
    char words[64];
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        hg_text text = hg_text_over(words, sizeof words);
        hg_put_seconds(times[i].seconds, &text);
        ck_assert_str_eq(words, times[i].text);
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        hg_text text = hg_text_over(words, sizeof words);
        hg_put_bytes(sizes[i].bytes, &text);
        ck_assert_str_eq(words, sizes[i].text);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("explain");
    TCase *tests = tcase_create("explain");
    tcase_add_test(tests, text_for_people);
    tcase_add_test(tests, text_when_nothing_is_left);
    tcase_add_test(tests, text_without_any_kernel);
    tcase_add_test(tests, notes_of_the_text);
    tcase_add_test(tests, the_answer_is_short);
    tcase_add_test(tests, json_for_programs);
    tcase_add_test(tests, json_when_nothing_is_left);
    tcase_add_test(tests, writers_may_stop);
    tcase_add_test(tests, units_of_seconds_and_bytes);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
