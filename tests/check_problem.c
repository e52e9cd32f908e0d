/* SPDX-License-Identifier: BSD-3-Clause */
/* The canonical problem: its table of operations, its arguments, its scalars, copies and hashes. */
#include "core/tensor/problem.h"

#include "core/tensor/arguments.h"
#include "core/tensor/dtype.h"
#include "core/tensor/op_table.h"
#include "core/tensor/option_table.h"
#include "core/tensor/shape_rule.h"
#include "core/tensor/shape_term.h"
#include "tests/harness.h"
#include "tests/tensors.h"

#include <math.h>
#include <string.h>

static float small[64];
static double numbers[64];

/* ---- tables ---- */

START_TEST(words_and_numbers)
{
    for (int op = 0; op < HGATE_OP_COUNT; op++) {
        const char *word = hgate_op_name(op);
        ck_assert_ptr_nonnull(word);
        ck_assert_int_eq(hgate_op_find(word), op);
    }
#define CHECK_WORD(NUMBER, WORD, FAMILY)                                                           \
    ck_assert_str_eq(hgate_op_name(HGATE_OP_##NUMBER), #WORD);                                     \
    ck_assert_str_eq(hg_op_row(HGATE_OP_##NUMBER)->family, #FAMILY);
    HGATE_OP_LIST(CHECK_WORD)
    ck_assert_ptr_null(hgate_op_name(-1));
    ck_assert_ptr_null(hgate_op_name(HGATE_OP_COUNT));
    ck_assert_int_eq(hgate_op_find("emis"), -1);
    ck_assert_int_eq(hgate_op_find(""), -1);
    ck_assert_int_eq(hgate_op_find(NULL), -1);
}
END_TEST

/* Words of a rule that are no size would be read as a plain number. */
static void check_rule(const hg_op *row, const hg_arg *arg)
{
    const char *text = arg->shape;
    while (*text) {
        int n = (int)strcspn(text, " ");
        if (text[n - 1] != ':' && *text != '|') {
            hg_term term = hg_term_read(row, text);
            bool has_size = strpbrk(term.text, "abcdefghijklmnopqrstuvwxyz") < text + n &&
                            strpbrk(term.text, "abcdefghijklmnopqrstuvwxyz");
            ck_assert_msg((term.a >= 0) == has_size, "%s: %s in %s", row->word, text, arg->name);
            ck_assert_msg((term.b >= 0) == (term.kind == HG_TERM_PRODUCT), "%s: %s", row->word,
                          text);
        }
        text += n + (text[n] == ' ');
    }
}

START_TEST(rows_are_well_formed)
{
    const hg_op *row = hg_op_row(_i);
    ck_assert_int_le(row->n_args, HGATE_MAX_ARGS);
    ck_assert_int_le(row->n_dims, HGATE_MAX_DIMS);
    ck_assert(!row->args[row->main_arg].is_optional);
    bool has_output = false;
    for (int i = 0; i < row->n_args; i++) {
        check_rule(row, &row->args[i]);
        has_output = has_output || row->args[i].role != HG_IN;
        for (int j = 0; j < i; j++) {
            ck_assert_str_ne(row->args[i].name, row->args[j].name);
        }
    }
    ck_assert(has_output);
    for (const char *word = row->positive; *word;) {
        int n = (int)strcspn(word, " ");
        ck_assert_int_ge(hg_op_find_dim(row, word, n), 0);
        word += n + (word[n] == ' ');
    }
}
END_TEST

START_TEST(types)
{
    static const struct {
        uint32_t dtype;
        const char *word;
        size_t bytes;
    } rows[] = {{HGATE_F32, "f32", 4},
                {HGATE_F64, "f64", 8},
                {HGATE_C64, "c64", 8},
                {HGATE_C128, "c128", 16}};
    for (int i = 0; i < 4; i++) {
        ck_assert_str_eq(hg_dtype_word(rows[i].dtype), rows[i].word);
        ck_assert_uint_eq(hg_dtype_find(rows[i].word), rows[i].dtype);
        ck_assert_uint_eq(hg_dtype_bytes(rows[i].dtype), rows[i].bytes);
        ck_assert_uint_eq(hg_dtype_of(hg_dtype_dlpack(rows[i].dtype)), rows[i].dtype);
    }
    ck_assert_str_eq(hg_dtype_word(HG_I64), "int64");
    ck_assert_uint_eq(hg_dtype_find("int64"), 0);
    ck_assert_uint_eq(hg_dtype_find("f16"), 0);
    ck_assert_ptr_null(hg_dtype_word(3));
    ck_assert_uint_eq(hg_dtype_bytes(0), 0);
}
END_TEST

/* ---- arguments ---- */

static void refused(int status, int expected, const char *text)
{
    ck_assert_int_eq(status, expected);
    ck_assert_str_eq(hgate_last_error(), text);
}

START_TEST(arguments_of_a_gram)
{
    DLTensor Z = TENSOR(small, C64, 3, 4), V = TENSOR(numbers, C64, 3, 3);
    const DLTensor *args[] = {&Z, &V};
    hg_problem problem;
    hg_problem_init(&problem, HGATE_OP_VISIBILITY_GRAM);
    ck_assert_int_eq(hg_arguments_take(&problem, args, HG_NEED_DATA), HGATE_OK);
    ck_assert_int_eq(hg_arguments_match(&problem, ""), HGATE_OK);
    ck_assert_uint_eq(problem.p.dtype, HGATE_C64);
    ck_assert_uint_eq(problem.p.space, HGATE_SPACE_HOST);
    ck_assert_int_eq(problem.p.dims[HGATE_DIM_VISIBILITY_GRAM_M], 3);
    ck_assert_int_eq(problem.p.dims[HGATE_DIM_VISIBILITY_GRAM_K], 4);
    ck_assert_ptr_eq(problem.p.args[1]->data, numbers);
    ck_assert(hg_arguments_have_output(&problem));

    V.dtype.bits = 128;
    refused(hg_arguments_take(&problem, args, HG_NEED_DATA), HGATE_EDTYPE,
            "V: type is c128, expected c64");
    V = TENSOR(numbers, C64, 3, 4);
    ck_assert_int_eq(hg_arguments_take(&problem, args, HG_NEED_DATA), HGATE_OK);
    refused(hg_arguments_match(&problem, ""), HGATE_ESHAPE, "V: shape is (3, 4), expected (3, 3)");
    args[0] = NULL;
    refused(hg_arguments_take(&problem, args, HG_NEED_SHAPES), HGATE_EINVAL,
            "Z: is NULL, expected an array");
}
END_TEST

START_TEST(the_first_array_sets_the_precision)
{
    DLTensor antpos = TENSOR(numbers, F64, 4, 3), crd = TENSOR(numbers, F64, 3, 5);
    DLTensor exptau = TENSOR(NULL, C64, 4, 5);
    const DLTensor *args[] = {&antpos, &crd, &exptau};
    hg_problem problem;
    hg_problem_init(&problem, HGATE_OP_VISIBILITY_TAU);
    ck_assert_int_eq(hg_arguments_take(&problem, args, HG_NEED_SHAPES), HGATE_OK);
    ck_assert_uint_eq(problem.p.dtype, HGATE_C64);
    crd.dtype.bits = 32;
    refused(hg_arguments_take(&problem, args, HG_NEED_SHAPES), HGATE_EDTYPE,
            "crd: type is f32, expected f64");
    crd.dtype.bits = 64;
    exptau.dtype.bits = 128;
    ck_assert_int_eq(hg_arguments_take(&problem, args, HG_NEED_SHAPES), HGATE_OK);
    antpos.dtype.bits = crd.dtype.bits = 32;
    refused(hg_arguments_take(&problem, args, HG_NEED_SHAPES), HGATE_EDTYPE,
            "exptau: type is c128, expected c64");
}
END_TEST

START_TEST(data_where_it_is_needed)
{
    DLTensor w = TENSOR(numbers, F64, 4, 6), iy = TENSOR(small, I32, 3), ix = TENSOR(small, I64, 3);
    DLTensor indptr = TENSOR(NULL, I64, 3), rows = TENSOR(NULL, I32, 4);
    DLTensor vals = TENSOR(NULL, F64, 4), F = TENSOR(NULL, F64, 2, 2);
    const DLTensor *args[] = {&w, &iy, &ix, &indptr, &rows, &vals, &F};
    hg_problem problem;
    hg_problem_init(&problem, HGATE_OP_CURVATURE);
    ck_assert_int_eq(hg_arguments_take(&problem, args, HG_NEED_PLAN), HGATE_OK);
    ck_assert_int_eq(hg_arguments_match(&problem, ""), HGATE_OK);
    ck_assert_int_eq(problem.dims[HGATE_DIM_CURVATURE_S], 2);
    ck_assert_ptr_eq(problem.p.facts, &problem.facts);
    refused(hg_arguments_take(&problem, args, HG_NEED_DATA), HGATE_EINVAL,
            "indptr: data is NULL, expected 24 bytes");
    ix.data = NULL;
    refused(hg_arguments_take(&problem, args, HG_NEED_PLAN), HGATE_EINVAL,
            "ix: data is NULL, expected 24 bytes");
    ck_assert_int_eq(hg_arguments_take(&problem, args, HG_NEED_SHAPES), HGATE_OK);
}
END_TEST

START_TEST(spaces)
{
    static const struct {
        int type[2], id[2];
        int status;
        uint32_t space;
        const char *text;
    } rows[] = {
        {{1, 1}, {0, 0}, HGATE_OK, HGATE_SPACE_HOST, "host"},
        {{1, 3}, {0, 0}, HGATE_OK, HGATE_SPACE_HOST, "host"},
        {{3, 1}, {0, 0}, HGATE_OK, HGATE_SPACE_HOST, "host"},
        {{3, 3}, {0, 1}, HGATE_OK, HGATE_SPACE_CUDA_HOST, "pinned"},
        {{2, 2}, {1, 1}, HGATE_OK, HGATE_SPACE_CUDA, "cuda:1"},
        {{13, 13}, {2, 2}, HGATE_OK, HGATE_SPACE_CUDA_MANAGED, "managed:2"},
        {{2, 2}, {0, 1}, HGATE_EDEVICE, 0, "V: is in cuda:1 memory, Z in cuda:0"},
        {{2, 1}, {0, 0}, HGATE_EDEVICE, 0, "V: is in host memory, Z in cuda:0"},
        {{1, 2}, {0, 3}, HGATE_EDEVICE, 0, "V: is in cuda:3 memory, Z in host"},
        {{13, 2}, {0, 0}, HGATE_EDEVICE, 0, "V: is in cuda:0 memory, Z in managed:0"},
        {{3, 13}, {0, 0}, HGATE_EDEVICE, 0, "V: is in managed:0 memory, Z in pinned"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        DLTensor Z = TENSOR(NULL, C64, 3, 4), V = TENSOR(NULL, C64, 3, 3);
        const DLTensor *args[] = {&Z, &V};
        Z.device = (DLDevice){(DLDeviceType)rows[i].type[0], rows[i].id[0]};
        V.device = (DLDevice){(DLDeviceType)rows[i].type[1], rows[i].id[1]};
        hg_problem problem;
        hg_problem_init(&problem, HGATE_OP_VISIBILITY_GRAM);
        ck_assert_int_eq(hg_arguments_take(&problem, args, HG_NEED_SHAPES), rows[i].status);
        if (rows[i].status == HGATE_OK) {
            char buffer[24];
            hg_text text = hg_text_over(buffer, sizeof buffer);
            hg_problem_describe_space(&text, &problem);
            ck_assert_str_eq(text.data, rows[i].text);
            ck_assert_uint_eq(problem.p.space, rows[i].space);
        } else {
            ck_assert_str_eq(hgate_last_error(), rows[i].text);
        }
    }
}
END_TEST

START_TEST(outputs_share_nothing)
{
    DLTensor crd = TENSOR(numbers, F64, 3, 2), az = TENSOR(numbers + 6, F64, 2);
    DLTensor za = TENSOR(numbers + 8, F64, 2);
    const DLTensor *args[] = {&crd, &az, &za};
    hg_problem problem;
    hg_problem_init(&problem, HGATE_OP_VISIBILITY_ANGLES);
    ck_assert_int_eq(hg_arguments_take(&problem, args, HG_NEED_DATA), HGATE_OK);
    za.data = numbers + 7;
    refused(hg_arguments_take(&problem, args, HG_NEED_DATA), HGATE_EOVERLAP,
            "az: shares memory with za");
    za.data = numbers;
    za.byte_offset = 32;
    refused(hg_arguments_take(&problem, args, HG_NEED_DATA), HGATE_EOVERLAP,
            "za: shares memory with crd");
}
END_TEST

START_TEST(sizes_that_others_set)
{
    DLTensor Z = TENSOR(NULL, C64, 6, 5), pairs = TENSOR(NULL, I64, 7, 2);
    DLTensor Vpairs = TENSOR(NULL, C64, 7, 2, 2);
    const DLTensor *args[] = {&Z, &pairs, &Vpairs};
    hg_problem problem;
    hg_problem_init(&problem, HGATE_OP_VISIBILITY_PAIRS);
    ck_assert_int_eq(hg_arguments_take(&problem, args, HG_NEED_SHAPES), HGATE_OK);
    ck_assert_int_eq(hg_arguments_match(&problem, ""), HGATE_OK);
    ck_assert_int_eq(problem.dims[HGATE_DIM_VISIBILITY_PAIRS_NANT], 3);
    ck_assert_int_eq(problem.dims[HGATE_DIM_VISIBILITY_PAIRS_NPAIRS], 7);

    Vpairs = TENSOR(NULL, C64, 7, 4, 4);
    hg_problem_init(&problem, HGATE_OP_VISIBILITY_PAIRS);
    ck_assert_int_eq(hg_arguments_take(&problem, args, HG_NEED_SHAPES), HGATE_OK);
    refused(hg_arguments_match(&problem, ""), HGATE_ESHAPE,
            "Z: shape is (6, 5), expected (nant*nfeed, k)");
    Vpairs = TENSOR(NULL, C64, 7, 0, 0);
    hg_problem_init(&problem, HGATE_OP_VISIBILITY_PAIRS);
    ck_assert_int_eq(hg_arguments_take(&problem, args, HG_NEED_SHAPES), HGATE_OK);
    refused(hg_arguments_match(&problem, ""), HGATE_ESHAPE,
            "Vpairs: nfeed is 0, expected 1 or more");
}
END_TEST

/* ---- scalars ---- */

START_TEST(defaults_pass_where_nothing_is_required)
{
    const hg_option_list *list = hg_option_list_of(_i);
    union {
        hgate_visibility_params visibility;
        hgate_kirchhoff_setup setup;
        hgate_kirchhoff_params kirchhoff;
        hgate_emi_params emi;
        hgate_curvature_params curvature;
    } params;
    ck_assert_uint_le(list->size, sizeof params);
    hg_options_preset(list, &params);
    ck_assert_uint_eq(params.emi.struct_size, list->size);
    bool is_required = false;
    for (int i = 0; i < list->n; i++) {
        const hg_option *option = &list->options[i];
        ck_assert(hg_option_get(option, &params, 0) == option->preset);
        ck_assert_uint_lt(option->offset, list->size);
        is_required = is_required || (option->is_required && hg_option_is_read(option, _i));
    }
    ck_assert_int_eq(hg_options_check(_i, &params), is_required ? HGATE_EVALUE : HGATE_OK);
}
END_TEST

START_TEST(scalars_out_of_range)
{
    static const struct {
        int op;
        const char *name;
        double value;
        int status;
        const char *text;
    } rows[] = {
        {HGATE_OP_EMI, "kappa", 99, HGATE_EVALUE, "kappa: is 99, expected 1e2 to 1e12"},
        {HGATE_OP_EMI, "kappa", NAN, HGATE_EVALUE, "kappa: is nan, expected 1e2 to 1e12"},
        {HGATE_OP_EMI, "kappa", 1e12, HGATE_OK, ""},
        {HGATE_OP_EVD, "kappa", 99, HGATE_OK, ""},
        {HGATE_OP_EMI, "beta", 1, HGATE_EVALUE, "beta: is 1, expected 0 or more and less than 1"},
        {HGATE_OP_EMI, "rule", 3, HGATE_EINVAL, "rule: is 3, expected 0 (adaptive) to 2 (none)"},
        {HGATE_OP_EMI, "check", -1, HGATE_EINVAL, "check: is -1, expected 0 (none) to 2 (full)"},
        {HGATE_OP_VISIBILITY_Z, "flux_is_amp", 2, HGATE_EINVAL,
         "flux_is_amp: is 2, expected 0 or 1"},
        {HGATE_OP_KIRCHHOFF_CONVOLVE, "wavc", -1, HGATE_EVALUE, "wavc: is -1, expected 0 or more"},
        {HGATE_OP_KIRCHHOFF_WAVELET, "dt", INFINITY, HGATE_EVALUE, "ndim: is 0, expected 2 or 3"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const hg_option_list *list = hg_option_list_of(rows[i].op);
        double params[32];
        hg_options_preset(list, params);
        for (int k = 0; k < list->n; k++) {
            if (strcmp(list->options[k].name, rows[i].name) == 0) {
                hg_option_put(&list->options[k], params, rows[i].value);
            }
        }
        ck_assert_int_eq(hg_options_check(rows[i].op, params), rows[i].status);
        if (rows[i].status != HGATE_OK) {
            ck_assert_str_eq(hgate_last_error(), rows[i].text);
        }
    }
}
END_TEST

/* ---- copies and hashes ---- */

static void gram_problem(hg_problem *problem, int64_t m, int64_t k, int bits)
{
    DLTensor Z = TENSOR(small, C64, m, k), V = TENSOR(numbers, C64, m, m);
    Z.dtype.bits = V.dtype.bits = (uint8_t)bits;
    const DLTensor *args[] = {&Z, &V};
    hg_problem_init(problem, HGATE_OP_VISIBILITY_GRAM);
    hg_options_preset(hg_option_list_of(HGATE_OP_VISIBILITY_GRAM), &problem->params);
    ck_assert_int_eq(hg_arguments_take(problem, args, HG_NEED_DATA), HGATE_OK);
    ck_assert_int_eq(hg_arguments_match(problem, ""), HGATE_OK);
}

START_TEST(a_copy_stands_alone)
{
    hg_problem from, to;
    gram_problem(&from, 3, 4, 64);
    hg_problem_copy(&to, &from);
    memset(&from, 0xa5, sizeof from);
    ck_assert_ptr_eq(to.p.args, to.args);
    ck_assert_ptr_eq(to.p.dims, to.dims);
    ck_assert_ptr_eq(to.p.params, &to.params);
    ck_assert_ptr_null(to.p.facts);
    ck_assert_ptr_eq(to.p.args[0], &to.tensors[0].dl);
    ck_assert_ptr_eq(to.p.args[1]->shape, to.tensors[1].shape);
    ck_assert_int_eq(to.p.args[0]->shape[1], 4);
    ck_assert_ptr_eq(to.p.args[0]->data, small);
}
END_TEST

START_TEST(an_argument_is_copied_without_offset_and_strides)
{
    hg_problem problem;
    DLTensor Z = TENSOR(small, C64, 3, 2);
    Z.byte_offset = 16;
    Z.strides = SHAPE(2, 1);
    hg_problem_init(&problem, HGATE_OP_VISIBILITY_GRAM);
    hg_problem_set_arg(&problem, 0, &Z);
    ck_assert_ptr_eq(problem.p.args[0]->data, small + 4);
    ck_assert_uint_eq(problem.p.args[0]->byte_offset, 0);
    ck_assert_ptr_null(problem.p.args[0]->strides);
    hg_problem_set_arg(&problem, 0, NULL);
    ck_assert_ptr_null(problem.p.args[0]);
}
END_TEST

START_TEST(the_hash_sees_everything_but_data)
{
    hg_problem a, b;
    gram_problem(&a, 3, 4, 64);
    gram_problem(&b, 3, 4, 64);
    b.tensors[0].dl.data = numbers;
    uint64_t hash = hg_problem_hash(&a);
    ck_assert_uint_eq(hg_problem_hash(&b), hash);
    gram_problem(&b, 4, 3, 64);
    ck_assert_uint_ne(hg_problem_hash(&b), hash);
    gram_problem(&b, 3, 4, 128);
    ck_assert_uint_ne(hg_problem_hash(&b), hash);
    gram_problem(&b, 3, 4, 64);
    b.params.visibility.convention = HGATE_VISIBILITY_CONJ;
    ck_assert_uint_ne(hg_problem_hash(&b), hash);
    b.params.visibility.convention = HGATE_VISIBILITY_ZZH;
    b.params.visibility.freq_hz = 1e8; /* no scalar of this operation */
    ck_assert_uint_eq(hg_problem_hash(&b), hash);
    b.p.space = HGATE_SPACE_CUDA;
    ck_assert_uint_ne(hg_problem_hash(&b), hash);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("problem");
    TCase *tests = tcase_create("problem");
    tcase_add_test(tests, words_and_numbers);
    tcase_add_loop_test(tests, rows_are_well_formed, 0, HGATE_OP_COUNT);
    tcase_add_test(tests, types);
    tcase_add_test(tests, arguments_of_a_gram);
    tcase_add_test(tests, the_first_array_sets_the_precision);
    tcase_add_test(tests, data_where_it_is_needed);
    tcase_add_test(tests, spaces);
    tcase_add_test(tests, outputs_share_nothing);
    tcase_add_test(tests, sizes_that_others_set);
    tcase_add_loop_test(tests, defaults_pass_where_nothing_is_required, 0, HGATE_OP_COUNT);
    tcase_add_test(tests, scalars_out_of_range);
    tcase_add_test(tests, a_copy_stands_alone);
    tcase_add_test(tests, an_argument_is_copied_without_offset_and_strides);
    tcase_add_test(tests, the_hash_sees_everything_but_data);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
