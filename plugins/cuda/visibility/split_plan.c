/* SPDX-License-Identifier: BSD-3-Clause */
/* A whole split product: path, chunks of columns, workspace, order of the launches. */
#include "plugins/cuda/visibility/split_plan.h"
#include <math.h>
#include <string.h>

/* Most memory of planes; beyond it, and beyond HG_SPLIT_CHUNK, chunks of columns are added to V. */
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
    /* chunks of equal size, in groups of 64 columns */
    const int64_t row = hg_plane_row_blocks(M) * HG_PLANE_BLOCK * 64 / hg_plane_width(kind);
    const int64_t most = (int64_t)(most_blocks_bytes / (size_t)row) * 64;
    const int64_t limit = most < 64 ? 64 : most < HG_SPLIT_CHUNK ? most : HG_SPLIT_CHUNK;
    const int64_t chunks = (K + limit - 1) / limit;
    plan->chunk = chunks > 1 ? ((K + chunks - 1) / chunks + 63) / 64 * 64 : K;
    const int64_t rest = plan->chunk > 0 ? (K - 1) % plan->chunk + 1 : 0;
    if (hg_split_share(&plan->tiles, path, kind, M, plan->chunk, plan->slots))
        return -1;
    plan->rest = plan->tiles;
    if (rest != plan->chunk && hg_split_share(&plan->rest, path, kind, M, rest, plan->slots))
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
    const int is_once = plan->path == HG_SPLIT_WGMMA; /* Z is read */
    const double plane = (is_once ? 8.0 : 16.0) + (plan->kind == HG_PLANE_FP16 ? 8.0 : 16.0);
    const double moved = 2.0 * hg_split_moved_bytes(&plan->tiles);
    const double reads = chunks - 1.0 + (reads_V != 0);
    hg_split_work work = {(is_once ? 3.0 : 5.0) * chunks,
                          M * K * plane + moved * chunks + 8.0 * M * M * (chunks + reads),
                          (chunks - 1.0) * plan->tiles.makespan + plan->rest.makespan};
    return work;
}

cudaError_t hg_split_plan_run(const hg_split_plan *plan, const void *Z, int64_t ld, void *V,
                              double alpha, double beta, int is_conj, void *memory,
                              cudaStream_t stream)
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
    cudaError_t error = cudaSuccess;
    int64_t first = 0;
    do {
        const int64_t left = plan->K - first;
        g.planes.K = left < plan->chunk ? left : plan->chunk;
        g.tiles = left > plan->chunk ? plan->tiles : plan->rest;
        error = hg_split_planes(plan->path, &g.planes, Z, ld, first, stream);
        if (error == cudaSuccess)
            error = hg_split_gram_run(&g, stream);
        g.beta = 1.0;
        first += plan->chunk;
    } while (first < plan->K && error == cudaSuccess);
    return error;
}
