/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine room's side of core/engine/dispatch.h, without an engine. */
#include "tests/fake_engine.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

struct hgate_plan {
    hgate_engine *engine;
    int n;
    hg_problem problems[2];
    void *kept;
};

hgate_engine *fake_engine_open(const char *yaml)
{
    hgate_engine *engine = calloc(1, sizeof *engine);
    hgate_config *api = NULL;
    ck_assert_int_eq(hgate_config_new(&api), HGATE_OK);
    if (yaml) {
        ck_assert_int_eq(hgate_config_load_text(api, yaml, strlen(yaml), "test"), HGATE_OK);
    }
    ck_assert_msg(hg_config_resolve(api, NULL, NULL, &engine->config) == HGATE_OK, "%s",
                  hgate_last_error());
    hgate_config_free(api);
    return engine;
}

void fake_engine_close(hgate_engine *engine)
{
    hg_config_release(engine->config);
    free(engine);
}

const hg_config *hg_engine_config(const hgate_engine *engine)
{
    return engine->config;
}

const hg_allocator *hg_engine_allocator(const hgate_engine *engine)
{
    (void)engine;
    return NULL;
}

int hg_engine_begin(hgate_engine *engine, hgate_exec *exec, int op)
{
    (void)exec;
    engine->begun = op;
    return engine->begin_status;
}

int hg_dispatch(hgate_engine *engine, hgate_exec *exec, const hg_problem *problem)
{
    (void)exec;
    engine->dispatched++;
    hg_problem_copy(&engine->last, problem);
    return HGATE_OK;
}

int hg_explain(hgate_engine *engine, hgate_exec *exec, const hg_problem *problem, hgate_trace **out)
{
    (void)exec;
    engine->explained++;
    hg_problem_copy(&engine->last, problem);
    *out = (hgate_trace *)engine;
    return HGATE_OK;
}

int hg_plan_new(hgate_engine *engine, hgate_exec *exec, const hg_problem *const *problems, int n,
                hgate_plan **out)
{
    (void)exec;
    hgate_plan *plan = calloc(1, sizeof *plan);
    plan->engine = engine;
    plan->n = n;
    for (int i = 0; i < n; i++) {
        hg_problem_copy(&plan->problems[i], problems[i]);
    }
    engine->planned++;
    hg_problem_copy(&engine->last, problems[0]);
    *out = plan;
    return HGATE_OK;
}

void hgate_plan_free(hgate_plan *plan)
{
    if (plan) {
        free(plan->kept);
        free(plan);
    }
}

const hg_problem *hg_plan_problem(const hgate_plan *plan, int i)
{
    return &plan->problems[i];
}

hgate_engine *hg_plan_engine(const hgate_plan *plan)
{
    return plan->engine;
}

int hg_plan_keep(hgate_plan *plan, size_t bytes, void **memory)
{
    plan->kept = calloc(1, bytes);
    *memory = plan->kept;
    return HGATE_OK;
}

void *hg_plan_kept(const hgate_plan *plan)
{
    return plan->kept;
}

int hg_plan_execute(hgate_plan *plan, hgate_exec *exec, int i, const hg_problem *problem)
{
    (void)exec;
    plan->engine->executed++;
    plan->engine->side = i;
    hg_problem_copy(&plan->engine->last, problem);
    return HGATE_OK;
}

int hg_plan_side(const hgate_plan *plan, int i, const char **plugin, const char **kernel,
                 size_t *prepared, size_t *ws_host, size_t *ws_device)
{
    (void)plan;
    *plugin = i ? "right" : "left";
    *kernel = i ? "gather" : "scatter";
    *prepared = i ? 0 : 1000;
    *ws_host = i ? 300 : 70;
    *ws_device = i ? 4 : 5;
    return HGATE_OK;
}
