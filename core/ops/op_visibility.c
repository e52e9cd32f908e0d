/* SPDX-License-Identifier: BSD-3-Clause */
/* The public calls of visibility, all steps fused, and the structs that it takes. */
#include "core/base/error.h"
#include "core/ops/forms.h"

int hgate_visibility_params_init(hgate_visibility_params *params)
{
    return hg_params_init(HGATE_OP_VISIBILITY, params);
}

int hgate_visibility_input_init(hgate_visibility_input *input)
{
    if (!input) {
        return hg_error(HGATE_EINVAL, "in: is NULL, expected a struct");
    }
    *input = (hgate_visibility_input){.struct_size = sizeof *input, .n_up = -1};
    return HGATE_OK;
}

enum { N_ARGS = HGATE_VISIBILITY_V + 1 };

/* Arguments in the order of the row, and the count of sources that are up. */
static int gather(hg_given *given, const DLTensor **args, const void *params,
                  const hgate_visibility_input *in, const DLTensor *V)
{
    int status = hg_check_struct("in", in, sizeof *in);
    if (status != HGATE_OK) {
        return status;
    }
    const DLTensor *const all[] = {in->antpos, in->crd, in->flux,     in->grid,  in->daz, in->dza,
                                   in->az0,    in->za0, in->beam_idx, in->pairs, V};
    for (int i = 0; i < N_ARGS; i++) {
        args[i] = all[i];
    }
    *given = hg_given_of(HGATE_OP_VISIBILITY, params, args);
    given->n_up = in->n_up;
    return HGATE_OK;
}

int hgate_visibility(hgate_engine *engine, hgate_exec *exec, const hgate_visibility_params *params,
                     const hgate_visibility_input *in, DLTensor *V)
{
    const DLTensor *args[N_ARGS];
    hg_given given;
    int status = gather(&given, args, params, in, V);
    return status == HGATE_OK ? hg_op_call(engine, exec, given) : status;
}

int hgate_visibility_plan(hgate_engine *engine, hgate_exec *exec,
                          const hgate_visibility_params *params, const hgate_visibility_input *in,
                          const DLTensor *V, hgate_plan **plan)
{
    const DLTensor *args[N_ARGS];
    hg_given given;
    int status = gather(&given, args, params, in, V);
    return status == HGATE_OK ? hg_op_plan(engine, exec, given, plan) : status;
}

int hgate_visibility_run(hgate_plan *plan, hgate_exec *exec, const hgate_visibility_input *in,
                         DLTensor *V)
{
    const DLTensor *args[N_ARGS];
    hg_given given;
    int status = gather(&given, args, NULL, in, V);
    return status == HGATE_OK ? hg_op_run(plan, exec, given) : status;
}

int hgate_visibility_explain(hgate_engine *engine, hgate_exec *exec,
                             const hgate_visibility_params *params,
                             const hgate_visibility_input *in, const DLTensor *V,
                             hgate_trace **trace)
{
    const DLTensor *args[N_ARGS];
    hg_given given;
    int status = gather(&given, args, params, in, V);
    return status == HGATE_OK ? hg_op_explain(engine, exec, given, trace) : status;
}
