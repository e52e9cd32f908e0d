/* SPDX-License-Identifier: BSD-3-Clause */
/* gnuplot as a child that reads its script from a pipe; no shell in between. */
#include "tools/gnuplot.h"

#include "tools/report.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

void cli_gnuplot_put_text(hg_text *script, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                " _-+.,:;=/()<>*%";
    hg_text_put_char(script, '"');
    for (; *text; text++) {
        hg_text_put_char(script, strchr(plain, *text) ? *text : '?');
    }
    hg_text_put_char(script, '"');
}

static int start(int pipe_end, pid_t *child)
{
    char program[] = "gnuplot", from_stdin[] = "-";
    char *arguments[] = {program, from_stdin, NULL};
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0) {
        return hg_error_memory("gnuplot", sizeof actions);
    }
    posix_spawn_file_actions_adddup2(&actions, pipe_end, STDIN_FILENO);
    const int failure = posix_spawnp(child, program, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failure == 0 ? CLI_DONE
                        : hg_error(CLI_UNAVAILABLE,
                                   "plot needs the program gnuplot, which cannot be run: %s "
                                   "(Debian: package gnuplot-nox)",
                                   strerror(failure));
}

/* A gnuplot that ends early must not end us: its exit status tells. */
static void write_all(int to, const char *text, size_t n)
{
    while (n > 0) {
        const ssize_t written = write(to, text, n);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return;
        }
        text += written;
        n -= (size_t)written;
    }
}

static int wait_for(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        return CLI_DONE;
    }
    return WIFEXITED(status)
               ? hg_error(CLI_INTERNAL, "gnuplot failed with exit code %d", WEXITSTATUS(status))
               : hg_error(CLI_INTERNAL, "gnuplot was ended by signal %d", WTERMSIG(status));
}

int cli_gnuplot_run(const char *script, size_t n)
{
    int ends[2];
    pid_t child;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return hg_error(CLI_INTERNAL, "cannot make a pipe: %s", strerror(errno));
    }
    int status = start(ends[0], &child);
    close(ends[0]);
    if (status == CLI_DONE) {
        struct sigaction ignore = {0}, old;
        ignore.sa_handler = SIG_IGN;
        sigaction(SIGPIPE, &ignore, &old);
        write_all(ends[1], script, n);
        close(ends[1]);
        status = wait_for(child);
        sigaction(SIGPIPE, &old, NULL);
    } else {
        close(ends[1]);
    }
    return status;
}
