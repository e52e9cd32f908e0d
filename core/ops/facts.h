/* SPDX-License-Identifier: BSD-3-Clause */
/* Work fractions of the curvature kernels over host arrays. */
#ifndef HG_OPS_FACTS_H
#define HG_OPS_FACTS_H

#include <headgate/dlpack_compat.h>
#include <stddef.h>
#include <stdint.h>

/* Masked pixels inside an extent. */
typedef struct hg_mask {
    const DLTensor *iy, *ix;
    int64_t ny, nx;
} hg_mask;

typedef struct hg_fractions {
    double by_column; /* f of the symmetric kernel */
    double by_entry;  /* g of the pair kernel */
} hg_fractions;

/* Memory of hg_tails_fill(), which returns ny + 1 numbers at its start; 0 when no size_t holds it.
 */
size_t hg_tails_bytes(int64_t ny);
int64_t *hg_tails_fill(void *memory, const hg_mask *mask);

hg_fractions hg_work_fractions(const hg_mask *mask, const int64_t *tail, const DLTensor *indptr,
                               const DLTensor *rows);

#endif
