/* SPDX-License-Identifier: BSD-3-Clause */
/* The four forms of an operation over one sequence of checks. Nothing is written before all passed.
 */
#include "core/ops/forms.h"

#include "core/base/error.h"
#include "core/engine/dispatch.h"
#include "core/tensor/dtype.h"
#include "core/tensor/op_table.h"

/* ---- data ---- */

/* Which arrays' elements are looked at. */
enum { KEPT = 1, OTHERS = 2 };

static int check_values(const hg_draft *draft, int which)
{
    const hg_op_steps *steps = hg_op_steps_of(draft->given.op);
    const hg_problem *problem = &draft->problem;
    int status = HGATE_OK;
    if (!(problem->p.space & HG_HOST_SPACES) ||
        hg_check_level(draft->config, problem) == HGATE_CHECK_NONE) {
        return HGATE_OK;
    }
    if (which & KEPT && steps->kept_values) {
        status = steps->kept_values(problem);
    }
    if (status == HGATE_OK && which & OTHERS && steps->values) {
        status = steps->values(problem);
    }
    return status;
}

static int find_facts(hg_draft *draft, const hgate_engine *engine, const hgate_plan *plan)
{
    const hg_op_steps *steps = hg_op_steps_of(draft->given.op);
    return steps->facts && draft->problem.p.space & HG_HOST_SPACES
               ? steps->facts(&draft->problem, engine, plan)
               : HGATE_OK;
}

/* ---- the forms ---- */

int hg_draft_build(hg_draft *draft, hgate_engine *engine, hgate_exec *exec, hg_given given,
                   hg_need need)
{
    int status = hg_engine_begin(engine, exec, given.op);
    return status == HGATE_OK ? hg_draft_fill(draft, hg_engine_config(engine), given, NULL, need)
                              : status;
}

/* The engine runs no kernel on nothing, so the count of such a run is written here. */
static void count_nothing(const hg_draft *draft, int status)
{
    if (status == HGATE_OK && draft->given.n_out && !hg_arguments_have_output(&draft->problem)) {
        *draft->given.n_out = 0;
    }
}

int hg_op_call(hgate_engine *engine, hgate_exec *exec, hg_given given)
{
    hg_draft draft;
    int status = hg_draft_build(&draft, engine, exec, given, HG_NEED_DATA);
    if (status == HGATE_OK) {
        status = check_values(&draft, KEPT | OTHERS);
    }
    if (status == HGATE_OK) {
        status = find_facts(&draft, engine, NULL);
    }
    if (status == HGATE_OK) {
        status = hg_dispatch(engine, exec, &draft.problem);
    }
    count_nothing(&draft, status);
    return status;
}

int hg_op_explain(hgate_engine *engine, hgate_exec *exec, hg_given given, hgate_trace **trace)
{
    if (!trace) {
        return hg_error(HGATE_EINVAL, "trace: is NULL, expected a place for the result");
    }
    hg_draft draft;
    int status = hg_draft_build(&draft, engine, exec, given, HG_NEED_SHAPES);
    if (status == HGATE_OK) {
        status = find_facts(&draft, engine, NULL);
    }
    return status == HGATE_OK ? hg_explain(engine, exec, &draft.problem, trace) : status;
}

int hg_draft_plan(hg_draft *draft, hgate_engine *engine, hgate_exec *exec,
                  const hg_problem *const *problems, int n, hgate_plan **plan)
{
    const hg_op_steps *steps = hg_op_steps_of(draft->given.op);
    hgate_plan *made = NULL;
    int status = check_values(draft, KEPT);
    if (status == HGATE_OK) {
        status = hg_plan_new(engine, exec, problems, n, &made);
    }
    if (status == HGATE_OK && steps->keep) {
        status = steps->keep(made, &draft->problem);
    }
    if (status != HGATE_OK) {
        hgate_plan_free(made);
        return status;
    }
    *plan = made;
    return HGATE_OK;
}

int hg_op_plan(hgate_engine *engine, hgate_exec *exec, hg_given given, hgate_plan **plan)
{
    if (!plan) {
        return hg_error(HGATE_EINVAL, "plan: is NULL, expected a place for the result");
    }
    hg_draft draft;
    int status = hg_draft_build(&draft, engine, exec, given, HG_NEED_PLAN);
    const hg_problem *problem = &draft.problem;
    return status == HGATE_OK ? hg_draft_plan(&draft, engine, exec, &problem, 1, plan) : status;
}

/* Which problem of a plan serves an operation, -1 when none does. */
static int problem_of(const hgate_plan *plan, int op)
{
    int first = hg_plan_problem(plan, 0)->p.op;
    if (first == op) {
        return 0;
    }
    return first == HGATE_OP_KIRCHHOFF_FORWARD && op == HGATE_OP_KIRCHHOFF_ADJOINT ? 1 : -1;
}

int hg_op_run(hgate_plan *plan, hgate_exec *exec, hg_given given)
{
    if (!plan) {
        return hg_error(HGATE_EINVAL, "plan: is NULL, expected a plan");
    }
    int which = problem_of(plan, given.op);
    if (which < 0) {
        return hg_error(HGATE_EINVAL, "plan: was made for %s, expected %s",
                        hg_op_row(hg_plan_problem(plan, 0)->p.op)->word, hg_op_row(given.op)->word);
    }
    hgate_engine *engine = hg_plan_engine(plan);
    hg_draft draft;
    int status = hg_engine_begin(engine, exec, given.op);
    if (status == HGATE_OK) {
        status = hg_draft_fill(&draft, hg_engine_config(engine), given,
                               hg_plan_problem(plan, which), HG_NEED_DATA);
    }
    if (status == HGATE_OK) {
        status = check_values(&draft, OTHERS);
    }
    if (status == HGATE_OK) {
        status = find_facts(&draft, engine, plan);
    }
    if (status == HGATE_OK) {
        status = hg_plan_execute(plan, exec, which, &draft.problem);
    }
    count_nothing(&draft, status);
    return status;
}
