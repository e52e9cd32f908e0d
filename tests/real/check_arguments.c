// SPDX-License-Identifier: BSD-3-Clause
// Every argument of every operation made bad in turn, in a call and in the run of a plan: the
// status of that fault, a message that names the argument, and no array written.
#include "tests/harness.h"
#include "tests/real/problem.h"

#include <string.h>

typedef struct victim {
    DLTensor *tensor; // a copy that may be spoilt
    int64_t shape[HG_MAX_NDIM + 1], strides[HG_MAX_NDIM];
    const DLTensor *other; // an argument with memory that is no output's
} victim;

static bool has_memory(const victim *v)
{
    return v->tensor->data != NULL;
}

static bool missing(victim *v)
{
    v->tensor = NULL;
    return true;
}

static bool no_data(victim *v)
{
    v->tensor->data = NULL;
    return true;
}

static bool too_many_dimensions(victim *v)
{
    v->tensor->ndim = HG_MAX_NDIM + 1; // beyond what any argument may have
    return true;
}

static bool negative_extent(victim *v)
{
    v->shape[0] = -1;
    return true;
}

static bool no_shape(victim *v)
{
    v->tensor->shape = NULL;
    return v->tensor->ndim > 0;
}

static bool foreign_type(victim *v)
{
    v->tensor->dtype.code = kDLUInt;
    v->tensor->dtype.bits = 16;
    return true;
}

static bool vectors(victim *v)
{
    v->tensor->dtype.lanes = 2;
    return true;
}

static bool foreign_device(victim *v)
{
    v->tensor->device.device_type = kDLVulkan;
    return true;
}

static bool another_device(victim *v)
{
    v->tensor->device.device_type = (DLDeviceType)HGATE_DL_CUDA;
    return true;
}

static bool columns_first(victim *v)
{
    int64_t step = 1, long_ones = 0;
    for (int i = 0; i < v->tensor->ndim; i++) {
        v->strides[i] = step;
        step *= v->shape[i];
        long_ones += v->shape[i] > 1;
    }
    v->tensor->strides = v->strides;
    return long_ones > 1;
}

static bool odd_address(victim *v)
{
    v->tensor->data = (char *)v->tensor->data + 1;
    return has_memory(v);
}

static bool odd_offset(victim *v)
{
    v->tensor->byte_offset += 1;
    return has_memory(v);
}

static bool over_another(victim *v)
{
    v->tensor->data = v->other->data;
    return true;
}

static const struct {
    const char *words;
    bool (*spoil)(victim *v);
    int status;
    bool of_outputs; // only there it is one
} faults[] = {
    {"missing", missing, HGATE_EINVAL, false},
    {"no data", no_data, HGATE_EINVAL, false},
    {"too many dimensions", too_many_dimensions, HGATE_ESHAPE, false},
    {"a negative extent", negative_extent, HGATE_ESHAPE, false},
    {"no shape", no_shape, HGATE_EINVAL, false},
    {"a foreign type", foreign_type, HGATE_EDTYPE, false},
    {"vectors", vectors, HGATE_EDTYPE, false},
    {"a foreign device", foreign_device, HGATE_EDEVICE, false},
    {"another device", another_device, HGATE_EDEVICE, false},
    {"columns first", columns_first, HGATE_ESTRIDE, false},
    {"an odd address", odd_address, HGATE_ESTRIDE, false},
    {"an odd offset", odd_offset, HGATE_ESTRIDE, false},
    {"over another", over_another, HGATE_EOVERLAP, true},
};
enum { N_FAULTS = sizeof faults / sizeof *faults };

// Sum over the bytes of all inputs, by FNV.
static uint64_t inputs_of(const cli_case *c)
{
    uint64_t sum = 14695981039346656037u;
    for (int i = 0; i < c->row->n_args; i++) {
        const cli_array *a = &c->arrays[i];
        for (size_t k = 0; a->is_given && c->row->args[i].role == HG_IN && k < a->bytes; k++)
            sum = (sum ^ ((const unsigned char *)a->dl.data)[k]) * 1099511628211u;
    }
    return sum;
}

static const DLTensor *first_input(const cli_case *c)
{
    for (int i = 0; i < c->row->n_args; i++)
        if (c->arrays[i].is_given && c->row->args[i].role == HG_IN && c->arrays[i].bytes > 0)
            return &c->arrays[i].dl;
    return NULL;
}

// One argument with one fault, in one form of the call.
static int spoilt(real_outputs *outputs, cli_call *call, int arg, int fault, bool *applies)
{
    const cli_case *c = &outputs->mine;
    victim v = {.other = first_input(c)};
    cli_case_arguments(&outputs->mine, call);
    DLTensor copy = *call->args[arg];
    memcpy(v.shape, copy.shape, sizeof *v.shape * (size_t)copy.ndim);
    copy.shape = v.shape;
    v.tensor = &copy;
    *applies = faults[fault].spoil(&v) &&
               (!faults[fault].of_outputs || (c->row->args[arg].role != HG_IN && v.other));
    if (!*applies)
        return HGATE_OK;
    call->args[arg] = v.tensor;
    cli_outputs_poison(&outputs->mine);
    return c->op->call(call);
}

// The message names it: first, or beside the argument that it does not fit to.
static bool tells(const char *name)
{
    const char *told = hgate_last_error();
    const size_t n = strlen(name);
    for (const char *at = told; (at = strstr(at, name)); at++)
        if ((at == told || at[-1] == ' ') && strchr(": ", at[n]))
            return true;
    return false;
}

START_TEST(each_argument)
{
    hgate_engine *engine = real_open(NULL, NULL, NULL, NULL);
    int n_refused = 0;
    cli_case c;
    real_outputs outputs;
    real_make(&c, real_problems[_i]);
    real_outputs_make(&outputs, &c);
    cli_call once = {.form = CLI_ONCE, .engine = engine},
             plan = {.form = CLI_PLAN, .engine = engine};
    cli_case_arguments(&outputs.mine, &plan);
    ck_assert_msg(c.op->call(&plan) == HGATE_OK, "%s", hgate_last_error());
    plan.form = CLI_RUN;
    const uint64_t inputs = inputs_of(&c);
    for (int arg = 0; arg < c.row->n_args; arg++) {
        const hg_arg *row = &c.row->args[arg];
        for (int fault = 0; fault < N_FAULTS && c.arrays[arg].is_given; fault++) {
            for (int planned = 0; planned <= !row->in_plan; planned++) {
                bool applies;
                if (faults[fault].spoil == missing && row->is_optional)
                    continue;
                const int status = spoilt(&outputs, planned ? &plan : &once, arg, fault, &applies);
                if (!applies)
                    continue;
                ck_assert_msg(status == faults[fault].status && tells(row->name),
                              "%s, %s: %s%s: status %d: %s", real_problems[_i], row->name,
                              faults[fault].words, planned ? " in a run" : "", status,
                              hgate_last_error());
                ck_assert_msg(real_is_untouched(&outputs) && inputs_of(&c) == inputs,
                              "%s, %s: %s: an array was written", real_problems[_i], row->name,
                              faults[fault].words);
                n_refused++;
            }
        }
    }
    ck_assert_int_gt(n_refused, 20);
    hgate_plan_free(plan.plan);
    real_outputs_free(&outputs);
    cli_case_free(&c);
    hgate_close(engine);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("arguments");
    TCase *tests = tcase_create("arguments");
    tcase_add_loop_test(tests, each_argument, 0, real_count(real_problems));
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
