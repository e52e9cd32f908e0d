/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines with columns. */
#include "core/route/sheet.h"

#include <headgate/status.h>
#include <string.h>

void hg_sheet_init(hg_sheet *sheet, hgate_write_fn write, void *user)
{
    sheet->write = write;
    sheet->user = user;
    sheet->status = HGATE_OK;
    sheet->line = hg_text_over(sheet->buffer, sizeof sheet->buffer);
}

void hg_sheet_end_line(hg_sheet *sheet)
{
    static const char dots[] = "...";
    if (sheet->line.is_cut) {
        hg_text_cut_to(&sheet->line, HG_SHEET_LINE - 1 - sizeof dots);
        sheet->line.is_cut = false;
        hg_text_put(&sheet->line, dots);
    }
    hg_text_put_char(&sheet->line, '\n');
    if (sheet->status == HGATE_OK &&
        sheet->write(sheet->user, sheet->line.data, sheet->line.length) != 0) {
        sheet->status = HGATE_ESTOPPED;
    }
    hg_text_clear(&sheet->line);
}

void hg_sheet_pad_to(hg_sheet *sheet, size_t column)
{
    const size_t length = sheet->line.length;
    hg_text_put_repeated(&sheet->line, ' ', length < column ? column - length : 1);
}

void hg_sheet_put_right(hg_sheet *sheet, const char *text, size_t end)
{
    const size_t length = strlen(text);
    hg_sheet_pad_to(sheet, end > length ? end - length : 0);
    hg_text_put(&sheet->line, text);
}

void hg_sheet_put_wrapped(hg_sheet *sheet, const char *words)
{
    size_t column = HG_SHEET_INDENT;
    hg_sheet_pad_to(sheet, HG_SHEET_INDENT);
    while (*words) {
        const size_t length = strcspn(words, " ");
        if (column > HG_SHEET_INDENT && column + 1 + length > HG_SHEET_WIDTH) {
            hg_sheet_end_line(sheet);
            hg_sheet_pad_to(sheet, HG_SHEET_INDENT);
            column = HG_SHEET_INDENT;
        }
        if (column > HG_SHEET_INDENT) {
            hg_text_put_char(&sheet->line, ' ');
            column++;
        }
        hg_text_put_n(&sheet->line, words, length);
        column += length;
        words += length;
        words += strspn(words, " ");
    }
    hg_sheet_end_line(sheet);
}
