/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects a JSON document and prints it whole. */
#include "tools/document.h"

#include "core/base/error.h"

#include <stdio.h>

int cli_write_text(void *text, const char *piece, size_t n)
{
    hg_text *to = text;
    hg_text_put_n(to, piece, n);
    return to->is_cut;
}

int cli_write_stdout(void *unused, const char *piece, size_t n)
{
    (void)unused;
    return fwrite(piece, 1, n, stdout) != n;
}

void cli_document_begin(cli_document *document)
{
    document->text = hg_text_growing(NULL);
    hg_json_init(&document->json, cli_write_text, &document->text);
    hg_json_object_begin(&document->json);
    hg_json_key_int(&document->json, "schema", 1);
}

int cli_document_end(cli_document *document)
{
    hg_json_object_end(&document->json);
    int status = hg_json_finish(&document->json);
    if (status == HGATE_ESTOPPED) {
        status = hg_error_memory("document", document->text.length);
    } else if (status != HGATE_OK) {
        hg_error(status, "the document was not closed properly");
    } else {
        hg_text_put_char(&document->text, '\n');
        (void)cli_write_stdout(NULL, document->text.data, document->text.length);
    }
    cli_document_drop(document);
    return status;
}

int cli_document_put_trace(cli_document *document, const char *key, const hgate_trace *trace)
{
    hg_text text = hg_text_growing(NULL);
    int status = hgate_trace_json(trace, cli_write_text, &text);
    if (status == HGATE_OK) {
        hg_json_key(&document->json, key);
        hg_json_raw(&document->json, text.data, text.length);
    }
    hg_text_release(&text);
    return status;
}

void cli_document_drop(cli_document *document)
{
    hg_text_release(&document->text);
}
