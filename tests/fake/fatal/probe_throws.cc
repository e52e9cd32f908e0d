// SPDX-License-Identifier: BSD-3-Clause
// The probe lets a C++ exception out, which no caller in C can catch.
#include <headgate/plugin_util.h>

#include <stdexcept>

static int probe(const hgate_host *, hgate_reason *, void **)
{
    throw std::runtime_error("nobody catches this");
}

static void release(void *)
{
}

const hgate_plugin hgate_plugin_descriptor = {
    HGATE_PLUGIN_HEADER,
    "fake-probe-throws",
    "1.2.3",
    "BSD-3-Clause",
    "a fake",
    0,       // flags
    0,       // kernels
    nullptr, //
    0,       // constants
    nullptr, //
    probe,
    nullptr, // describe
    release,
};
