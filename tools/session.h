/* SPDX-License-Identifier: BSD-3-Clause */
/* An open engine with the settings of the command line. */
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include "tools/options.h"

#include <headgate/headgate.h>
#include <stdio.h>

/** One more setting, over those of the command line. */
typedef struct cli_setting {
    const char *key, *value;
} cli_setting;

typedef struct cli_session {
    hgate_engine *engine;
    hgate_exec *exec;
    FILE *log; /* stderr, or the file of --log-file */
    int level; /* lines less urgent than this are left out */
} cli_session;

/** Settings of -c, -s, -v, -q, and of -b where op is a word: routing.force.<op>; then n more. */
int cli_session_config(const cli_options *options, const char *op, const cli_setting *more, int n,
                       hgate_config **config);
/** Opens an engine with them. Nothing has to be closed after a failure. */
int cli_session_open(cli_session *session, const cli_options *options, const char *op,
                     const cli_setting *more, int n);
void cli_session_close(cli_session *session);

#endif
