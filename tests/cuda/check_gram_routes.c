// SPDX-License-Identifier: BSD-3-Clause
// Which kernel of plugin cuda serves visibility_gram on assumed devices, and why others do not.
#include "tests/harness.h"
#include "tests/tensors.h"

#include <headgate/headgate.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ASSUME "plugins.cuda.options.assume_device"
#define TENSOR_CORES "plugins.cuda.options.tensor_cores"
#define OFF(kernel) "kernels.visibility_gram.cuda." kernel ".enabled", "false"

typedef struct answer {
    char json[32768];
    size_t used;
} answer;

static int append(void *user, const char *text, size_t n)
{
    answer *a = user;
    ck_assert_uint_lt(a->used + n, sizeof a->json);
    memcpy(a->json + a->used, text, n);
    a->used += n;
    a->json[a->used] = '\0';
    return 0;
}

static hgate_engine *opened(const char *const *settings)
{
    hgate_config *config = NULL;
    hgate_engine *engine = NULL;
    hgate_options options;
    ck_assert_int_eq(hgate_config_new(&config), HGATE_OK);
    for (; *settings; settings += 2)
        ck_assert_msg(hgate_config_set(config, settings[0], settings[1]) == HGATE_OK, "%s",
                      hgate_last_error());
    hgate_options_init(&options);
    options.config = config;
    ck_assert_msg(hgate_open(&options, &engine) == HGATE_OK, "%s", hgate_last_error());
    hgate_config_free(config);
    return engine;
}

// The chosen kernel; the trace goes to `a`.
static void explain(hgate_engine *engine, int64_t M, int64_t K, char *kernel, size_t size,
                    answer *a)
{
    DLTensor Z = TENSOR(NULL, C64, M, K), V = TENSOR(NULL, C64, M, M);
    hgate_trace *trace = NULL;
    const char *plugin, *chosen, *reason;
    Z.device.device_type = V.device.device_type = (DLDeviceType)HGATE_DL_CUDA;
    memset(a, 0, sizeof *a);
    ck_assert_msg(hgate_visibility_gram_explain(engine, NULL, NULL, &Z, &V, &trace) == HGATE_OK,
                  "%s", hgate_last_error());
    ck_assert_int_eq(hgate_trace_choice(trace, &plugin, &chosen, &reason), HGATE_OK);
    snprintf(kernel, size, "%s", chosen);
    ck_assert_int_eq(hgate_trace_json(trace, append, a), HGATE_OK);
    hgate_trace_free(trace);
}

static const struct {
    const char *settings[9];
    int64_t M, K;
    const char *kernel; // NULL: whichever
    const char *text;   // in the trace
} rows[] = {
    {{ASSUME, "h200"}, 700, 65536, "fp16x3", ""},
    {{ASSUME, "h200"}, 1400, 100003, "fp16x3", ""},
    {{ASSUME, "h200", OFF("fp16x3")}, 700, 65536, "tf32x3", "killed"},
    {{ASSUME, "h200", OFF("fp16x3"), OFF("tf32x3")}, 700, 65536, "zherk", "killed"},
    {{ASSUME, "h200", "ops.visibility.matprod", "tf32x3"}, 700, 65536, "tf32x3", "matprod"},
    {{ASSUME, "h200", TENSOR_CORES, "mma"}, 1400, 65536, "fp16x3", ""},
    {{ASSUME, "h200", TENSOR_CORES, "wgmma"}, 1400, 65536, NULL, "fp16x3"},
    {{ASSUME, "a100", TENSOR_CORES, "wgmma"}, 700, 65536, "zherk", "tensor_cores is wgmma, which"},
    {{ASSUME, "h200"}, 33, 0, NULL, "fp16x3"},
};
enum { N_ROWS = sizeof rows / sizeof *rows };

START_TEST(routes)
{
    static answer a;
    char kernel[32];
    hgate_engine *engine = opened(rows[_i].settings);
    explain(engine, rows[_i].M, rows[_i].K, kernel, sizeof kernel, &a);
    ck_assert_msg(!rows[_i].kernel || strcmp(kernel, rows[_i].kernel) == 0,
                  "row %d chose \"%s\"\n%s", _i, kernel, a.json);
    ck_assert_msg(strstr(a.json, rows[_i].text) != NULL, "row %d lacks \"%s\"\n%s", _i,
                  rows[_i].text, a.json);
    hgate_close(engine);
}
END_TEST

// Tensor cores of compute capability 7.5 have neither the types nor the copies.
START_TEST(older_devices_are_refused)
{
    static const char device[] = "cc 75\nmultiprocessors 40\nsmem_block 49152\nsmem_optin 65536\n"
                                 "smem_multiprocessor 65536\nsmem_reserved 0\nregisters 65536\n"
                                 "threads 1024\nblocks 16\nl2_bytes 4194304\nmemory 16777216000\n"
                                 "clock_khz 1590000\n";
    static answer a;
    char kernel[32], path[] = "/tmp/headgate-device-XXXXXX";
    const int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq((int)write(file, device, sizeof device - 1), (int)sizeof device - 1);
    close(file);
    const char *settings[] = {ASSUME, path, NULL};
    hgate_engine *engine = opened(settings);
    unlink(path);
    explain(engine, 700, 4000, kernel, sizeof kernel, &a);
    ck_assert_str_ne(kernel, "fp16x3");
    ck_assert_str_ne(kernel, "tf32x3");
    ck_assert_msg(strstr(a.json, "needs the tensor cores of compute capability 8.0, the device has "
                                 "7.5") != NULL,
                  "%s", a.json);
    hgate_close(engine);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gram routes");
    TCase *tcase = tcase_create("gram routes");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, routes, 0, N_ROWS);
    tcase_add_test(tcase, older_devices_are_refused);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
