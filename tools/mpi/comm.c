/* SPDX-License-Identifier: BSD-3-Clause */
/* The object: a communicator of our own, this rank's place on its machine, messages. */
#include "tools/mpi/mpi_int.h"

#include "core/base/share.h"

#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__has_include)
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#endif

double hg_mpi_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int hg_mpi_fail(hgate_mpi *mpi, int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(mpi->text, sizeof mpi->text, format, arguments);
    va_end(arguments);
    return status;
}

int hg_mpi_status(hgate_mpi *mpi, int code, const char *what)
{
    char words[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (code == MPI_SUCCESS) {
        return HGATE_OK;
    }
    MPI_Error_string(code, words, &length);
    mpi->is_broken = true;
    return hg_mpi_fail(mpi, HGATE_EINTERNAL, "%s: %s", what, words);
}

int hgate_mpi_options_init(hgate_mpi_options *options)
{
    if (!options) {
        return HGATE_EINVAL;
    }
    memset(options, 0, sizeof *options);
    options->struct_size = sizeof *options;
    options->hooks.struct_size = sizeof options->hooks;
    return HGATE_OK;
}

/* ---- this rank's place ------------------------------------------------------------------- */

static int count_bits(const unsigned char *mask, size_t bytes)
{
    int count = 0;
    for (size_t i = 0; i < bytes; i++) {
        count += __builtin_popcount(mask[i]);
    }
    return count;
}

/* Ranks that are bound have cores of their own. Where they are not, each sees all of them: then
 * each takes its part. */
static int find_threads(MPI_Comm local, int *threads)
{
    cpu_set_t own, all;
    CPU_ZERO(&own);
    if (sched_getaffinity(0, sizeof own, &own) != 0) {
        CPU_SET(0, &own);
    }
    int cores = count_bits((const unsigned char *)&own, sizeof own), sum = 0;
    int code = MPI_Allreduce(&own, &all, (int)sizeof own, MPI_BYTE, MPI_BOR, local);
    if (code == MPI_SUCCESS) {
        code = MPI_Allreduce(&cores, &sum, 1, MPI_INT, MPI_SUM, local);
    }
    if (code == MPI_SUCCESS) {
        const int there = count_bits((const unsigned char *)&all, sizeof all);
        const int mine = (int)((int64_t)cores * there / (sum > 0 ? sum : 1));
        *threads = mine > 0 ? mine : 1;
    }
    return code;
}

static int find_place(hgate_mpi *mpi)
{
    MPI_Comm local;
    hgate_mpi_place *place = &mpi->place;
    place->struct_size = sizeof *place;
    MPI_Comm_rank(mpi->comm, &place->rank);
    MPI_Comm_size(mpi->comm, &place->size);
    int code =
        MPI_Comm_split_type(mpi->comm, MPI_COMM_TYPE_SHARED, place->rank, MPI_INFO_NULL, &local);
    if (code == MPI_SUCCESS) {
        MPI_Comm_rank(local, &place->local_rank);
        MPI_Comm_size(local, &place->local_size);
        code = find_threads(local, &place->threads);
        MPI_Comm_free(&local);
    }
    return hg_mpi_status(mpi, code, "MPI_Comm_split_type");
}

static bool is_direct(const hgate_mpi_options *options)
{
    if (options->device_buffers != HGATE_MPI_BUFFERS_ASK) {
        return options->device_buffers == HGATE_MPI_BUFFERS_DIRECT;
    }
#ifdef MPIX_CUDA_AWARE_SUPPORT /* of the MPI there was; the one that runs is asked */
    return MPIX_Query_cuda_support() == 1;
#else
    return false;
#endif
}

/* ---- life -------------------------------------------------------------------------------- */

static int check_options(hgate_mpi *mpi, const hgate_mpi_options *options)
{
    if (options->struct_size != sizeof *options) {
        return hg_mpi_fail(mpi, HGATE_EABI, "options: struct_size is %zu, expected %zu",
                           options->struct_size, sizeof *options);
    }
    if (options->device_buffers < HGATE_MPI_BUFFERS_ASK ||
        options->device_buffers > HGATE_MPI_BUFFERS_DIRECT) {
        return hg_mpi_fail(mpi, HGATE_EINVAL, "device_buffers: is %d, expected 0 to 2",
                           options->device_buffers);
    }
    return HGATE_OK;
}

static int start(hgate_mpi *mpi, const hgate_mpi_options *options)
{
    int wants = 0;
    int status = find_place(mpi);
    if (status != HGATE_OK) {
        return status;
    }
    const size_t size = (size_t)mpi->place.size;
    mpi->shares = calloc(size, sizeof *mpi->shares);
    mpi->notify = calloc(size, sizeof *mpi->notify);
    if (!mpi->shares || !mpi->notify) {
        status = hg_mpi_fail(mpi, HGATE_ENOMEM, "mpi: no memory for %zu ranks", size);
    }
    if (status == HGATE_OK) {
        status = check_options(mpi, options);
    }
    int worst = status; /* no rank may be left waiting, and without memory nothing can be agreed */
    int code = MPI_Allreduce(&status, &worst, 1, MPI_INT, MPI_MIN, mpi->comm);
    if (code != MPI_SUCCESS || worst != HGATE_OK) {
        return code != MPI_SUCCESS ? hg_mpi_status(mpi, code, "MPI_Allreduce") : worst;
    }
    mpi->options = *options;
    mpi->place.is_direct = is_direct(options);
    wants = options->hooks.progress != NULL;
    code = MPI_Bcast(&wants, 1, MPI_INT, 0, mpi->comm);
    mpi->tells_progress = wants != 0;
    mpi->tell = MPI_REQUEST_NULL;
    hg_mpi_begin(mpi);
    return hg_mpi_status(mpi, code, "MPI_Bcast");
}

int hgate_mpi_new(MPI_Comm comm, const hgate_mpi_options *options, hgate_mpi **out)
{
    int is_started = 0, level = MPI_THREAD_SINGLE;
    hgate_mpi_options defaults;
    MPI_Initialized(&is_started);
    if (!out || !is_started) {
        return out ? HGATE_ESTATE : HGATE_EINVAL;
    }
    MPI_Query_thread(&level);
    if (level < MPI_THREAD_FUNNELED) {
        return HGATE_ESTATE;
    }
    hgate_mpi *mpi = calloc(1, sizeof *mpi);
    if (!mpi) {
        return HGATE_ENOMEM;
    }
    hgate_mpi_options_init(&defaults);
    int status = hg_mpi_status(mpi, MPI_Comm_dup(comm, &mpi->comm), "MPI_Comm_dup");
    if (status == HGATE_OK) {
        MPI_Comm_set_errhandler(mpi->comm, MPI_ERRORS_RETURN);
        status = start(mpi, options ? options : &defaults);
        if (status != HGATE_OK) {
            hgate_mpi_free(mpi);
            return status;
        }
        *out = mpi;
        return HGATE_OK;
    }
    free(mpi);
    return status;
}

void hgate_mpi_free(hgate_mpi *mpi)
{
    if (mpi) {
        hg_mpi_gpu_close(mpi->gpu);
        MPI_Comm_free(&mpi->comm);
        free(mpi->shares);
        free(mpi->notify);
        free(mpi);
    }
}

/* ---- on this rank alone ------------------------------------------------------------------ */

const char *hgate_mpi_error(const hgate_mpi *mpi)
{
    return mpi ? mpi->text : "";
}

int hgate_mpi_info(const hgate_mpi *mpi, hgate_mpi_place *place)
{
    if (!mpi || !place) {
        return HGATE_EINVAL;
    }
    if (place->struct_size != sizeof *place) {
        return HGATE_EABI;
    }
    *place = mpi->place;
    return HGATE_OK;
}

int hgate_mpi_share(const hgate_mpi *mpi, int64_t n, int64_t *first, int64_t *count)
{
    if (!mpi || !first || !count) {
        return HGATE_EINVAL;
    }
    if (n < 0) {
        return HGATE_EVALUE;
    }
    hg_share(n, mpi->place.rank, mpi->place.size, first, count);
    return HGATE_OK;
}
