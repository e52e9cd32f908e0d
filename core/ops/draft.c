/* SPDX-License-Identifier: BSD-3-Clause */
/* From given arguments to a problem: scalars, arrays, sizes, and what a plan has to say about them.
 */
#include "core/base/error.h"
#include "core/ops/forms.h"
#include "core/tensor/dtype.h"
#include "core/tensor/op_table.h"

/* An array of a run against the array that the plan was made for. */
static int check_as_planned(const hg_arg *arg, const DLTensor *planned, const DLTensor *given)
{
    if (!planned != !given) {
        return hg_error(HGATE_EINVAL, "%s: is %s, but the plan was made %s it", arg->name,
                        given ? "given" : "NULL", planned ? "with" : "without");
    }
    if (given && hg_dtype_of(given->dtype) != hg_dtype_of(planned->dtype)) {
        return hg_error(HGATE_EDTYPE, "%s: type is %s, but the plan was made for %s", arg->name,
                        hg_dtype_word(hg_dtype_of(given->dtype)),
                        hg_dtype_word(hg_dtype_of(planned->dtype)));
    }
    return HGATE_OK;
}

static int check_all_as_planned(const hg_problem *planned, const hg_problem *problem)
{
    const hg_op *row = hg_op_row(problem->p.op);
    bool is_host = problem->p.space & HG_HOST_SPACES;
    bool was_host = planned->p.space & HG_HOST_SPACES;
    if (is_host != was_host || problem->p.device_id != planned->p.device_id) {
        char texts[2][32];
        hg_text now = hg_text_over(texts[0], sizeof texts[0]);
        hg_text then = hg_text_over(texts[1], sizeof texts[1]);
        hg_problem_describe_space(&now, problem);
        hg_problem_describe_space(&then, planned);
        return hg_error(HGATE_EDEVICE, "%s: is in %s memory, but the plan was made for %s",
                        row->args[row->main_arg].name, now.data, then.data);
    }
    int status = HGATE_OK;
    for (int i = 0; status == HGATE_OK && i < row->n_args; i++) {
        /* the plan of curvature has no matrix yet, only stand-ins */
        if (problem->p.op != HGATE_OP_CURVATURE) {
            status = check_as_planned(&row->args[i], planned->args[i], problem->args[i]);
        }
    }
    return status;
}

/* The caller's arrays, in a run together with those of the plan. */
static int gather(hg_draft *draft, const DLTensor **args)
{
    const hg_op *row = hg_op_row(draft->given.op);
    for (int i = 0; i < row->n_args; i++) {
        bool is_kept = draft->planned && row->args[i].in_plan;
        args[i] = is_kept ? draft->planned->args[i] : draft->given.args[i];
    }
    const hg_op_steps *steps = hg_op_steps_of(draft->given.op);
    return steps->arguments && !draft->planned ? steps->arguments(draft, args) : HGATE_OK;
}

static int read_arguments(hg_draft *draft)
{
    const DLTensor *args[HGATE_MAX_ARGS];
    int status = gather(draft, args);
    if (status == HGATE_OK) {
        status = hg_arguments_take(&draft->problem, args, draft->need);
    }
    if (status == HGATE_OK && draft->planned) {
        status = check_all_as_planned(draft->planned, &draft->problem);
    }
    return status;
}

/* In most runs every shape is that of the plan, and the sizes are known. */
static bool has_planned_shapes(const hg_draft *draft)
{
    for (int i = 0; i < draft->problem.p.n_args; i++) {
        const DLTensor *now = draft->problem.args[i];
        const DLTensor *then = draft->planned ? draft->planned->args[i] : NULL;
        if (!now != !then || (now && now->ndim != then->ndim)) {
            return false;
        }
        for (int k = 0; now && k < now->ndim; k++) {
            if (now->shape[k] != then->shape[k]) {
                return false;
            }
        }
    }
    return draft->planned != NULL;
}

static int read_sizes(hg_draft *draft)
{
    const hg_op_steps *steps = hg_op_steps_of(draft->given.op);
    int status = HGATE_OK;
    if (!has_planned_shapes(draft)) {
        status = steps->sizes ? steps->sizes(draft) : HGATE_OK;
        if (status == HGATE_OK) {
            status = hg_arguments_match(&draft->problem, draft->layouts);
        }
    }
    return status == HGATE_OK && steps->relations ? steps->relations(draft) : status;
}

int hg_draft_fill(hg_draft *draft, const hg_config *config, hg_given given,
                  const hg_problem *planned, hg_need need)
{
    draft->given = given;
    draft->config = config;
    draft->planned = planned;
    draft->need = need;
    draft->layouts = "";
    int status = HGATE_OK;
    if (planned) {
        hg_problem_copy(&draft->problem, planned);
    } else {
        hg_problem_init(&draft->problem, given.op);
        status = hg_params_take(draft);
    }
    draft->problem.p.alpha_re = given.alpha;
    draft->problem.p.beta_re = given.beta;
    draft->problem.p.n_out = given.n_out;
    if (status == HGATE_OK) {
        status = read_arguments(draft);
    }
    return status == HGATE_OK ? read_sizes(draft) : status;
}
