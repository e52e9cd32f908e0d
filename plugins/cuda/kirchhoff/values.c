/* SPDX-License-Identifier: BSD-3-Clause */
/* Table entries in device memory that a plan refuses, told like those of the host. */
#include "headgate/kirchhoff.h"
#include "plugins/cuda/kirchhoff/pack.h"
#include "plugins/cuda/kirchhoff/plan.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct rule {
    int arg;
    const char *name;
    double least, most;
    int may_skip; /* skip_nonfinite lets NaN and Inf pass */
    const char *words;
} rule;

static const rule rules[HG_CHECKED_TABLES] = {
    {HGATE_KIRCHHOFF_TRAV_SRC, "trav_src", 0, DBL_MAX, 1, "a finite number, 0 or more"},
    {HGATE_KIRCHHOFF_TRAV_REC, "trav_rec", 0, DBL_MAX, 1, "a finite number, 0 or more"},
    {HGATE_KIRCHHOFF_AMP_SRC, "amp_src", -DBL_MAX, DBL_MAX, 1, "a finite number"},
    {HGATE_KIRCHHOFF_AMP_REC, "amp_rec", -DBL_MAX, DBL_MAX, 1, "a finite number"},
    {HGATE_KIRCHHOFF_ANG_SRC, "ang_src", -DBL_MAX, DBL_MAX, 1, "a finite number"},
    {HGATE_KIRCHHOFF_ANG_REC, "ang_rec", -DBL_MAX, DBL_MAX, 1, "a finite number"},
    {HGATE_KIRCHHOFF_VEL, "vel", DBL_TRUE_MIN, DBL_MAX, 0, "a finite number above 0"},
    {HGATE_KIRCHHOFF_TAP, "tap", -DBL_MAX, DBL_MAX, 0, "a finite number"},
    {HGATE_KIRCHHOFF_WAV, "wav", -DBL_MAX, DBL_MAX, 0, "a finite number"},
};

static int is_wanted(const hgate_problem *problem, const rule *r)
{
    const hgate_kirchhoff_params *params = problem->params;
    const int is_weight = r->arg >= HGATE_KIRCHHOFF_AMP_SRC && r->arg <= HGATE_KIRCHHOFF_TAP;
    return hgate_arg(problem, r->arg) && hgate_arg_data(problem, r->arg) &&
           (!is_weight || params->flags & HGATE_KIRCHHOFF_DYNAMIC);
}

static hg_scan scan_of(const hgate_problem *problem, const rule *r)
{
    const hgate_kirchhoff_params *params = problem->params;
    const DLTensor *tensor = hgate_arg(problem, r->arg);
    const int skips = (params->flags & HGATE_KIRCHHOFF_SKIP_NONFINITE) != 0;
    hg_scan scan = {.data = hgate_tensor_data(tensor),
                    .count = hgate_tensor_count(tensor),
                    .is_64 = tensor->dtype.bits == 64,
                    .skips_nonfinite = skips && r->may_skip,
                    .least = r->least,
                    .most = r->most};
    if (r->arg == HGATE_KIRCHHOFF_VEL && skips)
        scan.most = INFINITY; /* a medium without rays */
    return scan;
}

/* Position of an element: "7", or "(3, 5)" of a table. */
static void describe_position(char *text, size_t size, const DLTensor *tensor, int64_t i)
{
    const int64_t columns = tensor->ndim == 2 ? tensor->shape[1] : 0;
    if (columns > 0)
        snprintf(text, size, "(%" PRId64 ", %" PRId64 ")", i / columns, i % columns);
    else
        snprintf(text, size, "%" PRId64, i);
}

static int refuse(hg_cuda_state *state, const hgate_problem *problem, const hgate_run *run,
                  const rule *r, int64_t i)
{
    const DLTensor *tensor = hgate_arg(problem, r->arg);
    const int is_64 = tensor->dtype.bits == 64;
    const size_t bytes = is_64 ? sizeof(double) : sizeof(float);
    double wide = 0;
    float narrow = 0;
    char position[64];
    void *from = (char *)hgate_tensor_data(tensor) + (size_t)i * bytes;
    const int status = hg_cuda_copy(state, HGATE_COPY_OUT, from, is_64 ? (void *)&wide : &narrow,
                                    bytes, run->device_id, run->stream);
    if (status)
        return status;
    describe_position(position, sizeof position, tensor, i);
    return hgate_fail(run->host, HGATE_EVALUE, "%s: entry %s is %g, expected %s", r->name, position,
                      is_64 ? wide : (double)narrow, r->words);
}

static int start_scans(hg_cuda_state *state, const hgate_problem *problem, const hgate_run *run,
                       unsigned long long *first)
{
    int previous;
    int status = hg_cuda_enter(state, run->device_id, &previous);
    if (status)
        return status;
    cudaError_t error =
        cudaMemsetAsync(first, 0xFF, HG_CHECKED_TABLES * sizeof *first, (cudaStream_t)run->stream);
    for (int i = 0; i < HG_CHECKED_TABLES && error == cudaSuccess; i++) {
        if (!is_wanted(problem, &rules[i]))
            continue;
        const hg_scan scan = scan_of(problem, &rules[i]);
        error = hg_kirchhoff_scan(&scan, &first[i], run->stream);
    }
    status = hg_cuda_status(state, run->device_id, (int)error, "check the tables of kirchhoff");
    hg_cuda_leave(previous);
    return status;
}

int hg_migration_check(hg_cuda_state *state, const hgate_problem *problem, const hgate_run *run,
                       unsigned long long *first)
{
    unsigned long long found[HG_CHECKED_TABLES];
    int status = start_scans(state, problem, run, first);
    if (!status)
        status = hg_cuda_copy(state, HGATE_COPY_OUT, first, found, sizeof found, run->device_id,
                              run->stream);
    for (int i = 0; i < HG_CHECKED_TABLES && !status; i++)
        if (found[i] != ~0ULL)
            status = refuse(state, problem, run, &rules[i], (int64_t)found[i]);
    return status;
}
