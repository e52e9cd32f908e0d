// SPDX-License-Identifier: BSD-3-Clause
// Lists of arguments at random, each given to the command in a child: success or an exit code that
// is documented, never a signal. A list that is at work after a while is one that was accepted.
// FUZZ_RUNS sets how many lists, FUZZ_SEED which.
#define main headgate_main
int headgate_main(int argc, char **argv);
#include "tools/headgate.c"
#undef main

#include "tests/harness.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_WORDS = 9, WORD_BYTES = 64, AT_WORK = 200, AT_WORK_MICROSECONDS = 50000 };

static const char *const words[] = {
    "info",
    "config",
    "generate",
    "run",
    "explain",
    "bench",
    "selftest",
    "tune",
    "plot",
    "check",
    "show",
    "list",
    "emi",
    "curvature",
    "visibility_gram",
    "kirchhoff_forward",
    "n=3",
    "n=-1",
    "batch=2",
    "batch=99999999999",
    "m=2",
    "k=3",
    "ny=4",
    "nx=5",
    "s=2",
    "nnz=6",
    "case=one",
    "case=none",
    "dtype=f32",
    "dtype=c128",
    "dtype=",
    "mem=cuda:0",
    "mem=host",
    "threads=2",
    "seed=7",
    "=",
    "a=b",
    "in.h5",
    "out.h5",
    "-o",
    "-c",
    "-s",
    "-b",
    "-p",
    "--json",
    "-q",
    "-v",
    "--quick",
    "--no-verify",
    "--kernels",
    "--assume-device",
    "a100",
    "h200",
    "log.level=debug",
    "threads.max=1",
    "gates.emi.warp_max_images=off",
    "memory.host_workspace_limit=1GiB",
    "--",
    "--help",
    "--version",
    "--color=never",
    "--set=a.b=c",
    "--set",
    "--op",
    "--devices",
    "0,1",
    "cpu-serial",
    "cpu-serial/reference",
    "all",
    "[",
    "{}",
    "%s%n",
    "",
    "-",
    "/",
    ".",
    "99999999999999999999",
    "nan",
    "1e999",
    "\xff\xfe",
    "threads.max=1e9",
    "log.level=",
    "routing.force.emi=cpu-serial",
    "plugins.path=[/x, /y]",
    "version=2",
    "calibration.file=x",
};
enum { N_WORDS = sizeof words / sizeof *words };

typedef struct list {
    int argc;
    char text[MAX_WORDS][WORD_BYTES], *argv[MAX_WORDS + 2];
} list;

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13; // xorshift64 of Marsaglia
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state >> 11;
}

static void make_list(list *l, uint64_t *random)
{
    static char name[] = "headgate";
    *l = (list){.argc = 1, .argv = {name}};
    for (uint64_t n = next_random(random) % (MAX_WORDS + 1); n > 0; n--, l->argc++) {
        // the first word is a command, nearly always
        const uint64_t span = l->argc == 1 && next_random(random) % 16 ? N_COMMANDS : N_WORDS;
        char *word = l->argv[l->argc] = l->text[l->argc - 1];
        strcpy(word, words[next_random(random) % span]);
        if (*word && next_random(random) % 16 == 0) { // never a NUL that ends it too early
            word[next_random(random) % strlen(word)] = (char)(next_random(random) % 255 + 1);
        }
    }
}

static void print_list(const list *l)
{
    for (int i = 0; i < l->argc; i++) {
        fprintf(stderr, "'%s' ", l->argv[i]);
    }
    fprintf(stderr, "\n");
}

static void on_time(int number)
{
    (void)number;
    _exit(AT_WORK);
}

static int run_in_child(list *l)
{
    fflush(NULL);
    const pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        const struct itimerval soon = {.it_value = {0, AT_WORK_MICROSECONDS}};
        const int null = open("/dev/null", O_RDWR);
        for (int fd = 0; fd < 3; fd++) {
            dup2(null, fd);
        }
#if !defined(__SANITIZE_ADDRESS__)
        const struct rlimit bytes = {(rlim_t)1 << 32, (rlim_t)1 << 32};
        setrlimit(RLIMIT_AS, &bytes);
#endif
        signal(SIGPROF, on_time);
        setitimer(ITIMER_PROF, &soon, NULL);
        alarm(300);
        _exit(headgate_main(l->argc, l->argv));
    }
    int state;
    ck_assert_int_eq(waitpid(pid, &state, 0), pid);
    return WIFEXITED(state) ? WEXITSTATUS(state) : -WTERMSIG(state);
}

START_TEST(argument_lists)
{
    static const int documented[] = {0, 1, 64, 65, 66, 69, 71, 73, 78, AT_WORK};
    const char *count = getenv("FUZZ_RUNS"), *seed = getenv("FUZZ_SEED"), *tmp = getenv("TMPDIR");
    const long runs = count ? strtol(count, NULL, 10) : 300;
    uint64_t random = 88172645463325252u * (1 + (seed ? strtoull(seed, NULL, 10) : 0));
    long n_of[256] = {0};
    char folder[4096];
    snprintf(folder, sizeof folder, "%s/headgate-lists-XXXXXX", tmp ? tmp : "/tmp");
    ck_assert(mkdtemp(folder) && chdir(folder) == 0);
    hgate_engine *engine = NULL; // children find the plugins loaded
    ck_assert_int_eq(hgate_open(NULL, &engine), HGATE_OK);
    for (long run = 0; run < runs; run++) {
        list l;
        make_list(&l, &random);
        const int code = run_in_child(&l);
        bool is_documented = false;
        for (size_t i = 0; i < sizeof documented / sizeof *documented; i++) {
            is_documented = is_documented || code == documented[i];
        }
        if (!is_documented) {
            print_list(&l);
            ck_abort_msg("run %ld: exit code %d (negative: a signal)", run, code);
        }
        n_of[code]++;
    }
    printf("%ld lists: %ld done, %ld still at work, %ld usage errors\n", runs, n_of[0],
           n_of[AT_WORK], n_of[64]);
    ck_assert(runs < 100 || (n_of[0] > 0 && n_of[64] > 0));
    hgate_close(engine);
    ck_assert_int_eq(system("rm -rf \"$PWD\""), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("argument_lists");
    TCase *tests = tcase_create("argument_lists");
    tcase_set_timeout(tests, 36000);
    tcase_add_test(tests, argument_lists);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
