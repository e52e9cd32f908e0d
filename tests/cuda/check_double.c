// SPDX-License-Identifier: BSD-3-Clause
// Every call of CUDA and its libraries fails in turn, under every kernel of the plugin cuda: each
// time a clean error or an answer, nothing lost, and the engine serves the next call; after an
// error that ends the device's context the plugin refuses, and closing does not hang. No device is
// needed: the plugin is linked with a double.
#include "tests/cuda/double.h"
#include "tests/harness.h"
#include "tests/real/problem.h"

#include <stdio.h>
#include <string.h>

enum { NO_MEMORY = 2, NO_SUCH_VALUE = 1, ILLEGAL_ADDRESS = 700 }; // of cudaError_t

static cuda_double shared;

static hgate_engine *open_double(const char *op, const char *kernel)
{
    char yaml[1024];
    snprintf(yaml, sizeof yaml,
             "plugins: {use_default_path: false, files: ['%s/tests/cuda/.libs/"
             "headgate-cuda-double.so']}\nrouting: {fallback: never}\n"
             "ops: {curvature: {exact_triangle: false}}",
             getenv("abs_top_builddir") ? getenv("abs_top_builddir") : ".");
    return real_open(op, kernel, yaml, NULL);
}

static void setup(void)
{
    char address[32];
    memset(&shared, 0, sizeof shared);
    snprintf(address, sizeof address, "%p", (void *)&shared);
    setenv("CUDA_DOUBLE", address, 1);
    unsetenv("HEADGATE_PLUGIN_PATH");
}

static void fail_at(long n, int error)
{
    shared.calls = 0;
    shared.fail_at = n;
    shared.error = error;
    shared.failed[0] = '\0';
}

static void make_on_device(cli_case *c, const char *words)
{
    real_make(c, words);
    for (int i = 0; i < c->row->n_args; i++) {
        c->arrays[i].dl.device.device_type = (DLDeviceType)HGATE_DL_CUDA;
    }
}

static int once(real_outputs *outputs, hgate_engine *engine)
{
    return real_call(outputs, engine, NULL);
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

// A call and all that fail in it; how many they were. -1: the kernel refuses the problem.
static long each_call(const cli_case *c, const char *kernel, int error,
                      int (*run)(real_outputs *outputs, hgate_engine *engine))
{
    fail_at(0, 0);
    hgate_engine *engine = open_double(c->row->word, kernel);
    real_outputs outputs;
    real_outputs_make(&outputs, c);
    const int first = run(&outputs, engine); // libraries are bound and handles made
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
        fail_at(0, 0);
        ck_assert_msg(shared.pending == 0, "%s of %s: call %ld (%s): an error is left for the host",
                      kernel, c->row->word, n, failed);
        ck_assert_msg(run(&outputs, engine) == first, "%s of %s: after call %ld (%s): %s", kernel,
                      c->row->word, n, failed, hgate_last_error());
    }
    hgate_close(engine);
    ck_assert_msg(shared.live == 0, "%s of %s: %ld pieces left", kernel, c->row->word, shared.live);
    real_outputs_free(&outputs);
    return n - 1;
}

static int n_problems(void)
{
    int n = 0;
    while (real_problems[n]) {
        n++;
    }
    return n;
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
    for (int p = 0; p < 2 * n_problems(); p++) {
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

// ---- no device to be had

static const struct {
    int error, driver;   // of the double
    const char *visible; // CUDA_VISIBLE_DEVICES; NULL: not set
    const char *reason;
    int prohibited; // of the double
} absent[] = {
    {35, -1, NULL, "no CUDA driver on this machine (error 35)", 0},
    {35, 9020, NULL, "CUDA driver 9020 is older than the runtime ", 0},
    {100, 13000, NULL, "no CUDA device is visible (driver 13000)", 0},
    {100, 13000, "", "no CUDA device is visible (driver 13000, CUDA_VISIBLE_DEVICES is \"\")", 0},
    {100, 13000, "7,8", "no CUDA device is visible (driver 13000, CUDA_VISIBLE_DEVICES is \"7,8\")",
     0},
    {46, 13000, NULL, "CUDA devices cannot be used: an error of the double (error 46)", 0},
    {0, 13000, NULL, "no CUDA device takes work: compute mode prohibited (1 visible, driver 13000)",
     1},
};

enum { ON_HOST = -1 };

static int call_emi(hgate_engine *engine, int device)
{
    cli_case c;
    real_outputs outputs;
    (device == ON_HOST ? real_make : make_on_device)(&c, "emi n=5 batch=7 dtype=f32");
    for (int i = 0; i < c.row->n_args && device != ON_HOST; i++) {
        c.arrays[i].dl.device.device_id = device;
    }
    real_outputs_make(&outputs, &c);
    const int status = once(&outputs, engine);
    ck_assert(status == HGATE_OK || real_is_untouched(&outputs));
    real_outputs_free(&outputs);
    cli_case_free(&c);
    return status;
}

// With the CPU beside it; the device is preferred whatever it costs.
static hgate_engine *open_both(void)
{
    char yaml[2048];
    const char *top = getenv("abs_top_builddir") ? getenv("abs_top_builddir") : ".";
    snprintf(yaml, sizeof yaml,
             "plugins: {use_default_path: false, files: ['%s/tests/cuda/.libs/"
             "headgate-cuda-double.so', '%s/plugins/.libs/headgate-cpu-serial.so']}\n"
             "routing: {strategy: prefer}",
             top, top);
    return real_open(NULL, NULL, yaml, NULL);
}

static void copy_row(void *user, const char *key, const char *value)
{
    const size_t used = strlen(user);
    snprintf((char *)user + used, 4096 - used, "%s: %s\n", key, value);
}

// What `headgate info` has about the plugin.
static const char *described(hgate_engine *engine)
{
    static char text[4096];
    text[0] = '\0';
    ck_assert_int_eq(hgate_plugin_describe(engine, 0, copy_row, text), HGATE_OK);
    return text;
}

#define EXPECT_TEXT(TEXT, PART)                                                                    \
    ck_assert_msg(strstr(TEXT, PART) != NULL, "no \"%s\" in: %s", PART, TEXT)

// The report has the very reason, arrays of the host are served by the CPU, and for those of a
// device the message has it again.
START_TEST(no_device)
{
    unsetenv("CUDA_VISIBLE_DEVICES");
    if (absent[_i].visible)
        setenv("CUDA_VISIBLE_DEVICES", absent[_i].visible, 1);
    shared.count_error = absent[_i].error;
    shared.driver = absent[_i].driver;
    shared.prohibited = absent[_i].prohibited;
    hgate_engine *engine = open_both();
    hgate_plugin_info info = {.struct_size = sizeof info};
    ck_assert_int_eq(hgate_plugin_get(engine, 0, &info), HGATE_OK);
    ck_assert_int_eq(info.status, HGATE_PLUGIN_UNAVAILABLE);
    ck_assert_msg(strncmp(info.reason, absent[_i].reason, strlen(absent[_i].reason)) == 0, "%s",
                  info.reason);
    ck_assert_int_eq(shared.pending, 0);
    ck_assert_msg(call_emi(engine, ON_HOST) == HGATE_OK, "%s", hgate_last_error());
    ck_assert_int_eq(call_emi(engine, 0), HGATE_ENOKERNEL);
    EXPECT_TEXT(hgate_last_error(), info.reason);
    hgate_close(engine);
    unsetenv("CUDA_VISIBLE_DEVICES");
}
END_TEST

// The other one serves its own arrays; those of the host go to the first device or to none.
START_TEST(one_of_two_devices_is_prohibited)
{
    const int bad = _i, good = 1 - _i;
    char words[80];
    shared.n_devices = 2;
    shared.prohibited = 1 << bad;
    hgate_engine *engine = open_both();
    hgate_plugin_info info = {.struct_size = sizeof info};
    ck_assert_int_eq(hgate_plugin_get(engine, 0, &info), HGATE_OK);
    ck_assert_msg(info.status == HGATE_PLUGIN_USABLE, "%s", info.reason);
    EXPECT_TEXT(described(engine), "1980 MHz, compute mode prohibited: takes no work\n");
    ck_assert_msg(call_emi(engine, good) == HGATE_OK, "%s", hgate_last_error());
    const long launches = shared.launches;
    ck_assert_int_gt(launches, 0);
    const int status = call_emi(engine, bad);
    ck_assert_msg(status == HGATE_ENOKERNEL, "%d, %s", status, hgate_last_error());
    snprintf(words, sizeof words, "device %d takes no work: its compute mode is prohibited", bad);
    EXPECT_TEXT(hgate_last_error(), words);
    ck_assert_int_eq(shared.launches, launches);
    ck_assert_msg(call_emi(engine, ON_HOST) == HGATE_OK, "%s", hgate_last_error());
    ck_assert_int_eq(shared.launches > launches, good == 0);
    hgate_close(engine);
    ck_assert_int_eq(shared.live, 0);
}
END_TEST

// In exclusive mode only a call can tell whether another process has the device. Nothing is
// written, whichever kernel finds out, and the device serves as soon as it is free.
START_TEST(a_device_of_another_process)
{
    hgate_engine *all = open_double(NULL, NULL);
    cli_case c;
    make_on_device(&c, real_problems[_i]);
    for (int k = 0; k < hgate_kernel_count(all, c.op->op); k++) {
        hgate_kernel_info info = {.struct_size = sizeof info};
        char name[128];
        real_outputs outputs;
        ck_assert_int_eq(hgate_kernel_get(all, c.op->op, k, &info), HGATE_OK);
        snprintf(name, sizeof name, "%s/%s", info.plugin, info.name);
        hgate_engine *engine = open_double(c.row->word, name);
        real_outputs_make(&outputs, &c);
        shared.is_taken = 1;
        const int status = once(&outputs, engine);
        ck_assert_msg(status == HGATE_EDEVICE_BUSY || status == HGATE_ENOKERNEL, "%s: %d, %s", name,
                      status, hgate_last_error());
        ck_assert_msg(real_is_untouched(&outputs), "%s has written", name);
        ck_assert_int_eq(shared.pending, 0);
        ck_assert_int_eq(shared.launches, 0);
        shared.is_taken = 0;
        const int then = once(&outputs, engine);
        ck_assert_msg(then == HGATE_OK || then == HGATE_EVALUE || then == status, "%s: %d, %s",
                      name, then, hgate_last_error());
        ck_assert(then != HGATE_EDEVICE_BUSY);
        hgate_close(engine);
        real_outputs_free(&outputs);
        ck_assert_int_eq(shared.live, 0);
        shared.launches = 0;
    }
    cli_case_free(&c);
    hgate_close(all);
}
END_TEST

START_TEST(host_arrays_while_another_process_has_the_device)
{
    shared.is_taken = 1;
    hgate_engine *engine = open_both();
    hgate_plugin_info info = {.struct_size = sizeof info};
    ck_assert_int_eq(hgate_plugin_get(engine, 0, &info), HGATE_OK);
    ck_assert_msg(info.status == HGATE_PLUGIN_USABLE, "%s", info.reason);
    EXPECT_TEXT(described(engine), "1980 MHz, compute mode exclusive: one process at a time\n");
    ck_assert_msg(call_emi(engine, ON_HOST) == HGATE_OK, "%s", hgate_last_error());
    ck_assert_int_eq(shared.launches, 0);
    ck_assert_int_eq(call_emi(engine, 0), HGATE_EDEVICE_BUSY);
    shared.is_taken = 0;
    ck_assert_msg(call_emi(engine, ON_HOST) == HGATE_OK, "%s", hgate_last_error());
    ck_assert_int_gt(shared.launches, 0);
    hgate_close(engine);
    ck_assert_int_eq(shared.live, 0);
}
END_TEST

// Libraries are looked for when they are first needed. Without them host arrays are served by the
// CPU and those of a device by kernels that need none, or the message has the loader's words.
START_TEST(libraries_that_are_not_installed)
{
    static const struct {
        const char *words;
        int on_device;
    } problems[] = {
        {"evd n=5 batch=7", HGATE_ENOKERNEL},
        {"visibility_product m=7 n=5 k=90", HGATE_ENOKERNEL},
        {"visibility_gram m=7 k=90", HGATE_OK}, // by fp16x3
    };
    static const char words[] = "cannot open shared object file";
    for (int i = 0; i < 3; i++) {
        cli_case on_host, on_device;
        real_outputs host, device;
        memset(&shared, 0, sizeof shared);
        shared.has_no_libs = 1;
        hgate_engine *engine = open_both();
        EXPECT_TEXT(described(engine), "bound at first use");
        real_make(&on_host, problems[i].words);
        make_on_device(&on_device, problems[i].words);
        real_outputs_make(&host, &on_host);
        real_outputs_make(&device, &on_device);
        for (int again = 0; again < 2; again++) {
            ck_assert_msg(once(&host, engine) == HGATE_OK, "%s", hgate_last_error());
            const int status = once(&device, engine);
            ck_assert_msg(status == problems[i].on_device, "%s: %d, %s", problems[i].words, status,
                          hgate_last_error());
            if (status != HGATE_OK) {
                ck_assert(real_is_untouched(&device));
                EXPECT_TEXT(hgate_last_error(), words);
            }
        }
        EXPECT_TEXT(described(engine), problems[i].on_device ? words : "bound at first use");
        hgate_close(engine);
        ck_assert_int_eq(shared.live, 0);
        real_outputs_free(&host);
        real_outputs_free(&device);
        cli_case_free(&on_host);
        cli_case_free(&on_device);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cuda_double");
    TCase *tests = tcase_create("cuda_double");
    tcase_add_checked_fixture(tests, setup, NULL);
    tcase_add_test(tests, opening);
    tcase_add_loop_test(tests, no_device, 0, (int)(sizeof absent / sizeof absent[0]));
    tcase_add_loop_test(tests, one_of_two_devices_is_prohibited, 0, 2);
    tcase_add_loop_test(tests, a_device_of_another_process, 0, n_problems());
    tcase_add_test(tests, host_arrays_while_another_process_has_the_device);
    tcase_add_test(tests, libraries_that_are_not_installed);
    tcase_add_loop_test(tests, every_call_of_every_kernel, 0, n_problems());
    tcase_add_test(tests, every_call_of_points_left);
    tcase_add_loop_test(tests, every_call_of_groups, 0, 2);
    tcase_add_test(tests, every_kernel_has_a_problem);
    tcase_add_loop_test(tests, a_lost_device, 0, n_problems());
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
