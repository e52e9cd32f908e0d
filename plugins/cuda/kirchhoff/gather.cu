// SPDX-License-Identifier: BSD-3-Clause
// kirchhoff_adjoint `gather`: image = sum over pairs of g (d[k] (1-f) + d[k+1] f).
//
// data (ns, nr, nt) straight from memory through L1; tables (tiles, stations, 1024). A block has a
// tile and a part of the pairs, a thread four points with some sources in registers. No atomics:
// the parts' images are added in order afterwards. Serves every problem; work ns nr ni pairs of
// about 14 instructions and two loads each.
#include "plugins/cuda/kirchhoff/adjoint.h"
#include "plugins/cuda/kirchhoff/pairs.cuh"

// Adds one pair of stations at the four points of a thread.
template <class R, int WEIGHT>
static __device__ __forceinline__ void
add_pair(const R *trace, const Span &span, const Entries<R, WEIGHT> &s, const Entries<R, WEIGHT> &r,
         const Offsets<R> *offsets, const int *depth, R *sum)
{
#pragma unroll
    for (int j = 0; j < EACH; j++) {
        R f;
        const R u = s.time[j] + r.time[j];
        const int k = split(u, f);
        if (!is_inside(u, k, span))
            continue;
        const R d0 = trace[k], d1 = trace[k + 1];
        if (WEIGHT == PLAIN) {
            sum[j] += d0;
            sum[j] = fma(f, d1 - d0, sum[j]);
            continue;
        }
        R g = weight_of(s.cosine[j], s.sine[j], r.cosine[j], r.sine[j]);
        if (WEIGHT == OFFSET)
            g *= offsets->factor(depth[j]);
        sum[j] = fma(g, fma(f, d1 - d0, d0), sum[j]);
    }
}

template <class R, int WEIGHT, int SOURCES>
static __global__ void __launch_bounds__(TEAM) gather(const hg_adjoint a)
{
    const hg_cuda_tables &t = a.tables;
    const int64_t tile = blockIdx.x % t.n_tiles, part = blockIdx.x / t.n_tiles;
    const int64_t s_first = part % a.source_parts * a.sources,
                  r_first = part / a.source_parts * a.receivers;
    const int64_t s_end = min(s_first + a.sources, t.source.n),
                  r_end = min(r_first + a.receivers, t.receiver.n);
    R sum[EACH] = {0};
    int depth[EACH] = {0};
    if (WEIGHT == OFFSET)
        for (int j = 0; j < EACH; j++)
            depth[j] = t.depth[tile * HG_TILE + EACH * threadIdx.x + j];
    for (int64_t source = s_first; source < s_end; source += SOURCES) {
        Entries<R, WEIGHT> s[SOURCES];
        hg_reach reach[SOURCES];
#pragma unroll
        for (int q = 0; q < SOURCES; q++) {
            const int64_t station = min(source + q, s_end - 1);
            load_entries(t.source, tile, station, threadIdx.x, s[q]);
            reach[q] = t.source.reach[tile * t.source.n + station];
            if (source + q >= s_end)
                reach[q] = {HG_FAR, 1, 0, HG_GAP};
        }
        for (int64_t receiver = r_first; receiver < r_end; receiver++) {
            Entries<R, WEIGHT> r;
            load_entries(t.receiver, tile, receiver, threadIdx.x, r);
            const hg_reach r_reach = t.receiver.reach[tile * t.receiver.n + receiver];
#pragma unroll
            for (int q = 0; q < SOURCES; q++) {
                const Span span = span_of(reach[q], r_reach, t.nt);
                if (span.count == 0)
                    continue;
                const int64_t pair = (source + q) * t.receiver.n + receiver;
                const R *trace = (const R *)a.data + pair * t.nt - span.first;
                if (WEIGHT == OFFSET) {
                    const Offsets<R> offsets(t, t.offset_row[pair]);
                    if (!offsets.is_dark)
                        add_pair<R, WEIGHT>(trace, span, s[q], r, &offsets, depth, sum);
                } else {
                    add_pair<R, WEIGHT>(trace, span, s[q], r, nullptr, depth, sum);
                }
            }
        }
    }
    Four<R> out;
    for (int j = 0; j < EACH; j++)
        out.v[j] = sum[j];
    *(Four<R> *)((R *)a.images + (part * t.n_tiles + tile) * HG_TILE + EACH * threadIdx.x) = out;
}

template <class R, int WEIGHT> static cudaError_t start(const hg_adjoint *a, cudaStream_t stream)
{
    const int64_t blocks = a->tables.n_tiles * a->source_parts * a->receiver_parts;
    switch (a->sources_at_once) {
    case 1:
        return launch(gather<R, WEIGHT, 1>, blocks, 1, TEAM, 0, stream, *a);
    case 2:
        return launch(gather<R, WEIGHT, 2>, blocks, 1, TEAM, 0, stream, *a);
    default:
        return launch(gather<R, WEIGHT, 4>, blocks, 1, TEAM, 0, stream, *a);
    }
}

template <class R> static cudaError_t start_weighted(const hg_adjoint *a, cudaStream_t stream)
{
    if (!a->tables.is_dynamic)
        return start<R, PLAIN>(a, stream);
    return a->tables.offset_row ? start<R, OFFSET>(a, stream) : start<R, WEIGHTED>(a, stream);
}

extern "C" cudaError_t hg_kirchhoff_gather(const hg_adjoint *adjoint, cudaStream_t stream)
{
    return adjoint->tables.is_64 ? start_weighted<double>(adjoint, stream)
                                 : start_weighted<float>(adjoint, stream);
}
