/* SPDX-License-Identifier: BSD-3-Clause */
/* A whole plugin in few lines, for those with a fault in the descriptor: they define what differs.
 */
#ifndef HG_TESTS_FAKE_MINIMAL_H
#define HG_TESTS_FAKE_MINIMAL_H

#include <headgate/plugin_util.h>

static int minimal_probe(const hgate_host *host, hgate_reason *reason, void **state)
{
    (void)host;
    (void)reason;
    *state = NULL;
    return HGATE_OK;
}

static void minimal_release(void *state)
{
    (void)state;
}

static int minimal_estimate(void *state, const hgate_problem *problem, const double *k,
                            hgate_estimate *est)
{
    (void)state;
    (void)problem;
    (void)k;
    est->seconds = 1e-3;
    return HGATE_OK;
}

static int minimal_run(void *state, const hgate_problem *problem, const void *prepared,
                       hgate_run *run)
{
    (void)state;
    (void)problem;
    (void)prepared;
    return hgate_fail(run->host, HGATE_EINTERNAL, "this kernel only has to be there");
}

#define MINIMAL_KERNEL(OP, NAME)                                                                   \
    {                                                                                              \
        .struct_size = sizeof(hgate_kernel), .op = (OP), .name = (NAME), .dtypes = HGATE_C64,      \
        .spaces = HGATE_SPACE_HOST, .estimate = minimal_estimate, .run = minimal_run,              \
    }

/* All members of a descriptor behind its header. */
#define MINIMAL_MEMBERS(NAME, KERNELS) MINIMAL_MEMBERS_PROBE(NAME, KERNELS, minimal_probe)
#define MINIMAL_MEMBERS_PROBE(NAME, KERNELS, PROBE)                                                \
    .name = (NAME), .version = "1.2.3", .license = "BSD-3-Clause", .description = "a fake",        \
    .n_kernels = HGATE_LENGTH_OF(KERNELS), .kernels = (KERNELS), .probe = (PROBE),                 \
    .release = minimal_release

static const hgate_kernel minimal_kernel = MINIMAL_KERNEL(HGATE_OP_VISIBILITY_GRAM, "only");
static const hgate_kernel *const minimal_kernels[] = {&minimal_kernel};

#endif
