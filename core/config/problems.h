/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects what is wrong with a configuration: up to 20 lines, reported in one go. */
#ifndef HG_CONFIG_PROBLEMS_H
#define HG_CONFIG_PROBLEMS_H

#include "core/base/text.h"

enum { HG_PROBLEMS_SHOWN = 20, HG_PROBLEM_BYTES = 512 };

typedef struct hg_problems {
    hg_text lines; /* one problem a line, no newline at the end */
    int count;     /* also those not shown */
} hg_problems;

hg_problems hg_problems_none(const hg_allocator *allocator);
void hg_problems_release(hg_problems *problems);

/** Adds one line "WHERE: TEXT". `where` may be "" for none. Untrusted text must be escaped. */
void hg_problems_add(hg_problems *problems, const char *where, const char *format, ...)
    HG_PRINTF(3, 4);

/** HGATE_OK when there are none; else HGATE_ECONFIG, with the lines as the last error. */
int hg_problems_status(const hg_problems *problems);

#endif
