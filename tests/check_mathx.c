/* SPDX-License-Identifier: BSD-3-Clause */
/* Overflow-checked arithmetic at its limits. */
#include "core/base/mathx.h"

#include "tests/harness.h"

START_TEST(sizes)
{
    size_t out = 77;
    ck_assert(hg_size_add(SIZE_MAX - 5, 5, &out));
    ck_assert_uint_eq(out, SIZE_MAX);
    ck_assert(!hg_size_add(SIZE_MAX - 5, 6, &out));
    ck_assert_uint_eq(out, SIZE_MAX);
    ck_assert(hg_size_mul(SIZE_MAX / 3, 3, &out));
    ck_assert_uint_eq(out, SIZE_MAX / 3 * 3);
    out = 77;
    ck_assert(!hg_size_mul(SIZE_MAX / 3 + 1, 3, &out));
    ck_assert_uint_eq(out, 77);
    ck_assert(hg_size_mul(0, SIZE_MAX, &out));
    ck_assert_uint_eq(out, 0);
}
END_TEST

START_TEST(counts)
{
    int64_t out = 77;
    ck_assert(hg_int64_add(INT64_MAX - 5, 5, &out));
    ck_assert_int_eq(out, INT64_MAX);
    ck_assert(!hg_int64_add(INT64_MAX, 1, &out));
    ck_assert(!hg_int64_add(INT64_MIN, -1, &out));
    ck_assert_int_eq(out, INT64_MAX);
    ck_assert(hg_int64_mul(INT64_C(3037000499), 3037000499, &out)); /* the root of 2^63, down */
    ck_assert_int_eq(out, INT64_C(9223372030926249001));
    ck_assert(!hg_int64_mul(INT64_C(3037000500), 3037000500, &out));
    ck_assert(!hg_int64_mul(INT64_MIN, -1, &out));
    ck_assert_int_eq(out, INT64_C(9223372030926249001));
}
END_TEST

START_TEST(counts_to_bytes)
{
    size_t out = 77;
    ck_assert(!hg_size_from_int64(-1, &out));
    ck_assert(!hg_size_of_count(-1, 8, &out));
    ck_assert(!hg_size_of_count(INT64_MAX, 8, &out));
    ck_assert_uint_eq(out, 77);
    ck_assert(hg_size_from_int64(INT64_MAX, &out));
    ck_assert_uint_eq(out, INT64_MAX);
    ck_assert(hg_size_of_count(INT64_C(1) << 40, 16, &out));
    ck_assert_uint_eq(out, (size_t)1 << 44);
    ck_assert(hg_size_of_count(0, 16, &out));
    ck_assert_uint_eq(out, 0);
}
END_TEST

START_TEST(rounding_up)
{
    static const struct {
        size_t size, step, expected;
    } rows[] = {{0, 64, 0}, {1, 64, 64}, {63, 64, 64}, {64, 64, 64}, {65, 64, 128}, {5, 1, 5}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t out = 77;
        ck_assert(hg_size_round_up(rows[i].size, rows[i].step, &out));
        ck_assert_uint_eq(out, rows[i].expected);
    }
    size_t out = 77;
    ck_assert(!hg_size_round_up(SIZE_MAX, 64, &out));
    ck_assert_uint_eq(out, 77);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mathx");
    TCase *tests = tcase_create("mathx");
    tcase_add_test(tests, sizes);
    tcase_add_test(tests, counts);
    tcase_add_test(tests, counts_to_bytes);
    tcase_add_test(tests, rounding_up);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
