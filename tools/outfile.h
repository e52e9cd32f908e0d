/* SPDX-License-Identifier: BSD-3-Clause */
/* Output files that appear whole or not at all: a temporary beside the target, then rename(). */
#ifndef CLI_OUTFILE_H
#define CLI_OUTFILE_H

typedef struct cli_outfile {
    char *path;      /* the target, links resolved */
    char *temporary; /* in the same folder, hidden, random */
    int fd;          /* open on the temporary */
} cli_outfile;

/** Makes the temporary. input (may be NULL) is a file that must not be the target.
 *  0, CLI_CANNOT_WRITE or HGATE_ENOMEM. */
int cli_outfile_open(cli_outfile *file, const char *path, const char *input);
/** Brings the temporary to the disk and puts it in the target's place. Frees. */
int cli_outfile_commit(cli_outfile *file);
/** Removes the temporary; the target stays as it was. Frees. Fine after a failed open or commit. */
void cli_outfile_abandon(cli_outfile *file);

#endif
