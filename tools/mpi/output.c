/* SPDX-License-Identifier: BSD-3-Clause */
/* The output file of a divided run, and what is told of it.
 *
 * Rank 0 makes the file with room for every array, then each rank writes its part in its place,
 * all at once and with plain writes: no rank ever holds more than its part, and HDF5 needs no MPI.
 * The file is a hidden temporary until all parts are on the disk; then it is renamed. */
#include "tools/mpi/job.h"
#include "tools/mpi/mpi_int.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "tools/report.h"
#include "tools/split.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the ranks must know to write. */
typedef struct layout {
    char temporary[4096];
    uint64_t device, inode; /* of the file, as rank 0 sees it */
    int64_t offset[HGATE_MAX_ARGS];
} layout;

static int make_file(job_state *job, layout *to)
{
    h5io_file *file = NULL;
    struct stat seen;
    int status = h5io_create(job->out.fd, job->out.path, &file);
    if (status != CLI_DONE) {
        return status;
    }
    status = cli_run_store_head(&job->whole, &job->outcome, file);
    for (int i = 0; status == CLI_DONE && i < job->whole.row->n_args; i++) {
        if (job->whole.row->args[i].role != HG_IN) {
            status = h5io_reserve(file, cli_case_dataset(&job->whole, i), &job->whole.arrays[i],
                                  &to->offset[i]);
        }
    }
    if (status != CLI_DONE) {
        h5io_close(file);
        return status;
    }
    status = h5io_finish(file);
    if (strlen(job->out.temporary) >= sizeof to->temporary || fstat(job->out.fd, &seen) != 0) {
        return hg_error(CLI_CANNOT_WRITE, "%s: cannot write: %s", job->out.path, strerror(errno));
    }
    strcpy(to->temporary, job->out.temporary);
    to->device = seen.st_dev;
    to->inode = seen.st_ino;
    return status;
}

/* On another machine the device may have another number; the inode of a shared file has not. */
static int open_part(const job_state *job, const layout *from, int *fd)
{
    struct stat seen;
    *fd = open(from->temporary, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
    if (*fd < 0) {
        return hg_error(CLI_CANNOT_WRITE,
                        "%s: cannot write: %s; all ranks must see the folder of the output",
                        job->options->text[OPT_OUTPUT], strerror(errno));
    }
    if (fstat(*fd, &seen) != 0 || (uint64_t)seen.st_ino != from->inode) {
        return hg_error(CLI_CANNOT_WRITE,
                        "%s: cannot write: it is another file where this rank runs",
                        job->options->text[OPT_OUTPUT]);
    }
    return CLI_DONE;
}

/* By pieces, so that a failure of another rank is heard of; and what waits for the disk is kept
 * short, so that the sync at the end, which hears nothing, is short too. */
static int write_bytes(const job_state *job, int fd, const char *data, size_t bytes, int64_t at)
{
    enum { PIECE = 64 << 20, WAITING = 8 * PIECE };
    const int64_t begin = at;
    while (bytes > 0) {
        if (hg_mpi_must_stop(job->mpi)) {
            return HGATE_ESTOPPED;
        }
        const ssize_t n = pwrite(fd, data, bytes < PIECE ? bytes : PIECE, (off_t)at);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return hg_error(CLI_CANNOT_WRITE, "%s: cannot write: %s",
                            job->options->text[OPT_OUTPUT], strerror(n < 0 ? errno : ENOSPC));
        }
        (void)sync_file_range(fd, at, n, SYNC_FILE_RANGE_WRITE); /* fsync judges */
        if (at - begin >= WAITING) {
            (void)sync_file_range(fd, at - WAITING, n,
                                  SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
                                      SYNC_FILE_RANGE_WAIT_AFTER);
        }
        data += n;
        at += n;
        bytes -= (size_t)n;
    }
    return CLI_DONE;
}

/* Divided arrays: every rank its part. The others: rank 0. */
static int write_part(job_state *job, const layout *where)
{
    int fd = -1;
    const bool has_part = job->count > 0 || job->place.rank == 0;
    int status = has_part ? open_part(job, where, &fd) : CLI_DONE;
    for (int i = 0; status == CLI_DONE && has_part && i < job->part.row->n_args; i++) {
        cli_array *array = &job->part.arrays[i];
        const bool is_divided = job->part.slabs[i].axis >= 0;
        size_t bytes = 0;
        if (job->part.row->args[i].role == HG_IN || !array->dl.data ||
            (!is_divided && job->place.rank > 0)) {
            continue;
        }
        status = cli_array_total(array, job->part.row->args[i].name, &bytes);
        if (status == CLI_DONE) {
            status = write_bytes(job, fd, array->dl.data, bytes,
                                 where->offset[i] + (int64_t)cli_split_offset(&job->part, i));
        }
    }
    if (fd >= 0) {
        const bool is_synced = status != CLI_DONE || fsync(fd) == 0;
        if ((close(fd) != 0 || !is_synced) && status == CLI_DONE) {
            status = hg_error(CLI_CANNOT_WRITE, "%s: cannot write: %s",
                              job->options->text[OPT_OUTPUT], strerror(errno));
        }
    }
    if (status == HGATE_ESTOPPED && hg_mpi_is_stopped(job->mpi)) {
        status = CLI_DONE; /* not this rank's failure */
    }
    return status;
}

int job_write(job_state *job)
{
    const double start = hg_now();
    layout *where = calloc(1, sizeof *where);
    int status = where ? CLI_DONE : hg_error_memory("layout", sizeof *where);
    if (status == CLI_DONE && job->place.rank == 0) {
        status = cli_run_outcome(&job->session, &job->outcome);
        job->outcome.reason = job->decision.reason;
        if (status == CLI_DONE) {
            status = make_file(job, where);
        }
    }
    status = job_agree(job, status);
    if (status == CLI_DONE) {
        status = job_share(job, where, sizeof *where, 0);
    }
    if (status == CLI_DONE) {
        status = job_agree(job, write_part(job, where));
    }
    if (status == CLI_DONE) {
        status = job_agree(job, job->place.rank == 0 ? cli_outfile_commit(&job->out) : CLI_DONE);
    }
    job->seconds[JOB_WRITE] = hg_now() - start;
    free(where);
    return status;
}

/* ---- what is told ------------------------------------------------------------------------ */

typedef struct table {
    const job_state *job;
    const double *seconds; /* of all ranks */
} table;

static void put_ranks(void *user, hg_json *json)
{
    static const char *const names[JOB_N_PHASES] = {"open", "read", "share", "run",
                                                    "cpu",  "sum",  "write"};
    const table *t = user;
    hg_json_key_int(json, "threads", t->job->place.threads);
    hg_json_key_int(json, "items", t->job->total);
    hg_json_key(json, "ranks");
    hg_json_array_begin(json);
    for (int r = 0; r < t->job->place.size; r++) {
        hg_json_object_begin(json);
        for (int p = 0; p < JOB_N_PHASES; p++) {
            hg_json_key_real(json, names[p], t->seconds[r * JOB_N_PHASES + p]);
        }
        hg_json_object_end(json);
    }
    hg_json_array_end(json);
}

int job_tell(job_state *job)
{
    char workers[64];
    hg_text text = hg_text_over(workers, sizeof workers);
    const size_t n = (size_t)job->place.size * JOB_N_PHASES;
    double *all = calloc(n, sizeof *all);
    int status = job_agree(job, all ? CLI_DONE : hg_error_memory("times", n * sizeof *all));
    if (status == CLI_DONE) {
        status = job_gather(job, job->seconds, JOB_N_PHASES, all);
    }
    if (status == CLI_DONE && job->place.rank == 0) {
        table t = {job, all};
        hg_text_printf(&text, "%d rank%s of %d thread%s", job->place.size,
                       job->place.size > 1 ? "s" : "", job->place.threads,
                       job->place.threads > 1 ? "s" : "");
        status = cli_run_tell(&job->whole, &job->outcome, workers, put_ranks, &t, job->options);
    }
    free(all);
    return status;
}
