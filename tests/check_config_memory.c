/* SPDX-License-Identifier: BSD-3-Clause */
/* Every allocation of libyaml fails in turn while a file is read. libyaml takes no allocator, so
 * this program has a malloc and a realloc of its own, which it finds before those of the C library.
 */
#include "core/config/yaml.h"

#include "core/base/error.h"
#include "tests/harness.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)

int main(void)
{
    puts("skipped: this build has a malloc of its own already");
    return 77;
}

#else

extern void *__libc_malloc(size_t size);
extern void *__libc_realloc(void *memory, size_t size);
#define SEEN_BY_LIBYAML __attribute__((visibility("default")))
SEEN_BY_LIBYAML void *malloc(size_t size);
SEEN_BY_LIBYAML void *realloc(void *memory, size_t size);

static _Thread_local long n_calls, fail_at; /* counts only while fail_at is set */

static int must_fail(void)
{
    return fail_at > 0 && ++n_calls == fail_at;
}

void *malloc(size_t size)
{
    return must_fail() ? NULL : __libc_malloc(size);
}

void *realloc(void *memory, size_t size)
{
    return must_fail() ? NULL : __libc_realloc(memory, size);
}

/* Reads a file while the n-th allocation fails; *is_failed: there were as many. */
static int read_failing(long n, bool *is_failed)
{
    static const char text[] = "%YAML 1.1\n---\nversion: 1\n"
                               "plugins: {path: [\"/a\", '/b'], cuda: {enabled: false}}\n"
                               "log:\n  file: /x\n  level: warn\n"
                               "routing:\n  prefer:\n    - cuda\n    - cpu-fftw\n";
    hg_settings settings;
    hg_settings_init(&settings, hg_schema_headgate(), NULL);
    n_calls = 0;
    fail_at = n;
    const int status = hg_yaml_read(&settings, text, sizeof text - 1, "x", NULL);
    *is_failed = n_calls >= n;
    fail_at = 0;
    hg_settings_release(&settings);
    return status;
}

START_TEST(every_allocation_of_the_parser_may_fail)
{
    int n_failures = 0;
    for (long n = 1; n < 10000; n++) {
        bool is_failed;
        const int status = read_failing(n, &is_failed);
        if (!is_failed) {
            ck_assert_msg(status == HGATE_OK, "%s", hgate_last_error());
            ck_assert_int_gt(n_failures, 20);
            return;
        }
        ck_assert_msg(status == HGATE_ENOMEM, "call %ld: %d, %s", n, status, hgate_last_error());
        n_failures++;
    }
    ck_abort_msg("the file is never read");
}
END_TEST

int main(void)
{
    bool is_ours_used; /* under valgrind it is not */
    read_failing(1, &is_ours_used);
    if (!is_ours_used) {
        puts("skipped: malloc cannot be replaced here");
        return 77;
    }
    Suite *suite = suite_create("config_memory");
    TCase *tests = tcase_create("config_memory");
    tcase_add_test(tests, every_allocation_of_the_parser_may_fail);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}

#endif
