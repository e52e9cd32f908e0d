// SPDX-License-Identifier: BSD-3-Clause
// The two guards of the process: the thread count of BLAS libraries, and the knowledge of being a
// child.
#include "core/plugin/blas_guard.h"
#include "core/plugin/fork_guard.h"

#include "tests/harness.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// Two libraries that only remember, and count how often they are set.
static atomic_int count_a = 8, count_b = 3, n_sets;

static void set_a(int n)
{
    count_a = n;
    n_sets++;
}

static int get_a(void)
{
    return count_a;
}

static void set_b(int n)
{
    count_b = n;
    n_sets++;
}

static int get_b(void)
{
    return count_b;
}

// A library that knows one thread only.
static void set_serial(int n)
{
    (void)n;
    n_sets++;
}

static int get_serial(void)
{
    return 1;
}

START_TEST(the_count_is_one_inside_and_as_before_outside)
{
    hg_blas_enter(set_a, get_a);
    ck_assert_int_eq(count_a, 1);
    ck_assert_int_eq(count_b, 3);
    hg_blas_enter(set_a, get_a); // nested, or another thread
    hg_blas_enter(set_b, get_b);
    ck_assert_int_eq(count_b, 1);
    hg_blas_leave(set_a);
    ck_assert_int_eq(count_a, 1);
    hg_blas_leave(set_a);
    ck_assert_int_eq(count_a, 8);
    ck_assert_int_eq(count_b, 1);
    hg_blas_leave(set_b);
    ck_assert_int_eq(count_b, 3);
    ck_assert_int_eq(n_sets, 4); // the nested pair set nothing
}
END_TEST

START_TEST(nothing_is_set_where_the_count_is_one)
{
    hg_blas_enter(set_serial, get_serial);
    hg_blas_leave(set_serial);
    count_a = 1;
    hg_blas_enter(set_a, get_a);
    hg_blas_leave(set_a);
    ck_assert_int_eq(n_sets, 0);
}
END_TEST

START_TEST(the_newest_wish_of_the_host_is_kept)
{
    hg_blas_enter(set_a, get_a);
    count_a = 5; // the host, meanwhile
    hg_blas_leave(set_a);
    ck_assert_int_eq(count_a, 5);
    hg_blas_enter(set_a, get_a);
    ck_assert_int_eq(count_a, 1);
    hg_blas_leave(set_a);
    ck_assert_int_eq(count_a, 5);
}
END_TEST

START_TEST(leaving_too_often_does_no_harm)
{
    hg_blas_leave(set_a);
    ck_assert_int_eq(count_a, 8);
    hg_blas_enter(set_a, get_a);
    hg_blas_leave(set_a);
    hg_blas_leave(set_a);
    ck_assert_int_eq(count_a, 8);
    hg_blas_enter(set_a, get_a);
    ck_assert_int_eq(count_a, 1);
    hg_blas_leave(set_a);
    ck_assert_int_eq(count_a, 8);
}
END_TEST

static atomic_int n_wrong;

static void *visitor(void *which)
{
    bool is_a = which != NULL;
    for (int i = 0; i < 2000; i++) {
        hg_blas_enter(is_a ? set_a : set_b, is_a ? get_a : get_b);
        n_wrong += (is_a ? get_a() : get_b()) != 1;
        hg_blas_leave(is_a ? set_a : set_b);
    }
    return NULL;
}

START_TEST(eight_threads_find_one_and_leave_the_old_count)
{
    pthread_t threads[8];
    for (int i = 0; i < 8; i++) {
        ck_assert_int_eq(pthread_create(&threads[i], NULL, visitor, i % 2 ? &n_wrong : NULL), 0);
    }
    for (int i = 0; i < 8; i++) {
        pthread_join(threads[i], NULL);
    }
    ck_assert_int_eq(n_wrong, 0);
    ck_assert_int_eq(count_a, 8);
    ck_assert_int_eq(count_b, 3);
}
END_TEST

static int n_alone; // a plain number: only who is alone may touch it

static void *lonely(void *unused)
{
    (void)unused;
    for (int i = 0; i < 200; i++) {
        hg_blas_enter(NULL, NULL);
        hg_blas_enter(NULL, NULL); // a callback of the host comes in once more
        int found = n_alone;
        n_wrong += found != 0;
        n_alone = found + 1;
        sched_yield();
        n_alone = found;
        hg_blas_leave(NULL);
        hg_blas_leave(NULL);
    }
    return NULL;
}

START_TEST(in_a_library_without_locks_one_thread_is_alone)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(pthread_create(&threads[i], NULL, lonely, NULL), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
    ck_assert_int_eq(n_wrong, 0);
    ck_assert_int_eq(n_alone, 0);
    ck_assert_int_eq(n_sets, 0);
}
END_TEST

// ---- fork

// Runs `body` in a child; true when it says so.
static bool child_says(bool (*body)(void))
{
    pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        alarm(60);
        _exit(body() ? 0 : 1);
    }
    int status;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool is_no_child(void)
{
    return !hg_fork_is_child();
}

static bool has_child_that_knows(void)
{
    return hg_fork_is_child() && child_says(hg_fork_is_child);
}

START_TEST(a_child_of_an_engines_process_knows_it)
{
    ck_assert(!hg_fork_is_child());
    ck_assert(child_says(is_no_child)); // nobody had opened anything
    hg_fork_watch();
    hg_fork_watch();
    ck_assert(!hg_fork_is_child());
    ck_assert(child_says(hg_fork_is_child));
    ck_assert(child_says(has_child_that_knows));
    ck_assert(!hg_fork_is_child());
}
END_TEST

// Made by the system call alone a child has run no handler.
START_TEST(a_child_that_nobody_announced_knows_it_too)
{
    hg_fork_watch();
    long pid = syscall(SYS_clone, (unsigned long)SIGCHLD, NULL, NULL, NULL, NULL);
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        _exit(hg_fork_is_child() ? 0 : 1);
    }
    int status;
    ck_assert_int_eq(waitpid((pid_t)pid, &status, 0), pid);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
END_TEST

static bool works_alone(void)
{
    bool is_one = count_a == 1; // it stays: raising it could hang in a child
    hg_blas_enter(set_a, get_a);
    is_one = is_one && count_a == 1;
    hg_blas_leave(set_a);
    hg_blas_leave(set_a); // that of the parent's pair, which is not counted here
    return is_one && count_a == 1;
}

START_TEST(a_child_starts_with_nobody_inside)
{
    hg_fork_watch();
    hg_blas_enter(set_a, get_a);
    ck_assert(child_says(works_alone));
    hg_blas_leave(set_a);
    ck_assert_int_eq(count_a, 8);
}
END_TEST

static atomic_bool is_over;

static void *restless(void *unused)
{
    (void)unused;
    while (!is_over) {
        hg_blas_enter(set_b, get_b);
        hg_blas_enter(NULL, NULL);
        hg_blas_leave(NULL);
        hg_blas_leave(set_b);
    }
    return NULL;
}

static bool enters_once(void)
{
    hg_blas_enter(set_b, get_b);
    hg_blas_leave(set_b);
    hg_blas_enter(NULL, NULL);
    hg_blas_leave(NULL);
    return true;
}

// Without the handlers a child now and then inherits a lock that nobody will open.
START_TEST(a_child_never_finds_the_lock_taken)
{
    hg_fork_watch();
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, restless, NULL), 0);
    for (int i = 0; i < 200; i++) {
        ck_assert(child_says(enters_once));
    }
    is_over = true;
    pthread_join(thread, NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("plugin_guards");
    TCase *blas = tcase_create("blas");
    tcase_set_timeout(blas, 30);
    tcase_add_test(blas, the_count_is_one_inside_and_as_before_outside);
    tcase_add_test(blas, nothing_is_set_where_the_count_is_one);
    tcase_add_test(blas, the_newest_wish_of_the_host_is_kept);
    tcase_add_test(blas, leaving_too_often_does_no_harm);
    tcase_add_test(blas, eight_threads_find_one_and_leave_the_old_count);
    tcase_add_test(blas, in_a_library_without_locks_one_thread_is_alone);
    suite_add_tcase(suite, blas);
    TCase *forks = tcase_create("fork");
    tcase_set_timeout(forks, 30);
    tcase_add_test(forks, a_child_of_an_engines_process_knows_it);
    tcase_add_test(forks, a_child_that_nobody_announced_knows_it_too);
    tcase_add_test(forks, a_child_starts_with_nobody_inside);
    tcase_add_test(forks, a_child_never_finds_the_lock_taken);
    suite_add_tcase(suite, forks);
    return run_suite(suite);
}
