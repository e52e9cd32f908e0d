/* SPDX-License-Identifier: BSD-3-Clause */
/* The way of every public call: given arguments become a checked problem, and the engine gets it.
 */
#ifndef HG_OPS_FORMS_H
#define HG_OPS_FORMS_H

#include "core/config/config.h"
#include "core/tensor/arguments.h"

/* What a caller gave. `args` are in the order of the operation's row; in a run those of the plan
 * are NULL. Make one with hg_given_of(). */
typedef struct hg_given {
    int op;
    const void *params; /* NULL: the configuration's */
    const DLTensor *const *args;
    double alpha, beta; /* kirchhoff; elsewhere they are in params */
    int64_t n_up;       /* visibility */
    int64_t *n_out;     /* visibility_horizon */
} hg_given;

static inline hg_given hg_given_of(int op, const void *params, const DLTensor *const *args)
{
    return (hg_given){.op = op, .params = params, .args = args, .alpha = 1, .n_up = -1};
}

/* The four forms. Messages are written by whoever finds the fault. */
int hg_op_call(hgate_engine *engine, hgate_exec *exec, hg_given given);
int hg_op_plan(hgate_engine *engine, hgate_exec *exec, hg_given given, hgate_plan **plan);
int hg_op_run(hgate_plan *plan, hgate_exec *exec, hg_given given);
int hg_op_explain(hgate_engine *engine, hgate_exec *exec, hg_given given, hgate_trace **trace);

/* ---- inside ---- */

/* A problem under construction. */
typedef struct hg_draft {
    hg_given given;
    const hg_config *config;
    const hg_problem *planned; /* in a run: the problem as planned, else NULL */
    hg_need need;
    const char *layouts; /* words of shape rules in force */
    hg_problem problem;
} hg_draft;

/* Fills problem.params from the caller's struct or the configuration and checks every scalar. EABI,
 * EVALUE, EINVAL. */
int hg_params_take(hg_draft *draft);
/* Level of value checks of a problem, enum hgate_check. */
int hg_check_level(const hg_config *config, const hg_problem *problem);

/* What the public _init of a params struct does: the defaults without a configuration. */
int hg_params_init(int op, void *params);

/* EINVAL for NULL, EABI for another size than that of this version. */
int hg_check_struct(const char *name, const void *given, size_t size);

/* Steps of an operation that its rows cannot say. Each may be NULL. In this order: */
typedef struct hg_op_steps {
    /* Before anything is read: drops arrays that the scalars make useless, asks for the others. */
    int (*arguments)(const hg_draft *draft, const DLTensor **args);
    /* Before shapes are read: sizes that scalars give, layouts. In a run the sizes of the plan are
     * there already; when every shape is that of the plan, nothing is read and this left out. */
    int (*sizes)(hg_draft *draft);
    /* Afterwards: rules between arrays and scalars. */
    int (*relations)(hg_draft *draft);
    /* Elements of host arrays at check levels values and full: those that a plan keeps, others. */
    int (*kept_values)(const hg_problem *problem);
    int (*values)(const hg_problem *problem);
    /* What the problem tells about the data of host arrays. The plan of a run, else NULL. */
    int (*facts)(hg_problem *problem, const hgate_engine *engine, const hgate_plan *plan);
    /* Works out what stays with a new plan. */
    int (*keep)(hgate_plan *plan, const hg_problem *problem);
} hg_op_steps;

const hg_op_steps *hg_op_steps_of(int op);

/* Makes the problem of a call; of a run, the problem as planned is the other half. */
int hg_draft_fill(hg_draft *draft, const hg_config *config, hg_given given,
                  const hg_problem *planned, hg_need need);

/* Checks a call without running it: for plans of several problems. */
int hg_draft_build(hg_draft *draft, hgate_engine *engine, hgate_exec *exec, hg_given given,
                   hg_need need);
/* Makes a plan of n problems, the first of which has been built by `draft`. */
int hg_draft_plan(hg_draft *draft, hgate_engine *engine, hgate_exec *exec,
                  const hg_problem *const *problems, int n, hgate_plan **plan);

#endif
