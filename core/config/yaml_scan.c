/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks at the bytes of a file before any parser does: encoding, control characters, size. */
#include "core/base/utf8.h"
#include "core/config/yaml.h"

#include <stdio.h>

static void add(hg_problems *problems, const char *label, size_t line, size_t column,
                const char *what)
{
    hg_problems_add(problems, "", "%s:%zu:%zu: %s", label, line, column, what);
}

bool hg_yaml_scan(const char *text, size_t n, const char *label, hg_problems *problems)
{
    if (n > HG_YAML_BYTES) {
        hg_problems_add(problems, "", "%s:1:1: larger than %d bytes", label, (int)HG_YAML_BYTES);
        return false;
    }
    size_t line = 1, column = 1;
    for (size_t at = 0; at < n;) {
        uint32_t c;
        const size_t bytes = hg_utf8_next(text + at, n - at, &c);
        if (bytes == 0) {
            add(problems, label, line, column, "not UTF-8");
            return false;
        }
        if (hg_is_control(c) && c != '\t' && c != '\n' && c != '\r') {
            char what[48];
            snprintf(what, sizeof what, "control character U+%04X", (unsigned)c);
            add(problems, label, line, column, what);
            return false;
        }
        at += bytes;
        column++;
        if (c == '\n') {
            line++;
            column = 1;
        }
    }
    return true;
}
