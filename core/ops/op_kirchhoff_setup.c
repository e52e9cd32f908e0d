/* SPDX-License-Identifier: BSD-3-Clause */
/* The public calls of the set-up operations without a grid: spreading, wavelet, convolve. */
#include "core/ops/forms.h"

/* ---- kirchhoff_spreading ---- */

int hgate_kirchhoff_spreading(hgate_engine *engine, hgate_exec *exec, int ndim, double eps,
                              const DLTensor *dist, DLTensor *amp)
{
    const DLTensor *args[] = {dist, amp};
    hgate_kirchhoff_setup setup = {.struct_size = sizeof setup, .ndim = ndim, .eps = eps};
    return hg_op_call(engine, exec, hg_given_of(HGATE_OP_KIRCHHOFF_SPREADING, &setup, args));
}

int hgate_kirchhoff_spreading_plan(hgate_engine *engine, hgate_exec *exec, int ndim, double eps,
                                   const DLTensor *dist, const DLTensor *amp, hgate_plan **plan)
{
    const DLTensor *args[] = {dist, amp};
    hgate_kirchhoff_setup setup = {.struct_size = sizeof setup, .ndim = ndim, .eps = eps};
    return hg_op_plan(engine, exec, hg_given_of(HGATE_OP_KIRCHHOFF_SPREADING, &setup, args), plan);
}

int hgate_kirchhoff_spreading_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *dist,
                                  DLTensor *amp)
{
    const DLTensor *args[] = {dist, amp};
    return hg_op_run(plan, exec, hg_given_of(HGATE_OP_KIRCHHOFF_SPREADING, NULL, args));
}

int hgate_kirchhoff_spreading_explain(hgate_engine *engine, hgate_exec *exec, int ndim, double eps,
                                      const DLTensor *dist, const DLTensor *amp,
                                      hgate_trace **trace)
{
    const DLTensor *args[] = {dist, amp};
    hgate_kirchhoff_setup setup = {.struct_size = sizeof setup, .ndim = ndim, .eps = eps};
    return hg_op_explain(engine, exec, hg_given_of(HGATE_OP_KIRCHHOFF_SPREADING, &setup, args),
                         trace);
}

/* ---- kirchhoff_wavelet ---- */

int hgate_kirchhoff_wavelet(hgate_engine *engine, hgate_exec *exec, int ndim, double dt,
                            const DLTensor *wav, DLTensor *wav_filtered)
{
    const DLTensor *args[] = {wav, wav_filtered};
    hgate_kirchhoff_setup setup = {.struct_size = sizeof setup, .ndim = ndim, .dt = dt};
    return hg_op_call(engine, exec, hg_given_of(HGATE_OP_KIRCHHOFF_WAVELET, &setup, args));
}

int hgate_kirchhoff_wavelet_plan(hgate_engine *engine, hgate_exec *exec, int ndim, double dt,
                                 const DLTensor *wav, const DLTensor *wav_filtered,
                                 hgate_plan **plan)
{
    const DLTensor *args[] = {wav, wav_filtered};
    hgate_kirchhoff_setup setup = {.struct_size = sizeof setup, .ndim = ndim, .dt = dt};
    return hg_op_plan(engine, exec, hg_given_of(HGATE_OP_KIRCHHOFF_WAVELET, &setup, args), plan);
}

int hgate_kirchhoff_wavelet_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *wav,
                                DLTensor *wav_filtered)
{
    const DLTensor *args[] = {wav, wav_filtered};
    return hg_op_run(plan, exec, hg_given_of(HGATE_OP_KIRCHHOFF_WAVELET, NULL, args));
}

int hgate_kirchhoff_wavelet_explain(hgate_engine *engine, hgate_exec *exec, int ndim, double dt,
                                    const DLTensor *wav, const DLTensor *wav_filtered,
                                    hgate_trace **trace)
{
    const DLTensor *args[] = {wav, wav_filtered};
    hgate_kirchhoff_setup setup = {.struct_size = sizeof setup, .ndim = ndim, .dt = dt};
    return hg_op_explain(engine, exec, hg_given_of(HGATE_OP_KIRCHHOFF_WAVELET, &setup, args),
                         trace);
}

/* ---- kirchhoff_convolve ---- */

int hgate_kirchhoff_convolve(hgate_engine *engine, hgate_exec *exec, int adjoint,
                             const DLTensor *wav, int64_t wavc, const DLTensor *in, DLTensor *out)
{
    const DLTensor *args[] = {wav, in, out};
    hgate_kirchhoff_setup setup = {.struct_size = sizeof setup, .wavc = wavc, .adjoint = adjoint};
    return hg_op_call(engine, exec, hg_given_of(HGATE_OP_KIRCHHOFF_CONVOLVE, &setup, args));
}

int hgate_kirchhoff_convolve_plan(hgate_engine *engine, hgate_exec *exec, int adjoint,
                                  const DLTensor *wav, int64_t wavc, const DLTensor *in,
                                  const DLTensor *out, hgate_plan **plan)
{
    const DLTensor *args[] = {wav, in, out};
    hgate_kirchhoff_setup setup = {.struct_size = sizeof setup, .wavc = wavc, .adjoint = adjoint};
    return hg_op_plan(engine, exec, hg_given_of(HGATE_OP_KIRCHHOFF_CONVOLVE, &setup, args), plan);
}

int hgate_kirchhoff_convolve_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *wav,
                                 const DLTensor *in, DLTensor *out)
{
    const DLTensor *args[] = {wav, in, out};
    return hg_op_run(plan, exec, hg_given_of(HGATE_OP_KIRCHHOFF_CONVOLVE, NULL, args));
}

int hgate_kirchhoff_convolve_explain(hgate_engine *engine, hgate_exec *exec, int adjoint,
                                     const DLTensor *wav, int64_t wavc, const DLTensor *in,
                                     const DLTensor *out, hgate_trace **trace)
{
    const DLTensor *args[] = {wav, in, out};
    hgate_kirchhoff_setup setup = {.struct_size = sizeof setup, .wavc = wavc, .adjoint = adjoint};
    return hg_op_explain(engine, exec, hg_given_of(HGATE_OP_KIRCHHOFF_CONVOLVE, &setup, args),
                         trace);
}
