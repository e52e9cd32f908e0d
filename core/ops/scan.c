/* SPDX-License-Identifier: BSD-3-Clause */
/* Range checks over host arrays: a quick pass in blocks that only counts, then the search for the
 * culprit in the one block that has it. */
#include "core/ops/scan.h"

#include "core/base/error.h"
#include "core/base/number.h"
#include "core/tensor/op_table.h"
#include "core/tensor/shape_rule.h"
#include "core/tensor/tensor.h"

enum { BLOCK = 1024, TEXT_BYTES = 192 };

static bool is_complex(const DLTensor *tensor)
{
    return tensor->dtype.code == HGATE_DL_COMPLEX;
}

static bool is_double(const DLTensor *tensor)
{
    return tensor->dtype.bits == (is_complex(tensor) ? 128 : 64);
}

double hg_real_at(const DLTensor *tensor, int64_t i)
{
    return is_double(tensor) ? ((const double *)tensor->data)[i]
                             : (double)((const float *)tensor->data)[i];
}

int64_t hg_index_at(const DLTensor *tensor, int64_t i)
{
    return tensor->dtype.bits == 64 ? ((const int64_t *)tensor->data)[i]
                                    : ((const int32_t *)tensor->data)[i];
}

static inline bool is_outside(double value, const hg_range *range)
{
    return !(value >= range->least && value <= range->most) &&
           !(range->skips_nonfinite && !isfinite(value));
}

/* Whether a block of n elements from `first` on has an element outside. The loops have no branch,
 * so that compilers can use vectors. */
static bool block_has(const DLTensor *tensor, int64_t first, int64_t n, const hg_range *range)
{
    int outside = 0;
    if (is_double(tensor)) {
        const double *x = (const double *)tensor->data + first;
        for (int64_t i = 0; i < n; i++) {
            outside += is_outside(x[i], range);
        }
    } else {
        const float *x = (const float *)tensor->data + first;
        for (int64_t i = 0; i < n; i++) {
            outside += is_outside(x[i], range);
        }
    }
    return outside > 0;
}

int64_t hg_scan_range(const DLTensor *tensor, const hg_range *range)
{
    int64_t count = hg_tensor_count(tensor) * (is_complex(tensor) ? 2 : 1);
    for (int64_t first = 0; first < count; first += BLOCK) {
        int64_t n = count - first < BLOCK ? count - first : BLOCK;
        if (block_has(tensor, first, n, range)) {
            int64_t i = first;
            while (!is_outside(hg_real_at(tensor, i), range)) {
                i++;
            }
            return i;
        }
    }
    return -1;
}

/* Position of element i: "7", or "(3, 5)" where there are several dimensions. */
static void describe_position(hg_text *text, const DLTensor *tensor, int64_t i)
{
    if (tensor->ndim < 2) {
        hg_text_put_int64(text, i);
        return;
    }
    int64_t position[HG_MAX_NDIM];
    for (int axis = tensor->ndim - 1; axis >= 0; axis--) {
        position[axis] = i % tensor->shape[axis];
        i /= tensor->shape[axis];
    }
    hg_shape_describe(text, tensor->ndim, position);
}

int hg_refuse_real(const char *name, const DLTensor *tensor, int64_t i, const char *words)
{
    bool has_parts = is_complex(tensor);
    char value[HG_REAL_CHARS], buffer[TEXT_BYTES];
    hg_format_real(value, hg_real_at(tensor, i));
    hg_text position = hg_text_over(buffer, sizeof buffer);
    describe_position(&position, tensor, has_parts ? i / 2 : i);
    return hg_error(HGATE_EVALUE, "%s: %sentry %s is %s, expected %s", name,
                    !has_parts ? ""
                    : i % 2    ? "imaginary part of "
                               : "real part of ",
                    position.data, value, words);
}

/* One unsigned comparison tells both ends of the range. */
static int64_t scan_index(const DLTensor *tensor, uint64_t n)
{
    int64_t count = hg_tensor_count(tensor);
    if (tensor->dtype.bits == 64) {
        const int64_t *x = tensor->data;
        for (int64_t i = 0; i < count; i++) {
            if ((uint64_t)x[i] >= n) {
                return i;
            }
        }
    } else {
        const int32_t *x = tensor->data;
        for (int64_t i = 0; i < count; i++) {
            if ((uint64_t)(int64_t)x[i] >= n) {
                return i;
            }
        }
    }
    return -1;
}

static int refuse_index(const char *name, const DLTensor *tensor, int64_t i, int64_t n)
{
    char buffer[TEXT_BYTES], expected[64];
    hg_text position = hg_text_over(buffer, sizeof buffer);
    hg_text words = hg_text_over(expected, sizeof expected);
    describe_position(&position, tensor, i);
    if (n > 0) {
        hg_text_put(&words, "0 to ");
        hg_text_put_int64(&words, n - 1);
    } else {
        hg_text_put(&words, "no entry at all");
    }
    return hg_error(HGATE_EVALUE, "%s: entry %s is %lld, expected %s", name, position.data,
                    (long long)hg_index_at(tensor, i), words.data);
}

int hg_check_elements(const hg_problem *problem, const hg_value_rule *rules, int n)
{
    const hg_op *row = hg_op_row(problem->p.op);
    for (int k = 0; k < n; k++) {
        const hg_value_rule *rule = &rules[k];
        const DLTensor *tensor = problem->args[rule->arg];
        const char *name = row->args[rule->arg].name;
        if (!tensor) {
            continue;
        }
        int64_t below = rule->below >= 0 ? problem->dims[rule->below] : 0;
        int64_t bad = rule->below >= 0 ? scan_index(tensor, (uint64_t)below)
                                       : hg_scan_range(tensor, &rule->range);
        if (bad >= 0) {
            return rule->below >= 0 ? refuse_index(name, tensor, bad, below)
                                    : hg_refuse_real(name, tensor, bad, rule->range.words);
        }
    }
    return HGATE_OK;
}
