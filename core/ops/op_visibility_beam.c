/* SPDX-License-Identifier: BSD-3-Clause */
/* The public calls of visibility_beam, and the struct that tells where the nodes of a grid are. */
#include "core/base/error.h"
#include "core/ops/forms.h"

int hgate_beam_geometry_init(hgate_beam_geometry *geometry)
{
    if (!geometry) {
        return hg_error(HGATE_EINVAL, "geometry: is NULL, expected a struct");
    }
    *geometry = (hgate_beam_geometry){.struct_size = sizeof *geometry};
    return HGATE_OK;
}

enum { N_BEAM_ARGS = HGATE_VISIBILITY_BEAM_BEAM + 1 };

static int gather(const DLTensor **args, const DLTensor *grid, const hgate_beam_geometry *geometry,
                  const DLTensor *az, const DLTensor *za, const DLTensor *beam)
{
    int status = hg_check_struct("geometry", geometry, sizeof *geometry);
    if (status != HGATE_OK) {
        return status;
    }
    args[HGATE_VISIBILITY_BEAM_GRID] = grid;
    args[HGATE_VISIBILITY_BEAM_DAZ] = geometry->daz;
    args[HGATE_VISIBILITY_BEAM_DZA] = geometry->dza;
    args[HGATE_VISIBILITY_BEAM_AZ0] = geometry->az0;
    args[HGATE_VISIBILITY_BEAM_ZA0] = geometry->za0;
    args[HGATE_VISIBILITY_BEAM_AZ] = az;
    args[HGATE_VISIBILITY_BEAM_ZA] = za;
    args[HGATE_VISIBILITY_BEAM_BEAM] = beam;
    return HGATE_OK;
}

int hgate_visibility_beam(hgate_engine *engine, hgate_exec *exec,
                          const hgate_visibility_params *params, const DLTensor *grid,
                          const hgate_beam_geometry *geometry, const DLTensor *az,
                          const DLTensor *za, DLTensor *beam)
{
    const DLTensor *args[N_BEAM_ARGS];
    int status = gather(args, grid, geometry, az, za, beam);
    return status == HGATE_OK
               ? hg_op_call(engine, exec, hg_given_of(HGATE_OP_VISIBILITY_BEAM, params, args))
               : status;
}

int hgate_visibility_beam_plan(hgate_engine *engine, hgate_exec *exec,
                               const hgate_visibility_params *params, const DLTensor *grid,
                               const hgate_beam_geometry *geometry, const DLTensor *az,
                               const DLTensor *za, const DLTensor *beam, hgate_plan **plan)
{
    const DLTensor *args[N_BEAM_ARGS];
    int status = gather(args, grid, geometry, az, za, beam);
    return status == HGATE_OK
               ? hg_op_plan(engine, exec, hg_given_of(HGATE_OP_VISIBILITY_BEAM, params, args), plan)
               : status;
}

int hgate_visibility_beam_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *grid,
                              const hgate_beam_geometry *geometry, const DLTensor *az,
                              const DLTensor *za, DLTensor *beam)
{
    const DLTensor *args[N_BEAM_ARGS];
    int status = gather(args, grid, geometry, az, za, beam);
    return status == HGATE_OK
               ? hg_op_run(plan, exec, hg_given_of(HGATE_OP_VISIBILITY_BEAM, NULL, args))
               : status;
}

int hgate_visibility_beam_explain(hgate_engine *engine, hgate_exec *exec,
                                  const hgate_visibility_params *params, const DLTensor *grid,
                                  const hgate_beam_geometry *geometry, const DLTensor *az,
                                  const DLTensor *za, const DLTensor *beam, hgate_trace **trace)
{
    const DLTensor *args[N_BEAM_ARGS];
    int status = gather(args, grid, geometry, az, za, beam);
    return status == HGATE_OK
               ? hg_op_explain(engine, exec, hg_given_of(HGATE_OP_VISIBILITY_BEAM, params, args),
                               trace)
               : status;
}
