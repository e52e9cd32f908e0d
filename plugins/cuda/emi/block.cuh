// SPDX-License-Identifier: BSD-3-Clause
// Parts of kernel `block`: one block of threads a point, matrices as packed lower triangles in
// shared memory.
//
// Element (r, c), r >= c, lies at r(r+1)/2 + c. Loops over a triangle give whole rows to warps and
// columns to lanes: shared memory is read without conflicts and every row part serves both halves
// of the symmetric product.
#pragma once
#include "plugins/cuda/emi/block.h"
#include "plugins/cuda/emi/contract.cuh"

template <class R> struct BlockPoint {
    R *p0, *p1; // two planes of n(n+1)/2
    R *vector[hg_emi_block_vectors];
    R *grid; // a trial point a thread
    int *counts;
    R *sums; // two rows of a value a warp
    unsigned *flags;
    int n, tid, threads, lane, warp, warps;
};

HG_INLINE int at(int r, int c)
{
    return r * (r + 1) / 2 + c;
}

template <class R> HG_INLINE void lay_out(BlockPoint<R> &b, void *memory, int n)
{
    b.n = n;
    b.tid = threadIdx.x;
    b.threads = blockDim.x;
    b.lane = b.tid & 31;
    b.warp = b.tid >> 5;
    b.warps = b.threads >> 5;
    b.p0 = (R *)memory;
    b.p1 = b.p0 + n * (n + 1) / 2;
    R *next = b.p1 + n * (n + 1) / 2;
    for (int i = 0; i < hg_emi_block_vectors; i++, next += n)
        b.vector[i] = next;
    b.grid = next;
    b.sums = next + b.threads;
    b.counts = (int *)(b.sums + 2 * hg_emi_block_warps);
    b.flags = (unsigned *)(b.counts + b.threads);
}

// Sum over the block in a fixed order; every thread gets it. Two barriers.
template <class R> HG_INLINE R block_sum(const BlockPoint<R> &b, R a)
{
#pragma unroll
    for (int o = 16; o; o >>= 1)
        a += __shfl_xor_sync(0xffffffffu, a, o);
    __syncthreads();
    if (b.lane == 0)
        b.sums[b.warp] = a;
    __syncthreads();
    R total = b.sums[0];
    for (int i = 1; i < b.warps; i++)
        total += b.sums[i];
    return total;
}

template <class R> HG_INLINE R block_max(const BlockPoint<R> &b, R a)
{
#pragma unroll
    for (int o = 16; o; o >>= 1)
        a = fmax(a, __shfl_xor_sync(0xffffffffu, a, o));
    __syncthreads();
    if (b.lane == 0)
        b.sums[b.warp] = a;
    __syncthreads();
    R most = b.sums[0];
    for (int i = 1; i < b.warps; i++)
        most = fmax(most, b.sums[i]);
    return most;
}

// Neighbouring lanes that share a row of a product, and their sum. The order of the sum depends on
// the row alone.
enum { product_lanes = 4 };

template <class R> HG_INLINE R product_sum(R a)
{
#pragma unroll
    for (int o = product_lanes / 2; o; o >>= 1)
        a += __shfl_xor_sync(0xffffffffu, a, o);
    return a;
}

// y = A x over rows and columns from `first` on: the row part of a row and its column part.
template <class R>
HG_INLINE void symmetric_product(const BlockPoint<R> &b, const R *a, const R *x, R *y, int first)
{
    const int sub = b.tid % product_lanes;
    for (int top = first; top < b.n; top += b.threads / product_lanes) { // whole warps go on
        const int r = top + b.tid / product_lanes;
        R sum = 0;
        if (r < b.n) {
            const R *const row = a + at(r, 0);
            int c = first + sub;
#pragma unroll 4
            for (; c <= r; c += product_lanes)
                sum += row[c] * x[c];
#pragma unroll 4
            for (; c < b.n; c += product_lanes)
                sum += a[at(c, r)] * x[c];
        }
        sum = product_sum(sum);
        if (r < b.n && sub == 0)
            y[r] = sum;
    }
    __syncthreads();
}

// Householder tridiagonalization of the symmetric plane p0 from the first column on. d, e (with
// sign), tau in vectors 0, 1, 2; reflector k stays in column k below the subdiagonal's row; vectors
// 3 and 4 are scratch.
template <class R> HG_INLINE void block_tridiagonalize_real(const BlockPoint<R> &b)
{
    R *const d = b.vector[0], *const e = b.vector[1], *const tau = b.vector[2];
    R *const v = b.vector[3], *const w = b.vector[4], *const a = b.p0;
    const int n = b.n;
    for (int k = 0; k < n - 1; k++) {
        const int first = k + 1;
        R part = 0;
        for (int r = first + b.tid; r < n; r += b.threads) {
            v[r] = a[at(r, k)];
            part += v[r] * v[r];
        }
        const R norm2 = block_sum(b, part), norm = sqrt(norm2), pivot = v[first];
        const R shift = copysign(norm, pivot), head = pivot + shift;
        R t = 0;
        if (k < n - 2 && norm2 > 0)
            t = 2 / ((norm2 - pivot * pivot) + head * head);
        __syncthreads();
        if (b.tid == 0) {
            d[k] = a[at(k, k)];
            e[k] = k < n - 2 ? -shift : pivot;
            tau[k] = t;
            v[first] = head;
        }
        __syncthreads();
        if (k == n - 2)
            break;
        symmetric_product(b, a, v, w, first);
        part = 0;
        for (int r = first + b.tid; r < n; r += b.threads)
            part += v[r] * w[r];
        const R h = t * t * block_sum(b, part) / 2;
        for (int r = first + b.tid; r < n; r += b.threads)
            w[r] = t * w[r] - h * v[r];
        __syncthreads();
        for (int r = first + b.warp; r < n; r += b.warps) {
            R *const row = a + at(r, 0);
            const R vr = v[r], wr = w[r];
            for (int c = first + b.lane; c <= r; c += 32)
                row[c] -= vr * w[c] + wr * v[c];
        }
        for (int r = first + b.tid; r < n; r += b.threads)
            a[at(r, k)] = v[r];
        __syncthreads();
    }
    if (b.tid == 0)
        d[n - 1] = a[at(n - 1, n - 1)];
    __syncthreads();
}

// ---- spectrum: multisection with one trial point a thread

// d and e^2 scaled by a power of two to below 1, into vectors `to` and `to` + 1. Returns the scale.
template <class R> HG_INLINE R block_scale(const BlockPoint<R> &b, int to)
{
    const R *const d = b.vector[0], *const e = b.vector[1];
    R bound = 0;
    for (int i = b.tid; i < b.n; i += b.threads)
        bound = fmax(bound, fabs(d[i]) + (i ? fabs(e[i - 1]) : 0) + (i < b.n - 1 ? fabs(e[i]) : 0));
    bound = fmax(block_max(b, bound), (R)1e-30);
    const R scale = (R)exp2(floor(log2((double)bound)) + 1);
    for (int i = b.tid; i < b.n; i += b.threads) {
        b.vector[to][i] = d[i] / scale;
        const R off = i ? e[i - 1] / scale : 0;
        b.vector[to + 1][i] = off * off; // couples i - 1 and i
    }
    __syncthreads();
    return scale;
}

// Eigenvalues below x, by the pivots of T - x; a tiny pivot stands for one below zero.
template <class R> HG_INLINE int sturm_count(const R *d, const R *e2, int n, R x)
{
    const R tiny = sizeof(R) == 4 ? (R)1e-20 : (R)1e-150;
    R q = 1;
    int count = 0;
    for (int i = 0; i < n; i++) {
        q = d[i] - x - e2[i] / q;
        if (fabs(q) < tiny)
            q = -tiny;
        count += q < 0;
    }
    return count;
}

// kth smallest eigenvalue of the scaled matrix in vectors `from`, `from` + 1.
template <class R> HG_INLINE R block_section(const BlockPoint<R> &b, int from, int kth)
{
    const int bits = sizeof(R) == 4 ? 26 : 54, each = 31 - __clz(b.threads),
              rounds = (bits + each - 1) / each;
    R lo = -1, hi = 1;
    for (int round = 0; round < rounds; round++) {
        const R step = (hi - lo) / (b.threads + 1);
        b.grid[b.tid] = lo + step * (b.tid + 1);
        b.counts[b.tid] = sturm_count(b.vector[from], b.vector[from + 1], b.n, b.grid[b.tid]);
        __syncthreads();
        int low = 0, high = b.threads; // first trial point with at least kth eigenvalues below it
        while (low < high) {
            const int mid = (low + high) / 2;
            if (b.counts[mid] >= kth)
                high = mid;
            else
                low = mid + 1;
        }
        const R above = low < b.threads ? b.grid[low] : hi, below = low > 0 ? b.grid[low - 1] : lo;
        lo = below;
        hi = above;
        __syncthreads();
    }
    return (lo + hi) / 2;
}

// Eigenvector of the scaled matrix (vectors `from`, `from` + 1) at lambda into z, not normalized,
// by a twisted factorization in the vectors q, r; e of vector 1 gives the signs. Returns |z|^2 to
// every thread.
template <class R>
HG_INLINE R block_twisted(const BlockPoint<R> &b, int from, R scale, R lambda, R *q, R *r, R *z)
{
    const R *const d = b.vector[from], *const e2 = b.vector[from + 1], *const e = b.vector[1];
    const R tiny = sizeof(R) == 4 ? (R)1e-20 : (R)1e-150;
    const int n = b.n;
    const auto guard = [tiny](R a) { return fabs(a) < tiny ? -tiny : a; };
    if (b.tid == 0) {
        R a = d[0] - lambda;
        q[0] = a;
        for (int i = 1; i < n; i++)
            q[i] = a = (d[i] - lambda) - e2[i] / guard(a);
    } else if (b.tid == 32) {
        R a = d[n - 1] - lambda;
        r[n - 1] = a;
        for (int i = n - 2; i >= 0; i--)
            r[i] = a = (d[i] - lambda) - e2[i + 1] / guard(a);
    }
    __syncthreads();
    if (b.tid == 0) {
        int twist = 0;
        R least = fabs(q[0] + r[0] - (d[0] - lambda));
        for (int i = 1; i < n; i++) {
            const R g = fabs(q[i] + r[i] - (d[i] - lambda));
            if (g < least) {
                least = g;
                twist = i;
            }
        }
        b.counts[0] = twist;
    }
    __syncthreads();
    const int twist = b.counts[0];
    if (b.tid == 0) {
        z[twist] = 1;
        for (int i = twist - 1; i >= 0; i--)
            z[i] = -z[i + 1] * (e[i] / scale) / guard(q[i]);
    } else if (b.tid == 32) {
        R a = 1;
        for (int i = twist + 1; i < n; i++)
            z[i] = a = -a * (e[i - 1] / scale) / guard(r[i]);
    }
    __syncthreads();
    R part = 0;
    for (int i = b.tid; i < n; i += b.threads)
        part += z[i] * z[i];
    return block_sum(b, part);
}

// ---- inverse

// p0 = minus the inverse of the symmetric positive definite p0, by the sweep operator, a pivot at a
// time; vector 3 is scratch. No pivoting: the regularized |Gamma| is positive definite.
template <class R> HG_INLINE void block_negative_inverse(const BlockPoint<R> &b)
{
    R *const a = b.p0, *const column = b.vector[3];
    const int n = b.n;
    for (int k = 0; k < n; k++) {
        for (int i = b.tid; i < n; i += b.threads)
            column[i] = i >= k ? a[at(i, k)] : a[at(k, i)];
        __syncthreads();
        const R p = 1 / column[k];
        for (int r = b.warp; r < n; r += b.warps) {
            R *const row = a + at(r, 0);
            const R f = column[r] * p;
            for (int c = b.lane; c <= r; c += 32) {
                if (r != k && c != k)
                    row[c] -= f * column[c];
                else if (r == k && c == k)
                    row[c] = -p;
                else
                    row[c] = (r == k ? column[c] : column[r]) * p;
            }
        }
        __syncthreads();
    }
}
