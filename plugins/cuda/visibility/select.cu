// SPDX-License-Identifier: BSD-3-Clause
// Which sources are up, in which order: a stable radix sort by keys of 16 bits.
//
// The two highest bits of a key tell the group (0: up; 1: up with negative flux, where signs are
// kept apart; 2: not up), the others the cell of the first beam's grid, in coarser steps where
// there are more than 2^14, so that neighbours in the list read the same nodes. Two passes sort by
// 8 bits each, one by the groups alone: counts of each tile of sources, a sum over the tiles digit
// by digit, then every source to its place, ranked inside its warp by votes. No step depends on the
// order in which blocks run.
#include "plugins/cuda/visibility/fault.cuh"
#include "plugins/cuda/visibility/grid.cuh"

enum { THREADS = 256, WARPS = THREADS / 32, ITEMS = 4, TILE = THREADS * ITEMS };
enum {
    DIGIT_BITS = 8,
    DIGITS = 1 << DIGIT_BITS,
    CELL_BITS = 14,
    GROUP = 1 << (CELL_BITS - DIGIT_BITS)
};

static int64_t tiles(int64_t n)
{
    return (n + TILE - 1) / TILE;
}

int64_t hg_vis_selection_counts(int64_t nsrc)
{
    return DIGITS * (tiles(nsrc) > 0 ? tiles(nsrc) : 1);
}

// The source that a thread takes in round r: warps own runs of the tile, so that ranks follow the
// order of the input.
static __device__ __forceinline__ int64_t item(int r)
{
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    return (int64_t)blockIdx.x * TILE + warp * (32 * ITEMS) + r * 32 + lane;
}

// ---- keys ----

template <class R>
static __device__ __forceinline__ uint32_t key_of(const hg_vis_selection &s, int64_t i)
{
    const R *crd = (const R *)s.crd;
    const double e = crd[i], n = crd[s.nsrc + i], u = crd[2 * s.nsrc + i];
    if (!is_up(e, n, u))
        return 2u << CELL_BITS;
    const uint32_t group = s.is_signed && ((const R *)s.flux)[i] < (R)0;
    if (!s.is_sorted)
        return group << CELL_BITS;
    const Cell at = cell_of(s.beam, 0, azimuth(e, n), zenith_angle(e, n, u), true);
    const int64_t cells = (int64_t)s.beam.nza * s.beam.naz;
    const int64_t cell = (int64_t)at.row.node * s.beam.naz + at.column.node;
    return group << CELL_BITS |
           (uint32_t)(cells > 1 << CELL_BITS ? (cell << CELL_BITS) / cells : cell);
}

template <class R> static __global__ void __launch_bounds__(THREADS) make_keys(hg_vis_selection s)
{
    for (int r = 0; r < ITEMS; r++)
        if (item(r) < s.nsrc) {
            s.key[0][item(r)] = key_of<R>(s, item(r));
            s.order[0][item(r)] = (uint32_t)item(r);
        }
}

// ---- one pass ----

struct Pass {
    const uint32_t *key, *order;
    uint32_t *key_out, *order_out;
    int *count; // (DIGITS, tiles)
    int64_t n;
    int shift;
    int64_t *found; // of the last pass
};

static __device__ __forceinline__ int digit_of(uint32_t key, const Pass &p)
{
    return (int)(key >> p.shift) & (DIGITS - 1);
}

static __global__ void __launch_bounds__(THREADS) count_digits(Pass p)
{
    __shared__ int count[DIGITS];
    count[threadIdx.x] = 0; // as many threads as digits
    __syncthreads();
#pragma unroll
    for (int r = 0; r < ITEMS; r++)
        if (item(r) < p.n)
            atomicAdd(&count[digit_of(p.key[item(r)], p)],
                      1); // a sum of whole numbers has no order
    __syncthreads();
    p.count[(int64_t)threadIdx.x * gridDim.x + blockIdx.x] = count[threadIdx.x];
}

// Sum of a value over the lanes up to this one.
static __device__ __forceinline__ int sum_before(int value, int lane)
{
    for (int step = 1; step < 32; step *= 2) {
        const int before = __shfl_up_sync(0xFFFFFFFFu, value, step);
        value += lane >= step ? before : 0;
    }
    return value;
}

// Exclusive sums of the counts by one block: a warp takes every 32nd digit, first for its total,
// then with what lies before it. The last pass tells where the groups begin.
static __global__ void __launch_bounds__(1024) sum_counts(Pass p, int n_tiles)
{
    __shared__ int total[DIGITS];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int d = warp; d < DIGITS; d += 32) {
        int sum = 0;
#pragma unroll 4
        for (int t = lane; t < n_tiles; t += 32)
            sum += p.count[(int64_t)d * n_tiles + t];
        sum = __shfl_sync(0xFFFFFFFFu, sum_before(sum, lane), 31);
        if (lane == 0)
            total[d] = sum;
    }
    __syncthreads();
    if (warp == 0) {
        int sum = 0;
        for (int first = 0; first < DIGITS; first += 32) {
            const int own = total[first + lane], all = sum_before(own, lane);
            total[first + lane] = sum + all - own;
            sum += __shfl_sync(0xFFFFFFFFu, all, 31);
        }
    }
    __syncthreads();
    if (p.found && threadIdx.x < 2)
        p.found[threadIdx.x] = total[(threadIdx.x + 1) * GROUP];
    for (int d = warp; d < DIGITS; d += 32) {
        int sum = total[d];
        for (int first = 0; first < n_tiles; first += 32) {
            const bool is_there = first + lane < n_tiles;
            int *const at = p.count + (int64_t)d * n_tiles + first + lane;
            const int own = is_there ? *at : 0, all = sum_before(own, lane);
            if (is_there)
                *at = sum + all - own;
            sum += __shfl_sync(0xFFFFFFFFu, all, 31);
        }
    }
}

static __global__ void __launch_bounds__(THREADS) scatter(Pass p)
{
    __shared__ int seen[WARPS][DIGITS]; // by each warp; then where its first of a digit goes
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    uint32_t key[ITEMS], order[ITEMS];
    int rank[ITEMS];
#pragma unroll
    for (int r = 0; r < ITEMS; r++) {
        key[r] = item(r) < p.n ? p.key[item(r)] : 0;
        order[r] = item(r) < p.n ? p.order[item(r)] : 0;
    }
    for (int d = lane; d < DIGITS; d += 32)
        seen[warp][d] = 0;
    __syncwarp();
#pragma unroll
    for (int r = 0; r < ITEMS; r++) {
        const bool is_there = item(r) < p.n;
        const int digit = is_there ? digit_of(key[r], p) : DIGITS + lane; // equals none
        const unsigned same = __match_any_sync(0xFFFFFFFFu, digit);
        const int before = is_there ? seen[warp][digit] : 0;
        rank[r] = before + __popc(same & ((1u << lane) - 1));
        __syncwarp();
        if (is_there && (same >> lane) == 1u) // the last of its kind
            seen[warp][digit] = rank[r] + 1;
        __syncwarp();
    }
    __syncthreads();
    int at = p.count[(int64_t)threadIdx.x * gridDim.x + blockIdx.x];
    for (int w = 0; w < WARPS; w++) {
        const int own = seen[w][threadIdx.x];
        seen[w][threadIdx.x] = at;
        at += own;
    }
    __syncthreads();
#pragma unroll
    for (int r = 0; r < ITEMS; r++)
        if (item(r) < p.n) {
            const int64_t to = seen[warp][digit_of(key[r], p)] + rank[r];
            p.key_out[to] = key[r];
            p.order_out[to] = order[r];
        }
}

static cudaError_t sort_by(const Pass &p, cudaStream_t stream)
{
    const unsigned blocks = (unsigned)tiles(p.n);
    count_digits<<<blocks, THREADS, 0, stream>>>(p);
    sum_counts<<<1, 1024, 0, stream>>>(p, (int)blocks);
    scatter<<<blocks, THREADS, 0, stream>>>(p);
    return cudaGetLastError();
}

cudaError_t hg_vis_select(const hg_vis_selection *s, const uint32_t **result, cudaStream_t stream)
{
    const unsigned blocks = (unsigned)tiles(s->nsrc);
    *result = s->order[0];
    if (s->nsrc == 0)
        return cudaMemsetAsync(s->found, 0, 2 * sizeof *s->found, stream);
    if (s->is_64)
        make_keys<double><<<blocks, THREADS, 0, stream>>>(*s);
    else
        make_keys<float><<<blocks, THREADS, 0, stream>>>(*s);
    cudaError_t error = cudaSuccess;
    int from = 0;
    for (int shift = s->is_sorted ? 0 : DIGIT_BITS; shift <= DIGIT_BITS; shift += DIGIT_BITS) {
        const Pass p = {s->key[from],
                        s->order[from],
                        s->key[1 - from],
                        s->order[1 - from],
                        s->count,
                        s->nsrc,
                        shift,
                        shift == DIGIT_BITS ? s->found : NULL};
        if (error == cudaSuccess)
            error = sort_by(p, stream);
        from = 1 - from;
    }
    *result = s->order[from];
    return error;
}

static __global__ void compare_n_up(const int64_t *found, int64_t n_up, unsigned long long *fault)
{
    if (found[1] != n_up)
        fault_note(fault, HG_FAULT_N_UP, found[1]);
}

cudaError_t hg_vis_check_n_up(const hg_vis_selection *s, int64_t n_up, unsigned long long *fault,
                              cudaStream_t stream)
{
    compare_n_up<<<1, 1, 0, stream>>>(s->found, n_up, fault);
    return cudaGetLastError();
}
