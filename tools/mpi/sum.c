/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over ranks in a fixed order.
 *
 * MPI leaves the order of a reduction open. Here each rank gets its piece of every rank's array
 * (all-to-all), adds the pieces in rank order in float64, and gives the result to all (allgather):
 * 2 n (P-1)/P numbers sent by each rank, as many as the best reduction, and n additions over P
 * ranks. Long arrays go in chunks, so that the memory for it stays small. */
#include "tools/mpi/mpi_int.h"

#include "core/base/share.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 22 }; /* numbers; 16 or 32 MiB: far above what hides latency, not tuned */

typedef struct exchange {
    hgate_mpi *mpi;
    int real_bytes, device;
    MPI_Datatype type;
    int *send_counts, *send_at, *receive_counts, *receive_at; /* of all ranks */
    const void **rows;
    void *received; /* pieces of this rank's segment, by rank */
    void *segment;
    void *old;       /* what the output has there */
    void *from, *to; /* the chunk on the host; NULL: MPI reaches the arrays themselves */
} exchange;

static bool is_staged(const exchange *x)
{
    return x->device != HG_MPI_HOST && !x->mpi->place.is_direct;
}

static void release(exchange *x)
{
    hg_mpi_staging_free(x->mpi, x->device, x->to);
    hg_mpi_staging_free(x->mpi, x->device, x->from);
    free(x->old);
    free(x->segment);
    free(x->received);
    free(x->rows);
    free(x->send_counts);
}

static int prepare(exchange *x, int64_t n)
{
    const size_t size = (size_t)x->mpi->place.size;
    const size_t chunk = (size_t)(n < CHUNK ? n : CHUNK);
    const size_t piece = chunk / size + 1;
    const size_t bytes = (size_t)x->real_bytes;
    x->send_counts = calloc(4 * size, sizeof *x->send_counts);
    x->rows = calloc(size, sizeof *x->rows);
    x->received = malloc(piece * size * bytes);
    x->segment = malloc(piece * bytes);
    x->old = malloc(piece * bytes);
    if (!x->send_counts || !x->rows || !x->received || !x->segment || !x->old) {
        return hg_mpi_fail(x->mpi, HGATE_ENOMEM, "sum: no memory for %zu bytes",
                           piece * size * bytes);
    }
    x->send_at = x->send_counts + size;
    x->receive_counts = x->send_at + size;
    x->receive_at = x->receive_counts + size;
    if (!is_staged(x)) {
        return HGATE_OK;
    }
    const int status = hg_mpi_staging(x->mpi, x->device, chunk * bytes, &x->from);
    return status == HGATE_OK ? hg_mpi_staging(x->mpi, x->device, chunk * bytes, &x->to) : status;
}

/* Which numbers of a chunk belong to which rank. */
static void lay_out(exchange *x, int64_t n)
{
    int64_t first, count, own_first, own;
    hg_share(n, x->mpi->place.rank, x->mpi->place.size, &own_first, &own);
    for (int r = 0; r < x->mpi->place.size; r++) {
        hg_share(n, r, x->mpi->place.size, &first, &count);
        x->send_counts[r] = (int)count; /* a chunk fits */
        x->send_at[r] = (int)first;
        x->receive_counts[r] = (int)own;
        x->receive_at[r] = (int)(r * own);
        x->rows[r] = (const char *)x->received + (size_t)x->receive_at[r] * (size_t)x->real_bytes;
    }
}

/* segment = sum of the rows + beta times what the output has there */
static void add_up(exchange *x, double beta, const void *old)
{
    const int64_t n = x->receive_counts[0];
    const int size = x->mpi->place.size;
    if (x->real_bytes == 4) {
        float *sum = x->segment;
        hg_sum_rows_f32((const float *const *)x->rows, size, n, sum);
        for (int64_t i = 0; beta != 0.0 && i < n; i++) {
            sum[i] = (float)((double)sum[i] + beta * (double)((const float *)old)[i]);
        }
    } else {
        double *sum = x->segment;
        hg_sum_rows_f64((const double *const *)x->rows, size, n, sum);
        for (int64_t i = 0; beta != 0.0 && i < n; i++) {
            sum[i] += beta * ((const double *)old)[i];
        }
    }
}

/* What this rank sends, and the piece of the output that it adds to, where the host can read them:
 * `old` is room for the latter. */
static int get_own(exchange *x, int64_t n, const char *from, double beta, const char *to, void *old)
{
    const size_t own = (size_t)x->receive_counts[0] * (size_t)x->real_bytes;
    const size_t at = (size_t)x->send_at[x->mpi->place.rank] * (size_t)x->real_bytes;
    int status = HGATE_OK;
    if (is_staged(x)) {
        status =
            hg_mpi_gpu_get(x->mpi, x->device, x->from, from, (size_t)n * (size_t)x->real_bytes);
    }
    if (status == HGATE_OK && beta != 0.0 && x->device != HG_MPI_HOST) {
        status = hg_mpi_gpu_get(x->mpi, x->device, old, to + at, own);
    } else if (status == HGATE_OK && beta != 0.0) {
        memcpy(old, to + at, own);
    }
    return status;
}

/* A copy that fails on one rank alone is agreed upon before the others wait for its pieces; *last
 * is that of the chunk before, and comes back as that of this one. */
static int sum_chunk(exchange *x, int64_t n, const char *from, double beta, char *to, int *last)
{
    lay_out(x, n);
    if (*last == HGATE_OK) {
        *last = get_own(x, n, from, beta, to, x->old);
    }
    int status = hgate_mpi_agree(x->mpi, *last, x->mpi->text);
    if (status == HGATE_OK) {
        status = hg_mpi_status(x->mpi,
                               MPI_Alltoallv(is_staged(x) ? x->from : from, x->send_counts,
                                             x->send_at, x->type, x->received, x->receive_counts,
                                             x->receive_at, x->type, x->mpi->comm),
                               "MPI_Alltoallv");
    }
    if (status == HGATE_OK) {
        add_up(x, beta, x->old);
        status = hg_mpi_status(x->mpi,
                               MPI_Allgatherv(x->segment, x->receive_counts[0], x->type,
                                              is_staged(x) ? x->to : to, x->send_counts, x->send_at,
                                              x->type, x->mpi->comm),
                               "MPI_Allgatherv");
    }
    if (status == HGATE_OK && is_staged(x)) {
        *last = hg_mpi_gpu_put(x->mpi, x->device, to, x->to, (size_t)n * (size_t)x->real_bytes);
    }
    return status;
}

int hg_mpi_sum_reals(hgate_mpi *mpi, int real_bytes, int64_t n, const void *from, double beta,
                     void *to, int device)
{
    exchange x = {.mpi = mpi, .real_bytes = real_bytes, .device = device};
    x.type = real_bytes == 4 ? MPI_FLOAT : MPI_DOUBLE;
    int status = prepare(&x, n);
    status = hgate_mpi_agree(mpi, status, mpi->text); /* before any rank waits for pieces */
    int last = HGATE_OK;
    for (int64_t i = 0; status == HGATE_OK && i < n; i += CHUNK) {
        const size_t at = (size_t)i * (size_t)real_bytes;
        status = sum_chunk(&x, n - i < CHUNK ? n - i : CHUNK, (const char *)from + at, beta,
                           (char *)to + at, &last);
    }
    status = status == HGATE_OK ? hgate_mpi_agree(mpi, last, mpi->text) : status;
    release(&x);
    return status;
}

/* ---- public ------------------------------------------------------------------------------ */

int hg_mpi_device_of(const DLTensor *array)
{
    const int type = (int)array->device.device_type;
    return type == HGATE_DL_CUDA || type == HGATE_DL_CUDA_MANAGED ? (int)array->device.device_id
                                                                  : HG_MPI_HOST;
}

void *hg_mpi_data(const DLTensor *array)
{
    return (char *)array->data + array->byte_offset;
}

int hg_mpi_measure(hgate_mpi *mpi, const char *name, const DLTensor *array, bool may_be_complex,
                   int *real_bytes, int64_t *n)
{
    if (!array) {
        return hg_mpi_fail(mpi, HGATE_EINVAL, "%s: is NULL", name);
    }
    const int code = array->dtype.code, bits = array->dtype.bits;
    const bool is_complex = may_be_complex && code == HGATE_DL_COMPLEX;
    const int real = is_complex ? bits / 2 : bits;
    if ((code != HGATE_DL_FLOAT && !is_complex) || (real != 32 && real != 64) ||
        array->dtype.lanes != 1) {
        return hg_mpi_fail(mpi, HGATE_EDTYPE, "%s: expected f32%s", name,
                           may_be_complex ? ", f64, c64 or c128" : " or f64");
    }
    int64_t count = is_complex ? 2 : 1, bytes;
    for (int i = 0; i < array->ndim; i++) {
        if (array->shape[i] < 0 || __builtin_mul_overflow(count, array->shape[i], &count)) {
            return hg_mpi_fail(mpi, HGATE_ESHAPE, "%s: the size overflows", name);
        }
    }
    if (__builtin_mul_overflow(count, real / 8, &bytes)) {
        return hg_mpi_fail(mpi, HGATE_ESHAPE, "%s: the size overflows", name);
    }
    *real_bytes = real / 8;
    *n = count;
    return HGATE_OK;
}

int hg_mpi_check_alike(hgate_mpi *mpi, int real_bytes, int64_t n)
{
    int64_t own[4] = {n, -n, real_bytes, -real_bytes}, most[4] = {0};
    const int code = MPI_Allreduce(own, most, 4, MPI_INT64_T, MPI_MAX, mpi->comm);
    if (code != MPI_SUCCESS) {
        return hg_mpi_status(mpi, code, "MPI_Allreduce");
    }
    if (most[0] != -most[1] || most[2] != -most[3]) {
        return hg_mpi_fail(mpi, HGATE_ESHAPE, "array: %lld numbers on one rank, %lld on another",
                           (long long)-most[1], (long long)most[0]);
    }
    return HGATE_OK;
}

int hgate_mpi_sum(hgate_mpi *mpi, hgate_exec *exec, DLTensor *array)
{
    int real_bytes = 0;
    int64_t n = 0;
    if (!mpi) {
        return HGATE_EINVAL;
    }
    int status = hg_mpi_measure(mpi, "array", array, true, &real_bytes, &n);
    if (status == HGATE_OK && exec) {
        status = hgate_exec_sync(exec);
        if (status != HGATE_OK) {
            hg_mpi_fail(mpi, status, "%s", hgate_last_error());
        }
    }
    status = hgate_mpi_agree(mpi, status, mpi->text);
    status = status == HGATE_OK ? hg_mpi_check_alike(mpi, real_bytes, n) : status;
    if (status != HGATE_OK) {
        return status;
    }
    void *data = hg_mpi_data(array);
    return hg_mpi_sum_reals(mpi, real_bytes, n, data, 0.0, data, hg_mpi_device_of(array));
}

int hgate_mpi_max(hgate_mpi *mpi, int n, double *values)
{
    if (!mpi) {
        return HGATE_EINVAL;
    }
    int status =
        n < 0 || (n > 0 && !values) ? hg_mpi_fail(mpi, HGATE_EINVAL, "values: is NULL") : HGATE_OK;
    status = hgate_mpi_agree(mpi, status, mpi->text);
    status = status == HGATE_OK ? hg_mpi_check_alike(mpi, 8, n) : status;
    if (status == HGATE_OK) {
        status = hg_mpi_status(
            mpi, MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_DOUBLE, MPI_MAX, mpi->comm),
            "MPI_Allreduce");
    }
    return status;
}
