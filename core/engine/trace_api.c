/* SPDX-License-Identifier: BSD-3-Clause */
/* The public calls on traces. */
#include "core/engine/engine_int.h"
#include "core/route/explain.h"

#include "core/base/error.h"

#include <headgate/engine.h>
#include <math.h>

void hgate_trace_free(hgate_trace *trace)
{
    /* the trace of a context or a plan goes with it */
    if (!trace || !trace->owner) {
        return;
    }
    hgate_engine *engine = trace->owner;
    hg_trace_delete(trace);
    hg_engine_let_go(engine);
}

static int check(const hgate_trace *trace, const void *other, const char *name)
{
    if (!trace || !other) {
        return hg_error(HGATE_EINVAL, "%s: is NULL", trace ? name : "trace");
    }
    return HGATE_OK;
}

int hgate_trace_json(const hgate_trace *trace, hgate_write_fn write, void *user)
{
    const int status = check(trace, (const void *)(uintptr_t)write, "write");
    return status == HGATE_OK ? hg_explain_json(trace, write, user) : status;
}

int hgate_trace_text(const hgate_trace *trace, hgate_write_fn write, void *user)
{
    const int status = check(trace, (const void *)(uintptr_t)write, "write");
    return status == HGATE_OK ? hg_explain_text(trace, write, user) : status;
}

int hgate_trace_choice(const hgate_trace *trace, const char **plugin, const char **kernel,
                       const char **reason)
{
    const int status = check(trace, trace, "trace");
    if (status != HGATE_OK) {
        return status;
    }
    const int served = hg_trace_served(trace);
    const hg_candidate *candidate = served >= 0 ? &hg_trace_candidates(trace).items[served] : NULL;
    if (plugin) {
        *plugin = candidate ? candidate->backend->plugin->name : "";
    }
    if (kernel) {
        *kernel = candidate ? candidate->kernel->name : "";
    }
    if (reason) {
        hg_text words = hg_text_over(trace->words, HG_TRACE_WORDS);
        hg_trace_put_choice(trace, &words);
        *reason = trace->words;
    }
    return HGATE_OK;
}

int hgate_trace_seconds(const hgate_trace *trace, double *predicted, double *measured)
{
    const int status = check(trace, trace, "trace");
    if (status != HGATE_OK) {
        return status;
    }
    const int served = hg_trace_served(trace);
    if (predicted) {
        *predicted = served >= 0 ? trace->records[served].seconds : NAN;
    }
    if (measured) {
        const bool has_run = trace->n_attempts > 0;
        *measured = has_run ? trace->attempts[trace->n_attempts - 1].measured : NAN;
    }
    return HGATE_OK;
}
