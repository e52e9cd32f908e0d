/* SPDX-License-Identifier: BSD-3-Clause */
/* The program gnuplot, which draws what `headgate plot` makes of its data. It is not needed for
 * anything else. */
#ifndef CLI_GNUPLOT_H
#define CLI_GNUPLOT_H

#include "core/base/text.h"

/** Puts a text from a file between quotes of a script: nothing in it can end them, or be a command.
 */
void cli_gnuplot_put_text(hg_text *script, const char *text);

/** Runs a script. CLI_UNAVAILABLE where there is no gnuplot, CLI_INTERNAL where it fails. */
int cli_gnuplot_run(const char *script, size_t n);

#endif
