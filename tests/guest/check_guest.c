// SPDX-License-Identifier: BSD-3-Clause
// The library as a guest of programs with ways of their own: it gives right answers there, and
// nothing of the host's is changed afterwards.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // sched_setaffinity
#endif
#include "tests/comma_locale.h"
#include "tests/guest/state.h"
#include "tests/guest/work.h"
#include "tests/harness.h"
#include "tests/small_stack.h"

#include <dirent.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

void openblas_set_num_threads(int n);
void cblas_dgemm(int order, int ta, int tb, int m, int n, int k, double alpha, const double *a,
                 int lda, const double *b, int ldb, double beta, double *c, int ldc);

// Teams where there are any, so that the tests meet them.
static const char team[] = "threads: {max: 2}\n"
                           "routing: {force: {emi: cpu-openmp, kirchhoff_adjoint: cpu-openmp}}\n";

#define EXPECT_WORK(LIB, ENGINE, THREADS)                                                          \
    do {                                                                                           \
        const char *told = guest_work(LIB, ENGINE, THREADS);                                       \
        ck_assert_msg(!told, "%s", told);                                                          \
    } while (0)

static volatile sig_atomic_t n_signals;

static void count_signal(int number)
{
    (void)number;
    n_signals++;
}

static void handle(int number)
{
    struct sigaction action = {.sa_handler = count_signal};
    sigemptyset(&action.sa_mask);
    ck_assert_int_eq(sigaction(number, &action, NULL), 0);
}

START_TEST(nothing_of_the_hosts_is_changed)
{
    guest_library lib = guest_load();
    sigset_t blocked;
    const bool has_commas = set_comma_locale();
    handle(SIGUSR1);
    handle(SIGFPE);
    handle(SIGPIPE);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR2);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    ck_assert_int_eq(chdir("/"), 0);
    omp_set_num_threads(3);
    omp_set_dynamic(1);
    omp_set_max_active_levels(2);
    openblas_set_num_threads(2);
    char *before = guest_state();
    for (int i = 0; i < 2; i++) {
        hgate_engine *engine = guest_open(&lib, team);
        EXPECT_WORK(&lib, engine, 0);
        ck_assert_int_lt(lib.emi(engine, NULL, NULL, NULL, NULL, NULL, NULL, NULL), 0);
        lib.close(engine);
    }
    ck_assert(!has_commas || has_comma());
    guest_expect(before);
}
END_TEST

START_TEST(a_host_with_a_team_of_its_own)
{
    guest_library lib = guest_load();
    hgate_engine *engine = guest_open(&lib, team);
    const char *wrong = NULL;
#pragma omp parallel num_threads(3)
    {
        const char *mine = guest_work(&lib, engine, 0);
        if (mine) {
#pragma omp critical
            wrong = mine;
        }
    }
    ck_assert_msg(!wrong, "%s", wrong);
    char *before = guest_state();
    EXPECT_WORK(&lib, engine, 2); // and outside of it, with a team of ours
    int n = 0;
#pragma omp parallel num_threads(3) reduction(+ : n)
    n++;
    ck_assert_int_eq(n, 3);
    lib.close(engine);
    guest_expect(before);
}
END_TEST

START_TEST(a_host_that_uses_blas_itself)
{
    enum { N = 150 };
    static double a[N * N], b[N * N], c[N * N];
    guest_library lib = guest_load();
    hgate_engine *engine = guest_open(&lib, team);
    for (int i = 0; i < N * N; i++)
        a[i] = b[i] = 1;
    for (int threads = 1; threads <= 2; threads++) {
        openblas_set_num_threads(threads);
        char *before = guest_state();
        for (int i = 0; i < 3; i++) {
            cblas_dgemm(101, 111, 111, N, N, N, 1, a, N, b, N, 0, c, N);
            ck_assert(c[0] == N && c[N * N - 1] == N);
            EXPECT_WORK(&lib, engine, 0);
        }
        guest_expect(before);
    }
    lib.close(engine);
}
END_TEST

// A worker of a pool: with the parent's engine, then with one of its own.
static int in_worker(const guest_library *lib, hgate_engine *inherited)
{
    alarm(60);
    if (guest_work(lib, inherited, 0))
        return 1;
    hgate_engine *own = NULL;
    if (lib->open(NULL, &own) != HGATE_OK)
        return 2;
    const int code = guest_work(lib, own, 0) ? 3 : 0;
    lib->close(own);
    return code;
}

START_TEST(a_forked_pool_of_workers)
{
    guest_library lib = guest_load();
    hgate_engine *engine = guest_open(&lib, team);
    pid_t workers[3];
    openblas_set_num_threads(2);
    EXPECT_WORK(&lib, engine, 2); // the parent's threads exist and are asleep
    for (int i = 0; i < 3; i++) {
        workers[i] = fork();
        if (workers[i] == 0)
            _exit(in_worker(&lib, engine));
    }
    EXPECT_WORK(&lib, engine, 2);
    for (int i = 0; i < 3; i++) {
        int state;
        ck_assert_int_eq(waitpid(workers[i], &state, 0), workers[i]);
        ck_assert_msg(WIFEXITED(state), "worker %d ended by signal %d", i, WTERMSIG(state));
        ck_assert_int_eq(WEXITSTATUS(state), 0);
    }
    lib.close(engine);
}
END_TEST

START_TEST(a_host_whose_timer_interrupts_all_the_time)
{
    guest_library lib = guest_load();
    const struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    handle(SIGALRM); // without SA_RESTART: interrupted system calls fail with EINTR
    ck_assert_int_eq(setitimer(ITIMER_REAL, &often, NULL), 0);
    for (int i = 0; i < 5 || n_signals < 5; i++) {
        hgate_engine *engine = guest_open(&lib, team);
        EXPECT_WORK(&lib, engine, 0);
        lib.close(engine);
    }
    ck_assert_int_eq(setitimer(ITIMER_REAL, &never, NULL), 0);
}
END_TEST

typedef struct tenant {
    pthread_t thread;
    const guest_library *lib;
    hgate_engine *engine;
    int n_rounds;
    const char *wrong;
} tenant;

static void *live(void *user)
{
    tenant *t = user;
    for (int i = 0; i < t->n_rounds && !t->wrong; i++)
        t->wrong = guest_work(t->lib, t->engine, 0);
    return NULL;
}

START_TEST(two_engines_at_once)
{
    guest_library lib = guest_load();
    tenant tenants[] = {
        {.lib = &lib, .engine = guest_open(&lib, team), .n_rounds = 5},
        {.lib = &lib,
         .engine =
             guest_open(&lib, "threads: {max: 1, blas: leave}\nrouting: {deterministic: true}\n"),
         .n_rounds = 9},
    };
    openblas_set_num_threads(2);
    char *before = guest_state();
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(pthread_create(&tenants[i].thread, NULL, live, &tenants[i]), 0);
    for (int i = 0; i < 2; i++) {
        pthread_join(tenants[i].thread, NULL);
        ck_assert_msg(!tenants[i].wrong, "%s", tenants[i].wrong);
        lib.close(tenants[i].engine);
    }
    guest_expect(before);
}
END_TEST

START_TEST(threads_with_small_stacks)
{
    guest_library lib = guest_load();
    static const char *const settings[] = {team, "routing: {force: {emi: cpu-serial/reference}}\n"};
    for (int i = 0; i < 2; i++) {
        tenant t = {.lib = &lib, .engine = guest_open(&lib, settings[i]), .n_rounds = 2};
        run_on_small_stack(live, &t);
        ck_assert_msg(!t.wrong, "%s", t.wrong);
        lib.close(t.engine);
    }
}
END_TEST

// ---- limits that were there before the process began

static int count_threads(void)
{
    int n = -2; // "." and ".."
    DIR *tasks = opendir("/proc/self/task");
    while (tasks && readdir(tasks))
        n++;
    closedir(tasks);
    return n;
}

static int most_threads; // of the limit

// In a process of its own: our work adds no threads to those of the libraries but its team, which
// sleeps until it is used again.
START_TEST(work_within_a_limit)
{
    guest_library lib = guest_load();
    hgate_engine *engine =
        guest_open(&lib, "routing: {force: {emi: cpu-openmp, kirchhoff_adjoint: cpu-openmp}}\n");
    const int before = count_threads();
    EXPECT_WORK(&lib, engine, 0);
    ck_assert_int_lt(count_threads() - before, most_threads);
    lib.close(engine);
}
END_TEST

static void keep_processors(int n)
{
    cpu_set_t all, some;
    sched_getaffinity(0, sizeof all, &all);
    CPU_ZERO(&some);
    for (size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(&some) < n; i++)
        if (CPU_ISSET(i, &all))
            CPU_SET(i, &some);
    sched_setaffinity(0, sizeof some, &some);
}

static const struct {
    const char *environment[2]; // "NAME=VALUE"
    int processors;             // of the affinity mask; 0: all
    int threads;                // at most; 0: as many as there are processors
} limits[] = {
    {{NULL}, 0, 0},
    {{NULL}, 1, 1},
    {{"OMP_NUM_THREADS=1"}, 0, 1},
    {{"OMP_NUM_THREADS=2,1"}, 0, 2},
    {{"OMP_NUM_THREADS=64"}, 1, 1},
    {{"OMP_DYNAMIC=true"}, 0, 0},
    {{"OMP_THREAD_LIMIT=1"}, 0, 1},
    {{"OMP_MAX_ACTIVE_LEVELS=3", "OMP_NESTED=true"}, 0, 0},
    {{"HEADGATE_THREADS=1"}, 0, 1},
    {{"HEADGATE_THREADS=64"}, 1, 1},
    {{"HEADGATE_THREADS=2", "OMP_NUM_THREADS=1"}, 0, 2}, // our own setting is the nearer one
};

START_TEST(no_more_threads_than_allowed)
{
    char most[16];
    snprintf(most, sizeof most, "%d",
             limits[_i].threads ? limits[_i].threads : omp_get_num_procs());
    char self[4096] = {0}; // the link itself would be another program under valgrind
    ck_assert_int_gt(readlink("/proc/self/exe", self, sizeof self - 1), 0);
    const pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < 2 && limits[_i].environment[i]; i++)
            putenv((char *)(uintptr_t)limits[_i].environment[i]);
        if (limits[_i].processors)
            keep_processors(limits[_i].processors);
        setenv("CK_FORK", "no", 1);
        execl(self, "check_guest", most, (char *)NULL);
        _exit(101);
    }
    int state;
    ck_assert_int_eq(waitpid(child, &state, 0), child);
    ck_assert(WIFEXITED(state));
    ck_assert_msg(WEXITSTATUS(state) == 0, "row %d, at most %s threads", _i, most);
}
END_TEST

// The most threads that were there at once, as far as looking all the time can tell.
static atomic_int most_seen;
static atomic_bool is_looking;

static void *look(void *unused)
{
    while (is_looking) {
        const int n = count_threads();
        most_seen = n > most_seen ? n : most_seen;
    }
    return unused;
}

START_TEST(a_nested_region_adds_no_threads)
{
    guest_library lib = guest_load();
    hgate_engine *engine = guest_open(&lib, team);
    const char *wrong = NULL;
    pthread_t watcher;
    EXPECT_WORK(&lib, engine, 2); // libraries start their threads
    omp_set_max_active_levels(3);
    is_looking = true;
    const int before = count_threads();
    ck_assert_int_eq(pthread_create(&watcher, NULL, look, NULL), 0);
#pragma omp parallel num_threads(2)
    for (int i = 0; i < 5; i++) {
        const char *mine = guest_work(&lib, engine, 0);
        if (mine) {
#pragma omp critical
            wrong = mine;
        }
    }
    is_looking = false;
    pthread_join(watcher, NULL);
    ck_assert_msg(!wrong, "%s", wrong);
    ck_assert_int_le(most_seen, before + 1); // the watcher itself
    lib.close(engine);
}
END_TEST

static Suite *suite_of(int argc, char **argv)
{
    Suite *suite = suite_create("guest");
    TCase *tests = tcase_create("guest");
    tcase_set_timeout(tests, 120);
    suite_add_tcase(suite, tests);
    if (argc > 1) {
        most_threads = atoi(argv[1]);
        tcase_add_test(tests, work_within_a_limit);
        return suite;
    }
    tcase_add_test(tests, nothing_of_the_hosts_is_changed);
    tcase_add_test(tests, a_host_with_a_team_of_its_own);
    tcase_add_test(tests, a_host_that_uses_blas_itself);
    tcase_add_test(tests, a_forked_pool_of_workers);
    tcase_add_test(tests, a_host_whose_timer_interrupts_all_the_time);
    tcase_add_test(tests, two_engines_at_once);
    tcase_add_test(tests, threads_with_small_stacks);
    tcase_add_loop_test(tests, no_more_threads_than_allowed, 0,
                        (int)(sizeof limits / sizeof limits[0]));
    tcase_add_test(tests, a_nested_region_adds_no_threads);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(suite_of(argc, argv));
}
