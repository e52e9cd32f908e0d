/* SPDX-License-Identifier: BSD-3-Clause */
/* FNV-1a against the published test values. */
#include "core/base/hash.h"

#include "tests/harness.h"

START_TEST(published_values)
{
    ck_assert_uint_eq(hg_hash_bytes(HG_HASH_START, "", 0), UINT64_C(0xcbf29ce484222325));
    ck_assert_uint_eq(hg_hash_bytes(HG_HASH_START, "a", 1), UINT64_C(0xaf63dc4c8601ec8c));
    ck_assert_uint_eq(hg_hash_bytes(HG_HASH_START, "foobar", 6), UINT64_C(0x85944171f73967e8));
}
END_TEST

START_TEST(parts_do_not_run_together)
{
    const uint64_t one = hg_hash_text(hg_hash_text(HG_HASH_START, "ab"), "c");
    const uint64_t other = hg_hash_text(hg_hash_text(HG_HASH_START, "a"), "bc");
    ck_assert_uint_ne(one, other);
}
END_TEST

/* Every bit of a number counts, and so does the order of two. */
START_TEST(words)
{
    uint64_t seen[65];
    for (int bit = 0; bit <= 64; bit++) {
        const uint64_t word = bit < 64 ? UINT64_C(1) << bit : 0;
        seen[bit] = hg_hash_word(HG_HASH_START, word);
        for (int before = 0; before < bit; before++) {
            ck_assert_uint_ne(seen[bit], seen[before]);
        }
    }
    ck_assert_uint_ne(hg_hash_word(hg_hash_word(HG_HASH_START, 1), 2),
                      hg_hash_word(hg_hash_word(HG_HASH_START, 2), 1));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("hash");
    TCase *tests = tcase_create("hash");
    tcase_add_test(tests, published_values);
    tcase_add_test(tests, parts_do_not_run_together);
    tcase_add_test(tests, words);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
