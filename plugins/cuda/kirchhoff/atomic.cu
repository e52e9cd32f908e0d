// SPDX-License-Identifier: BSD-3-Clause
// kirchhoff_forward `atomic`: data[k] += g m (1-f), data[k+1] += g m f by reductions at L2.
//
// model (ni), data (ns, nr, nt) already holding beta data; tables (tiles, stations, 1024). A block
// has a tile and some sources, a thread four points. The order of the additions is the device's, so
// the last bits differ from run to run. Serves every problem, also records too long for shared
// memory; two reductions a pair.
#include "plugins/cuda/kirchhoff/forward.h"
#include "plugins/cuda/kirchhoff/pairs.cuh"

template <class R, int WEIGHT>
static __device__ __forceinline__ void
scatter_pair(R *trace, const Span &span, const Entries<R, WEIGHT> &s, const Entries<R, WEIGHT> &r,
             const Offsets<R> *offsets, const int *depth, const R *model)
{
#pragma unroll
    for (int j = 0; j < EACH; j++) {
        R f;
        const R u = s.time[j] + r.time[j];
        const int k = split(u, f);
        if (!is_inside(u, k, span) || model[j] == 0)
            continue;
        R value = model[j];
        if (WEIGHT != PLAIN)
            value *= weight_of(s.cosine[j], s.sine[j], r.cosine[j], r.sine[j]);
        if (WEIGHT == OFFSET)
            value *= offsets->factor(depth[j]);
        const R late = value * f;
        atomicAdd(trace + k, value - late);
        atomicAdd(trace + k + 1, late);
    }
}

template <class R, int WEIGHT>
static __global__ void __launch_bounds__(TEAM) scatter(const hg_atomic a)
{
    const hg_cuda_tables &t = a.tables;
    const int64_t tile = blockIdx.x % t.n_tiles, s_first = blockIdx.x / t.n_tiles * a.sources;
    const int64_t s_end = min(s_first + a.sources, t.source.n);
    R model[EACH];
    int depth[EACH] = {0};
    for (int j = 0; j < EACH; j++) {
        const int64_t at = tile * HG_TILE + EACH * threadIdx.x + j, point = t.point[at];
        model[j] = point < 0 ? (R)0 : (R)a.alpha * ((const R *)a.model)[point];
        if (WEIGHT == OFFSET)
            depth[j] = t.depth[at];
    }
    for (int64_t source = s_first; source < s_end; source++) {
        Entries<R, WEIGHT> s, r;
        load_entries(t.source, tile, source, threadIdx.x, s);
        const hg_reach s_reach = t.source.reach[tile * t.source.n + source];
        for (int64_t receiver = 0; receiver < t.receiver.n; receiver++) {
            const Span span =
                span_of(s_reach, t.receiver.reach[tile * t.receiver.n + receiver], t.nt);
            if (span.count == 0)
                continue;
            load_entries(t.receiver, tile, receiver, threadIdx.x, r);
            const int64_t pair = source * t.receiver.n + receiver;
            R *trace = (R *)a.data + pair * t.nt - span.first;
            if (WEIGHT == OFFSET) {
                const Offsets<R> offsets(t, t.offset_row[pair]);
                if (!offsets.is_dark)
                    scatter_pair<R, WEIGHT>(trace, span, s, r, &offsets, depth, model);
            } else {
                scatter_pair<R, WEIGHT>(trace, span, s, r, nullptr, depth, model);
            }
        }
    }
}

template <class R> static cudaError_t start(const hg_atomic *a, cudaStream_t stream)
{
    const int64_t blocks = a->tables.n_tiles * ceil_div(a->tables.source.n, a->sources);
    void (*kernel)(hg_atomic) = scatter<R, PLAIN>;
    if (a->tables.is_dynamic)
        kernel = a->tables.offset_row ? scatter<R, OFFSET> : scatter<R, WEIGHTED>;
    return launch(kernel, blocks, 1, TEAM, 0, stream, *a);
}

extern "C" cudaError_t hg_kirchhoff_atomic(const hg_atomic *atomic, cudaStream_t stream)
{
    return atomic->tables.is_64 ? start<double>(atomic, stream) : start<float>(atomic, stream);
}
