/* SPDX-License-Identifier: BSD-3-Clause */
/* Factors of the offset aperture: rows over depth for the offsets that occur.
 *
 * The factor depends on the offset of the pair and on depth only. Offsets below the lower limit
 * have factor 1 at every depth and need no row, those from nz times the upper limit on have 0 and
 * need none either. */
#include "plugins/cpu/kirchhoff/offsets.h"

#include <stdlib.h>
#include <string.h>

static double pair_offset(const hg_survey *s, int64_t pair)
{
    return fabs((double)hg_index(s->six, pair / s->nr) - (double)hg_index(s->rix, pair % s->nr));
}

/* The row that an offset needs: one of the two constants, or 0 for a row of its own. */
static int32_t row_kind(const hg_survey *s, double offset)
{
    const double *limits = s->params->aperture;
    int is_unit = s->params->offset_taper == HGATE_OFFSET_TAPER_UNIT;
    if (is_unit ? offset < limits[1] : offset < limits[0])
        return HG_OFFSET_ONES;
    return offset / (double)s->nz >= limits[1] ? HG_OFFSET_ZEROS : 0;
}

static double factor(const hg_survey *s, double offset, int64_t iz)
{
    double ratio = offset / (double)(iz + 1);
    if (s->params->offset_taper == HGATE_OFFSET_TAPER_UNIT)
        return ratio < s->params->aperture[1] ? 1.0 : 0.0;
    return hg_taper(s, ratio, s->params->aperture);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the offsets that need a row and drops repeats. */
static int64_t distinct(const hg_survey *s, double *offsets)
{
    int64_t n = 0, kept = 0;
    for (int64_t pair = 0; pair < s->ns * s->nr; pair++) {
        offsets[n] = pair_offset(s, pair);
        n += row_kind(s, offsets[n]) == 0;
    }
    qsort(offsets, (size_t)n, sizeof *offsets, compare);
    for (int64_t i = 0; i < n; i++)
        if (kept == 0 || offsets[i] != offsets[kept - 1])
            offsets[kept++] = offsets[i];
    return kept;
}

/* Elements of a row: one brick of each depth. */
static int64_t row_length(const hg_bricks *bricks)
{
    return bricks->count[0] * bricks->lanes;
}

static void fill_row(const hg_survey *s, const hg_bricks *b, double offset, int is_64,
                     void *factors, int64_t at)
{
    for (int64_t p = 0; p < row_length(b); p++) {
        int64_t iz = p / b->lanes * b->brick[0] + p % b->lanes % b->brick[0];
        double value = factor(s, offset, iz < s->nz ? iz : s->nz - 1);
        if (is_64)
            ((double *)factors)[at + p] = value;
        else
            ((float *)factors)[at + p] = (float)value;
    }
}

/* Place of an offset among the sorted ones. */
static int32_t find(const double *offsets, int64_t n, double offset)
{
    int64_t low = 0, high = n - 1;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (offsets[middle] < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return (int32_t)low;
}

static void lay_out(hgate_scratch *scratch, int64_t pairs, int64_t elements, size_t real,
                    hg_tables *t)
{
    t->offset_row = hgate_scratch_take(scratch, pairs, sizeof(int32_t));
    t->offset_factor = hgate_scratch_take(scratch, elements, real);
}

size_t hg_offsets_bytes(const hg_survey *s, const hg_bricks *bricks, int is_64)
{
    int64_t pairs = s->ns * s->nr, elements;
    if (!s->has_aperture)
        return 0;
    /* Offsets are whole numbers, and from nz hi on there is no row. */
    double most = s->params->aperture[1] * (double)s->nz + 1.0;
    int64_t rows = most < (double)pairs ? (int64_t)most : pairs;
    if (__builtin_mul_overflow(rows, row_length(bricks), &elements))
        return SIZE_MAX;
    hgate_scratch scratch = hgate_scratch_count();
    hg_tables unused;
    lay_out(&scratch, pairs, elements, is_64 ? 8 : 4, &unused);
    return scratch.bytes;
}

int hg_offsets_make(const hgate_host *host, const hg_survey *s, hg_tables *t)
{
    int64_t pairs = s->ns * s->nr, length = row_length(&t->bricks), elements;
    double *offsets = host->alloc(host, (size_t)(pairs + 1) * sizeof *offsets, sizeof *offsets);
    if (!offsets)
        return HGATE_ENOMEM;
    int64_t rows = distinct(s, offsets);
    hgate_scratch count = hgate_scratch_count();
    if (__builtin_mul_overflow(rows, length, &elements))
        elements = -1; /* makes the count overflow */
    lay_out(&count, pairs, elements, t->is_64 ? 8 : 4, t);
    char *memory =
        count.is_short ? NULL : host->alloc(host, count.bytes + 1, HGATE_SCRATCH_ALIGNMENT);
    if (!memory) {
        host->free(host, offsets);
        return HGATE_ENOMEM;
    }
    hgate_scratch over = {.memory = memory, .size = count.bytes};
    lay_out(&over, pairs, elements, t->is_64 ? 8 : 4, t);
    t->offset_row = (int32_t *)memory;
    t->bytes += count.bytes;
    for (int64_t row = 0; row < rows; row++)
        fill_row(s, &t->bricks, offsets[row], t->is_64, t->offset_factor, row * length);
    for (int64_t pair = 0; pair < pairs; pair++) {
        double offset = pair_offset(s, pair);
        int32_t kind = row_kind(s, offset);
        t->offset_row[pair] = kind != 0 ? kind : find(offsets, rows, offset);
    }
    host->free(host, offsets);
    return HGATE_OK;
}
