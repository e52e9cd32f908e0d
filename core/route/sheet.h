/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of text with columns, handed to a writer one by one. */
#ifndef HG_ROUTE_SHEET_H
#define HG_ROUTE_SHEET_H

#include "core/base/text.h"

#include <headgate/engine.h>

enum { HG_SHEET_WIDTH = 80, HG_SHEET_INDENT = 4, HG_SHEET_LINE = 2048 };

/** A line under construction, and where finished lines go. */
typedef struct hg_sheet {
    hgate_write_fn write;
    void *user;
    int status; /* ESTOPPED when the writer asked to stop */
    hg_text line;
    char buffer[HG_SHEET_LINE]; /* what is longer ends in dots */
} hg_sheet;

/** Not to be moved afterwards. */
void hg_sheet_init(hg_sheet *sheet, hgate_write_fn write, void *user);

void hg_sheet_end_line(hg_sheet *sheet);

/** Blanks up to a column, at least one. */
void hg_sheet_pad_to(hg_sheet *sheet, size_t column);

/** A text that ends at a column. */
void hg_sheet_put_right(hg_sheet *sheet, const char *text, size_t end);

/** Indented words, broken between them so that lines stay within the width. */
void hg_sheet_put_wrapped(hg_sheet *sheet, const char *words);

#endif
