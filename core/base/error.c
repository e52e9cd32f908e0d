/* SPDX-License-Identifier: BSD-3-Clause */
/* The thread-local error text: a plain buffer without a destructor, so that it works in any thread
 * at any moment, also after the library's other state is gone. */
#include "core/base/error.h"

#include "core/base/text.h"

#include <string.h>

static _Thread_local char last_error[HG_ERROR_BYTES];
static _Thread_local unsigned n_errors;

const char *hgate_last_error(void)
{
    return last_error;
}

/* Keeps what fits; the end of a cut text says so. */
static void keep(const char *text, size_t n, bool is_raw)
{
    static const char cut_mark[] = "...";
    n_errors++;
    hg_text to = hg_text_over(last_error, sizeof last_error - sizeof cut_mark);
    if (is_raw) {
        hg_text_put_untrusted(&to, text, n, n);
    } else {
        hg_text_put_n(&to, text, n);
    }
    if (to.is_cut) {
        strcpy(last_error + to.length, cut_mark);
    }
}

int hg_error(int status, const char *format, ...)
{
    char raw[HG_ERROR_BYTES];
    hg_text text = hg_text_over(raw, sizeof raw);
    va_list arguments;
    va_start(arguments, format);
    hg_text_vprintf(&text, format, arguments);
    va_end(arguments);
    keep(text.data, text.length, true);
    return status;
}

int hg_error_lines(int status, const char *text)
{
    keep(text, strlen(text), false);
    return status;
}

int hg_error_memory(const char *what, size_t bytes)
{
    return hg_error(HGATE_ENOMEM, "%s: no memory for %zu bytes", what, bytes);
}

unsigned hg_error_count(void)
{
    return n_errors;
}
