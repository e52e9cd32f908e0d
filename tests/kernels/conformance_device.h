// SPDX-License-Identifier: BSD-3-Clause
// A problem's arrays in device memory, through the functions that a plugin gives for staging.
#ifndef HG_TESTS_CONFORMANCE_DEVICE_H
#define HG_TESTS_CONFORMANCE_DEVICE_H

#include "tests/kernels/conformance.h"

// Whether a kernel works in device memory that its plugin lets us fill.
int conf_is_device(const conf_kernel *kernel);

typedef struct conf_mirror {
    const conf_kernel *kernel;
    hgate_problem problem; // the call's, with device arrays
    DLTensor tensors[HGATE_MAX_ARGS];
    const DLTensor *args[HGATE_MAX_ARGS];
    void *memory[HGATE_MAX_ARGS];
    void *workspace;
} conf_mirror;

// Copies every array of the call, outputs too: what they hold shows what was written.
void conf_mirror_open(conf_mirror *mirror, const conf_kernel *kernel, const conf_call *call);
// Workspace of so many bytes, filled with a pattern.
void *conf_mirror_workspace(conf_mirror *mirror, size_t bytes);
// Waits for the kernel, copies the outputs back and frees the memory. Returns a deferred error.
int conf_mirror_close(conf_mirror *mirror, const conf_call *call);

#endif
