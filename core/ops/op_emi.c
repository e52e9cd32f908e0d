/* SPDX-License-Identifier: BSD-3-Clause */
/* The public calls of the emi family. */
#include "core/ops/forms.h"

int hgate_emi_params_init(hgate_emi_params *params)
{
    return hg_params_init(HGATE_OP_EMI, params);
}

/* ---- emi ---- */

int hgate_emi(hgate_engine *engine, hgate_exec *exec, const hgate_emi_params *params,
              const DLTensor *coh, DLTensor *phase, DLTensor *quality, DLTensor *status,
              DLTensor *beta)
{
    const DLTensor *args[] = {coh, phase, quality, status, beta};
    return hg_op_call(engine, exec, hg_given_of(HGATE_OP_EMI, params, args));
}

int hgate_emi_plan(hgate_engine *engine, hgate_exec *exec, const hgate_emi_params *params,
                   const DLTensor *coh, const DLTensor *phase, const DLTensor *quality,
                   const DLTensor *status, const DLTensor *beta, hgate_plan **plan)
{
    const DLTensor *args[] = {coh, phase, quality, status, beta};
    return hg_op_plan(engine, exec, hg_given_of(HGATE_OP_EMI, params, args), plan);
}

int hgate_emi_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *coh, DLTensor *phase,
                  DLTensor *quality, DLTensor *status, DLTensor *beta)
{
    const DLTensor *args[] = {coh, phase, quality, status, beta};
    return hg_op_run(plan, exec, hg_given_of(HGATE_OP_EMI, NULL, args));
}

int hgate_emi_explain(hgate_engine *engine, hgate_exec *exec, const hgate_emi_params *params,
                      const DLTensor *coh, const DLTensor *phase, const DLTensor *quality,
                      const DLTensor *status, const DLTensor *beta, hgate_trace **trace)
{
    const DLTensor *args[] = {coh, phase, quality, status, beta};
    return hg_op_explain(engine, exec, hg_given_of(HGATE_OP_EMI, params, args), trace);
}

/* ---- evd ---- */

int hgate_evd(hgate_engine *engine, hgate_exec *exec, const hgate_emi_params *params,
              const DLTensor *coh, DLTensor *phase, DLTensor *quality, DLTensor *status)
{
    const DLTensor *args[] = {coh, phase, quality, status};
    return hg_op_call(engine, exec, hg_given_of(HGATE_OP_EVD, params, args));
}

int hgate_evd_plan(hgate_engine *engine, hgate_exec *exec, const hgate_emi_params *params,
                   const DLTensor *coh, const DLTensor *phase, const DLTensor *quality,
                   const DLTensor *status, hgate_plan **plan)
{
    const DLTensor *args[] = {coh, phase, quality, status};
    return hg_op_plan(engine, exec, hg_given_of(HGATE_OP_EVD, params, args), plan);
}

int hgate_evd_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *coh, DLTensor *phase,
                  DLTensor *quality, DLTensor *status)
{
    const DLTensor *args[] = {coh, phase, quality, status};
    return hg_op_run(plan, exec, hg_given_of(HGATE_OP_EVD, NULL, args));
}

int hgate_evd_explain(hgate_engine *engine, hgate_exec *exec, const hgate_emi_params *params,
                      const DLTensor *coh, const DLTensor *phase, const DLTensor *quality,
                      const DLTensor *status, hgate_trace **trace)
{
    const DLTensor *args[] = {coh, phase, quality, status};
    return hg_op_explain(engine, exec, hg_given_of(HGATE_OP_EVD, params, args), trace);
}

/* ---- ds_temp_coh ---- */

int hgate_ds_temp_coh(hgate_engine *engine, hgate_exec *exec, const hgate_emi_params *params,
                      const DLTensor *coh, const DLTensor *pairs, const DLTensor *phase,
                      DLTensor *t_coh)
{
    const DLTensor *args[] = {coh, pairs, phase, t_coh};
    return hg_op_call(engine, exec, hg_given_of(HGATE_OP_DS_TEMP_COH, params, args));
}

int hgate_ds_temp_coh_plan(hgate_engine *engine, hgate_exec *exec, const hgate_emi_params *params,
                           const DLTensor *coh, const DLTensor *pairs, const DLTensor *phase,
                           const DLTensor *t_coh, hgate_plan **plan)
{
    const DLTensor *args[] = {coh, pairs, phase, t_coh};
    return hg_op_plan(engine, exec, hg_given_of(HGATE_OP_DS_TEMP_COH, params, args), plan);
}

int hgate_ds_temp_coh_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *coh,
                          const DLTensor *pairs, const DLTensor *phase, DLTensor *t_coh)
{
    const DLTensor *args[] = {coh, pairs, phase, t_coh};
    return hg_op_run(plan, exec, hg_given_of(HGATE_OP_DS_TEMP_COH, NULL, args));
}

int hgate_ds_temp_coh_explain(hgate_engine *engine, hgate_exec *exec,
                              const hgate_emi_params *params, const DLTensor *coh,
                              const DLTensor *pairs, const DLTensor *phase, const DLTensor *t_coh,
                              hgate_trace **trace)
{
    const DLTensor *args[] = {coh, pairs, phase, t_coh};
    return hg_op_explain(engine, exec, hg_given_of(HGATE_OP_DS_TEMP_COH, params, args), trace);
}
