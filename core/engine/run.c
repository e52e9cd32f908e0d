/* SPDX-License-Identifier: BSD-3-Clause */
/* One execution of one kernel: memory, copies, the run itself, and what its answer means. */
#include "core/engine/call.h"

#include "core/base/clock.h"
#include "core/base/error.h"
#include "core/base/fp_mode.h"
#include "core/base/mathx.h"
#include "core/tensor/op_table.h"

#include <math.h>
#include <string.h>

/* A kernel about to run. */
typedef struct execution {
    hg_call *call;
    const hg_candidate *candidate;
    const hg_record *record;
    hgate_problem problem; /* the caller's, with thread count and facts */
    hg_staged staged;      /* of a record that is staged */
    void *run_block;       /* device memory of its arrays that are new in each run */
    hgate_run run;
    const void *prepared;
} execution;

static const hgate_problem *seen_problem(const execution *x)
{
    return x->record->is_staged ? &x->staged.problem : &x->problem;
}

/* ---- before ------------------------------------------------------------- */

static int report_progress(const hgate_run *run, int64_t done, int64_t total)
{
    const hgate_exec *exec = run->progress_context;
    return exec->hooks.progress(exec->hooks.user, done, total);
}

/* What a kernel still has to look at: data on a device; those on the host were looked at before. */
static int check_level(const hgate_problem *problem)
{
    if (problem->space == HGATE_SPACE_HOST || problem->space == HGATE_SPACE_CUDA_HOST) {
        return HGATE_CHECK_NONE;
    }
    switch (problem->op) {
    case HGATE_OP_CURVATURE:
    case HGATE_OP_CURVATURE_KERNEL:
    case HGATE_OP_CURVATURE_DIRTY:
    case HGATE_OP_CURVATURE_DATA_VECTOR:
        return ((const hgate_curvature_params *)problem->params)->check;
    case HGATE_OP_EMI:
    case HGATE_OP_EVD:
    case HGATE_OP_DS_TEMP_COH:
        return ((const hgate_emi_params *)problem->params)->check;
    case HGATE_OP_KIRCHHOFF_FORWARD:
    case HGATE_OP_KIRCHHOFF_ADJOINT:
        return ((const hgate_kirchhoff_params *)problem->params)->check;
    case HGATE_OP_KIRCHHOFF_TRAVELTIME:
    case HGATE_OP_KIRCHHOFF_ANGLES:
    case HGATE_OP_KIRCHHOFF_SPREADING:
    case HGATE_OP_KIRCHHOFF_STATION_INDEX:
    case HGATE_OP_KIRCHHOFF_WAVELET:
    case HGATE_OP_KIRCHHOFF_CONVOLVE:
        return HGATE_CHECK_VALUES; /* takes scalars, has no level */
    default:
        return ((const hgate_visibility_params *)problem->params)->check;
    }
}

static void set_out(hg_call *call, int i, execution *x)
{
    const hg_problem *problem = call->problem;
    x->call = call;
    x->candidate = &hg_trace_candidates(call->trace).items[i];
    x->record = &call->trace->records[i];
    x->problem = problem->p;
    x->prepared = NULL;
    x->run_block = NULL;
    if (call->derived.is_known) {
        x->problem.facts = &call->derived;
    }
    const int threads = x->record->threads < call->threads ? x->record->threads : call->threads;
    x->problem.threads = threads;
    const bool is_on_host =
        problem->p.space == HGATE_SPACE_HOST || problem->p.space == HGATE_SPACE_CUDA_HOST;
    const int stream_device = call->stream_device >= 0 ? call->stream_device : 0;
    x->run = (hgate_run){
        .struct_size = sizeof x->run,
        .host = x->candidate->backend->plugin->host,
        .threads = threads,
        .deterministic = call->engine->rules.is_deterministic,
        .device_id = is_on_host ? stream_device : problem->p.device_id,
        .stream = call->stream,
        .check = check_level(&x->problem),
    };
    if (call->exec && call->exec->hooks.progress) {
        x->run.progress = report_progress;
        x->run.progress_context = call->exec;
    }
}

/* Device memory holds the arrays of this run first, then what the kernel works in. */
static int take_workspace(execution *x)
{
    const hg_plugin *plugin = x->candidate->backend->plugin;
    const size_t run_block = x->record->is_staged ? x->staged.run_block : 0;
    size_t device_bytes;
    if (!hg_size_add(run_block, x->record->cost.ws_device, &device_bytes)) {
        return hg_error_memory("device workspace", SIZE_MAX);
    }
    void *device = NULL;
    int status = hg_workspace_host(x->call->workspace, x->record->cost.ws_host, &x->run.ws_host);
    x->run.ws_host_bytes = x->record->cost.ws_host;
    if (status == HGATE_OK && device_bytes > 0 && !plugin->descriptor->ws_alloc) {
        return hg_error(HGATE_EPLUGIN, "%s/%s: wants device workspace, its plugin has none to give",
                        plugin->name, x->candidate->kernel->name);
    }
    if (status == HGATE_OK && device_bytes > 0) {
        status = hg_workspace_device(x->call->workspace, plugin, x->run.device_id, x->run.stream,
                                     device_bytes, &device);
    }
    if (device) {
        x->run_block = device;
        x->run.ws_device = x->record->cost.ws_device ? (unsigned char *)device + run_block : NULL;
        x->run.ws_device_bytes = x->record->cost.ws_device;
    }
    return status;
}

static int place_arguments(execution *x)
{
    void *kept = NULL;
    const int status = hg_keep_copies(x->call->keep, x->candidate->backend, &x->problem, &x->staged,
                                      &x->run, &kept);
    hg_staged_place(&x->staged, kept, x->run_block);
    return status;
}

/* Sizes first, then memory. */
static int lay_out(execution *x)
{
    if (x->record->is_staged && !hg_staged_make(&x->problem, x->run.device_id, &x->staged)) {
        return hg_error(HGATE_ESHAPE, "the arrays are larger than an address space");
    }
    return take_workspace(x);
}

static int get_ready(execution *x)
{
    int status = lay_out(x);
    if (status == HGATE_OK && x->record->is_staged) {
        status = place_arguments(x);
    }
    if (status == HGATE_OK) {
        status = hg_keep_prepared(x->call->keep, x->candidate, seen_problem(x),
                                  x->record->is_staged, &x->run, &x->prepared);
    }
    return status;
}

/* ---- copies ------------------------------------------------------------- */

static int copy_run_arguments(execution *x, int direction)
{
    const hg_plugin *plugin = x->candidate->backend->plugin;
    for (int i = 0; i < x->problem.n_args; i++) {
        const bool is_wanted =
            direction == HGATE_COPY_IN ? x->staged.is_read[i] : x->staged.is_written[i];
        if (!x->staged.args[i] || x->staged.is_kept[i] || !is_wanted || x->staged.bytes[i] == 0) {
            continue;
        }
        const int status = plugin->descriptor->copy(
            plugin->state, direction, x->staged.tensors[i].data, x->problem.args[i]->data,
            x->staged.bytes[i], x->run.device_id, x->run.stream);
        if (status != HGATE_OK) {
            return status;
        }
    }
    return HGATE_OK;
}

static int wait_for_stream(const execution *x)
{
    const hg_plugin *plugin = x->candidate->backend->plugin;
    return plugin->descriptor->sync
               ? plugin->descriptor->sync(plugin->state, x->run.device_id, x->run.stream)
               : HGATE_OK;
}

/* Waits first: what the run found wrong in the data is told then, before an output is touched. */
static int stage_out(execution *x)
{
    hg_range_push(x->call, "stage out");
    int status = wait_for_stream(x);
    if (status == HGATE_OK) {
        status = copy_run_arguments(x, HGATE_COPY_OUT);
    }
    if (status == HGATE_OK) {
        status = wait_for_stream(x);
    }
    hg_range_pop(x->call);
    return status;
}

static int stage_in(execution *x)
{
    hg_range_push(x->call, "stage in");
    const int status = copy_run_arguments(x, HGATE_COPY_IN);
    hg_range_pop(x->call);
    return status;
}

/* ---- the run ------------------------------------------------------------ */

static const char *range_name(const execution *x, char *buffer, size_t size)
{
    hg_text text = hg_text_over(buffer, size);
    hg_text_printf(&text, "%s/%s/%s", hg_op_row(x->problem.op)->word,
                   x->candidate->backend->plugin->name, x->candidate->kernel->name);
    return buffer;
}

static bool has_ranges(const hg_call *call)
{
    return call->engine->rules.calls_range_hooks && call->exec;
}

static int enter_kernel(execution *x)
{
    const hgate_kernel *kernel = x->candidate->kernel;
    void *state = x->candidate->backend->plugin->state;
    if (!has_ranges(x->call)) {
        return kernel->run(state, seen_problem(x), x->prepared, &x->run);
    }
    char name[128];
    hg_range_push(x->call, range_name(x, name, sizeof name));
    const hg_range_sink *before = hg_host_ranges(&x->call->exec->ranges);
    const int status = kernel->run(state, seen_problem(x), x->prepared, &x->run);
    hg_host_ranges(before);
    hg_range_pop(x->call);
    return status;
}

static void note_unfinished(const execution *x)
{
    if ((x->candidate->kernel->flags & HGATE_KERNEL_ASYNC) && x->call->exec) {
        x->call->exec->unfinished |= (uint64_t)1 << (x->candidate->backend->index & 63);
    }
}

/* Timing an asynchronous kernel means to wait for it. */
static int wait_if_asynchronous(const execution *x)
{
    const hg_plugin *plugin = x->candidate->backend->plugin;
    if (!(x->candidate->kernel->flags & HGATE_KERNEL_ASYNC) || !plugin->descriptor->sync) {
        return HGATE_OK;
    }
    return plugin->descriptor->sync(plugin->state, x->run.device_id, x->run.stream);
}

/* ---- after -------------------------------------------------------------- */

static int broken_contract(const execution *x, const char *what, int status)
{
    return hg_error(HGATE_EPLUGIN, "%s/%s: %s (%d)", x->candidate->backend->plugin->name,
                    x->candidate->kernel->name, what, status);
}

/* Answers that a kernel may not give become EPLUGIN. */
static int judge_answer(const execution *x, int status)
{
    if (!hg_workspace_is_intact(x->call->workspace, x->run.ws_host_bytes)) {
        return broken_contract(x, "wrote behind its workspace", status);
    }
    if (status == HGATE_RUN_PLAIN) {
        if (x->run.committed) {
            return broken_contract(x, "asks for the plain kernel after it has written", status);
        }
        return x->candidate->plain >= 0
                   ? status
                   : broken_contract(x, "asks for a plain kernel that it does not have", status);
    }
    if (status > 0 || status < HGATE_EINTERNAL) {
        return broken_contract(x, "answered with a number that is no status", status);
    }
    return status;
}

static int finish(execution *x, int status, unsigned errors_before)
{
    const hg_backend *backend = x->candidate->backend;
    if (status == HGATE_EDEVICE_LOST) {
        hg_backend_lose(backend, x->run.device_id);
    }
    if (status < 0 && hg_error_count() == errors_before) {
        hg_error(status, "%s/%s: %s", backend->plugin->name, x->candidate->kernel->name,
                 hgate_status_text(status));
    }
    return status;
}

/* The host computes in the mode that it had, whatever a kernel did to it. */
static void put_mode_back(const execution *x, const hg_fp_mode *mode)
{
    if (hg_fp_mode_put_back(mode)) {
        char name[128];
        hg_log_line(x->call->engine->log, HGATE_LOG_WARN, "run",
                    "%s: changed the floating-point mode; it is put back",
                    range_name(x, name, sizeof name));
    }
}

int hg_prepare_candidate(hg_call *call, int i)
{
    execution x;
    hg_fp_mode mode;
    const unsigned errors_before = hg_error_count();
    set_out(call, i, &x);
    hg_fp_mode_keep(&mode);
    const int status = get_ready(&x);
    put_mode_back(&x, &mode);
    return finish(&x, status, errors_before);
}

int hg_reserve_candidate(hg_call *call, int i)
{
    execution x;
    const unsigned errors_before = hg_error_count();
    set_out(call, i, &x);
    return finish(&x, lay_out(&x), errors_before);
}

/* Copies in, the run, copies out. What a staged kernel writes is not yet the caller's output. */
static int execute(execution *x, hg_attempt *attempt)
{
    const bool is_staged = x->record->is_staged;
    const bool measures = x->call->engine->rules.measures;
    const double begin = measures ? hg_now() : 0;
    int status = is_staged ? stage_in(x) : HGATE_OK;
    if (status != HGATE_OK) {
        return status;
    }
    status = judge_answer(x, enter_kernel(x));
    note_unfinished(x);
    attempt->is_committed = is_staged ? status == HGATE_OK : x->run.committed != 0;
    if (status == HGATE_OK && is_staged) {
        status = stage_out(x);
    } else if (status == HGATE_OK && measures) {
        status = wait_if_asynchronous(x);
    }
    if (status == HGATE_OK && measures) {
        attempt->measured = hg_now() - begin;
    }
    return status;
}

int hg_run_candidate(hg_call *call, int i, hg_attempt *attempt)
{
    execution x;
    const unsigned errors_before = hg_error_count();
    set_out(call, i, &x);
    hg_fp_mode mode;
    hg_fp_mode_keep(&mode);
    int status = get_ready(&x);
    if (status == HGATE_OK) {
        status = execute(&x, attempt);
    }
    put_mode_back(&x, &mode);
    attempt->status = finish(&x, status, errors_before);
    return attempt->status;
}
