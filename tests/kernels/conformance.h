// SPDX-License-Identifier: BSD-3-Clause
// What the tests of all kernels share: every kernel of every plugin of the build, run under the
// rules of the plugin ABI.
//
// A kernel is called as the engine would call it, but with everything around it watched: arrays and
// workspace end at closed pages, inputs cannot be written, the workspace has just the bytes that
// the estimate asked for and is full of NaN, outputs are poisoned first and must be untouched when
// the call is refused, `committed` must tell the truth.
#ifndef HG_TESTS_CONFORMANCE_H
#define HG_TESTS_CONFORMANCE_H

#include "tests/kernels/array.h"

#include <headgate/plugin.h>

typedef struct conf_kernel {
    const hgate_plugin *plugin;
    const hgate_host *host;
    void *state;
    const hgate_kernel *kernel;
} conf_kernel;

// A setting for the plugins that conf_open() will load. Text is not copied; a later one of the same
// key wins.
void conf_set(const char *key, const char *value);
// Loads and probes every plugin of the build; for a checked fixture. Those that are not usable here
// are told once.
void conf_open(void);
// The next conf_open() leaves out plugins with device memory.
void conf_host_only(void);
// The same with the plugins told to use one instruction set, baseline on a device the oldest one of
// its tensor cores; whether this processor has avx2 and better, so that both are worth a run.
void conf_open_avx2(void);
void conf_open_baseline(void);
int conf_has_avx2(void);
void conf_close(void);
// The i-th kernel of an operation that takes host arrays of this type; NULL behind the last.
const conf_kernel *conf_kernel_at(int op, uint32_t dtype, int i);
// One kernel by name; NULL where the plugin is not usable. kernel NULL: the one flagged as
// reference.
const conf_kernel *conf_find(int op, const char *plugin, const char *kernel);
// "cpu-serial/full f32", for messages.
const char *conf_label(const conf_kernel *kernel, uint32_t dtype);

// A problem under construction.
typedef struct conf_call {
    hgate_problem problem;
    const DLTensor *args[HGATE_MAX_ARGS];
    array *arrays[HGATE_MAX_ARGS];
    int64_t dims[HGATE_MAX_DIMS];
    int is_output[HGATE_MAX_ARGS];
    int keeps_output[HGATE_MAX_ARGS]; // in-out: not poisoned
    int64_t n_out;
    int check; // what device kernels look at themselves, enum hgate_check
} conf_call;

void conf_call_init(conf_call *call, int op, uint32_t dtype, const void *params);
void conf_in(conf_call *call, int index, array *a);    // NULL: absent
void conf_out(conf_call *call, int index, array *a);   // NULL: absent
void conf_inout(conf_call *call, int index, array *a); // keeps what it holds
void conf_dim(conf_call *call, int index, int64_t value);

enum { CONF_REFUSED = 1000 };
// Runs a kernel: HGATE_OK, an error, HGATE_RUN_PLAIN, or CONF_REFUSED with the kernel's reason.
int conf_run(const conf_kernel *kernel, conf_call *call, int threads);
// As conf_run, which must succeed; small calls of deterministic kernels twice, with the same bits.
void conf_run_ok(const conf_kernel *kernel, conf_call *call, int threads);
const char *conf_reason(void);  // of the last refusal
const char *conf_message(void); // of the last error that a kernel reported

// Bound on the error of an operation in its family's own measure, with where the number comes from.
double conf_tolerance(int op, uint32_t dtype);

#endif
