// SPDX-License-Identifier: BSD-3-Clause
// Words to a problem.
#include "tests/dispatch/question.h"

#include "core/tensor/dtype.h"
#include "core/tensor/op_table.h"
#include "core/tensor/option_table.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { poison = 0x5a };

static void set_space(question *q, const char *word)
{
    static const struct {
        const char *word;
        uint32_t space;
    } spaces[] = {
        {"host", HGATE_SPACE_HOST},
        {"pinned", HGATE_SPACE_CUDA_HOST},
        {"cuda:", HGATE_SPACE_CUDA},
        {"managed:", HGATE_SPACE_CUDA_MANAGED},
    };
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        const size_t n = strlen(spaces[i].word);
        if (strncmp(word, spaces[i].word, n) == 0) {
            q->problem.p.space = spaces[i].space;
            q->problem.p.device_id = atoi(word + n);
            return;
        }
    }
    ck_abort_msg("no memory space %s", word);
}

static bool set_fact(question *q, const char *key, const char *value)
{
    hgate_curvature_facts *facts = &q->problem.facts;
    if (strcmp(key, "f") == 0) {
        facts->work_fraction = strtod(value, NULL);
    } else if (strcmp(key, "g") == 0) {
        facts->pair_fraction = strtod(value, NULL);
    } else if (strcmp(key, "finite") == 0) {
        facts->vals_finite = atoi(value);
    } else {
        return false;
    }
    facts->is_known = 1;
    return true;
}

static bool set_option(question *q, const char *key, const char *value)
{
    const hg_option_list *list = hg_option_list_of(q->problem.p.op);
    for (int i = 0; i < list->n; i++) {
        const hg_option *option = &list->options[i];
        if (strcmp(option->name, key) != 0 || !hg_option_is_read(option, q->problem.p.op)) {
            continue;
        }
        double number = strtod(value, NULL);
        for (int w = 0; option->words && option->words[w]; w++) {
            number = strcmp(option->words[w], value) == 0 ? w : number;
        }
        hg_option_put(option, &q->problem.params, number);
        return true;
    }
    return false;
}

static void set_word(question *q, const char *key, const char *value)
{
    const hg_op *row = hg_op_row(q->problem.p.op);
    const int dim = hg_op_find_dim(row, key, (int)strlen(key));
    if (dim >= 0) {
        q->problem.dims[dim] = (int64_t)strtod(value, NULL);
    } else if (strcmp(key, "dtype") == 0) {
        q->problem.p.dtype = hg_dtype_find(value);
        ck_assert_msg(q->problem.p.dtype, "no type %s", value);
    } else if (strcmp(key, "mem") == 0) {
        set_space(q, value);
    } else if (strcmp(key, "threads") == 0) {
        q->threads = atoi(value);
    } else if (strcmp(key, "beta_out") == 0) {
        q->problem.p.beta_re = strtod(value, NULL);
    } else if (!(q->problem.p.op == HGATE_OP_CURVATURE && set_fact(q, key, value)) &&
               !set_option(q, key, value)) {
        ck_assert_msg(strcmp(key, "data") == 0, "%s has no %s", row->word, key);
    }
}

static void put_args(question *q, bool has_data)
{
    static const int types[] = {HGATE_DL_CPU, HGATE_DL_CUDA, HGATE_DL_CUDA_HOST,
                                HGATE_DL_CUDA_MANAGED};
    const hg_op *row = hg_op_row(q->problem.p.op);
    int type = 0;
    while (q->problem.p.space >> type != 1) {
        type++;
    }
    for (int i = 0; i < row->n_args; i++) {
        if (row->args[i].is_optional) {
            continue;
        }
        q->extent[i] = question_bytes / (int64_t)hg_dtype_bytes(q->problem.p.dtype);
        const DLTensor tensor = {
            .data = has_data ? q->memory[i] : NULL,
            .device = {(DLDeviceType)types[type], q->problem.p.device_id},
            .ndim = 1,
            .dtype = hg_dtype_dlpack(q->problem.p.dtype),
            .shape = &q->extent[i],
        };
        hg_problem_set_arg(&q->problem, i, &tensor);
    }
}

void question_ask(question *q, const char *words)
{
    char copy[512];
    ck_assert_uint_lt(strlen(words), sizeof copy);
    strcpy(copy, words);
    char *rest = copy;
    const char *word = strtok_r(rest, " ", &rest);
    const int op = hgate_op_find(word);
    ck_assert_msg(op >= 0, "no operation %s", word);
    memset(q->memory, 0, sizeof q->memory);
    q->threads = 1;
    hg_problem_init(&q->problem, op);
    for (int i = 0; i < q->problem.p.n_dims; i++) {
        q->problem.dims[i] = 1;
    }
    hg_options_preset(hg_option_list_of(op), &q->problem.params);
    q->problem.p.dtype = HGATE_F64;
    q->problem.p.space = HGATE_SPACE_HOST;
    q->problem.facts.vals_finite = 1;
    while ((word = strtok_r(rest, " ", &rest)) != NULL) {
        char *equals = strchr(word, '=');
        ck_assert_msg(equals != NULL, "%s is no key=value", word);
        *equals = '\0';
        set_word(q, word, equals + 1);
    }
    put_args(q, strstr(words, "data=0") == NULL);
}

static bool is_output(const question *q, int i)
{
    return q->problem.p.args[i] && hg_op_row(q->problem.p.op)->args[i].role != HG_IN;
}

void question_poison(question *q)
{
    for (int i = 0; i < q->problem.p.n_args; i++) {
        if (is_output(q, i)) {
            memset(q->memory[i], poison, sizeof q->memory[i]);
        }
    }
}

bool question_is_untouched(const question *q)
{
    for (int i = 0; i < q->problem.p.n_args; i++) {
        for (int b = 0; is_output(q, i) && b < question_bytes; b++) {
            if (q->memory[i][b] != poison) {
                return false;
            }
        }
    }
    return true;
}
