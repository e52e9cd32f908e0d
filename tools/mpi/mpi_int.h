/* SPDX-License-Identifier: BSD-3-Clause */
/* libheadgate-mpi from inside. */
#ifndef HG_MPI_INT_H
#define HG_MPI_INT_H

#include <headgate/mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HG_MPI_TEXT = 1024, HG_MPI_SHARE = 1000000 };

typedef struct hg_mpi_gpu hg_mpi_gpu;

struct hgate_mpi {
    MPI_Comm comm; /* our own: no message of the host application meets ours */
    hgate_mpi_options options;
    hgate_mpi_place place;
    bool tells_progress; /* rank 0 wants to hear */
    char text[HG_MPI_TEXT];
    bool is_broken;  /* MPI itself has failed: nothing can be agreed upon */
    hg_mpi_gpu *gpu; /* made when first needed */

    /* of the call that runs */
    int64_t step, steps; /* which of several operations in a row */
    double looked, told; /* when messages were looked for, progress was told */
    int64_t n_told;      /* progress messages sent */
    int64_t telling;     /* the one on its way */
    MPI_Request tell;
    int64_t *shares;     /* rank 0: progress of each rank, of HG_MPI_SHARE */
    MPI_Request *notify; /* one for each rank */

    /* Since the beginning: a message of the next call may come before this rank has left the last
     * one, so nothing is counted from 0 again. */
    int64_t n_notices, n_notices_due;   /* failures heard of, and those of the calls that ended */
    int64_t n_progress, n_progress_due; /* the same of progress, on rank 0 */
};

double hg_mpi_now(void);

/* Keeps a message of this rank and returns the status. */
int hg_mpi_fail(hgate_mpi *mpi, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Status of an MPI code: EINTERNAL with MPI's own words. */
int hg_mpi_status(hgate_mpi *mpi, int code, const char *what);

/* Takes in what other ranks have sent: failures, and progress on rank 0. */
int hg_mpi_attend(hgate_mpi *mpi);
/* Waits without burning a core, and attends meanwhile. */
int hg_mpi_wait(hgate_mpi *mpi, int n, MPI_Request *requests);
/* Has another rank failed in the call that runs? */
bool hg_mpi_is_stopped(const hgate_mpi *mpi);
/* A call begins. */
void hg_mpi_begin(hgate_mpi *mpi);
/* Ends it: all ranks get OK, or status and message of the first that failed. */
int hg_mpi_end(hgate_mpi *mpi, int status, const char *text);
/* Looks for failures of others, not more than twenty times a second: has one failed? */
bool hg_mpi_must_stop(hgate_mpi *mpi);
/* Step number `step` of `steps` operations of the call begins; true: another rank has failed. */
bool hg_mpi_at_step(hgate_mpi *mpi, int64_t step, int64_t steps);

/* Real numbers in an array, and bytes of one. EINVAL, EDTYPE, ESHAPE with the name. */
int hg_mpi_measure(hgate_mpi *mpi, const char *name, const DLTensor *array, bool may_be_complex,
                   int *real_bytes, int64_t *n);
/* Sizes must be the same on all ranks: ESHAPE on all where they are not. */
int hg_mpi_check_alike(hgate_mpi *mpi, int real_bytes, int64_t n);
/* to = sum over ranks of from + beta to; n real numbers of 4 or 8 bytes, in host or device memory.
 * All ranks are there. */
int hg_mpi_sum_reals(hgate_mpi *mpi, int real_bytes, int64_t n, const void *from, double beta,
                     void *to, int device);

enum { HG_MPI_HOST = -1 }; /* in place of a device number */

/* Memory of a device through its driver, which is looked for only when device arrays come. */
int hg_mpi_gpu_open(hgate_mpi *mpi, int device);
void hg_mpi_gpu_close(hg_mpi_gpu *gpu);
int hg_mpi_gpu_alloc(hgate_mpi *mpi, int device, size_t bytes, void **memory);
void hg_mpi_gpu_free(hgate_mpi *mpi, int device, void *memory);
int hg_mpi_gpu_get(hgate_mpi *mpi, int device, void *host, const void *memory, size_t bytes);
int hg_mpi_gpu_put(hgate_mpi *mpi, int device, void *memory, const void *host, size_t bytes);
/* Pinned memory of the host, for copies from and to a device. */
int hg_mpi_staging(hgate_mpi *mpi, int device, size_t bytes, void **memory);
void hg_mpi_staging_free(hgate_mpi *mpi, int device, void *memory);

/* Device of an array, HG_MPI_HOST where the host reaches it. */
int hg_mpi_device_of(const DLTensor *array);
/* Its first element. */
void *hg_mpi_data(const DLTensor *array);

#endif
