/* SPDX-License-Identifier: BSD-3-Clause */
/* A whole split product: path, chunks of columns, workspace, order of the launches. */
#include "plugins/cuda/visibility/split_plan.h"
#include <math.h>
#include <string.h>

/* Planes of all of Z are kept up to this size; beyond it chunks of columns are added to V. */
static const size_t most_blocks_bytes = (size_t)2 << 30;

int hg_split_path(const hg_cuda_state *state, const hgate_problem *problem, hgate_reason *reason)
{
    const char *asked = state->host->option(state->host, "tensor_cores");
    const hg_cuda_device *device = hg_cuda_device_of(state, problem);
    const int path = hg_split_path_of(device->cc);
    if (path < 0) {
        hgate_refuse(reason, HGATE_REFUSE_DEVICE, device->cc, 80,
                     "needs the tensor cores of compute capability 8.0, the device has %d.%d",
                     device->cc / 10, device->cc % 10);
        return -1;
    }
    if (asked && strcmp(asked, "mma") == 0)
        return HG_SPLIT_MMA;
    if (asked && strcmp(asked, "wgmma") == 0 && path != HG_SPLIT_WGMMA) {
        hgate_refuse(reason, HGATE_REFUSE_DEVICE, device->cc, 90,
                     "plugins.cuda.options.tensor_cores is wgmma, which is %s",
                     hg_split_has_wgmma() ? "for compute capability 9.0 only" : "not built in");
        return -1;
    }
    return path;
}

int hg_split_plan_make(hg_split_plan *plan, const hg_cuda_device *device, int path, int kind,
                       int64_t M, int64_t K)
{
    memset(plan, 0, sizeof *plan);
    plan->kind = kind;
    plan->path = path;
    plan->M = M;
    plan->K = K;
    plan->slots = device->multiprocessors * hg_split_resident(path);
    /* blocks of columns of a chunk, a multiple of four so that chunks start at whole groups of 64
     */
    const int64_t a_column = hg_plane_row_blocks(M) * HG_PLANE_BLOCK;
    const int64_t fit = (int64_t)(most_blocks_bytes / (size_t)a_column) & ~(int64_t)3;
    const int64_t columns = (fit > 4 ? fit : 4) * hg_plane_width(kind);
    plan->chunk = K < columns ? K : columns;
    const int64_t rest = plan->chunk > 0 ? (K - 1) % plan->chunk + 1 : 0;
    if (hg_split_share(&plan->tiles, path, kind, M, plan->chunk, plan->slots) ||
        hg_split_share(&plan->rest, path, kind, M, rest, plan->slots))
        return -1;
    const size_t whole = hg_split_slot_bytes(&plan->tiles), last = hg_split_slot_bytes(&plan->rest);
    plan->blocks_bytes = (size_t)hg_planes_blocks(M, plan->chunk, kind) * HG_PLANE_BLOCK;
    plan->bounds_bytes = ((size_t)M * sizeof(float) + 127) & ~(size_t)127;
    plan->slots_bytes = whole > last ? whole : last;
    return 0;
}

hg_split_work hg_split_plan_work(const hg_split_plan *plan, int reads_V)
{
    const double M = (double)plan->M, K = (double)plan->K;
    const double chunks = plan->chunk > 0 ? ceil(K / (double)plan->chunk) : 1.0;
    const double plane = plan->kind == HG_PLANE_FP16 ? 8.0 : 16.0;
    const double slots = 2.0 * (double)plan->slots_bytes, reads = chunks - 1.0 + (reads_V != 0);
    hg_split_work work = {2.0 + 3.0 * chunks,
                          M * K * (16.0 + plane) + slots * chunks + 8.0 * M * M * (chunks + reads),
                          (chunks - 1.0) * plan->tiles.makespan + plan->rest.makespan};
    return work;
}

cudaError_t hg_split_plan_run(const hg_split_plan *plan, const void *Z, void *V, double alpha,
                              double beta, int is_conj, void *memory, cudaStream_t stream)
{
    unsigned char *const at = memory;
    hg_split_gram g = {.planes = {.blocks = at,
                                  .bounds = (float *)(void *)(at + plan->blocks_bytes),
                                  .M = plan->M,
                                  .kind = plan->kind},
                       .slots = at + plan->blocks_bytes + plan->bounds_bytes,
                       .V = V,
                       .alpha = alpha,
                       .beta = beta,
                       .is_conj = is_conj};
    cudaError_t error = hg_split_bounds(&g.planes, Z, plan->K, stream);
    int64_t first = 0;
    do {
        const int64_t left = plan->K - first;
        g.planes.K = left < plan->chunk ? left : plan->chunk;
        g.tiles = left > plan->chunk ? plan->tiles : plan->rest;
        if (error == cudaSuccess)
            error = hg_split_planes(&g.planes, Z, plan->K, first, stream);
        if (error == cudaSuccess)
            error = hg_split_gram_run(&g, stream);
        g.beta = 1.0;
        first += plan->chunk;
    } while (first < plan->K && error == cudaSuccess);
    return error;
}
