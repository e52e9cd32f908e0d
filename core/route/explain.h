/* SPDX-License-Identifier: BSD-3-Clause */
/* A trace, written for people and for programs. */
#ifndef HG_ROUTE_EXPLAIN_H
#define HG_ROUTE_EXPLAIN_H

#include "core/route/trace.h"

/** The answer in at most five lines, then the tables. ESTOPPED when the writer asked to stop. */
int hg_explain_text(const hgate_trace *trace, hgate_write_fn write, void *user);

/** One JSON document of schema 1 (headgate-explain(7)). */
int hg_explain_json(const hgate_trace *trace, hgate_write_fn write, void *user);

#endif
