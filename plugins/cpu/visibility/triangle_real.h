/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes over one triangle of a Hermitian matrix; included once per precision with R (the real
 * type) and NAME(word). */

/* Real diagonal; with is_conj the strict lower triangle is conjugated. */
static void NAME(begin)(R *V, int64_t M, int is_conj)
{
    for (int64_t i = 0; i < M; i++) {
        R *row = V + 2 * i * M;
        for (int64_t j = 0; is_conj && j < i; j++)
            row[2 * j + 1] = -row[2 * j + 1];
        row[2 * i + 1] = 0;
    }
}

/* Row i of the lower triangle of another matrix. */
static void NAME(add_row)(R *V, const R *part, int64_t M, int64_t i)
{
    for (int64_t j = 2 * i * M; j < 2 * (i * M + i + 1); j++)
        V[j] += part[j];
}

static void NAME(mirror_tile)(R *V, int64_t M, int64_t i0, int64_t j0, int is_conj)
{
    for (int64_t i = i0; i < i0 + TILE && i < M; i++)
        for (int64_t j = j0; j < j0 + TILE && j < i; j++) {
            R *lower = V + 2 * (i * M + j), *upper = V + 2 * (j * M + i);
            R im = is_conj ? -lower[1] : lower[1];
            lower[1] = im;
            upper[0] = lower[0];
            upper[1] = -im;
        }
}

/* The upper triangle from the lower one, which with is_conj is conjugated first. */
static void NAME(end)(R *V, int64_t M, int is_conj)
{
    for (int64_t i = 0; i < M; i += TILE)
        for (int64_t j = 0; j <= i; j += TILE)
            NAME(mirror_tile)(V, M, i, j, is_conj);
    for (int64_t i = 0; i < M; i++)
        V[2 * (i * M + i) + 1] = 0;
}

#undef R
#undef NAME
