/* SPDX-License-Identifier: BSD-3-Clause */
/* Shape rules: what they accept, which sizes they set, how they are put in words. */
#include "core/tensor/shape_rule.h"

#include "tests/harness.h"

#include <headgate/status.h>
#include <string.h>

static const char *const words[] = {"n", "m", "nant", "nfeed"};
static const hg_op row = {.word = "made_up", .n_dims = 4, .dims = words, .positive = ""};
enum { U = HG_SIZE_UNKNOWN };

typedef struct rule_row {
    const char *rule, *layouts;
    int64_t before[4]; /* sizes n, m, nant, nfeed */
    int ndim;
    int64_t shape[4];
    hg_match match;
    int64_t after[4];
    const char *text; /* what is expected in words, with the sizes before */
} rule_row;

static const rule_row rows[] = {
    {"n m", "", {U, U, U, U}, 2, {5, 7}, HG_MATCH_AGREES, {5, 7, U, U}, "(n, m)"},
    {"n m", "", {5, U, U, U}, 2, {6, 7}, HG_MATCH_DIFFERS, {5, U, U, U}, "(5, m)"},
    {"n m", "", {5, 7, U, U}, 1, {5}, HG_MATCH_DIFFERS, {5, 7, U, U}, "(5, 7)"},
    {"n n", "", {U, U, U, U}, 2, {5, 6}, HG_MATCH_DIFFERS, {U, U, U, U}, "(n, n)"},
    {"3 n", "", {U, U, U, U}, 2, {3, 0}, HG_MATCH_AGREES, {0, U, U, U}, "(3, n)"},
    {"3 n", "", {U, U, U, U}, 2, {4, 2}, HG_MATCH_DIFFERS, {U, U, U, U}, "(3, n)"},
    {"2n 2m", "", {U, U, U, U}, 2, {8, 6}, HG_MATCH_AGREES, {4, 3, U, U}, "(2n, 2m)"},
    {"2n 2m", "", {U, U, U, U}, 2, {8, 7}, HG_MATCH_DIFFERS, {U, U, U, U}, "(2n, 2m)"},
    {"2n 2m", "", {4, 3, U, U}, 2, {8, 8}, HG_MATCH_DIFFERS, {4, 3, U, U}, "(8, 6)"},
    {"n+1", "", {U, U, U, U}, 1, {1}, HG_MATCH_AGREES, {0, U, U, U}, "(n+1)"},
    {"n+1", "", {U, U, U, U}, 1, {0}, HG_MATCH_DIFFERS, {U, U, U, U}, "(n+1)"},
    {"n+1", "", {6, U, U, U}, 1, {6}, HG_MATCH_DIFFERS, {6, U, U, U}, "(7)"},
    {"nant*nfeed m", "", {U, U, 3, 2}, 2, {6, 5}, HG_MATCH_AGREES, {U, 5, 3, 2}, "(6, m)"},
    {"nant*nfeed m", "", {U, U, U, 2}, 2, {6, 5}, HG_MATCH_AGREES, {U, 5, 3, 2}, "(nant*nfeed, m)"},
    {"nant*nfeed m",
     "",
     {U, U, U, 4},
     2,
     {6, 5},
     HG_MATCH_DIFFERS,
     {U, U, U, 4},
     "(nant*nfeed, m)"},
    {"nant*nfeed m",
     "",
     {U, U, U, 0},
     2,
     {0, 5},
     HG_MATCH_DIFFERS,
     {U, U, U, 0},
     "(nant*nfeed, m)"},
    {"nant*nfeed m",
     "",
     {U, U, U, U},
     2,
     {6, 5},
     HG_MATCH_UNDECIDED,
     {U, U, U, U},
     "(nant*nfeed, m)"},
    {"nant*nfeed m",
     "",
     {U, U, INT64_C(1) << 40, INT64_C(1) << 40},
     2,
     {6, 5},
     HG_MATCH_OVERFLOW,
     {U, U, INT64_C(1) << 40, INT64_C(1) << 40},
     "(nant*nfeed, m)"},
    {"m n(n-1)/2", "", {5, U, U, U}, 2, {9, 10}, HG_MATCH_AGREES, {5, 9, U, U}, "(m, 10)"},
    {"m n(n-1)/2", "", {6, U, U, U}, 2, {9, 15}, HG_MATCH_AGREES, {6, 9, U, U}, "(m, 15)"},
    {"m n(n-1)/2", "", {1, U, U, U}, 2, {9, 0}, HG_MATCH_AGREES, {1, 9, U, U}, "(m, 0)"},
    {"m n(n-1)/2", "", {0, U, U, U}, 2, {9, 0}, HG_MATCH_AGREES, {0, 9, U, U}, "(m, 0)"},
    {"m n(n-1)/2", "", {U, U, U, U}, 2, {9, 10}, HG_MATCH_UNDECIDED, {U, U, U, U}, "(m, n(n-1)/2)"},
    {"m | 1", "", {U, 5, U, U}, 1, {1}, HG_MATCH_AGREES, {U, 5, U, U}, "(5) or (1)"},
    {"m | 1", "", {U, 5, U, U}, 1, {5}, HG_MATCH_AGREES, {U, 5, U, U}, "(5) or (1)"},
    {"m | 1", "", {U, 5, U, U}, 1, {4}, HG_MATCH_DIFFERS, {U, 5, U, U}, "(5) or (1)"},
    {"n | n 2", "", {U, U, U, U}, 2, {7, 2}, HG_MATCH_AGREES, {7, U, U, U}, "(n, 2)"},
    {"n | n 2", "", {U, U, U, U}, 3, {7, 2, 1}, HG_MATCH_DIFFERS, {U, U, U, U}, "(n) or (n, 2)"},
    {"flat: n m | tall: m n",
     "tall",
     {5, 7, U, U},
     2,
     {7, 5},
     HG_MATCH_AGREES,
     {5, 7, U, U},
     "(7, 5)"},
    {"flat: n m | tall: m n",
     "old flat",
     {5, 7, U, U},
     2,
     {7, 5},
     HG_MATCH_DIFFERS,
     {5, 7, U, U},
     "(5, 7)"},
    {"flat: n m | n", "fla", {5, 7, U, U}, 2, {5, 7}, HG_MATCH_DIFFERS, {5, 7, U, U}, "(5)"},
    {"*", "", {U, U, U, U}, 1, {9}, HG_MATCH_AGREES, {U, U, U, U}, "(any)"},
    {"n... m", "", {U, U, U, U}, 3, {4, 6, 5}, HG_MATCH_AGREES, {24, 5, U, U}, "(..., m)"},
    {"n... m", "", {U, U, U, U}, 1, {5}, HG_MATCH_AGREES, {1, 5, U, U}, "(..., m)"},
    {"n... m", "", {U, U, U, U}, 0, {0}, HG_MATCH_DIFFERS, {U, U, U, U}, "(..., m)"},
    {"n... m",
     "",
     {U, U, U, U},
     3,
     {INT64_C(1) << 40, INT64_C(1) << 40, 5},
     HG_MATCH_OVERFLOW,
     {U, U, U, U},
     "(..., m)"},
};

START_TEST(every_row)
{
    const rule_row *r = &rows[_i];
    int64_t dims[4];
    for (int i = 0; i < 4; i++) {
        dims[i] = r->before[i];
    }
    hg_sizes sizes = {&row, dims, r->layouts};
    char buffer[80];
    hg_text text = hg_text_over(buffer, sizeof buffer);
    hg_shape_describe_rule(&text, &sizes, r->rule, r->ndim);
    ck_assert_str_eq(text.data, r->text);
    ck_assert_int_eq(hg_shape_match(&sizes, r->rule, r->ndim, r->shape), r->match);
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(dims[i], r->after[i]);
    }
}
END_TEST

/* A shape that agreed comes back from its sizes. */
START_TEST(made_from_sizes)
{
    const rule_row *r = &rows[_i];
    int64_t dims[4], shape[4] = {U, U, U, U};
    for (int i = 0; i < 4; i++) {
        dims[i] = r->after[i];
    }
    hg_sizes sizes = {&row, dims, r->layouts};
    int made = hg_shape_make(&sizes, r->rule, r->ndim, shape);
    if (r->match == HG_MATCH_AGREES && !strpbrk(r->rule, "|.") && r->rule[0] != '*') {
        ck_assert_int_eq(made, r->ndim);
        for (int i = 0; i < made; i++) {
            ck_assert_int_eq(shape[i], r->shape[i]);
        }
    } else if (r->match == HG_MATCH_OVERFLOW && !strchr(r->rule, '.')) {
        ck_assert_int_eq(made, HGATE_ESHAPE);
    } else if (r->match == HG_MATCH_UNDECIDED) {
        ck_assert_int_eq(made, -1);
    }
}
END_TEST

static const struct make_row {
    const char *rule, *layouts;
    int64_t dims[4]; /* sizes n, m, nant, nfeed */
    int ndim;        /* wanted; 0: any */
    int made;
    int64_t shape[4];
} makes[] = {
    {"n m", "", {5, 7, U, U}, 0, 2, {5, 7}},
    {"n m", "", {5, U, U, U}, 0, -1, {0}},
    {"2n m+1", "", {5, 0, U, U}, 2, 2, {10, 1}},
    {"3 nant*nfeed", "", {U, U, 5, 2}, 0, 2, {3, 10}},
    {"n(n-1)/2", "", {5, U, U, U}, 0, 1, {10}},
    {"n(n-1)/2", "", {0, U, U, U}, 0, 1, {0}},
    {"full: n n | packed: n(n-1)/2", "packed", {5, U, U, U}, 0, 1, {10}},
    {"full: n n | packed: n(n-1)/2", "full", {5, U, U, U}, 0, 2, {5, 5}},
    {"full: n n | packed: n(n-1)/2", "", {5, U, U, U}, 0, -1, {0}},
    {"n m | 1", "", {5, U, U, U}, 0, 1, {1}},
    {"n m nant | n*m nant", "", {5, 7, 3, U}, 3, 3, {5, 7, 3}},
    {"n m nant | nant*nfeed m", "", {5, 7, 3, 2}, 2, 2, {6, 7}},
    {"n m", "", {5, 7, U, U}, 3, -1, {0}},
    {"n... m", "", {5, 7, U, U}, 0, 2, {5, 7}},
    {"*", "", {5, 7, U, U}, 0, -1, {0}},
    {"nant*nfeed", "", {U, U, INT64_C(1) << 40, INT64_C(1) << 40}, 0, HGATE_ESHAPE, {0}},
};

START_TEST(every_shape_is_made)
{
    const struct make_row *r = &makes[_i];
    int64_t dims[4], shape[8] = {0};
    for (int i = 0; i < 4; i++) {
        dims[i] = r->dims[i];
    }
    const hg_sizes sizes = {&row, dims, r->layouts};
    ck_assert_int_eq(hg_shape_make(&sizes, r->rule, r->ndim, shape), r->made);
    for (int i = 0; i < r->made; i++) {
        ck_assert_int_eq(shape[i], r->shape[i]);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("shape_rule");
    TCase *tests = tcase_create("shape_rule");
    tcase_add_loop_test(tests, every_row, 0, sizeof rows / sizeof *rows);
    tcase_add_loop_test(tests, made_from_sizes, 0, sizeof rows / sizeof *rows);
    tcase_add_loop_test(tests, every_shape_is_made, 0, sizeof makes / sizeof *makes);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
