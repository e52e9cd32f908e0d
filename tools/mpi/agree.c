/* SPDX-License-Identifier: BSD-3-Clause */
/* What ranks tell each other while they work: that one has failed, how far each has come; and how
 * they end a call together.
 *
 * A rank that fails sends a notice to every other one, which finds it from its progress hook and
 * stops. Then all meet: the largest of (size - rank) over the ranks that failed finds the first of
 * them, sums tell how many notices and progress messages there were, so that each is received in
 * the call that it belongs to. */
#include "tools/mpi/mpi_int.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { TAG_FAILED = 1, TAG_PROGRESS = 2 };

void hg_mpi_begin(hgate_mpi *mpi)
{
    mpi->step = 0;
    mpi->steps = 1;
    mpi->looked = mpi->told = hg_mpi_now();
    mpi->n_told = 0;
    memset(mpi->shares, 0, (size_t)mpi->place.size * sizeof *mpi->shares);
}

bool hg_mpi_is_stopped(const hgate_mpi *mpi)
{
    return mpi->n_notices > mpi->n_notices_due;
}

/* ---- messages ---------------------------------------------------------------------------- */

static int receive_notice(hgate_mpi *mpi)
{
    const int code =
        MPI_Recv(NULL, 0, MPI_BYTE, MPI_ANY_SOURCE, TAG_FAILED, mpi->comm, MPI_STATUS_IGNORE);
    mpi->n_notices++;
    return code;
}

static int receive_progress(hgate_mpi *mpi)
{
    MPI_Status from;
    int64_t share = 0;
    const int code =
        MPI_Recv(&share, 1, MPI_INT64_T, MPI_ANY_SOURCE, TAG_PROGRESS, mpi->comm, &from);
    if (code == MPI_SUCCESS) {
        mpi->shares[from.MPI_SOURCE] = share;
        mpi->n_progress++;
    }
    return code;
}

int hg_mpi_attend(hgate_mpi *mpi)
{
    int is_there = 1;
    int code = MPI_SUCCESS;
    while (code == MPI_SUCCESS && is_there) {
        code = MPI_Iprobe(MPI_ANY_SOURCE, TAG_FAILED, mpi->comm, &is_there, MPI_STATUS_IGNORE);
        if (code == MPI_SUCCESS && is_there) {
            code = receive_notice(mpi);
        }
    }
    is_there = mpi->place.rank == 0;
    while (code == MPI_SUCCESS && is_there) {
        code = MPI_Iprobe(MPI_ANY_SOURCE, TAG_PROGRESS, mpi->comm, &is_there, MPI_STATUS_IGNORE);
        if (code == MPI_SUCCESS && is_there) {
            code = receive_progress(mpi);
        }
    }
    return hg_mpi_status(mpi, code, "MPI_Iprobe");
}

static int show_progress(hgate_mpi *mpi)
{
    int64_t sum = 0;
    for (int r = 0; r < mpi->place.size; r++) {
        sum += mpi->shares[r];
    }
    const hgate_hooks *hooks = &mpi->options.hooks;
    return hooks->progress(hooks->user, sum, (int64_t)mpi->place.size * HG_MPI_SHARE);
}

int hg_mpi_wait(hgate_mpi *mpi, int n, MPI_Request *requests)
{
    int is_done = 0;
    for (int turn = 0; !is_done; turn++) {
        int status = hg_mpi_status(mpi, MPI_Testall(n, requests, &is_done, MPI_STATUSES_IGNORE),
                                   "MPI_Testall");
        if (status == HGATE_OK && !is_done) {
            status = hg_mpi_attend(mpi);
        }
        if (status != HGATE_OK) {
            return status;
        }
        if (!is_done && turn > 100) { /* others still work: give them the core */
            const struct timespec pause = {0, turn < 400 ? 50000 : 1000000};
            nanosleep(&pause, NULL);
            if (mpi->place.rank == 0 && mpi->tells_progress && turn % 200 == 0) {
                (void)show_progress(mpi); /* too late to stop anything here */
            }
        }
    }
    return HGATE_OK;
}

/* ---- during a call ----------------------------------------------------------------------- */

/* To rank 0, one message at a time, twice a second; less often where there are many ranks. */
static int tell_progress(hgate_mpi *mpi, double now, int64_t share)
{
    int is_gone = 1;
    const double pause = 0.5 + mpi->place.size / 256.0;
    if (mpi->place.rank == 0) {
        mpi->shares[0] = share;
        return show_progress(mpi);
    }
    if (now - mpi->told < pause || MPI_Test(&mpi->tell, &is_gone, MPI_STATUS_IGNORE) != 0 ||
        !is_gone) {
        return 0;
    }
    mpi->told = now;
    mpi->telling = share;
    if (MPI_Isend(&mpi->telling, 1, MPI_INT64_T, 0, TAG_PROGRESS, mpi->comm, &mpi->tell) == 0) {
        mpi->n_told++;
    }
    return 0;
}

/* Is it time to look for messages? */
static bool is_due(hgate_mpi *mpi, double now)
{
    const bool is_due = now - mpi->looked >= 0.05;
    mpi->looked = is_due ? now : mpi->looked;
    return is_due;
}

bool hg_mpi_must_stop(hgate_mpi *mpi)
{
    return is_due(mpi, hg_mpi_now()) && (hg_mpi_attend(mpi) != HGATE_OK || hg_mpi_is_stopped(mpi));
}

/* The progress hook of a rank's own operation; non-zero stops it. */
static int on_progress(void *user, int64_t done, int64_t total)
{
    hgate_mpi *mpi = user;
    const double now = hg_mpi_now();
    if (total <= 0 || !is_due(mpi, now)) {
        return 0;
    }
    if (hg_mpi_attend(mpi) != HGATE_OK || hg_mpi_is_stopped(mpi)) {
        return 1;
    }
    if (!mpi->tells_progress) {
        return 0;
    }
    const double share = ((double)mpi->step + (double)done / (double)total) / (double)mpi->steps;
    return tell_progress(mpi, now, (int64_t)(share * HG_MPI_SHARE));
}

bool hg_mpi_at_step(hgate_mpi *mpi, int64_t step, int64_t steps)
{
    mpi->step = step;
    mpi->steps = steps;
    return on_progress(mpi, 0, 1) != 0;
}

/* The host's other hooks, with the user that is theirs. */
static void on_range_push(void *user, const char *name)
{
    const hgate_hooks *hooks = &((const hgate_mpi *)user)->options.hooks;
    hooks->range_push(hooks->user, name);
}

static void on_range_pop(void *user)
{
    const hgate_hooks *hooks = &((const hgate_mpi *)user)->options.hooks;
    hooks->range_pop(hooks->user);
}

static void on_event(void *user, const hgate_trace *trace)
{
    const hgate_hooks *hooks = &((const hgate_mpi *)user)->options.hooks;
    hooks->event(hooks->user, trace);
}

static hgate_hooks hooks_of(hgate_mpi *mpi)
{
    const hgate_hooks *host = &mpi->options.hooks;
    return (hgate_hooks){
        .struct_size = sizeof *host,
        .user = mpi,
        .range_push = host->range_push ? on_range_push : NULL,
        .range_pop = host->range_pop ? on_range_pop : NULL,
        .event = host->event ? on_event : NULL,
        .progress = on_progress,
    };
}

int hgate_mpi_call(hgate_mpi *mpi, hgate_exec *exec, int (*call)(void *user), void *user)
{
    if (!mpi) {
        return HGATE_EINVAL;
    }
    const hgate_hooks hooks = hooks_of(mpi);
    int status = HGATE_OK;
    hg_mpi_begin(mpi);
    if (call && !exec) {
        status = hg_mpi_fail(mpi, HGATE_EINVAL, "exec: is NULL");
        return hg_mpi_end(mpi, status, mpi->text);
    }
    if (call) {
        status = hgate_exec_set_hooks(exec, &hooks);
        status = status == HGATE_OK ? call(user) : status;
        status = status == HGATE_OK ? hgate_exec_sync(exec) : status;
        (void)hgate_exec_set_hooks(exec, &mpi->options.hooks);
    }
    if (hg_mpi_is_stopped(mpi) && status == HGATE_ESTOPPED) {
        status = HGATE_OK; /* not this rank's failure */
    }
    return hg_mpi_end(mpi, status, status == HGATE_OK ? "" : hgate_last_error());
}

/* ---- the end of a call ------------------------------------------------------------------- */

static int notify_all(hgate_mpi *mpi)
{
    int code = MPI_SUCCESS;
    for (int r = 0; r < mpi->place.size; r++) {
        mpi->notify[r] = MPI_REQUEST_NULL;
        if (r != mpi->place.rank && code == MPI_SUCCESS) {
            code = MPI_Isend(NULL, 0, MPI_BYTE, r, TAG_FAILED, mpi->comm, &mpi->notify[r]);
        }
    }
    return hg_mpi_status(mpi, code, "MPI_Isend");
}

/* Receives what was sent in this call and has not come yet. */
static int drain(hgate_mpi *mpi, int64_t n_failures, int64_t n_told)
{
    int code = MPI_SUCCESS;
    mpi->n_notices_due += n_failures;
    mpi->n_progress_due += n_told;
    while (code == MPI_SUCCESS && mpi->n_notices < mpi->n_notices_due) {
        code = receive_notice(mpi);
    }
    while (code == MPI_SUCCESS && mpi->place.rank == 0 && mpi->n_progress < mpi->n_progress_due) {
        code = receive_progress(mpi);
    }
    return hg_mpi_status(mpi, code, "MPI_Recv");
}

static int meet(hgate_mpi *mpi, bool is_failed, int *first, int64_t sums[2])
{
    int key = is_failed ? mpi->place.size - mpi->place.rank : 0;
    int largest = 0;
    int64_t counts[2] = {is_failed, mpi->n_told};
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int code = MPI_Iallreduce(&key, &largest, 1, MPI_INT, MPI_MAX, mpi->comm, &requests[0]);
    if (code == MPI_SUCCESS) {
        code = MPI_Iallreduce(counts, sums, 2, MPI_INT64_T, MPI_SUM, mpi->comm, &requests[1]);
    }
    int status = hg_mpi_status(mpi, code, "MPI_Iallreduce");
    status = status == HGATE_OK ? hg_mpi_wait(mpi, 2, requests) : status;
    *first = largest > 0 ? mpi->place.size - largest : -1;
    return status;
}

/* Status and message of the rank that failed first. */
static int spread(hgate_mpi *mpi, int first, int status, const char *text)
{
    struct {
        int status;
        char text[HG_MPI_TEXT];
    } told = {status, ""};
    if (mpi->place.rank == first) {
        snprintf(told.text, sizeof told.text, "%.*s", HG_MPI_TEXT - 1, text);
    }
    const int code = MPI_Bcast(&told, (int)sizeof told, MPI_BYTE, first, mpi->comm);
    if (code != MPI_SUCCESS) {
        return hg_mpi_status(mpi, code, "MPI_Bcast");
    }
    if (mpi->place.size > 1) {
        return hg_mpi_fail(mpi, told.status, "rank %d: %.*s", first, HG_MPI_TEXT - 32, told.text);
    }
    return hg_mpi_fail(mpi, told.status, "%.*s", HG_MPI_TEXT - 1, told.text);
}

int hg_mpi_end(hgate_mpi *mpi, int status, const char *text)
{
    int64_t sums[2] = {0, 0};
    int first = -1;
    const bool is_failed = status != HGATE_OK;
    int own = is_failed ? notify_all(mpi) : HGATE_OK;
    own = own == HGATE_OK ? meet(mpi, is_failed, &first, sums) : own;
    own = own == HGATE_OK ? drain(mpi, sums[0] - is_failed, sums[1]) : own;
    if (own == HGATE_OK && is_failed) {
        own = hg_mpi_wait(mpi, mpi->place.size, mpi->notify);
    }
    if (own == HGATE_OK) {
        own = hg_mpi_wait(mpi, 1, &mpi->tell);
    }
    if (own != HGATE_OK) {
        return own;
    }
    return first < 0 ? HGATE_OK : spread(mpi, first, status, text);
}

int hgate_mpi_agree(hgate_mpi *mpi, int status, const char *message)
{
    if (!mpi) {
        return HGATE_EINVAL;
    }
    hg_mpi_begin(mpi);
    return hg_mpi_end(mpi, status, message ? message : "");
}
