/* SPDX-License-Identifier: BSD-3-Clause */
/* A plugin as ABI 1.0 was first published. Its records are spelled out here and not taken from
 * plugin.h, so that they stay as they were when that file grows: such a plugin has to be loaded as
 * long as the major is 1. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct kernel_1_0 {
    size_t struct_size;
    int op;
    const char *name;
    uint32_t dtypes, spaces, flags;
    const char *plain;
    int n_terms;
    const void *terms;
    int (*supports)(void *, const void *, void *);
    int (*estimate)(void *, const void *, const double *, void *);
    int (*prepare)(void *, const void *, const void *, void **);
    void (*discard)(void *, void *);
    int (*run)(void *, const void *, const void *, void *);
};

struct constant_1_0 {
    size_t struct_size;
    const char *name, *unit;
    double value, lowest, highest;
    const char *help;
};

struct plugin_1_0 {
    char magic[8];
    uint16_t abi_major, abi_minor;
    uint32_t struct_size;
    const char *name, *version, *license, *description;
    uint64_t flags;
    uint32_t n_kernels;
    const struct kernel_1_0 *const *kernels;
    uint32_t n_constants;
    const struct constant_1_0 *const *constants;
    int (*probe)(const void *, void *, void **);
    void (*describe)(void *, void (*)(void *, const char *, const char *), void *);
    void (*release)(void *);
    int (*ws_alloc)(void *, size_t, int, void *, void **);
    void (*ws_free)(void *, void *, int, void *);
    int (*copy)(void *, int, void *, void *, size_t, int, void *);
    int (*sync)(void *, int, void *);
    int (*derive)(void *, const void *, void *, void *);
};

struct estimate_1_0 {
    size_t struct_size;
    double seconds;
};

#if defined(__LP64__)
_Static_assert(sizeof(struct plugin_1_0) == 152, "ends with derive");
_Static_assert(sizeof(struct kernel_1_0) == 104, "ends with run");
_Static_assert(sizeof(struct constant_1_0) == 56, "ends with help");
#endif

static int probe(const void *host, void *reason, void **state)
{
    (void)host;
    (void)reason;
    *state = malloc(1);
    return *state ? 0 : -8;
}

static int estimate(void *state, const void *problem, const double *k, void *est)
{
    (void)state;
    (void)problem;
    ((struct estimate_1_0 *)est)->seconds = k[0];
    return 0;
}

static int run(void *state, const void *problem, const void *prepared, void *r)
{
    (void)state;
    (void)problem;
    (void)prepared;
    (void)r;
    return -20;
}

static const struct constant_1_0 constant = {sizeof constant, "call", "s", 1e-3, 0, 1, "of a call"};
static const struct constant_1_0 *const constants[] = {&constant};
static const struct kernel_1_0 kernel = {
    .struct_size = sizeof kernel,
    .op = 13, /* visibility_gram */
    .name = "old",
    .dtypes = 4,
    .spaces = 1,
    .estimate = estimate,
    .run = run,
};
static const struct kernel_1_0 *const kernels[] = {&kernel};

extern __attribute__((visibility("default"))) const struct plugin_1_0 hgate_plugin_descriptor;
const struct plugin_1_0 hgate_plugin_descriptor = {
    .magic = {'H', 'G', 'A', 'T', 'E', 'P', 'L', 'G'},
    .abi_major = 1,
    .abi_minor = 0,
    .struct_size = sizeof(struct plugin_1_0),
    .name = "fake-abi-old-minor",
    .version = "1.2.3",
    .license = "BSD-3-Clause",
    .description = "a fake",
    .n_kernels = 1,
    .kernels = kernels,
    .n_constants = 1,
    .constants = constants,
    .probe = probe,
    .release = free,
};
