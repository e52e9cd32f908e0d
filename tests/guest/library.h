// SPDX-License-Identifier: BSD-3-Clause
// The library as a host loads it that does not link it: dlopen with RTLD_LOCAL, functions by name.
#ifndef HG_TESTS_GUEST_LIBRARY_H
#define HG_TESTS_GUEST_LIBRARY_H

#include <headgate/headgate.h>

// What the tests call of it.
#define GUEST_FUNCTIONS(X)                                                                         \
    X(config_new)                                                                                  \
    X(config_load_text)                                                                            \
    X(config_free)                                                                                 \
    X(options_init)                                                                                \
    X(open)                                                                                        \
    X(close)                                                                                       \
    X(last_error)                                                                                  \
    X(exec_new)                                                                                    \
    X(exec_set_threads)                                                                            \
    X(exec_free)                                                                                   \
    X(visibility_gram)                                                                             \
    X(emi)                                                                                         \
    X(curvature_kernel)                                                                            \
    X(kirchhoff_params_init)                                                                       \
    X(kirchhoff_tables_init)                                                                       \
    X(kirchhoff_adjoint)                                                                           \
    X(curvature_params_init)

#define GUEST_POINTER(NAME) __typeof__(hgate_##NAME) *NAME;
typedef struct guest_library {
    void *handle;
    GUEST_FUNCTIONS(GUEST_POINTER)
} guest_library;
#undef GUEST_POINTER

/// Loads the library of this build; fails the test where it cannot.
guest_library guest_load(void);

/// An engine with settings in YAML, without its first line.
hgate_engine *guest_open(const guest_library *lib, const char *yaml);

#endif
