/* SPDX-License-Identifier: BSD-3-Clause */
/* How work is divided among workers, and how what they found is added: the same wherever it is
 * done, by threads of one process or by processes of many machines. */
#ifndef HG_BASE_SHARE_H
#define HG_BASE_SHARE_H

#include <stdint.h>

/** Part `part` of n things in `parts`: the first n % parts of them take one more. Both numbers fit
 *  whatever n is. */
static inline void hg_share(int64_t n, int64_t part, int64_t parts, int64_t *first, int64_t *count)
{
    const int64_t least = n / parts, more = n % parts;
    *count = least + (part < more);
    *first = part * least + (part < more ? part : more);
}

/** sum[i] = 0 + rows[0][i] + rows[1][i] + ..., in that order and in float64, then rounded once. */
static inline void hg_sum_rows_f32(const float *const *rows, int n_rows, int64_t n, float *sum)
{
    for (int64_t i = 0; i < n; i++) {
        double total = 0.0;
        for (int k = 0; k < n_rows; k++) {
            total += (double)rows[k][i];
        }
        sum[i] = (float)total;
    }
}

static inline void hg_sum_rows_f64(const double *const *rows, int n_rows, int64_t n, double *sum)
{
    for (int64_t i = 0; i < n; i++) {
        double total = 0.0;
        for (int k = 0; k < n_rows; k++) {
            total += rows[k][i];
        }
        sum[i] = total;
    }
}

#endif
