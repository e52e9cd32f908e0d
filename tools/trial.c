/* SPDX-License-Identifier: BSD-3-Clause */
/* A child for each plugin file: it loads and probes the plugin and ends. What the parent reads from
 * a pipe tells how far it came, and its end tells the rest. */
#include "tools/trial.h"

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* What came of a file; each is tried once, however many engines are opened. */
typedef struct verdict {
    struct verdict *next;
    char *path, *reason; /* reason "": it survived */
    int status;
} verdict;

static verdict *verdicts; /* of this process, which ends soon */
static double most_seconds;

/* ---- the child ------------------------------------------------------------------------------- */

/* A fault ends the child by its signal: no core file, and no report in the signal's place. What a
 * plugin prints must not get into our own output. */
static void prepare_child(pid_t parent)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        (void)signal(faults[i], SIG_DFL);
    }
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        (void)signal(ends[i], SIG_DFL);
    }
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    (void)dup2(STDERR_FILENO, STDOUT_FILENO);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(0);
    }
}

enum { LOADING = 'l', PROBING = 'p', OVER = 'o' };

static void tell(int fd, char how_far)
{
    while (write(fd, &how_far, 1) < 0 && errno == EINTR) {
    }
}

static void try_here(int fd, bool (*step)(void *file, int i), void *file)
{
    if (step(file, 0)) {
        tell(fd, PROBING);
        (void)step(file, 1);
    }
    tell(fd, OVER);
    _exit(0);
}

/* ---- the parent ------------------------------------------------------------------------------ */

/* How far the child came until it ended, was through, or the time was over. */
static int watch(int fd, bool *is_late)
{
    const double end = hg_now() + most_seconds;
    char how_far = LOADING;
    *is_late = false;
    while (how_far != OVER && !*is_late) {
        const double left = end - hg_now();
        struct pollfd readable = {.fd = fd, .events = POLLIN};
        const int n = left > 0 ? poll(&readable, 1, left < 1e6 ? (int)(1e3 * left) + 1 : -1) : 0;
        const ssize_t got = n > 0 ? read(fd, &how_far, 1) : -1;
        if (got == 0) {
            break;
        }
        *is_late = n == 0;
    }
    return how_far;
}

static int end_of(pid_t child, bool is_late)
{
    int state = 0;
    if (is_late) {
        (void)kill(child, SIGKILL);
    }
    while (waitpid(child, &state, 0) < 0 && errno == EINTR) {
    }
    return state;
}

static int judge(int how_far, bool is_late, int state, hg_text *why)
{
    if (how_far == OVER) {
        return HGATE_PLUGIN_USABLE;
    }
    hg_text_put(why, how_far == LOADING ? "loading it" : "its probe");
    if (is_late && WIFSIGNALED(state) && WTERMSIG(state) == SIGKILL) {
        hg_text_printf(why, " took longer than %g s", most_seconds);
    } else if (WIFSIGNALED(state)) {
        hg_text_printf(why, " ended the process by signal %d (%s)", WTERMSIG(state),
                       strsignal(WTERMSIG(state)));
    } else {
        hg_text_printf(why, " ended the process with exit code %d", WEXITSTATUS(state));
    }
    return how_far == LOADING ? HGATE_PLUGIN_LOAD_FAILED : HGATE_PLUGIN_MALFORMED;
}

static int try_in_child(bool (*step)(void *file, int i), void *file, hg_text *why)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        hg_text_printf(why, "it was not tried, no pipe: %s", strerror(errno));
        return HGATE_PLUGIN_UNAVAILABLE;
    }
    const pid_t self = getpid();
    (void)fflush(NULL); /* nothing is to be written twice */
    const pid_t child = fork();
    if (child == 0) {
        prepare_child(self);
        close(ends[0]);
        try_here(ends[1], step, file);
    }
    close(ends[1]);
    int status = HGATE_PLUGIN_UNAVAILABLE;
    if (child < 0) {
        hg_text_printf(why, "it was not tried, no process: %s", strerror(errno));
    } else {
        bool is_late;
        const int how_far = watch(ends[0], &is_late);
        status = judge(how_far, is_late, end_of(child, is_late), why);
    }
    close(ends[0]);
    return status;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

static verdict *find(const char *path)
{
    verdict *v = verdicts;
    while (v && strcmp(v->path, path) != 0) {
        v = v->next;
    }
    return v;
}

static int keep(const char *path, int status, const hg_text *why)
{
    verdict *v = hg_calloc(NULL, 1, sizeof *v);
    if (!v || !(v->path = hg_strdup(NULL, path)) || !(v->reason = hg_strdup(NULL, why->data))) {
        return HGATE_ENOMEM;
    }
    v->status = status;
    v->next = verdicts;
    verdicts = v;
    return status;
}

static int run(void *user, const char *path, bool (*step)(void *file, int i), void *file,
               hg_text *why)
{
    (void)user;
    const verdict *known = find(path);
    if (known) {
        hg_text_put(why, known->reason);
        return known->status;
    }
    return keep(path, try_in_child(step, file, why), why);
}

static const hg_trial trial = {.run = run};

int cli_trial_start(const cli_options *options)
{
    most_seconds = 30; /* a driver that wakes up eight GPUs may take ten */
    return cli_options_time_limit(options, &most_seconds);
}

const hg_trial *cli_trial(void)
{
    return most_seconds > 0 ? &trial : NULL;
}

bool cli_trial_failed(const char *path)
{
    const verdict *v = find(path);
    return v && v->status != HGATE_PLUGIN_USABLE;
}
