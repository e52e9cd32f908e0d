/* SPDX-License-Identifier: BSD-3-Clause */
/* The first function of a plugin that is called, and the judgement of its answer. */
#include "core/plugin/probe.h"

#include <math.h>
#include <string.h>

int hg_probe(const hgate_plugin *plugin, const hgate_host *host, void **state, hg_text *why)
{
    hgate_reason reason = {.struct_size = sizeof reason, .value = NAN, .limit = NAN};
    void *made = NULL;
    int status = plugin->probe(host, &reason, &made);
    if (status == HGATE_OK) {
        *state = made;
        return HGATE_PLUGIN_USABLE;
    }
    if (status > 0 || status < HGATE_EINTERNAL) {
        hg_text_printf(why, "probe returned %d, which is no status", status);
        return HGATE_PLUGIN_MALFORMED;
    }
    size_t n = strnlen(reason.text, sizeof reason.text);
    hg_text_put_untrusted(why, reason.text, n, SIZE_MAX);
    if (n == 0) {
        hg_text_printf(why, "probe returned %s without a reason", hgate_status_name(status));
    }
    return HGATE_PLUGIN_UNAVAILABLE;
}
