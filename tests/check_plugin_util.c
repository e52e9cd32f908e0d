// SPDX-License-Identifier: BSD-3-Clause
// The helpers for plugin authors.
#include <headgate/plugin_util.h>

#include "tests/harness.h"

#include <math.h>
#include <string.h>

START_TEST(a_refusal_has_code_numbers_and_text)
{
    hgate_reason reason = {.struct_size = sizeof reason};
    ck_assert_int_eq(
        hgate_refuse(&reason, HGATE_REFUSE_LIMIT, 33, 32, "%d images, at most %d", 33, 32),
        HGATE_ENOKERNEL);
    ck_assert_int_eq(reason.code, HGATE_REFUSE_LIMIT);
    ck_assert_str_eq(reason.text, "33 images, at most 32");
    ck_assert_double_eq(reason.value, 33);
    ck_assert_double_eq(reason.limit, 32);
    char longer[400];
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    hgate_refuse(&reason, HGATE_REFUSE_OTHER, (double)NAN, (double)NAN, "%s", longer);
    ck_assert_uint_eq(strlen(reason.text), HGATE_REASON_SIZE - 1);
    ck_assert_int_eq(hgate_unavailable(&reason, "no driver (%d)", 35), HGATE_EUNAVAILABLE);
    ck_assert_str_eq(reason.text, "no driver (35)");
    ck_assert_int_eq(reason.code, HGATE_REFUSE_FEATURE);
}
END_TEST

START_TEST(a_problem_is_read_by_index)
{
    double values[6] = {0, 1, 2, 3, 4, 5};
    int64_t shape[2] = {2, 3};
    DLTensor tensor = {.data = values,
                       .ndim = 2,
                       .dtype = {HGATE_DL_FLOAT, 64, 1},
                       .shape = shape,
                       .byte_offset = 2 * sizeof(double)};
    DLTensor planned = tensor;
    planned.data = NULL;
    const DLTensor *args[3] = {&tensor, NULL, &planned};
    const int64_t dims[2] = {7, 9};
    const hgate_problem problem = {.n_args = 3, .args = args, .n_dims = 2, .dims = dims};
    ck_assert_int_eq(hgate_dim(&problem, 0), 7);
    ck_assert_int_eq(hgate_dim(&problem, 1), 9);
    ck_assert_int_eq(hgate_dim(&problem, 2), -1);
    ck_assert_ptr_eq(hgate_arg(&problem, 0), &tensor);
    ck_assert_ptr_null(hgate_arg(&problem, 1));
    ck_assert_ptr_null(hgate_arg(&problem, 3));
    ck_assert_ptr_eq(hgate_arg_data(&problem, 0), &values[2]);
    ck_assert_ptr_null(hgate_arg_data(&problem, 1));
    ck_assert_ptr_null(hgate_arg_data(&problem, 2));
    ck_assert_int_eq(hgate_tensor_count(&tensor), 6);
    shape[0] = 0;
    ck_assert_int_eq(hgate_tensor_count(&tensor), 0);
    tensor.ndim = 0;
    ck_assert_int_eq(hgate_tensor_count(&tensor), 1);
}
END_TEST

START_TEST(indices_have_two_widths)
{
    const int32_t narrow[3] = {5, -6, 7};
    const int64_t wide[3] = {5, INT64_C(-6000000000), 7};
    ck_assert_int_eq(hgate_index_at(narrow, 0, 1), -6);
    ck_assert_int_eq(hgate_index_at(wide, 1, 1), INT64_C(-6000000000));
    DLTensor tensor = {.dtype = {HGATE_DL_INT, 64, 1}};
    ck_assert(hgate_is_int64(&tensor));
    tensor.dtype.bits = 32;
    ck_assert(!hgate_is_int64(&tensor));
}
END_TEST

START_TEST(linear_cost_is_terms_times_constants)
{
    const hgate_term terms[] = {{"flop", 2}, {"calls", 0}};
    const hgate_kernel kernel = {.n_terms = 2, .terms = terms};
    const double k[] = {1e-3, 55, 2e-9};
    const hgate_estimate est = {.terms = {1e6, 4, 1e99}};
    ck_assert_double_eq_tol(hgate_linear_seconds(&kernel, k, &est), 6e-3, 1e-15);
}
END_TEST

typedef struct pieces {
    double *row;
    char *flag;
    int64_t *order;
} pieces;

static void lay_out(hgate_scratch *scratch, int64_t n, pieces *p)
{
    p->row = hgate_scratch_take(scratch, n, sizeof *p->row);
    p->flag = hgate_scratch_take(scratch, 1, sizeof *p->flag);
    p->order = hgate_scratch_take(scratch, n, sizeof *p->order);
}

START_TEST(a_layout_counts_and_hands_out_alike)
{
    pieces p;
    hgate_scratch count = hgate_scratch_count();
    lay_out(&count, 13, &p); // 104, 1 and 104 bytes
    ck_assert_ptr_null(p.row);
    ck_assert(!count.is_short);
    ck_assert_uint_eq(count.bytes, 128 + 64 + 128);

    _Alignas(64) static char memory[128 + 64 + 128];
    hgate_run run = {.ws_host = memory, .ws_host_bytes = sizeof memory};
    hgate_scratch scratch = hgate_scratch_over(&run);
    lay_out(&scratch, 13, &p);
    ck_assert(!scratch.is_short);
    ck_assert_ptr_eq(p.row, memory);
    ck_assert_ptr_eq(p.flag, memory + 128);
    ck_assert_ptr_eq(p.order, memory + 192);

    run.ws_host_bytes--;
    scratch = hgate_scratch_over(&run);
    lay_out(&scratch, 13, &p);
    ck_assert(scratch.is_short);
    ck_assert_ptr_null(p.order);
    run.ws_host = NULL;
    scratch = hgate_scratch_over(&run);
    lay_out(&scratch, 13, &p);
    ck_assert(scratch.is_short);
    ck_assert_ptr_null(p.row);

    scratch = hgate_scratch_over(&run); // a problem of size 0 needs no memory and gets none
    ck_assert_ptr_null(hgate_scratch_take(&scratch, 0, 8));
    ck_assert(!scratch.is_short);
}
END_TEST

START_TEST(a_layout_never_overflows)
{
    static const struct {
        int64_t count;
        size_t bytes;
    } rows[] = {{-1, 1}, {INT64_MAX, 8}, {INT64_MAX, SIZE_MAX}, {2, SIZE_MAX}, {1, SIZE_MAX - 62}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hgate_scratch scratch = hgate_scratch_count();
        hgate_scratch_take(&scratch, 3, 8);
        ck_assert_ptr_null(hgate_scratch_take(&scratch, rows[i].count, rows[i].bytes));
        ck_assert_uint_eq(scratch.bytes, SIZE_MAX);
        ck_assert(scratch.is_short);
        ck_assert_ptr_null(hgate_scratch_take(&scratch, 1, 1)); // and stays so
        ck_assert_uint_eq(scratch.bytes, SIZE_MAX);
    }
    hgate_scratch scratch = hgate_scratch_count();
    hgate_scratch_take(&scratch, 0, 8);
    ck_assert_uint_eq(scratch.bytes, 0);
    hgate_scratch_take(&scratch, INT64_MAX, 1);
    ck_assert_uint_eq(scratch.bytes, (size_t)INT64_MAX + 1);
    ck_assert(!scratch.is_short);
}
END_TEST

static int64_t seen_done, seen_total;

static int stop_at_two(const hgate_run *run, int64_t done, int64_t total)
{
    (void)run;
    seen_done = done;
    seen_total = total;
    return done == 2;
}

START_TEST(progress_may_stop_a_run)
{
    hgate_run run = {.progress = stop_at_two};
    ck_assert_int_eq(hgate_progress(&run, 1, 9), HGATE_OK);
    ck_assert_int_eq(hgate_progress(&run, 2, 9), HGATE_ESTOPPED);
    ck_assert_int_eq(seen_done, 2);
    ck_assert_int_eq(seen_total, 9);
    run.progress = NULL;
    ck_assert_int_eq(hgate_progress(&run, 2, 9), HGATE_OK);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("plugin_util");
    TCase *tests = tcase_create("util");
    tcase_add_test(tests, a_refusal_has_code_numbers_and_text);
    tcase_add_test(tests, a_problem_is_read_by_index);
    tcase_add_test(tests, indices_have_two_widths);
    tcase_add_test(tests, linear_cost_is_terms_times_constants);
    tcase_add_test(tests, a_layout_counts_and_hands_out_alike);
    tcase_add_test(tests, a_layout_never_overflows);
    tcase_add_test(tests, progress_may_stop_a_run);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
