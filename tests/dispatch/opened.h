// SPDX-License-Identifier: BSD-3-Clause
// Engines over the fake plugins (tests/fake/README.md).
#ifndef HG_TESTS_DISPATCH_OPENED_H
#define HG_TESTS_DISPATCH_OPENED_H

#include "core/engine/engine_int.h"

#include <headgate/headgate.h>

// Log lines of an engine, one after the other.
typedef struct heard {
    int n;
    char text[8192];
} heard;

void heard_line(void *heard, int level, const char *component, const char *text);

// Settings that load exactly the fake plugins `fakes` ("good other"); `config` is more YAML lines.
hgate_config *opened_config(const char *fakes, const char *config);

// Memory up to a terabyte: the sanitizers' allocators end the process where others answer NULL.
const hgate_allocator *modest_allocator(void);

// Opens an engine with them; both of the last two may be NULL.
hgate_engine *opened(const char *fakes, const char *config, heard *heard,
                     const hgate_allocator *allocator);

// A usable plugin, by its name without "fake-".
const hg_plugin *opened_plugin(const hgate_engine *engine, const char *name);
// A count of its record.
long opened_count(const hgate_engine *engine, const char *name, const char *key);
// Its last kernel. Static text, one at a time.
const char *opened_last_kernel(const hgate_engine *engine, const char *name);

#endif
