/* SPDX-License-Identifier: BSD-3-Clause */
/* The inner loop of migration for one type: included by adjoint.c with REAL, VECTOR, LANES, PICKS,
 * TYPED, OP. */

#define POINTS (HG_TILE_BRICKS * LANES)

/* A source and some neighbouring receivers of one tile. */
struct TYPED(stations) {
    const REAL *s_time, *s_cosine, *s_sine;
    const int32_t *s_base;
    const REAL *r_time, *r_cosine, *r_sine; /* the first receiver; the next one is POINTS further */
    const int32_t *r_base;
    const REAL *trace; /* of the source and the first receiver; the next one is nt further */
    int64_t nt, n;
    const int32_t *row; /* offset factors: row of each receiver, rows, bricks' numbers along z */
    const REAL *factors;
    int64_t row_length;
    const int32_t *depth;
    const hg_reach *s_reach, *r_reach;
};

/* Fetches the start of a window that is needed soon: a tile meets four to six lines of a trace. */
static inline void TYPED(fetch)(const struct TYPED(stations) * a, int64_t j)
{
    enum { LINES = 6 };
    const REAL *window = a->trace + j * a->nt + a->s_reach->first + a->r_reach[j].first;
#pragma GCC unroll 6
    for (int line = 0; line < LINES; line++)
        __builtin_prefetch((const char *)window + 64 * line);
}

/* Interpolated samples of brick b. way 2 and 4: a window of so many registers; 0: gather, with
 * bounds. */
static inline __attribute__((always_inline)) VECTOR TYPED(samples)(VECTOR s_time,
                                                                   const REAL *r_time, int64_t base,
                                                                   const REAL *trace, int64_t last,
                                                                   int way)
{
    VECTOR f, x0 = {0}, x1 = {0}, window[4];
    OP(at) q = OP(split)(s_time + OP(load)(r_time), &f);
    for (int w = 0; w < way; w++)
        window[w] = OP(load)(trace + base + w * LANES);
    if (way == 2) {
        x0 = OP(pick2)(window, q);
        x1 = OP(pick2)(window, q + 1);
    } else if (way == 4) {
        x0 = OP(pick4)(window, q);
        x1 = OP(pick4)(window, q + 1);
    } else {
        OP(gather)(trace, OP(shift)(q, base), last, &f, &x0, &x1);
    }
    return OP(fma)(f, x1 - x0, x0);
}

/* sum += g samples over all receivers of a. weight 0: g = 1; 1: separated; 2: times the offset
 * factor. */
static inline __attribute__((always_inline)) void TYPED(run)(const struct TYPED(stations) * a,
                                                             int way, int weight, REAL *sums)
{
    VECTOR sum[HG_TILE_BRICKS];
#pragma GCC unroll 8
    for (int b = 0; b < HG_TILE_BRICKS; b++)
        sum[b] = OP(load)(sums + b * LANES);
    for (int64_t j = 0; j < a->n; j++) {
        if (way && j + AHEAD < a->n)
            TYPED(fetch)(a, j + AHEAD);
        const REAL *factor = weight == 2 ? a->factors + a->row[j] * a->row_length : NULL;
#pragma GCC unroll 8
        for (int b = 0; b < HG_TILE_BRICKS; b++) {
            int64_t here = b * LANES, there = j * POINTS + here;
            int64_t base = a->s_base[b] + a->r_base[j * HG_TILE_BRICKS + b];
            VECTOR value = TYPED(samples)(OP(load)(a->s_time + here), a->r_time + there, base,
                                          a->trace + j * a->nt, a->nt - 1, way);
            if (weight == 0) {
                sum[b] += value;
                continue;
            }
            VECTOR g = OP(load)(a->s_sine + here) * OP(load)(a->r_sine + there);
            g = OP(fma)(OP(load)(a->s_cosine + here), OP(load)(a->r_cosine + there), g);
            if (weight == 2)
                g *= OP(load)(factor + a->depth[b] * LANES);
            sum[b] = OP(fma)(g, value, sum[b]);
        }
    }
#pragma GCC unroll 8
    for (int b = 0; b < HG_TILE_BRICKS; b++)
        OP(store)(sums + b * LANES, sum[b]);
}

/* One function for each way and weight: in one body the compiler would share parts of them and run
 * out of registers. */
typedef void (*TYPED(run_fn))(const struct TYPED(stations) * a, REAL *sums);

#define RUN(way, weight)                                                                           \
    static __attribute__((noinline)) void TYPED(run_##way##_##weight)(                             \
        const struct TYPED(stations) * a, REAL * sums)                                             \
    {                                                                                              \
        TYPED(run)(a, way, weight, sums);                                                          \
    }
RUN(0, 0)
RUN(0, 1)
RUN(0, 2)
RUN(2, 0)
RUN(2, 1)
RUN(2, 2)
RUN(4, 0)
RUN(4, 1)
RUN(4, 2)
#undef RUN

/* By half the way, and weight. */
static const TYPED(run_fn) TYPED(runs)[3][3] = {{TYPED(run_0_0), TYPED(run_0_1), TYPED(run_0_2)},
                                                {TYPED(run_2_0), TYPED(run_2_1), TYPED(run_2_2)},
                                                {TYPED(run_4_0), TYPED(run_4_1), TYPED(run_4_2)}};

/* The shortest way that serves a pair of reaches: -1 none needed, 2 or 4 registers, 0 gather. */
static int TYPED(way)(const hg_reach *s, const hg_reach *r, int64_t nt, int with_windows)
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

/* What a receiver needs: 3 (way / 2) + weight, or -1 for nothing. */
static int TYPED(need)(const hg_tables *t, int64_t tile, int64_t source, int64_t receiver,
                       int with_windows)
{
    int32_t row = t->offset_row ? t->offset_row[source * t->receiver.n + receiver] : HG_OFFSET_ONES;
    int way = TYPED(way)(&t->source.reach[tile * t->source.n + source],
                         &t->receiver.reach[tile * t->receiver.n + receiver], t->nt, with_windows);
    if (way < 0 || row == HG_OFFSET_ZEROS)
        return -1;
    return 3 * (way / 2) + (!t->is_dynamic ? 0 : row == HG_OFFSET_ONES ? 1 : 2);
}

static struct TYPED(stations) TYPED(stations_of)(const hg_tables *t, int64_t tile, int64_t source,
                                                 int64_t receiver, const REAL *data)
{
    int64_t s = tile * t->source.n + source, r = tile * t->receiver.n + receiver;
    int64_t pair = source * t->receiver.n + receiver;
    return (struct TYPED(stations)){.s_time = (const REAL *)t->source.time + s * POINTS,
                                    .s_cosine = (const REAL *)t->source.cosine + s * POINTS,
                                    .s_sine = (const REAL *)t->source.sine + s * POINTS,
                                    .s_base = t->source.base + s * HG_TILE_BRICKS,
                                    .r_time = (const REAL *)t->receiver.time + r * POINTS,
                                    .r_cosine = (const REAL *)t->receiver.cosine + r * POINTS,
                                    .r_sine = (const REAL *)t->receiver.sine + r * POINTS,
                                    .r_base = t->receiver.base + r * HG_TILE_BRICKS,
                                    .trace = data + pair * t->nt,
                                    .nt = t->nt,
                                    .row = t->offset_row ? t->offset_row + pair : NULL,
                                    .factors = t->offset_factor,
                                    .row_length = t->bricks.count[0] * LANES,
                                    .depth = t->depth + tile * HG_TILE_BRICKS,
                                    .s_reach = t->source.reach + s,
                                    .r_reach = t->receiver.reach + r};
}

/* Receivers [from, to) of one source; those in a row that need the same go together. */
static void TYPED(receivers)(const hg_tables *t, int64_t tile, int64_t source, int64_t from,
                             int64_t to, const REAL *data, int with_windows, REAL *sums)
{
    int64_t next;
    for (int64_t j = from; j < to; j = next) {
        int need = TYPED(need)(t, tile, source, j, with_windows);
        for (next = j + 1; next < to; next++)
            if (TYPED(need)(t, tile, source, next, with_windows) != need)
                break;
        if (need < 0)
            continue;
        struct TYPED(stations) a = TYPED(stations_of)(t, tile, source, j, data);
        a.n = next - j;
        TYPED(runs)[need / 3][need % 3](&a, sums);
    }
}

static void TYPED(tiles)(const hg_tables *t, int64_t tile, int64_t n, const void *data,
                         int with_windows, void *image)
{
    REAL *out = image, sums[HG_TASK_POINTS];
    int64_t nr = t->receiver.n, points = n * POINTS;
    for (int64_t p = 0; p < points; p++)
        out[p] = 0;
    for (int64_t source = 0; source < t->source.n; source++) {
        for (int64_t p = 0; p < points; p++)
            sums[p] = 0;
        for (int64_t from = 0; from < nr; from += RECEIVERS)
            for (int64_t i = 0; i < n; i++)
                TYPED(receivers)
        (t, tile + i, source, from, from + RECEIVERS < nr ? from + RECEIVERS : nr, data,
         with_windows, sums + i * POINTS);
        for (int64_t p = 0; p < points; p++)
            out[p] += sums[p];
    }
}

#undef POINTS
#undef REAL
#undef VECTOR
#undef LANES
#undef PICKS
#undef TYPED
#undef OP
