// SPDX-License-Identifier: BSD-3-Clause
// The split product on Hopper's tensor cores: partial tiles of Z Z^H, 128 x 128, from planes.
//
//      Re V_ij += X_i X_j + Y_i Y_j,   Im V_ij += Y_i X_j - X_i Y_j      Z = X + i Y
//
// each product as lo hi + hi lo + hi hi of the two parts, in that order. One warp loads, two
// warpgroups multiply: a plane of 64 rows times [X_j; Y_j] of 64 rows is one chain of six
// instructions, whose 64 sums a thread are then added to its float32 sums outside the tensor cores,
// which truncate. So a sum inside them is 32 (fp16) or 16 (tf32) columns long. The warpgroups take
// turns, one multiplies while the other adds; they need equal numbers of chains: parts on the
// diagonal of a diagonal tile or the corner are halved by plane of A.
// Work: 12 real operations a complex one, parts of 64 x 64 above the diagonal left out. Limits: the
// power of the tensor cores; three stages of 64 KiB hide the loads. Compiled for sm_90a only.
#include "plugins/cuda/visibility/split_gram.h"
#include "plugins/cuda/visibility/split_tiles.cuh"
#include "plugins/cuda/visibility/wgmma.cuh"

#ifdef HG_HAVE_WGMMA

enum { STAGES = 3, PANEL = 2 * HG_PLANE_BLOCK, STAGE = 2 * PANEL, SHARED = STAGES * STAGE + 1024 };
enum { CONSUMERS = 256, TURN = 1 /* named barriers 1 and 2 */ };

// What a warpgroup makes: up to two parts; planes: 1 X, 2 Y, 3 both.
struct Parts {
    int a[2], b[2]; // bytes from the start of a stage
    int planes[2];  // 0: no part
    int place[2];   // in the slot
};

static __device__ __forceinline__ Parts parts_of(const SplitUnit &u, int group)
{
    const int row = group * HG_PLANE_BLOCK, right = PANEL + group * HG_PLANE_BLOCK;
    switch (u.kind) {
    case HG_SPLIT_WHOLE:
        return {{row, row}, {PANEL, PANEL + HG_PLANE_BLOCK}, {3, 3}, {2 * group, 2 * group + 1}};
    case HG_SPLIT_DIAGONAL:
        return {{row, HG_PLANE_BLOCK}, {row, 0}, {3, 1 + group}, {3 * group, 2 - group}};
    case HG_SPLIT_EDGE:
        return {{0, 0}, {right, 0}, {3, 0}, {group, 0}};
    default:
        return {{0, 0}, {0, 0}, {1 + group, 0}, {group, 0}};
    }
}

// d = plane of A (64 rows) times [X; Y] of B over one block of columns.
template <int KIND>
static __device__ __forceinline__ void chain(float (&d)[64], uint32_t a, uint32_t b, int group)
{
    constexpr bool tf32 = KIND == HG_PLANE_TF32;
    const uint64_t hi_a = operand(a), hi_b = operand(b), lo_a = hi_a + 4, lo_b = hi_b + 4;
    turn_wait<CONSUMERS>(TURN + group);
    wgmma_open();
    wgmma<tf32>(d, lo_a, hi_b, 0);
    wgmma<tf32>(d, lo_a + 2, hi_b + 2, 1);
    wgmma<tf32>(d, hi_a, lo_b, 1);
    wgmma<tf32>(d, hi_a + 2, lo_b + 2, 1);
    wgmma<tf32>(d, hi_a, hi_b, 1);
    wgmma<tf32>(d, hi_a + 2, hi_b + 2, 1);
    wgmma_close();
    turn_give<CONSUMERS>(TURN + 1 - group);
    wgmma_wait();
}

struct Sums {
    float re[32], im[32];
};

template <int KIND>
static __device__ __forceinline__ void add_part(Sums &s, float (&d)[64], uint32_t a, uint32_t b,
                                                int planes, int group)
{
    if (planes & 1) {
        chain<KIND>(d, a, b, group);
#pragma unroll
        for (int j = 0; j < 32; j++) {
            s.re[j] += d[j];
            s.im[j] -= d[32 + j];
        }
    }
    if (planes & 2) {
        chain<KIND>(d, a + HG_PLANE_BLOCK / 2, b, group);
#pragma unroll
        for (int j = 0; j < 32; j++) {
            s.im[j] += d[j];
            s.re[j] += d[32 + j];
        }
    }
}

static __device__ __forceinline__ void store_part(const Sums &s, float2 *part)
{
    const int t = threadIdx.x % 128, row = t / 32 * 16 + t % 32 / 4, column = t % 4 * 2;
    float2 *const out = part + row * 64 + column;
#pragma unroll
    for (int j = 0; j < 8; j++) {
        *(float4 *)(out + 8 * j) =
            make_float4(s.re[4 * j], s.im[4 * j], s.re[4 * j + 1], s.im[4 * j + 1]);
        *(float4 *)(out + 8 * 64 + 8 * j) =
            make_float4(s.re[4 * j + 2], s.im[4 * j + 2], s.re[4 * j + 3], s.im[4 * j + 3]);
    }
}

template <int KIND>
static __global__ void __launch_bounds__(CONSUMERS + 128, 1)
    gram_wgmma(const unsigned char *__restrict__ blocks, float2 *slots,
               const __grid_constant__ hg_split_tiles t)
{
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    let_next_start();
    extern __shared__ unsigned char memory[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    const uint32_t stages = (shared_address(memory) + 1023) & ~1023u;
    const SplitUnit u = split_unit(t, (int)blockIdx.x);
    const int steps = (t.column_blocks - u.split + u.splits - 1) / u.splits;
    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; i++) {
            barrier_open(&full[i], 1);
            barrier_open(&empty[i], CONSUMERS / 32);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    const int group = (int)threadIdx.x / 128;
    int stage = 0, phase = 0;
    if (group == 2) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
        if (threadIdx.x == CONSUMERS) {
            const int left =
                (u.kind == HG_SPLIT_EDGE || u.kind == HG_SPLIT_CORNER ? 1 : 2) * HG_PLANE_BLOCK;
            const int right = u.row == u.column ? 0 : PANEL;
            const int64_t step = (int64_t)t.row_blocks * HG_PLANE_BLOCK * u.splits;
            const unsigned char *from = blocks + (int64_t)u.split * t.row_blocks * HG_PLANE_BLOCK;
            wait_for_previous(); // who made the planes; nobody else reads what it wrote
            for (int i = 0; i < steps; i++, from += step) {
                const uint32_t to = stages + stage * STAGE;
                barrier_wait(&empty[stage], phase ^ 1);
                barrier_expect(&full[stage], left + right);
                bulk_copy(to, from + (int64_t)u.row * PANEL, left, &full[stage]);
                if (right)
                    bulk_copy(to + PANEL, from + (int64_t)u.column * PANEL, right, &full[stage]);
                if (++stage == STAGES)
                    stage = 0, phase ^= 1;
            }
        }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
        const Parts parts = parts_of(u, group);
        Sums s[2];
        float d[64];
#pragma unroll
        for (int j = 0; j < 32; j++)
            s[0].re[j] = s[0].im[j] = s[1].re[j] = s[1].im[j] = 0;
        if (group == 1)
            turn_give<CONSUMERS>(TURN); // the first turn is group 0's
        for (int i = 0; i < steps; i++) {
            const uint32_t at = stages + stage * STAGE;
            barrier_wait(&full[stage], phase);
            add_part<KIND>(s[0], d, at + parts.a[0], at + parts.b[0], parts.planes[0], group);
            add_part<KIND>(s[1], d, at + parts.a[1], at + parts.b[1], parts.planes[1], group);
            if (threadIdx.x % 32 == 0)
                barrier_arrive(&empty[stage]);
            if (++stage == STAGES)
                stage = 0, phase ^= 1;
        }
        float2 *const slot = slots + (int64_t)blockIdx.x * 4 * HG_SPLIT_PLACE;
        store_part(s[0], slot + parts.place[0] * HG_SPLIT_PLACE);
        if (parts.planes[1])
            store_part(s[1], slot + parts.place[1] * HG_SPLIT_PLACE);
        if (group == 0)
            turn_wait<CONSUMERS>(TURN); // group 1's last one
    }
#endif
}

template <int KIND> static cudaError_t launch(const hg_split_gram *g, cudaStream_t stream)
{
    const cudaError_t error =
        cudaFuncSetAttribute(gram_wgmma<KIND>, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED);
    if (error != cudaSuccess)
        return error;
    return launch_overlapped(gram_wgmma<KIND>, dim3((unsigned)g->tiles.first[HG_SPLIT_CLASSES]),
                             dim3(CONSUMERS + 128), SHARED, stream, true, g->planes.blocks,
                             (float2 *)g->slots, g->tiles);
}

extern "C" cudaError_t hg_split_gram_wgmma(const hg_split_gram *g, cudaStream_t stream)
{
    return g->planes.kind == HG_PLANE_FP16 ? launch<HG_PLANE_FP16>(g, stream)
                                           : launch<HG_PLANE_TF32>(g, stream);
}

extern "C" int hg_split_has_wgmma(void)
{
    return 1;
}

#else

extern "C" cudaError_t hg_split_gram_wgmma(const hg_split_gram *, cudaStream_t)
{
    return cudaErrorNoKernelImageForDevice;
}

extern "C" int hg_split_has_wgmma(void)
{
    return 0;
}

#endif
