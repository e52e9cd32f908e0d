// SPDX-License-Identifier: BSD-3-Clause
// Each filter: its reason, its words with the numbers, and what it lets pass.
#include "tests/dispatch/world.h"
#include "tests/harness.h"

#include <stdio.h>
#include <string.h>

typedef struct filter_case {
    const char *op;
    const char *kernels;
    const char *config;
    const char *question; /* after the operation */
    const char *kernel;   /* looked at */
    const char *reason;   /* "" for passes */
    const char *text;     /* all of it */
} filter_case;

static const filter_case cases[] = {
    {"visibility_horizon", "p/a=1 q/b=2", "plugins: {p: {enabled: false}}", "", "p/a", "killed",
     "plugins.p.enabled is false (test.yaml:2:15)"},
    {"visibility_horizon", "p/a=1 q/b=2",
     "kernels: {visibility_horizon: {p: {a: {enabled: false}}}}", "", "p/a", "killed",
     "kernels.visibility_horizon.p.a.enabled is false (test.yaml:2:40)"},
    {"visibility_horizon", "p/a=1 p/b=2",
     "kernels: {visibility_horizon: {p: {a: {enabled: false}}}}", "", "p/b", "", ""},
    {"visibility_horizon", "p/a=1 q/b=2", "routing: {force: {visibility_horizon: q}}", "", "p/a",
     "not_forced", "routing.force.visibility_horizon is q (test.yaml:2:19)"},
    {"visibility_horizon", "p/a=1 p/b=2", "routing: {force: {visibility_horizon: p/b}}", "", "p/a",
     "not_forced", "routing.force.visibility_horizon is p/b (test.yaml:2:19)"},
    {"visibility_horizon", "p/a=1", NULL, "mem=cuda:1", "p/a", "space",
     "arrays are in cuda:1 memory, the kernel works in host memory"},
    {"visibility_horizon", "p/a=1", NULL, "mem=pinned", "p/a", "", ""},
    {"visibility_horizon", "p/a=1", NULL, "mem=managed:0", "p/a", "", ""},
    {"visibility_horizon", "p/a=1 cuda/b=1", NULL, "mem=managed:0", "p/a", "space",
     "arrays are in managed:0 memory, the kernel works in host memory"},
    {"visibility_horizon", "p/a=1 cuda/b=1", NULL, "mem=managed:0", "cuda/b", "", ""},
    {"visibility_horizon", "cuda/b=1", NULL, "mem=cuda:0", "cuda/b", "", ""},
    {"visibility_horizon", "cuda/b=1", NULL, "mem=host", "cuda/b", "", ""},
    {"visibility_horizon", "cuda/b=1", "routing: {stage_host_input: never}", "mem=host", "cuda/b",
     "space",
     "arrays are in host memory, the kernel works in cuda memory and routing.stage_host_input is "
     "never (test.yaml:2:11)"},
    {"visibility_horizon", "cuda/b=1", "routing: {stage_host_input: never}", "mem=pinned", "cuda/b",
     "space",
     "arrays are in pinned memory, the kernel works in cuda memory and routing.stage_host_input is "
     "never (test.yaml:2:11)"},
    {"visibility_horizon", "p/a=1! p/b=2", "routing: {deterministic: true}", "", "p/a",
     "determinism",
     "routing.deterministic is true (test.yaml:2:11), the kernel does not repeat its bits"},
    {"visibility_horizon", "p/a=1! p/b=2", "routing: {deterministic: true}", "", "p/b", "", ""},
    {"visibility_horizon", "p/a=1# p/b=2", NULL, "", "p/a", "limit", "needs 3 of what there are 2"},
    {"visibility_horizon", "p/a=1@1025", "memory: {host_workspace_limit: 1KiB}", "", "p/a",
     "memory",
     "needs 1025 bytes of workspace, memory.host_workspace_limit is 1024 (test.yaml:2:10)"},
    {"visibility_horizon", "p/a=1@1024", "memory: {host_workspace_limit: 1KiB}", "", "p/a", "", ""},
    {"curvature", "p/full=1@1025", "ops: {curvature: {max_workspace_bytes: 1KiB}}", "", "p/full",
     "memory",
     "needs 1025 bytes of workspace, ops.curvature.max_workspace_bytes is 1024 (test.yaml:2:19)"},
    {"visibility_horizon", "p/a=1@1025", "ops: {curvature: {max_workspace_bytes: 1KiB}}", "", "p/a",
     "", ""},
    /* one array of 256 bytes each for crd, flux, crd_up, flux_up: staged together */
    {"visibility_horizon", "cuda/a=1", "memory: {device_workspace_limit: 1023B}", "", "cuda/a",
     "memory",
     "needs 1024 bytes of workspace, memory.device_workspace_limit is 1023 (test.yaml:2:10)"},
    {"visibility_horizon", "cuda/a=1", "memory: {device_workspace_limit: 1024B}", "", "cuda/a", "",
     ""},
    {"visibility_horizon", "p/a=nan", NULL, "", "p/a", "bad_estimate",
     "the estimate is not a number"},
    {"visibility_horizon", "p/a=-2", NULL, "", "p/a", "bad_estimate",
     "the estimate is negative: -2 s"},
    {"visibility_horizon", "p/a=inf", NULL, "", "p/a", "bad_estimate",
     "the estimate is more than a hundred years: inf s"},
    {"visibility_horizon", "p/a=1e10", NULL, "", "p/a", "bad_estimate",
     "the estimate is more than a hundred years: 1e+10 s"},
    {"visibility_horizon", "p/a=0", NULL, "", "p/a", "bad_estimate",
     "the estimate is zero although there is work"},
    /* the order of the filters: an earlier one speaks first */
    {"visibility_horizon", "p/a=nan#", "plugins: {p: {enabled: false}}", "mem=cuda:0", "p/a",
     "killed", "plugins.p.enabled is false (test.yaml:2:15)"},
    {"visibility_horizon", "p/a=nan#! q/b=1",
     "routing: {force: {visibility_horizon: q}, deterministic: true}", "mem=cuda:0", "p/a",
     "not_forced", "routing.force.visibility_horizon is q (test.yaml:2:19)"},
    {"visibility_horizon", "p/a=nan#!", "routing: {deterministic: true}", "mem=cuda:0", "p/a",
     "space", "arrays are in cuda:0 memory, the kernel works in host memory"},
    {"visibility_horizon", "p/a=nan#!", "routing: {deterministic: true}", "", "p/a", "determinism",
     "routing.deterministic is true (test.yaml:2:11), the kernel does not repeat its bits"},
    {"visibility_gram", "p/gemm3m=nan#", "gates: {visibility: {gemm3m: off}}", "", "p/gemm3m",
     "gate", "visibility.gemm3m: off (test.yaml:2:22)"},
    {"visibility_horizon", "p/a=nan@9#", "memory: {host_workspace_limit: 8B}", "", "p/a", "limit",
     "needs 3 of what there are 2"},
    {"visibility_horizon", "p/a=-1@9", "memory: {host_workspace_limit: 8B}", "", "p/a",
     "bad_estimate", "the estimate is negative: -1 s"},
};

static void look(const filter_case *row, const hgate_trace *trace)
{
    const hg_record *record = world_record(trace, row->kernel);
    char words[HG_TRACE_WORDS] = "";
    if (record->state == HG_STATE_REFUSED) {
        hg_text text = hg_text_over(words, sizeof words);
        hg_trace_put_reason(trace, (int)(record - trace->records), &text);
        ck_assert_str_eq(hg_reason_word(record->reason), row->reason);
    } else {
        ck_assert_str_eq("", row->reason);
    }
    ck_assert_str_eq(words, row->text);
}

START_TEST(each_filter_says_why)
{
    const filter_case *row = &cases[_i];
    char words[256];
    snprintf(words, sizeof words, "%s %s", row->op, row->question);
    world *w = world_new(row->op, row->kernels, row->config);
    question q;
    question_ask(&q, words);
    look(row, world_decide(w, &q));
    world_free(w);
}
END_TEST

START_TEST(type_that_the_kernel_does_not_take)
{
    world *w = world_new("visibility_horizon", "p/a=1", NULL);
    hgate_kernel *kernel =
        (hgate_kernel *)hg_catalog_list(world_catalog(w), HGATE_OP_VISIBILITY_HORIZON)
            .items[0]
            .kernel;
    kernel->dtypes = HGATE_F64 | HGATE_C128;
    question q;
    question_ask(&q, "visibility_horizon dtype=f32");
    const filter_case row = {
        .kernel = "p/a", .reason = "dtype", .text = "arrays are f32, the kernel takes f64, c128"};
    look(&row, world_decide(w, &q));
    world_free(w);
}
END_TEST

START_TEST(stream_on_another_device)
{
    world *w = world_new("visibility_horizon", "cuda/a=1 p/b=2", NULL);
    question q;
    question_ask(&q, "visibility_horizon mem=cuda:1");
    world_set_stream(w, 0);
    const filter_case row = {.kernel = "cuda/a",
                             .reason = "device",
                             .text = "the stream is on cuda:0, the arrays are on cuda:1"};
    look(&row, world_decide(w, &q));
    ck_assert_int_eq(hg_decide_error(world_decide(w, &q)), HGATE_EDEVICE);
    world_set_stream(w, 1);
    ck_assert_str_eq(world_chosen(world_decide(w, &q)), "cuda/a");
    /* host arrays go to the stream's device */
    question_ask(&q, "visibility_horizon");
    ck_assert_str_eq(world_chosen(world_decide(w, &q)), "cuda/a");
    world_free(w);
}
END_TEST

START_TEST(lost_device)
{
    world *w = world_new("visibility_horizon", "cuda/a=1 p/b=2", NULL);
    hg_catalog_lose(world_catalog(w), 0, 1);
    question q;
    question_ask(&q, "visibility_horizon mem=cuda:1");
    const filter_case row = {
        .kernel = "cuda/a", .reason = "device", .text = "cuda:1 failed earlier in this process"};
    look(&row, world_decide(w, &q));
    ck_assert_int_eq(hg_decide_error(world_decide(w, &q)), HGATE_EDEVICE_LOST);
    question_ask(&q, "visibility_horizon mem=cuda:0");
    ck_assert_str_eq(world_chosen(world_decide(w, &q)), "cuda/a");
    question_ask(&q, "visibility_horizon");
    world_set_stream(w, 1);
    ck_assert_str_eq(world_chosen(world_decide(w, &q)), "p/b");
    world_free(w);
}
END_TEST

START_TEST(forked_child)
{
    world *w = world_new("visibility_horizon", "cuda/a=1~ p/b=2 p/c=1~", NULL);
    world_set_forked(w, true);
    question q;
    question_ask(&q, "visibility_horizon");
    const filter_case row = {
        .kernel = "p/c",
        .reason = "forked",
        .text = "this process is a forked child, what the kernel uses did not survive that"};
    const hgate_trace *trace = world_decide(w, &q);
    look(&row, trace);
    ck_assert_str_eq(world_chosen(trace), "p/b");
    question_ask(&q, "visibility_horizon mem=cuda:0");
    ck_assert_int_eq(hg_decide_error(world_decide(w, &q)), HGATE_EFORK);
    world_free(w);
}
END_TEST

START_TEST(message_lists_each_refusal)
{
    world *w =
        world_new("visibility_horizon", "p/a=1# p/b=nan q/c=1", "plugins: {q: {enabled: false}}");
    question q;
    question_ask(&q, "visibility_horizon nsrc=7 dtype=f32");
    ck_assert_int_eq(hg_decide_error(world_decide(w, &q)), HGATE_ENOKERNEL);
    ck_assert_str_eq(hgate_last_error(),
                     "no kernel may serve visibility_horizon nsrc=7, f32 in host memory: "
                     "p/a: needs 3 of what there are 2; p/b: the estimate is not a number; "
                     "q/c: plugins.q.enabled is false (test.yaml:2:15)");
    world_free(w);
}
END_TEST

START_TEST(numbers_of_the_text_are_fields_too)
{
    world *w = world_new("visibility_horizon", "p/a=1# p/b=1@1025",
                         "memory: {host_workspace_limit: 1KiB}");
    question q;
    question_ask(&q, "visibility_horizon");
    const hgate_trace *trace = world_decide(w, &q);
    ck_assert_double_eq(world_record(trace, "p/a")->value, 3);
    ck_assert_double_eq(world_record(trace, "p/a")->limit, 2);
    ck_assert_double_eq(world_record(trace, "p/b")->value, 1025);
    ck_assert_double_eq(world_record(trace, "p/b")->limit, 1024);
    world_free(w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("filters");
    TCase *tests = tcase_create("filters");
    tcase_add_loop_test(tests, each_filter_says_why, 0, (int)(sizeof cases / sizeof *cases));
    tcase_add_test(tests, type_that_the_kernel_does_not_take);
    tcase_add_test(tests, stream_on_another_device);
    tcase_add_test(tests, lost_device);
    tcase_add_test(tests, forked_child);
    tcase_add_test(tests, message_lists_each_refusal);
    tcase_add_test(tests, numbers_of_the_text_are_fields_too);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
