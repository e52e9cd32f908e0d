/* SPDX-License-Identifier: BSD-3-Clause */
/* Configuration to rules. */
#include "core/route/rules.h"

#include "core/tensor/op_table.h"

#include "headgate/visibility.h"

#include <string.h>

static const char *const matprod_words[] = {
    [HGATE_MATPROD_HERK] = "herk",     [HGATE_MATPROD_GEMM] = "gemm",
    [HGATE_MATPROD_GEMM3M] = "gemm3m", [HGATE_MATPROD_HERK3] = "herk3",
    [HGATE_MATPROD_ZHERK] = "zherk",   [HGATE_MATPROD_FP16X3] = "fp16x3",
    [HGATE_MATPROD_TF32X3] = "tf32x3", [HGATE_MATPROD_DOT] = "dot",
};

const char *hg_matprod_word(int matprod)
{
    const int n = (int)(sizeof matprod_words / sizeof *matprod_words);
    return matprod > HGATE_MATPROD_AUTO && matprod < n ? matprod_words[matprod] : NULL;
}

static bool word_is(const hg_config *config, const char *key, const char *word)
{
    const char *text = hg_config_text(config, key);
    return text && strcmp(text, word) == 0;
}

static hg_route_word route_word(const hg_config *config, const char *key)
{
    return word_is(config, key, "force") ? HG_ROUTE_FORCE
           : word_is(config, key, "off") ? HG_ROUTE_OFF
                                         : HG_ROUTE_AUTO;
}

static int matprod_of(const hg_config *config)
{
    const char *text = hg_config_text(config, "ops.visibility.matprod");
    for (int i = HGATE_MATPROD_AUTO + 1; text && hg_matprod_word(i); i++) {
        if (strcmp(text, hg_matprod_word(i)) == 0) {
            return i;
        }
    }
    return HGATE_MATPROD_AUTO;
}

static void read_routing(const hg_config *config, hg_rules *rules)
{
    rules->is_deterministic = hg_config_bool(config, "routing.deterministic");
    rules->stages_host_input = word_is(config, "routing.stage_host_input", "auto");
    rules->orders_by_preference = word_is(config, "routing.strategy", "prefer");
    rules->fallback = word_is(config, "routing.fallback", "never") ? HG_FALLBACK_NEVER
                      : word_is(config, "routing.fallback", "any") ? HG_FALLBACK_ANY
                                                                   : HG_FALLBACK_MEMORY;
    rules->tie_margin = hg_config_real(config, "routing.tie_margin");
    rules->host_limit = hg_config_bytes(config, "memory.host_workspace_limit");
    rules->device_limit = hg_config_bytes(config, "memory.device_workspace_limit");
    rules->max_threads = (int)hg_config_int(config, "threads.max");
    rules->logs_decisions = hg_config_bool(config, "trace.explain");
    rules->measures = hg_config_bool(config, "trace.timing");
    rules->calls_range_hooks = word_is(config, "trace.ranges", "callback");
}

static void read_gates(const hg_config *config, hg_rules *rules)
{
    rules->max_work_fraction =
        hg_config_real(config, "gates.curvature.symmetric_max_work_fraction");
    rules->kappa = hg_config_real(config, "gates.curvature.symmetric_kappa");
    rules->warp_max_images = hg_config_int(config, "gates.emi.warp_max_images");
    rules->rows_max_images = hg_config_int(config, "gates.emi.rows_max_images");
    rules->block_max_images = hg_config_int(config, "gates.emi.block_max_images");
    rules->herk_min_antennas = hg_config_int(config, "gates.visibility.herk_min_antennas");
    rules->gemm3m_is_off = hg_config_is_off(config, "gates.visibility.gemm3m");
    rules->max_table_bytes = hg_config_bytes(config, "gates.kirchhoff.max_table_bytes");
    rules->cuda_min_pairs = hg_config_int(config, "gates.kirchhoff.cuda_min_pairs");
}

static void read_options(const hg_config *config, hg_rules *rules)
{
    rules->exact_triangle = hg_config_bool(config, "ops.curvature.exact_triangle");
    rules->fft = route_word(config, "ops.curvature.fft");
    rules->direct = route_word(config, "ops.curvature.direct");
    rules->curvature_limit = hg_config_bytes(config, "ops.curvature.max_workspace_bytes");
    rules->matprod = matprod_of(config);
    rules->emi_thread_points = hg_config_int(config, "ops.emi.cpu.threads_min_points");
}

void hg_rules_read(const hg_config *config, hg_rules *rules)
{
    memset(rules, 0, sizeof *rules);
    rules->config = config;
    read_routing(config, rules);
    read_gates(config, rules);
    read_options(config, rules);
    for (int op = 0; op < HGATE_OP_COUNT; op++) {
        const hg_op *row = hg_op_row(op);
        hg_cause *off = &rules->op_off[op];
        hg_config_killed_op(config, row->word, row->family, &off->key, &off->origin);
        hg_force *force = &rules->force[op];
        hg_config_force(config, row->word, &force->plugin, &force->kernel, &force->origin);
    }
}
