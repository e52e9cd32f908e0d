/* SPDX-License-Identifier: BSD-3-Clause */
/* Rules between keys, checked after the merge: the halves of a contradiction may come from
 * different layers. */
#include "core/config/rules.h"

#include "core/config/effective.h"

#include <string.h>

/* Forcing what is switched off leaves nothing: better said at open than at the first call. */
static void check_forced(const hg_config *config, const hg_forced *forced, hg_problems *problems)
{
    const char *key, *origin;
    bool is_killed = hg_config_killed_plugin(config, forced->plugin, &key, &origin);
    if (!is_killed && forced->kernel) {
        is_killed = hg_config_killed_kernel(config, forced->op, forced->plugin, forced->kernel,
                                            &key, &origin);
    }
    if (is_killed) {
        hg_problems_add(problems, forced->origin, "%s: %s%s%s is switched off by %s (%s)",
                        forced->key, forced->plugin, forced->kernel ? "/" : "",
                        forced->kernel ? forced->kernel : "", key, origin);
    }
}

void hg_rules_check(const hg_config *config, hg_problems *problems)
{
    for (size_t i = 0; i < config->n_forced; i++) {
        check_forced(config, &config->forced[i], problems);
    }
    if (config->schema->rules) {
        config->schema->rules(config, problems);
    }
}

static bool is_both(const hg_config *config, const char *a, const char *b, const char *word)
{
    return strcmp(hg_config_text(config, a), word) == 0 &&
           strcmp(hg_config_text(config, b), word) == 0;
}

void hg_rules_headgate(const hg_config *config, hg_problems *problems)
{
    static const char fft[] = "ops.curvature.fft", direct[] = "ops.curvature.direct";
    static const struct {
        const char *word, *why;
    } rules[] = {
        {"off", "no kernel would be left for finite data"},
        {"force", "each would switch the other off"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (is_both(config, fft, direct, rules[i].word)) {
            hg_problems_add(problems, hg_config_origin(config, fft),
                            "%s and %s (%s) are both %s: %s", fft, direct,
                            hg_config_origin(config, direct), rules[i].word, rules[i].why);
        }
    }
}
