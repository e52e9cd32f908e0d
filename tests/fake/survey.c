/* SPDX-License-Identifier: BSD-3-Clause */
/* A device for groups of sources: the reference kernels over memory of the host that counts as a
 * device's. Streams are as late as they may be: copies and runs wait in line until somebody waits
 * for the stream, so that a missing wait is a wrong number. */
#include <headgate/plugin_util.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const hgate_kernel hg_reference_kirchhoff_forward, hg_reference_kirchhoff_adjoint;

enum { MOST_WAITING = 4096, MOST_PIECES = 256 };

/* A run by itself: everything that the caller may reuse after the call. */
typedef struct waiting {
    void *stream;
    const hgate_kernel *kernel; /* NULL: a copy */
    void *to, *from;
    size_t bytes;
    hgate_problem problem;
    const DLTensor *args[HGATE_MAX_ARGS];
    DLTensor tensors[HGATE_MAX_ARGS];
    int64_t shapes[HGATE_MAX_ARGS][3], dims[HGATE_MAX_DIMS];
    hgate_kirchhoff_params params;
} waiting;

typedef struct device {
    const hgate_host *host;
    struct {
        void *memory;
        size_t bytes;
    } pieces[MOST_PIECES];
    size_t held, peak, pinned, pinned_peak;
    waiting *line[MOST_WAITING];
    int n;
    long runs, copies_in, bytes_in, beside;
    long memory, fail_run, fail_copy; /* options */
} device;

static long option(const hgate_host *host, const char *key, long otherwise)
{
    const char *text = host->option(host, key);
    return text ? strtol(text, NULL, 10) : otherwise;
}

static int probe(const hgate_host *host, hgate_reason *reason, void **state)
{
    device *d = calloc(1, sizeof *d);
    (void)reason;
    if (!d)
        return HGATE_ENOMEM;
    d->host = host;
    d->memory = option(host, "device_memory", 1L << 40);
    d->fail_run = option(host, "fail_run", -1);
    d->fail_copy = option(host, "fail_copy", -1);
    *state = d;
    return HGATE_OK;
}

static void release(void *state)
{
    free(state);
}

static void describe(void *state, void (*row)(void *user, const char *key, const char *value),
                     void *user)
{
    const device *d = state;
    const struct {
        const char *key;
        long value;
    } rows[] = {{"runs", d->runs},         {"copies_in", d->copies_in},
                {"bytes_in", d->bytes_in}, {"beside", d->beside},
                {"waiting", d->n},         {"held", (long)(d->held + d->pinned)},
                {"peak", (long)d->peak},   {"pinned_peak", (long)d->pinned_peak}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[32];
        snprintf(text, sizeof text, "%ld", rows[i].value);
        row(user, rows[i].key, text);
    }
}

/* ---- memory ---- */

static void *hold(device *d, size_t bytes, size_t *total, size_t *peak)
{
    int i = 0;
    while (i < MOST_PIECES && d->pieces[i].memory)
        i++;
    void *memory = i < MOST_PIECES ? malloc(bytes + 1) : NULL;
    if (!memory)
        return NULL;
    memset(memory, 0xa5, bytes);
    d->pieces[i].memory = memory;
    d->pieces[i].bytes = bytes;
    *total += bytes;
    *peak = *total > *peak ? *total : *peak;
    return memory;
}

static void drop(device *d, void *memory, size_t *total)
{
    for (int i = 0; memory && i < MOST_PIECES; i++) {
        if (d->pieces[i].memory == memory) {
            *total -= d->pieces[i].bytes;
            d->pieces[i].memory = NULL;
            memset(memory, 0x5a, d->pieces[i].bytes);
            free(memory);
            return;
        }
    }
}

static int ws_alloc(void *state, size_t bytes, int device_id, void *stream, void **memory)
{
    device *d = state;
    (void)device_id, (void)stream;
    *memory = d->held + bytes > (size_t)d->memory ? NULL : hold(d, bytes, &d->held, &d->peak);
    return *memory ? HGATE_OK : hgate_fail(d->host, HGATE_ENOMEM, "the device is full");
}

static void ws_free(void *state, void *memory, int device_id, void *stream)
{
    device *d = state;
    (void)device_id, (void)stream;
    drop(d, memory, &d->held);
}

static int pin(void *state, size_t bytes, int device_id, void **memory)
{
    device *d = state;
    (void)device_id;
    *memory = hold(d, bytes, &d->pinned, &d->pinned_peak);
    return *memory ? HGATE_OK : HGATE_ENOMEM;
}

static void unpin(void *state, void *memory, int device_id)
{
    device *d = state;
    (void)device_id;
    drop(d, memory, &d->pinned);
}

static int free_memory(void *state, int device_id, size_t *bytes)
{
    const device *d = state;
    (void)device_id;
    *bytes = (size_t)d->memory - d->held;
    return HGATE_OK;
}

/* ---- streams ---- */

static int execute(device *d, waiting *w)
{
    int status = HGATE_OK;
    if (w->kernel) {
        hgate_estimate est = {.struct_size = sizeof est};
        w->kernel->estimate(NULL, &w->problem, NULL, &est);
        hgate_run run = {.struct_size = sizeof run,
                         .host = d->host,
                         .threads = 1,
                         .ws_host = malloc(est.ws_host + 64),
                         .ws_host_bytes = est.ws_host + 64};
        status = run.ws_host ? w->kernel->run(NULL, &w->problem, NULL, &run) : HGATE_ENOMEM;
        free(run.ws_host);
    } else {
        memcpy(w->to, w->from, w->bytes);
    }
    free(w);
    return status;
}

static int synchronize(void *state, int device_id, void *stream)
{
    device *d = state;
    int kept = 0, status = HGATE_OK;
    (void)device_id;
    for (int i = 0; i < d->n; i++) {
        if (d->line[i]->stream != stream) {
            d->line[kept++] = d->line[i];
            continue;
        }
        const int one = execute(d, d->line[i]);
        status = status ? status : one;
    }
    d->n = kept;
    return status;
}

static waiting *append(device *d, void *stream)
{
    waiting *w = d->n < MOST_WAITING ? calloc(1, sizeof *w) : NULL;
    if (w) {
        w->stream = stream;
        d->line[d->n++] = w;
    }
    return w;
}

static int copy_async(void *state, int direction, void *there, void *here, size_t bytes,
                      int device_id, void *stream)
{
    device *d = state;
    (void)device_id;
    if (direction == HGATE_COPY_IN) {
        /* a copy in beside a run on another stream */
        int is_beside = 0;
        for (int i = 0; i < d->n; i++)
            is_beside |= d->line[i]->kernel && d->line[i]->stream != stream;
        d->beside += is_beside;
        d->bytes_in += (long)bytes;
        if (d->copies_in++ == d->fail_copy)
            return hgate_fail(d->host, HGATE_EINTERNAL, "this copy fails");
    }
    waiting *w = append(d, stream);
    if (!w)
        return HGATE_ENOMEM;
    w->to = direction == HGATE_COPY_IN ? there : here;
    w->from = direction == HGATE_COPY_IN ? here : there;
    w->bytes = bytes;
    return HGATE_OK;
}

static int copy(void *state, int direction, void *there, void *here, size_t bytes, int device_id,
                void *stream)
{
    const int status = copy_async(state, direction, there, here, bytes, device_id, stream);
    return status ? status : synchronize(state, device_id, stream);
}

/* ---- kernels ---- */

typedef struct prepared {
    device *d;
    void *memory;
} prepared;

static size_t table_bytes(const hgate_problem *problem)
{
    return (size_t)((problem->dims[HGATE_DIM_KIRCHHOFF_NS] +
                     problem->dims[HGATE_DIM_KIRCHHOFF_NR]) *
                    problem->dims[HGATE_DIM_KIRCHHOFF_NI]) *
           (problem->dtype == HGATE_F64 ? 8 : 4);
}

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)state, (void)k;
    est->seconds = 1e-6 + 1e-12 * (double)table_bytes(problem);
    est->ws_device = 1000 + 8 * (size_t)problem->dims[HGATE_DIM_KIRCHHOFF_NS];
    est->prepared_bytes = table_bytes(problem);
    return HGATE_OK;
}

static int prepare(void *state, const hgate_problem *problem, const hgate_run *run, void **out)
{
    prepared *p = calloc(1, sizeof *p);
    if (!p)
        return HGATE_ENOMEM;
    p->d = state;
    const int status =
        ws_alloc(state, table_bytes(problem), run->device_id, run->stream, &p->memory);
    if (status)
        free(p);
    else
        *out = p;
    return status;
}

static void discard(void *state, void *object)
{
    prepared *p = object;
    ws_free(state, p->memory, 0, NULL);
    free(p);
}

static int enqueue(device *d, const hgate_kernel *kernel, const hgate_problem *problem,
                   hgate_run *run)
{
    waiting *w = append(d, run->stream);
    if (!w)
        return HGATE_ENOMEM;
    if (d->runs++ == d->fail_run) {
        d->n--;
        free(w);
        return hgate_fail(run->host, HGATE_EINTERNAL, "this run fails");
    }
    w->kernel = kernel;
    w->problem = *problem;
    for (int i = 0; i < problem->n_args; i++) {
        if (!problem->args[i])
            continue;
        w->tensors[i] = *problem->args[i];
        w->tensors[i].shape = w->shapes[i];
        memcpy(w->shapes[i], problem->args[i]->shape,
               (size_t)problem->args[i]->ndim * sizeof(int64_t));
        w->args[i] = &w->tensors[i];
    }
    memcpy(w->dims, problem->dims, (size_t)problem->n_dims * sizeof(int64_t));
    w->params = *(const hgate_kirchhoff_params *)problem->params;
    w->problem.args = w->args;
    w->problem.dims = w->dims;
    w->problem.params = &w->params;
    run->committed = 1;
    return HGATE_OK;
}

static int forward(void *state, const hgate_problem *problem, const void *object, hgate_run *run)
{
    (void)object;
    return enqueue(state, &hg_reference_kirchhoff_forward, problem, run);
}

static int adjoint(void *state, const hgate_problem *problem, const void *object, hgate_run *run)
{
    (void)object;
    return enqueue(state, &hg_reference_kirchhoff_adjoint, problem, run);
}

#define SURVEY_KERNEL(OP, NAME, RUN)                                                               \
    {                                                                                              \
        .struct_size = sizeof(hgate_kernel), .op = (OP), .name = (NAME),                           \
        .dtypes = HGATE_F32 | HGATE_F64, .spaces = HGATE_SPACE_CUDA,                               \
        .flags = HGATE_KERNEL_DETERMINISTIC | HGATE_KERNEL_ASYNC, .estimate = estimate,            \
        .prepare = prepare, .discard = discard, .run = (RUN),                                      \
    }
static const hgate_kernel scatter = SURVEY_KERNEL(HGATE_OP_KIRCHHOFF_FORWARD, "scatter", forward);
static const hgate_kernel gather = SURVEY_KERNEL(HGATE_OP_KIRCHHOFF_ADJOINT, "gather", adjoint);
static const hgate_kernel *const kernels[] = {&gather, &scatter};

HGATE_PLUGIN_EXPORT const hgate_plugin hgate_plugin_descriptor = {
    .magic = {'H', 'G', 'A', 'T', 'E', 'P', 'L', 'G'},
    .abi_major = HGATE_PLUGIN_ABI_MAJOR,
    .abi_minor = HGATE_PLUGIN_ABI_MINOR,
    .struct_size = sizeof(hgate_plugin),
    .name = "fake-survey",
    .version = "1.2.3",
    .license = "BSD-3-Clause",
    .description = "a fake device for groups of sources",
    .n_kernels = HGATE_LENGTH_OF(kernels),
    .kernels = kernels,
    .probe = probe,
    .release = release,
    .describe = describe,
    .ws_alloc = ws_alloc,
    .ws_free = ws_free,
    .copy = copy,
    .sync = synchronize,
    .pin = pin,
    .unpin = unpin,
    .copy_async = copy_async,
    .free_memory = free_memory,
};
