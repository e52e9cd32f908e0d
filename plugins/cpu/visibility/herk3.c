/* SPDX-License-Identifier: BSD-3-Clause */
/* The Hermitian product as three real ones, in parts that several threads add to.
 *
 * With S = Re Z + Im Z, D = Re Z - Im Z, I = Im Z:  G = S D^T, Q = I I^T,
 *      Re Z Z^H = (G + G^T) / 2 + 2 Q,   Im Z Z^H = (G - G^T) / 2.
 * 3 M^2 K real operations, against 4 of a Hermitian and 8 of a general complex product. A small
 * element beside large ones can lose digits; the error against the peak does not grow. Sums stay in
 * registers over a block of columns, the blocks are added in the precision of Z. */
#include "plugins/cpu/visibility/herk3.h"

#include <string.h>

enum { TILE = 32 }; /* of the last pass: three tiles of float64 and two of V fit half a cache */

#define R float
#define NAME(word) word##_c64
#include "plugins/cpu/visibility/herk3_real.h"

#define R double
#define NAME(word) word##_c128
#include "plugins/cpu/visibility/herk3_real.h"

int64_t hg_herk3_depth(int is_64)
{
    return is_64 ? 128 : 192;
}

static int64_t panels_of(const hg_herk3 *h)
{
    return (h->M + h->lanes->lanes - 1) / h->lanes->lanes;
}

static size_t real_bytes(const hg_herk3 *h)
{
    return h->is_64 ? sizeof(double) : sizeof(float);
}

static size_t plane_bytes(const hg_herk3 *h)
{
    return (size_t)(panels_of(h) * h->lanes->lanes * h->depth) * real_bytes(h);
}

static size_t sum_bytes(const hg_herk3 *h)
{
    size_t rows = (size_t)(panels_of(h) * h->lanes->lanes);
    return rows * rows * real_bytes(h);
}

void hg_herk3_lay_out(hgate_scratch *scratch, hg_herk3 *h)
{
    h->planes = hgate_scratch_take(scratch, 3 * (int64_t)h->parts, plane_bytes(h));
    h->sums = hgate_scratch_take(scratch, 2 * (int64_t)h->parts, sum_bytes(h));
}

hg_panels hg_herk3_panels(const hg_herk3 *h, int part)
{
    size_t bytes = plane_bytes(h);
    char *first = h->planes + 3 * (size_t)part * bytes;
    return (hg_panels){panels_of(h), h->depth, first, first + bytes, first + 2 * bytes};
}

void hg_herk3_pack(const hg_herk3 *h, int part, const void *Z, int64_t stride, int64_t K)
{
    const hg_visibility_lanes *lanes = h->lanes;
    hg_panels panels = hg_herk3_panels(h, part);
    for (int64_t q = 0; q < panels.n; q++) {
        int64_t row = q * lanes->lanes, left = h->M - row;
        lanes->pack_rows(&panels, q, (const char *)Z + 2 * (size_t)(row * stride) * real_bytes(h),
                         left < lanes->lanes ? left : lanes->lanes, stride, K);
    }
}

void hg_herk3_clear(const hg_herk3 *h, int part)
{
    memset(h->sums + 2 * (size_t)part * sum_bytes(h), 0, 2 * sum_bytes(h));
}

void hg_herk3_add(const hg_herk3 *h, int part, int64_t K, double sign)
{
    hg_panels panels = hg_herk3_panels(h, part);
    char *G = h->sums + 2 * (size_t)part * sum_bytes(h);
    h->lanes->product(&panels, K, sign, G, G + sum_bytes(h));
}

/* What the tiles of the last pass share. */
typedef struct finish {
    const hg_herk3 *h;
    int n;
    double alpha, beta;
    int is_conj;
    void *V;
} finish;

static void finish_rows(void *context, int64_t tile, int worker)
{
    (void)worker;
    const finish *f = context;
    int64_t ld = panels_of(f->h) * f->h->lanes->lanes;
    for (int64_t j0 = 0; j0 <= tile * TILE; j0 += TILE)
        if (f->h->is_64)
            finish_tile_c128(f->h->sums, f->n, ld, f->h->M, tile * TILE, j0, f->alpha, f->beta,
                             f->is_conj, f->V);
        else
            finish_tile_c64(f->h->sums, f->n, ld, f->h->M, tile * TILE, j0, f->alpha, f->beta,
                            f->is_conj, f->V);
}

void hg_herk3_finish(const hg_herk3 *h, int n, const hg_cpu *cpu, int threads, double alpha,
                     double beta, int is_conj, void *V)
{
    finish f = {h, n, alpha, beta, is_conj, V};
    cpu->spread(threads, (h->M + TILE - 1) / TILE, finish_rows, &f);
}
