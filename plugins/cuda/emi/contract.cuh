// SPDX-License-Identifier: BSD-3-Clause
// What every emi kernel owes a point: the checks of its values, their order, beta, and the answer
// of a refused one.
#pragma once
#include "plugins/cuda/emi/emi_args.h"
#include "plugins/cuda/emi/registers.cuh"

enum PointFlag : unsigned {
    flag_nonfinite = 1,
    flag_modulus = 2,
    flag_hermitian = 4,
    flag_nonzero = 8,
    flag_isolated = 16,
    flag_ref_isolated = 32
};

// Moduli above 1 + 1e-5 are refused; the boundary is decided in float64, far from it in float32.
HG_INLINE unsigned value_flags(float2 g)
{
    const float m2 = fmaf(g.x, g.x, g.y * g.y);
    unsigned f = m2 != 0.f || g.x != 0.f || g.y != 0.f ? flag_nonzero : 0u;
    if (!(fabsf(g.x) < INFINITY && fabsf(g.y) < INFINITY))
        f |= flag_nonfinite;
    else if (m2 > 1.00001f && (double)g.x * g.x + (double)g.y * g.y > (1 + 1e-5) * (1 + 1e-5))
        f |= flag_modulus;
    return f;
}

HG_INLINE unsigned value_flags(double2 g)
{
    unsigned f = g.x != 0 || g.y != 0 ? flag_nonzero : 0u;
    if (!(fabs(g.x) < INFINITY && fabs(g.y) < INFINITY))
        f |= flag_nonfinite;
    else if (g.x * g.x + g.y * g.y > (1 + 1e-5) * (1 + 1e-5))
        f |= flag_modulus;
    return f;
}

// Whether the two triangles of the full layout agree: g above, h below the diagonal.
HG_INLINE bool is_hermitian(float2 g, float2 h)
{
    const float dx = g.x - h.x, dy = g.y + h.y;
    return fmaf(dx, dx, dy * dy) <= 1e-8f; // modulus 1e-4
}

HG_INLINE bool is_hermitian(double2 g, double2 h)
{
    const double dx = g.x - h.x, dy = g.y + h.y;
    return dx * dx + dy * dy <= 1e-20; // modulus 1e-10
}

// Status of a point that cannot be solved, 0 where it can; the order of the tests is part of the
// contract.
HG_INLINE int refused_status(unsigned flags)
{
    if (flags & flag_nonfinite)
        return emi_bad_nonfinite;
    if (flags & flag_modulus)
        return emi_bad_modulus;
    if (flags & flag_hermitian)
        return emi_bad_hermitian;
    return flags & flag_nonzero ? 0 : emi_bad_empty;
}

// The least beta in [0, 1) that keeps lambda_min of (1-beta)|Gamma| + beta I at least (1-beta)
// max(0, -lambda_min) and its condition at most kappa.
HG_INLINE double adaptive_beta(double lo, double hi, double kappa)
{
    const double lift = lo < 0 ? -lo : 0, lack = hi / kappa - lo;
    const double by_sign = 2 * lift / (1 + 2 * lift);
    if (lack <= 0)
        return by_sign;
    return fmax(by_sign, lack / ((1 - lo) + (hi - 1) / kappa));
}

// Rule fixed: the lambda_min of |Gamma| above which the regularized matrix is positive definite
// with a condition that an inverse without pivoting stands.
template <class R> HG_INLINE double least_safe(double beta, double hi)
{
    const double condition = sizeof(R) == 4 ? 1e5 : 1e12;
    return (((1 - beta) * hi + beta) / condition - beta) / (1 - beta);
}

template <class R> struct ComplexOf;
template <> struct ComplexOf<float> {
    using type = float2;
};
template <> struct ComplexOf<double> {
    using type = double2;
};

// NaN for a point that has no answer; `threads` threads share the images.
template <class R>
HG_INLINE void write_refused(const EmiArgs &p, int64_t point, int status, int thread, int threads)
{
    using C = typename ComplexOf<R>::type;
    for (int i = thread; i < p.n; i += threads)
        ((C *)p.phase)[point * p.n + i] = C{(R)NAN, (R)NAN};
    if (thread == 0) {
        if (p.quality)
            ((R *)p.quality)[point] = (R)NAN;
        if (p.beta)
            ((R *)p.beta)[point] = (R)NAN;
        if (p.status)
            p.status[point] = status;
    }
}
