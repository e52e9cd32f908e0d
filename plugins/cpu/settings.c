/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading the configuration through the host. */
#include "plugins/cpu/settings.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

static const char *text_of(const hgate_host *host, const char *key)
{
    return host->setting ? host->setting(host, key) : NULL;
}

int hg_setting_is(const hgate_host *host, const char *key, const char *text)
{
    const char *found = text_of(host, key);
    return found && strcmp(found, text) == 0;
}

double hg_setting_real(const hgate_host *host, const char *key, double otherwise)
{
    const char *text = text_of(host, key);
    locale_t c_locale = text ? newlocale(LC_NUMERIC_MASK, "C", (locale_t)0) : (locale_t)0;
    if (!c_locale)
        return otherwise;
    char *end;
    double value = strtod_l(text, &end, c_locale);
    freelocale(c_locale);
    return end != text && *end == '\0' ? value : otherwise;
}

int64_t hg_setting_integer(const hgate_host *host, const char *key, int64_t otherwise)
{
    const char *text = text_of(host, key);
    if (!text)
        return otherwise;
    char *end;
    long long value = strtoll(text, &end, 10);
    return end != text && *end == '\0' ? value : otherwise;
}
