/* SPDX-License-Identifier: BSD-3-Clause */
/* The inner loop of demigration for one type: included by forward.c with REAL, VECTOR, LANES,
 * TYPED, OP. */

#define POINTS (HG_TILE_BRICKS * HG_VECTOR_BYTES / sizeof(REAL))

typedef REAL TYPED(two) __attribute__((vector_size(2 * sizeof(REAL)), may_alias));

/* Tables of a tile: a source, a receiver, the model. */
struct TYPED(points) {
    const REAL *s_time, *s_cosine, *s_sine;
    const REAL *r_time, *r_cosine, *r_sine;
    const int32_t *s_base, *r_base;
    const REAL *factor;   /* offset factors by depth, or NULL */
    const int32_t *depth; /* of the tile's bricks */
    const REAL *model;
};

/* Indices and pairs of a tile on their way from registers to the buffers: through memory, since
 * taking registers apart costs more than the sums. */
struct TYPED(staged) {
    OP(index) k[POINTS] __attribute__((aligned(64)));
    REAL pair[2 * POINTS] __attribute__((aligned(64)));
};

static inline __attribute__((always_inline)) void TYPED(stage)(const struct TYPED(points) * p,
                                                               int weight, int is_inside,
                                                               int64_t last,
                                                               struct TYPED(staged) * out)
{
#pragma GCC unroll 8
    for (int b = 0; b < HG_TILE_BRICKS; b++) {
        int64_t at = b * LANES, base = p->s_base[b] + p->r_base[b];
        VECTOR f, u = OP(load)(p->s_time + at) + OP(load)(p->r_time + at);
        VECTOR value = OP(load)(p->model + at);
        OP(at) k = OP(shift)(OP(split)(u, &f), base);
        if (weight > 0) {
            VECTOR g = OP(load)(p->s_sine + at) * OP(load)(p->r_sine + at);
            g = OP(fma)(OP(load)(p->s_cosine + at), OP(load)(p->r_cosine + at), g);
            if (weight == 2)
                g *= OP(load)(p->factor + p->depth[b] * LANES);
            value *= g;
        }
        OP(store_at)(out->k + at, is_inside ? k : OP(confine)(k, last));
        OP(store_pairs)(out->pair + 2 * at, value, value * f);
    }
}

/* The points of one tile into the two copies of a trace's buffer. */
static inline __attribute__((always_inline)) void TYPED(tile)(const struct TYPED(points) * p,
                                                              int weight, int is_inside, int64_t nt,
                                                              TYPED(two) * copies)
{
    struct TYPED(staged) staged;
    TYPED(stage)(p, weight, is_inside, nt - 1, &staged);
    const OP(index) *k = staged.k;
    const TYPED(two) *pair = (const TYPED(two) *)staged.pair;
    TYPED(two) *even = copies, *odd = copies + nt;
    HG_HIDE(k);
    HG_HIDE(pair);
#pragma GCC unroll 4
    for (int i = 0; i < (int)POINTS; i += HG_PAIR_COPIES) {
        even[k[i]] += pair[i];
        odd[k[i + 1]] += pair[i + 1];
    }
}

static inline __attribute__((always_inline)) void
TYPED(weighted_tile)(const struct TYPED(points) * p, int is_dynamic, int is_inside, int64_t nt,
                     TYPED(two) * copies)
{
    if (!is_dynamic)
        TYPED(tile)(p, 0, is_inside, nt, copies);
    else if (!p->factor)
        TYPED(tile)(p, 1, is_inside, nt, copies);
    else
        TYPED(tile)(p, 2, is_inside, nt, copies);
}

/* One tile and source into the buffers of some receivers. */
static void TYPED(source_tile)(const hg_tables *t, const hg_traces *traces, int64_t tile,
                               int64_t source, const REAL *model, TYPED(two) * buffers)
{
    int64_t points = (int64_t)POINTS, nt = t->nt, last = nt - 1;
    int64_t s_block = tile * t->source.n + source, row_length = t->bricks.count[0] * LANES;
    const hg_reach *s = &t->source.reach[s_block];
    for (int64_t j = 0; j < traces->n_receivers; j++) {
        int64_t receiver = traces->receiver + j, r_block = tile * t->receiver.n + receiver;
        const hg_reach *r = &t->receiver.reach[r_block];
        int32_t row =
            t->offset_row ? t->offset_row[source * t->receiver.n + receiver] : HG_OFFSET_ONES;
        if (s->first + r->first >= last || row == HG_OFFSET_ZEROS)
            continue;
        struct TYPED(points) p = {.s_time = (const REAL *)t->source.time + s_block * points,
                                  .s_cosine = (const REAL *)t->source.cosine + s_block * points,
                                  .s_sine = (const REAL *)t->source.sine + s_block * points,
                                  .s_base = t->source.base + s_block * HG_TILE_BRICKS,
                                  .r_time = (const REAL *)t->receiver.time + r_block * points,
                                  .r_cosine = (const REAL *)t->receiver.cosine + r_block * points,
                                  .r_sine = (const REAL *)t->receiver.sine + r_block * points,
                                  .r_base = t->receiver.base + r_block * HG_TILE_BRICKS,
                                  .depth = t->depth + tile * HG_TILE_BRICKS,
                                  .model = model};
        if (row != HG_OFFSET_ONES)
            p.factor = (const REAL *)t->offset_factor + row * row_length;
        TYPED(two) *copies = buffers + j * HG_PAIR_COPIES * nt;
        if (s->first + r->first >= 0 && s->last + r->last + 3 <= last)
            TYPED(weighted_tile)(&p, t->is_dynamic, 1, nt, copies);
        else
            TYPED(weighted_tile)(&p, t->is_dynamic, 0, nt, copies);
    }
}

static void TYPED(scatter)(const hg_tables *t, const hg_traces *traces, int64_t from, int64_t to,
                           const void *model, const unsigned char *is_zero, void *buffers)
{
    int64_t points = (int64_t)POINTS;
    for (int64_t tile = from; tile < to; tile++)
        for (int64_t i = 0; !is_zero[tile] && i < traces->n_sources; i++)
            TYPED(source_tile)
    (t, traces, tile, traces->source + i, (const REAL *)model + tile * points,
     (TYPED(two) *)buffers + i * traces->n_receivers * HG_PAIR_COPIES * t->nt);
}

static void TYPED(collect)(const void *copies, int64_t nt, int is_first, void *sums)
{
    const REAL *from = copies;
    REAL *to = sums;
    for (int64_t i = 0; i < 2 * (nt - 1); i++) {
        REAL both = from[i] + from[2 * nt + i];
        to[i] = is_first ? both : to[i] + both;
    }
    to[2 * nt - 2] = to[2 * nt - 1] = 0; /* what lies outside the record */
}

static void TYPED(resolve)(const void *sums, int64_t nt, void *trace)
{
    const REAL *from = sums;
    REAL *to = trace, carried = 0;
    for (int64_t k = 0; k < nt; k++) {
        to[k] = from[2 * k] - from[2 * k + 1] + carried;
        carried = from[2 * k + 1];
    }
}

static void TYPED(output)(const void *trace, int64_t nt, double alpha, double beta, void *data)
{
    const REAL *from = trace;
    REAL *to = data, a = (REAL)alpha, b = (REAL)beta;
    if (alpha == 0.0)
        for (int64_t k = 0; k < nt; k++)
            to[k] = beta == 0.0 ? 0 : b * to[k];
    else if (beta == 0.0)
        for (int64_t k = 0; k < nt; k++)
            to[k] = a * from[k];
    else
        for (int64_t k = 0; k < nt; k++)
            to[k] = a * from[k] + b * to[k];
}

#undef POINTS
#undef REAL
#undef VECTOR
#undef LANES
#undef TYPED
#undef OP
