/* SPDX-License-Identifier: BSD-3-Clause */
/* Exit codes and the one place where a failure is printed. */
#include "tools/report.h"

#include "core/base/text.h"
#include "tools/document.h"

#include <headgate/headgate.h>
#include <stdarg.h>
#include <stdio.h>

int cli_exit_code(int status)
{
    if (status >= 0) {
        return status % CLI_TOLD;
    }
    switch (status) {
    case HGATE_EINVAL:
    case HGATE_ESHAPE:
    case HGATE_EDTYPE:
    case HGATE_EDEVICE:
    case HGATE_ESTRIDE:
    case HGATE_EOVERLAP:
    case HGATE_EVALUE:
        return CLI_DATA;
    case HGATE_ENOKERNEL:
    case HGATE_EUNAVAILABLE:
    case HGATE_EDISABLED:
    case HGATE_EDEVICE_BUSY:
    case HGATE_EFORK:
        return CLI_UNAVAILABLE;
    case HGATE_ENOMEM:
        return CLI_NO_MEMORY;
    case HGATE_ECONFIG:
        return CLI_CONFIG;
    default:
        return CLI_INTERNAL;
    }
}

int cli_usage(const char *format, ...)
{
    char line[HG_ERROR_BYTES];
    va_list arguments;
    va_start(arguments, format);
    hg_text text = hg_text_over(line, sizeof line);
    hg_text_vprintf(&text, format, arguments);
    va_end(arguments);
    return hg_error(CLI_USAGE, "%s", line);
}

static void print_document(int status)
{
    cli_document document;
    cli_document_begin(&document);
    hg_json_key_string(&document.json, "status", status < 0 ? hgate_status_name(status) : NULL);
    hg_json_key_int(&document.json, "exit", cli_exit_code(status));
    hg_json_key_string(&document.json, "error", hgate_last_error());
    (void)cli_document_end(&document);
}

int cli_report(const char *command, int status, bool is_json)
{
    const int code = cli_exit_code(status);
    if (code == CLI_DONE || code == CLI_DIFFERS) {
        return code;
    }
    if (is_json && status < CLI_TOLD) {
        print_document(status);
    }
    if (status < 0) {
        fprintf(stderr, "headgate: %s: %s\n", hgate_status_name(status), hgate_last_error());
    } else {
        fprintf(stderr, "headgate: %s\n", hgate_last_error());
    }
    if (code == CLI_USAGE) {
        fprintf(stderr, "Try 'headgate %s%s--help' for more.\n", command ? command : "",
                command ? " " : "");
    }
    return code;
}

void cli_warn(const char *format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    hg_text text = hg_text_over(line, sizeof line);
    hg_text_vprintf(&text, format, arguments);
    va_end(arguments);
    char shown[2048];
    hg_text safe = hg_text_over(shown, sizeof shown);
    hg_text_put_untrusted(&safe, line, text.length, sizeof shown);
    fprintf(stderr, "headgate: warning: %s\n", shown);
}
