/* SPDX-License-Identifier: BSD-3-Clause */
/* The default allocator and the helpers over any allocator. */
#include "core/base/alloc.h"

#include "tests/failing_alloc.h"
#include "tests/harness.h"

START_TEST(alignment_is_kept)
{
    static const size_t alignments[] = {1, 2, 8, 16, 64, 4096};
    const size_t alignment = alignments[_i];
    for (size_t size = 0; size < 200; size += 37) {
        unsigned char *p = hg_alloc_aligned(NULL, size, alignment);
        ck_assert_ptr_nonnull(p);
        ck_assert_uint_eq((uintptr_t)p % alignment, 0);
        memset(p, 1, size);
        hg_free(NULL, p);
    }
}
END_TEST

START_TEST(impossible_sizes_give_null)
{
    ck_assert_ptr_null(hg_alloc_aligned(NULL, SIZE_MAX, 64));
    ck_assert_ptr_null(hg_alloc(NULL, SIZE_MAX - 3));
    ck_assert_ptr_null(hg_calloc(NULL, SIZE_MAX / 2, 3));
    ck_assert_ptr_null(hg_strndup(NULL, "x", SIZE_MAX));
}
END_TEST

START_TEST(calloc_clears)
{
    failing_alloc state = {0};
    const hg_allocator allocator = failing_allocator(&state);
    unsigned char *p = hg_calloc(&allocator, 7, 5);
    for (int i = 0; i < 35; i++) {
        ck_assert_uint_eq(p[i], 0);
    }
    hg_free(&allocator, p);
    ck_assert_int_eq(state.live, 0);
}
END_TEST

START_TEST(copies_of_text)
{
    failing_alloc state = {0};
    const hg_allocator allocator = failing_allocator(&state);
    char *whole = hg_strdup(&allocator, "gate");
    char *part = hg_strndup(&allocator, "gatepost", 4);
    ck_assert_str_eq(whole, "gate");
    ck_assert_str_eq(part, "gate");
    hg_free(&allocator, whole);
    hg_free(&allocator, part);
    hg_free(&allocator, NULL);
    ck_assert_int_eq(state.live, 0);
}
END_TEST

START_TEST(failure_is_passed_on)
{
    failing_alloc state = {.fail_from = 1};
    const hg_allocator allocator = failing_allocator(&state);
    ck_assert_ptr_null(hg_alloc(&allocator, 8));
    ck_assert_ptr_null(hg_calloc(&allocator, 2, 8));
    ck_assert_ptr_null(hg_strdup(&allocator, "gate"));
    ck_assert_int_eq(state.calls, 3);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("alloc");
    TCase *tests = tcase_create("alloc");
    tcase_add_loop_test(tests, alignment_is_kept, 0, 6);
    tcase_add_test(tests, impossible_sizes_give_null);
    tcase_add_test(tests, calloc_clears);
    tcase_add_test(tests, copies_of_text);
    tcase_add_test(tests, failure_is_passed_on);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
