/* SPDX-License-Identifier: BSD-3-Clause */
/* The inner loop of migration for one type: included by adjoint.c with REAL, VECTOR, LANES, PICKS,
 * TYPED, OP. */

/* One source in registers and what belongs to it; one receiver as it lies in memory. */
typedef struct TYPED(source) {
    VECTOR time[HG_TILE_BRICKS];
    const REAL *cosine, *sine;
    const int32_t *base;
} TYPED(source);

typedef struct TYPED(receiver) {
    const REAL *time, *cosine, *sine;
    const int32_t *base;
    const REAL *factor;   /* offset factors by depth, or NULL */
    const int32_t *depth; /* of the tile's bricks */
    const REAL *trace;
    int64_t last; /* nt - 1 */
} TYPED(receiver);

/* Interpolated samples of brick b. way 2 and 4: a window of so many registers; 0: gather, with
 * bounds. */
static inline __attribute__((always_inline)) VECTOR
TYPED(samples)(const TYPED(source) * s, const TYPED(receiver) * r, int b, int way)
{
    VECTOR f, x0 = {0}, x1 = {0}, window[4];
    int64_t base = s->base[b] + r->base[b];
    VECTOR u = s->time[b] + OP(load)(r->time + b * LANES);
    OP(at) q = OP(split)(u, &f);
    for (int w = 0; w < way; w++)
        window[w] = OP(load)(r->trace + base + w * LANES);
    if (way == 2) {
        x0 = OP(pick2)(window, q);
        x1 = OP(pick2)(window, q + 1);
    } else if (way == 4) {
        x0 = OP(pick4)(window, q);
        x1 = OP(pick4)(window, q + 1);
    } else {
        OP(gather)(r->trace, q + (OP(index))base, r->last, &f, &x0, &x1);
    }
    return OP(fma)(f, x1 - x0, x0);
}

/* sum += g samples over the eight bricks of a tile. weight 0: g = 1; 1: separated; 2: times the
 * offset factor. */
static inline __attribute__((always_inline)) void
TYPED(pair)(const TYPED(source) * s, const TYPED(receiver) * r, int way, int weight, VECTOR *sum)
{
#pragma GCC unroll 8
    for (int b = 0; b < HG_TILE_BRICKS; b++) {
        VECTOR value = TYPED(samples)(s, r, b, way);
        if (weight == 0) {
            sum[b] += value;
            continue;
        }
        int64_t at = b * LANES;
        VECTOR g = OP(load)(s->sine + at) * OP(load)(r->sine + at);
        g = OP(fma)(OP(load)(s->cosine + at), OP(load)(r->cosine + at), g);
        if (weight == 2)
            g *= OP(load)(r->factor + r->depth[b] * LANES);
        sum[b] = OP(fma)(g, value, sum[b]);
    }
}

static inline __attribute__((always_inline)) void TYPED(weighted_pair)(const TYPED(source) * s,
                                                                       const TYPED(receiver) * r,
                                                                       int way, int is_dynamic,
                                                                       VECTOR *sum)
{
    if (!is_dynamic)
        TYPED(pair)(s, r, way, 0, sum);
    else if (!r->factor)
        TYPED(pair)(s, r, way, 1, sum);
    else
        TYPED(pair)(s, r, way, 2, sum);
}

/* The shortest way that serves a pair of reaches: -1 none needed, 2 or 4 registers, 0 gather. */
static inline int TYPED(way)(const hg_reach *s, const hg_reach *r, int64_t nt, int with_windows)
{
    int64_t last = nt - 1;
    if (s->first + r->first >= last)
        return -1;
    int span = s->span + r->span + 3, top = s->base + r->base;
    if (!PICKS || !with_windows || s->first + r->first < 0 || s->last + r->last + 3 > last)
        return 0;
    if (span < 2 * LANES && top + 2 * LANES <= nt)
        return 2;
    return span < 4 * LANES && top + 4 * LANES <= nt ? 4 : 0;
}

/* One source over all receivers. */
static void TYPED(source_sum)(const hg_tables *t, int64_t tile, int64_t source, const REAL *data,
                              int with_windows, VECTOR *sum)
{
    int64_t points = HG_TILE_BRICKS * LANES, nr = t->receiver.n;
    int64_t block = tile * t->source.n + source, row_length = t->bricks.count[0] * LANES;
    TYPED(source)
    s = {.cosine = (const REAL *)t->source.cosine + block * points,
         .sine = (const REAL *)t->source.sine + block * points,
         .base = t->source.base + block * HG_TILE_BRICKS};
    for (int b = 0; b < HG_TILE_BRICKS; b++)
        s.time[b] = OP(load)((const REAL *)t->source.time + block * points + b * LANES);
    for (int64_t j = 0; j < nr; j++) {
        int64_t other = tile * nr + j;
        int32_t row = t->offset_row ? t->offset_row[source * nr + j] : HG_OFFSET_ONES;
        int way =
            TYPED(way)(&t->source.reach[block], &t->receiver.reach[other], t->nt, with_windows);
        if (way < 0 || row == HG_OFFSET_ZEROS)
            continue;
        TYPED(receiver)
        r = {.time = (const REAL *)t->receiver.time + other * points,
             .cosine = (const REAL *)t->receiver.cosine + other * points,
             .sine = (const REAL *)t->receiver.sine + other * points,
             .base = t->receiver.base + other * HG_TILE_BRICKS,
             .depth = t->depth + tile * HG_TILE_BRICKS,
             .trace = data + (source * nr + j) * t->nt,
             .last = t->nt - 1};
        if (row != HG_OFFSET_ONES)
            r.factor = (const REAL *)t->offset_factor + row * row_length;
        if (way == 2)
            TYPED(weighted_pair)(&s, &r, 2, t->is_dynamic, sum);
        else if (way == 4)
            TYPED(weighted_pair)(&s, &r, 4, t->is_dynamic, sum);
        else
            TYPED(weighted_pair)(&s, &r, 0, t->is_dynamic, sum);
    }
}

static void TYPED(tile)(const hg_tables *t, int64_t tile, const void *data, int with_windows,
                        void *image)
{
    REAL *out = image;
    for (int64_t p = 0; p < HG_TILE_BRICKS * LANES; p++)
        out[p] = 0;
    for (int64_t source = 0; source < t->source.n; source++) {
        VECTOR sum[HG_TILE_BRICKS] = {{0}};
        TYPED(source_sum)(t, tile, source, data, with_windows, sum);
        for (int b = 0; b < HG_TILE_BRICKS; b++)
            OP(store)(out + b * LANES, OP(load)(out + b * LANES) + sum[b]);
    }
}

#undef REAL
#undef VECTOR
#undef LANES
#undef PICKS
#undef TYPED
#undef OP
