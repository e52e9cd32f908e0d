/* SPDX-License-Identifier: BSD-3-Clause */
/* The one JSON document of a --json answer: made in memory, so that a failure half way leaves
 * nothing on stdout. */
#ifndef CLI_DOCUMENT_H
#define CLI_DOCUMENT_H

#include "core/base/json.h"
#include "core/base/text.h"

typedef struct cli_document {
    hg_text text;
    hg_json json;
} cli_document;

/** Opens the object and writes "schema": 1. */
void cli_document_begin(cli_document *document);
/** Closes the object, prints it with a newline, frees the memory. */
int cli_document_end(cli_document *document);
/** Frees it unprinted. */
void cli_document_drop(cli_document *document);
/** A trace as a member of the open object. */
int cli_document_put_trace(cli_document *document, const char *key, const hgate_trace *trace);

/** hgate_write_fn that appends to an hg_text. */
int cli_write_text(void *text, const char *piece, size_t n);
/** hgate_write_fn that prints to stdout. */
int cli_write_stdout(void *unused, const char *piece, size_t n);

#endif
