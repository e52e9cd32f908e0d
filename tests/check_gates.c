// SPDX-License-Identifier: BSD-3-Clause
// Each gate: value, limit and verdict at, just below and just above its limit; what it refuses; its
// switch.
#include "tests/dispatch/world.h"
#include "tests/harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// One kernel of every name that a gate knows, all in host memory.
#define CURVATURE "p/full=1 p/symmetric=2 p/pair=3 p/fft=4 cpu-serial/reference=9"
#define EMI                                                                                        \
    "p/interleaved=1 p/single=2 p/pivoted=3 q/warp=4 q/rows=5 q/block=6 q/library=7 "              \
    "cpu-serial/reference=9"
#define GRAM "p/herk=1 p/gemm=2 p/gemm3m=3 p/zherk=4 p/dot=5 cpu-serial/reference=9"
#define ADJOINT "p/window=1^1000 p/gather=2^10 cuda/window=3^999 cpu-serial/reference=9"

typedef struct gate_case {
    const char *op, *kernels, *config, *question;
    const char *gate;
    const char *verdict;
    double value, limit; /* NAN: none */
    const char *refused; /* kernels that this gate refuses, in their order */
} gate_case;

static const gate_case cases[] = {
    /* work fraction: equality passes, one unit in the last place above does not */
    {"curvature", CURVATURE, NULL, "f=0.7", "curvature.symmetric_max_work_fraction", "pass", 0.7,
     0.7, ""},
    {"curvature", CURVATURE, NULL, "f=0.70000000000000007", "curvature.symmetric_max_work_fraction",
     "refuse", 0.70000000000000007, 0.7, "p/pair p/symmetric"},
    {"curvature", CURVATURE, NULL, "f=0.69999999999999996", "curvature.symmetric_max_work_fraction",
     "pass", 0.69999999999999996, 0.7, ""},
    {"curvature", CURVATURE, NULL, "f=0", "curvature.symmetric_max_work_fraction", "pass", 0, 0.7,
     ""},
    {"curvature", CURVATURE, NULL, "", "curvature.symmetric_max_work_fraction", "later", NAN, 0.7,
     ""},
    {"curvature", CURVATURE, "gates: {curvature: {symmetric_max_work_fraction: 0}}", "f=0",
     "curvature.symmetric_max_work_fraction", "refuse", 0, 0, "p/pair p/symmetric"},
    {"curvature", CURVATURE, "gates: {curvature: {symmetric_max_work_fraction: off}}", "",
     "curvature.symmetric_max_work_fraction", "refuse", NAN, 0, "p/pair p/symmetric"},
    {"curvature", CURVATURE, "gates: {curvature: {symmetric_max_work_fraction: ~}}", "f=0.7",
     "curvature.symmetric_max_work_fraction", "pass", 0.7, 0.7, ""},
    {"curvature", CURVATURE, "gates: {curvature: {symmetric_max_work_fraction: 1}}", "f=0.99",
     "curvature.symmetric_max_work_fraction", "pass", 0.99, 1, ""},
    /* values that are not finite */
    {"curvature", CURVATURE, "ops: {curvature: {exact_triangle: false}}", "f=0.5 finite=0",
     "curvature.finite_vals", "refuse", 0, 1, "p/fft p/pair p/symmetric"},
    {"curvature", CURVATURE, NULL, "f=0.5 finite=1", "curvature.finite_vals", "pass", 1, 1, ""},
    {"curvature", CURVATURE, NULL, "", "curvature.finite_vals", "later", NAN, 1, ""},
    /* options that name kernels */
    {"curvature", CURVATURE, NULL, "f=0.5", "ops.curvature.exact_triangle", "refuse", 1, NAN,
     "p/pair"},
    {"curvature", CURVATURE, "ops: {curvature: {exact_triangle: false}}", "f=0.5",
     "ops.curvature.exact_triangle", "pass", 0, NAN, ""},
    {"curvature", CURVATURE, "ops: {curvature: {fft: off}}", "f=0.5", "ops.curvature.fft", "refuse",
     NAN, NAN, "p/fft"},
    {"curvature", CURVATURE, "ops: {curvature: {fft: force, exact_triangle: false}}", "f=0.5",
     "ops.curvature.fft", "refuse", NAN, NAN, "cpu-serial/reference p/full p/pair p/symmetric"},
    {"curvature", CURVATURE, "ops: {curvature: {fft: force}}", "f=0.5 finite=0",
     "ops.curvature.fft", "pass", NAN, NAN, ""},
    {"curvature", CURVATURE, "ops: {curvature: {direct: off, exact_triangle: false}}", "f=0.5",
     "ops.curvature.direct", "refuse", NAN, NAN, "p/full p/pair p/symmetric"},
    {"curvature", CURVATURE, "ops: {curvature: {direct: off}}", "f=0.5 finite=0",
     "ops.curvature.direct", "pass", NAN, NAN, ""},
    {"curvature", CURVATURE, "ops: {curvature: {direct: force}}", "f=0.5", "ops.curvature.direct",
     "refuse", NAN, NAN, "p/fft"},
    {"curvature", CURVATURE, NULL, "f=0.5", "ops.curvature.direct", "pass", NAN, NAN, ""},
    {"curvature", CURVATURE, "gates: {curvature: {symmetric_kappa: 1.1}}", "f=0.5",
     "curvature.symmetric_kappa", "pass", 1.1, NAN, ""},
    {"curvature", CURVATURE, "gates: {curvature: {symmetric_kappa: off}}", "f=0.5",
     "curvature.symmetric_kappa", "pass", 1, NAN, ""},
    /* images */
    {"emi", EMI, NULL, "n=32", "emi.warp_max_images", "pass", 32, 32, ""},
    {"emi", EMI, NULL, "n=33", "emi.warp_max_images", "refuse", 33, 32, "q/warp"},
    {"emi", EMI, "gates: {emi: {warp_max_images: 0}}", "n=2", "emi.warp_max_images", "refuse", 2, 0,
     "q/warp"},
    {"emi", EMI, "gates: {emi: {warp_max_images: off}}", "n=2", "emi.warp_max_images", "refuse", 2,
     0, "q/warp"},
    {"evd", EMI, NULL, "n=33", "emi.warp_max_images", "refuse", 33, 32, "q/warp"},
    {"emi", EMI, NULL, "n=1000", "emi.rows_max_images", "pass", 1000, 0, ""},
    {"emi", EMI, "gates: {emi: {rows_max_images: 100}}", "n=100", "emi.rows_max_images", "pass",
     100, 100, ""},
    {"emi", EMI, "gates: {emi: {rows_max_images: 100}}", "n=101", "emi.rows_max_images", "refuse",
     101, 100, "q/rows"},
    {"emi", EMI, "gates: {emi: {rows_max_images: -1}}", "n=3", "emi.rows_max_images", "refuse", 3,
     -1, "q/rows"},
    {"emi", EMI, "gates: {emi: {block_max_images: off}}", "n=3", "emi.block_max_images", "refuse",
     3, -1, "q/block"},
    {"emi", EMI, "gates: {emi: {block_max_images: 150}}", "n=151", "emi.block_max_images", "refuse",
     151, 150, "q/block"},
    /* regularized or not */
    {"emi", EMI, NULL, "n=9 rule=none", "emi.require_regularized", "refuse", 0, 1,
     "p/interleaved p/single q/block q/rows q/warp"},
    {"emi", EMI, NULL, "n=9 rule=fixed", "emi.require_regularized", "pass", 1, 1, ""},
    {"emi", EMI, NULL, "n=9 rule=adaptive", "emi.require_regularized", "pass", 1, 1, ""},
    /* antennas */
    {"visibility_pairs", GRAM, NULL, "nant=1 nfeed=2", "visibility.herk_min_antennas", "pass", 1, 0,
     ""},
    {"visibility_pairs", GRAM, "gates: {visibility: {herk_min_antennas: 100}}", "nant=99 nfeed=2",
     "visibility.herk_min_antennas", "refuse", 99, 100, "p/herk"},
    {"visibility_pairs", GRAM, "gates: {visibility: {herk_min_antennas: 100}}", "nant=100 nfeed=2",
     "visibility.herk_min_antennas", "pass", 100, 100, ""},
    {"visibility", GRAM, "gates: {visibility: {herk_min_antennas: 100}}", "nant=99 nsrc=5",
     "visibility.herk_min_antennas", "refuse", 99, 100, "p/herk"},
    {"visibility_gram", GRAM, "gates: {visibility: {herk_min_antennas: off}}", "m=700 k=10",
     "visibility.herk_min_antennas", "refuse", 700, -1, "p/herk"},
    {"visibility_gram", GRAM, "gates: {visibility: {gemm3m: off}}", "m=7 k=10", "visibility.gemm3m",
     "refuse", NAN, NAN, "p/gemm3m"},
    {"visibility_gram", GRAM, NULL, "m=7 k=10", "visibility.gemm3m", "pass", NAN, NAN, ""},
    /* the product by name */
    {"visibility_gram", GRAM, "ops: {visibility: {matprod: gemm}}", "m=7 k=10",
     "ops.visibility.matprod", "refuse", NAN, NAN,
     "cpu-serial/reference p/dot p/gemm3m p/herk p/zherk"},
    {"visibility_gram", GRAM, "ops: {visibility: {matprod: gemm}}", "m=7 k=10 matprod=zherk",
     "ops.visibility.matprod", "refuse", NAN, NAN,
     "cpu-serial/reference p/dot p/gemm p/gemm3m p/herk"},
    {"visibility_gram", GRAM, "ops: {visibility: {matprod: herk3}}", "m=7 k=10",
     "ops.visibility.matprod", "pass", NAN, NAN, ""},
    {"visibility_product", "p/gemm=1 p/gemm3m=2", "ops: {visibility: {matprod: herk}}", "m=7 k=10",
     "ops.visibility.matprod", "pass", NAN, NAN, ""},
    /* tables: each kernel is asked apart */
    {"kirchhoff_adjoint", ADJOINT, NULL, "ns=3 nr=5 ni=7", "kirchhoff.max_table_bytes", "pass",
     1000, 0, ""},
    {"kirchhoff_adjoint", ADJOINT, "gates: {kirchhoff: {max_table_bytes: 999}}", "ns=3 nr=5 ni=7",
     "kirchhoff.max_table_bytes", "later", 1000, 999, "p/window"},
    {"kirchhoff_adjoint", ADJOINT, "gates: {kirchhoff: {max_table_bytes: 1000}}", "ns=3 nr=5 ni=7",
     "kirchhoff.max_table_bytes", "later", 1000, 1000, ""},
    {"kirchhoff_adjoint", ADJOINT, "gates: {kirchhoff: {max_table_bytes: off}}", "ns=3 nr=5 ni=7",
     "kirchhoff.max_table_bytes", "pass", 1000, 0, ""},
    {"kirchhoff_adjoint", ADJOINT, "gates: {kirchhoff: {cuda_min_pairs: 106}}", "ns=3 nr=5 ni=7",
     "kirchhoff.cuda_min_pairs", "refuse", 105, 106, "cuda/window"},
    {"kirchhoff_adjoint", ADJOINT, "gates: {kirchhoff: {cuda_min_pairs: 105}}", "ns=3 nr=5 ni=7",
     "kirchhoff.cuda_min_pairs", "pass", 105, 105, ""},
    /* of arrays that are on the device already nothing is copied */
    {"kirchhoff_adjoint", ADJOINT, "gates: {kirchhoff: {cuda_min_pairs: 106}}",
     "ns=3 nr=5 ni=7 mem=cuda:0", "kirchhoff.cuda_min_pairs", "refuse", 105, 106, ""},
};

static void assert_number(double number, double expected)
{
    if (isnan(expected)) {
        ck_assert(isnan(number));
    } else {
        ck_assert_double_eq(number, expected);
    }
}

static hg_gate find_gate(const char *name)
{
    for (int g = 0; g < HG_GATE_COUNT; g++) {
        if (strcmp(hg_gate_name((hg_gate)g), name) == 0) {
            return (hg_gate)g;
        }
    }
    ck_abort_msg("no gate %s", name);
    return HG_GATE_COUNT;
}

static void list_refused(const hgate_trace *trace, hg_gate gate, hg_text *out)
{
    const hg_candidates list = hg_trace_candidates(trace);
    for (int i = 0; i < list.n; i++) {
        if (trace->records[i].state == HG_STATE_REFUSED && trace->records[i].gate == gate) {
            hg_text_printf(out, "%s%s/%s", out->length ? " " : "",
                           list.items[i].backend->plugin->name, list.items[i].kernel->name);
        }
    }
}

// Kernels that an earlier gate has refused are left out of what this one is asked: the rows choose
// settings where only the gate in question speaks, so the refused ones are all its own.
START_TEST(each_gate_at_its_limit)
{
    const gate_case *row = &cases[_i];
    char words[256], refused[512];
    snprintf(words, sizeof words, "%s %s", row->op, row->question);
    world *w = world_new(row->op, row->kernels, row->config);
    question q;
    question_ask(&q, words);
    const hgate_trace *trace = world_decide(w, &q);
    const hg_gate gate = find_gate(row->gate);
    const hg_verdict *verdict = &trace->verdicts[gate];
    ck_assert_str_eq(hg_ruling_word(verdict->ruling), row->verdict);
    assert_number(verdict->value, row->value);
    assert_number(verdict->limit, row->limit);
    hg_text text = hg_text_over(refused, sizeof refused);
    list_refused(trace, gate, &text);
    ck_assert_str_eq(refused, row->refused);
    world_free(w);
}
END_TEST

START_TEST(gates_speak_only_of_their_operations)
{
    static const struct {
        const char *question, *gates;
    } rows[] = {
        {"curvature", "curvature.symmetric_max_work_fraction curvature.finite_vals "
                      "curvature.symmetric_kappa ops.curvature.exact_triangle ops.curvature.fft "
                      "ops.curvature.direct "},
        {"curvature_dirty", ""},
        {"emi", "emi.warp_max_images emi.rows_max_images emi.block_max_images "
                "emi.require_regularized "},
        {"evd", "emi.warp_max_images emi.rows_max_images emi.block_max_images "},
        {"ds_temp_coh", ""},
        {"visibility", "visibility.herk_min_antennas visibility.gemm3m ops.visibility.matprod "},
        {"visibility_gram",
         "visibility.herk_min_antennas visibility.gemm3m ops.visibility.matprod "},
        {"visibility_product", "visibility.gemm3m ops.visibility.matprod "},
        {"visibility_beam", ""},
        {"kirchhoff_forward", "kirchhoff.max_table_bytes kirchhoff.cuda_min_pairs "},
        {"kirchhoff_convolve", ""},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        world *w = world_new(rows[r].question, "p/a=1", NULL);
        question q;
        question_ask(&q, rows[r].question);
        const hgate_trace *trace = world_decide(w, &q);
        char shown[512];
        hg_text text = hg_text_over(shown, sizeof shown);
        for (int g = 0; g < HG_GATE_COUNT; g++) {
            if (trace->verdicts[g].ruling != HG_RULING_NONE) {
                hg_text_printf(&text, "%s ", hg_gate_name((hg_gate)g));
            }
        }
        ck_assert_str_eq(shown, rows[r].gates);
        world_free(w);
    }
}
END_TEST

typedef struct words_case {
    const char *op, *kernels, *config, *question, *kernel, *text;
} words_case;

static const words_case words_cases[] = {
    {"curvature", CURVATURE, NULL, "f=0.75", "p/symmetric",
     "curvature.symmetric_max_work_fraction: 0.75 work fraction, the most is 0.7 (default)"},
    {"curvature", CURVATURE, "gates: {curvature: {symmetric_max_work_fraction: off}}", "f=0.75",
     "p/symmetric", "curvature.symmetric_max_work_fraction: off (test.yaml:2:21)"},
    {"curvature", CURVATURE, NULL, "f=0.5 finite=0", "p/fft",
     "curvature.finite_vals: vals hold NaN or infinity, only full keeps those apart"},
    {"curvature", CURVATURE, NULL, "f=0.5", "p/pair",
     "ops.curvature.exact_triangle: the triangle must be exact (default)"},
    {"emi", EMI, NULL, "n=92", "q/warp",
     "emi.warp_max_images: 92 images, the most is 32 (default)"},
    {"emi", EMI, NULL, "n=9 rule=none", "p/single",
     "emi.require_regularized: rule none needs a kernel that pivots (default)"},
    {"visibility_pairs", GRAM, "gates: {visibility: {herk_min_antennas: 9}}", "nant=8", "p/herk",
     "visibility.herk_min_antennas: 8 antennas, the least is 9 (test.yaml:2:22)"},
    {"visibility_gram", GRAM, "ops: {visibility: {matprod: gemm}}", "m=3", "p/herk",
     "ops.visibility.matprod: another product is asked for (test.yaml:2:20)"},
    {"kirchhoff_adjoint", ADJOINT, "gates: {kirchhoff: {max_table_bytes: 999}}", "ns=3", "p/window",
     "kirchhoff.max_table_bytes: 1000 bytes of tables, the most is 999 (test.yaml:2:21)"},
};

START_TEST(refusals_in_words)
{
    const words_case *row = &words_cases[_i];
    char question_words[256], words[HG_TRACE_WORDS];
    snprintf(question_words, sizeof question_words, "%s %s", row->op, row->question);
    world *w = world_new(row->op, row->kernels, row->config);
    question q;
    question_ask(&q, question_words);
    const hgate_trace *trace = world_decide(w, &q);
    hg_text text = hg_text_over(words, sizeof words);
    hg_trace_put_reason(trace, (int)(world_record(trace, row->kernel) - trace->records), &text);
    ck_assert_str_eq(words, row->text);
    world_free(w);
}
END_TEST

// The switch of a gate changes the route and nothing else: the question, the other gates and all
// other records stay as they were.
START_TEST(a_switch_changes_its_kernels_alone)
{
    static const struct {
        const char *op, *kernels, *question, *config, *gate;
    } rows[] = {
        {"curvature", CURVATURE, "curvature f=0.5",
         "gates: {curvature: {symmetric_max_work_fraction: off}}",
         "curvature.symmetric_max_work_fraction"},
        {"emi", EMI, "emi n=20", "gates: {emi: {warp_max_images: off}}", "emi.warp_max_images"},
        {"emi", EMI, "emi n=20", "gates: {emi: {rows_max_images: off}}", "emi.rows_max_images"},
        {"emi", EMI, "emi n=20", "gates: {emi: {block_max_images: off}}", "emi.block_max_images"},
        {"visibility_gram", GRAM, "visibility_gram m=9", "gates: {visibility: {gemm3m: off}}",
         "visibility.gemm3m"},
        {"visibility_gram", GRAM, "visibility_gram m=9",
         "gates: {visibility: {herk_min_antennas: off}}", "visibility.herk_min_antennas"},
        {"curvature", CURVATURE, "curvature f=0.5", "ops: {curvature: {fft: off}}",
         "ops.curvature.fft"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        question q;
        question_ask(&q, rows[r].question);
        world *on = world_new(rows[r].op, rows[r].kernels, NULL);
        world *off = world_new(rows[r].op, rows[r].kernels, rows[r].config);
        const hgate_trace *a = world_decide(on, &q), *b = world_decide(off, &q);
        const hg_gate gate = find_gate(rows[r].gate);
        int n_changed = 0;
        for (int i = 0; i < a->n; i++) {
            const bool is_named = (hg_trace_candidates(a).items[i].gates & HG_GATE_BIT(gate)) != 0;
            const bool is_newly_refused =
                a->records[i].state != HG_STATE_REFUSED && b->records[i].state == HG_STATE_REFUSED;
            n_changed += is_newly_refused;
            ck_assert(!is_newly_refused || (is_named && b->records[i].gate == gate));
            if (!is_named && b->records[i].state != HG_STATE_REFUSED) {
                ck_assert_double_eq(a->records[i].seconds, b->records[i].seconds);
                ck_assert_int_eq(a->records[i].threads, b->records[i].threads);
            }
        }
        ck_assert_int_gt(n_changed, 0);
        ck_assert_uint_eq(a->problem_hash, b->problem_hash);
        world_free(on);
        world_free(off);
    }
}
END_TEST

#define COUNT(ARRAY) ((int)(sizeof(ARRAY) / sizeof *(ARRAY)))

int main(void)
{
    Suite *suite = suite_create("gates");
    TCase *tests = tcase_create("gates");
    tcase_add_loop_test(tests, each_gate_at_its_limit, 0, COUNT(cases));
    tcase_add_test(tests, gates_speak_only_of_their_operations);
    tcase_add_loop_test(tests, refusals_in_words, 0, COUNT(words_cases));
    tcase_add_test(tests, a_switch_changes_its_kernels_alone);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
