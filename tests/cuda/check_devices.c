// SPDX-License-Identifier: BSD-3-Clause
// Machines without a device that can be had: no driver, hidden, prohibited or taken devices,
// missing libraries. The report has the very reason, arrays of the host are served by the CPU, and
// for those of a device the message has the reason again. No device is needed: the plugin is linked
// with a double.
#include "tests/cuda/on_double.h"

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
        {"emi n=5 batch=7 rule=none", HGATE_ENOKERNEL},
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
    Suite *suite = suite_create("cuda_devices");
    TCase *tests = tcase_create("cuda_devices");
    tcase_add_checked_fixture(tests, setup, NULL);
    tcase_add_loop_test(tests, no_device, 0, (int)(sizeof absent / sizeof absent[0]));
    tcase_add_loop_test(tests, one_of_two_devices_is_prohibited, 0, 2);
    tcase_add_loop_test(tests, a_device_of_another_process, 0, real_count(real_problems));
    tcase_add_test(tests, host_arrays_while_another_process_has_the_device);
    tcase_add_test(tests, libraries_that_are_not_installed);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
