/* SPDX-License-Identifier: BSD-3-Clause */
/* The public calls of kirchhoff_forward and kirchhoff_adjoint, which share tables and a plan. */
#include "core/base/error.h"
#include "core/ops/forms.h"

#include <stdio.h>
#include <string.h>

int hgate_kirchhoff_params_init(hgate_kirchhoff_params *params)
{
    return hg_params_init(HGATE_OP_KIRCHHOFF_FORWARD, params);
}

int hgate_kirchhoff_tables_init(hgate_kirchhoff_tables *tables)
{
    if (!tables) {
        return hg_error(HGATE_EINVAL, "tables: is NULL, expected a struct");
    }
    *tables = (hgate_kirchhoff_tables){.struct_size = sizeof *tables};
    return HGATE_OK;
}

/* ---- arguments ---- */

/* What a call gives, with room for its arrays. */
typedef struct survey {
    hg_given given;
    const DLTensor *args[HGATE_KIRCHHOFF_DATA + 1];
} survey;

static void put_arrays(survey *s, int op, const void *params, const DLTensor *model,
                       const DLTensor *data)
{
    s->args[HGATE_KIRCHHOFF_MODEL] = model;
    s->args[HGATE_KIRCHHOFF_DATA] = data;
    s->given = hg_given_of(op, params, s->args);
}

static int put_tables(survey *s, const hgate_kirchhoff_tables *t)
{
    int status = hg_check_struct("tables", t, sizeof *t);
    if (status != HGATE_OK) {
        return status;
    }
    const DLTensor *const all[] = {t->trav_src, t->trav_rec, t->amp_src, t->amp_rec,
                                   t->ang_src,  t->ang_rec,  t->vel,     t->six,
                                   t->rix,      t->tap,      t->wav};
    for (int i = 0; i <= HGATE_KIRCHHOFF_WAV; i++) {
        s->args[i] = all[i];
    }
    return HGATE_OK;
}

/* Everything of a one-shot call. */
static int gather(survey *s, int op, const hgate_kirchhoff_params *params,
                  const hgate_kirchhoff_tables *tables, double alpha, double beta,
                  const DLTensor *model, const DLTensor *data)
{
    put_arrays(s, op, params, model, data);
    s->given.alpha = alpha;
    s->given.beta = beta;
    return put_tables(s, tables);
}

/* Where memory was short, groups of sources may do: the message names the call. */
static int advise(int status, const char *call)
{
    char found[HG_ERROR_BYTES / 2];
    const char *text = hgate_last_error();
    if (status != HGATE_ENOMEM && !(status == HGATE_ENOKERNEL && strstr(text, "memory."))) {
        return status;
    }
    snprintf(found, sizeof found, "%s", text);
    return hg_error(status, "%s; %s() takes a survey in groups of sources", found, call);
}

/* ---- one-shot ---- */

int hgate_kirchhoff_forward(hgate_engine *engine, hgate_exec *exec,
                            const hgate_kirchhoff_params *params,
                            const hgate_kirchhoff_tables *tables, double alpha,
                            const DLTensor *model, double beta, DLTensor *data)
{
    survey s = {.args = {NULL}};
    int status = gather(&s, HGATE_OP_KIRCHHOFF_FORWARD, params, tables, alpha, beta, model, data);
    status = status == HGATE_OK ? hg_op_call(engine, exec, s.given) : status;
    return advise(status, "hgate_kirchhoff_group_forward");
}

int hgate_kirchhoff_adjoint(hgate_engine *engine, hgate_exec *exec,
                            const hgate_kirchhoff_params *params,
                            const hgate_kirchhoff_tables *tables, double alpha,
                            const DLTensor *data, double beta, DLTensor *model)
{
    survey s = {.args = {NULL}};
    int status = gather(&s, HGATE_OP_KIRCHHOFF_ADJOINT, params, tables, alpha, beta, model, data);
    status = status == HGATE_OK ? hg_op_call(engine, exec, s.given) : status;
    return advise(status, "hgate_kirchhoff_group_adjoint");
}

int hgate_kirchhoff_forward_explain(hgate_engine *engine, hgate_exec *exec,
                                    const hgate_kirchhoff_params *params,
                                    const hgate_kirchhoff_tables *tables, double alpha,
                                    const DLTensor *model, double beta, const DLTensor *data,
                                    hgate_trace **trace)
{
    survey s = {.args = {NULL}};
    int status = gather(&s, HGATE_OP_KIRCHHOFF_FORWARD, params, tables, alpha, beta, model, data);
    return status == HGATE_OK ? hg_op_explain(engine, exec, s.given, trace) : status;
}

int hgate_kirchhoff_adjoint_explain(hgate_engine *engine, hgate_exec *exec,
                                    const hgate_kirchhoff_params *params,
                                    const hgate_kirchhoff_tables *tables, double alpha,
                                    const DLTensor *data, double beta, const DLTensor *model,
                                    hgate_trace **trace)
{
    survey s = {.args = {NULL}};
    int status = gather(&s, HGATE_OP_KIRCHHOFF_ADJOINT, params, tables, alpha, beta, model, data);
    return status == HGATE_OK ? hg_op_explain(engine, exec, s.given, trace) : status;
}

/* ---- plan ---- */

/* Both directions have one list of arguments; they differ in which array is written. */
int hgate_kirchhoff_plan(hgate_engine *engine, hgate_exec *exec,
                         const hgate_kirchhoff_params *params, const hgate_kirchhoff_tables *tables,
                         hgate_plan **plan)
{
    survey s = {.args = {NULL}};
    hg_draft draft;
    hg_problem adjoint;
    if (!plan) {
        return hg_error(HGATE_EINVAL, "plan: is NULL, expected a place for the result");
    }
    int status = gather(&s, HGATE_OP_KIRCHHOFF_FORWARD, params, tables, 1, 0, NULL, NULL);
    if (status == HGATE_OK) {
        status = hg_draft_build(&draft, engine, exec, s.given, HG_NEED_PLAN);
    }
    if (status != HGATE_OK) {
        return status;
    }
    hg_problem_copy(&adjoint, &draft.problem);
    adjoint.p.op = HGATE_OP_KIRCHHOFF_ADJOINT;
    const hg_problem *problems[] = {&draft.problem, &adjoint};
    return advise(hg_draft_plan(&draft, engine, exec, problems, 2, plan),
                  "hgate_kirchhoff_group_forward");
}

int hgate_kirchhoff_forward_run(hgate_plan *plan, hgate_exec *exec, double alpha,
                                const DLTensor *model, double beta, DLTensor *data)
{
    survey s = {.args = {NULL}};
    put_arrays(&s, HGATE_OP_KIRCHHOFF_FORWARD, NULL, model, data);
    s.given.alpha = alpha;
    s.given.beta = beta;
    return hg_op_run(plan, exec, s.given);
}

int hgate_kirchhoff_adjoint_run(hgate_plan *plan, hgate_exec *exec, double alpha,
                                const DLTensor *data, double beta, DLTensor *model)
{
    survey s = {.args = {NULL}};
    put_arrays(&s, HGATE_OP_KIRCHHOFF_ADJOINT, NULL, model, data);
    s.given.alpha = alpha;
    s.given.beta = beta;
    return hg_op_run(plan, exec, s.given);
}
