// SPDX-License-Identifier: BSD-3-Clause
// Opens engines for tests.
#include "tests/dispatch/opened.h"

#include "tests/fake/record.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void heard_line(void *user, int level, const char *component, const char *text)
{
    heard *h = user;
    const size_t used = strlen(h->text);
    h->n++;
    snprintf(h->text + used, sizeof h->text - used, "%d %s: %s\n", level, component, text);
}

static void *modest_alloc(void *user, size_t size, size_t alignment)
{
    (void)user;
    return size >> 40 ? NULL : hg_allocator_default()->alloc(NULL, size, alignment);
}

static void modest_free(void *user, void *memory)
{
    (void)user;
    hg_allocator_default()->free(NULL, memory);
}

const hgate_allocator *modest_allocator(void)
{
    static const hgate_allocator modest = {modest_alloc, modest_free, NULL};
    return &modest;
}

hgate_config *opened_config(const char *fakes, const char *config)
{
    char text[8192];
    const char *top = getenv("abs_top_builddir");
    unsetenv("HEADGATE_PLUGIN_PATH"); // the build's own plugins
    int n = snprintf(text, sizeof text, "version: 1\n%s\n", config ? config : "");
    ck_assert_int_lt(n, (int)sizeof text);
    hgate_config *api;
    ck_assert_int_eq(hgate_config_new(&api), HGATE_OK);
    ck_assert_msg(hgate_config_load_text(api, text, (size_t)n, "test.yaml") == HGATE_OK, "%s",
                  hgate_last_error());
    ck_assert_int_eq(hgate_config_set(api, "plugins.use_default_path", "false"), HGATE_OK);
    char *copy = strdup(fakes), *rest = copy;
    const char *between = "[";
    n = 0;
    text[0] = '\0';
    for (const char *name; (name = strtok_r(rest, " ", &rest)) != NULL; between = ", ") {
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "%s%s/tests/fake/.libs/headgate-fake-%s.so", between, top ? top : ".", name);
    }
    free(copy);
    if (n > 0) {
        strcat(text, "]");
        ck_assert_msg(hgate_config_set(api, "plugins.files", text) == HGATE_OK, "%s",
                      hgate_last_error());
    }
    return api;
}

hgate_engine *opened(const char *fakes, const char *config, heard *h,
                     const hgate_allocator *allocator)
{
    hgate_options options;
    hgate_options_init(&options);
    hgate_config *api = opened_config(fakes, config);
    options.config = api;
    if (h) {
        memset(h, 0, sizeof *h);
        options.log = heard_line;
        options.log_user = h;
    }
    options.allocator = allocator ? *allocator : *modest_allocator();
    hgate_engine *engine = NULL;
    ck_assert_msg(hgate_open(&options, &engine) == HGATE_OK, "%s", hgate_last_error());
    hgate_config_free(api);
    return engine;
}

const hg_plugin *opened_plugin(const hgate_engine *engine, const char *name)
{
    char full[64];
    snprintf(full, sizeof full, "fake-%s", name);
    const hg_plugin *plugin = hg_plugins_find(engine->plugins, full);
    ck_assert_msg(plugin != NULL, "plugin %s is not usable", full);
    return plugin;
}

long opened_count(const hgate_engine *engine, const char *name, const char *key)
{
    return fake_count(opened_plugin(engine, name), key);
}

const char *opened_last_kernel(const hgate_engine *engine, const char *name)
{
    static fake_record record;
    record = fake_record_of(opened_plugin(engine, name), "last_kernel");
    return record.value;
}
