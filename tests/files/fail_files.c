// SPDX-License-Identifier: BSD-3-Clause
// The names of the C library that write files, each one counted and passed on.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // RTLD_NEXT
#endif
#include "tests/files/fail_files.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_long calls, first, last;
static atomic_int error_number;

long count_file_calls(void)
{
    return atomic_load(&calls);
}

void fail_file_calls(long n, int error, int for_good)
{
    atomic_store(&error_number, error);
    atomic_store(&last, n == 0 ? 0 : for_good ? LONG_MAX : atomic_load(&calls) + n);
    atomic_store(&first, atomic_load(&calls) + n);
}

static int fails(void)
{
    const long n = atomic_fetch_add(&calls, 1) + 1;
    if (n < atomic_load(&first) || n > atomic_load(&last)) {
        return 0;
    }
    errno = atomic_load(&error_number);
    return 1;
}

// Of a regular file that is open for writing, and neither of the standard streams.
static int is_counted(int file)
{
    struct stat st;
    const int before = errno;
    const int flags = fcntl(file, F_GETFL);
    const int is_one = file > STDERR_FILENO && flags >= 0 && (flags & O_ACCMODE) != O_RDONLY &&
                       fstat(file, &st) == 0 && S_ISREG(st.st_mode);
    errno = before;
    return is_one;
}

#define EXPORTED __attribute__((visibility("default")))

// The next function of this name, kept in a variable of its type.
#define NEXT(NAME)                                                                                 \
    __typeof__(NAME) *next;                                                                        \
    *(void **)&next = dlsym(RTLD_NEXT, #NAME)

EXPORTED int open(const char *path, int flags, ...)
{
    NEXT(open);
    mode_t mode = 0;
    if (flags & O_CREAT) {
        va_list rest;
        va_start(rest, flags);
        mode = va_arg(rest, mode_t);
        va_end(rest);
    }
    return flags & O_CREAT && fails() ? -1 : next(path, flags, mode);
}

EXPORTED ssize_t write(int file, const void *bytes, size_t n)
{
    NEXT(write);
    return is_counted(file) && fails() ? -1 : next(file, bytes, n);
}

EXPORTED ssize_t pwrite(int file, const void *bytes, size_t n, off_t at)
{
    NEXT(pwrite);
    return is_counted(file) && fails() ? -1 : next(file, bytes, n, at);
}

EXPORTED int ftruncate(int file, off_t size)
{
    NEXT(ftruncate);
    return is_counted(file) && fails() ? -1 : next(file, size);
}

EXPORTED int fsync(int file)
{
    NEXT(fsync);
    return is_counted(file) && fails() ? -1 : next(file);
}

// A close that fails has closed: it tells of a write that did not reach the disk.
EXPORTED int close(int file)
{
    NEXT(close);
    const int is_one = is_counted(file);
    const int status = next(file);
    return is_one && fails() ? -1 : status;
}

EXPORTED int rename(const char *from, const char *to)
{
    NEXT(rename);
    return fails() ? -1 : next(from, to);
}
