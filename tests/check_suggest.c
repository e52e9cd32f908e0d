/* SPDX-License-Identifier: BSD-3-Clause */
/* Edit distance, and which candidates are near. */
#include "core/config/suggest.h"

#include "tests/harness.h"

#include <string.h>

static size_t distance(const char *a, const char *b)
{
    return hg_edit_distance(a, strlen(a), b, strlen(b));
}

START_TEST(distances)
{
    static const struct {
        const char *a, *b;
        size_t distance;
    } rows[] = {
        {"", "", 0},          {"", "abc", 3},
        {"abc", "", 3},       {"gate", "gate", 0},
        {"gate", "gat", 1},   {"gate", "gatee", 1},
        {"gate", "gite", 1},  {"gate", "gaet", 1},
        {"ab", "ba", 1},      {"kitten", "sitting", 3},
        {"ca", "abc", 3},     {"routng", "routing", 1},
        {"rows", "block", 4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ck_assert_msg(distance(rows[i].a, rows[i].b) == rows[i].distance, "%s %s: %zu", rows[i].a,
                      rows[i].b, distance(rows[i].a, rows[i].b));
        ck_assert_uint_eq(distance(rows[i].b, rows[i].a), rows[i].distance);
    }
}
END_TEST

START_TEST(words_of_any_length)
{
    char long_word[200];
    memset(long_word, 'x', sizeof long_word);
    ck_assert_uint_eq(hg_edit_distance(long_word, 63, long_word, 60), 3);
    ck_assert_uint_gt(hg_edit_distance(long_word, 64, long_word, 64), 100);
    ck_assert_uint_gt(hg_edit_distance("x", 1, long_word, 200), 100);
}
END_TEST

START_TEST(near_ones)
{
    static const char *const candidates[] = {"log", "routing", "threads", "memory",
                                             "emi", "evd",     NULL};
    static const struct {
        const char *word, *best;
    } rows[] = {
        {"routng", "routing"},  {"theads", "threads"},
        {"trheads", "threads"}, {"lgo", "log"},
        {"emj", "emi"},         {"em", NULL}, /* a third of two letters is none */
        {"zebra", NULL},        {"", NULL},
        {"routing", "routing"}, {"ruoting_", "routing"},
        {"rxxxing", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *best = hg_suggest_from(rows[i].word, candidates);
        ck_assert_pstr_eq(best, rows[i].best);
    }
}
END_TEST

START_TEST(the_first_of_equals_wins)
{
    static const char *const candidates[] = {"beta", "bets", NULL};
    ck_assert_str_eq(hg_suggest_from("betz", candidates), "beta");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("suggest");
    TCase *tests = tcase_create("suggest");
    tcase_add_test(tests, distances);
    tcase_add_test(tests, words_of_any_length);
    tcase_add_test(tests, near_ones);
    tcase_add_test(tests, the_first_of_equals_wins);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
