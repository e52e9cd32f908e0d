/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables that look like ours and are not: a remark, since the environment belongs to everybody.
 */
#include "core/config/env.h"
#include "core/config/suggest.h"

#include <headgate/status.h>
#include <string.h>

/* Variables that are no key: the lists, and what others than the configuration read. */
static const char *const other_variables[] = {"HEADGATE_CONFIG",  "HEADGATE_SET",
                                              "HEADGATE_DISABLE", "HEADGATE_FORCE",
                                              "HEADGATE_LIBRARY", NULL};

/* The nearest known variable, when it is the same or near. */
static const char *find_variable(const hg_schema *schema, const char *name, size_t n)
{
    hg_suggestion near = hg_suggest(name, n);
    for (size_t i = 0; other_variables[i]; i++) {
        hg_suggest_offer(&near, other_variables[i], strlen(other_variables[i]));
    }
    for (size_t i = 0; i < schema->n_rows; i++) {
        if (schema->rows[i].env) {
            hg_suggest_offer(&near, schema->rows[i].env, strlen(schema->rows[i].env));
        }
    }
    return near.best;
}

int hg_env_note_unknown(hg_settings *unknown, const char *variable)
{
    const size_t n = strcspn(variable, "=");
    const char *known = find_variable(unknown->schema, variable, n);
    if (known && strlen(known) == n && memcmp(known, variable, n) == 0) {
        return HGATE_OK;
    }
    char name[96];
    hg_text text = hg_text_over(name, sizeof name);
    hg_text_put_untrusted(&text, variable, n, 64);
    return hg_settings_note(unknown, "unknown variable %s%s%s%s", name,
                            known ? "; did you mean " : "", known ? known : "", known ? "?" : "");
}
