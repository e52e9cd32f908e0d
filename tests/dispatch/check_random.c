// SPDX-License-Identifier: BSD-3-Clause
// Whatever is asked and whatever is set: every kernel of the operation is in the trace once, every
// refusal has its code and its words, the order is right, the same question gets the same answer,
// and both written forms hold.
#include "core/base/hash.h"
#include "core/engine/dispatch.h"
#include "core/route/explain.h"
#include "core/tensor/op_table.h"
#include "tests/dispatch/opened.h"
#include "tests/dispatch/question.h"
#include "tests/harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { n_engines = 40, questions_each = 25 };

static uint64_t dice = 20260131;

static int roll(int n)
{
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return (int)((dice >> 33) % (uint64_t)n);
}

/* ---- settings ------------------------------------------------------------------ */

static const char *const settings[] = {
    "routing: {deterministic: true}",
    "routing: {stage_host_input: never}",
    "routing: {strategy: prefer}",
    "routing: {prefer: [fake-other, fake-device]}",
    "routing: {tie_margin: 0.5}",
    "routing: {force: {emi: fake-gated/block}}",
    "routing: {force: {curvature: fake-good}}",
    "gates: {curvature: {symmetric_max_work_fraction: off, symmetric_kappa: 1.1}}",
    "gates: {emi: {warp_max_images: 7, rows_max_images: 100, block_max_images: -1}}",
    "gates: {visibility: {herk_min_antennas: 50, gemm3m: off}}",
    "gates: {kirchhoff: {max_table_bytes: 50, cuda_min_pairs: 1000}}",
    "ops: {curvature: {exact_triangle: false, fft: force}, visibility: {matprod: gemm}}",
    "ops: {curvature: {direct: off}}",
    "kernels: {emi: {fake-good: {det: {enabled: false}}}}",
    "memory: {host_workspace_limit: 100B, device_workspace_limit: 600B}",
    "plugins: {fake-good: {options: {seconds: 1e-3, ws_bytes_loose: 200}}, "
    "fake-gated: {options: {prepared_bytes: 60, refuse_full: no, estimate_herk: nan}}}",
    "plugins: {fake-device: {options: {seconds: 1e-6, estimate_loose: negative}}, "
    "fake-other: {options: {refuse: not today}}}",
};

// Sections may appear once, so the settings that are taken start with different words.
static void random_config(char *config, size_t size)
{
    const int n = (int)(sizeof settings / sizeof *settings);
    hg_text text = hg_text_over(config, size);
    for (int i = 0; i < n; i++) {
        const char *setting = settings[i];
        char section[16];
        snprintf(section, sizeof section, "%.*s", (int)strcspn(setting, ":") + 1, setting);
        if (roll(3) == 0 && !strstr(config, section)) {
            hg_text_printf(&text, "%s\n", setting);
        }
    }
}

/* ---- questions ----------------------------------------------------------------- */

static void random_question(char *words, size_t size)
{
    static const char *const dtypes[] = {"f32", "f64", "c64", "c128"};
    static const char *const spaces[] = {"host",   "host",   "host",     "pinned",
                                         "cuda:0", "cuda:1", "managed:0"};
    static const char *const sizes[] = {"0", "1", "2", "33", "97", "1009", "100003"};
    const int op = roll(HGATE_OP_COUNT);
    const hg_op *row = hg_op_row(op);
    hg_text text = hg_text_over(words, size);
    hg_text_printf(&text, "%s dtype=%s mem=%s threads=%d", row->word, dtypes[roll(4)],
                   spaces[roll(7)], 1 + roll(9));
    for (int i = 0; i < row->n_dims; i++) {
        hg_text_printf(&text, " %s=%s", row->dims[i], sizes[roll(7)]);
    }
    if (op == HGATE_OP_CURVATURE && roll(3) > 0) {
        hg_text_printf(&text, " f=0.%d finite=%d", roll(100), roll(4) > 0);
    }
    if (op == HGATE_OP_EMI) {
        hg_text_printf(&text, " rule=%s", roll(2) ? "none" : "adaptive");
    }
    if (roll(4) == 0) {
        hg_text_put(&text, " data=0");
    }
}

/* ---- what must hold -------------------------------------------------------------- */

static void check_record(const hgate_trace *trace, int i)
{
    const hg_record *record = &trace->records[i];
    char words[HG_TRACE_WORDS];
    hg_text text = hg_text_over(words, sizeof words);
    hg_trace_put_reason(trace, i, &text);
    ck_assert_uint_ge(strlen(words), 2);
    ck_assert_str_ne(hg_reason_word(record->reason), "");
    if (record->state == HG_STATE_REFUSED) {
        ck_assert_int_le(record->reason, HG_REASON_BAD_ESTIMATE);
    } else {
        ck_assert_int_gt(record->reason, HG_REASON_BAD_ESTIMATE);
        ck_assert(isfinite(record->seconds));
        ck_assert_double_ge(record->seconds, 0);
        ck_assert_int_ge(record->threads, 1);
        ck_assert_int_le(record->threads, trace->threads);
    }
    ck_assert_int_eq(record->state == HG_STATE_CHOSEN, i == trace->chosen);
}

static void check_order(const hgate_trace *trace)
{
    const hg_candidates list = hg_trace_candidates(trace);
    const hg_rules *rules = hg_catalog_rules(trace->catalog);
    int n_usable = 0;
    for (int i = 0; i < trace->n; i++) {
        n_usable += trace->records[i].state != HG_STATE_REFUSED;
    }
    ck_assert_int_eq(n_usable, trace->n_usable);
    ck_assert_int_eq(trace->chosen, n_usable ? trace->order[0] : -1);
    for (int k = 1; k < n_usable; k++) {
        const int a = trace->order[k - 1], b = trace->order[k];
        const bool is_last = list.items[b].kernel->flags & HGATE_KERNEL_REFERENCE;
        ck_assert(is_last || !(list.items[a].kernel->flags & HGATE_KERNEL_REFERENCE));
        if (!rules->orders_by_preference && !is_last) {
            ck_assert_double_le(trace->records[a].seconds,
                                trace->records[b].seconds * (1 + rules->tie_margin));
        }
    }
}

// Counts `"plugin":"P","kernel":"K","state":` in the JSON form.
static int count_candidate(const char *json, const hg_candidate *candidate)
{
    char pattern[128];
    snprintf(pattern, sizeof pattern,
             "{\"plugin\":\"%s\",\"kernel\":\"%s\",\"state\":", candidate->backend->plugin->name,
             candidate->kernel->name);
    int n = 0;
    for (const char *at = json; (at = strstr(at, pattern)) != NULL; at++) {
        n++;
    }
    return n;
}

typedef struct json_text {
    size_t n;
    char text[1 << 17];
} json_text;

static json_text written; // of one process, one test

static int write_json(void *user, const char *text, size_t n)
{
    json_text *j = user;
    ck_assert_uint_lt(j->n + n, sizeof j->text);
    memcpy(j->text + j->n, text, n);
    j->n += n;
    j->text[j->n] = '\0';
    return 0;
}

static void check_written(const hgate_trace *trace)
{
    const hg_candidates list = hg_trace_candidates(trace);
    written.n = 0;
    ck_assert_int_eq(hg_explain_json(trace, write_json, &written), HGATE_OK);
    ck_assert_ptr_null(strstr(written.text, ":nan"));
    ck_assert_ptr_null(strstr(written.text, ":inf"));
    for (int i = 0; i < list.n; i++) {
        ck_assert_int_eq(count_candidate(written.text, &list.items[i]), 1);
    }
    written.n = 0;
    ck_assert_int_eq(hg_explain_text(trace, write_json, &written), HGATE_OK);
}

static void ask_twice(hgate_engine *engine, hgate_exec *exec, const char *words)
{
    question q;
    question_ask(&q, words);
    hgate_exec_set_threads(exec, q.threads);
    hgate_trace *first, *second;
    ck_assert_msg(hg_explain(engine, exec, &q.problem, &first) == HGATE_OK, "%s: %s", words,
                  hgate_last_error());
    ck_assert_int_eq(first->n, hgate_kernel_count(engine, q.problem.p.op));
    for (int i = 0; i < first->n; i++) {
        check_record(first, i);
    }
    check_order(first);
    check_written(first);
    ck_assert_int_eq(hg_explain(engine, exec, &q.problem, &second), HGATE_OK);
    bool was_muted = false;
    for (int i = 0; i < first->n; i++) {
        was_muted |= first->records[i].fault != second->records[i].fault;
    }
    if (!was_muted) {
        ck_assert_uint_eq(hg_trace_decision_hash(first), hg_trace_decision_hash(second));
    }
    hgate_trace_free(first);
    hgate_trace_free(second);
}

START_TEST(holds_for_any_question)
{
    char config[2048], words[512];
    for (int e = 0; e < n_engines; e++) {
        config[0] = '\0';
        random_config(config, sizeof config);
        hgate_engine *engine = opened("good other device gated estimate-nan", config, NULL, NULL);
        hgate_exec *exec;
        ck_assert_int_eq(hgate_exec_new(engine, &exec), HGATE_OK);
        for (int i = 0; i < questions_each; i++) {
            random_question(words, sizeof words);
            ask_twice(engine, exec, words);
        }
        hgate_exec_free(exec);
        hgate_close(engine);
    }
}
END_TEST

START_TEST(holds_for_many_kernels)
{
    hgate_engine *engine = opened("many-kernels good", NULL, NULL, NULL);
    hgate_exec *exec;
    ck_assert_int_eq(hgate_exec_new(engine, &exec), HGATE_OK);
    question q;
    question_ask(&q, "visibility_gram m=7 k=5");
    hgate_trace *trace;
    ck_assert_int_eq(hg_explain(engine, exec, &q.problem, &trace), HGATE_OK);
    ck_assert_int_eq(trace->n, 504);
    check_order(trace);
    hgate_trace_free(trace);
    ck_assert_int_eq(hg_dispatch(engine, exec, &q.problem), HGATE_OK);
    hgate_exec_free(exec);
    hgate_close(engine);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("random");
    TCase *tests = tcase_create("random");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, holds_for_any_question);
    tcase_add_test(tests, holds_for_many_kernels);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
