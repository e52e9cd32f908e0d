/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolution for one type: included by filter.c with REAL, LEAST, VECTOR, LANES, TYPED,
 * OP. */

/* REGISTERS outputs from n on: sum_q w[q] from[step q + n], step 1 or -1. Taps below the normal
 * numbers, as the tails of a smooth wavelet have, count as 0: they add nothing that would be seen,
 * and the processor takes a hundred times as long for each. */
static inline __attribute__((always_inline)) void
TYPED(outputs)(const REAL *w, int64_t nwav, const REAL *from, int64_t step, int64_t room, REAL *out)
{
    enum { REGISTERS = 8 };
    VECTOR sum[REGISTERS] = {{0}};
    for (int64_t q = 0; q < nwav; q++) {
        VECTOR tap = OP(set)(w[q] < LEAST && w[q] > -LEAST ? 0 : w[q]);
#pragma GCC unroll 8
        for (int i = 0; i < REGISTERS; i++)
            sum[i] = OP(fma)(tap, OP(load)(from + step * q + i * LANES), sum[i]);
    }
    for (int64_t n = 0; n < REGISTERS * LANES && n < room; n++)
        out[n] = sum[n / LANES][n % LANES];
}

static void TYPED(filter)(const hg_wavelet *wavelet, const void *in, int64_t nt, void *padded,
                          void *out)
{
    const REAL *x = in, *w = wavelet->w;
    REAL *room = padded;
    int64_t nwav = wavelet->nwav;
    /* Convolution reads back from index n + nwav - 1 of the copy, correlation on from n. */
    int64_t before = wavelet->adjoint ? wavelet->wavc : nwav - 1 - wavelet->wavc;
    int64_t total = hg_filter_room(nt, nwav);
    for (int64_t j = 0; j < total; j++)
        room[j] = j >= before && j - before < nt ? x[j - before] : 0;
    for (int64_t n = 0; n < nt; n += 8 * LANES)
        if (wavelet->adjoint)
            TYPED(outputs)(w, nwav, room + n, 1, nt - n, (REAL *)out + n);
        else
            TYPED(outputs)(w, nwav, room + n + nwav - 1, -1, nt - n, (REAL *)out + n);
}

#undef REAL
#undef LEAST
#undef VECTOR
#undef LANES
#undef TYPED
#undef OP
