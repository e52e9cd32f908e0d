/* SPDX-License-Identifier: BSD-3-Clause */
/* Points of complex64 that need more digits: a copy in double, the same solver, the answers back.
 */
#include "plugins/cpu/emi/again.h"

#include "headgate/plugin_util.h"

#include <math.h>

/* One group in double; packed coherences. */
typedef struct copies {
    void *group;
    double complex *coh;   /* lanes x n(n-1)/2 */
    double complex *phase; /* lanes x n */
    double *quality, *beta;
    int32_t *status;
} copies;

static copies lay_out(hgate_scratch *s, const hg_interleaved *wide, int64_t n)
{
    return (copies){
        .group = hgate_scratch_take(s, 1, wide->bytes(n)),
        .coh = hgate_scratch_take(s, wide->lanes * (n * (n - 1) / 2), sizeof(double complex)),
        .phase = hgate_scratch_take(s, wide->lanes * n, sizeof(double complex)),
        .quality = hgate_scratch_take(s, wide->lanes, sizeof(double)),
        .beta = hgate_scratch_take(s, wide->lanes, sizeof(double)),
        .status = hgate_scratch_take(s, wide->lanes, sizeof(int32_t))};
}

size_t hg_emi_again_bytes(const hg_interleaved *wide, int64_t n)
{
    hgate_scratch s = hgate_scratch_count();
    lay_out(&s, wide, n);
    return s.bytes;
}

uint64_t hg_emi_solve_again(const hg_emi_call *call, const hg_interleaved *wide,
                            const int64_t *points, int count, void *memory)
{
    hgate_scratch s = {memory, SIZE_MAX, 0, 0};
    const int64_t n = call->n;
    const copies c = lay_out(&s, wide, n);
    hg_emi_call copy = *call;
    copy.n_points = count;
    copy.is_full = 0;
    copy.hermitian_tolerance = INFINITY; /* both triangles were compared already */
    copy.coh = (hg_reals){c.coh, 1};
    copy.phase = (hg_reals){c.phase, 1};
    copy.quality = (hg_reals){c.quality, 1};
    copy.beta = (hg_reals){c.beta, 1};
    copy.status = c.status;

    double complex *to = c.coh;
    for (int l = 0; l < count; l++)
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = i + 1; j < n; j++)
                *to++ = hg_emi_gamma(call, points[l], i, j);
    const uint64_t left = wide->solve(&copy, 0, c.group);
    for (int l = 0; l < count; l++) {
        const hg_emi_result result = {.phase = c.phase + l * n,
                                      .quality = c.quality[l],
                                      .beta = c.beta[l],
                                      .status = c.status[l]};
        if (!(left >> l & 1))
            hg_emi_store(call, points[l], &result);
    }
    return left;
}
