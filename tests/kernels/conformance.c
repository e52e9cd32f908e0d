// SPDX-License-Identifier: BSD-3-Clause
// Every kernel of every plugin of the build, run under the rules of the plugin ABI.
#include "tests/kernels/conformance.h"
#include "tests/kernels/conformance_device.h"
#include "tests/number_mode.h"

#include <check.h>
#include <dirent.h>
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { MAX_PLUGINS = 16, MAX_KERNELS = 512, MAX_SETTINGS = 16 };

static struct {
    const char *key, *value;
} settings[MAX_SETTINGS];
static int n_settings;
static int host_only;

static conf_kernel kernels[MAX_KERNELS];
static int n_kernels;
static struct {
    const hgate_plugin *descriptor;
    hgate_host host;
    void *state;
} plugins[MAX_PLUGINS];
static int n_plugins;

static int blas_depth, blas_found;
static int64_t n_allocated;
static char message[512];
static hgate_reason reason;

// ---- the host's side ----

static void host_log(const hgate_host *host, int level, const char *text)
{
    (void)host, (void)level, (void)text;
}

static void *host_alloc(const hgate_host *host, size_t size, size_t alignment)
{
    (void)host;
    void *memory = NULL;
    if (posix_memalign(&memory, alignment < sizeof(void *) ? sizeof(void *) : alignment, size))
        return NULL;
    memset(memory, 0xFF, size);
    n_allocated++;
    return memory;
}

static void host_free(const hgate_host *host, void *memory)
{
    (void)host;
    n_allocated -= memory != NULL;
    free(memory);
}

static void host_range_push(const hgate_host *host, const char *name)
{
    (void)host, (void)name;
}

static void host_range_pop(const hgate_host *host)
{
    (void)host;
}

static void host_blas_enter(const hgate_host *host, void (*set)(int), int (*get)(void))
{
    (void)host;
    if (blas_depth++ == 0 && set) {
        blas_found = get();
        set(1);
    }
}

static void host_blas_leave(const hgate_host *host, void (*set)(int))
{
    (void)host;
    if (--blas_depth == 0 && set)
        set(blas_found);
}

static double host_now(const hgate_host *host)
{
    (void)host;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int host_thread_hint(const hgate_host *host)
{
    (void)host;
    return 8;
}

static const char *host_setting(const hgate_host *host, const char *key)
{
    (void)host;
    for (int i = n_settings - 1; i >= 0; i--)
        if (strcmp(settings[i].key, key) == 0)
            return settings[i].value;
    return NULL;
}

static const char *host_option(const hgate_host *host, const char *key)
{
    char full[128];
    snprintf(full, sizeof full, "plugins.%s.options.%s", (const char *)host->context, key);
    return host_setting(host, full);
}

static int host_error(const hgate_host *host, int status, const char *text)
{
    (void)host;
    snprintf(message, sizeof message, "%s", text);
    return status;
}

static const hgate_host host_table = {.struct_size = sizeof(hgate_host),
                                      .abi_minor = HGATE_PLUGIN_ABI_MINOR,
                                      .log = host_log,
                                      .alloc = host_alloc,
                                      .free = host_free,
                                      .range_push = host_range_push,
                                      .range_pop = host_range_pop,
                                      .blas_enter = host_blas_enter,
                                      .blas_leave = host_blas_leave,
                                      .now = host_now,
                                      .thread_hint = host_thread_hint,
                                      .option = host_option,
                                      .setting = host_setting,
                                      .error = host_error};

// ---- plugins ----

void conf_set(const char *key, const char *value)
{
    ck_assert_int_lt(n_settings, MAX_SETTINGS);
    settings[n_settings].key = key;
    settings[n_settings++].value = value;
}

static void load(const char *path)
{
    void *file = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    ck_assert_msg(file != NULL, "%s", dlerror());
    const hgate_plugin *descriptor = dlsym(file, "hgate_plugin_descriptor");
    ck_assert_msg(descriptor != NULL, "%s exports no descriptor", path);
    ck_assert_int_lt(n_plugins, MAX_PLUGINS);
    if (host_only && descriptor->ws_alloc)
        return;

    hgate_host *host = &plugins[n_plugins].host;
    *host = host_table;
    host->context = (void *)descriptor->name;
    hgate_reason why = {.struct_size = sizeof why};
    int status = descriptor->probe(host, &why, &plugins[n_plugins].state);
    if (status != HGATE_OK) {
        ck_assert_int_eq(status, HGATE_EUNAVAILABLE);
        ck_assert_msg(why.text[0] != '\0', "%s is unavailable without a reason", descriptor->name);
        fprintf(stderr, "%s left out: %s\n", descriptor->name, why.text);
        return;
    }
    plugins[n_plugins].descriptor = descriptor;
    for (uint32_t i = 0; i < descriptor->n_kernels; i++) {
        ck_assert_int_lt(n_kernels, MAX_KERNELS);
        kernels[n_kernels++] =
            (conf_kernel){descriptor, host, plugins[n_plugins].state, descriptor->kernels[i]};
    }
    n_plugins++;
}

void conf_host_only(void)
{
    host_only = 1;
}

static int is_plugin(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return strncmp(entry->d_name, "headgate-", 9) == 0 && length > 12 &&
           strcmp(entry->d_name + length - 3, ".so") == 0;
}

void conf_open(void)
{
    const char *top = getenv("abs_top_builddir");
    char folder[512], path[1024];
    struct dirent **entries;
    snprintf(folder, sizeof folder, "%s/plugins/.libs", top ? top : ".");
    int n = scandir(folder, &entries, is_plugin, alphasort);
    ck_assert_msg(n > 0, "no plugin in %s", folder);
    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        load(path);
        free(entries[i]);
    }
    free(entries);
}

static void open_isa(const char *word)
{
    conf_set("plugins.cpu-serial.options.isa", word);
    conf_set("plugins.cpu-openmp.options.isa", word);
    conf_open();
}

void conf_open_avx2(void)
{
    open_isa("avx2");
}

void conf_open_baseline(void)
{
    conf_set("plugins.cuda.options.tensor_cores", "mma");
    open_isa("baseline");
}

int conf_has_avx2(void)
{
#ifdef HG_X86_64
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
    return 0;
#endif
}

void conf_close(void)
{
    for (int i = 0; i < n_plugins; i++)
        plugins[i].descriptor->release(plugins[i].state);
    ck_assert_msg(n_allocated == 0, "%lld pieces of memory were not given back",
                  (long long)n_allocated);
    ck_assert_int_eq(blas_depth, 0);
    n_plugins = n_kernels = n_settings = host_only = 0;
}

const conf_kernel *conf_kernel_at(int op, uint32_t dtype, int i)
{
    for (int k = 0; k < n_kernels; k++) {
        const hgate_kernel *kernel = kernels[k].kernel;
        if (kernel->op == op && (kernel->dtypes & dtype) &&
            ((kernel->spaces & HGATE_SPACE_HOST) || conf_is_device(&kernels[k])) && i-- == 0)
            return &kernels[k];
    }
    return NULL;
}

const conf_kernel *conf_find(int op, const char *plugin, const char *kernel)
{
    for (int k = 0; k < n_kernels; k++) {
        const conf_kernel *c = &kernels[k];
        if (c->kernel->op == op && strcmp(c->plugin->name, plugin) == 0 &&
            (kernel ? strcmp(c->kernel->name, kernel) == 0
                    : (c->kernel->flags & HGATE_KERNEL_REFERENCE) != 0))
            return c;
    }
    return NULL;
}

static const char *dtype_word(uint32_t dtype)
{
    return dtype == HGATE_F32   ? "f32"
           : dtype == HGATE_F64 ? "f64"
           : dtype == HGATE_C64 ? "c64"
                                : "c128";
}

const char *conf_label(const conf_kernel *kernel, uint32_t dtype)
{
    static char text[128];
    snprintf(text, sizeof text, "%s/%s/%s %s", hgate_op_name(kernel->kernel->op),
             kernel->plugin->name, kernel->kernel->name, dtype_word(dtype));
    return text;
}

// ---- calls ----

void conf_call_init(conf_call *call, int op, uint32_t dtype, const void *params)
{
    *call = (conf_call){.problem = {.struct_size = sizeof(hgate_problem),
                                    .op = op,
                                    .dtype = dtype,
                                    .space = HGATE_SPACE_HOST,
                                    .params = params,
                                    .alpha_re = 1.0,
                                    .threads = 1}};
    call->problem.n_args = HGATE_MAX_ARGS;
    // The numbers of visibility tests need not be a sky: what is wrong has tests of its own.
    call->check = op >= HGATE_OP_VISIBILITY && op <= HGATE_OP_VISIBILITY_PAIRS ? HGATE_CHECK_NONE
                                                                               : HGATE_CHECK_VALUES;
}

void conf_in(conf_call *call, int index, array *a)
{
    call->arrays[index] = a;
    call->args[index] = a ? &a->dl : NULL;
}

void conf_out(conf_call *call, int index, array *a)
{
    conf_in(call, index, a);
    call->is_output[index] = 1;
}

void conf_inout(conf_call *call, int index, array *a)
{
    conf_out(call, index, a);
    call->keeps_output[index] = 1;
}

void conf_dim(conf_call *call, int index, int64_t value)
{
    call->dims[index] = value;
    if (call->problem.n_dims <= index)
        call->problem.n_dims = index + 1;
}

// Memory that ends at a closed page, 64-byte aligned, full of NaN.
typedef struct guarded {
    char *map, *start;
    size_t bytes, total;
} guarded;

static guarded guarded_new(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    guarded g = {.bytes = bytes, .total = (bytes + 63 + page) / page * page + page};
    g.map = mmap(NULL, g.total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(g.map, MAP_FAILED);
    ck_assert_int_eq(mprotect(g.map + g.total - page, page, PROT_NONE), 0);
    memset(g.map, 0xFF, g.total - page);
    g.start = g.map + g.total - page - (bytes + 63) / 64 * 64;
    return g;
}

static void guarded_free(guarded g, const char *label)
{
    for (const char *p = g.map; p < g.start; p++)
        if ((unsigned char)*p != 0xFF)
            ck_abort_msg("%s wrote in front of its workspace", label);
    munmap(g.map, g.total);
}

static hgate_estimate estimate(const conf_kernel *k, const hgate_problem *problem,
                               const char *label)
{
    double constants[256] = {0};
    ck_assert_uint_le(k->plugin->n_constants, 256);
    for (uint32_t i = 0; i < k->plugin->n_constants; i++)
        constants[i] = k->plugin->constants[i]->value;
    hgate_estimate est = {.struct_size = sizeof est};
    ck_assert_int_eq(k->kernel->estimate(k->state, problem, constants, &est), HGATE_OK);
    double seconds = est.seconds;
    if (k->kernel->flags & HGATE_KERNEL_LINEAR_COST) {
        seconds = 0.0;
        for (int i = 0; i < k->kernel->n_terms; i++)
            seconds += est.terms[i] * constants[k->kernel->terms[i].constant];
    }
    ck_assert_msg(isfinite(seconds) && seconds > 0.0, "%s estimates %g seconds", label, seconds);
    return est;
}

static void before(conf_call *call)
{
    call->problem.args = call->args;
    call->problem.dims = call->dims;
    call->problem.n_out = &call->n_out;
    for (int i = 0; i < HGATE_MAX_ARGS; i++) {
        array *a = call->arrays[i];
        if (a && call->is_output[i] && !call->keeps_output[i])
            array_poison(a);
        if (a && !call->is_output[i])
            array_protect(a, 1);
    }
}

static void after(conf_call *call, int status, const char *label)
{
    for (int i = 0; i < HGATE_MAX_ARGS; i++) {
        array *a = call->arrays[i];
        if (!a)
            continue;
        ck_assert_msg(array_is_sound(a), "%s wrote in front of argument %d", label, i);
        if (!call->is_output[i])
            array_protect(a, 0);
        else if (status != HGATE_OK && !call->keeps_output[i])
            ck_assert_msg(array_is_poisoned(a), "%s ended with %d and wrote argument %d", label,
                          status, i);
    }
}

static int execute(const conf_kernel *k, const hgate_problem *problem, conf_mirror *mirror,
                   int threads, int check, const char *label)
{
    hgate_estimate est = estimate(k, problem, label);
    guarded workspace = guarded_new(est.ws_host);
    hgate_run run = {.struct_size = sizeof run,
                     .host = k->host,
                     .threads = threads,
                     .check = check,
                     .ws_host = workspace.start,
                     .ws_host_bytes = est.ws_host};
    if (mirror) {
        run.ws_device = conf_mirror_workspace(mirror, est.ws_device);
        run.ws_device_bytes = est.ws_device;
    }
    void *prepared = NULL;
    int status = HGATE_OK;
    if (k->kernel->prepare)
        status = k->kernel->prepare(k->state, problem, &run, &prepared);
    if (status == HGATE_OK) {
        status = k->kernel->run(k->state, problem, prepared, &run);
        ck_assert_msg(run.committed == (status == HGATE_OK), "%s ended with %d, committed %d",
                      label, status, run.committed);
        if (k->kernel->prepare)
            k->kernel->discard(k->state, prepared);
    }
    guarded_free(workspace, label);
    ck_assert_msg(blas_depth == 0, "%s left BLAS entered", label);
    return status;
}

// The same in device memory; outputs come back whatever the outcome, since a refused call must not
// have touched them.
static int execute_on_device(const conf_kernel *k, const conf_call *call, int threads,
                             const char *label)
{
    conf_mirror mirror;
    conf_mirror_open(&mirror, k, call);
    const int status = execute(k, &mirror.problem, &mirror, threads, call->check, label);
    const int deferred = conf_mirror_close(&mirror, call);
    return status == HGATE_OK ? deferred : status;
}

int conf_run(const conf_kernel *k, conf_call *call, int threads)
{
    const char *label = conf_label(k, call->problem.dtype);
    call->problem.threads = threads;
    before(call);
    reason = (hgate_reason){.struct_size = sizeof reason};
    const unsigned mode = number_mode();
    int status =
        k->kernel->supports ? k->kernel->supports(k->state, &call->problem, &reason) : HGATE_OK;
    if (status != HGATE_OK) {
        ck_assert_msg(reason.code != HGATE_REFUSE_NONE && reason.text[0] != '\0',
                      "%s refuses without a reason", label);
        status = CONF_REFUSED;
    } else {
        message[0] = '\0';
        status = conf_is_device(k)
                     ? execute_on_device(k, call, threads, label)
                     : execute(k, &call->problem, NULL, threads, HGATE_CHECK_NONE, label);
        ck_assert_msg(status >= HGATE_OK || message[0] != '\0', "%s fails with %d and no message",
                      label, status);
    }
    ck_assert_msg(number_mode() == mode, "%s left another rounding or denormal mode", label);
    after(call, status, label);
    return status;
}

// A kernel that calls itself deterministic gives the same bits again. Small calls only, to keep the
// tests quick.
static void run_again(const conf_kernel *k, conf_call *call, int threads)
{
    array *first[HGATE_MAX_ARGS] = {NULL};
    size_t bytes = 0;
    int n_kept = 0;
    for (int i = 0; i < HGATE_MAX_ARGS; i++) {
        bytes += call->arrays[i] ? call->arrays[i]->bytes : 0;
        n_kept += call->keeps_output[i];
    }
    if (!(k->kernel->flags & HGATE_KERNEL_DETERMINISTIC) || bytes > 1 << 16 || n_kept)
        return;
    for (int i = 0; i < HGATE_MAX_ARGS; i++)
        if (call->arrays[i] && call->is_output[i])
            first[i] = array_copy(call->arrays[i]);
    const char *label = conf_label(k, call->problem.dtype);
    ck_assert_int_eq(conf_run(k, call, threads), HGATE_OK);
    for (int i = 0; i < HGATE_MAX_ARGS; i++) {
        if (first[i])
            ck_assert_msg(array_equal_bits(first[i], call->arrays[i]),
                          "%s: other bits in argument %d when run again", label, i);
        array_free(first[i]);
    }
}

void conf_run_ok(const conf_kernel *k, conf_call *call, int threads)
{
    int status = conf_run(k, call, threads);
    ck_assert_msg(status == HGATE_OK, "%s: %s %s", conf_label(k, call->problem.dtype),
                  status == CONF_REFUSED ? reason.text : hgate_status_name(status), message);
    run_again(k, call, threads);
}

const char *conf_reason(void)
{
    return reason.text;
}

const char *conf_message(void)
{
    return message;
}

// ---- tolerances ----

static const struct {
    int op;
    uint32_t dtype;
    double bound;
    const char *origin;
} tolerances[] = {
    {HGATE_OP_CURVATURE, HGATE_F64, 1e-12, "of max |F|; chains of a few hundred terms"},
    {HGATE_OP_CURVATURE, HGATE_F32, 1e-5, "of max |F|; U in float32"},
    {HGATE_OP_CURVATURE_KERNEL, HGATE_F64, 1e-13, "of w(0, 0); rounding of the turns"},
    {HGATE_OP_CURVATURE_KERNEL, HGATE_F32, 1.2e-7, "of w(0, 0); one rounding to float32"},
    {HGATE_OP_CURVATURE_DIRTY, HGATE_F64, 1e-13, "of sum |vis| / sigma^2; rounding of the turns"},
    {HGATE_OP_CURVATURE_DATA_VECTOR, HGATE_F64, 1e-14, "of max |D|; sum in double"},
    {HGATE_OP_CURVATURE_DATA_VECTOR, HGATE_F32, 2e-7, "of max |D|; inputs rounded to float32"},
    {HGATE_OP_VISIBILITY, HGATE_C64, 2e-6, "of the peak; beam, phase and product in float32"},
    {HGATE_OP_VISIBILITY, HGATE_C128, 1e-12, "of the peak; beam, phase and product in float64"},
    {HGATE_OP_VISIBILITY_GRAM, HGATE_C64, 2e-6, "of the peak; sums of up to 1e5 products"},
    {HGATE_OP_VISIBILITY_GRAM, HGATE_C128, 2e-15, "of the peak, times the root of K"},
    {HGATE_OP_VISIBILITY_TAU, HGATE_C64, 1e-6, "absolute; sine of float32 turns"},
    {HGATE_OP_VISIBILITY_TAU, HGATE_C128, 4e-16, "times 1 + turns; rounding of the turns"},
    {HGATE_OP_VISIBILITY_Z, HGATE_C64, 8 * 0x1p-23, "of the modulus; four factors"},
    {HGATE_OP_VISIBILITY_Z, HGATE_C128, 8 * 0x1p-52, "of the modulus; four factors"},
    {HGATE_OP_KIRCHHOFF_FORWARD, HGATE_F32, 5e-7, "dot test, of |L m| |d|; index in float32"},
    {HGATE_OP_KIRCHHOFF_FORWARD, HGATE_F64, 1e-13, "dot test, of |L m| |d|; index in float64"},
};

double conf_tolerance(int op, uint32_t dtype)
{
    for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; i++)
        if (tolerances[i].op == op && tolerances[i].dtype == dtype)
            return tolerances[i].bound;
    ck_abort_msg("no tolerance for %s %s", hgate_op_name(op), dtype_word(dtype));
    return 0.0;
}
