/* SPDX-License-Identifier: BSD-3-Clause */
/* Put before the libraries of one rank (LD_PRELOAD): what TROUBLE names goes wrong in it.
 *   memory   no allocation of MOST bytes or more
 *   disk     the second large write is told that the disk is full
 *   slow     of a large write 512 bytes are done, in a tenth of a second
 *   mpi      sums over ranks cannot be exchanged */
#include <errno.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 4000000, LARGE = 1 << 16 }; /* HDF5 writes less at a time */

#pragma GCC visibility push(default)
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t n, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);
extern ssize_t __pwrite64(int fd, const void *data, size_t bytes, off_t at);
ssize_t pwrite64(int fd, const void *data, size_t bytes, off_t at);

static int has(const char *what)
{
    const char *which = getenv("TROUBLE");
    return which && strcmp(which, what) == 0;
}

static int is_refused(size_t bytes)
{
    const int refused = bytes >= MOST && has("memory");
    errno = refused ? ENOMEM : errno;
    return refused;
}

void *malloc(size_t bytes)
{
    return is_refused(bytes) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t n, size_t bytes)
{
    return n > 0 && is_refused(n * bytes) ? NULL : __libc_calloc(n, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return is_refused(bytes) ? NULL : __libc_memalign(alignment, bytes);
}

ssize_t pwrite64(int fd, const void *data, size_t bytes, off_t at)
{
    static int n;
    const struct timespec tenth = {0, 100000000};
    if (bytes > LARGE && has("disk") && ++n == 2) {
        errno = ENOSPC;
        return -1;
    }
    const int is_cut = bytes > LARGE && (has("slow") || has("disk"));
    if (is_cut && has("slow")) {
        nanosleep(&tenth, NULL);
    }
    return __pwrite64(fd, data, is_cut ? 512 : bytes, at);
}

ssize_t pwrite(int fd, const void *data, size_t bytes, off_t at)
{
    return pwrite64(fd, data, bytes, at);
}

int MPI_Allgatherv(const void *send, int n, MPI_Datatype type, void *to, const int counts[],
                   const int at[], MPI_Datatype to_type, MPI_Comm comm)
{
    return has("mpi") ? MPI_ERR_OTHER
                      : PMPI_Allgatherv(send, n, type, to, counts, at, to_type, comm);
}
