/* SPDX-License-Identifier: BSD-3-Clause */
/* What an interruption does: the unfinished output file is removed, the exit code is 128 + n. */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

/** Once, at the start of the command. */
void cli_signals_start(void);

/** The file that a signal must remove; NULL: none. The text must stay until it is replaced. */
void cli_signals_guard(const char *path);

#endif
