/* SPDX-License-Identifier: BSD-3-Clause */
/* The canonical problem: empty, copied, hashed. */
#include "core/tensor/problem.h"

#include "core/base/hash.h"
#include "core/tensor/dtype.h"
#include "core/tensor/op_table.h"
#include "core/tensor/option_table.h"
#include "core/tensor/shape_rule.h"

#include <string.h>

/* Leads the pointers of the part that kernels see into the struct around it. */
static void point_inside(hg_problem *problem)
{
    problem->p.args = problem->args;
    problem->p.dims = problem->dims;
    problem->p.params = &problem->params;
    problem->p.facts = problem->p.op == HGATE_OP_CURVATURE ? &problem->facts : NULL;
    for (int i = 0; i < problem->p.n_args; i++) {
        problem->tensors[i].dl.shape = problem->tensors[i].shape;
        problem->args[i] = problem->args[i] ? &problem->tensors[i].dl : NULL;
    }
}

void hg_problem_init(hg_problem *problem, int op)
{
    const hg_op *row = hg_op_row(op);
    memset(problem, 0, sizeof *problem);
    problem->p.struct_size = sizeof problem->p;
    problem->p.op = op;
    problem->p.n_args = row->n_args;
    problem->p.n_dims = row->n_dims;
    problem->p.alpha_re = 1;
    problem->facts.struct_size = sizeof problem->facts;
    for (int i = 0; i < HGATE_MAX_DIMS; i++) {
        problem->dims[i] = HG_SIZE_UNKNOWN;
    }
    point_inside(problem);
}

void hg_problem_copy(hg_problem *to, const hg_problem *from)
{
    *to = *from;
    point_inside(to);
}

void hg_problem_set_arg(hg_problem *problem, int index, const DLTensor *tensor)
{
    hg_tensor *own = &problem->tensors[index];
    problem->args[index] = NULL;
    if (!tensor) {
        return;
    }
    own->dl = *tensor;
    own->dl.strides = NULL;
    own->dl.byte_offset = 0;
    if (tensor->data) {
        own->dl.data = (char *)tensor->data + tensor->byte_offset;
    }
    own->dl.shape = own->shape;
    for (int i = 0; i < tensor->ndim; i++) {
        own->shape[i] = tensor->shape[i];
    }
    problem->args[index] = &own->dl;
}

void hg_problem_describe_space(hg_text *text, const hg_problem *problem)
{
    static const int types[] = {HGATE_DL_CPU, HGATE_DL_CUDA, HGATE_DL_CUDA_HOST,
                                HGATE_DL_CUDA_MANAGED}; /* in the order of the bits */
    for (int i = 0; i < 4; i++) {
        if (problem->p.space >> i & 1) {
            DLDevice device = {(DLDeviceType)types[i], problem->p.device_id};
            hg_space_describe(text, device);
        }
    }
}

static uint64_t hash_int(uint64_t hash, int64_t value)
{
    return hg_hash_word(hash, (uint64_t)value);
}

static uint64_t hash_real(uint64_t hash, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return hg_hash_word(hash, bits);
}

static uint64_t hash_options(uint64_t hash, const hg_problem *problem)
{
    const hg_option_list *list = hg_option_list_of(problem->p.op);
    for (int i = 0; i < list->n; i++) {
        const hg_option *option = &list->options[i];
        for (int part = 0; part <= (option->kind == HG_OPTION_LIMITS); part++) {
            if (hg_option_is_read(option, problem->p.op)) {
                hash = hash_real(hash, hg_option_get(option, problem->p.params, part));
            }
        }
    }
    return hash;
}

uint64_t hg_problem_hash(const hg_problem *problem)
{
    const hgate_problem *p = &problem->p;
    uint64_t hash = hg_hash_text(HG_HASH_START, hg_op_row(p->op)->word);
    hash = hash_int(hash, p->dtype);
    hash = hash_int(hash, p->space);
    hash = hash_int(hash, p->device_id);
    for (int i = 0; i < p->n_dims; i++) {
        hash = hash_int(hash, p->dims[i]);
    }
    for (int i = 0; i < p->n_args; i++) {
        const DLTensor *tensor = p->args[i];
        hash = hash_int(hash, tensor ? hg_dtype_of(tensor->dtype) : 0);
        hash = hash_int(hash, tensor ? tensor->ndim : -1);
    }
    hash = hash_options(hash, problem);
    hash = hash_real(hash, p->alpha_re);
    hash = hash_real(hash, p->alpha_im);
    hash = hash_real(hash, p->beta_re);
    return hash_real(hash, p->beta_im);
}
