// SPDX-License-Identifier: BSD-3-Clause
// A step of both tridiagonalizations: what a thread keeps from one to the next, and the columns
// that it passes over.
#pragma once
#include "plugins/cuda/emi/point.cuh"

// What a thread knows between steps: of its rows the reflector, its share of the product and, where
// it has it, the element of the next column; of its own row the reflector v, its update vector w
// and the next column c; of row k of the reflector vk.
template <class S, class T> struct StepState {
    T v[S::FOLD], y[S::FOLD], column[S::FOLD];
    T own_v, w, c, vk, pivot;
    float tau, norm2;
    bool holds; // the column that is next
};

// Columns that a thread still has when at most k are left.
template <class S> __host__ __device__ constexpr int columns_left(int k, int columns)
{
    const int band = S::SHARES * S::CHUNK, left = (k + band - 1) / band * S::CHUNK;
    return left < columns ? left : columns;
}

// Whether k, one of 32 (A - 1) + 1 ... 32 A if the thread has several rows, can be at most j.
template <class S, int A> __host__ __device__ constexpr bool can_end(int j)
{
    return S::FOLD == 1 || j > 32 * (A - 1);
}
