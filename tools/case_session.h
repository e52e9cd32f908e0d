/* SPDX-License-Identifier: BSD-3-Clause */
/* An engine for a problem: its settings, and what its configuration adds to the problem. */
#ifndef CLI_CASE_SESSION_H
#define CLI_CASE_SESSION_H

#include "tools/case.h"
#include "tools/session.h"

/** Opens an engine for the case, with -b for its operation and its number of threads, and fills
 *  attributes that were not given from the configuration, where that sets them. */
int cli_case_open(cli_case *c, cli_session *session, const cli_options *options);

/** The same with the choice forced to one kernel, "PLUGIN/KERNEL", in place of -b. */
int cli_case_open_forced(cli_case *c, cli_session *session, const cli_options *options,
                         const char *kernel);

#endif
