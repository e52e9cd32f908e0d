/* SPDX-License-Identifier: BSD-3-Clause */
/* The keys of Headgate: defaults as documented, rows that are whole, rules between keys. */
#include "core/config/builder.h"
#include "core/config/names.h"
#include "core/config/value.h"

#include "core/base/error.h"
#include "tests/harness.h"

#include <headgate/ops.h>
#include <string.h>

static const hg_config *defaults(void)
{
    static hg_config *config;
    if (!config) {
        const hg_sources sources = {.schema = hg_schema_headgate()};
        ck_assert_int_eq(hg_config_merge(&sources, NULL, NULL, &config), HGATE_OK);
    }
    return config;
}

/* Where: F a file, E the environment, A a call. */
static const struct {
    const char *key, *fallback, *where, *env;
} keys[] = {
    {"version", "1", "F", NULL},
    {"log.level", "warn", "FEA", "HEADGATE_LOG"},
    {"log.file", NULL, "FEA", "HEADGATE_LOG_FILE"},
    {"plugins.path", "[]", "FEA", "HEADGATE_PLUGIN_PATH"},
    {"plugins.files", "[]", "FA", NULL},
    {"plugins.use_default_path", "true", "FA", NULL},
    {"plugins.allow_insecure_path", "false", "FA", NULL},
    {"plugins.required", "[]", "FA", NULL},
    {"plugins.cpu-serial.options.isa", "auto", "FEA", NULL},
    {"plugins.cpu-openmp.options.isa", "auto", "FEA", NULL},
    {"plugins.cuda.options.tensor_cores", "auto", "FEA", NULL},
    {"ops.curvature.check", "values", "FEA", NULL},
    {"ops.curvature.exact_triangle", "true", "FEA", NULL},
    {"ops.curvature.fft", "auto", "FEA", NULL},
    {"ops.curvature.direct", "auto", "FEA", NULL},
    {"ops.curvature.fft_sections", "auto", "FEA", NULL},
    {"ops.curvature.fft_batch", "auto", "FEA", NULL},
    {"ops.curvature.kernel_chunk", "4096", "FEA", NULL},
    {"ops.curvature.max_workspace_bytes", "2GiB", "FEA", NULL},
    {"ops.emi.check", "values", "FEA", NULL},
    {"ops.emi.rule", "adaptive", "FEA", NULL},
    {"ops.emi.beta", "0", "FEA", NULL},
    {"ops.emi.kappa", "100000", "FEA", NULL},
    {"ops.emi.fallback", "none", "FEA", NULL},
    {"ops.emi.check_hermitian", "true", "FEA", NULL},
    {"ops.emi.cuda.smem_optin", "true", "FEA", NULL},
    {"ops.emi.cuda.block_size", "auto", "FEA", NULL},
    {"ops.emi.cuda.workspace_mb", "1024", "FEA", NULL},
    {"ops.emi.cpu.interleave_max_bytes", "auto", "FEA", NULL},
    {"ops.emi.cpu.threads_min_points", "64", "FEA", NULL},
    {"ops.visibility.check", "values", "FEA", NULL},
    {"ops.visibility.matprod", "auto", "FEA", NULL},
    {"ops.visibility.tau_mode", "auto", "FEA", NULL},
    {"ops.visibility.fused_z", "auto", "FEA", NULL},
    {"ops.visibility.sort_sources", "auto", "FEA", NULL},
    {"ops.visibility.memory_buffer", "0.9", "FEA", NULL},
    {"ops.kirchhoff.check", "values", "FEA", NULL},
    {"ops.kirchhoff.cpu.tile", "auto", "FEA", NULL},
    {"ops.kirchhoff.cuda.sources_in_registers", "auto", "FEA", NULL},
    {"gates.curvature.symmetric_max_work_fraction", "0.7", "FEA", NULL},
    {"gates.curvature.symmetric_kappa", "auto", "FEA", NULL},
    {"gates.emi.warp_max_images", "32", "FEA", NULL},
    {"gates.emi.rows_max_images", "0", "FEA", NULL},
    {"gates.emi.block_max_images", "0", "FEA", NULL},
    {"gates.emi.require_regularized", "true", "FEA", NULL},
    {"gates.visibility.herk_min_antennas", "0", "FEA", NULL},
    {"gates.visibility.gemm3m", "auto", "FEA", NULL},
    {"gates.kirchhoff.max_table_bytes", "0", "FEA", NULL},
    {"gates.kirchhoff.cuda_min_pairs", "0", "FEA", NULL},
    {"routing.prefer", "[cuda, cpu-fftw, cpu-openmp, cpu-serial]", "FA", NULL},
    {"routing.tie_margin", "0.05", "FA", NULL},
    {"routing.fallback", "memory", "FA", NULL},
    {"routing.deterministic", "false", "FEA", "HEADGATE_DETERMINISTIC"},
    {"routing.stage_host_input", "auto", "FA", NULL},
    {"routing.strategy", "cost", "FA", NULL},
    {"threads.max", "0", "FEA", "HEADGATE_THREADS"},
    {"threads.blas", "guard", "FA", NULL},
    {"memory.host_workspace_limit", "0", "FA", NULL},
    {"memory.device_workspace_limit", "0", "FA", NULL},
    {"calibration.file", NULL, "FEA", "HEADGATE_CALIBRATION"},
    {"calibration.on_mismatch", "defaults", "FA", NULL},
    {"trace.explain", "false", "FEA", "HEADGATE_EXPLAIN"},
    {"trace.ranges", "off", "FEA", "HEADGATE_RANGES"},
    {"trace.timing", "false", "FA", NULL},
};

/* Keys with names in them. */
static const struct {
    const char *pattern, *key, *where;
} patterns[] = {
    {"plugins.<plugin>.enabled", "plugins.mine.enabled", "FEA"},
    {"plugins.<plugin>.options.<key>", "plugins.mine.options.x", "FA"},
    {"kernels.<op>.<plugin>.<kernel>.enabled", "kernels.evd.mine.fast.enabled", "FEA"},
    {"ops.<word>.enabled", "ops.kirchhoff.enabled", "FEA"},
    {"routing.force.<op>", "routing.force.ds_temp_coh", "FEA"},
    {"calibration.constants.<plugin>.<constant>", "calibration.constants.mine.x", "FA"},
};

static unsigned where_bits(const char *where)
{
    return (strchr(where, 'F') ? HG_SET_BY_FILE : 0u) |
           (strchr(where, 'E') ? HG_SET_BY_ENVIRONMENT : 0u) |
           (strchr(where, 'A') ? HG_SET_BY_API : 0u);
}

START_TEST(every_key_and_no_other)
{
    const size_t n_keys = sizeof keys / sizeof keys[0],
                 n_patterns = sizeof patterns / sizeof patterns[0];
    ck_assert_uint_eq(hg_schema_headgate()->n_rows, n_keys + n_patterns);
    for (size_t i = 0; i < n_keys; i++) {
        const hg_schema_row *row = hg_schema_find(hg_schema_headgate(), keys[i].key, NULL);
        ck_assert_msg(row && strcmp(row->key, keys[i].key) == 0, "%s", keys[i].key);
        ck_assert_pstr_eq(hg_config_text(defaults(), keys[i].key), keys[i].fallback);
        ck_assert_msg(row->where == where_bits(keys[i].where), "%s", row->key);
        ck_assert_pstr_eq(row->env, keys[i].env);
    }
    for (size_t i = 0; i < n_patterns; i++) {
        const hg_schema_row *row = hg_schema_find(hg_schema_headgate(), patterns[i].key, NULL);
        ck_assert_msg(row && strcmp(row->key, patterns[i].pattern) == 0, "%s", patterns[i].key);
        ck_assert_msg(row->where == where_bits(patterns[i].where), "%s", row->key);
    }
}
END_TEST

START_TEST(rows_are_whole)
{
    const hg_schema *schema = hg_schema_headgate();
    for (size_t i = 0; i < schema->n_rows; i++) {
        const hg_schema_row *row = &schema->rows[i];
        const size_t n_help = strlen(row->help);
        ck_assert_msg(n_help > 0 && n_help <= 120, "%s", row->key);
        ck_assert_msg(strchr(row->help, '\n') == NULL && row->help[n_help - 1] != '.', "%s",
                      row->key);
        ck_assert(row->env == NULL || (row->where & HG_SET_BY_ENVIRONMENT));
        ck_assert_msg(row->type != HG_TYPE_ENUM || row->words, "%s", row->key);
        const bool is_gate = strncmp(row->key, "gates.", 6) == 0;
        ck_assert_msg(is_gate == (row->role == HG_KEY_GATE || row->is_fixed), "%s", row->key);
        ck_assert_msg(row->role != HG_KEY_GATE || hg_words_have(row->words, "off", 3), "%s",
                      row->key);
        for (size_t k = 0; k < i; k++) {
            ck_assert_str_ne(row->key, schema->rows[k].key);
        }
    }
}
END_TEST

START_TEST(off_means_what_the_gates_say)
{
    static const struct {
        const char *key;
        double off;
    } rows[] = {
        {"gates.curvature.symmetric_max_work_fraction", 0},
        {"gates.curvature.symmetric_kappa", 1},
        {"gates.emi.warp_max_images", 0},
        {"gates.emi.rows_max_images", -1},
        {"gates.emi.block_max_images", -1},
        {"gates.visibility.herk_min_antennas", -1},
        {"gates.visibility.gemm3m", 0},
        {"gates.kirchhoff.max_table_bytes", 0},
        {"gates.kirchhoff.cuda_min_pairs", 0},
    };
    hgate_config *config;
    ck_assert_int_eq(hgate_config_new(&config), HGATE_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ck_assert_int_eq(hgate_config_set(config, rows[i].key, "off"), HGATE_OK);
    }
    const hg_sources sources = {.schema = hg_schema_headgate(), .api = config};
    hg_config *merged;
    ck_assert_int_eq(hg_config_merge(&sources, NULL, NULL, &merged), HGATE_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ck_assert(hg_config_is_off(merged, rows[i].key));
        ck_assert_msg(hg_config_real(merged, rows[i].key) == rows[i].off, "%s", rows[i].key);
        ck_assert_int_eq(hg_config_int(merged, rows[i].key), (int)rows[i].off);
        ck_assert(!hg_config_is_off(defaults(), rows[i].key));
    }
    hg_config_release(merged);
    hgate_config_free(config);
}
END_TEST

START_TEST(direct_and_fourier_routes_exclude_each_other)
{
    static const struct {
        const char *fft, *direct, *message;
    } rows[] = {
        {"off", "off",
         "api: ops.curvature.fft and ops.curvature.direct (api) are both off: no kernel would be "
         "left for finite data"},
        {"force", "force",
         "api: ops.curvature.fft and ops.curvature.direct (api) are both force: each would "
         "switch the other off"},
        {"off", "force", NULL},
        {"force", "off", NULL},
        {"auto", "off", NULL},
        {"force", "auto", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        hgate_config *config;
        ck_assert_int_eq(hgate_config_new(&config), HGATE_OK);
        ck_assert_int_eq(hgate_config_set(config, "ops.curvature.fft", rows[i].fft), HGATE_OK);
        ck_assert_int_eq(hgate_config_set(config, "ops.curvature.direct", rows[i].direct),
                         HGATE_OK);
        const hg_sources sources = {.schema = hg_schema_headgate(), .api = config};
        hg_config *merged = NULL;
        const int status = hg_config_merge(&sources, NULL, NULL, &merged);
        ck_assert_int_eq(status, rows[i].message ? HGATE_ECONFIG : HGATE_OK);
        if (rows[i].message) {
            ck_assert_str_eq(hgate_last_error(), rows[i].message);
        }
        hg_config_release(merged);
        hgate_config_free(config);
    }
}
END_TEST

static size_t count(const char *const *list)
{
    size_t n = 0;
    while (list[n]) {
        n++;
    }
    return n;
}

START_TEST(operations_and_families)
{
    static const char *const families[] = {
#define FAMILY(NUMBER, WORD, FAMILY_) #FAMILY_,
        HGATE_OP_LIST(FAMILY)};
    ck_assert_uint_eq(count(hg_op_words), HGATE_OP_COUNT);
    bool is_seen[4] = {false};
    ck_assert_uint_eq(count(hg_family_words), 4);
    for (size_t i = 0; i < HGATE_OP_COUNT; i++) {
        bool is_known = false;
        for (size_t f = 0; f < 4; f++) {
            const bool is_same = strcmp(families[i], hg_family_words[f]) == 0;
            is_known = is_known || is_same;
            is_seen[f] = is_seen[f] || is_same;
        }
        ck_assert_msg(is_known, "%s", families[i]);
    }
    ck_assert(is_seen[0] && is_seen[1] && is_seen[2] && is_seen[3]);
}
END_TEST

START_TEST(every_operation_has_its_reference_kernel)
{
    for (size_t i = 0; hg_op_words[i]; i++) {
        int n_serial = 0;
        for (const hg_known_kernels *row = hg_known_kernel_rows; row->op; row++) {
            if (strcmp(row->op, hg_op_words[i]) == 0 && strcmp(row->plugin, "cpu-serial") == 0) {
                ck_assert(hg_words_have(row->kernels, "reference", 9));
                n_serial++;
            }
        }
        ck_assert_msg(n_serial == 1, "%s", hg_op_words[i]);
    }
    for (const hg_known_kernels *row = hg_known_kernel_rows; row->op; row++) {
        char key[100];
        hg_text text = hg_text_over(key, sizeof key);
        hg_text_printf(&text, "kernels.%s.%s.reference.enabled", row->op, row->plugin);
        ck_assert_msg(hg_schema_find(hg_schema_headgate(), key, NULL) != NULL, "%s", key);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("config_keys");
    TCase *tests = tcase_create("config_keys");
    tcase_add_test(tests, every_key_and_no_other);
    tcase_add_test(tests, rows_are_whole);
    tcase_add_test(tests, off_means_what_the_gates_say);
    tcase_add_test(tests, direct_and_fourier_routes_exclude_each_other);
    tcase_add_test(tests, operations_and_families);
    tcase_add_test(tests, every_operation_has_its_reference_kernel);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
