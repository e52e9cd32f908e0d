/* SPDX-License-Identifier: BSD-3-Clause */
/* How a survey would be cut, from its sizes alone. */
#include "core/base/error.h"
#include "core/group/cut.h"

#include <math.h>

typedef struct stand_in {
    DLTensor dl;
    int64_t shape[3];
} stand_in;

static const DLTensor *array(stand_in *a, DLDataType type, int ndim, int64_t n0, int64_t n1)
{
    *a = (stand_in){.dl = {.device = {(DLDeviceType)HGATE_DL_CPU, 0}, .ndim = ndim, .dtype = type},
                    .shape = {n0, n1, 0}};
    a->dl.shape = a->shape;
    return &a->dl;
}

/* Every table that the params ask for. */
static void put_tables(const hgate_kirchhoff_params *p, const hgate_kirchhoff_shape *shape,
                       stand_in *room, const DLTensor **args)
{
    const DLDataType index = {kDLInt, 32, 1};
    const bool station_major = p->flags & HGATE_KIRCHHOFF_STATION_MAJOR;
    for (int i = HGATE_KIRCHHOFF_TRAV_SRC; i <= HGATE_KIRCHHOFF_ANG_REC; i++) {
        const int64_t n = i % 2 == HGATE_KIRCHHOFF_TRAV_SRC % 2 ? shape->ns : shape->nr;
        args[i] = array(&room[i], shape->dtype, 2, station_major ? n : shape->ni,
                        station_major ? shape->ni : n);
    }
    args[HGATE_KIRCHHOFF_VEL] = array(&room[HGATE_KIRCHHOFF_VEL], shape->dtype, 1, shape->n_vel, 1);
    args[HGATE_KIRCHHOFF_SIX] = array(&room[HGATE_KIRCHHOFF_SIX], index, 1, shape->ns, 1);
    args[HGATE_KIRCHHOFF_RIX] = array(&room[HGATE_KIRCHHOFF_RIX], index, 1, shape->nr, 1);
    args[HGATE_KIRCHHOFF_MODEL] =
        array(&room[HGATE_KIRCHHOFF_MODEL], shape->dtype, 1, shape->ni, 1);
    args[HGATE_KIRCHHOFF_DATA] =
        array(&room[HGATE_KIRCHHOFF_DATA], shape->dtype, 3, shape->ns, shape->nr);
    room[HGATE_KIRCHHOFF_DATA].shape[2] = p->nt;
    if (shape->nwav) {
        args[HGATE_KIRCHHOFF_WAV] =
            array(&room[HGATE_KIRCHHOFF_WAV], shape->dtype, 1, shape->nwav, 1);
    }
}

static void name(const hgate_trace *trace, const char **plugin, const char **kernel)
{
    if (trace->n_usable > 0) {
        const hg_candidate *candidate = &hg_trace_candidates(trace).items[trace->chosen];
        *plugin = candidate->backend->plugin->name;
        *kernel = candidate->kernel->name;
    }
}

static int measure(hg_survey *s, hgate_group_info *info)
{
    hgate_trace *traces[2] = {NULL, NULL};
    hg_need_bytes need;
    int status = HGATE_OK;
    for (int i = 0; i < 2 && status == HGATE_OK; i++) {
        status = hg_engine_trace(s->engine, HGATE_OP_KIRCHHOFF_FORWARD + i, &traces[i]);
    }
    if (status == HGATE_OK) {
        status = hg_cut_make(s, -1, traces, &need);
    }
    if (status == HGATE_OK) {
        *info = (hgate_group_info){
            .struct_size = sizeof *info,
            .sources_per_group = s->per_group[HG_SOURCES],
            .receivers_per_group = s->per_group[HG_RECEIVERS],
            .n_groups = s->n_groups[HG_SOURCES] * s->n_groups[HG_RECEIVERS],
            .device_bytes = need.held,
            .pinned_bytes = need.staged,
            .bytes_in_group = need.tables[HG_SOURCES] + need.traces,
        };
        name(traces[0], &info->forward_plugin, &info->forward_kernel);
        name(traces[1], &info->adjoint_plugin, &info->adjoint_kernel);
    }
    for (int i = 0; i < 2; i++) {
        hg_trace_delete(traces[i]);
    }
    return status;
}

int hgate_kirchhoff_group_info(hgate_engine *engine, const hgate_kirchhoff_params *params,
                               const hgate_kirchhoff_shape *shape, const hgate_group_params *group,
                               hgate_group_info *info)
{
    int status = engine ? hg_check_struct("info", info, sizeof *info)
                        : hg_error(HGATE_EINVAL, "engine: is NULL, expected an engine");
    if (status == HGATE_OK) {
        status = hg_check_struct("params", params, sizeof *params);
    }
    if (status == HGATE_OK) {
        status = hg_check_struct("shape", shape, sizeof *shape);
    }
    if (status != HGATE_OK) {
        return status;
    }
    hg_survey *s = hg_calloc(&engine->allocator, 1, sizeof *s);
    stand_in *room = hg_calloc(&engine->allocator, HGATE_MAX_ARGS, sizeof *room);
    const DLTensor *args[HGATE_MAX_ARGS] = {NULL};
    if (!s || !room) {
        status = hg_error_memory("groups", sizeof *s);
    } else {
        put_tables(params, shape, room, args);
        status =
            hg_survey_take(s, engine, NULL, hg_given_of(HGATE_OP_KIRCHHOFF_FORWARD, params, args),
                           group, HG_NEED_SHAPES);
    }
    if (status == HGATE_OK && (s->sources.n == 0 || s->nr == 0 || s->ni == 0)) {
        *info = (hgate_group_info){.struct_size = sizeof *info};
    } else if (status == HGATE_OK) {
        status = measure(s, info);
    }
    hg_free(&engine->allocator, room);
    hg_free(&engine->allocator, s);
    return status;
}
