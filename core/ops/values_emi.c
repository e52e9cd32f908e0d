/* SPDX-License-Identifier: BSD-3-Clause */
/* Phase linking: coherences are judged point by point in the kernels, so only the list of pairs is
 * looked at here. */
#include "core/base/error.h"
#include "core/ops/scan.h"
#include "core/ops/steps.h"

int hg_ds_temp_coh_values(const hg_problem *problem)
{
    const DLTensor *pairs = problem->args[HGATE_DS_TEMP_COH_PAIRS];
    static const hg_value_rule rules[] = {
        HG_INDICES(HGATE_DS_TEMP_COH_PAIRS, HGATE_DIM_DS_TEMP_COH_N),
    };
    int status = HG_CHECK_ELEMENTS(problem, rules);
    for (int64_t p = 0; status == HGATE_OK && pairs && p < pairs->shape[0]; p++) {
        int64_t i = hg_index_at(pairs, 2 * p);
        if (i == hg_index_at(pairs, 2 * p + 1)) {
            status = hg_error(HGATE_EVALUE,
                              "pairs: row %lld is (%lld, %lld), expected two different images",
                              (long long)p, (long long)i, (long long)i);
        }
    }
    return status;
}
