// SPDX-License-Identifier: BSD-3-Clause
// Every call of CUDA and its libraries fails in turn, under every kernel of the plugin cuda: each
// time a clean error or an answer, nothing lost, and the engine serves the next call; after an
// error that ends the device's context the plugin refuses, and closing does not hang. No device is
// needed: the plugin is linked with a double.
#include "tests/cuda/on_double.h"
#include "tests/harness.h"

#include <stdio.h>
#include <string.h>

enum { NO_MEMORY = 2, NO_SUCH_VALUE = 1, ILLEGAL_ADDRESS = 700 }; // of cudaError_t

static void fail_at(long n, int error)
{
    shared.calls = 0;
    shared.fail_at = n;
    shared.error = error;
    shared.failed[0] = '\0';
}

static int planned(real_outputs *outputs, hgate_engine *engine)
{
    cli_call call = {.form = CLI_PLAN, .engine = engine};
    cli_case_arguments(&outputs->mine, &call);
    int status = outputs->mine.op->call(&call);
    call.form = CLI_RUN;
    for (int i = 0; i < 2 && status == HGATE_OK; i++) {
        status = outputs->mine.op->call(&call);
    }
    hgate_plan_free(call.plan);
    return status;
}

// Groups of sources, with copies beside the work; the arrays are the host's.
static int grouped(real_outputs *outputs, hgate_engine *engine)
{
    static void *const streams[] = {(void *)0x10, (void *)0x20, (void *)0x30};
    const bool is_forward = outputs->mine.op->op == HGATE_OP_KIRCHHOFF_FORWARD;
    const hgate_kirchhoff_params *params = &outputs->mine.scalars.params.kirchhoff;
    cli_call call = {0};
    hgate_group_params group;
    hgate_kirchhoff_tables t;
    hgate_group_params_init(&group);
    group.device_id = 0;
    group.sources_per_group = 2;
    group.streams = streams;
    group.nstreams = 3;
    cli_outputs_poison(&outputs->mine);
    cli_case_arguments(&outputs->mine, &call);
    DLTensor **a = call.args;
    hgate_kirchhoff_tables_init(&t);
    t.trav_src = a[HGATE_KIRCHHOFF_TRAV_SRC], t.trav_rec = a[HGATE_KIRCHHOFF_TRAV_REC];
    t.amp_src = a[HGATE_KIRCHHOFF_AMP_SRC], t.amp_rec = a[HGATE_KIRCHHOFF_AMP_REC];
    t.ang_src = a[HGATE_KIRCHHOFF_ANG_SRC], t.ang_rec = a[HGATE_KIRCHHOFF_ANG_REC];
    t.vel = a[HGATE_KIRCHHOFF_VEL];
    DLTensor *model = a[HGATE_KIRCHHOFF_MODEL], *data = a[HGATE_KIRCHHOFF_DATA];
    if (is_forward) {
        return hgate_kirchhoff_group_forward(engine, NULL, params, &t, model, data, &group);
    }
    const int status = hgate_kirchhoff_group_adjoint(engine, NULL, params, &t, data, model, &group);
    ck_assert_msg(status == HGATE_OK || real_is_untouched(outputs), "call %ld (%s): model written",
                  shared.fail_at, shared.failed);
    return status;
}

static bool is_clean(int status)
{
    return status == HGATE_OK || status == HGATE_ENOMEM || status == HGATE_EINTERNAL ||
           status == HGATE_EDEVICE_LOST || status == HGATE_EUNAVAILABLE ||
           status == HGATE_ENOKERNEL || status == HGATE_EVALUE;
}

// The host works with another device than that of the arrays, and finds it current after each call.
enum { HOSTS_DEVICE = 1 };

static bool is_hosts_device_current(void)
{
    return shared.current == HOSTS_DEVICE;
}

// A call and all that fail in it; how many they were. -1: the kernel refuses the problem.
static long each_call(const cli_case *c, const char *kernel, int error,
                      int (*run)(real_outputs *outputs, hgate_engine *engine))
{
    fail_at(0, 0);
    shared.n_devices = HOSTS_DEVICE + 1;
    shared.current = HOSTS_DEVICE;
    hgate_engine *engine = open_double(c->row->word, kernel);
    real_outputs outputs;
    real_outputs_make(&outputs, c);
    const int first = run(&outputs, engine); // libraries are bound and handles made
    ck_assert_msg(is_hosts_device_current(), "%s of %s: device %d is current", kernel, c->row->word,
                  shared.current);
    if (first == HGATE_ENOKERNEL) {
        hgate_close(engine);
        real_outputs_free(&outputs);
        return -1;
    }
    ck_assert_msg(first == HGATE_OK || first == HGATE_EVALUE, "%s of %s: %s", kernel, c->row->word,
                  hgate_last_error());
    const long live = shared.live;
    long n = 1;
    for (;; n++) {
        fail_at(n, error);
        const int status = run(&outputs, engine);
        ck_assert_msg(is_clean(status), "%s of %s: call %ld (%s): status %d: %s", kernel,
                      c->row->word, n, shared.failed, status, hgate_last_error());
        ck_assert_msg(shared.live == live, "%s of %s: call %ld (%s): %ld pieces lost", kernel,
                      c->row->word, n, shared.failed, shared.live - live);
        if (shared.calls < n) {
            break;
        }
        char failed[sizeof shared.failed];
        memcpy(failed, shared.failed, sizeof failed);
        ck_assert_msg(is_hosts_device_current() || strcmp(failed, "cudaSetDevice") == 0,
                      "%s of %s: call %ld (%s): device %d is current", kernel, c->row->word, n,
                      failed, shared.current);
        shared.current = HOSTS_DEVICE;
        fail_at(0, 0);
        ck_assert_msg(shared.pending == 0, "%s of %s: call %ld (%s): an error is left for the host",
                      kernel, c->row->word, n, failed);
        ck_assert_msg(run(&outputs, engine) == first, "%s of %s: after call %ld (%s): %s", kernel,
                      c->row->word, n, failed, hgate_last_error());
    }
    hgate_close(engine);
    ck_assert_msg(is_hosts_device_current(), "%s of %s: closing leaves device %d current", kernel,
                  c->row->word, shared.current);
    ck_assert_msg(shared.live == 0, "%s of %s: %ld pieces left", kernel, c->row->word, shared.live);
    real_outputs_free(&outputs);
    return n - 1;
}

START_TEST(every_call_of_every_kernel)
{
    hgate_engine *all = open_double(NULL, NULL);
    for (int wide = 0; wide < 2; wide++) {
        char words[256], name[128];
        cli_case c;
        snprintf(words, sizeof words, "%s dtype=%s", real_problems[_i], wide ? "f64" : "f32");
        make_on_device(&c, words);
        for (int k = 0; k < hgate_kernel_count(all, c.op->op); k++) {
            hgate_kernel_info info = {.struct_size = sizeof info};
            ck_assert_int_eq(hgate_kernel_get(all, c.op->op, k, &info), HGATE_OK);
            snprintf(name, sizeof name, "%s/%s", info.plugin, info.name);
            const long n = each_call(&c, name, NO_MEMORY, once);
            ck_assert_msg(n == -1 || n > 2, "%s of %s made no calls", name, words);
            ck_assert_int_eq(each_call(&c, name, NO_SUCH_VALUE, once), n);
            ck_assert_int_eq(each_call(&c, name, NO_MEMORY, planned) > 2, n > 2);
        }
        cli_case_free(&c);
    }
    hgate_close(all);
    ck_assert_int_eq(shared.live, 0);
}
END_TEST

// Points that a kernel of emi leaves under rule fixed are served by library in the same call.
START_TEST(every_call_of_points_left)
{
    static const char *const kernels[] = {"cuda/warp", "cuda/rows", "cuda/block"};
    for (int i = 0; i < 3; i++) {
        cli_case c;
        make_on_device(&c, "emi n=7 batch=11 looks=40 rule=fixed dtype=f32");
        shared.written = 0;
        const long n_alone = each_call(&c, kernels[i], NO_MEMORY, once);
        shared.written = 1;
        const long n_both = each_call(&c, kernels[i], NO_MEMORY, once);
        ck_assert_msg(n_alone > 2 && n_both > n_alone + 10, "%s: %ld calls, %ld with points left",
                      kernels[i], n_alone, n_both);
        ck_assert_int_gt(each_call(&c, kernels[i], NO_SUCH_VALUE, planned), n_alone);
        shared.written = 0;
        cli_case_free(&c);
    }
    ck_assert_int_eq(shared.live, 0);
}
END_TEST

START_TEST(every_call_of_groups)
{
    hgate_engine *all = open_double(NULL, NULL);
    for (int wide = 0; wide < 2; wide++) {
        char words[256], name[128];
        cli_case c;
        int n_swept = 0;
        snprintf(words, sizeof words, "kirchhoff_%s ns=5 nr=3 nt=90 nx=7 nz=5 dynamic=1 dtype=%s",
                 _i ? "adjoint" : "forward", wide ? "f64" : "f32");
        real_make(&c, words);
        for (int k = 0; k < hgate_kernel_count(all, c.op->op); k++) {
            hgate_kernel_info info = {.struct_size = sizeof info};
            ck_assert_int_eq(hgate_kernel_get(all, c.op->op, k, &info), HGATE_OK);
            snprintf(name, sizeof name, "%s/%s", info.plugin, info.name);
            const long n = each_call(&c, name, NO_MEMORY, grouped);
            ck_assert_int_eq(each_call(&c, name, NO_SUCH_VALUE, grouped), n);
            n_swept += n > 20;
        }
        ck_assert_int_gt(n_swept, 0);
        cli_case_free(&c);
    }
    hgate_close(all);
}
END_TEST

// What the sweeps say of every kernel they say of each one: none refuses all problems.
START_TEST(every_kernel_has_a_problem)
{
    bool has_one[HGATE_OP_COUNT][16] = {{false}};
    hgate_engine *all = open_double(NULL, NULL);
    for (int p = 0; p < 2 * real_count(real_problems); p++) {
        char words[256], name[128];
        cli_case c;
        snprintf(words, sizeof words, "%s dtype=%s", real_problems[p / 2], p % 2 ? "f64" : "f32");
        make_on_device(&c, words);
        for (int k = 0; k < hgate_kernel_count(all, c.op->op); k++) {
            hgate_kernel_info info = {.struct_size = sizeof info};
            real_outputs outputs;
            require(k < 16 && hgate_kernel_get(all, c.op->op, k, &info) == HGATE_OK);
            snprintf(name, sizeof name, "%s/%s", info.plugin, info.name);
            hgate_engine *engine = open_double(c.row->word, name);
            real_outputs_make(&outputs, &c);
            has_one[c.op->op][k] |= once(&outputs, engine) != HGATE_ENOKERNEL;
            hgate_close(engine);
            real_outputs_free(&outputs);
        }
        cli_case_free(&c);
    }
    for (int op = 0; op < HGATE_OP_COUNT; op++) {
        ck_assert_msg(hgate_kernel_count(all, op) > 0, "no kernel of %s", hgate_op_name(op));
        for (int k = 0; k < hgate_kernel_count(all, op); k++) {
            hgate_kernel_info info = {.struct_size = sizeof info};
            ck_assert_int_eq(hgate_kernel_get(all, op, k, &info), HGATE_OK);
            ck_assert_msg(has_one[op][k], "%s of %s", info.name, hgate_op_name(op));
        }
    }
    hgate_close(all);
}
END_TEST

// The device is lost at the n-th call: so says every later one, and there is an end.
START_TEST(a_lost_device)
{
    hgate_engine *all = open_double(NULL, NULL);
    char name[128];
    cli_case c;
    make_on_device(&c, real_problems[_i]);
    for (int k = 0; k < hgate_kernel_count(all, c.op->op); k++) {
        hgate_kernel_info info = {.struct_size = sizeof info};
        ck_assert_int_eq(hgate_kernel_get(all, c.op->op, k, &info), HGATE_OK);
        snprintf(name, sizeof name, "%s/%s", info.plugin, info.name);
        for (long n = 1; n < 40; n++) {
            hgate_engine *engine = open_double(c.row->word, name);
            real_outputs outputs;
            real_outputs_make(&outputs, &c);
            fail_at(n, ILLEGAL_ADDRESS);
            const int status = once(&outputs, engine);
            const bool is_beyond = shared.calls < n;
            ck_assert_msg(is_beyond || is_clean(status), "%s: call %ld (%s): status %d", name, n,
                          shared.failed, status);
            if (!is_beyond && status != HGATE_OK) {
                ck_assert_msg(once(&outputs, engine) != HGATE_OK, "%s: call %ld (%s)", name, n,
                              shared.failed);
            }
            hgate_close(engine);
            real_outputs_free(&outputs);
            memset(&shared, 0, sizeof shared); // a new process would have a new device
            if (is_beyond) {
                break;
            }
        }
    }
    cli_case_free(&c);
    hgate_close(all);
}
END_TEST

// What fails while the plugin looks for devices is a reason in the report.
START_TEST(opening)
{
    for (long n = 1;; n++) {
        hgate_plugin_info info = {.struct_size = sizeof info};
        fail_at(n, NO_SUCH_VALUE);
        hgate_engine *engine = open_double(NULL, NULL);
        const bool is_beyond = shared.calls < n;
        fail_at(0, 0);
        ck_assert_int_eq(hgate_plugin_count(engine), 1);
        ck_assert_int_eq(hgate_plugin_get(engine, 0, &info), HGATE_OK);
        ck_assert(info.status == HGATE_PLUGIN_USABLE || info.reason[0] != '\0');
        ck_assert(!is_beyond || info.status == HGATE_PLUGIN_USABLE);
        ck_assert_int_eq(shared.pending, 0);
        hgate_close(engine);
        if (is_beyond) {
            ck_assert_int_gt(n, 3);
            break;
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cuda_double");
    TCase *tests = tcase_create("cuda_double");
    tcase_add_checked_fixture(tests, setup, NULL);
    tcase_add_test(tests, opening);
    tcase_add_loop_test(tests, every_call_of_every_kernel, 0, real_count(real_problems));
    tcase_add_test(tests, every_call_of_points_left);
    tcase_add_loop_test(tests, every_call_of_groups, 0, 2);
    tcase_add_test(tests, every_kernel_has_a_problem);
    tcase_add_loop_test(tests, a_lost_device, 0, real_count(real_problems));
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
