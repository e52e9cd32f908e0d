// SPDX-License-Identifier: BSD-3-Clause
// Preloaded into a program, with fail_files.c: its call of number FAIL_FILES that writes a file
// fails with FAIL_FILES_ERROR, and all after it where FAIL_FILES_FOR_GOOD is 1; how many there were
// goes to the file FAIL_FILES_COUNT.
#include "tests/files/fail_files.h"

#include <stdio.h>
#include <stdlib.h>

static int number(const char *name)
{
    const char *told = getenv(name);
    return told ? atoi(told) : 0;
}

__attribute__((constructor)) static void start(void)
{
    fail_file_calls(number("FAIL_FILES"), number("FAIL_FILES_ERROR"),
                    number("FAIL_FILES_FOR_GOOD"));
}

__attribute__((destructor)) static void finish(void)
{
    const char *path = getenv("FAIL_FILES_COUNT");
    const long n = count_file_calls();
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%ld\n", n);
        fclose(file);
    }
}
