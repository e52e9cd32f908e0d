/* SPDX-License-Identifier: BSD-3-Clause */
/* Scalars of a call: the caller's struct, or the defaults with what the configuration says. */
#include "core/base/error.h"
#include "core/ops/forms.h"
#include "core/tensor/option_table.h"

#include <string.h>

int hg_check_struct(const char *name, const void *given, size_t size)
{
    if (!given) {
        return hg_error(HGATE_EINVAL, "%s: is NULL, expected a struct", name);
    }
    size_t found;
    memcpy(&found, given, sizeof found); /* struct_size is the first member */
    if (found != size) {
        return hg_error(HGATE_EABI, "%s: struct_size is %zu, expected %zu (set by its _init)", name,
                        found, size);
    }
    return HGATE_OK;
}

int hg_params_init(int op, void *params)
{
    const hg_option_list *list = hg_option_list_of(op);
    if (!params) {
        return hg_error(HGATE_EINVAL, "%s: is NULL, expected a struct", list->name);
    }
    hg_options_preset(list, params);
    return HGATE_OK;
}

/* Stores what the configuration says; its reader has checked ranges and words. */
static void configure(const hg_option *option, const hg_config *config, void *params)
{
    if (option->kind != HG_OPTION_CHOICE) {
        hg_option_put(option, params, hg_config_real(config, option->key));
        return;
    }
    const char *word = hg_config_text(config, option->key);
    for (int i = 0; word && option->words[i]; i++) {
        if (strcmp(option->words[i], word) == 0) {
            hg_option_put(option, params, i);
        }
    }
}

/* A choice left at auto is no choice: there the configuration counts even when the caller gave the
 * struct. */
static bool is_auto(const hg_option *option, const void *params)
{
    return option->kind == HG_OPTION_CHOICE && strcmp(option->words[0], "auto") == 0 &&
           hg_option_get(option, params, 0) == 0;
}

int hg_params_take(hg_draft *draft)
{
    const hg_option_list *list = hg_option_list_of(draft->given.op);
    void *params = &draft->problem.params;
    const void *given = draft->given.params;
    if (given) {
        int status = hg_check_struct(list->name, given, list->size);
        if (status != HGATE_OK) {
            return status;
        }
        memcpy(params, given, list->size);
    } else {
        hg_options_preset(list, params);
    }
    for (int i = 0; i < list->n; i++) {
        const hg_option *option = &list->options[i];
        if (option->key && (!given || is_auto(option, params))) {
            configure(option, draft->config, params);
        }
    }
    return hg_options_check(draft->given.op, params);
}

int hg_check_level(const hg_config *config, const hg_problem *problem)
{
    const hg_option_list *list = hg_option_list_of(problem->p.op);
    for (int i = list->n - 1; i >= 0; i--) { /* where it is, it is the last one */
        if (strcmp(list->options[i].name, "check") == 0) {
            return (int)hg_option_get(&list->options[i], problem->p.params, 0);
        }
    }
    /* only the set-up operations of kirchhoff have no params */
    const char *word = hg_config_text(config, "ops.kirchhoff.check");
    return strcmp(word, "none") == 0   ? HGATE_CHECK_NONE
           : strcmp(word, "full") == 0 ? HGATE_CHECK_FULL
                                       : HGATE_CHECK_VALUES;
}
