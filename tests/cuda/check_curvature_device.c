// SPDX-License-Identifier: BSD-3-Clause
// The curvature kernels of plugin cuda on an assumed device: what they refuse, what they cost, and
// how they keep to limits of workspace.
#include "tests/harness.h"
#include "tests/tensors.h"

#include <headgate/headgate.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hgate_engine *engine;
static char json[65536];
static size_t used;

static void open_with(const char *key, const char *value)
{
    hgate_config *config = NULL;
    hgate_options options;
    ck_assert_int_eq(hgate_config_new(&config), HGATE_OK);
    ck_assert_int_eq(hgate_config_set(config, "plugins.cuda.options.assume_device", "h200"),
                     HGATE_OK);
    if (key)
        ck_assert_msg(hgate_config_set(config, key, value) == HGATE_OK, "%s", hgate_last_error());
    hgate_options_init(&options);
    options.config = config;
    ck_assert_msg(hgate_open(&options, &engine) == HGATE_OK, "%s", hgate_last_error());
    hgate_config_free(config);
}

static int append(void *user, const char *text, size_t n)
{
    (void)user;
    ck_assert_uint_lt(used + n, sizeof json);
    memcpy(json + used, text, n);
    used += n;
    json[used] = '\0';
    return 0;
}

static void take(hgate_trace *trace)
{
    used = 0;
    ck_assert_int_eq(hgate_trace_json(trace, append, NULL), HGATE_OK);
    hgate_trace_free(trace);
}

static DLTensor on_device(DLTensor tensor)
{
    tensor.device.device_type = (DLDeviceType)HGATE_DL_CUDA;
    return tensor;
}

// Arrays in device memory, without data: nothing is known of M but its sizes.
static void explain(int bits, int64_t ny, int64_t nx, int64_t S, int64_t nnz)
{
    hgate_trace *trace = NULL;
    DLTensor w = on_device(TENSOR(NULL, F64, 2 * ny, 2 * nx)),
             iy = on_device(TENSOR(NULL, I32, ny * nx)), ix = on_device(TENSOR(NULL, I32, ny * nx)),
             indptr = on_device(TENSOR(NULL, I64, S + 1)), rows = on_device(TENSOR(NULL, I32, nnz)),
             vals = on_device(TENSOR(NULL, F64, nnz)), F = on_device(TENSOR(NULL, F64, S, S));
    w.dtype.bits = vals.dtype.bits = F.dtype.bits = (uint8_t)bits;
    ck_assert_msg(hgate_curvature_explain(engine, NULL, NULL, &w, &iy, &ix, &indptr, &rows, &vals,
                                          &F, &trace) == HGATE_OK,
                  "%s", hgate_last_error());
    take(trace);
}

// A number of a kernel's record, NaN where it has none.
static double number(const char *kernel, const char *field)
{
    char words[64];
    snprintf(words, sizeof words, "\"plugin\":\"cuda\",\"kernel\":\"%s\"", kernel);
    const char *record = strstr(strstr(json, "\"candidates\":"), words);
    ck_assert_msg(record != NULL, "no record of %s\n%s", kernel, json);
    const char *end = strstr(record + 1, "\"plugin\":");
    snprintf(words, sizeof words, "\"%s\":", field);
    const char *at = strstr(record, words);
    return at && (!end || at < end) ? atof(at + strlen(words)) : NAN;
}

static const char *const kernels[] = {"full", "symmetric", "fft"};

START_TEST(more_work_costs_more)
{
    static const int64_t sizes[][4] = {{128, 128, 300, 30000},
                                       {128, 128, 300, 40000},
                                       {128, 128, 900, 40000},
                                       {341, 300, 900, 40000},
                                       {341, 341, 5713, 272385}};
    open_with(NULL, NULL);
    for (int k = 0; k < 3; k++) {
        double before = 0;
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            explain(64, sizes[i][0], sizes[i][1], sizes[i][2], sizes[i][3]);
            const double now = number(kernels[k], "seconds");
            ck_assert_msg(now > before, "%s, size %d: %g after %g", kernels[k], (int)i, now,
                          before);
            before = now;
        }
    }
    explain(64, 341, 341, 1428, 269875);
    const double wide = number("symmetric", "seconds");
    ck_assert_msg(wide > 1e-3 && wide < 6e-3, "%g", wide); /* with f 1, since M is not known */
    explain(32, 341, 341, 1428, 269875);
    ck_assert(number("symmetric", "seconds") < wide);
    hgate_close(engine);
}
END_TEST

// U goes through in chunks of columns: less workspace, not another answer, until not one column
// fits.
START_TEST(workspace_keeps_to_its_limit)
{
    static const struct {
        const char *text;
        double bytes;
    } limits[] = {{"2GiB", 0x1p31}, {"300MiB", 300 * 0x1p20}, {"40MiB", 40 * 0x1p20}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        open_with("ops.curvature.max_workspace_bytes", limits[i].text);
        explain(64, 341, 341, 5713, 272385);
        for (int k = 0; k < 2; k++) {
            const double bytes = number(kernels[k], "ws_device");
            ck_assert_msg(bytes > 0 && bytes <= limits[i].bytes, "%s of %s: %g", kernels[k],
                          limits[i].text, bytes);
            ck_assert(isfinite(number(kernels[k], "seconds")));
        }
        hgate_close(engine);
    }
    open_with("ops.curvature.max_workspace_bytes", "1MiB");
    explain(64, 341, 341, 5713, 272385);
    ck_assert_msg(strstr(json, "ops.curvature.max_workspace_bytes") != NULL, "%s", json);
    hgate_close(engine);
}
END_TEST

START_TEST(extents_that_are_too_long)
{
    open_with(NULL, NULL);
    explain(64, 3, 40000, 5, 50);
    ck_assert_msg(strstr(json, "period above 65535") != NULL, "%s", json);
    ck_assert(isfinite(number("symmetric", "seconds")));
    explain(64, 3000000, 2, 5, 50);
    ck_assert_msg(strstr(json, "ny is 3000000, at most 2097120") != NULL, "%s", json);
    explain(64, 70000, 70000, 5, 50);
    ck_assert_msg(strstr(json, "ny nx is 4900000000, at most 4294967295") != NULL, "%s", json);
    hgate_close(engine);
}
END_TEST

// Host arrays that would be staged: M is known, and f stands against its gate.
START_TEST(work_fraction_against_the_gate)
{
    static const double w[4 * 6] = {1}, vals[] = {1, 2, 3, 4};
    static const int32_t iy[] = {0, 0, 1, 1}, ix[] = {0, 2, 0, 1}, rows[] = {0, 1, 2, 3};
    static const int64_t indptr[] = {0, 2, 4};
    static double F[4];
    const DLTensor tw = TENSOR(w, F64, 4, 6), ty = TENSOR(iy, I32, 4), tx = TENSOR(ix, I32, 4),
                   tp = TENSOR(indptr, I64, 3), tr = TENSOR(rows, I32, 4),
                   tv = TENSOR(vals, F64, 4), tF = TENSOR(F, F64, 2, 2);
    /* column 0 begins in row 0 (3 + 2 cells), column 1 in row 1 (2): 14 of 24 */
    static const struct {
        const char *gate, *words;
    } rows_of_test[] = {{"0.59", "\"value\":0.583333"}, {"0.58", "\"verdict\":\"refuse\""}};
    hgate_trace *trace = NULL;
    open_with("gates.curvature.symmetric_max_work_fraction", rows_of_test[_i].gate);
    ck_assert_msg(hgate_curvature_explain(engine, NULL, NULL, &tw, &ty, &tx, &tp, &tr, &tv, &tF,
                                          &trace) == HGATE_OK,
                  "%s", hgate_last_error());
    take(trace);
    ck_assert_msg(strstr(json, rows_of_test[_i].words) != NULL, "%s", json);
    ck_assert(isfinite(number("full", "seconds")));
    ck_assert_int_eq(isfinite(number("symmetric", "seconds")) != 0, _i == 0);
    hgate_close(engine);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("curvature_device");
    TCase *tests = tcase_create("assumed");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, more_work_costs_more);
    tcase_add_test(tests, workspace_keeps_to_its_limit);
    tcase_add_test(tests, extents_that_are_too_long);
    tcase_add_loop_test(tests, work_fraction_against_the_gate, 0, 2);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
