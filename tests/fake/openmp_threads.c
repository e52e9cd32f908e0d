/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens a parallel region in its probe and in each run, and so leaves threads asleep in its code.
 */
#include "tests/fake/minimal.h"

#include <omp.h>

static int team(int threads)
{
    int n = 0;
#pragma omp parallel num_threads(threads) reduction(+ : n)
    n += 1;
    return n;
}

static int probe(const hgate_host *host, hgate_reason *reason, void **state)
{
    int n = team(host->thread_hint(host));
    hgate_logf(host, HGATE_LOG_INFO, "a team of %d threads", n);
    return minimal_probe(host, reason, state);
}

static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *r)
{
    (void)state;
    (void)problem;
    (void)prepared;
    int n = team(r->threads);
    return n <= r->threads
               ? HGATE_OK
               : hgate_fail(r->host, HGATE_EPLUGIN, "%d threads, %d allowed", n, r->threads);
}

static const hgate_kernel kernel = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_VISIBILITY_GRAM,
    .name = "team",
    .dtypes = HGATE_C64 | HGATE_C128,
    .spaces = HGATE_SPACE_HOST,
    .flags = HGATE_KERNEL_THREADED,
    .estimate = minimal_estimate,
    .run = run,
};
static const hgate_kernel *const kernels[] = {&kernel, &minimal_kernel};

const hgate_plugin hgate_plugin_descriptor = {
    HGATE_PLUGIN_HEADER,
    MINIMAL_MEMBERS_PROBE("fake-openmp-threads", kernels, probe),
};
