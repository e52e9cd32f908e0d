/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a small text file whole, and refuses what is none: devices, pipes, folders, large files. */
#include "core/config/file.h"

#include "core/base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int refuse(const char *path, const char *why)
{
    return hg_error(HGATE_ECONFIG, "%s:1:1: %s", path, why);
}

static int refuse_errno(const char *path, int code)
{
    char buffer[128];
    const char *why = strerror_r(code, buffer, sizeof buffer); /* the GNU form */
    return hg_error(HGATE_ECONFIG, "%s:1:1: cannot read: %s", path, why);
}

/* Reads up to `size` bytes; a negative result is a failure. */
static ssize_t read_all(int fd, char *to, size_t size)
{
    size_t n = 0;
    while (n < size) {
        const ssize_t got = read(fd, to + n, size - n);
        if (got == 0) {
            break;
        }
        if (got > 0) {
            n += (size_t)got;
        } else if (errno != EINTR) {
            return -1;
        }
    }
    return (ssize_t)n;
}

static int read_open_file(int fd, const char *path, size_t limit, const hg_allocator *allocator,
                          hg_file *out)
{
    struct stat st;
    if (fstat(fd, &st) != 0) {
        return refuse_errno(path, errno);
    }
    if (!S_ISREG(st.st_mode)) {
        return refuse(path, "not a regular file");
    }
    char *text = hg_alloc(allocator, limit + 1);
    if (!text) {
        return hg_error_memory(path, limit + 1);
    }
    const ssize_t n = read_all(fd, text, limit + 1); /* one more: the size in st may be stale */
    if (n >= 0 && (size_t)n <= limit) {
        *out = (hg_file){text, (size_t)n};
        return HGATE_OK;
    }
    const int code = errno;
    hg_free(allocator, text);
    if (n < 0) {
        return refuse_errno(path, code);
    }
    return hg_error(HGATE_ECONFIG, "%s:1:1: larger than %zu bytes", path, limit);
}

int hg_file_read(const char *path, size_t limit, const hg_allocator *allocator, hg_file *out)
{
    /* O_NONBLOCK: opening a pipe must not wait for somebody to write to it */
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        return refuse_errno(path, errno);
    }
    const int status = read_open_file(fd, path, limit, allocator, out);
    close(fd);
    return status;
}
