/* SPDX-License-Identifier: BSD-3-Clause */
/* Arithmetic on sizes and counts that notices overflow: true and a result, or false and no result.
 */
#ifndef HG_BASE_MATHX_H
#define HG_BASE_MATHX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool hg_size_add(size_t a, size_t b, size_t *out)
{
    size_t sum;
    if (__builtin_add_overflow(a, b, &sum)) {
        return false;
    }
    *out = sum;
    return true;
}

static inline bool hg_size_mul(size_t a, size_t b, size_t *out)
{
    size_t product;
    if (__builtin_mul_overflow(a, b, &product)) {
        return false;
    }
    *out = product;
    return true;
}

static inline bool hg_int64_add(int64_t a, int64_t b, int64_t *out)
{
    int64_t sum;
    if (__builtin_add_overflow(a, b, &sum)) {
        return false;
    }
    *out = sum;
    return true;
}

static inline bool hg_int64_mul(int64_t a, int64_t b, int64_t *out)
{
    int64_t product;
    if (__builtin_mul_overflow(a, b, &product)) {
        return false;
    }
    *out = product;
    return true;
}

/** A count taken from a tensor as a size; negative counts do not fit. */
static inline bool hg_size_from_int64(int64_t count, size_t *out)
{
    if (count < 0 || (uint64_t)count > SIZE_MAX) {
        return false;
    }
    *out = (size_t)count;
    return true;
}

/** Bytes of `count` elements of `element_bytes` each. */
static inline bool hg_size_of_count(int64_t count, size_t element_bytes, size_t *out)
{
    size_t n;
    return hg_size_from_int64(count, &n) && hg_size_mul(n, element_bytes, out);
}

/** Rounds up to a multiple of `step`, a power of two. */
static inline bool hg_size_round_up(size_t size, size_t step, size_t *out)
{
    size_t raised;
    if (!hg_size_add(size, step - 1, &raised)) {
        return false;
    }
    *out = raised & ~(step - 1);
    return true;
}

#endif
