/* SPDX-License-Identifier: BSD-3-Clause */
/* Beam values of one plane for a block of sources; part of lanes_real.h. */

/* Sum of weight times node for a register of sources: real and imaginary parts. A node of weight 0
 * is not read, so what it holds does not enter. */
static inline void TYPED(pairs_at)(const hg_stencils *at, const void *plane, int64_t s, VECTOR *re,
                                   VECTOR *im)
{
#if IS_64
    *re = *im = OP(set)(0.0);
    HG_UNROLL
    for (int k = 0; k < 4; k++) {
        VECTOR w = OP(load)((const REAL *)at->weight[k] + s);
        hg_i64v node = 2 * load_nodes(at->node[k] + s);
        *re = OP(fma)(w, gather_64(plane, node, (hg_i64v)w), *re);
        *im = OP(fma)(w, gather_64((const REAL *)plane + 1, node, (hg_i64v)w), *im);
    }
#else
    /* A pair of floats is one element of 64 bits. */
    VECTOR low = OP(set)(0.0f), high = low;
    HG_UNROLL
    for (int k = 0; k < 4; k++) {
        VECTOR w = OP(load)((const REAL *)at->weight[k] + s);
        VECTOR w_low = OP(zip_low)(w, w), w_high = OP(zip_high)(w, w);
        hg_i64v node_low = load_nodes(at->node[k] + s);
        hg_i64v node_high = load_nodes(at->node[k] + s + HG_F64_LANES);
        low = OP(fma)(w_low, (VECTOR)gather_64(plane, node_low, (hg_i64v)w_low), low);
        high = OP(fma)(w_high, (VECTOR)gather_64(plane, node_high, (hg_i64v)w_high), high);
    }
    *re = TYPED(even)(low, high);
    *im = TYPED(odd)(low, high);
#endif
}

static inline VECTOR TYPED(reals_at)(const hg_stencils *at, const REAL *plane, int64_t s)
{
    VECTOR sum = OP(set)((REAL)0);
    for (int k = 0; k < 4; k++) {
        VECTOR w = OP(load)((const REAL *)at->weight[k] + s), node = OP(set)((REAL)0);
#if IS_64
        node = gather_64(plane, load_nodes(at->node[k] + s), (hg_i64v)w);
#else
        for (int l = 0; l < (int)LANES; l++)
            node[l] = w[l] != 0 ? plane[at->node[k][s + l]] : 0;
#endif
        sum = OP(fma)(w, node, sum);
    }
    return sum;
}

static void TYPED(interpolate)(const hg_stencils *at, const void *plane, int is_complex,
                               int with_root, const void *amp_in, void *re_out, void *im_out)
{
    REAL *re = re_out, *im = im_out;
    const REAL *amp = amp_in;
    for (int64_t s = 0; s < at->n; s += LANES) {
        VECTOR x, y = OP(set)((REAL)0);
        if (is_complex)
            TYPED(pairs_at)(at, plane, s, &x, &y);
        else
            x = TYPED(reals_at)(at, plane, s);
        if (with_root)
            x = OP(sqrt)(x);
        if (amp) {
            x *= OP(load)(amp + s);
            y *= OP(load)(amp + s);
        }
        OP(store)(re + s, x);
        OP(store)(im + s, y);
    }
}
