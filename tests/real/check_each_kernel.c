// SPDX-License-Identifier: BSD-3-Clause
// Each kernel answers what the reference kernel answers, on random shapes, and with numbers in
// every array that are tiny, huge or none; and each one has enough of a stack of 64 KiB. SHAPES
// sets how many shapes each operation gets in each precision.
#include "tests/harness.h"
#include "tests/real/problem.h"
#include "tests/small_stack.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DENORMAL, MINUS_ZERO, HUGE_ONE, INFINITE, NO_NUMBER, N_NUMBERS };

static const struct {
    const char *words;
    double value[2]; // float32, float64
} numbers[N_NUMBERS] = {
    [DENORMAL] = {"a denormal", {1e-42, 1e-310}}, [MINUS_ZERO] = {"a negative zero", {-0.0, -0.0}},
    [HUGE_ONE] = {"a huge number", {1e30, 1e30}}, [INFINITE] = {"infinity", {INFINITY, INFINITY}},
    [NO_NUMBER] = {"no number", {NAN, NAN}},
};

// Where no answer is the right one, and kernels may differ.
static const struct {
    const char *op, *arg;
    int number;
    bool is_wide; // in float64 too
    const char *why;
} open_cases[] = {
    {"curvature_kernel", "uv", HUGE_ONE, true, "turns beyond the digits of the type"},
    {"visibility", "antpos", HUGE_ONE, true, "turns beyond the digits of the type"},
    {"visibility_tau", "antpos", HUGE_ONE, true, "turns beyond the digits of the type"},
    {"kirchhoff_forward", "ang_src", HUGE_ONE, true, "turns beyond the digits of the type"},
    {"kirchhoff_forward", "ang_rec", HUGE_ONE, true, "turns beyond the digits of the type"},
    {"kirchhoff_traveltime", "stations", HUGE_ONE, false, "the square of a distance overflows"},
    {"kirchhoff_convolve", "wav", INFINITE, true, "taps beyond the ends of a trace meet zeros"},
    {"kirchhoff_convolve", "wav", NO_NUMBER, true, "taps beyond the ends of a trace meet zeros"},
};
enum { N_OPEN_CASES = sizeof open_cases / sizeof *open_cases };

static bool is_open(const cli_case *c, int arg, int number)
{
    for (int i = 0; i < N_OPEN_CASES; i++)
        if (strcmp(open_cases[i].op, c->row->word) == 0 && open_cases[i].number == number &&
            strcmp(open_cases[i].arg, c->row->args[arg].name) == 0 &&
            (open_cases[i].is_wide || !c->is_double))
            return true;
    return false;
}

enum { MAX_KERNELS = 32 };

// The engines that run one problem on each of its host kernels.
typedef struct rivals {
    int n;
    char names[MAX_KERNELS][64];
    hgate_engine *engines[MAX_KERNELS];
    hgate_engine *reference;
} rivals;

static void rivals_open(rivals *r, const cli_case *c)
{
    static const char yaml[] = "ops: {curvature: {exact_triangle: false}}\nthreads: {max: 2}";
    hgate_engine *all = real_open(NULL, NULL, NULL, NULL);
    r->n = 0;
    for (int k = 0; k < hgate_kernel_count(all, c->op->op); k++) {
        hgate_kernel_info info = {.struct_size = sizeof info};
        ck_assert_int_eq(hgate_kernel_get(all, c->op->op, k, &info), HGATE_OK);
        if (!(info.spaces & HGATE_SPACE_HOST))
            continue;
        ck_assert_int_lt(r->n, MAX_KERNELS);
        snprintf(r->names[r->n], sizeof r->names[0], "%s/%s", info.plugin, info.name);
        r->engines[r->n] = real_open(c->row->word, r->names[r->n], yaml, NULL);
        r->n++;
    }
    r->reference = real_open(c->row->word, "cpu-serial/reference", yaml, NULL);
    hgate_close(all);
}

static void rivals_close(rivals *r)
{
    for (int k = 0; k < r->n; k++)
        hgate_close(r->engines[k]);
    hgate_close(r->reference);
}

// Which of infinite and NaN a sum of such things is may depend on its order.
static void make_alike(cli_case *c)
{
    for (int i = 0; i < c->row->n_args; i++) {
        cli_array *a = &c->arrays[i];
        const bool is_number = a->type != CLI_I32 && a->type != CLI_I64;
        for (int64_t k = 0;
             is_number && c->row->args[i].role != HG_IN && a->is_given && k < a->count; k++)
            if (!isfinite(cli_array_real(a, k)) || !isfinite(cli_array_imag(a, k)))
                cli_array_put_complex(a, k, NAN, NAN);
    }
}

static int call(real_outputs *outputs, hgate_engine *engine)
{
    const int status = real_call(outputs, engine, NULL);
    if (status == HGATE_OK)
        make_alike(&outputs->mine);
    return status;
}

static void compare(const cli_case *c, const rivals *r, real_outputs *outputs, const char *what,
                    bool same_numbers)
{
    cli_outputs expected;
    const int status = call(outputs, r->reference);
    ck_assert_int_eq(cli_outputs_keep(&expected, &outputs->mine), HGATE_OK);
    for (int k = 0; k < r->n; k++) {
        const int mine = call(outputs, r->engines[k]);
        if (mine == HGATE_ENOKERNEL)
            continue; // it refuses this problem
        ck_assert_msg(mine == status, "%s of %s, %s: status %d, the reference's is %d: %s",
                      r->names[k], c->row->word, what, mine, status, hgate_last_error());
        if (mine != HGATE_OK) {
            ck_assert_msg(real_is_untouched(outputs), "%s of %s, %s: refused and written",
                          r->names[k], c->row->word, what);
        } else if (same_numbers) {
            const double error = cli_outputs_error(&outputs->mine, &expected);
            ck_assert_msg(error <= cli_outputs_tolerance(c), "%s of %s, %s: error %g", r->names[k],
                          c->row->word, what, error);
        }
    }
    cli_outputs_free(&expected);
}

START_TEST(numbers_at_the_edge)
{
    for (int wide = 0; wide < 2; wide++) {
        char words[256];
        cli_case c;
        rivals r;
        real_outputs outputs;
        snprintf(words, sizeof words, "%s dtype=%s", real_problems[_i], wide ? "f64" : "f32");
        real_make(&c, words);
        real_outputs_make(&outputs, &c);
        rivals_open(&r, &c);
        for (int i = 0; i < c.row->n_args; i++) {
            cli_array *a = &c.arrays[i];
            if (!a->is_given || c.row->args[i].role != HG_IN || a->count == 0 ||
                a->type == CLI_I32 || a->type == CLI_I64)
                continue;
            const int64_t at = a->count * 2 / 5;
            const double re = cli_array_real(a, at), im = cli_array_imag(a, at);
            for (int k = 0; k < N_NUMBERS; k++) {
                char what[128];
                snprintf(what, sizeof what, "%s in %s, %s", numbers[k].words, c.row->args[i].name,
                         wide ? "f64" : "f32");
                const bool is_single = a->type == CLI_F32 || a->type == CLI_C64;
                cli_array_put_complex(a, at, numbers[k].value[!is_single], im);
                compare(&c, &r, &outputs, what, !is_open(&c, i, k));
            }
            cli_array_put_complex(a, at, re, im);
        }
        rivals_close(&r);
        real_outputs_free(&outputs);
        cli_case_free(&c);
    }
}
END_TEST

static void compare_drawn(const char *words, rivals *r)
{
    cli_case c;
    real_outputs outputs;
    if (real_try(&c, words)) { // some numbers go together in no problem
        real_outputs_make(&outputs, &c);
        if (r->n == 0)
            rivals_open(r, &c);
        compare(&c, r, &outputs, words, true);
        real_outputs_free(&outputs);
    }
    cli_case_free(&c);
}

START_TEST(random_shapes)
{
    const char *told = getenv("SHAPES");
    const int n = told ? atoi(told) : 8;
    uint64_t random = 88172645463325252u + 977u * (unsigned)_i;
    rivals r = {.n = 0};
    for (int i = 0; i < 2 * n; i++) {
        char words[400];
        real_draw(words, sizeof words, real_ranges[_i], &random);
        strcat(words, i % 2 ? " dtype=f64" : " dtype=f32");
        compare_drawn(words, &r);
    }
    ck_assert_int_gt(r.n, 0);
    rivals_close(&r);
}
END_TEST

typedef struct caller {
    real_outputs *outputs;
    hgate_engine *engine;
    int status;
} caller;

static void *call_there(void *user)
{
    caller *me = user;
    me->status = real_call(me->outputs, me->engine, NULL);
    return NULL;
}

START_TEST(a_small_stack)
{
    cli_case c;
    rivals r;
    real_outputs outputs;
    real_make(&c, real_problems[_i]);
    real_outputs_make(&outputs, &c);
    rivals_open(&r, &c);
    for (int k = 0; k < r.n; k++) {
        caller me = {.outputs = &outputs, .engine = r.engines[k], .status = 1};
        run_on_small_stack(call_there, &me);
        ck_assert_msg(me.status == HGATE_OK || me.status == HGATE_ENOKERNEL, "%s of %s: %d",
                      r.names[k], real_problems[_i], me.status);
    }
    rivals_close(&r);
    real_outputs_free(&outputs);
    cli_case_free(&c);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("each_kernel");
    TCase *tests = tcase_create("each_kernel");
    tcase_add_loop_test(tests, random_shapes, 0, real_count(real_ranges));
    tcase_add_loop_test(tests, numbers_at_the_edge, 0, real_count(real_problems));
    tcase_add_loop_test(tests, a_small_stack, 0, real_count(real_problems));
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
