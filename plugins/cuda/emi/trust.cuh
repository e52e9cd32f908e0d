// SPDX-License-Identifier: BSD-3-Clause
// Which points float32 does not hold, and how they are left to kernel `again`.
//
// The error of an inverse B is about u B B, u the rounding error. Where B was set right along the
// vector of the least eigenvalue mu, what is left has at most the norm u sqrt(|B|^4 - mu^-4), |B|
// the Frobenius norm. It turns the vector v of M by that over the gap behind its eigenvalue, the
// phase of image i by |v| / (sqrt(n) |v_i|) times as much. Smooth models of the coherence give
// |Gamma| many small eigenvalues and lose their phases by it; speckle does not.
#pragma once
#include "plugins/cuda/emi/emi_args.h"
#include "plugins/cuda/emi/registers.cuh"

// The estimated turn may be so much: it is an upper bound, ten to a thousand times the error on the
// stacks that it was chosen with, smooth ones of 7 to 167 images and speckle of 30 to 196.
constexpr float turn_allowed = 0.2f;
// A norm below this is not looked at: gaps of M, whose eigenvalues are 1 and more, are seldom below
// 0.03.
constexpr float error_looked_at = 0.03f;
// In place of an estimate: much, and what is made of it stays finite.
constexpr float error_of_lost = 1e12f;

constexpr double half_epsilon = 0.5 * 1.1920928955078125e-7;

// Whether no inverse of n images whose eigenvalues are at most 1 / lowest has an error worth
// looking at.
HG_INLINE bool is_exact_enough(double lowest, int n)
{
    return half_epsilon * n <= error_looked_at * lowest * lowest;
}

// Norm of the error of an inverse, from its square norm; set_right: 1 / mu^2, 0 where nothing was
// set right.
HG_INLINE float inverse_error(double square_norm, double set_right)
{
    const double others = square_norm * square_norm - set_right * set_right;
    return (float)(half_epsilon * sqrt(fmax(others, 0.)));
}

// How far above the eigenvalue the next one must lie, from the components of the vector that have a
// phase: the sum of their squares, their count and the least square.
HG_INLINE float gap_needed(float error, float sum, float count, float least)
{
    return error * sqrtf(fminf(sum / (count * least), 1e12f)) / turn_allowed;
}

// A left point is told by its first phase: a NaN that neither arithmetic nor a refusal writes. The
// block that takes it puts another one there.
constexpr unsigned left_mark = 0x7fc0e317u, taken_mark = 0x7fc0e318u;

HG_INLINE unsigned *mark_of(const EmiArgs &p, int64_t point)
{
    return (unsigned *)((float2 *)p.phase + point * p.n);
}

HG_INLINE void leave_point(const EmiArgs &p, int64_t point)
{
    *mark_of(p, point) = left_mark;
}

HG_INLINE bool is_left(const EmiArgs &p, int64_t point)
{
    return *mark_of(p, point) == left_mark;
}

// Whether this thread got the point; of all that ask one does.
HG_INLINE bool take_point(const EmiArgs &p, int64_t point)
{
    return atomicCAS(mark_of(p, point), left_mark, taken_mark) == left_mark;
}
