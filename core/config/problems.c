/* SPDX-License-Identifier: BSD-3-Clause */
/* A list of problems, as one text. */
#include "core/config/problems.h"

#include "core/base/error.h"

#include <stdarg.h>

hg_problems hg_problems_none(const hg_allocator *allocator)
{
    return (hg_problems){.lines = hg_text_growing(allocator)};
}

void hg_problems_release(hg_problems *problems)
{
    hg_text_release(&problems->lines);
}

void hg_problems_add(hg_problems *problems, const char *where, const char *format, ...)
{
    problems->count++;
    if (problems->count > HG_PROBLEMS_SHOWN) {
        if (problems->count == HG_PROBLEMS_SHOWN + 1) {
            hg_text_put(&problems->lines, "\nmore errors are not shown");
        }
        return;
    }
    char line[HG_PROBLEM_BYTES];
    hg_text text = hg_text_over(line, sizeof line);
    va_list arguments;
    va_start(arguments, format);
    hg_text_vprintf(&text, format, arguments);
    va_end(arguments);
    if (problems->lines.length > 0) {
        hg_text_put_char(&problems->lines, '\n');
    }
    hg_text_printf(&problems->lines, "%s%s%s", where, *where ? ": " : "", line);
}

int hg_problems_status(const hg_problems *problems)
{
    if (problems->count == 0) {
        return HGATE_OK;
    }
    if (problems->lines.length == 0) { /* no memory for a single line */
        return hg_error(HGATE_ECONFIG, "wrong configuration: %d errors", problems->count);
    }
    return hg_error_lines(HGATE_ECONFIG, problems->lines.data);
}
