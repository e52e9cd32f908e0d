/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings of groups. */
#include "core/base/error.h"
#include "core/group/survey.h"

int hgate_group_params_init(hgate_group_params *params)
{
    if (!params) {
        return hg_error(HGATE_EINVAL, "params: is NULL, expected a struct");
    }
    *params = (hgate_group_params){
        .struct_size = sizeof *params, .n_sources = -1, .nslots = 2, .device_id = -1};
    return HGATE_OK;
}

int hgate_kirchhoff_shape_init(hgate_kirchhoff_shape *shape)
{
    if (!shape) {
        return hg_error(HGATE_EINVAL, "shape: is NULL, expected a struct");
    }
    *shape = (hgate_kirchhoff_shape){
        .struct_size = sizeof *shape, .n_vel = 1, .dtype = {kDLFloat, 32, 1}};
    return HGATE_OK;
}

static int check_counts(const hgate_group_params *p)
{
    const struct {
        const char *name;
        int64_t value, least, most;
    } rows[] = {
        {"first_source", p->first_source, 0, INT64_MAX},
        {"n_sources", p->n_sources, -1, INT64_MAX},
        {"sources_per_group", p->sources_per_group, 0, INT64_MAX},
        {"receivers_per_group", p->receivers_per_group, 0, INT64_MAX},
        {"nslots", p->nslots, 1, 3},
        {"nstreams", p->nstreams, 0, INT32_MAX},
        {"device_id", p->device_id, -1, INT32_MAX},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].value < rows[i].least) {
            return hg_error(HGATE_EVALUE, "%s: is %lld, expected %lld or more", rows[i].name,
                            (long long)rows[i].value, (long long)rows[i].least);
        }
        if (rows[i].value > rows[i].most) {
            return hg_error(HGATE_EVALUE, "%s: is %lld, expected %lld or less", rows[i].name,
                            (long long)rows[i].value, (long long)rows[i].most);
        }
    }
    return HGATE_OK;
}

int hg_group_params_take(const hgate_group_params *given, hgate_group_params *out)
{
    if (!given) {
        return hgate_group_params_init(out);
    }
    int status = hg_check_struct("group", given, sizeof *given);
    if (status == HGATE_OK) {
        status = check_counts(given);
    }
    if (status != HGATE_OK) {
        return status;
    }
    if (given->nstreams > 0 && !given->streams) {
        return hg_error(HGATE_EINVAL, "streams: is NULL, expected %d streams", given->nstreams);
    }
    if (given->nstreams > 0 && given->device_id < 0) {
        return hg_error(HGATE_EINVAL, "device_id: is -1, but streams of a device were given");
    }
    *out = *given;
    return HGATE_OK;
}
