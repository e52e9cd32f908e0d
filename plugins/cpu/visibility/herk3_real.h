/* SPDX-License-Identifier: BSD-3-Clause */
/* The last pass of the product in three; included once per precision with R (the real type) and
 * NAME(word). */

/* A tile of V and its mirror from the sums of n parts, each G and Q (ld, ld). Three numbers are
 * read for an element: G[i,j], G[j,i] and Q[i,j] with i >= j; row and column are exchanged in
 * memory. */
static void NAME(finish_tile)(const void *sums, int n, int64_t ld, int64_t M, int64_t i0,
                              int64_t j0, double alpha, double beta, int is_conj, void *V_out)
{
    R *V = V_out;
    for (int64_t i = i0; i < i0 + TILE && i < M; i++)
        for (int64_t j = j0; j < j0 + TILE && j <= i; j++) {
            const R *G = sums;
            double there = 0.0, back = 0.0, both = 0.0;
            for (int part = 0; part < n; part++, G += 2 * ld * ld) {
                there += (double)G[j * ld + i];
                back += (double)G[i * ld + j];
                both += (double)G[ld * ld + j * ld + i];
            }
            double re = alpha * (0.5 * (there + back) + 2.0 * both);
            double im = alpha * (0.5 * (is_conj ? back - there : there - back));
            R *lower = V + 2 * (i * M + j), *upper = V + 2 * (j * M + i);
            if (beta != 0.0) {
                re += beta * (double)lower[0];
                im += beta * (double)lower[1];
            }
            upper[0] = lower[0] = (R)re;
            lower[1] = i == j ? 0 : (R)im;
            upper[1] = i == j ? 0 : -lower[1];
        }
}

#undef R
#undef NAME
