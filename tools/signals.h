/* SPDX-License-Identifier: BSD-3-Clause */
/* What an interruption does: the unfinished output file is removed, the exit code is 128 + n. */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

#include <stdbool.h>

/** Once, at the start of the command. */
void cli_signals_start(void);

/** The file that a signal must remove; NULL: none. The text must stay until it is replaced. */
void cli_signals_guard(const char *path);

/** From now on the first Ctrl-C is only noted, so that what was done so far can be kept; a second
 * one leaves as ever. */
void cli_signals_note_interrupt(void);
/** Was there one? */
bool cli_signals_interrupted(void);

#endif
