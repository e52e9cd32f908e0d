/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of a group of points. Element (r, c), r > c, of a triangle is number c(2n-c-1)/2 + r-c-1:
 * the packed order of the input. Diagonals are apart. */

typedef struct TYPED(group) {
    int64_t n;
    VECTOR *gamma; /* 2 n(n-1)/2: real and imaginary part in turn; conj(gamma) as read, then M, then
                      its reflectors */
    VECTOR *a;     /* n(n-1)/2: |Gamma|, and later the inverse */
    VECTOR *rows;  /* 16 n: what a pass over the matrix needs of each row */
    VECTOR *diagonal;      /* n */
    VECTOR *side;          /* n: elements beside the diagonal */
    VECTOR *square;        /* n: their squares */
    VECTOR *tau;           /* 2 n: factors of the reflectors */
    VECTOR *upper, *lower; /* 2 n: pivots from both ends, each with its inverse */
    INTEGER twist;         /* where the two halves of the eigenvector meet */
    VECTOR *v;             /* 2 n: the eigenvector */
    VECTOR *kept;          /* n: the diagonal of M */
    VECTOR *least;         /* n: the eigenvector of |Gamma| to its smallest eigenvalue */
    INTEGER *is_linked;    /* n: the image has a coherence */
    const char *ahead;     /* input of a group to come, fetched during the longest step */
    int64_t ahead_bytes;
} TYPED(group);

static void TYPED(group_lay_out)(hgate_scratch *s, int64_t n, TYPED(group) * g)
{
    int64_t pairs = n * (n - 1) / 2;
    g->n = n;
    g->gamma = hgate_scratch_take(s, 2 * pairs, sizeof(VECTOR));
    g->a = hgate_scratch_take(s, pairs, sizeof(VECTOR));
    g->rows = hgate_scratch_take(s, 16 * n, sizeof(VECTOR));
    g->diagonal = hgate_scratch_take(s, n, sizeof(VECTOR));
    g->side = hgate_scratch_take(s, n, sizeof(VECTOR));
    g->square = hgate_scratch_take(s, n, sizeof(VECTOR));
    g->tau = hgate_scratch_take(s, 2 * n, sizeof(VECTOR));
    g->upper = hgate_scratch_take(s, 2 * n, sizeof(VECTOR));
    g->lower = hgate_scratch_take(s, 2 * n, sizeof(VECTOR));
    g->v = hgate_scratch_take(s, 2 * n, sizeof(VECTOR));
    g->kept = hgate_scratch_take(s, n, sizeof(VECTOR));
    g->least = hgate_scratch_take(s, n, sizeof(VECTOR));
    g->is_linked = hgate_scratch_take(s, n, sizeof(INTEGER));
}

static size_t TYPED(group_bytes)(int64_t n)
{
    hgate_scratch s = hgate_scratch_count();
    TYPED(group) g;
    TYPED(group_lay_out)(&s, n, &g);
    return s.bytes;
}

/* Where column c begins, such that element (r, c) is [r]. */
static inline VECTOR *TYPED(column)(VECTOR *triangle, int64_t n, int64_t c)
{
    return triangle + c * (2 * n - c - 1) / 2 - c - 1;
}

static inline VECTOR TYPED(max)(VECTOR a, VECTOR b)
{
    return OP(select)(a > b, a, b);
}

static inline VECTOR TYPED(min)(VECTOR a, VECTOR b)
{
    return OP(select)(a < b, a, b);
}

/* a'b over `count` vectors, each so many apart: two sums, as one would wait for itself. */
static inline VECTOR TYPED(dot)(int64_t count, const VECTOR *a, int64_t apart_a, const VECTOR *b,
                                int64_t apart_b)
{
    VECTOR even = {0}, odd = {0};
    for (; count >= 2; count -= 2, a += 2 * apart_a, b += 2 * apart_b) {
        even = OP(fma)(a[0], b[0], even);
        odd = OP(fma)(a[apart_a], b[apart_b], odd);
    }
    if (count > 0)
        even = OP(fma)(a[0], b[0], even);
    return even + odd;
}
