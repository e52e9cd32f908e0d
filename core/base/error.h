/* SPDX-License-Identifier: BSD-3-Clause */
/* The calling thread's last error text. The lowest function that knows a cause writes it; callers
 * above pass the status on. */
#ifndef HG_BASE_ERROR_H
#define HG_BASE_ERROR_H

#include "core/base/attributes.h"

#include <headgate/status.h>
#include <stddef.h>

enum { HG_ERROR_BYTES = 4096 }; /* longer texts are cut */

/** Keeps the message and returns `status`. Numbers are printed as in the C locale, control
 *  characters (from names and values of the caller) are shown as \xNN. */
int hg_error(int status, const char *format, ...) HG_PRINTF(2, 3);

/** The same for a finished text of several lines whose untrusted parts are escaped already. */
int hg_error_lines(int status, const char *text);

/** HGATE_ENOMEM: "<what>: no memory for <bytes> bytes". */
int hg_error_memory(const char *what, size_t bytes);

/** Grows with each message of this thread: tells whether a call below has left one. */
unsigned hg_error_count(void);

#endif
