// SPDX-License-Identifier: BSD-3-Clause
// The library as a guest of programs with ways of their own: it gives right answers there, and
// nothing of the host's is changed afterwards.
#include "tests/comma_locale.h"
#include "tests/guest/state.h"
#include "tests/guest/work.h"
#include "tests/harness.h"
#include "tests/small_stack.h"

#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>

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

int main(void)
{
    Suite *suite = suite_create("guest");
    TCase *tests = tcase_create("guest");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, nothing_of_the_hosts_is_changed);
    tcase_add_test(tests, a_host_with_a_team_of_its_own);
    tcase_add_test(tests, a_host_that_uses_blas_itself);
    tcase_add_test(tests, a_forked_pool_of_workers);
    tcase_add_test(tests, a_host_whose_timer_interrupts_all_the_time);
    tcase_add_test(tests, two_engines_at_once);
    tcase_add_test(tests, threads_with_small_stacks);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
