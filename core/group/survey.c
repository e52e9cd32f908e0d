/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of a grouped call, and the problems and copies of its parts. */
#include "core/group/survey.h"

#include "core/base/error.h"
#include "core/plugin/fork_guard.h"
#include "core/tensor/dtype.h"

#include <stdio.h>

int hg_side_table(hg_side side, int t)
{
    static const int tables[2][HG_SIDE_TABLES] = {
        {HGATE_KIRCHHOFF_TRAV_SRC, HGATE_KIRCHHOFF_AMP_SRC, HGATE_KIRCHHOFF_ANG_SRC},
        {HGATE_KIRCHHOFF_TRAV_REC, HGATE_KIRCHHOFF_AMP_REC, HGATE_KIRCHHOFF_ANG_REC}};
    return tables[side][t];
}

int hg_side_index(hg_side side)
{
    return side == HG_SOURCES ? HGATE_KIRCHHOFF_SIX : HGATE_KIRCHHOFF_RIX;
}

/* ---- checks ---- */

/* The checks of a call ask for arrays in one place. A model on the device is looked at as if it
 * were on the host; nobody reads it there. */
static int take_model(hg_survey *s, const DLTensor **args, DLTensor *stand_in)
{
    const DLTensor *model = args[HGATE_KIRCHHOFF_MODEL];
    s->model = model;
    if (!model || hg_space_of(model->device) != HGATE_SPACE_CUDA) {
        return HGATE_OK;
    }
    if (model->device.device_id != s->params.device_id) {
        return hg_error(HGATE_EDEVICE, "model: is on cuda:%d, the groups are for %s%d",
                        model->device.device_id, s->is_on_device ? "cuda:" : "the host, device_id ",
                        s->params.device_id);
    }
    *stand_in = *model;
    stand_in->device = (DLDevice){(DLDeviceType)HGATE_DL_CPU, 0};
    args[HGATE_KIRCHHOFF_MODEL] = stand_in;
    return HGATE_OK;
}

static int check_whole(hg_survey *s, hg_given given, hg_need need)
{
    const DLTensor *args[HGATE_MAX_ARGS];
    DLTensor stand_in;
    for (int i = 0; i <= HGATE_KIRCHHOFF_DATA; i++) {
        args[i] = given.args[i];
    }
    int status = take_model(s, args, &stand_in);
    if (status != HGATE_OK) {
        return status;
    }
    given.args = args;
    status = hg_draft_build(&s->draft, s->engine, s->exec, given, need);
    s->draft.given.args = NULL; /* the list ends here */
    hg_problem *whole = &s->draft.problem;
    if (status == HGATE_OK && !(whole->p.space & HG_HOST_SPACES)) {
        return hg_error(HGATE_EDEVICE, "trav_src: is on a device, groups are cut from host arrays");
    }
    if (status == HGATE_OK && need == HG_NEED_DATA &&
        hg_check_level(s->draft.config, whole) != HGATE_CHECK_NONE) {
        status = hg_op_steps_of(given.op)->kept_values(whole);
    }
    return status;
}

static int take_sources(hg_survey *s)
{
    const int64_t first = s->params.first_source, n = s->params.n_sources;
    if (first > s->ns || n > s->ns - first) {
        return hg_error(HGATE_EVALUE, "first_source: is %lld with n_sources %lld, of %lld sources",
                        (long long)first, (long long)n, (long long)s->ns);
    }
    s->sources = (hg_part){first, n >= 0 ? n : s->ns - first};
    return HGATE_OK;
}

int hg_survey_take(hg_survey *s, hgate_engine *engine, hgate_exec *exec, hg_given given,
                   const hgate_group_params *params, hg_need need)
{
    s->engine = engine;
    s->exec = exec;
    int status = hg_group_params_take(params, &s->params);
    s->is_on_device = status == HGATE_OK && s->params.device_id >= 0;
    if (status == HGATE_OK) {
        status = check_whole(s, given, need);
    }
    if (status != HGATE_OK) {
        return status;
    }
    const hg_problem *whole = hg_survey_whole(s);
    const int flags = whole->params.kirchhoff.flags;
    s->ns = whole->dims[HGATE_DIM_KIRCHHOFF_NS];
    s->nr = whole->dims[HGATE_DIM_KIRCHHOFF_NR];
    s->nt = whole->dims[HGATE_DIM_KIRCHHOFF_NT];
    s->ni = whole->dims[HGATE_DIM_KIRCHHOFF_NI];
    s->real = hg_dtype_bytes(whole->p.dtype);
    s->n_tables = flags & HGATE_KIRCHHOFF_DYNAMIC ? HG_SIDE_TABLES : 1;
    s->is_station_major = flags & HGATE_KIRCHHOFF_STATION_MAJOR;
    s->threads = hg_fork_is_child() ? 1 : hg_threads_allowed(engine, exec);
    return take_sources(s);
}

/* ---- parts ---- */

hg_part hg_survey_part(const hg_survey *s, hg_side side, int64_t i)
{
    const hg_part whole = side == HG_SOURCES ? s->sources : (hg_part){0, s->nr};
    const int64_t n = s->per_group[side], left = whole.n - i * n;
    return (hg_part){whole.first + i * n, n < left ? n : left};
}

static void put_shape(hg_problem *problem, int arg, int64_t n0, int64_t n1)
{
    if (problem->args[arg]) {
        problem->tensors[arg].shape[0] = n0;
        problem->tensors[arg].shape[1] = n1;
    }
}

static void put_side(const hg_survey *s, hg_problem *out, hg_side side, int64_t n)
{
    const bool station_major = out->params.kirchhoff.flags & HGATE_KIRCHHOFF_STATION_MAJOR;
    for (int t = 0; t < s->n_tables; t++) {
        put_shape(out, hg_side_table(side, t), station_major ? n : s->ni,
                  station_major ? s->ni : n);
    }
    if (out->args[hg_side_index(side)]) {
        out->tensors[hg_side_index(side)].shape[0] = n;
    }
}

void hg_survey_problem(const hg_survey *s, int op, hg_part sources, hg_part receivers,
                       hg_problem *out)
{
    hg_problem_copy(out, hg_survey_whole(s));
    out->p.op = op;
    out->p.space = s->is_on_device ? HGATE_SPACE_CUDA : HGATE_SPACE_HOST;
    out->p.device_id = s->is_on_device ? s->params.device_id : 0;
    out->params.kirchhoff.check = HGATE_CHECK_NONE; /* the whole was checked */
    if (s->is_on_device) {
        out->params.kirchhoff.flags |= HGATE_KIRCHHOFF_STATION_MAJOR;
    }
    out->dims[HGATE_DIM_KIRCHHOFF_NS] = sources.n;
    out->dims[HGATE_DIM_KIRCHHOFF_NR] = receivers.n;
    put_side(s, out, HG_SOURCES, sources.n);
    put_side(s, out, HG_RECEIVERS, receivers.n);
    hg_tensor *data = &out->tensors[HGATE_KIRCHHOFF_DATA];
    data->dl.ndim = 3;
    data->shape[0] = sources.n;
    data->shape[1] = receivers.n;
    data->shape[2] = s->nt;
    for (int i = 0; i < out->p.n_args; i++) {
        out->tensors[i].dl.device = (DLDevice){
            (DLDeviceType)(s->is_on_device ? HGATE_DL_CUDA : HGATE_DL_CPU), out->p.device_id};
        out->tensors[i].dl.data = NULL;
    }
}

/* ---- copies ---- */

static const char *table_data(const hg_survey *s, hg_side side, int t)
{
    return hg_survey_whole(s)->args[hg_side_table(side, t)]->data;
}

static int64_t stations_of(const hg_survey *s, hg_side side)
{
    return side == HG_SOURCES ? s->ns : s->nr;
}

const void *hg_survey_in_place(const hg_survey *s, hg_side side, int t, hg_part part)
{
    const int64_t step = s->is_station_major ? s->ni : 1;
    return table_data(s, side, t) + (size_t)(part.first * step) * s->real;
}

bool hg_survey_is_contiguous(const hg_survey *s, hg_side side, hg_part part, bool station_major)
{
    return s->is_station_major || (!station_major && part.n == stations_of(s, side));
}

hg_pack hg_survey_stations(const hg_survey *s, hg_side side, int t, hg_part part,
                           bool station_major, void *to)
{
    return (hg_pack){
        .from = hg_survey_in_place(s, side, t, part),
        .to = to,
        .element = s->real,
        .n_a = part.n,
        .n_b = s->ni,
        .from_a = s->is_station_major ? s->ni : 1,
        .from_b = s->is_station_major ? 1 : stations_of(s, side),
        .to_a = station_major ? s->ni : 1,
        .to_b = station_major ? 1 : part.n,
    };
}

hg_pack hg_survey_traces(const hg_survey *s, hg_part sources, hg_part receivers, void *compact,
                         bool out)
{
    char *data = hg_survey_whole(s)->args[HGATE_KIRCHHOFF_DATA]->data;
    data += (size_t)((sources.first * s->nr + receivers.first) * s->nt) * s->real;
    const int64_t wide = s->nr * s->nt, narrow = receivers.n * s->nt;
    if (receivers.n == s->nr) { /* one run of traces */
        const int64_t n = sources.n * narrow;
        return (hg_pack){out ? compact : data, out ? data : compact, s->real, 1, n, n, 1, n, 1};
    }
    return (hg_pack){
        .from = out ? compact : data,
        .to = out ? data : compact,
        .element = s->real,
        .n_a = sources.n,
        .n_b = narrow,
        .from_a = out ? narrow : wide,
        .from_b = 1,
        .to_a = out ? wide : narrow,
        .to_b = 1,
    };
}

/* ---- words ---- */

int hg_survey_tell(const hg_survey *s, int64_t group, int phase, double seconds, size_t bytes)
{
    const hgate_group_params *p = &s->params;
    if (!p->progress) {
        return HGATE_OK;
    }
    const int64_t n = s->n_groups[HG_SOURCES] * s->n_groups[HG_RECEIVERS];
    return p->progress(p->user, group, n, phase, seconds, bytes)
               ? hg_error(HGATE_ESTOPPED, "group %lld of %lld: the callback asked to stop",
                          (long long)group, (long long)n)
               : HGATE_OK;
}

int hg_survey_failed(const hg_survey *s, int64_t group, int status)
{
    char cause[HG_ERROR_BYTES / 4];
    if (status == HGATE_OK || status == HGATE_ESTOPPED) {
        return status;
    }
    snprintf(cause, sizeof cause, "%s", hgate_last_error());
    return hg_error(status, "group %lld of %lld: %s", (long long)group,
                    (long long)(s->n_groups[HG_SOURCES] * s->n_groups[HG_RECEIVERS]), cause);
}
