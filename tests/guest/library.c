// SPDX-License-Identifier: BSD-3-Clause
// Loads the library of this build as Python's ctypes and most plugin hosts do.
#include "tests/guest/library.h"
#include "tests/harness.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

guest_library guest_load(void)
{
    guest_library lib;
    char path[4096];
    snprintf(path, sizeof path, "%s/.libs/libheadgate.so", getenv("abs_top_builddir"));
    lib.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    ck_assert_msg(lib.handle != NULL, "%s", dlerror());
#define GUEST_FIND(NAME)                                                                           \
    *(void **)&lib.NAME = dlsym(lib.handle, "hgate_" #NAME);                                       \
    ck_assert_msg(lib.NAME != NULL, "no hgate_" #NAME);
    GUEST_FUNCTIONS(GUEST_FIND)
#undef GUEST_FIND
    ck_assert_msg(dlsym(RTLD_DEFAULT, "hgate_open") == NULL, "the library is not local");
    return lib;
}

hgate_engine *guest_open(const guest_library *lib, const char *yaml)
{
    char text[1024];
    hgate_config *config;
    hgate_options options;
    hgate_engine *engine = NULL;
    snprintf(text, sizeof text, "version: 1\n%s", yaml);
    ck_assert_int_eq(lib->config_new(&config), HGATE_OK);
    ck_assert_msg(lib->config_load_text(config, text, strlen(text), "guest") == HGATE_OK, "%s",
                  lib->last_error());
    lib->options_init(&options);
    options.config = config;
    ck_assert_msg(lib->open(&options, &engine) == HGATE_OK, "%s", lib->last_error());
    lib->config_free(config);
    return engine;
}
