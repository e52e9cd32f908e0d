/* SPDX-License-Identifier: BSD-3-Clause */
/* One call on its way: decided, run, perhaps by another kernel than the first. One-shot calls and
 * plans share it. */
#ifndef HG_ENGINE_CALL_H
#define HG_ENGINE_CALL_H

#include "core/engine/engine_int.h"
#include "core/engine/keep.h"
#include "core/route/decide.h"

typedef struct hg_call {
    hgate_engine *engine;
    hgate_exec *exec; /* NULL: defaults */
    const hg_problem *problem;
    hgate_trace *trace;
    hg_workspace *workspace;
    hg_keep *keep;
    bool is_planned;
    bool is_forked;
    int threads;       /* that may be used now */
    int stream_device; /* -1: no stream was given */
    void *stream;
    hgate_curvature_facts derived; /* is_known: by a plugin, from device data */
} hg_call;

/** Fills a call but for trace, workspace and keep. EDEVICE when stream and arrays are on different
 * devices. */
int hg_call_begin(hg_call *call, hgate_engine *engine, hgate_exec *exec, const hg_problem *problem);

/** Does the call's trace answer its question already? Then it need not be decided again. */
bool hg_call_is_decided(const hg_call *call);

/** Decides; an error when no kernel may serve. Explaining is deciding without minding that. */
int hg_call_decide(hg_call *call);
int hg_call_explain(hg_call *call);

/** Prepares the decided kernel, or the next one where the rules of fallback allow. */
int hg_call_prepare(hg_call *call);

/** Runs the decided kernel, or the next one where the rules of fallback allow. */
int hg_call_run(hg_call *call);

/** Tells the event hook. */
void hg_call_end(hg_call *call);

/* ---- run.c -------------------------------------------------------------- */

/** One execution of candidate i, noted in `attempt`. HGATE_RUN_PLAIN: its plain partner must serve.
 */
int hg_run_candidate(hg_call *call, int i, hg_attempt *attempt);
/** Only what comes before the execution: workspace, copies that a plan keeps, prepared objects. */
int hg_prepare_candidate(hg_call *call, int i);
/** Only the workspace. */
int hg_reserve_candidate(hg_call *call, int i);

/** Ranges for tracers; nothing unless trace.ranges is callback and there are hooks. */
void hg_range_push(const hg_call *call, const char *name);
void hg_range_pop(const hg_call *call);

#endif
