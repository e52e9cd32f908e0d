/* SPDX-License-Identifier: BSD-3-Clause */
/* A problem in a file: datasets for arrays, attributes for scalars. */
#ifndef CLI_CASE_FILE_H
#define CLI_CASE_FILE_H

#include "tools/case.h"
#include "tools/h5io.h"

/** Reads attributes, and types and shapes of the inputs, but no data; warns (unless is_quiet) about
 *  what it does not know. */
int cli_case_survey(cli_case *c, const char *path, bool is_quiet);

/** Reads the data of those inputs that are in the mask, 1 << index, each the part that its slab
 *  tells. */
int cli_case_read(cli_case *c, const char *path, uint32_t which);
/** The same; is_stopped is asked now and then, and its true ends it with HGATE_ESTOPPED. */
int cli_case_read_watched(cli_case *c, const char *path, uint32_t which,
                          bool (*is_stopped)(void *user), void *user);

/** Some rows (first axis) of an undivided input whose memory is there, each row to its place. */
int cli_case_read_rows(cli_case *c, const char *path, int arg, int64_t first, int64_t count,
                       bool (*is_stopped)(void *user), void *user);

/** Writes the inputs and the attributes that were given. */
int cli_case_store(const cli_case *c, h5io_file *file);

#endif
