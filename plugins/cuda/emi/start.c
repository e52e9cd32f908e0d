/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernels without pivoting, `warp`, `rows` and `block`, share: the rules they serve, their
 * arguments, their start, and what follows it: what float32 does not hold is left to `again`, what
 * needs pivoting under rule fixed to `library`. */
#include "plugins/cuda/emi/emi.h"
#include "plugins/cuda/emi/rows.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_off(const hg_cuda_state *state, const char *key)
{
    const char *text = state->host->setting(state->host, key);
    return text && strcmp(text, "false") == 0;
}

static bool is_fixed(const hgate_problem *problem)
{
    const hgate_emi_params *params = problem->params;
    return problem->op == HGATE_OP_EMI && params->rule == HGATE_EMI_BETA_FIXED;
}

int64_t hg_cuda_emi_block_memory(const hg_cuda_state *state, const hg_cuda_device *device)
{
    /* without opt-in 2 KiB stay in reserve for what the compiler places statically */
    return is_off(state, "ops.emi.cuda.smem_optin") ? device->smem_block - 2048
                                                    : device->smem_optin;
}

int64_t hg_cuda_emi_resident(const hg_cuda_device *device, int64_t bytes, int registers,
                             int threads)
{
    int64_t blocks = device->smem_multiprocessor / (bytes + device->smem_reserved);
    const int64_t by_registers = device->registers / (registers * threads);
    const int64_t by_threads = device->threads / threads;
    blocks = blocks < by_registers ? blocks : by_registers;
    blocks = blocks < by_threads ? blocks : by_threads;
    return blocks > 0 ? blocks : 1;
}

EmiArgs hg_cuda_emi_arguments(const hg_cuda_state *state, const hgate_problem *problem)
{
    const hgate_emi_params *params = problem->params;
    EmiArgs args = {
        .coh = hgate_arg_data(problem, HGATE_EMI_COH),
        .phase = hgate_arg_data(problem, HGATE_EMI_PHASE),
        .quality = hgate_arg_data(problem, HGATE_EMI_QUALITY),
        .status = hgate_arg_data(problem, HGATE_EMI_STATUS),
        .beta = problem->op == HGATE_OP_EMI ? hgate_arg_data(problem, HGATE_EMI_BETA) : NULL,
        .points = hgate_dim(problem, HGATE_DIM_EMI_BATCH),
        .n = (int)hgate_dim(problem, HGATE_DIM_EMI_N),
        .ref = params->ref,
        .is_full = (int)hgate_dim(problem, HGATE_DIM_EMI_FULL),
        .check_hermitian = !is_off(state, "ops.emi.check_hermitian"),
        .kappa = params->kappa,
        .beta_fixed = params->beta,
        .is_evd = problem->op == HGATE_OP_EVD,
    };
    return args;
}

int hg_cuda_emi_refuse(hg_cuda_state *state, const hgate_problem *problem, hgate_reason *reason)
{
    const hgate_emi_params *params = problem->params;
    const int status = hg_cuda_refuse_device(state, problem, reason);
    if (status || problem->op == HGATE_OP_EVD)
        return status;
    if (params->rule == HGATE_EMI_BETA_ADAPTIVE) { /* up to two images have a closed form */
        if (problem->dtype == HGATE_C64 && params->kappa > HGATE_EMI_KAPPA_SINGLE &&
            hgate_dim(problem, HGATE_DIM_EMI_N) > 2)
            return hgate_refuse(reason, HGATE_REFUSE_LIMIT, params->kappa, HGATE_EMI_KAPPA_SINGLE,
                                "kappa %g, at most %g in float32", params->kappa,
                                HGATE_EMI_KAPPA_SINGLE);
        return HGATE_OK;
    }
    if (!is_fixed(problem))
        return hgate_refuse(reason, HGATE_REFUSE_FEATURE, params->rule, NAN,
                            "serves rules adaptive and fixed: its inverse does not pivot");
    if (hgate_dim(problem, HGATE_DIM_EMI_N) <= 2)
        return hgate_refuse(reason, HGATE_REFUSE_FEATURE, params->rule, NAN,
                            "its closed form serves rule adaptive only");
    if (problem->dtype == HGATE_C64 && params->beta > HGATE_EMI_BETA_SINGLE)
        return hgate_refuse(reason, HGATE_REFUSE_LIMIT, params->beta, HGATE_EMI_BETA_SINGLE,
                            "beta %g, at most %g in float32", params->beta, HGATE_EMI_BETA_SINGLE);
    if (is_off(state, "kernels.emi.cuda.library.enabled"))
        return hgate_refuse(reason, HGATE_REFUSE_FEATURE, params->rule, NAN,
                            "rule fixed leaves points to library, which is switched off");
    return hg_cuda_emi_library_supports(state, problem, reason);
}

void hg_cuda_emi_tell(const hg_cuda_state *state, const hgate_problem *problem, int64_t limit,
                      int threads, int64_t blocks, int64_t points, hgate_reason *reason)
{
    const hg_cuda_device *device = hg_cuda_device_of(state, problem);
    const int64_t n = hgate_dim(problem, HGATE_DIM_EMI_N),
                  wave = blocks * points * device->multiprocessors;
    if (n <= 2)
        snprintf(reason->text, sizeof reason->text, "closed form");
    else
        snprintf(reason->text, sizeof reason->text,
                 "%" PRId64 " of at most %" PRId64 " images; blocks of %d threads and %" PRId64
                 " point%s, %" PRId64 " a multiprocessor, %" PRId64 " waves%s",
                 n, limit, threads, points, points > 1 ? "s" : "", blocks,
                 (hgate_dim(problem, HGATE_DIM_EMI_BATCH) + wave - 1) / wave,
                 is_fixed(problem) ? "; points not safely positive definite go to library"
                 : hg_cuda_emi_is_followed(state, problem)
                     ? "; what float32 does not hold goes to again"
                     : "");
}

/* ---- rule fixed ---------------------------------------------------------------------------- */

/* One byte a point tells which ones were left; the host makes a list of them. Both lie before what
 * library gets. */
typedef struct leftovers {
    size_t mark_bytes, list_bytes;
} leftovers;

static leftovers leftovers_of(const hgate_problem *problem)
{
    const size_t points = (size_t)hgate_dim(problem, HGATE_DIM_EMI_BATCH);
    return (leftovers){.mark_bytes = (points + 255) & ~(size_t)255,
                       .list_bytes = (points * sizeof(int64_t) + 255) & ~(size_t)255};
}

/* Points that library has memory for at most: few are left, or the rule is wrong. */
enum { CHUNK = 1024 };

void hg_cuda_emi_workspace(const hg_cuda_state *state, const hgate_problem *problem,
                           hgate_estimate *est)
{
    if (!is_fixed(problem))
        return;
    const leftovers left = leftovers_of(problem);
    const size_t points = (size_t)hgate_dim(problem, HGATE_DIM_EMI_BATCH);
    est->ws_host = left.mark_bytes + left.list_bytes + HG_CUDA_EMI_LIBRARY_HOST;
    est->ws_device = left.mark_bytes + left.list_bytes +
                     hg_cuda_emi_library_bytes(state, points < CHUNK ? points : CHUNK,
                                               (size_t)hgate_dim(problem, HGATE_DIM_EMI_N));
}

/* Waits for the first pass, and for the list of points where some were left: the only waits of
 * these kernels. */
static int serve_leftovers(hg_cuda_state *state, const hgate_problem *problem, hgate_run *run,
                           const EmiArgs *args)
{
    const leftovers left = leftovers_of(problem);
    const size_t before = left.mark_bytes + left.list_bytes;
    const unsigned char *marks = run->ws_host;
    int64_t *list = (void *)((char *)run->ws_host + left.mark_bytes);
    void *index = (char *)run->ws_device + left.mark_bytes;
    int64_t count = 0;
    int status = hg_cuda_copy(state, HGATE_COPY_OUT, args->left, run->ws_host, (size_t)args->points,
                              run->device_id, run->stream);
    if (status)
        return status;
    for (int64_t i = 0; i < args->points; i++)
        if (marks[i])
            list[count++] = i;
    if (count == 0)
        return HGATE_OK;
    status = hg_cuda_copy(state, HGATE_COPY_IN, index, list, (size_t)count * sizeof *list,
                          run->device_id, run->stream);
    const hg_cuda_emi_rest rest = {.index = index,
                                   .count = count,
                                   .device = (char *)run->ws_device + before,
                                   .device_bytes = run->ws_device_bytes - before,
                                   .host = (char *)run->ws_host + before,
                                   .host_bytes = run->ws_host_bytes - before};
    return status ? status : hg_cuda_emi_library_run(state, problem, run, &rest);
}

static int prepare_leftovers(hg_cuda_state *state, const hgate_run *run, EmiArgs *args)
{
    const int status = hg_cuda_refuse_capture(
        state, run,
        "emi: rule fixed reads back which points its kernel left, which a captured stream cannot; "
        "expected rule adaptive or none, or kernel library");
    if (status)
        return status;
    args->left = run->ws_device;
    return hg_cuda_status(state, run->device_id,
                          (int)cudaMemsetAsync(args->left, 0, (size_t)args->points, run->stream),
                          "clear marks");
}

/* ---- start --------------------------------------------------------------------------------- */

static cudaError_t launch_all(hg_cuda_state *state, const hgate_problem *problem,
                              const EmiArgs *args, hg_cuda_emi_launch *launch, cudaStream_t stream)
{
    if (args->n <= 2)
        return hg_emi_launch_closed(args, problem->dtype == HGATE_C128, stream);
    const cudaError_t error = launch(state, problem, args, stream);
    return error || !args->is_followed ? error : hg_cuda_emi_again(state, problem, args, stream);
}

int hg_cuda_emi_start(hg_cuda_state *state, const hgate_problem *problem, hgate_run *run,
                      hg_cuda_emi_launch *launch)
{
    EmiArgs args = hg_cuda_emi_arguments(state, problem);
    int previous;
    args.is_followed = hg_cuda_emi_is_followed(state, problem);
    if (args.points == 0) {
        run->committed = 1;
        return HGATE_OK;
    }
    int status = hg_cuda_enter(state, run->device_id, &previous);
    if (status)
        return status;
    if (is_fixed(problem))
        status = prepare_leftovers(state, run, &args);
    if (!status) {
        run->committed = 1;
        const cudaError_t error = launch_all(state, problem, &args, launch, run->stream);
        status = hg_cuda_status(state, run->device_id, (int)error, "start emi");
    }
    if (!status && args.left)
        status = serve_leftovers(state, problem, run, &args);
    hg_cuda_leave(previous);
    return status;
}
