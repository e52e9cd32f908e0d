/* SPDX-License-Identifier: BSD-3-Clause */
/* The grouped calls, and one group's run. */
#include "core/base/error.h"
#include "core/group/pipe.h"
#include "core/tensor/dtype.h"

#include <string.h>

/* ---- one group ---- */

void hg_groups_release(hg_groups *g)
{
    if (g->has_keep) {
        hg_keep_release(&g->keep);
    }
    g->has_keep = false;
}

int hg_groups_run(hg_groups *g, bool is_first, void *stream)
{
    hg_survey *s = g->survey;
    hg_call call;
    g->problem.p.beta_re = hg_groups_are_forward(g) || is_first ? 0 : 1;
    /* on the host the first group has tables at hand, which tell more than its sizes */
    const bool sees_more = is_first && !s->is_on_device;
    int status = hg_cut_decide(s, &g->problem, sees_more ? NULL : g->like, &call, g->trace);
    if (status != HGATE_OK) {
        return status;
    }
    if (sees_more) {
        hg_trace_copy(g->like, g->trace);
    }
    if (g->trace->n_usable == 0) {
        return hg_decide_error(g->trace);
    }
    hg_keep_init(&g->keep, &s->engine->allocator);
    g->has_keep = true;
    call.keep = &g->keep;
    call.workspace = &g->workspace;
    if (s->is_on_device) {
        call.stream = stream;
        call.stream_device = s->params.device_id;
    }
    status = hg_call_run(&call);
    hg_call_end(&call);
    return status;
}

/* ---- empty surveys ---- */

/* A group of nothing starts no kernel: the sum of nothing is 0. */
static int write_nothing(hg_survey *s, int op)
{
    const bool is_forward = op == HGATE_OP_KIRCHHOFF_FORWARD;
    const DLTensor *out = is_forward ? hg_survey_whole(s)->args[HGATE_KIRCHHOFF_DATA]
                                     : hg_survey_whole(s)->args[HGATE_KIRCHHOFF_MODEL];
    const hg_part nothing = {s->sources.first, 0};
    size_t bytes = hg_station_bytes(s), at = 0;
    if (is_forward) {
        bytes = (size_t)(s->sources.n * s->nr) * hg_trace_bytes(s);
        at = (size_t)(nothing.first * s->nr) * hg_trace_bytes(s);
    } else if (s->model && hg_space_of(s->model->device) == HGATE_SPACE_CUDA && bytes > 0) {
        return hg_error(HGATE_EDEVICE, "model: is on cuda:%d, and there is no source to compute",
                        s->params.device_id);
    }
    if (bytes > 0) {
        memset((char *)out->data + at, 0, bytes);
    }
    return HGATE_OK;
}

/* ---- calls ---- */

static int serve(hg_survey *s, int op)
{
    hgate_trace *traces[2] = {NULL, NULL};
    const int d = op - HGATE_OP_KIRCHHOFF_FORWARD;
    hg_groups *g = hg_calloc(&s->engine->allocator, 1, sizeof *g);
    if (!g) {
        return hg_error_memory("groups", sizeof *g);
    }
    g->survey = s;
    g->op = op;
    hg_workspace_init(&g->workspace, &s->engine->allocator);
    if (s->is_on_device && s->exec) { /* what the context has kept there is room for groups */
        hg_workspace_drop_device(&s->exec->workspace);
    }
    int status = HGATE_OK;
    for (int i = 0; i < 2 && status == HGATE_OK; i++) {
        status = hg_engine_trace(s->engine, HGATE_OP_KIRCHHOFF_FORWARD + i, &traces[i]);
    }
    if (status == HGATE_OK) {
        status = hg_engine_trace(s->engine, op, &g->trace);
    }
    if (status == HGATE_OK) {
        status = hg_cut_make(s, op, traces, &g->need);
    }
    if (status == HGATE_OK) {
        g->like = traces[d];
        hg_crew_open(&s->crew, s->threads);
        status = s->is_on_device ? hg_groups_on_device(g) : hg_groups_on_host(g);
        hg_crew_close(&s->crew);
    }
    if (status == HGATE_OK && s->exec) {
        hg_trace_copy(s->exec->trace, g->trace);
    }
    hg_groups_release(g);
    hg_workspace_release(&g->workspace);
    for (int i = 0; i < 2; i++) {
        hg_trace_delete(traces[i]);
    }
    hg_trace_delete(g->trace);
    hg_free(&s->engine->allocator, g);
    return status;
}

/* The survey is large for a stack of 64 KiB. */
static int call(int op, hgate_engine *engine, hgate_exec *exec,
                const hgate_kirchhoff_params *params, const hgate_kirchhoff_tables *t,
                const DLTensor *model, const DLTensor *data, const hgate_group_params *group)
{
    int status = engine ? hg_check_struct("tables", t, sizeof *t)
                        : hg_error(HGATE_EINVAL, "engine: is NULL, expected an engine");
    if (status != HGATE_OK) {
        return status;
    }
    const DLTensor *const args[] = {t->trav_src, t->trav_rec, t->amp_src, t->amp_rec, t->ang_src,
                                    t->ang_rec,  t->vel,      t->six,     t->rix,     t->tap,
                                    t->wav,      model,       data};
    hg_survey *s = hg_calloc(&engine->allocator, 1, sizeof *s);
    if (!s) {
        return hg_error_memory("groups", sizeof *s);
    }
    status = hg_survey_take(s, engine, exec, hg_given_of(op, params, args), group, HG_NEED_DATA);
    if (status == HGATE_OK) {
        const bool is_empty = s->sources.n == 0 || s->nr == 0 || s->ni == 0;
        status = is_empty ? write_nothing(s, op) : serve(s, op);
    }
    hg_free(&engine->allocator, s);
    return status;
}

int hgate_kirchhoff_group_forward(hgate_engine *engine, hgate_exec *exec,
                                  const hgate_kirchhoff_params *params,
                                  const hgate_kirchhoff_tables *tables, const DLTensor *model,
                                  DLTensor *data, const hgate_group_params *group)
{
    return call(HGATE_OP_KIRCHHOFF_FORWARD, engine, exec, params, tables, model, data, group);
}

int hgate_kirchhoff_group_adjoint(hgate_engine *engine, hgate_exec *exec,
                                  const hgate_kirchhoff_params *params,
                                  const hgate_kirchhoff_tables *tables, const DLTensor *data,
                                  DLTensor *model, const hgate_group_params *group)
{
    return call(HGATE_OP_KIRCHHOFF_ADJOINT, engine, exec, params, tables, model, data, group);
}
