// SPDX-License-Identifier: BSD-3-Clause
// Plugins made up inside a test: kernels that cost what the test says and are never run. The route
// room sees no difference, and a row of a table can say in words what machine it is about.
#ifndef HG_TESTS_DISPATCH_WORLD_H
#define HG_TESTS_DISPATCH_WORLD_H

#include "core/route/decide.h"
#include "tests/dispatch/question.h"

typedef struct world world;

// Plugins with their kernels and seconds: "cuda/block=1e-3 cuda/library=4e-3
// cpu-serial/reference=9", all for one operation. Suffixes of a kernel, in any order: `!` not
// deterministic, `*` threaded (costs seconds / threads),
// `~` does not survive a fork, `@n` workspace of n bytes, `^n` prepares n bytes, `#` refuses by
// itself. Plugins named cuda... work in device memory and copy, others in host memory; `reference`
// is the plain kernel. `config` is YAML without the line of the version; NULL: defaults.
world *world_new(const char *op, const char *kernels, const char *config);
void world_free(world *world);

const hg_catalog *world_catalog(const world *world);
// Decides. The trace belongs to the world and is overwritten by the next question.
hgate_trace *world_decide(world *world, const question *question);
// Changes what the next question is asked with.
void world_set_forked(world *world, bool is_forked);
void world_set_stream(world *world, int device_id);

// Record of "plugin/kernel" in a trace.
const hg_record *world_record(const hgate_trace *trace, const char *name);
// "plugin/kernel" of the chosen one, "none" where there is none. Static text, one at a time.
const char *world_chosen(const hgate_trace *trace);

#endif
