/* SPDX-License-Identifier: BSD-3-Clause */
/* The arena: pieces do not overlap, failure leaves it usable, release gives all back. */
#include "core/base/arena.h"

#include "tests/failing_alloc.h"
#include "tests/harness.h"

#include <stdalign.h>

START_TEST(pieces_are_aligned_and_apart)
{
    failing_alloc state = {0};
    const hg_allocator allocator = failing_allocator(&state);
    hg_arena arena;
    hg_arena_init(&arena, &allocator);
    enum { n = 300 };
    unsigned char *pieces[n];
    for (size_t i = 0; i < n; i++) {
        pieces[i] = hg_arena_alloc(&arena, i % 71);
        ck_assert_ptr_nonnull(pieces[i]);
        ck_assert_uint_eq((uintptr_t)pieces[i] % alignof(max_align_t), 0);
        memset(pieces[i], (int)(i % 251), i % 71);
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i % 71; k++) {
            ck_assert_uint_eq(pieces[i][k], i % 251);
        }
    }
    ck_assert_int_gt(state.live, 1);
    ck_assert_int_lt(state.live, 20);
    hg_arena_release(&arena);
    ck_assert_int_eq(state.live, 0);
}
END_TEST

START_TEST(large_pieces_and_texts)
{
    hg_arena arena;
    hg_arena_init(&arena, NULL);
    unsigned char *large = hg_arena_array(&arena, 1000, 1001);
    ck_assert_ptr_nonnull(large);
    memset(large, 1, 1000 * 1001);
    ck_assert_str_eq(hg_arena_strdup(&arena, "gate"), "gate");
    ck_assert_str_eq(hg_arena_strndup(&arena, "gatepost", 4), "gate");
    hg_arena_release(&arena);
    ck_assert_str_eq(hg_arena_strdup(&arena, "again"), "again");
    hg_arena_release(&arena);
}
END_TEST

START_TEST(failure_leaves_the_arena_usable)
{
    failing_alloc state = {.fail_only = 2};
    const hg_allocator allocator = failing_allocator(&state);
    hg_arena arena;
    hg_arena_init(&arena, &allocator);
    ck_assert_ptr_nonnull(hg_arena_alloc(&arena, 3000));
    ck_assert_ptr_null(hg_arena_strndup(&arena, "x", SIZE_MAX));
    ck_assert_ptr_null(hg_arena_alloc(&arena, SIZE_MAX));
    ck_assert_ptr_null(hg_arena_alloc(&arena, SIZE_MAX - 20));
    ck_assert_ptr_null(hg_arena_array(&arena, SIZE_MAX / 2, 3));
    ck_assert_ptr_null(hg_arena_alloc(&arena, 3000));
    ck_assert_ptr_nonnull(hg_arena_alloc(&arena, 3000));
    hg_arena_release(&arena);
    ck_assert_int_eq(state.live, 0);

    state = (failing_alloc){.fail_from = 1};
    ck_assert_ptr_null(hg_arena_strdup(&arena, "gate"));
    hg_arena_release(&arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("arena");
    TCase *tests = tcase_create("arena");
    tcase_add_test(tests, pieces_are_aligned_and_apart);
    tcase_add_test(tests, large_pieces_and_texts);
    tcase_add_test(tests, failure_leaves_the_arena_usable);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
