/* SPDX-License-Identifier: BSD-3-Clause */
/* Layout of staged arguments. */
#include "core/route/staged.h"

#include "core/base/mathx.h"
#include "core/tensor/op_table.h"

#include <string.h>

enum { block_alignment = 256 }; /* what device allocators give; keeps every array's loads aligned */

bool hg_tensor_bytes(const DLTensor *tensor, size_t *bytes)
{
    size_t total = (size_t)(tensor->dtype.bits + 7) / 8 * tensor->dtype.lanes;
    for (int i = 0; i < tensor->ndim; i++) {
        size_t extent;
        if (!hg_size_from_int64(tensor->shape[i], &extent) || !hg_size_mul(total, extent, &total)) {
            return false;
        }
    }
    *bytes = total;
    return true;
}

static bool append(size_t *block, size_t bytes, size_t *offset)
{
    size_t rounded;
    *offset = *block;
    return hg_size_round_up(bytes, block_alignment, &rounded) &&
           hg_size_add(*block, rounded, block);
}

static bool add_arg(hg_staged *staged, int i, const DLTensor *from, const hg_arg *arg,
                    bool reads_output)
{
    DLTensor *to = &staged->tensors[i];
    *to = *from;
    to->data = NULL;
    to->byte_offset = 0;
    to->strides = NULL;
    staged->args[i] = to;
    staged->is_kept[i] = arg->in_plan;
    staged->is_written[i] = arg->role != HG_IN;
    staged->is_read[i] =
        arg->role == HG_IN || arg->role == HG_OUT_PART || (arg->role == HG_INOUT && reads_output);
    size_t *bytes = &staged->bytes[i];
    size_t *block = arg->in_plan ? &staged->kept_block : &staged->run_block;
    size_t *copies = arg->in_plan ? &staged->kept_copies : &staged->run_copies;
    return hg_tensor_bytes(from, bytes) && append(block, *bytes, &staged->offset[i]) &&
           (!staged->is_read[i] || hg_size_add(*copies, *bytes, copies)) &&
           (!staged->is_written[i] || hg_size_add(*copies, *bytes, copies));
}

bool hg_staged_make(const hgate_problem *problem, int device_id, hg_staged *staged)
{
    const hg_op *row = hg_op_row(problem->op);
    const bool reads_output = problem->beta_re != 0 || problem->beta_im != 0;
    memset(staged, 0, sizeof *staged);
    staged->problem = *problem;
    staged->problem.space = HGATE_SPACE_CUDA;
    staged->problem.device_id = device_id;
    staged->problem.args = staged->args;
    for (int i = 0; i < problem->n_args; i++) {
        if (!problem->args[i]) {
            continue;
        }
        if (!add_arg(staged, i, problem->args[i], &row->args[i], reads_output)) {
            return false;
        }
        staged->tensors[i].device = (DLDevice){(DLDeviceType)HGATE_DL_CUDA, device_id};
    }
    return true;
}

void hg_staged_place(hg_staged *staged, void *kept, void *run)
{
    for (int i = 0; i < staged->problem.n_args; i++) {
        unsigned char *block = staged->is_kept[i] ? kept : run;
        if (staged->args[i]) {
            staged->tensors[i].data = block ? block + staged->offset[i] : NULL;
        }
    }
}
