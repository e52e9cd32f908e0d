/* SPDX-License-Identifier: BSD-3-Clause */
/* The public calls of the steps up to Z but the beam: horizon, angles, tau, z. */
#include "core/base/error.h"
#include "core/ops/forms.h"

/* ---- visibility_horizon ---- */

/* The count is an output of its own. */
static int check_n_up(const int64_t *n_up)
{
    return n_up ? HGATE_OK : hg_error(HGATE_EINVAL, "n_up: is NULL, expected a place for a number");
}

int hgate_visibility_horizon(hgate_engine *engine, hgate_exec *exec,
                             const hgate_visibility_params *params, const DLTensor *crd,
                             const DLTensor *flux, DLTensor *crd_up, DLTensor *flux_up,
                             DLTensor *index, int64_t *n_up)
{
    const DLTensor *args[] = {crd, flux, crd_up, flux_up, index};
    hg_given given = hg_given_of(HGATE_OP_VISIBILITY_HORIZON, params, args);
    given.n_out = n_up;
    int status = check_n_up(n_up);
    return status == HGATE_OK ? hg_op_call(engine, exec, given) : status;
}

int hgate_visibility_horizon_plan(hgate_engine *engine, hgate_exec *exec,
                                  const hgate_visibility_params *params, const DLTensor *crd,
                                  const DLTensor *flux, const DLTensor *crd_up,
                                  const DLTensor *flux_up, const DLTensor *index, hgate_plan **plan)
{
    const DLTensor *args[] = {crd, flux, crd_up, flux_up, index};
    return hg_op_plan(engine, exec, hg_given_of(HGATE_OP_VISIBILITY_HORIZON, params, args), plan);
}

int hgate_visibility_horizon_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *crd,
                                 const DLTensor *flux, DLTensor *crd_up, DLTensor *flux_up,
                                 DLTensor *index, int64_t *n_up)
{
    const DLTensor *args[] = {crd, flux, crd_up, flux_up, index};
    hg_given given = hg_given_of(HGATE_OP_VISIBILITY_HORIZON, NULL, args);
    given.n_out = n_up;
    int status = check_n_up(n_up);
    return status == HGATE_OK ? hg_op_run(plan, exec, given) : status;
}

int hgate_visibility_horizon_explain(hgate_engine *engine, hgate_exec *exec,
                                     const hgate_visibility_params *params, const DLTensor *crd,
                                     const DLTensor *flux, const DLTensor *crd_up,
                                     const DLTensor *flux_up, const DLTensor *index,
                                     hgate_trace **trace)
{
    const DLTensor *args[] = {crd, flux, crd_up, flux_up, index};
    return hg_op_explain(engine, exec, hg_given_of(HGATE_OP_VISIBILITY_HORIZON, params, args),
                         trace);
}

/* ---- visibility_angles ---- */

int hgate_visibility_angles(hgate_engine *engine, hgate_exec *exec,
                            const hgate_visibility_params *params, const DLTensor *crd,
                            DLTensor *az, DLTensor *za)
{
    const DLTensor *args[] = {crd, az, za};
    return hg_op_call(engine, exec, hg_given_of(HGATE_OP_VISIBILITY_ANGLES, params, args));
}

int hgate_visibility_angles_plan(hgate_engine *engine, hgate_exec *exec,
                                 const hgate_visibility_params *params, const DLTensor *crd,
                                 const DLTensor *az, const DLTensor *za, hgate_plan **plan)
{
    const DLTensor *args[] = {crd, az, za};
    return hg_op_plan(engine, exec, hg_given_of(HGATE_OP_VISIBILITY_ANGLES, params, args), plan);
}

int hgate_visibility_angles_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *crd,
                                DLTensor *az, DLTensor *za)
{
    const DLTensor *args[] = {crd, az, za};
    return hg_op_run(plan, exec, hg_given_of(HGATE_OP_VISIBILITY_ANGLES, NULL, args));
}

int hgate_visibility_angles_explain(hgate_engine *engine, hgate_exec *exec,
                                    const hgate_visibility_params *params, const DLTensor *crd,
                                    const DLTensor *az, const DLTensor *za, hgate_trace **trace)
{
    const DLTensor *args[] = {crd, az, za};
    return hg_op_explain(engine, exec, hg_given_of(HGATE_OP_VISIBILITY_ANGLES, params, args),
                         trace);
}

/* ---- visibility_tau ---- */

int hgate_visibility_tau(hgate_engine *engine, hgate_exec *exec,
                         const hgate_visibility_params *params, const DLTensor *antpos,
                         const DLTensor *crd, DLTensor *exptau)
{
    const DLTensor *args[] = {antpos, crd, exptau};
    return hg_op_call(engine, exec, hg_given_of(HGATE_OP_VISIBILITY_TAU, params, args));
}

int hgate_visibility_tau_plan(hgate_engine *engine, hgate_exec *exec,
                              const hgate_visibility_params *params, const DLTensor *antpos,
                              const DLTensor *crd, const DLTensor *exptau, hgate_plan **plan)
{
    const DLTensor *args[] = {antpos, crd, exptau};
    return hg_op_plan(engine, exec, hg_given_of(HGATE_OP_VISIBILITY_TAU, params, args), plan);
}

int hgate_visibility_tau_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *antpos,
                             const DLTensor *crd, DLTensor *exptau)
{
    const DLTensor *args[] = {antpos, crd, exptau};
    return hg_op_run(plan, exec, hg_given_of(HGATE_OP_VISIBILITY_TAU, NULL, args));
}

int hgate_visibility_tau_explain(hgate_engine *engine, hgate_exec *exec,
                                 const hgate_visibility_params *params, const DLTensor *antpos,
                                 const DLTensor *crd, const DLTensor *exptau, hgate_trace **trace)
{
    const DLTensor *args[] = {antpos, crd, exptau};
    return hg_op_explain(engine, exec, hg_given_of(HGATE_OP_VISIBILITY_TAU, params, args), trace);
}

/* ---- visibility_z ---- */

int hgate_visibility_z(hgate_engine *engine, hgate_exec *exec,
                       const hgate_visibility_params *params, const DLTensor *beam,
                       const DLTensor *exptau, const DLTensor *flux, const DLTensor *beam_idx,
                       DLTensor *Z)
{
    const DLTensor *args[] = {beam, exptau, flux, beam_idx, Z};
    return hg_op_call(engine, exec, hg_given_of(HGATE_OP_VISIBILITY_Z, params, args));
}

int hgate_visibility_z_plan(hgate_engine *engine, hgate_exec *exec,
                            const hgate_visibility_params *params, const DLTensor *beam,
                            const DLTensor *exptau, const DLTensor *flux, const DLTensor *beam_idx,
                            const DLTensor *Z, hgate_plan **plan)
{
    const DLTensor *args[] = {beam, exptau, flux, beam_idx, Z};
    return hg_op_plan(engine, exec, hg_given_of(HGATE_OP_VISIBILITY_Z, params, args), plan);
}

int hgate_visibility_z_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *beam,
                           const DLTensor *exptau, const DLTensor *flux, const DLTensor *beam_idx,
                           DLTensor *Z)
{
    const DLTensor *args[] = {beam, exptau, flux, beam_idx, Z};
    return hg_op_run(plan, exec, hg_given_of(HGATE_OP_VISIBILITY_Z, NULL, args));
}

int hgate_visibility_z_explain(hgate_engine *engine, hgate_exec *exec,
                               const hgate_visibility_params *params, const DLTensor *beam,
                               const DLTensor *exptau, const DLTensor *flux,
                               const DLTensor *beam_idx, const DLTensor *Z, hgate_trace **trace)
{
    const DLTensor *args[] = {beam, exptau, flux, beam_idx, Z};
    return hg_op_explain(engine, exec, hg_given_of(HGATE_OP_VISIBILITY_Z, params, args), trace);
}
