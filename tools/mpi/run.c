/* SPDX-License-Identifier: BSD-3-Clause */
/* From the input file to the arrays of the result. Each step is done by every rank alone and then
 * agreed upon, so that no rank goes on when one has failed. */
#include "tools/mpi/job.h"
#include "tools/mpi/mpi_int.h"

#include "core/base/clock.h"
#include "core/base/share.h"
#include "tools/case_file.h"
#include "tools/report.h"
#include "tools/split.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

int job_agree(job_state *job, int status)
{
    const int agreed = hgate_mpi_agree(job->mpi, status, status ? hgate_last_error() : "");
    return agreed == HGATE_OK ? agreed : hg_error(agreed, "%s", hgate_mpi_error(job->mpi));
}

/* An MPI call on its own: where it fails, it fails for all. */
static int judge(job_state *job, int code, const char *what)
{
    const int status = hg_mpi_status(job->mpi, code, what);
    return status == HGATE_OK ? status : hg_error(status, "%s", hgate_mpi_error(job->mpi));
}

int job_share(job_state *job, void *data, size_t bytes, int from)
{
    const size_t most = (size_t)1 << 30; /* MPI counts in int */
    int status = HGATE_OK;
    for (size_t at = 0; status == HGATE_OK && at < bytes; at += most) {
        const int n = (int)(bytes - at < most ? bytes - at : most);
        status = judge(job, MPI_Bcast((char *)data + at, n, MPI_BYTE, from, job->mpi->comm),
                       "MPI_Bcast");
    }
    return status;
}

int job_gather(job_state *job, const double *own, int n, double *all)
{
    return judge(job, MPI_Gather(own, n, MPI_DOUBLE, all, n, MPI_DOUBLE, 0, job->mpi->comm),
                 "MPI_Gather");
}

/* ---- the problem ------------------------------------------------------------------------- */

/* Rank 0 opens the output first: what cannot be written is not computed. */
static int open_output(job_state *job)
{
    int status = CLI_DONE;
    if (job->place.rank == 0) {
        status =
            cli_outfile_open(&job->out, job->options->text[OPT_OUTPUT], job->options->words[1]);
    }
    return job_agree(job, status);
}

static int survey(job_state *job)
{
    return job_agree(job, cli_run_survey(&job->whole, &job->session, job->options));
}

/* Rank 0 decides as one process would for the whole problem; all take its kernel. */
static int decide(job_state *job)
{
    int status = CLI_DONE;
    if (job->place.rank == 0) {
        status = cli_run_decide(&job->whole, &job->session, &job->decision);
    }
    status = job_agree(job, status);
    if (status == CLI_DONE) {
        status = job_share(job, &job->decision, sizeof job->decision, 0);
    }
    return status;
}

static int divide(job_state *job)
{
    const bool has_axis = job->whole.op->op != HGATE_OP_VISIBILITY || job->whole.freq_hz.is_given;
    job->total = cli_split_count(&job->whole);
    job->is_alone = job->total == 0 || !has_axis;
    return hgate_mpi_share(job->mpi, job->total, &job->first, &job->count);
}

static void count_device(void *user, const char *key, const char *value)
{
    int *n = user, number, length = 0;
    (void)value;
    if (sscanf(key, "device %d%n", &number, &length) == 1 && key[length] == '\0') {
        (*n)++;
    }
}

/* The engine with that kernel; the device by local rank, the cores of this rank. */
static int open_engine(job_state *job)
{
    int n_devices = 0;
    cli_session_close(&job->session);
    int status =
        cli_case_open_forced(&job->part, &job->session, job->options, job->decision.kernel);
    for (int i = 0; status == HGATE_OK && i < hgate_plugin_count(job->session.engine); i++) {
        status = hgate_plugin_describe(job->session.engine, i, count_device, &n_devices);
    }
    if (status == HGATE_OK && n_devices > 0) {
        status = hgate_exec_set_stream(job->session.exec, job->place.local_rank % n_devices, NULL);
    }
    if (status == HGATE_OK) {
        status = hgate_exec_set_threads(job->session.exec, job->place.threads);
    }
    return status;
}

/* ---- arrays ------------------------------------------------------------------------------ */

static bool has_work(const job_state *job)
{
    return job->count > 0 || (job->is_alone && job->place.rank == 0);
}

/* An output that all ranks add to: what is there is added once. */
static void clear_beta(job_state *job)
{
    for (int i = 0; i < job->part.row->n_args; i++) {
        if (cli_case_is_output(&job->part, i) && job->part.slabs[i].axis < 0 &&
            job->place.rank > 0) {
            job->part.scalars.beta = 0.0;
        }
    }
}

/* An input that every rank needs, whole. */
static bool is_common(const job_state *job, int arg)
{
    return job->part.arrays[arg].is_given && job->part.slabs[arg].axis < 0 &&
           job->part.row->args[arg].role == HG_IN && !job->is_alone;
}

/* Divided arrays every rank reads for itself; an output that is summed rank 0 reads. */
static uint32_t what_to_read(const job_state *job)
{
    uint32_t which = 0;
    for (int i = 0; i < job->part.row->n_args; i++) {
        const bool is_divided = job->part.slabs[i].axis >= 0;
        if (!is_common(job, i) && (is_divided ? has_work(job) : job->place.rank == 0)) {
            which |= (uint32_t)1 << i;
        }
    }
    return which;
}

/* Another rank could not read its part. */
static bool is_stopped(void *user)
{
    hgate_mpi *mpi = user;
    return hg_mpi_attend(mpi) != HGATE_OK || hg_mpi_is_stopped(mpi);
}

static int64_t rows_of(const job_state *job, int arg)
{
    const cli_array *array = &job->part.arrays[arg];
    return array->dl.ndim > 0 ? array->shape[0] : 0;
}

/* This rank's rows of what all need: the file is read once, by all together. */
static int read_rows(job_state *job)
{
    int status = CLI_DONE;
    for (int i = 0; status == CLI_DONE && i < job->part.row->n_args; i++) {
        cli_array *array = &job->part.arrays[i];
        int64_t first, count;
        if (!is_common(job, i)) {
            continue;
        }
        status = cli_array_allocate(array, job->part.row->args[i].name);
        if (status == CLI_DONE) {
            (void)hgate_mpi_share(job->mpi, rows_of(job, i), &first, &count);
            status = cli_case_read_rows(&job->part, job->options->words[1], i, first, count,
                                        is_stopped, job->mpi);
        }
    }
    return status;
}

static int read_part(job_state *job)
{
    cli_split_twin(&job->part, &job->whole);
    if (!job->is_alone) {
        cli_split_narrow(&job->part, job->first, job->count);
    }
    clear_beta(job);
    int status = open_engine(job);
    job->seconds[JOB_OPEN] = hg_now() - job->seconds[JOB_OPEN];
    const double start = hg_now();
    if (status == CLI_DONE) {
        status = cli_case_read_watched(&job->part, job->options->words[1], what_to_read(job),
                                       is_stopped, job->mpi);
    }
    if (status == CLI_DONE) {
        status = read_rows(job);
    }
    if (status == HGATE_ESTOPPED && hg_mpi_is_stopped(job->mpi)) {
        status = CLI_DONE; /* not this rank's failure */
    }
    job->seconds[JOB_READ] = hg_now() - start;
    return job_agree(job, status);
}

/* Memory for outputs. */
static int allocate(job_state *job)
{
    int status = CLI_DONE;
    for (int i = 0; status == CLI_DONE && i < job->part.row->n_args; i++) {
        cli_array *array = &job->part.arrays[i];
        const bool is_summed =
            cli_case_is_output(&job->part, i) && job->part.slabs[i].axis < 0 && !job->is_alone;
        if (array->is_given && !array->dl.data && (has_work(job) || is_summed)) {
            status = cli_array_allocate(array, job->part.row->args[i].name);
        }
    }
    return job_agree(job, status);
}

/* The rows that each rank has read, to all. */
static int share_rows(job_state *job, cli_array *array, int64_t n)
{
    int status = CLI_DONE;
    for (int r = 0; status == CLI_DONE && n > 0 && r < job->place.size; r++) {
        int64_t first, count;
        hg_share(n, r, job->place.size, &first, &count);
        const size_t row = array->bytes / (size_t)n;
        if (count > 0) {
            status = job_share(job, (char *)array->dl.data + (size_t)first * row,
                               (size_t)count * row, r);
        }
    }
    return status;
}

static int share_inputs(job_state *job)
{
    const double start = hg_now();
    int status = allocate(job);
    for (int i = 0; status == CLI_DONE && i < job->part.row->n_args; i++) {
        if (is_common(job, i)) {
            status = share_rows(job, &job->part.arrays[i], rows_of(job, i));
        }
    }
    job->seconds[JOB_SHARE] = hg_now() - start;
    return status;
}

/* ---- the run ----------------------------------------------------------------------------- */

static bool on_step(void *user, int64_t step, int64_t steps)
{
    return hg_mpi_at_step(user, step, steps);
}

static int run_part(void *user)
{
    job_state *job = user;
    return cli_run_calls(&job->part, &job->session, on_step, job->mpi);
}

static double process_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int call_part(job_state *job)
{
    const double start = hg_now(), cpu = process_seconds();
    cli_progress_start(&job->progress, job->options, job->whole.row->word);
    const int status =
        hgate_mpi_call(job->mpi, job->session.exec, has_work(job) ? run_part : NULL, job);
    cli_progress_end(&job->progress);
    job->seconds[JOB_RUN] = hg_now() - start;
    job->seconds[JOB_CPU] = process_seconds() - cpu;
    if (status != HGATE_OK) {
        return hg_error(status, "%s", hgate_mpi_error(job->mpi));
    }
    job->whole.groups = job->part.groups;
    job->outcome.seconds = job->seconds[JOB_RUN];
    return CLI_DONE;
}

static int sum_outputs(job_state *job)
{
    const double start = hg_now();
    int status = HGATE_OK;
    for (int i = 0; status == HGATE_OK && i < job->part.row->n_args && !job->is_alone; i++) {
        if (cli_case_is_output(&job->part, i) && job->part.slabs[i].axis < 0) {
            status = hgate_mpi_sum(job->mpi, NULL, &job->part.arrays[i].dl);
        }
    }
    job->seconds[JOB_SUM] = hg_now() - start;
    return status == HGATE_OK ? status : hg_error(status, "%s", hgate_mpi_error(job->mpi));
}

static int run_steps(job_state *job)
{
    static int (*const steps[])(job_state *) = {
        open_output,  survey,    decide,      divide,    read_part,
        share_inputs, call_part, sum_outputs, job_write, job_tell,
    };
    int status = CLI_DONE;
    job->seconds[JOB_OPEN] = hg_now();
    for (size_t i = 0; status == CLI_DONE && i < sizeof steps / sizeof steps[0]; i++) {
        status = steps[i](job);
    }
    return status;
}

static int on_progress(void *user, int64_t done, int64_t total)
{
    job_state *job = user;
    cli_progress_at(&job->progress, done, total);
    return 0;
}

int job_run(const cli_options *given)
{
    cli_options options = *given;
    const cli_op *op = NULL;
    const char *items = NULL;
    hgate_mpi_options mpi_options;
    int status = cli_op_find(options.words[0], &op);
    status = status == CLI_DONE ? cli_split_items(op, &items) : status;
    if (status != CLI_DONE) {
        return status;
    }
    job_state *job = calloc(1, sizeof *job);
    if (!job) {
        return hg_error_memory("job", sizeof *job);
    }
    (void)hgate_mpi_options_init(&mpi_options);
    mpi_options.hooks.user = job;
    mpi_options.hooks.progress = on_progress;
    status = hgate_mpi_new(MPI_COMM_WORLD, &mpi_options, &job->mpi);
    if (status != HGATE_OK) {
        free(job);
        return hg_error(status, "mpi: cannot begin: %s", hgate_status_text(status));
    }
    job->place.struct_size = sizeof job->place;
    (void)hgate_mpi_info(job->mpi, &job->place);
    if (job->place.rank > 0) { /* what all would say is said once */
        options.count[OPT_QUIET]++;
        options.text[OPT_LOG_FILE] =
            options.count[OPT_VERBOSE] ? options.text[OPT_LOG_FILE] : "/dev/null";
    }
    job->options = &options;
    cli_case_init(&job->whole, op);
    cli_case_init(&job->part, op);
    status = run_steps(job);
    if (job->place.rank == 0) {
        cli_outfile_abandon(&job->out);
    }
    if (job->mpi->is_broken) { /* the others may wait for this rank for ever */
        fprintf(stderr, "headgate-mpi: rank %d: %s\n", job->place.rank, hgate_last_error());
        MPI_Abort(MPI_COMM_WORLD, cli_exit_code(status));
    }
    cli_case_free(&job->part);
    cli_case_free(&job->whole);
    cli_session_close(&job->session);
    hgate_mpi_free(job->mpi);
    free(job);
    return status;
}
