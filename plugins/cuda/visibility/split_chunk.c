/* SPDX-License-Identifier: BSD-3-Clause */
/* Split products of chunks: sizes, memory, launches. */
#include "plugins/cuda/visibility/split_chunk.h"
#include <inttypes.h>
#include <math.h>

/* hg_split_share() fills at most three waves of thread blocks more than it must, and no unit has
 * more than HG_SPLIT_COLUMNS: what a chunk of any length up to K needs. */
static int most_slot_bytes(const hg_split_chunk *chunk, int kind, int64_t M, int64_t K,
                           size_t *bytes)
{
    hg_split_tiles t;
    int64_t tiles = 0;
    if (hg_split_share(&t, chunk->path, kind, M, K, chunk->slots))
        return -1;
    for (int c = 0; c < HG_SPLIT_CLASSES; c++)
        tiles += t.tiles[c];
    const int64_t least = (K + HG_SPLIT_COLUMNS - 1) / HG_SPLIT_COLUMNS;
    const int64_t waves = (tiles * least + chunk->slots - 1) / chunk->slots + 3;
    *bytes = (size_t)waves * (size_t)chunk->slots * (size_t)t.places * HG_SPLIT_PLACE * 8;
    return 0;
}

int hg_split_chunk_supports(const hg_cuda_state *state, const hgate_problem *problem, int kind,
                            int64_t M, int64_t K, hgate_reason *reason, hg_split_chunk *chunk)
{
    const int path = hg_split_path(state, problem, reason);
    if (path < 0)
        return HGATE_ENOKERNEL;
    chunk->path = path;
    chunk->slots = hg_cuda_device_of(state, problem)->multiprocessors * hg_split_resident(path);
    size_t bytes;
    if (most_slot_bytes(chunk, kind, M, K, &bytes))
        return hgate_refuse(reason, HGATE_REFUSE_LIMIT, (double)M, NAN,
                            "%" PRId64 " rows and %" PRId64 " columns are too many tiles", M, K);
    return HGATE_OK;
}

/* Aligned to 128 bytes. */
static void *take_aligned(hgate_scratch *scratch, int64_t count, size_t bytes)
{
    char *memory = hgate_scratch_take(scratch, count * (int64_t)bytes + 128, 1);
    return memory ? memory + (128 - (uintptr_t)memory % 128) : NULL;
}

void hg_split_chunk_lay_out(hgate_scratch *scratch, hg_split_chunk *chunk, int kind, int64_t M,
                            int64_t K)
{
    if (most_slot_bytes(chunk, kind, M, K, &chunk->slot_bytes))
        chunk->slot_bytes = 0; /* supports() refused it */
    chunk->planes = (hg_planes){.M = M, .K = K, .kind = kind};
    chunk->planes.blocks = take_aligned(scratch, hg_planes_blocks(M, K, kind), HG_PLANE_BLOCK);
    chunk->planes.bounds = hgate_scratch_take(scratch, M, sizeof(float));
    chunk->slot_memory = take_aligned(scratch, (int64_t)chunk->slot_bytes, 1);
}

cudaError_t hg_split_chunk_add(const hg_split_chunk *chunk, void *sum, double alpha, int is_first,
                               cudaStream_t stream)
{
    const hg_planes *p = &chunk->planes;
    hg_split_gram g = {.planes = *p,
                       .slots = chunk->slot_memory,
                       .V = sum,
                       .alpha = alpha,
                       .beta = is_first ? 0.0 : 1.0};
    if (hg_split_share(&g.tiles, chunk->path, p->kind, p->M, p->K, chunk->slots) ||
        hg_split_slot_bytes(&g.tiles) > chunk->slot_bytes)
        return cudaErrorInvalidValue;
    return hg_split_gram_run(&g, stream);
}

double hg_split_chunk_steps(const hg_split_chunk *chunk, int kind, int64_t M, int64_t K)
{
    hg_split_tiles t;
    return hg_split_share(&t, chunk->path, kind, M, K, chunk->slots) ? 0.0 : t.makespan;
}
