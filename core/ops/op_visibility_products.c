/* SPDX-License-Identifier: BSD-3-Clause */
/* The public calls of the products: visibility_gram, visibility_product, visibility_pairs. */
#include "core/ops/forms.h"

/* ---- visibility_gram ---- */

int hgate_visibility_gram(hgate_engine *engine, hgate_exec *exec,
                          const hgate_visibility_params *params, const DLTensor *Z, DLTensor *V)
{
    const DLTensor *args[] = {Z, V};
    return hg_op_call(engine, exec, hg_given_of(HGATE_OP_VISIBILITY_GRAM, params, args));
}

int hgate_visibility_gram_plan(hgate_engine *engine, hgate_exec *exec,
                               const hgate_visibility_params *params, const DLTensor *Z,
                               const DLTensor *V, hgate_plan **plan)
{
    const DLTensor *args[] = {Z, V};
    return hg_op_plan(engine, exec, hg_given_of(HGATE_OP_VISIBILITY_GRAM, params, args), plan);
}

int hgate_visibility_gram_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *Z, DLTensor *V)
{
    const DLTensor *args[] = {Z, V};
    return hg_op_run(plan, exec, hg_given_of(HGATE_OP_VISIBILITY_GRAM, NULL, args));
}

int hgate_visibility_gram_explain(hgate_engine *engine, hgate_exec *exec,
                                  const hgate_visibility_params *params, const DLTensor *Z,
                                  const DLTensor *V, hgate_trace **trace)
{
    const DLTensor *args[] = {Z, V};
    return hg_op_explain(engine, exec, hg_given_of(HGATE_OP_VISIBILITY_GRAM, params, args), trace);
}

/* ---- visibility_product ---- */

int hgate_visibility_product(hgate_engine *engine, hgate_exec *exec,
                             const hgate_visibility_params *params, const DLTensor *A,
                             const DLTensor *B, DLTensor *C)
{
    const DLTensor *args[] = {A, B, C};
    return hg_op_call(engine, exec, hg_given_of(HGATE_OP_VISIBILITY_PRODUCT, params, args));
}

int hgate_visibility_product_plan(hgate_engine *engine, hgate_exec *exec,
                                  const hgate_visibility_params *params, const DLTensor *A,
                                  const DLTensor *B, const DLTensor *C, hgate_plan **plan)
{
    const DLTensor *args[] = {A, B, C};
    return hg_op_plan(engine, exec, hg_given_of(HGATE_OP_VISIBILITY_PRODUCT, params, args), plan);
}

int hgate_visibility_product_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *A,
                                 const DLTensor *B, DLTensor *C)
{
    const DLTensor *args[] = {A, B, C};
    return hg_op_run(plan, exec, hg_given_of(HGATE_OP_VISIBILITY_PRODUCT, NULL, args));
}

int hgate_visibility_product_explain(hgate_engine *engine, hgate_exec *exec,
                                     const hgate_visibility_params *params, const DLTensor *A,
                                     const DLTensor *B, const DLTensor *C, hgate_trace **trace)
{
    const DLTensor *args[] = {A, B, C};
    return hg_op_explain(engine, exec, hg_given_of(HGATE_OP_VISIBILITY_PRODUCT, params, args),
                         trace);
}

/* ---- visibility_pairs ---- */

int hgate_visibility_pairs(hgate_engine *engine, hgate_exec *exec,
                           const hgate_visibility_params *params, const DLTensor *Z,
                           const DLTensor *pairs, DLTensor *Vpairs)
{
    const DLTensor *args[] = {Z, pairs, Vpairs};
    return hg_op_call(engine, exec, hg_given_of(HGATE_OP_VISIBILITY_PAIRS, params, args));
}

int hgate_visibility_pairs_plan(hgate_engine *engine, hgate_exec *exec,
                                const hgate_visibility_params *params, const DLTensor *Z,
                                const DLTensor *pairs, const DLTensor *Vpairs, hgate_plan **plan)
{
    const DLTensor *args[] = {Z, pairs, Vpairs};
    return hg_op_plan(engine, exec, hg_given_of(HGATE_OP_VISIBILITY_PAIRS, params, args), plan);
}

int hgate_visibility_pairs_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *Z,
                               const DLTensor *pairs, DLTensor *Vpairs)
{
    const DLTensor *args[] = {Z, pairs, Vpairs};
    return hg_op_run(plan, exec, hg_given_of(HGATE_OP_VISIBILITY_PAIRS, NULL, args));
}

int hgate_visibility_pairs_explain(hgate_engine *engine, hgate_exec *exec,
                                   const hgate_visibility_params *params, const DLTensor *Z,
                                   const DLTensor *pairs, const DLTensor *Vpairs,
                                   hgate_trace **trace)
{
    const DLTensor *args[] = {Z, pairs, Vpairs};
    return hg_op_explain(engine, exec, hg_given_of(HGATE_OP_VISIBILITY_PAIRS, params, args), trace);
}
