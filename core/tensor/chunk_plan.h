/* SPDX-License-Identifier: BSD-3-Clause */
/* Arithmetic of source chunks for `visibility`: bytes that stay, bytes per source, smallest chunk
 * count that fits.
 *
 * Inline and free of other headers of the core, because hgate_visibility_chunks() and the kernels
 * of the plugins, which do not link the core, must agree to the byte. With r = 4 or 8 bytes per
 * real, c = 2 r, g = bytes per node of the grid (c or r): fixed      = 3 nant r + 7 nsrc r + 9 r +
 * nbeampix nfeed nax g + (nant nfeed)^2 c per_source = 4 r + nant nfeed nax c,  and steps apart  +
 * nant c + nbeam nfeed nax c nbeampix is the sum over all beams already. */
#ifndef HG_CHUNK_PLAN_H
#define HG_CHUNK_PLAN_H

#include "headgate/visibility.h"

#include <stdint.h>

/* Adds the product of n factors to *sum. 0 when it does not fit in size_t or a factor is negative.
 */
static inline int hg_chunk_add(size_t *sum, int n, const int64_t *factors)
{
    size_t product = 1;
    for (int i = 0; i < n; i++)
        if (factors[i] < 0 || __builtin_mul_overflow(product, (size_t)factors[i], &product))
            return 0;
    return !__builtin_add_overflow(*sum, product, sum);
}

#define HG_CHUNK_ADD(SUM, ...)                                                                     \
    hg_chunk_add(SUM, sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), (int64_t[]){__VA_ARGS__})

/* Fills fixed and per_source of info. HGATE_ESHAPE when a product overflows. */
static inline int hg_chunk_bytes(const hgate_visibility_shape *s, hgate_visibility_chunk_info *info)
{
    const int64_t r = s->is_f64 ? 8 : 4, c = 2 * r, g = s->is_complex_grid ? c : r;
    size_t fixed = 0, per_source = 0;
    int fits =
        HG_CHUNK_ADD(&fixed, 3, s->nant, r) && HG_CHUNK_ADD(&fixed, 7, s->nsrc, r) &&
        HG_CHUNK_ADD(&fixed, 9, r) && HG_CHUNK_ADD(&fixed, s->nbeampix, s->nfeed, s->nax, g) &&
        HG_CHUNK_ADD(&fixed, s->nant, s->nfeed, s->nant, s->nfeed, c) &&
        HG_CHUNK_ADD(&per_source, 4, r) && HG_CHUNK_ADD(&per_source, s->nant, s->nfeed, s->nax, c);
    if (!s->is_fused)
        fits = fits && HG_CHUNK_ADD(&per_source, s->nant, c) &&
               HG_CHUNK_ADD(&per_source, s->nbeam, s->nfeed, s->nax, c);
    if (!fits)
        return HGATE_ESHAPE;
    info->fixed = fixed;
    info->per_source = per_source;
    return HGATE_OK;
}

/* Smallest number that the size_t conversion of `bytes / buffer`, rounded up, may give. */
static inline size_t hg_chunk_needed(size_t bytes, double buffer)
{
    double needed = (double)bytes / buffer;
    if (needed >= (double)SIZE_MAX)
        return SIZE_MAX;
    size_t whole = (size_t)needed;
    return whole + ((double)whole < needed);
}

/* Plans chunks for mem_limit bytes of which the share `buffer` may be used; mem_limit 0: no limit.
 * min_chunks below 1 counts as 1, above nsrc as nsrc. HGATE_ENOMEM when not one source fits, with
 * *needed the smallest limit that would do; HGATE_ESHAPE when a byte count overflows. info keeps
 * its struct_size. */
static inline int hg_chunk_plan(const hgate_visibility_shape *s, size_t mem_limit, double buffer,
                                int64_t min_chunks, hgate_visibility_chunk_info *info,
                                size_t *needed)
{
    int status = hg_chunk_bytes(s, info);
    if (status != HGATE_OK)
        return status;
    info->n_chunks = info->chunk = 0;
    info->bytes = info->fixed;
    if (s->nsrc == 0)
        return HGATE_OK;
    int64_t most = s->nsrc; /* sources that fit at once */
    if (mem_limit > 0) {
        double room = (double)mem_limit * buffer - (double)info->fixed;
        if (room < (double)info->per_source) {
            size_t bytes;
            if (__builtin_add_overflow(info->fixed, info->per_source, &bytes))
                return HGATE_ESHAPE;
            *needed = hg_chunk_needed(bytes, buffer);
            return HGATE_ENOMEM;
        }
        double fit = room / (double)info->per_source;
        if (fit < (double)most)
            most = (int64_t)fit;
    }
    int64_t n = (s->nsrc - 1) / most + 1;
    n = n < min_chunks ? min_chunks : n;
    n = n > s->nsrc ? s->nsrc : n;
    info->chunk = (s->nsrc - 1) / n + 1;
    info->n_chunks = (s->nsrc - 1) / info->chunk + 1;
    size_t bytes = info->fixed;
    if (!HG_CHUNK_ADD(&bytes, info->chunk, (int64_t)info->per_source))
        return HGATE_ESHAPE;
    info->bytes = bytes;
    return HGATE_OK;
}

#undef HG_CHUNK_ADD

#endif
