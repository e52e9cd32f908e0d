/* SPDX-License-Identifier: BSD-3-Clause */
/* The public calls of the set-up operations over a grid: traveltime, angles, station_index. */
#include "core/base/error.h"
#include "core/ops/forms.h"

int hgate_kirchhoff_grid_init(hgate_kirchhoff_grid *grid)
{
    if (!grid) {
        return hg_error(HGATE_EINVAL, "grid: is NULL, expected a struct");
    }
    *grid = (hgate_kirchhoff_grid){.struct_size = sizeof *grid};
    return HGATE_OK;
}

/* The scalars of a call with a grid; v counts for traveltimes alone. */
static int set_up(hgate_kirchhoff_setup *setup, const hgate_kirchhoff_grid *grid, double v)
{
    int status = hg_check_struct("grid", grid, sizeof *grid);
    if (status == HGATE_OK) {
        *setup = (hgate_kirchhoff_setup){.struct_size = sizeof *setup, .grid = *grid, .v = v};
    }
    return status;
}

/* ---- kirchhoff_traveltime ---- */

int hgate_kirchhoff_traveltime(hgate_engine *engine, hgate_exec *exec,
                               const hgate_kirchhoff_grid *grid, const DLTensor *stations, double v,
                               DLTensor *trav, DLTensor *dist)
{
    const DLTensor *args[] = {stations, trav, dist};
    hgate_kirchhoff_setup setup;
    int status = set_up(&setup, grid, v);
    return status == HGATE_OK
               ? hg_op_call(engine, exec, hg_given_of(HGATE_OP_KIRCHHOFF_TRAVELTIME, &setup, args))
               : status;
}

int hgate_kirchhoff_traveltime_plan(hgate_engine *engine, hgate_exec *exec,
                                    const hgate_kirchhoff_grid *grid, const DLTensor *stations,
                                    double v, const DLTensor *trav, const DLTensor *dist,
                                    hgate_plan **plan)
{
    const DLTensor *args[] = {stations, trav, dist};
    hgate_kirchhoff_setup setup;
    int status = set_up(&setup, grid, v);
    return status == HGATE_OK
               ? hg_op_plan(engine, exec, hg_given_of(HGATE_OP_KIRCHHOFF_TRAVELTIME, &setup, args),
                            plan)
               : status;
}

int hgate_kirchhoff_traveltime_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *stations,
                                   DLTensor *trav, DLTensor *dist)
{
    const DLTensor *args[] = {stations, trav, dist};
    return hg_op_run(plan, exec, hg_given_of(HGATE_OP_KIRCHHOFF_TRAVELTIME, NULL, args));
}

int hgate_kirchhoff_traveltime_explain(hgate_engine *engine, hgate_exec *exec,
                                       const hgate_kirchhoff_grid *grid, const DLTensor *stations,
                                       double v, const DLTensor *trav, const DLTensor *dist,
                                       hgate_trace **trace)
{
    const DLTensor *args[] = {stations, trav, dist};
    hgate_kirchhoff_setup setup;
    int status = set_up(&setup, grid, v);
    return status == HGATE_OK
               ? hg_op_explain(engine, exec,
                               hg_given_of(HGATE_OP_KIRCHHOFF_TRAVELTIME, &setup, args), trace)
               : status;
}

/* ---- kirchhoff_angles ---- */

int hgate_kirchhoff_angles(hgate_engine *engine, hgate_exec *exec, const hgate_kirchhoff_grid *grid,
                           const DLTensor *trav, DLTensor *ang)
{
    const DLTensor *args[] = {trav, ang};
    hgate_kirchhoff_setup setup;
    int status = set_up(&setup, grid, 0);
    return status == HGATE_OK
               ? hg_op_call(engine, exec, hg_given_of(HGATE_OP_KIRCHHOFF_ANGLES, &setup, args))
               : status;
}

int hgate_kirchhoff_angles_plan(hgate_engine *engine, hgate_exec *exec,
                                const hgate_kirchhoff_grid *grid, const DLTensor *trav,
                                const DLTensor *ang, hgate_plan **plan)
{
    const DLTensor *args[] = {trav, ang};
    hgate_kirchhoff_setup setup;
    int status = set_up(&setup, grid, 0);
    return status == HGATE_OK
               ? hg_op_plan(engine, exec, hg_given_of(HGATE_OP_KIRCHHOFF_ANGLES, &setup, args),
                            plan)
               : status;
}

int hgate_kirchhoff_angles_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *trav,
                               DLTensor *ang)
{
    const DLTensor *args[] = {trav, ang};
    return hg_op_run(plan, exec, hg_given_of(HGATE_OP_KIRCHHOFF_ANGLES, NULL, args));
}

int hgate_kirchhoff_angles_explain(hgate_engine *engine, hgate_exec *exec,
                                   const hgate_kirchhoff_grid *grid, const DLTensor *trav,
                                   const DLTensor *ang, hgate_trace **trace)
{
    const DLTensor *args[] = {trav, ang};
    hgate_kirchhoff_setup setup;
    int status = set_up(&setup, grid, 0);
    return status == HGATE_OK
               ? hg_op_explain(engine, exec, hg_given_of(HGATE_OP_KIRCHHOFF_ANGLES, &setup, args),
                               trace)
               : status;
}

/* ---- kirchhoff_station_index ---- */

int hgate_kirchhoff_station_index(hgate_engine *engine, hgate_exec *exec,
                                  const hgate_kirchhoff_grid *grid, const DLTensor *stations,
                                  DLTensor *idx)
{
    const DLTensor *args[] = {stations, idx};
    hgate_kirchhoff_setup setup;
    int status = set_up(&setup, grid, 0);
    return status == HGATE_OK
               ? hg_op_call(engine, exec,
                            hg_given_of(HGATE_OP_KIRCHHOFF_STATION_INDEX, &setup, args))
               : status;
}

int hgate_kirchhoff_station_index_plan(hgate_engine *engine, hgate_exec *exec,
                                       const hgate_kirchhoff_grid *grid, const DLTensor *stations,
                                       const DLTensor *idx, hgate_plan **plan)
{
    const DLTensor *args[] = {stations, idx};
    hgate_kirchhoff_setup setup;
    int status = set_up(&setup, grid, 0);
    return status == HGATE_OK
               ? hg_op_plan(engine, exec,
                            hg_given_of(HGATE_OP_KIRCHHOFF_STATION_INDEX, &setup, args), plan)
               : status;
}

int hgate_kirchhoff_station_index_run(hgate_plan *plan, hgate_exec *exec, const DLTensor *stations,
                                      DLTensor *idx)
{
    const DLTensor *args[] = {stations, idx};
    return hg_op_run(plan, exec, hg_given_of(HGATE_OP_KIRCHHOFF_STATION_INDEX, NULL, args));
}

int hgate_kirchhoff_station_index_explain(hgate_engine *engine, hgate_exec *exec,
                                          const hgate_kirchhoff_grid *grid,
                                          const DLTensor *stations, const DLTensor *idx,
                                          hgate_trace **trace)
{
    const DLTensor *args[] = {stations, idx};
    hgate_kirchhoff_setup setup;
    int status = set_up(&setup, grid, 0);
    return status == HGATE_OK
               ? hg_op_explain(engine, exec,
                               hg_given_of(HGATE_OP_KIRCHHOFF_STATION_INDEX, &setup, args), trace)
               : status;
}
