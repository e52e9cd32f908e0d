// SPDX-License-Identifier: BSD-3-Clause
// For tests of the plugin cuda over its double: what both talk through, engines, problems whose
// arrays are "on the device".
#ifndef HG_TESTS_CUDA_ON_DOUBLE_H
#define HG_TESTS_CUDA_ON_DOUBLE_H

#include "tests/cuda/double.h"
#include "tests/harness.h"
#include "tests/real/problem.h"

#include <stdio.h>
#include <string.h>

static cuda_double shared;

static inline hgate_engine *open_double(const char *op, const char *kernel)
{
    char yaml[1024];
    snprintf(yaml, sizeof yaml,
             "plugins: {use_default_path: false, files: ['%s/tests/cuda/.libs/"
             "headgate-cuda-double.so']}\nrouting: {fallback: never}\n"
             "ops: {curvature: {exact_triangle: false}}",
             getenv("abs_top_builddir") ? getenv("abs_top_builddir") : ".");
    return real_open(op, kernel, yaml, NULL);
}

static inline void setup(void)
{
    char address[32];
    memset(&shared, 0, sizeof shared);
    snprintf(address, sizeof address, "%p", (void *)&shared);
    setenv("CUDA_DOUBLE", address, 1);
    unsetenv("HEADGATE_PLUGIN_PATH");
}

static inline void make_on_device(cli_case *c, const char *words)
{
    real_make(c, words);
    for (int i = 0; i < c->row->n_args; i++) {
        c->arrays[i].dl.device.device_type = (DLDeviceType)HGATE_DL_CUDA;
    }
}

static inline int once(real_outputs *outputs, hgate_engine *engine)
{
    return real_call(outputs, engine, NULL);
}

#endif
