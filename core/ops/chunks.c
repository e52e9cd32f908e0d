/* SPDX-License-Identifier: BSD-3-Clause */
/* hgate_visibility_chunks(): how many sources of a visibility call fit into memory at once. The
 * arithmetic is that of core/tensor/chunk_plan.h, which the kernels use too. */
#include "core/tensor/chunk_plan.h"

#include "core/base/error.h"
#include "core/ops/forms.h"

static int check_limits(size_t mem_limit, const hgate_visibility_params *params)
{
    if (mem_limit == 0) {
        return hg_error(HGATE_EVALUE, "mem_limit: is 0, expected a number of bytes");
    }
    if (!(params->memory_buffer > 0 && params->memory_buffer <= 1)) {
        return hg_error(HGATE_EVALUE, "memory_buffer: is %g, expected above 0, at most 1",
                        params->memory_buffer);
    }
    if (params->min_chunks < 1) {
        return hg_error(HGATE_EVALUE, "min_chunks: is %lld, expected 1 or more",
                        (long long)params->min_chunks);
    }
    return HGATE_OK;
}

static int check_sizes(const hgate_visibility_shape *s)
{
    const struct {
        const char *name;
        int64_t value, least;
    } rows[] = {{"nant", s->nant, 1},   {"nfeed", s->nfeed, 1}, {"nax", s->nax, 1},
                {"nbeam", s->nbeam, 1}, {"nsrc", s->nsrc, 0},   {"nbeampix", s->nbeampix, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].value < rows[i].least) {
            return hg_error(HGATE_ESHAPE, "%s: is %lld, expected %lld or more", rows[i].name,
                            (long long)rows[i].value, (long long)rows[i].least);
        }
    }
    return HGATE_OK;
}

static int check(const hgate_visibility_shape *shape, size_t mem_limit,
                 const hgate_visibility_params *params, const hgate_visibility_chunk_info *info)
{
    int status = hg_check_struct("shape", shape, sizeof *shape);
    if (status == HGATE_OK) {
        status = hg_check_struct("params", params, sizeof *params);
    }
    if (status == HGATE_OK) {
        status = hg_check_struct("info", info, sizeof *info);
    }
    if (status == HGATE_OK) {
        status = check_limits(mem_limit, params);
    }
    return status == HGATE_OK ? check_sizes(shape) : status;
}

int hgate_visibility_chunks(const hgate_visibility_shape *shape, size_t mem_limit,
                            const hgate_visibility_params *params,
                            hgate_visibility_chunk_info *info)
{
    hgate_visibility_params defaults;
    if (!params) {
        hgate_visibility_params_init(&defaults);
        params = &defaults;
    }
    int status = check(shape, mem_limit, params, info);
    if (status != HGATE_OK) {
        return status;
    }
    hgate_visibility_chunk_info answer = {.struct_size = sizeof answer};
    size_t needed = 0;
    status = hg_chunk_plan(shape, mem_limit, params->memory_buffer, params->min_chunks, &answer,
                           &needed);
    if (status == HGATE_ENOMEM) {
        return hg_error(status, "mem_limit: is %zu bytes, but one source needs %zu", mem_limit,
                        needed);
    }
    if (status != HGATE_OK) {
        return hg_error(status, "shape: needs more bytes than an address can reach");
    }
    *info = answer;
    return HGATE_OK;
}
