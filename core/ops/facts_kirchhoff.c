/* SPDX-License-Identifier: BSD-3-Clause */
/* Pairs of a kirchhoff plan that contribute nothing, and hgate_kirchhoff_info(). */
#include "core/base/error.h"
#include "core/engine/dispatch.h"
#include "core/ops/scan.h"
#include "core/ops/steps.h"
#include "core/tensor/dtype.h"
#include "core/tensor/op_table.h"
#include "core/tensor/tensor.h"

#include <math.h>

/* What stays with a plan. */
typedef struct kept {
    int64_t pairs_dropped; /* -1: not counted */
} kept;

/* ---- pairs ---- */

/* The tables of one side, whichever of their axes comes first. */
typedef struct side {
    const DLTensor *trav, *amp, *ang; /* amp and ang NULL: kinematic */
    int64_t point_step, station_step;
} side;

static side side_of(const hg_problem *problem, int is_receiver, int64_t n_stations)
{
    const DLTensor *const *args = problem->args + is_receiver; /* the two sides take turns */
    bool is_station_major = problem->params.kirchhoff.flags & HGATE_KIRCHHOFF_STATION_MAJOR;
    return (side){args[HGATE_KIRCHHOFF_TRAV_SRC], args[HGATE_KIRCHHOFF_AMP_SRC],
                  args[HGATE_KIRCHHOFF_ANG_SRC], is_station_major ? 1 : n_stations,
                  is_station_major ? problem->dims[HGATE_DIM_KIRCHHOFF_NI] : 1};
}

/* Traveltime, NaN where the weight is no number. */
static double time_at(const side *t, int64_t point, int64_t station)
{
    int64_t i = point * t->point_step + station * t->station_step;
    bool has_weight = !t->amp || isfinite(hg_real_at(t->amp, i) + hg_real_at(t->ang, i));
    return has_weight ? hg_real_at(t->trav, i) : NAN;
}

/* All ns nr ni pairs, so at check level full alone. NaN fails both comparisons. */
static int64_t count_dropped(const hg_problem *problem)
{
    const hgate_kirchhoff_params *params = &problem->params.kirchhoff;
    int64_t ns = problem->dims[HGATE_DIM_KIRCHHOFF_NS], nr = problem->dims[HGATE_DIM_KIRCHHOFF_NR];
    side src = side_of(problem, 0, ns), rec = side_of(problem, 1, nr);
    int64_t dropped = 0;
    for (int64_t i = 0; i < problem->dims[HGATE_DIM_KIRCHHOFF_NI]; i++) {
        for (int64_t s = 0; s < ns; s++) {
            double from_source = time_at(&src, i, s) - params->t0;
            for (int64_t r = 0; r < nr; r++) {
                double u = (from_source + time_at(&rec, i, r)) / params->dt;
                dropped += !(u >= 0 && u < (double)(params->nt - 1));
            }
        }
    }
    return dropped;
}

int hg_kirchhoff_keep(hgate_plan *plan, const hg_problem *problem)
{
    void *memory;
    int status = hg_plan_keep(plan, sizeof(kept), &memory);
    if (status != HGATE_OK) {
        return status;
    }
    bool counts =
        problem->params.kirchhoff.check == HGATE_CHECK_FULL && problem->p.space & HG_HOST_SPACES;
    ((kept *)memory)->pairs_dropped = counts ? count_dropped(problem) : -1;
    return HGATE_OK;
}

/* ---- what a plan tells ---- */

static size_t bytes_of_tables(const hg_problem *problem)
{
    const hg_op *row = hg_op_row(problem->p.op);
    size_t bytes = 0;
    for (int i = 0; i < row->n_args; i++) {
        const DLTensor *tensor = problem->args[i];
        if (row->args[i].in_plan && tensor) {
            bytes += (size_t)hg_tensor_count(tensor) * (tensor->dtype.bits / 8u);
        }
    }
    return bytes;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

int hgate_kirchhoff_info(const hgate_plan *plan, hgate_kirchhoff_plan_info *info)
{
    if (!plan || hg_plan_problem(plan, 0)->p.op != HGATE_OP_KIRCHHOFF_FORWARD) {
        return hg_error(HGATE_EINVAL, "plan: is no plan of hgate_kirchhoff_plan()");
    }
    int status = hg_check_struct("info", info, sizeof *info);
    if (status != HGATE_OK) {
        return status;
    }
    hgate_kirchhoff_plan_info answer = {.struct_size = sizeof answer};
    size_t prepared[2], host[2], device[2];
    status = hg_plan_side(plan, 0, &answer.forward_plugin, &answer.forward_kernel, &prepared[0],
                          &host[0], &device[0]);
    if (status == HGATE_OK) {
        status = hg_plan_side(plan, 1, &answer.adjoint_plugin, &answer.adjoint_kernel, &prepared[1],
                              &host[1], &device[1]);
    }
    if (status != HGATE_OK) {
        return status;
    }
    const hg_problem *problem = hg_plan_problem(plan, 0);
    const kept *kept_facts = hg_plan_kept(plan);
    answer.bytes_referenced = bytes_of_tables(problem);
    answer.tables_referenced = answer.bytes_referenced > 0; /* a fallback would read them again */
    answer.bytes_prepared = prepared[0] + prepared[1];
    answer.ws_host = larger(host[0], host[1]);
    answer.ws_device = larger(device[0], device[1]);
    answer.pairs = problem->dims[HGATE_DIM_KIRCHHOFF_NS] * problem->dims[HGATE_DIM_KIRCHHOFF_NR] *
                   problem->dims[HGATE_DIM_KIRCHHOFF_NI];
    answer.pairs_dropped = kept_facts->pairs_dropped;
    *info = answer;
    return HGATE_OK;
}
