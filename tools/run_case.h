/* SPDX-License-Identifier: BSD-3-Clause */
/* One run of a problem from a file: what serves it, its calls, its outputs. Shared by `headgate
 * run` on one engine, on several devices, and by headgate-mpi. */
#ifndef CLI_RUN_CASE_H
#define CLI_RUN_CASE_H

#include "core/base/json.h"
#include "tools/case_session.h"
#include "tools/h5io.h"
#include "tools/options.h"
#include "tools/outfile.h"

/** What one process would do with the whole problem, for all workers to do the same. */
typedef struct cli_decision {
    char kernel[128]; /* "PLUGIN/KERNEL" */
    char reason[384];
} cli_decision;

/** What a run leaves beside its arrays. The words belong to the trace of the session. */
typedef struct cli_outcome {
    double seconds;
    const char *plugin, *kernel, *reason;
    const hgate_trace *trace;
} cli_outcome;

/** Attributes and shapes of the problem that the words of the command line name, an open engine,
 *  shapes of the outputs. No data. */
int cli_run_survey(cli_case *c, cli_session *session, const cli_options *options);

/** Decides as one process would for the whole problem; runs nothing. */
int cli_run_decide(cli_case *c, const cli_session *session, cli_decision *decision);

/** All calls of the case. at_step (may be NULL) is asked before each; true stops: ESTOPPED. A
 * survey that is too large for the device of its kernel goes through it in groups of sources, each
 * a step. */
int cli_run_calls(cli_case *c, const cli_session *session,
                  bool (*at_step)(void *user, int64_t step, int64_t steps), void *user);

/** What served the last call of the session. */
int cli_run_outcome(const cli_session *session, cli_outcome *outcome);

/** Attributes of an output file. */
int cli_run_store_head(const cli_case *c, const cli_outcome *outcome, h5io_file *file);
/** The whole output, attributes and arrays, in the temporary of `out`. */
int cli_run_store(const cli_case *c, const cli_outcome *outcome, const cli_outfile *out);

/** Prints the result: a line, or the JSON document. `workers` is added where it is not NULL, and
 *  put (may be NULL) adds members of its own to the document. */
int cli_run_tell(const cli_case *c, const cli_outcome *outcome, const char *workers,
                 void (*put)(void *user, hg_json *json), void *user, const cli_options *options);

/** Runs it on the devices of --devices, one engine and one thread for each: from shapes to whole
 *  outputs. The outcome belongs to `session` and to `decision`. */
int cli_run_on_devices(cli_case *c, cli_session *session, const cli_options *options,
                       cli_decision *decision, cli_outcome *outcome);

#endif
