/* SPDX-License-Identifier: BSD-3-Clause */
/* Handlers for INT, TERM, HUP and PIPE; XFSZ is ignored. The command owns its process, so it may
 * have them. */
#include "tools/signals.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

/* The one thing that a handler has to know; lock-free, so a handler may read it. */
static _Atomic(const char *) guarded_path;

static atomic_int is_noting, n_interrupts;

static void leave(int number)
{
    if (number == SIGINT && atomic_load(&is_noting) && atomic_fetch_add(&n_interrupts, 1) == 0) {
        return;
    }
    const char *path = atomic_load(&guarded_path);
    if (path) {
        (void)unlink(path);
    }
    _exit(128 + number);
}

void cli_signals_start(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction now;
        /* who started us may want a signal ignored: nohup does */
        if (sigaction(numbers[i], NULL, &now) == 0 && now.sa_handler == SIG_IGN) {
            continue;
        }
        struct sigaction action = {0};
        action.sa_handler = leave;
        sigemptyset(&action.sa_mask);
        (void)sigaction(numbers[i], &action, NULL);
    }
    (void)signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is a failed write, told as such */
}

void cli_signals_note_interrupt(void)
{
    atomic_store(&is_noting, 1);
}

bool cli_signals_interrupted(void)
{
    return atomic_load(&n_interrupts) > 0;
}

void cli_signals_guard(const char *path)
{
    atomic_store(&guarded_path, path);
}
