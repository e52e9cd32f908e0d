/* SPDX-License-Identifier: BSD-3-Clause */
/* What the ops room asks of the engine: run a problem, plan it, explain it. */
#ifndef HG_DISPATCH_H
#define HG_DISPATCH_H

#include "core/base/alloc.h"
#include "core/config/config.h"
#include "core/tensor/problem.h"

/* Settings of an open engine. */
const hg_config *hg_engine_config(const hgate_engine *engine);

/* Allocator of an open engine. */
const hg_allocator *hg_engine_allocator(const hgate_engine *engine);

/* Checks that belong to every call: engine and exec fit together, operation not disabled, stream
 * and tensors on one device. Called first by the ops room. */
int hg_engine_begin(hgate_engine *engine, hgate_exec *exec, int op);

/* One-shot: choose, prepare, run, free. */
int hg_dispatch(hgate_engine *engine, hgate_exec *exec, const hg_problem *problem);

/* Decides only; *out is the caller's. */
int hg_explain(hgate_engine *engine, hgate_exec *exec, const hg_problem *problem,
               hgate_trace **out);

/* A plan over n problems (1; kirchhoff has 2, forward and adjoint, that share what they prepare).
 * The problems are copied. Arguments in the plan have data, the others may have none. */
int hg_plan_new(hgate_engine *engine, hgate_exec *exec, const hg_problem *const *problems, int n,
                hgate_plan **out);
/* The i-th problem as planned, and its engine: the ops room checks run arguments against it. */
const hg_problem *hg_plan_problem(const hgate_plan *plan, int i);
hgate_engine *hg_plan_engine(const hgate_plan *plan);
/* Memory that the ops room keeps with a plan: zeroed, from the engine's allocator, freed with the
 * plan; one piece each plan. ENOMEM. */
int hg_plan_keep(hgate_plan *plan, size_t bytes, void **memory);
void *hg_plan_kept(const hgate_plan *plan); /* NULL where nothing was kept */
/* Runs the i-th problem of a plan with its full argument list. Curvature decides again (sizes of M
 * and facts differ per call); every other operation takes the planned kernel. Allocates nothing
 * once warm. */
int hg_plan_execute(hgate_plan *plan, hgate_exec *exec, int i, const hg_problem *problem);
/* Kernel chosen for the i-th problem, bytes it prepared (0 where an earlier problem of the plan
 * shares the object) and its workspace. */
int hg_plan_side(const hgate_plan *plan, int i, const char **plugin, const char **kernel,
                 size_t *prepared, size_t *ws_host, size_t *ws_device);

#endif
