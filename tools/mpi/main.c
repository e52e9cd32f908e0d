/* SPDX-License-Identifier: BSD-3-Clause */
/* The command headgate-mpi: starts MPI, reads the command line alike on all ranks, reports once. */
#include "tools/mpi/job.h"
#include "tools/report.h"
#include "tools/signals.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    RUN_OPTIONS = CLI_COMMON | CLI_OPT(OPT_OUTPUT) | CLI_OPT(OPT_BACKEND),
};

static void print_usage(void)
{
    printf("Usage: mpirun [...] headgate-mpi run OP IN.h5 -o OUT.h5 [OPTIONS]\n\n"
           "  run an operation on the arrays of a file, divided among the ranks\n\n"
           "Operations: kirchhoff_forward and kirchhoff_adjoint (by sources), emi, evd and\n"
           "ds_temp_coh (by points), visibility (by frequencies). 'headgate run OP --help' has\n"
           "their datasets and attributes.\n\nOptions:\n");
    cli_options_help(RUN_OPTIONS, stdout);
}

/* Slurm starts processes that find each other only where it speaks this MPI's language; otherwise
 * each is a job of one rank, and all would compute everything. mpirun's ranks know that they are.
 */
static int check_alone(int size)
{
    const char *tasks = getenv("SLURM_STEP_NUM_TASKS");
    if (size > 1 || !tasks || strtol(tasks, NULL, 10) < 2 || getenv("OMPI_COMM_WORLD_SIZE")) {
        return CLI_DONE;
    }
    return hg_error(CLI_UNAVAILABLE,
                    "mpi: there is one rank, but Slurm has started %.20s processes, which do not "
                    "find each other; try srun --mpi=pmix, or mpirun in place of srun",
                    tasks);
}

static int start(int argc, char **argv, cli_options *options, bool speaks)
{
    int status = cli_options_read(options, RUN_OPTIONS, argc, argv);
    if (status != CLI_DONE) {
        return status;
    }
    if (options->count[OPT_HELP]) {
        if (speaks) {
            print_usage();
        }
        return CLI_DONE;
    }
    if (options->count[OPT_VERSION]) {
        if (speaks) {
            printf("headgate-mpi %s\nLicence: BSD-3-Clause\n", hgate_version());
        }
        return CLI_DONE;
    }
    if (options->n_words == 0 || strcmp(options->words[0], "run") != 0) {
        return options->n_words == 0
                   ? cli_usage("no command given; there is run")
                   : cli_usage("unknown command '%.80s'; there is run", options->words[0]);
    }
    if (options->n_words != 3) {
        return cli_usage("expected an operation and an input file");
    }
    if (!options->text[OPT_OUTPUT]) {
        return cli_usage("no output file; give it with -o");
    }
    options->words++;
    options->n_words--;
    return job_run(options);
}

static void report(int status)
{
    if (status < 0) {
        fprintf(stderr, "headgate-mpi: %s: %s\n", hgate_status_name(status), hgate_last_error());
    } else {
        fprintf(stderr, "headgate-mpi: %s\n", hgate_last_error());
    }
    if (cli_exit_code(status) == CLI_USAGE) {
        fprintf(stderr, "Try 'headgate-mpi --help' for more.\n");
    }
}

int main(int argc, char **argv)
{
    int level = MPI_THREAD_SINGLE, rank = 0, size = 1;
    cli_options options = {0};
    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS) {
        fprintf(stderr, "headgate-mpi: MPI does not start\n");
        return CLI_UNAVAILABLE;
    }
    cli_signals_start();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int status = check_alone(size);
    status = status == CLI_DONE ? start(argc, argv, &options, rank == 0) : status;
    if (rank == 0 && status != CLI_DONE) {
        report(status);
    }
    if (rank == 0 && status == CLI_DONE && (fflush(stdout) != 0 || ferror(stdout))) {
        status = hg_error(CLI_CANNOT_WRITE, "stdout: cannot write");
        report(status);
    }
    cli_options_free(&options);
    MPI_Finalize();
    return cli_exit_code(status);
}
