// SPDX-License-Identifier: BSD-3-Clause
// Plugin cuda without a device: it refuses politely, and with assumed devices it answers questions
// about them.
#include "tests/harness.h"
#include "tests/tensors.h"

#include <headgate/headgate.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static hgate_engine *opened(const char *const *settings)
{
    hgate_config *config = NULL;
    hgate_engine *engine = NULL;
    hgate_options options;
    ck_assert_int_eq(hgate_config_new(&config), HGATE_OK);
    for (; settings && *settings; settings += 2)
        ck_assert_msg(hgate_config_set(config, settings[0], settings[1]) == HGATE_OK, "%s",
                      hgate_last_error());
    hgate_options_init(&options);
    options.config = config;
    ck_assert_msg(hgate_open(&options, &engine) == HGATE_OK, "%s", hgate_last_error());
    hgate_config_free(config);
    return engine;
}

static hgate_plugin_info cuda_info(const hgate_engine *engine)
{
    hgate_plugin_info info = {.struct_size = sizeof info};
    for (int i = 0; i < hgate_plugin_count(engine); i++) {
        ck_assert_int_eq(hgate_plugin_get(engine, i, &info), HGATE_OK);
        if (info.name && strcmp(info.name, "cuda") == 0)
            return info;
    }
    ck_abort_msg("the engine did not meet the plugin cuda");
    return info;
}

START_TEST(refuses_without_a_device)
{
    hgate_engine *engine = opened(NULL);
    const hgate_plugin_info info = cuda_info(engine);
    if (info.status != HGATE_PLUGIN_USABLE) {
        ck_assert_int_eq(info.status, HGATE_PLUGIN_UNAVAILABLE);
        ck_assert_msg(strstr(info.reason, "CUDA") != NULL, "%s", info.reason);
    }
    hgate_close(engine);
}
END_TEST

/* ---- assumed devices ----------------------------------------------------------------------------
 */

typedef struct answer {
    char plugin[32], kernel[32], json[16384];
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

static DLTensor on_device(DLTensor tensor)
{
    tensor.device.device_type = (DLDeviceType)HGATE_DL_CUDA;
    return tensor;
}

enum {
    ADAPTIVE = HGATE_EMI_BETA_ADAPTIVE,
    FIXED = HGATE_EMI_BETA_FIXED,
    NONE = HGATE_EMI_BETA_NONE,
    EVD = 100,
    KAPPA = 101 /* rule adaptive, a kappa a little above the default */
};

static void explain_emi(hgate_engine *engine, int rule, int is_wide, int64_t n, int64_t points,
                        answer *a)
{
    DLTensor coh = on_device(TENSOR(NULL, C64, points, n * (n - 1) / 2)),
             phase = on_device(TENSOR(NULL, C64, points, n));
    coh.dtype.bits = phase.dtype.bits = is_wide ? 128 : 64;
    hgate_emi_params params;
    hgate_trace *trace = NULL;
    const char *plugin, *kernel, *reason;
    hgate_emi_params_init(&params);
    params.n_images = (int)n;
    params.rule = rule == EVD ? NONE : rule == KAPPA ? ADAPTIVE : rule;
    params.kappa *= rule == KAPPA ? 1.1 : 1.0;
    memset(a, 0, sizeof *a);
    const int status =
        rule == EVD
            ? hgate_evd_explain(engine, NULL, &params, &coh, &phase, NULL, NULL, &trace)
            : hgate_emi_explain(engine, NULL, &params, &coh, &phase, NULL, NULL, NULL, &trace);
    ck_assert_msg(status == HGATE_OK, "%s", hgate_last_error());
    ck_assert_int_eq(hgate_trace_choice(trace, &plugin, &kernel, &reason), HGATE_OK);
    snprintf(a->plugin, sizeof a->plugin, "%s", plugin);
    snprintf(a->kernel, sizeof a->kernel, "%s", kernel);
    ck_assert_int_eq(hgate_trace_json(trace, append, a), HGATE_OK);
    hgate_trace_free(trace);
}

#define ASSUME "plugins.cuda.options.assume_device"
#define AGAIN " waves; what float32 does not hold goes to again"

static const struct {
    const char *settings[9];
    int64_t n;
    int rule, is_wide;
    const char *kernel;
    const char *text; /* in the trace */
} rows[] = {
    {{ASSUME, "h200"},
     17,
     ADAPTIVE,
     0,
     "warp",
     "17 of at most 32 images; blocks of 128 threads and 4 points, "},
    {{ASSUME, "h200"}, 32, ADAPTIVE, 0, "warp", AGAIN},
    {{ASSUME, "h200"}, 33, ADAPTIVE, 0, "rows", "warp_max_images: 33 images, the most is 32"},
    {{ASSUME, "a100"}, 92, ADAPTIVE, 0, "rows", "92 of at most 1"},
    {{ASSUME, "h200"},
     196,
     ADAPTIVE,
     0,
     "rows",
     "blocks of 224 threads and 1 point, 1 a multiprocessor, "},
    {{ASSUME, "h200"}, 197, ADAPTIVE, 0, "block", "197 images, at most 196 fit"},
    {{ASSUME, "h200"}, 235, ADAPTIVE, 0, "block", "235 of at most 235 images; "},
    {{ASSUME, "h200"}, 235, ADAPTIVE, 0, "block", AGAIN},
    {{ASSUME, "h200"}, 236, ADAPTIVE, 0, "library", "at most 235 images"},
    {{ASSUME, "a100"}, 198, ADAPTIVE, 0, "block", AGAIN},
    {{ASSUME, "a100"}, 199, ADAPTIVE, 0, "library", "at most 198 images"},
    {{ASSUME, "h200"}, 164, ADAPTIVE, 1, "block", ""},
    {{ASSUME, "h200"}, 165, ADAPTIVE, 1, "library", "at most 164 images"},
    {{ASSUME, "a100"}, 139, ADAPTIVE, 1, "library", "at most 138 images"},
    {{ASSUME, "h200", "ops.emi.cuda.smem_optin", "false"},
     101,
     ADAPTIVE,
     0,
     "block",
     "47104 bytes"},
    {{ASSUME, "h200", "ops.emi.cuda.smem_optin", "false"}, 101, ADAPTIVE, 0, "block", AGAIN},
    {{ASSUME, "h200", "ops.emi.cuda.smem_optin", "false"},
     102,
     ADAPTIVE,
     0,
     "library",
     "47104 may be used: at most 101 images"},
    {{ASSUME, "h200", "gates.emi.warp_max_images", "16"},
     17,
     ADAPTIVE,
     0,
     "rows",
     "the most is 16"},
    {{ASSUME, "h200", "gates.emi.warp_max_images", "off"},
     9,
     ADAPTIVE,
     0,
     "rows",
     "warp_max_images"},
    {{ASSUME, "h200", "gates.emi.rows_max_images", "90"},
     92,
     ADAPTIVE,
     0,
     "block",
     "the most is 90"},
    {{ASSUME, "h200", "gates.emi.rows_max_images", "90", "gates.emi.block_max_images", "91"},
     92,
     ADAPTIVE,
     0,
     "library",
     "the most is 91"},
    {{ASSUME, "h200", "kernels.emi.cuda.warp.enabled", "false"}, 20, ADAPTIVE, 0, "rows", "killed"},
    {{ASSUME, "h200", "kernels.emi.cuda.library.enabled", "false"}, 60, NONE, 0, "", "pivots"},
    {{ASSUME, "h200"}, 60, NONE, 0, "library", "rule none needs a kernel that pivots"},
    {{ASSUME, "h200"}, 60, FIXED, 0, "rows", "not safely positive definite go to library"},
    {{ASSUME, "h200"}, 30, FIXED, 0, "warp", "not safely positive definite go to library"},
    {{ASSUME, "h200"}, 60, FIXED, 1, "block", "not safely positive definite go to library"},
    {{ASSUME, "h200"}, 2, FIXED, 0, "library", "closed form serves rule adaptive only"},
    {{ASSUME, "h200", "kernels.emi.cuda.library.enabled", "false"},
     60,
     FIXED,
     0,
     "",
     "leaves points to library, which is switched off"},
    {{ASSUME, "h200"}, 30, KAPPA, 0, "library", "kappa 110000, at most 100000 in float32"},
    {{ASSUME, "h200"}, 60, KAPPA, 0, "library", "kappa 110000, at most 100000 in float32"},
    {{ASSUME, "h200"}, 60, KAPPA, 1, "block", ""},
    {{ASSUME, "h200"}, 2, KAPPA, 0, "warp", ""},
    {{ASSUME, "h200"}, 30, EVD, 0, "warp", ""},
    {{ASSUME, "h200"}, 60, EVD, 0, "rows", ""},
    {{ASSUME, "h200"}, 200, EVD, 0, "block", "at most 196"},
    {{ASSUME, "h200"}, 60, EVD, 1, "block", ""},
    {{ASSUME, "h200"}, 236, EVD, 0, "library", "at most 235 images"},
};

START_TEST(routes_on_assumed_devices)
{
    static answer a;
    hgate_engine *engine = opened(rows[_i].settings);
    ck_assert_int_eq(cuda_info(engine).status, HGATE_PLUGIN_USABLE);
    explain_emi(engine, rows[_i].rule, rows[_i].is_wide, rows[_i].n, 1000, &a);
    ck_assert_msg(strcmp(a.kernel, rows[_i].kernel) == 0, "row %d chose \"%s\"\n%s", _i, a.kernel,
                  a.json);
    ck_assert_msg(strstr(a.json, rows[_i].text) != NULL, "row %d lacks \"%s\"\n%s", _i,
                  rows[_i].text, a.json);
    hgate_close(engine);
}
END_TEST

static void note_choice(hgate_trace *trace, answer *a)
{
    const char *plugin, *kernel, *reason;
    memset(a, 0, sizeof *a);
    ck_assert_int_eq(hgate_trace_choice(trace, &plugin, &kernel, &reason), HGATE_OK);
    snprintf(a->plugin, sizeof a->plugin, "%s", plugin);
    snprintf(a->kernel, sizeof a->kernel, "%s", kernel);
    ck_assert_int_eq(hgate_trace_json(trace, append, a), HGATE_OK);
    hgate_trace_free(trace);
}

static const struct {
    const char *settings[9];
    int64_t M, K;
    int is_wide, matprod;
    const char *kernel;
    const char *text; /* in the trace */
} gram_rows[] = {
    {{ASSUME, "h200"}, 700, 65536, 0, HGATE_MATPROD_AUTO, "fp16x3", ""},
    {{ASSUME, "h200"},
     700,
     65536,
     0,
     HGATE_MATPROD_ZHERK,
     "zherk",
     "the only kernel that may serve this"},
    {{ASSUME, "h200", "kernels.visibility_gram.cuda.fp16x3.enabled", "false"},
     700,
     65536,
     0,
     HGATE_MATPROD_AUTO,
     "tf32x3",
     "killed"},
    {{ASSUME, "h200", "kernels.visibility_gram.cuda.fp16x3.enabled", "false",
      "kernels.visibility_gram.cuda.tf32x3.enabled", "false"},
     700,
     65536,
     0,
     HGATE_MATPROD_AUTO,
     "zherk",
     ""},
    {{ASSUME, "h200"}, 700, 65536, 1, HGATE_MATPROD_AUTO, "herk", ""},
    {{ASSUME, "h200"}, 64, 16384, 1, HGATE_MATPROD_AUTO, "gemm", ""},
};

// Products of visibility: the tensor cores for complex64, in double what splits K for few rows.
START_TEST(products_on_assumed_devices)
{
    static answer a;
    const int64_t m = gram_rows[_i].M, k = gram_rows[_i].K;
    hgate_engine *engine = opened(gram_rows[_i].settings);
    DLTensor Z = on_device(TENSOR(NULL, C64, m, k)), V = on_device(TENSOR(NULL, C64, m, m));
    Z.dtype.bits = V.dtype.bits = gram_rows[_i].is_wide ? 128 : 64;
    hgate_visibility_params params;
    hgate_trace *trace = NULL;
    hgate_visibility_params_init(&params);
    params.matprod = gram_rows[_i].matprod;
    ck_assert_msg(hgate_visibility_gram_explain(engine, NULL, &params, &Z, &V, &trace) == HGATE_OK,
                  "%s", hgate_last_error());
    note_choice(trace, &a);
    ck_assert_msg(strcmp(a.kernel, gram_rows[_i].kernel) == 0, "row %d chose \"%s\"\n%s", _i,
                  a.kernel, a.json);
    ck_assert_msg(strstr(a.json, gram_rows[_i].text) != NULL, "row %d lacks \"%s\"\n%s", _i,
                  gram_rows[_i].text, a.json);
    hgate_close(engine);
}
END_TEST

// The fused call: all of V and pairs, few and many, on a device that is only assumed.
START_TEST(fused_on_assumed_devices)
{
    static const struct {
        int64_t npairs;
        const char *kernel;
    } calls[] = {{-1, "fp16x3"}, {3, "dot"}, {60000, "fp16x3"}};
    static answer a;
    const char *settings[] = {ASSUME, "h200", NULL};
    hgate_engine *engine = opened(settings);
    const DLTensor antpos = on_device(TENSOR(NULL, F32, 350, 3));
    const DLTensor crd = on_device(TENSOR(NULL, F32, 3, 33334));
    const DLTensor flux = on_device(TENSOR(NULL, F32, 33334));
    const DLTensor grid = on_device(TENSOR(NULL, C64, 350, 2, 2, 180, 360));
    const DLTensor step = on_device(TENSOR(NULL, F32, 1));
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        const DLTensor pairs = on_device(TENSOR(NULL, I32, calls[i].npairs, 2));
        const DLTensor whole = on_device(TENSOR(NULL, C64, 700, 700));
        const DLTensor blocks = on_device(TENSOR(NULL, C64, calls[i].npairs, 2, 2));
        hgate_visibility_input in;
        hgate_visibility_params params;
        hgate_trace *trace = NULL;
        hgate_visibility_input_init(&in);
        hgate_visibility_params_init(&params);
        params.freq_hz = 1.5e8;
        in.antpos = &antpos, in.crd = &crd, in.flux = &flux, in.grid = &grid;
        in.daz = in.dza = &step;
        in.pairs = calls[i].npairs < 0 ? NULL : &pairs;
        ck_assert_msg(hgate_visibility_explain(engine, NULL, &params, &in,
                                               calls[i].npairs < 0 ? &whole : &blocks,
                                               &trace) == HGATE_OK,
                      "%s", hgate_last_error());
        note_choice(trace, &a);
        ck_assert_msg(strcmp(a.kernel, calls[i].kernel) == 0, "%d pairs: chose \"%s\"\n%s",
                      (int)calls[i].npairs, a.kernel, a.json);
    }
    hgate_close(engine);
}
END_TEST

START_TEST(more_images_cost_more)
{
    const char *settings[] = {"plugins.cuda.options.assume_device", "h200", NULL};
    static answer a;
    double before = 0;
    hgate_engine *engine = opened(settings);
    for (int64_t n = 4; n <= 196; n += 16) {
        explain_emi(engine, ADAPTIVE, 0, n, 100000, &a);
        const char *seconds = strstr(a.json, "\"state\":\"chosen\"");
        ck_assert_ptr_nonnull(seconds);
        seconds = strstr(seconds, "\"seconds\":");
        ck_assert_ptr_nonnull(seconds);
        const double now = atof(seconds + 10);
        ck_assert_msg(now > before && isfinite(now), "n %d: %g after %g", (int)n, now, before);
        before = now;
    }
    hgate_close(engine);
}
END_TEST

/* ---- kirchhoff ---- */

typedef struct migration {
    const char *settings[7];
    int op;
    int64_t nx, nt;
    int is_on_host;
    const char *kernel;
    const char *text; /* in the trace */
} migration;

enum { FORWARD = HGATE_OP_KIRCHHOFF_FORWARD, ADJOINT = HGATE_OP_KIRCHHOFF_ADJOINT };

static void explain_migration(hgate_engine *engine, const migration *row, answer *a)
{
    enum { NZ = 50, NS = 11, NR = 7 };
    const int64_t ni = row->nx * NZ;
    DLTensor source = TENSOR(NULL, F32, ni, NS), receiver = TENSOR(NULL, F32, ni, NR);
    DLTensor model = TENSOR(NULL, F32, ni), data = TENSOR(NULL, F32, NS, NR, row->nt);
    DLTensor *const all[] = {&source, &receiver, &model, &data};
    for (int i = 0; i < 4 && !row->is_on_host; i++)
        *all[i] = on_device(*all[i]);
    hgate_kirchhoff_params params;
    hgate_kirchhoff_tables tables;
    hgate_trace *trace = NULL;
    const char *plugin, *kernel, *reason;
    hgate_kirchhoff_params_init(&params);
    hgate_kirchhoff_tables_init(&tables);
    params.dt = 0.004, params.nt = row->nt, params.nz = NZ;
    tables.trav_src = &source, tables.trav_rec = &receiver;
    memset(a, 0, sizeof *a);
    const int status = row->op == FORWARD
                           ? hgate_kirchhoff_forward_explain(engine, NULL, &params, &tables, 1,
                                                             &model, 0, &data, &trace)
                           : hgate_kirchhoff_adjoint_explain(engine, NULL, &params, &tables, 1,
                                                             &data, 0, &model, &trace);
    ck_assert_msg(status == HGATE_OK, "%s", hgate_last_error());
    ck_assert_int_eq(hgate_trace_choice(trace, &plugin, &kernel, &reason), HGATE_OK);
    snprintf(a->plugin, sizeof a->plugin, "%s", plugin);
    snprintf(a->kernel, sizeof a->kernel, "%s", kernel);
    ck_assert_int_eq(hgate_trace_json(trace, append, a), HGATE_OK);
    hgate_trace_free(trace);
}

static const migration migrations[] = {
    {{ASSUME, "h200"}, ADJOINT, 40, 300, 0, "window", ""},
    {{ASSUME, "a100"}, ADJOINT, 40, 300, 0, "gather", "compute capability 9.0, the device has 8.0"},
    {{ASSUME, "h200", "kernels.kirchhoff_adjoint.cuda.window.enabled", "false"},
     ADJOINT,
     40,
     300,
     0,
     "gather",
     "killed"},
    {{ASSUME, "h200"}, FORWARD, 40, 300, 0, "scatter", ""},
    {{ASSUME, "a100"}, FORWARD, 40, 300, 0, "scatter", ""},
    {{ASSUME, "h200", "kernels.kirchhoff_forward.cuda.scatter.enabled", "false"},
     FORWARD,
     40,
     300,
     0,
     "atomic",
     "killed"},
    {{ASSUME, "h200", "kernels.kirchhoff_forward.cuda.scatter.enabled", "false",
      "routing.deterministic", "true"},
     FORWARD,
     40,
     300,
     0,
     "",
     "deterministic"},
    {{ASSUME, "h200"}, FORWARD, 3, 4194305, 0, "", "4194305 samples per trace"},
    {{ASSUME, "h200", "gates.kirchhoff.cuda_min_pairs", "1000000000"},
     ADJOINT,
     40,
     300,
     1,
     NULL,
     "kirchhoff.cuda_min_pairs"},
};

START_TEST(migration_on_assumed_devices)
{
    static answer a;
    const migration *row = &migrations[_i];
    hgate_engine *engine = opened(row->settings);
    ck_assert_int_eq(cuda_info(engine).status, HGATE_PLUGIN_USABLE);
    explain_migration(engine, row, &a);
    if (row->kernel)
        ck_assert_msg(strcmp(a.kernel, row->kernel) == 0, "row %d chose \"%s\"\n%s", _i, a.kernel,
                      a.json);
    else
        ck_assert_msg(strcmp(a.plugin, "cuda") != 0, "row %d chose the device\n%s", _i, a.json);
    ck_assert_msg(strstr(a.json, row->text) != NULL, "row %d lacks \"%s\"\n%s", _i, row->text,
                  a.json);
    hgate_close(engine);
}
END_TEST

START_TEST(nothing_runs_on_an_assumed_device)
{
    const char *settings[] = {"plugins.cuda.options.assume_device", "a100", NULL};
    hgate_engine *engine = opened(settings);
    int32_t coh[2 * 3 * 10], phase[2 * 3 * 5], before[2 * 3 * 5];
    memset(coh, 0, sizeof coh);
    memset(phase, 0x5a, sizeof phase);
    memcpy(before, phase, sizeof phase);
    const DLTensor c = on_device(TENSOR(coh, C64, 3, 10));
    DLTensor p = on_device(TENSOR(phase, C64, 3, 5));
    ck_assert_int_eq(hgate_emi(engine, NULL, NULL, &c, &p, NULL, NULL, NULL), HGATE_EUNAVAILABLE);
    ck_assert_msg(strstr(hgate_last_error(), "assumed") != NULL, "%s", hgate_last_error());
    ck_assert_mem_eq(phase, before, sizeof phase);
    hgate_close(engine);
}
END_TEST

START_TEST(a_device_that_is_not_known)
{
    const char *settings[] = {"plugins.cuda.options.assume_device", "h201", NULL};
    hgate_engine *engine = opened(settings);
    const hgate_plugin_info info = cuda_info(engine);
    ck_assert_int_eq(info.status, HGATE_PLUGIN_UNAVAILABLE);
    ck_assert_msg(strstr(info.reason, "h201") != NULL, "%s", info.reason);
    hgate_close(engine);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cuda");
    TCase *tcase = tcase_create("cuda");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, refuses_without_a_device);
    tcase_add_loop_test(tcase, routes_on_assumed_devices, 0, (int)(sizeof rows / sizeof rows[0]));
    tcase_add_loop_test(tcase, products_on_assumed_devices, 0,
                        (int)(sizeof gram_rows / sizeof gram_rows[0]));
    tcase_add_test(tcase, fused_on_assumed_devices);
    tcase_add_test(tcase, more_images_cost_more);
    tcase_add_loop_test(tcase, migration_on_assumed_devices, 0,
                        (int)(sizeof migrations / sizeof migrations[0]));
    tcase_add_test(tcase, nothing_runs_on_an_assumed_device);
    tcase_add_test(tcase, a_device_that_is_not_known);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
