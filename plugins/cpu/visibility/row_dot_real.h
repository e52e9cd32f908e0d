/* SPDX-License-Identifier: BSD-3-Clause */
/* Product of two rows; included once per precision with R (the real type) and NAME(word). */

/* sum_k a[k] conj(b[k]) over n complex numbers. Lane l adds the columns k with k mod LANES = l, so
 * that the compiler can keep the lanes in vectors; the lanes are added in double. */
static double complex NAME(row_dot)(const R *a, const R *b, int64_t n)
{
    R re[LANES] = {0}, im[LANES] = {0};
    int64_t k = 0;
    for (; k + LANES <= n; k += LANES)
        for (int l = 0; l < LANES; l++) {
            R ar = a[2 * (k + l)], ai = a[2 * (k + l) + 1];
            R br = b[2 * (k + l)], bi = b[2 * (k + l) + 1];
            re[l] += ar * br + ai * bi;
            im[l] += ai * br - ar * bi;
        }
    for (int l = 0; k + l < n; l++) {
        R ar = a[2 * (k + l)], ai = a[2 * (k + l) + 1];
        R br = b[2 * (k + l)], bi = b[2 * (k + l) + 1];
        re[l] += ar * br + ai * bi;
        im[l] += ai * br - ar * bi;
    }
    double sum_re = 0.0, sum_im = 0.0;
    for (int l = 0; l < LANES; l++) {
        sum_re += (double)re[l];
        sum_im += (double)im[l];
    }
    return CMPLX(sum_re, sum_im);
}

#undef R
#undef NAME
