// SPDX-License-Identifier: BSD-3-Clause
// Preloaded into a program, with count_malloc.c: the malloc of number FAIL_MALLOC, from the start
// of the program, fails; how many there were goes to the file FAIL_MALLOC_COUNT. A crash is told
// with the library where it happened: some do not look whether they got memory.
#include "tests/alloc/count_malloc.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CRASHED = 99, N_FRAMES = 64, STACK_BYTES = 1 << 17 };

static char handler_stack[STACK_BYTES]; // endless recursion leaves no other

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void say(const char *text)
{
    (void)!write(STDERR_FILENO, text, strlen(text));
}

// Whose fault it is: the first frame that is neither this file nor the C library, which may have
// been stopped within malloc.
static void crashed(int number)
{
    void *frames[N_FRAMES];
    Dl_info self, at;
    fail_malloc(0);
    const int n = backtrace(frames, N_FRAMES);
    const char *where = "?";
    for (int i = 0; i < n && dladdr(frames[0], &self); i++) {
        if (dladdr(frames[i], &at) && at.dli_fbase != self.dli_fbase &&
            strncmp(file_name(at.dli_fname), "libc.", 5) != 0) {
            where = file_name(at.dli_fname);
            break;
        }
    }
    say(number == SIGABRT ? "aborted in " : "crashed in ");
    say(where);
    say("\n");
    _exit(CRASHED);
}

__attribute__((constructor)) static void start(void)
{
    const stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    const struct sigaction action = {.sa_handler = crashed, .sa_flags = SA_ONSTACK};
    const char *n = getenv("FAIL_MALLOC");
    void *frame;
    (void)backtrace(&frame, 1); // the first call loads a library
    sigaltstack(&stack, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    sigaction(SIGABRT, &action, NULL);
    fail_malloc(n ? strtol(n, NULL, 10) : 0);
}

__attribute__((destructor)) static void finish(void)
{
    const char *path = getenv("FAIL_MALLOC_COUNT");
    const long n = count_malloc();
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%ld\n", n);
        fclose(file);
    }
}
