/* SPDX-License-Identifier: BSD-3-Clause */
/* headgate-mpi run: one operation from file to file, on all ranks. */
#ifndef HG_MPI_JOB_H
#define HG_MPI_JOB_H

#include "tools/case.h"
#include "tools/outfile.h"
#include "tools/progress.h"
#include "tools/run_case.h"

#include <headgate/mpi.h>

/** The parts of a job whose seconds each rank measures. */
enum job_phase {
    JOB_OPEN,  /* shapes, engine, decision */
    JOB_READ,  /* this rank's part of the divided arrays, and its rows of the others */
    JOB_SHARE, /* the rows of the undivided arrays, from all to all */
    JOB_RUN,
    JOB_CPU, /* process time of all threads during run */
    JOB_SUM,
    JOB_WRITE,
    JOB_N_PHASES
};

typedef struct job_state {
    hgate_mpi *mpi;
    hgate_mpi_place place;
    const cli_options *options;
    bool is_alone; /* nothing to divide: rank 0 has all of it, as one process would */
    int64_t total, first, count;
    cli_case whole, part; /* shapes; this rank's arrays */
    cli_session session;
    cli_decision decision;
    cli_outcome outcome;
    cli_outfile out; /* rank 0 */
    cli_progress progress;
    double seconds[JOB_N_PHASES];
} job_state;

/** words: operation and input. Every rank returns the same status; texts by hgate_last_error(). */
int job_run(const cli_options *options);

/** The temporary of rank 0 gets the parts of all ranks and takes its place. */
int job_write(job_state *job);

/** Result and, for --json, the seconds of every rank; on rank 0. */
int job_tell(job_state *job);

/** What a rank did alone is agreed upon: OK, or status and text of the first that failed. */
int job_agree(job_state *job, int status);
/** The numbers of every rank, in rank order, on rank 0. */
int job_gather(job_state *job, const double *own, int n, double *all);
/** Bytes from one rank to all, of any size. */
int job_share(job_state *job, void *data, size_t bytes, int from);

#endif
