/* SPDX-License-Identifier: BSD-3-Clause */
/* The public calls of the curvature family. */
#include "core/ops/forms.h"

int hgate_curvature_params_init(hgate_curvature_params *params)
{
    return hg_params_init(HGATE_OP_CURVATURE, params);
}

/* ---- curvature ---- */

int hgate_curvature(hgate_engine *engine, hgate_exec *exec, const hgate_curvature_params *params,
                    const DLTensor *w, const DLTensor *iy, const DLTensor *ix,
                    const DLTensor *indptr, const DLTensor *rows, const DLTensor *vals, DLTensor *F)
{
    const DLTensor *args[] = {w, iy, ix, indptr, rows, vals, F};
    return hg_op_call(engine, exec, hg_given_of(HGATE_OP_CURVATURE, params, args));
}

int hgate_curvature_plan(hgate_engine *engine, hgate_exec *exec,
                         const hgate_curvature_params *params, const DLTensor *w,
                         const DLTensor *iy, const DLTensor *ix, hgate_plan **plan)
{
    const DLTensor *args[] = {w, iy, ix, NULL, NULL, NULL, NULL};
    return hg_op_plan(engine, exec, hg_given_of(HGATE_OP_CURVATURE, params, args), plan);
}

int hgate_curvature_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *indptr,
                        const DLTensor *rows, const DLTensor *vals, DLTensor *F)
{
    const DLTensor *args[] = {NULL, NULL, NULL, indptr, rows, vals, F};
    return hg_op_run(plan, exec, hg_given_of(HGATE_OP_CURVATURE, NULL, args));
}

int hgate_curvature_explain(hgate_engine *engine, hgate_exec *exec,
                            const hgate_curvature_params *params, const DLTensor *w,
                            const DLTensor *iy, const DLTensor *ix, const DLTensor *indptr,
                            const DLTensor *rows, const DLTensor *vals, const DLTensor *F,
                            hgate_trace **trace)
{
    const DLTensor *args[] = {w, iy, ix, indptr, rows, vals, F};
    return hg_op_explain(engine, exec, hg_given_of(HGATE_OP_CURVATURE, params, args), trace);
}

/* ---- curvature_kernel ---- */

int hgate_curvature_kernel(hgate_engine *engine, hgate_exec *exec,
                           const hgate_curvature_params *params, const DLTensor *uv,
                           const DLTensor *sigma, DLTensor *w)
{
    const DLTensor *args[] = {uv, sigma, w};
    return hg_op_call(engine, exec, hg_given_of(HGATE_OP_CURVATURE_KERNEL, params, args));
}

int hgate_curvature_kernel_plan(hgate_engine *engine, hgate_exec *exec,
                                const hgate_curvature_params *params, const DLTensor *uv,
                                const DLTensor *sigma, const DLTensor *w, hgate_plan **plan)
{
    const DLTensor *args[] = {uv, sigma, w};
    return hg_op_plan(engine, exec, hg_given_of(HGATE_OP_CURVATURE_KERNEL, params, args), plan);
}

int hgate_curvature_kernel_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *uv,
                               const DLTensor *sigma, DLTensor *w)
{
    const DLTensor *args[] = {uv, sigma, w};
    return hg_op_run(plan, exec, hg_given_of(HGATE_OP_CURVATURE_KERNEL, NULL, args));
}

int hgate_curvature_kernel_explain(hgate_engine *engine, hgate_exec *exec,
                                   const hgate_curvature_params *params, const DLTensor *uv,
                                   const DLTensor *sigma, const DLTensor *w, hgate_trace **trace)
{
    const DLTensor *args[] = {uv, sigma, w};
    return hg_op_explain(engine, exec, hg_given_of(HGATE_OP_CURVATURE_KERNEL, params, args), trace);
}

/* ---- curvature_dirty ---- */

int hgate_curvature_dirty(hgate_engine *engine, hgate_exec *exec,
                          const hgate_curvature_params *params, const DLTensor *uv,
                          const DLTensor *sigma, const DLTensor *vis, const DLTensor *y,
                          const DLTensor *x, DLTensor *d)
{
    const DLTensor *args[] = {uv, sigma, vis, y, x, d};
    return hg_op_call(engine, exec, hg_given_of(HGATE_OP_CURVATURE_DIRTY, params, args));
}

int hgate_curvature_dirty_plan(hgate_engine *engine, hgate_exec *exec,
                               const hgate_curvature_params *params, const DLTensor *uv,
                               const DLTensor *sigma, const DLTensor *vis, const DLTensor *y,
                               const DLTensor *x, const DLTensor *d, hgate_plan **plan)
{
    const DLTensor *args[] = {uv, sigma, vis, y, x, d};
    return hg_op_plan(engine, exec, hg_given_of(HGATE_OP_CURVATURE_DIRTY, params, args), plan);
}

int hgate_curvature_dirty_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *uv,
                              const DLTensor *sigma, const DLTensor *vis, const DLTensor *y,
                              const DLTensor *x, DLTensor *d)
{
    const DLTensor *args[] = {uv, sigma, vis, y, x, d};
    return hg_op_run(plan, exec, hg_given_of(HGATE_OP_CURVATURE_DIRTY, NULL, args));
}

int hgate_curvature_dirty_explain(hgate_engine *engine, hgate_exec *exec,
                                  const hgate_curvature_params *params, const DLTensor *uv,
                                  const DLTensor *sigma, const DLTensor *vis, const DLTensor *y,
                                  const DLTensor *x, const DLTensor *d, hgate_trace **trace)
{
    const DLTensor *args[] = {uv, sigma, vis, y, x, d};
    return hg_op_explain(engine, exec, hg_given_of(HGATE_OP_CURVATURE_DIRTY, params, args), trace);
}

/* ---- curvature_data_vector ---- */

int hgate_curvature_data_vector(hgate_engine *engine, hgate_exec *exec,
                                const hgate_curvature_params *params, const DLTensor *d,
                                const DLTensor *indptr, const DLTensor *rows, const DLTensor *vals,
                                DLTensor *D)
{
    const DLTensor *args[] = {d, indptr, rows, vals, D};
    return hg_op_call(engine, exec, hg_given_of(HGATE_OP_CURVATURE_DATA_VECTOR, params, args));
}

int hgate_curvature_data_vector_plan(hgate_engine *engine, hgate_exec *exec,
                                     const hgate_curvature_params *params, const DLTensor *d,
                                     const DLTensor *indptr, const DLTensor *rows,
                                     const DLTensor *vals, const DLTensor *D, hgate_plan **plan)
{
    const DLTensor *args[] = {d, indptr, rows, vals, D};
    return hg_op_plan(engine, exec, hg_given_of(HGATE_OP_CURVATURE_DATA_VECTOR, params, args),
                      plan);
}

int hgate_curvature_data_vector_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *d,
                                    const DLTensor *indptr, const DLTensor *rows,
                                    const DLTensor *vals, DLTensor *D)
{
    const DLTensor *args[] = {d, indptr, rows, vals, D};
    return hg_op_run(plan, exec, hg_given_of(HGATE_OP_CURVATURE_DATA_VECTOR, NULL, args));
}

int hgate_curvature_data_vector_explain(hgate_engine *engine, hgate_exec *exec,
                                        const hgate_curvature_params *params, const DLTensor *d,
                                        const DLTensor *indptr, const DLTensor *rows,
                                        const DLTensor *vals, const DLTensor *D,
                                        hgate_trace **trace)
{
    const DLTensor *args[] = {d, indptr, rows, vals, D};
    return hg_op_explain(engine, exec, hg_given_of(HGATE_OP_CURVATURE_DATA_VECTOR, params, args),
                         trace);
}
