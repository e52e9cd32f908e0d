/* SPDX-License-Identifier: BSD-3-Clause */
/* The fake plugin: every operation, any cost, any failure, as its options say; it notes what was
 * called. Others are made of it by other names, defaults and kernels (README.md). */
#include "tests/fake/habits.h"
#include "tests/fake/options.h"
#include "tests/fake/outputs.h"

#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

#ifndef FAKE_NAME
#define FAKE_NAME "fake-good"
#endif
#ifndef FAKE_DEFAULTS
#define FAKE_DEFAULTS "seconds_loose=2e-3;seconds_reference=1e-6"
#endif
#ifndef FAKE_SPACES
#define FAKE_SPACES HGATE_SPACE_HOST
#endif

/* FAKE_NAMES: FAKE_N(name) for each name of a kernel.
 * FAKE_KERNELS: FAKE_K(OPERATION, name, flags, plain, whether it prepares) for each kernel. */
#ifndef FAKE_KERNELS
#define FAKE_NAMES FAKE_N(det) FAKE_N(loose) FAKE_N(linear) FAKE_N(reference)
#define FAKE_SAME_BITS (HGATE_KERNEL_DETERMINISTIC | HGATE_KERNEL_FORK_SAFE)
#define FAKE_FOUR(NUMBER, WORD, FAMILY)                                                            \
    FAKE_K(NUMBER, det, FAKE_SAME_BITS | HGATE_KERNEL_THREADED, NULL, 1)                           \
    FAKE_K(NUMBER, loose, 0, NULL, 1)                                                              \
    FAKE_K(NUMBER, linear, FAKE_SAME_BITS | HGATE_KERNEL_LINEAR_COST, NULL, 0)                     \
    FAKE_K(NUMBER, reference, FAKE_SAME_BITS | HGATE_KERNEL_REFERENCE, NULL, 0)
#define FAKE_KERNELS HGATE_OP_LIST(FAKE_FOUR)
#endif

#define FAKE_N(NAME) fake_##NAME,
enum { FAKE_NAMES fake_n_names };
#undef FAKE_N

#define FAKE_N(NAME) #NAME,
static const char *const fake_names[] = {FAKE_NAMES};
#undef FAKE_N

/* ---- what is noted --------------------------------------------------------------------------- */

#define FAKE_COUNTS(X)                                                                             \
    X(supports)                                                                                    \
    X(estimate)                                                                                    \
    X(prepare)                                                                                     \
    X(discard)                                                                                     \
    X(run)                                                                                         \
    X(ws_alloc)                                                                                    \
    X(ws_free)                                                                                     \
    X(copy_in)                                                                                     \
    X(copy_out)                                                                                    \
    X(sync)                                                                                        \
    X(derive)                                                                                      \
    X(last_op)                                                                                     \
    X(last_threads)                                                                                \
    X(last_deterministic)                                                                          \
    X(last_device)                                                                                 \
    X(last_stream)                                                                                 \
    X(last_ws_bytes)                                                                               \
    X(last_ws_device_bytes)                                                                        \
    X(last_prepared)                                                                               \
    X(last_check)                                                                                  \
    X(last_elements)                                                                               \
    X(last_end)                                                                                    \
    X(last_blas_inside)

typedef struct fake_state {
    const hgate_host *host;
#define FAKE_FIELD(NAME) atomic_long NAME;
    FAKE_COUNTS(FAKE_FIELD)
    _Atomic(const char *) last_kernel;
    atomic_long failures_left[fake_n_names]; /* below 0: no end */
    fake_options options[fake_n_names];
} fake_state;

/* Of all engines. */
static atomic_long fake_probes, fake_releases;

/* ---- kernels --------------------------------------------------------------------------------- */

static int fake_supports(void *state, int which, hgate_reason *reason)
{
    fake_state *s = state;
    s->supports++;
    const char *text = s->options[which].refuse;
    return *text ? hgate_refuse(reason, HGATE_REFUSE_LIMIT, 3, 2, "%s", text) : HGATE_OK;
}

static int fake_estimate(void *state, int which, const hgate_problem *problem, hgate_estimate *est)
{
    fake_state *s = state;
    const fake_options *o = &s->options[which];
    s->estimate++;
    const char *mode = o->estimate;
    double seconds = !strcmp(mode, "nan")        ? (double)NAN
                     : !strcmp(mode, "infinite") ? (double)INFINITY
                     : !strcmp(mode, "negative") ? -o->seconds
                     : !strcmp(mode, "zero")     ? 0
                                                 : o->seconds;
    est->seconds = seconds;
    est->ws_host = (size_t)o->ws_bytes;
    est->ws_device = (size_t)o->ws_device_bytes;
    est->prepared_bytes = (size_t)o->prepared_bytes;
    est->terms[0] = seconds;
    est->terms[1] = strcmp(mode, "ok") ? 0 : fake_bytes(problem);
    if (!strcmp(mode, "terms")) {
        est->terms[HGATE_MAX_TERMS - 1] = 1;
    }
    return strcmp(mode, "fails") ? HGATE_OK : HGATE_EINTERNAL;
}

static int fake_prepare(void *state, const hgate_problem *problem, const hgate_run *run,
                        void **prepared)
{
    fake_state *s = state;
    (void)problem;
    s->prepare++;
    if (s->options[0].fail_prepare) {
        return hgate_fail(run->host, (int)s->options[0].fail_prepare, "prepare was told to fail");
    }
    *prepared = s->host->alloc(s->host, 64, 16);
    return *prepared ? HGATE_OK : HGATE_ENOMEM;
}

static void fake_discard(void *state, void *prepared)
{
    fake_state *s = state;
    s->discard++;
    s->host->free(s->host, prepared);
}

static void fake_note_run(fake_state *s, int which, const hgate_problem *problem,
                          const void *prepared, const hgate_run *run)
{
    s->run++;
    s->last_op = problem->op;
    s->last_kernel = fake_names[which];
    s->last_threads = run->threads;
    s->last_deterministic = run->deterministic;
    s->last_device = run->device_id;
    s->last_stream = (long)(intptr_t)run->stream;
    s->last_ws_bytes = (long)run->ws_host_bytes;
    s->last_ws_device_bytes = (long)run->ws_device_bytes;
    s->last_prepared = prepared != NULL;
    s->last_check = run->check;
    s->last_elements = s->last_end = 0;
    for (int i = 0; i < problem->n_args; i++) {
        const DLTensor *tensor = problem->args[i];
        const int64_t count = tensor ? hgate_tensor_count(tensor) : 0;
        const long end =
            count ? (long)((intptr_t)hgate_tensor_data(tensor) + count * (tensor->dtype.bits / 8))
                  : 0;
        s->last_elements += count;
        s->last_end = end > s->last_end ? end : s->last_end;
    }
}

/* Writes to all of the workspace that the estimate named, so that a short one is noticed. */
static int fake_use_workspace(const fake_options *o, const hgate_run *run)
{
    if (!strcmp(o->ws_lie, "refuse") || run->ws_host_bytes < (size_t)o->ws_bytes ||
        run->ws_device_bytes < (size_t)o->ws_device_bytes) {
        return hgate_fail(run->host, HGATE_EPLUGIN, "workspace of %zu and %zu bytes is too small",
                          run->ws_host_bytes, run->ws_device_bytes);
    }
    if (o->ws_bytes > 0) {
        memset(run->ws_host, 0xab, (size_t)o->ws_bytes);
    }
    if (o->ws_device_bytes > 0) {
        memset(run->ws_device, 0xcd, (size_t)o->ws_device_bytes);
    }
    if (!strcmp(o->ws_lie, "overrun")) {
        ((char *)run->ws_host)[run->ws_host_bytes] = 0x55;
    }
    return HGATE_OK;
}

static int fake_is_failing(fake_state *s, int which)
{
    if (s->options[which].fail_status == 0) {
        return 0;
    }
    long left = s->failures_left[which];
    while (left > 0 && !atomic_compare_exchange_weak(&s->failures_left[which], &left, left - 1)) {
    }
    return left != 0;
}

static void fake_sleep(double seconds)
{
    struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    nanosleep(&time, NULL);
}

static int fake_run(void *state, int which, const hgate_problem *problem, const void *prepared,
                    hgate_run *run)
{
    fake_state *s = state;
    const fake_options *o = &s->options[which];
    fake_note_run(s, which, problem, prepared, run);
    int is_failing = fake_is_failing(s, which);
    if (is_failing && !o->fail_after_write) {
        return hgate_fail(run->host, (int)o->fail_status, "%s was told to fail", fake_names[which]);
    }
    int status = fake_use_workspace(o, run);
    for (long i = 0; i < o->progress && status == HGATE_OK; i++) {
        status = hgate_progress(run, i, o->progress);
    }
    if (status != HGATE_OK) {
        return status;
    }
    if (o->sleep > 0) {
        fake_sleep(o->sleep);
    }
    if (!strcmp(o->habit, "blas")) {
        run->host->blas_enter(run->host, fake_blas_set, fake_blas_get);
        s->last_blas_inside = fake_blas_get();
        run->host->blas_leave(run->host, fake_blas_set);
    }
    run->committed = 1;
    if (o->write) {
        fake_fill_outputs(problem, o->fill + o->drift * (double)s->run);
    }
    fake_indulge(o->habit, s->last_end);
    return is_failing ? hgate_fail(run->host, (int)o->fail_status, "%s was told to fail late",
                                   fake_names[which])
                      : HGATE_OK;
}

/* Functions are not told which kernel they serve: three small ones for each name. */
#define FAKE_N(NAME)                                                                               \
    static int supports_##NAME(void *state, const hgate_problem *problem, hgate_reason *reason)    \
    {                                                                                              \
        (void)problem;                                                                             \
        return fake_supports(state, fake_##NAME, reason);                                          \
    }                                                                                              \
    static int estimate_##NAME(void *state, const hgate_problem *problem, const double *k,         \
                               hgate_estimate *est)                                                \
    {                                                                                              \
        (void)k;                                                                                   \
        return fake_estimate(state, fake_##NAME, problem, est);                                    \
    }                                                                                              \
    static int run_##NAME(void *state, const hgate_problem *problem, const void *prepared,         \
                          hgate_run *run)                                                          \
    {                                                                                              \
        return fake_run(state, fake_##NAME, problem, prepared, run);                               \
    }
FAKE_NAMES
#undef FAKE_N

static const hgate_constant fake_call = {
    sizeof fake_call, "call", "s/s", 1, 0, 1e3, "factor of the option seconds"};
static const hgate_constant fake_byte = {
    sizeof fake_byte, "byte", "s/byte", 1e-11, 0, 1, "time of a byte of all arrays"};
static const hgate_constant *const fake_constants[] = {&fake_call, &fake_byte};
static const hgate_term fake_terms[] = {{"call", 0}, {"bytes", 1}};

#define FAKE_K(NUMBER, NAME, FLAGS, PLAIN, PREPARES)                                               \
    static const hgate_kernel record_##NUMBER##_##NAME = {                                         \
        .struct_size = sizeof(hgate_kernel),                                                       \
        .op = HGATE_OP_##NUMBER,                                                                   \
        .name = #NAME,                                                                             \
        .dtypes = HGATE_F32 | HGATE_F64 | HGATE_C64 | HGATE_C128,                                  \
        .spaces = FAKE_SPACES,                                                                     \
        .flags = FLAGS,                                                                            \
        .plain = PLAIN,                                                                            \
        .n_terms = (int)HGATE_LENGTH_OF(fake_terms),                                               \
        .terms = fake_terms,                                                                       \
        .supports = supports_##NAME,                                                               \
        .estimate = estimate_##NAME,                                                               \
        .prepare = (PREPARES) ? fake_prepare : NULL,                                               \
        .discard = (PREPARES) ? fake_discard : NULL,                                               \
        .run = run_##NAME,                                                                         \
    };
FAKE_KERNELS
#undef FAKE_K

#define FAKE_K(NUMBER, NAME, FLAGS, PLAIN, PREPARES) &record_##NUMBER##_##NAME,
static const hgate_kernel *const fake_kernels[] = {FAKE_KERNELS};
#undef FAKE_K

/* ---- the plugin's own functions -------------------------------------------------------------- */

static int fake_behave(const char *probe, hgate_reason *reason)
{
    if (!strcmp(probe, "refuse")) {
        return hgate_unavailable(reason, "no such device: %d found", 0);
    }
    if (!strcmp(probe, "fp_mode")) {
        fake_change_fp_mode();
    }
    if (!strcmp(probe, "garbage")) {
        return 4711;
    }
    if (!strcmp(probe, "sleep")) {
        fake_sleep(0.05);
    } else if (!strcmp(probe, "hang")) {
        for (;;) {
            fake_sleep(1);
        }
    } else if (!strcmp(probe, "segfault")) {
        raise(SIGSEGV);
    } else if (!strcmp(probe, "exit")) {
        exit(3);
    } else if (!strcmp(probe, "abort")) {
        abort();
    }
    return HGATE_OK;
}

static int fake_probe(const hgate_host *host, hgate_reason *reason, void **state)
{
    fake_probes++;
    fake_state *s = host->alloc(host, sizeof *s, 64);
    if (!s) {
        return HGATE_ENOMEM;
    }
    memset(s, 0, sizeof *s);
    s->host = host;
    for (int i = 0; i < fake_n_names; i++) {
        fake_source source = {.host = host, .defaults = FAKE_DEFAULTS, .kernel = fake_names[i]};
        fake_read_options(&source, &s->options[i]);
        s->options[i].seconds += i * fake_real(&source, "step", 0);
        s->failures_left[i] = s->options[i].fail_times;
    }
    int status = fake_behave(s->options[0].probe, reason);
    if (status != HGATE_OK) {
        host->free(host, s);
        return status;
    }
    *state = s;
    return HGATE_OK;
}

static void fake_release(void *state)
{
    fake_state *s = state;
    fake_releases++;
    s->host->free(s->host, s);
}

static void fake_row(void (*row)(void *user, const char *key, const char *value), void *user,
                     const char *key, long value)
{
    char text[32];
    snprintf(text, sizeof text, "%ld", value);
    row(user, key, text);
}

static void fake_describe(void *state, void (*row)(void *user, const char *key, const char *value),
                          void *user)
{
    fake_state *s = state;
    const char *kernel = s->last_kernel;
    fake_row(row, user, "probe", fake_probes);
    fake_row(row, user, "release", fake_releases);
    fake_row(row, user, "ticks", fake_ticks);
    fake_row(row, user, "blas_threads", fake_blas_get());
#define FAKE_TELL(NAME) fake_row(row, user, #NAME, s->NAME);
    FAKE_COUNTS(FAKE_TELL)
    row(user, "last_kernel", kernel ? kernel : "");
}

#ifdef FAKE_DEVICE
#include "tests/fake/device.h"
#endif

const hgate_plugin hgate_plugin_descriptor = {
    HGATE_PLUGIN_HEADER,
    .name = FAKE_NAME,
    .version = "1.2.3",
    .license = "BSD-3-Clause",
    .description = "a fake for tests",
    .n_kernels = HGATE_LENGTH_OF(fake_kernels),
    .kernels = fake_kernels,
    .n_constants = HGATE_LENGTH_OF(fake_constants),
    .constants = fake_constants,
    .probe = fake_probe,
    .describe = fake_describe,
    .release = fake_release,
#ifdef FAKE_DEVICE
    .ws_alloc = fake_ws_alloc,
    .ws_free = fake_ws_free,
    .copy = fake_copy,
    .sync = fake_sync,
    .derive = fake_derive,
#endif
};
