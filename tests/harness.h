// SPDX-License-Identifier: BSD-3-Clause
// What every Check program shares: run one suite, answer with the exit code that make check
// expects.
#ifndef HG_TESTS_HARNESS_H
#define HG_TESTS_HARNESS_H

#include <check.h>
#include <stdlib.h>

// An assertion for loops over many values. Check's own sends the runner a word about every one,
// which costs more than the test.
#define require(condition)                                                                         \
    do {                                                                                           \
        if (!(condition))                                                                          \
            ck_abort_msg("not so: %s", #condition);                                                \
    } while (0)

static inline int run_suite(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int n_tests = srunner_ntests_run(runner);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_tests > 0 && n_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
