/* SPDX-License-Identifier: BSD-3-Clause */
/* Made-up problems of every operation: the tables agree, the shapes follow the rules, the data are
 * such as the operation takes. */
#include "tools/problem_arg.h"

#include "core/tensor/shape_rule.h"

#include "tests/harness.h"

#include <math.h>
#include <string.h>

static const cli_options no_options;

static void make(cli_case *c, const char *problem)
{
    static char text[256];
    char *words[12], *rest = NULL;
    int n = 0;
    snprintf(text, sizeof text, "%s", problem);
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        words[n++] = word;
    }
    ck_assert_msg(cli_problem_read(c, n, words) == 0, "%s: %s", problem, hgate_last_error());
    ck_assert_msg(cli_problem_shape(c) == 0, "%s: %s", problem, hgate_last_error());
}

static void fill(cli_case *c)
{
    ck_assert_int_eq(cli_problem_fill(c, &no_options), 0);
}

/* ---- the tables -------------------------------------------------------------------------- */

START_TEST(every_operation_has_a_row)
{
    const cli_op *op = cli_op_row(_i);
    ck_assert_ptr_nonnull(op);
    ck_assert_int_eq(op->op, _i);
    ck_assert(op->n_keys > 0 && op->n_keys <= CLI_MAX_KEYS);
    ck_assert_str_eq(op->work_unit + strlen(op->work_unit) - 2, "/s");
    ck_assert(op->by_peak || op->by_angle);
    const hg_op *row = hg_op_row(_i);
    for (int i = 0; i < HGATE_MAX_ARGS; i++) {
        if ((op->by_peak | op->by_angle) >> i & 1) {
            ck_assert_int_lt(i, row->n_args);
            ck_assert_int_ne(row->args[i].role, HG_IN);
        }
    }
    int n = 0;
    const hg_option *option;
    while ((option = cli_op_attribute(op, n))) {
        n++;
    }
    ck_assert(n > 0 && n < 64); /* the bits of is_set */
    bool has_check = false;
    for (int i = 0; i < n; i++) {
        has_check = has_check || strcmp(cli_op_attribute(op, i)->name, "check") == 0;
    }
    ck_assert(has_check);
}
END_TEST

/* ---- shapes ------------------------------------------------------------------------------ */

static void check_shapes(cli_case *c)
{
    int64_t dims[HGATE_MAX_DIMS];
    for (int i = 0; i < HGATE_MAX_DIMS; i++) {
        dims[i] = HG_SIZE_UNKNOWN;
    }
    const hg_sizes sizes = {c->row, dims, c->layouts};
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < c->row->n_args; i++) {
            const cli_array *array = &c->arrays[i];
            if (!array->is_given) {
                ck_assert(c->row->args[i].is_optional);
                continue;
            }
            const hg_match match =
                hg_shape_match(&sizes, c->row->args[i].shape, array->dl.ndim, array->shape);
            ck_assert_msg(match == HG_MATCH_AGREES || (pass == 0 && match == HG_MATCH_UNDECIDED),
                          "%s: %s", c->row->word, c->row->args[i].name);
        }
    }
}

/* What a file must have, the generator gives. */
static void check_attributes(const cli_case *c)
{
    const hg_option *option;
    for (int i = 0; (option = cli_op_attribute(c->op, i)); i++) {
        ck_assert_msg(!option->is_required || c->is_set >> i & 1, "%s: %s", c->row->word,
                      option->name);
    }
    ck_assert_msg(hg_options_check(c->op->op, &c->scalars) == 0, "%s: %s", c->row->word,
                  hgate_last_error());
}

START_TEST(defaults_follow_the_rules)
{
    for (int is_double = 0; is_double < 2; is_double++) {
        cli_case c;
        char problem[64];
        snprintf(problem, sizeof problem, "%s dtype=%s", hgate_op_name(_i),
                 is_double ? "f64" : "f32");
        make(&c, problem);
        check_shapes(&c);
        check_attributes(&c);
        fill(&c);
        for (int i = 0; i < c.row->n_args; i++) {
            const cli_array *array = &c.arrays[i];
            for (int64_t k = 0; array->dl.data && k < array->count; k += 1 + array->count / 997) {
                ck_assert(isfinite(cli_array_real(array, k)) && isfinite(cli_array_imag(array, k)));
            }
        }
        ck_assert_double_gt(c.op->work(&c), 0);
        cli_case_free(&c);
    }
}
END_TEST

static const char *const variants[] = {
    "emi n=1 batch=3",
    "emi n=5 batch=3 layout=full rule=fixed",
    "evd n=2 batch=0",
    "ds_temp_coh n=4 batch=3 layout=full",
    "visibility nant=3 nfeed=1 nax=4 nsrc=0 nbeam=2 npairs=7",
    "visibility nant=1 nsrc=1 nchunk=5",
    "visibility_pairs nant=2 nfeed=3 k=0 npairs=0",
    "kirchhoff_forward ns=1 nr=2 nt=2 nx=1 nz=1 dynamic=1",
    "kirchhoff_adjoint ns=3 nr=1 nt=9 nx=4 nz=3 ny=2 dynamic=1",
    "kirchhoff_traveltime n=3 nx=4 nz=5 ny=2",
    "kirchhoff_station_index n=3 nx=4 nz=5 ny=2",
    "kirchhoff_convolve nwav=9 nt=4 n=0",
    "curvature ny=1 nx=1 s=1 nnz=1",
    "curvature ny=5 nx=9 s=3 nnz=400",
    "curvature ny=5 nx=9 s=0 nnz=0",
    "curvature case=annulus",
    "curvature case=row",
    "curvature case=column",
    "curvature_data_vector n=3 s=5 nnz=2",
};

START_TEST(variants_follow_the_rules)
{
    cli_case c;
    make(&c, variants[_i]);
    check_shapes(&c);
    check_attributes(&c);
    fill(&c);
    cli_case_free(&c);
}
END_TEST

/* ---- data -------------------------------------------------------------------------------- */

START_TEST(a_seed_repeats_the_data)
{
    cli_case a, b, c;
    make(&a, "emi n=4 batch=3 seed=7");
    fill(&a);
    make(&b, "emi n=4 batch=3 seed=7");
    fill(&b);
    make(&c, "emi n=4 batch=3 seed=8");
    fill(&c);
    const size_t bytes = a.arrays[0].bytes;
    ck_assert_mem_eq(a.arrays[0].dl.data, b.arrays[0].dl.data, bytes);
    ck_assert_mem_ne(a.arrays[0].dl.data, c.arrays[0].dl.data, bytes);
    cli_case_free(&a);
    cli_case_free(&b);
    cli_case_free(&c);
}
END_TEST

/* The cases of a lensed galaxy: sizes and work fractions of the observation that they stand for. */
static const struct {
    const char *problem;
    int64_t n, s;
    double fraction;
} galaxies[] = {
    {"curvature case=aris8", 91361, 1428, 0.4136},
    {"curvature case=aris4", 91361, 5713, 0.4032},
    {"curvature case=aris6-lens", 91361, 2542, 0.5054},
};

START_TEST(galaxies_have_their_work_fractions)
{
    cli_case c;
    double fraction = 0;
    make(&c, galaxies[_i].problem);
    const cli_array *a = c.arrays;
    ck_assert_int_eq(a[HGATE_CURVATURE_IY].count, galaxies[_i].n);
    ck_assert_int_eq(a[HGATE_CURVATURE_INDPTR].count, galaxies[_i].s + 1);
    ck_assert_int_eq(hgate_curvature_work_fraction(
                         &a[HGATE_CURVATURE_IY].dl, &a[HGATE_CURVATURE_IX].dl, 341, 341,
                         &a[HGATE_CURVATURE_INDPTR].dl, &a[HGATE_CURVATURE_ROWS].dl, &fraction),
                     0);
    ck_assert_double_eq_tol(fraction, galaxies[_i].fraction, 5e-4);
    cli_case_free(&c);
}
END_TEST

/* Each pixel's weights add up to 1, inside the mesh and outside. */
START_TEST(weights_of_a_pixel_add_up_to_one)
{
    cli_case c;
    make(&c, "curvature case=lens");
    const cli_array *rows = &c.arrays[HGATE_CURVATURE_ROWS];
    const int64_t n = c.arrays[HGATE_CURVATURE_IY].count;
    double *sum = calloc((size_t)n, sizeof *sum);
    ck_assert_ptr_nonnull(sum);
    for (int64_t t = 0; t < rows->count; t++) {
        sum[(int64_t)cli_array_real(rows, t)] += cli_array_real(&c.arrays[HGATE_CURVATURE_VALS], t);
    }
    for (int64_t p = 0; p < n; p++) {
        ck_assert_double_eq_tol(sum[p], 1, 1e-13);
    }
    free(sum);
    cli_case_free(&c);
}
END_TEST

/* The longest way ends within the record, close to its end. */
START_TEST(records_hold_every_way)
{
    cli_case c;
    make(&c, "kirchhoff_forward ns=3 nr=5 nt=300 nx=20 nz=30 dtype=f64");
    fill(&c);
    double longest[2] = {0, 0};
    for (int side = 0; side < 2; side++) {
        const cli_array *table = &c.arrays[HGATE_KIRCHHOFF_TRAV_SRC + side];
        for (int64_t i = 0; i < table->count; i++) {
            longest[side] = fmax(longest[side], cli_array_real(table, i));
        }
    }
    const double samples = (longest[0] + longest[1]) / c.scalars.params.kirchhoff.dt;
    ck_assert(samples > 0.9 * 299 && samples < 299);
    cli_case_free(&c);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("problems");
    TCase *tests = tcase_create("problems");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, every_operation_has_a_row, 0, HGATE_OP_COUNT);
    tcase_add_loop_test(tests, defaults_follow_the_rules, 0, HGATE_OP_COUNT);
    tcase_add_loop_test(tests, variants_follow_the_rules, 0, sizeof variants / sizeof *variants);
    tcase_add_test(tests, a_seed_repeats_the_data);
    tcase_add_loop_test(tests, galaxies_have_their_work_fractions, 0,
                        sizeof galaxies / sizeof *galaxies);
    tcase_add_test(tests, weights_of_a_pixel_add_up_to_one);
    tcase_add_test(tests, records_hold_every_way);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
