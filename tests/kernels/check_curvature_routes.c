// SPDX-License-Identifier: BSD-3-Clause
// The curvature family through the library, from baselines to the evidence: every route of every
// plugin gives one answer, threads share a plan, a warm plan asks for no memory, decisions are
// told.
#include "tests/harness.h"
#include "tests/kernels/array.h"
#ifdef COUNT_MALLOC
#include "tests/alloc/count_malloc.h"
#endif

#include <headgate/headgate.h>
#include <headgate/plugin.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

// A stored case: see tests/data/make_curvature.py for what each array is.
typedef struct problem {
    array *w, *iy, *ix, *indptr, *rows, *vals, *fractions, *F;
    array *uv, *sigma, *pix, *vis, *y, *x, *d, *D;
} problem;
enum { N_ARRAYS = sizeof(problem) / sizeof(array *) };

// In the order of evidence.npy.
static const char *const cases[] = {"square", "circle",    "offset", "annulus", "lens",
                                    "rect",   "rect-lens", "empty",  "row",     "column",
                                    "one",    "tangled",   "alma"};
enum { N_CASES = sizeof cases / sizeof *cases };

static hgate_engine *engine;
static problem p;
static int64_t S;
static hgate_curvature_params params;

static void load(const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "curvature/%s.npy", name);
    FILE *file = stored_open(path);
    for (int i = 0; i < N_ARRAYS; i++)
        ((array **)&p)[i] = stored_next(file);
    fclose(file);
    S = p.indptr->count - 1;
    ck_assert_int_eq(hgate_curvature_params_init(&params), HGATE_OK);
    params.pix = array_get(p.pix, 0);
}

static void unload(void)
{
    for (int i = 0; i < N_ARRAYS; i++)
        array_free(((array **)&p)[i]);
}

// An engine with more settings, "key=value" each, up to a NULL; pair is permitted.
static void open_with(const char *const *settings)
{
    hgate_config *config;
    hgate_options options;
    ck_assert_int_eq(hgate_config_new(&config), HGATE_OK);
    ck_assert_int_eq(hgate_config_set(config, "plugins.use_default_path", "false"), HGATE_OK);
    ck_assert_int_eq(hgate_config_set(config, "ops.curvature.exact_triangle", "false"), HGATE_OK);
    for (; settings && *settings; settings++) {
        char key[128];
        const char *is = strchr(*settings, '=');
        snprintf(key, sizeof key, "%.*s", (int)(is - *settings), *settings);
        ck_assert_msg(hgate_config_set(config, key, is + 1) == HGATE_OK, "%s", hgate_last_error());
    }
    hgate_options_init(&options);
    options.config = config;
    ck_assert_msg(hgate_open(&options, &engine) == HGATE_OK, "%s", hgate_last_error());
    hgate_config_free(config);
}

// With one operation held to a kernel, whatever f is. Arrays for a kernel of a device are staged.
static void open_held(const char *op, const hgate_kernel_info *kernel)
{
    char setting[160];
    snprintf(setting, sizeof setting, "routing.force.%s=%s/%s", op, kernel->plugin, kernel->name);
    open_with(
        (const char *const[]){setting, "gates.curvature.symmetric_max_work_fraction=1", NULL});
}

// The same for kernels that take host arrays as they are; 0 for others.
static int open_forced(const char *op, const hgate_kernel_info *kernel)
{
    if (!(kernel->spaces & HGATE_SPACE_HOST))
        return 0;
    open_held(op, kernel);
    return 1;
}

static void must(int status, const char *what)
{
    ck_assert_msg(status == HGATE_OK, "%s: %s", what, hgate_last_error());
}

// All kernels of an operation; their texts belong to an engine that stays open.
enum { MAX_KERNELS = 32 };
static hgate_engine *lister;
static int kernels_of(int op, hgate_kernel_info kernels[MAX_KERNELS])
{
    int n = hgate_kernel_count(lister, op);
    ck_assert_int_le(n, MAX_KERNELS);
    for (int i = 0; i < n; i++) {
        kernels[i].struct_size = sizeof kernels[i];
        must(hgate_kernel_get(lister, op, i, &kernels[i]), "hgate_kernel_get");
    }
    return n;
}

static void setup(void)
{
    open_with(NULL);
    lister = engine;
    engine = NULL;
}

static void teardown(void)
{
    hgate_close(lister);
}

// ---- evidence ----

// ln of the evidence: F, D, and H = 1e-3 tr(F) / S times the unit matrix.
static double evidence(const array *F, const array *D)
{
    double *L = calloc((size_t)(S * S), sizeof *L), *s = calloc((size_t)S, sizeof *s);
    double trace = 0.0, sum = 0.0, data = 0.0, norm = 0.0;
    for (int64_t i = 0; i < S; i++)
        trace += array_get(F, i * S + i);
    double h = 1e-3 * trace / (double)S;
    for (int64_t i = 0; i < S; i++) {
        for (int64_t j = 0; j <= i; j++) {
            double a = array_get(F, i * S + j) + (i == j ? h : 0.0);
            for (int64_t k = 0; k < j; k++)
                a -= L[i * S + k] * L[j * S + k];
            L[i * S + j] = i == j ? sqrt(a) : a / L[j * S + j];
        }
        double b = array_get(D, i);
        for (int64_t k = 0; k < i; k++)
            b -= L[i * S + k] * s[k];
        s[i] = b / L[i * S + i];
        // s'(F + H)s - 2 s'D = -|L^-1 D|^2, and ln det(F + H) - ln det H
        sum += 2.0 * log(L[i * S + i]) - log(h) - s[i] * s[i];
    }
    for (int64_t k = 0; k < p.sigma->count; k++) {
        double sigma = array_get(p.sigma, k);
        data += (pow(array_get(p.vis, 2 * k), 2) + pow(array_get(p.vis, 2 * k + 1), 2)) /
                (sigma * sigma);
        norm += 2.0 * log(2.0 * 3.141592653589793 * sigma * sigma);
    }
    free(L);
    free(s);
    return -0.5 * (sum + data + norm);
}

static double stored_evidence(int which)
{
    FILE *file = stored_open("curvature/evidence.npy");
    array *values = stored_next(file);
    fclose(file);
    ck_assert_int_eq(values->count, N_CASES);
    double value = array_get(values, which);
    array_free(values);
    return value;
}

// From baselines and visibilities, by whatever the engine takes.
static double from_the_start(void)
{
    array *w = array_2d("f64", p.w->shape[0], p.w->shape[1]), *F = array_2d("f64", S, S);
    array *d = array_1d("f64", p.d->count), *D = array_1d("f64", S);
    must(hgate_curvature_kernel(engine, NULL, &params, &p.uv->dl, &p.sigma->dl, &w->dl), "w");
    must(hgate_curvature(engine, NULL, &params, &w->dl, &p.iy->dl, &p.ix->dl, &p.indptr->dl,
                         &p.rows->dl, &p.vals->dl, &F->dl),
         "F");
    must(hgate_curvature_dirty(engine, NULL, &params, &p.uv->dl, &p.sigma->dl, &p.vis->dl, &p.y->dl,
                               &p.x->dl, &d->dl),
         "d");
    must(hgate_curvature_data_vector(engine, NULL, &params, &d->dl, &p.indptr->dl, &p.rows->dl,
                                     &p.vals->dl, &D->dl),
         "D");
    double value = evidence(F, D);
    array_free(w);
    array_free(F);
    array_free(d);
    array_free(D);
    return value;
}

static const struct {
    int op;
    const char *word;
} ops[] = {{HGATE_OP_CURVATURE, "curvature"},
           {HGATE_OP_CURVATURE_KERNEL, "curvature_kernel"},
           {HGATE_OP_CURVATURE_DIRTY, "curvature_dirty"},
           {HGATE_OP_CURVATURE_DATA_VECTOR, "curvature_data_vector"}};

// One operation at a time held to each of its kernels, the others as the engine likes.
START_TEST(one_evidence_on_every_route)
{
    load(cases[_i]);
    double want = stored_evidence(_i);
    int n_routes = 0;
    for (size_t o = 0; o < sizeof ops / sizeof *ops; o++) {
        hgate_kernel_info kernels[MAX_KERNELS];
        int n = kernels_of(ops[o].op, kernels);
        for (int i = 0; i < n; i++) {
            open_held(ops[o].word, &kernels[i]);
            double got = from_the_start();
            ck_assert_msg(fabs(got - want) <= 1e-10 * fabs(want),
                          "%s, %s by %s/%s: %.15g, not %.15g", cases[_i], ops[o].word,
                          kernels[i].plugin, kernels[i].name, got, want);
            n_routes++;
            hgate_close(engine);
        }
    }
    ck_assert_int_ge(n_routes, 4);
    unload();
}
END_TEST

// ---- plans ----

enum { N_THREADS = 6, N_RUNS = 5 };

typedef struct worker {
    pthread_t thread;
    hgate_plan *plan;
    array *F;
    int status;
} worker;

static int run_plan(hgate_plan *plan, hgate_exec *exec, array *F)
{
    return hgate_curvature_run(plan, exec, &p.indptr->dl, &p.rows->dl, &p.vals->dl, &F->dl);
}

static void *run_many(void *user)
{
    worker *w = user;
    hgate_exec *exec = NULL;
    w->status = hgate_exec_new(engine, &exec);
    for (int i = 0; i < N_RUNS && w->status == HGATE_OK; i++)
        w->status = run_plan(w->plan, exec, w->F);
    hgate_exec_free(exec);
    return NULL;
}

static hgate_plan *plan_of(void)
{
    hgate_plan *plan;
    must(hgate_curvature_plan(engine, NULL, &params, &p.w->dl, &p.iy->dl, &p.ix->dl, &plan),
         "plan");
    return plan;
}

// Threads with a context each; the first runs prepare the plan in a race.
START_TEST(threads_share_a_plan)
{
    hgate_kernel_info kernels[MAX_KERNELS];
    int n = kernels_of(HGATE_OP_CURVATURE, kernels);
    load("lens");
    for (int i = 0; i < n; i++) {
        if (!open_forced("curvature", &kernels[i]))
            continue;
        hgate_plan *plan = plan_of();
        worker workers[N_THREADS];
        for (int t = 0; t < N_THREADS; t++) {
            workers[t] = (worker){.plan = plan, .F = array_2d("f64", S, S)};
            ck_assert_int_eq(pthread_create(&workers[t].thread, NULL, run_many, &workers[t]), 0);
        }
        for (int t = 0; t < N_THREADS; t++) {
            pthread_join(workers[t].thread, NULL);
            ck_assert_int_eq(workers[t].status, HGATE_OK);
            ck_assert_msg(array_equal_bits(workers[t].F, workers[0].F), "%s/%s: thread %d",
                          kernels[i].plugin, kernels[i].name, t);
        }
        ck_assert(array_distance(workers[0].F, p.F) <= 1e-12 * array_peak(p.F));
        for (int t = 0; t < N_THREADS; t++)
            array_free(workers[t].F);
        hgate_plan_free(plan);
        hgate_close(engine);
    }
    unload();
}
END_TEST

#ifdef COUNT_MALLOC
// Neither the plugins nor the libraries behind them.
START_TEST(a_warm_plan_asks_for_no_memory)
{
    hgate_kernel_info kernels[MAX_KERNELS];
    int n = kernels_of(HGATE_OP_CURVATURE, kernels);
    load("alma");
    array *F = array_2d("f64", S, S);
    for (int i = 0; i < n; i++) {
        if (!open_forced("curvature", &kernels[i]))
            continue;
        hgate_exec *exec;
        hgate_plan *plan = plan_of();
        must(hgate_exec_new(engine, &exec), "exec");
        must(hgate_exec_set_threads(exec, 1), "threads");
        int status = run_plan(plan, exec, F) | run_plan(plan, exec, F);
        long before = count_own_malloc();
        for (int k = 0; k < N_RUNS; k++)
            status |= run_plan(plan, exec, F);
        long asked = count_own_malloc() - before; // Check's own macros allocate
        ck_assert_int_eq(status, HGATE_OK);
        ck_assert_msg(asked == 0, "%s/%s: %ld allocations in %d runs", kernels[i].plugin,
                      kernels[i].name, asked, N_RUNS);
        hgate_plan_free(plan);
        hgate_exec_free(exec);
        hgate_close(engine);
    }
    array_free(F);
    unload();
}
END_TEST
#endif

// ---- decisions ----

static array *call(hgate_exec *exec)
{
    array *F = array_2d("f64", S, S);
    must(hgate_curvature(engine, exec, &params, &p.w->dl, &p.iy->dl, &p.ix->dl, &p.indptr->dl,
                         &p.rows->dl, &p.vals->dl, &F->dl),
         "F");
    return F;
}

// A NaN or an Inf sends every route, forced ones too, to `full`; it touches its own row and column.
START_TEST(non_finite_values_take_full)
{
    static const double bad[] = {NAN, INFINITY};
    hgate_kernel_info kernels[MAX_KERNELS];
    int n = kernels_of(HGATE_OP_CURVATURE, kernels);
    load("alma");
    int64_t column = S / 3, t = (int64_t)array_get(p.indptr, column);
    ck_assert(array_get(p.indptr, column + 1) > (double)t);
    for (int i = 0; i < n; i++) {
        if (!(kernels[i].spaces & HGATE_SPACE_HOST) || !strcmp(kernels[i].name, "reference"))
            continue;
        hgate_kernel_info full = {
            .plugin = strcmp(kernels[i].plugin, "cpu-fftw") ? kernels[i].plugin : "cpu-serial",
            .name = "full",
            .spaces = HGATE_SPACE_HOST};
        open_forced("curvature", &full);
        array *clean = call(NULL);
        hgate_close(engine);
        open_forced("curvature", &kernels[i]);
        hgate_exec *exec;
        must(hgate_exec_new(engine, &exec), "exec");
        double kept = array_get(p.vals, t);
        array_put(p.vals, t, bad[_i]);
        array *F = call(exec);
        array_put(p.vals, t, kept);
        const hgate_trace *trace;
        const char *plugin, *kernel, *reason;
        must(hgate_exec_last_trace(exec, &trace), "trace");
        must(hgate_trace_choice(trace, &plugin, &kernel, &reason), "choice");
        ck_assert_str_eq(plugin, full.plugin);
        ck_assert_str_eq(kernel, "full");
        for (int64_t a = 0; a < S; a++)
            for (int64_t b = 0; b < S; b++)
                ck_assert_msg(
                    a == column || b == column
                        ? !isfinite(array_get(F, a * S + b)) || array_get(clean, a * S + b) == 0.0
                        : array_get(F, a * S + b) == array_get(clean, a * S + b),
                    "%s/%s: F[%d][%d]", kernels[i].plugin, kernels[i].name, (int)a, (int)b);
        array_free(clean);
        array_free(F);
        hgate_exec_free(exec);
        hgate_close(engine);
    }
    unload();
}
END_TEST

typedef struct text {
    size_t n;
    char chars[65536];
} text;

static int keep(void *user, const char *piece, size_t n)
{
    text *to = user;
    ck_assert_uint_lt(to->n + n, sizeof to->chars);
    memcpy(to->chars + to->n, piece, n);
    to->n += n;
    to->chars[to->n] = '\0';
    return 0;
}

static hgate_trace *explained(void)
{
    hgate_trace *trace;
    array *F = array_2d("f64", S, S);
    must(hgate_curvature_explain(engine, NULL, &params, &p.w->dl, &p.iy->dl, &p.ix->dl,
                                 &p.indptr->dl, &p.rows->dl, &p.vals->dl, &F->dl, &trace),
         "explain");
    array_free(F);
    return trace;
}

// The candidate's part of the trace; NULL where it has none.
static const char *record_of(const text *json, const hgate_kernel_info *kernel)
{
    char key[96];
    snprintf(key, sizeof key, "\"plugin\":\"%s\",\"kernel\":\"%s\"", kernel->plugin, kernel->name);
    return strstr(json->chars, key);
}

// f stands against its gate, and every kernel has its prediction.
START_TEST(explain_tells_f_and_every_prediction)
{
    static text json;
    char gate[160];
    double f;
    hgate_kernel_info kernels[MAX_KERNELS];
    int n = kernels_of(HGATE_OP_CURVATURE, kernels);
    load("alma");
    must(hgate_curvature_work_fraction(&p.iy->dl, &p.ix->dl, p.w->shape[0] / 2, p.w->shape[1] / 2,
                                       &p.indptr->dl, &p.rows->dl, &f),
         "f");
    ck_assert_double_eq_tol(f, array_get(p.fractions, 0), 1e-15);
    open_with(NULL);
    hgate_trace *trace = explained();
    json.n = 0;
    must(hgate_trace_json(trace, keep, &json), "json");
    const char *told = strstr(json.chars, "\"curvature.symmetric_max_work_fraction\"");
    ck_assert_msg(told != NULL, "%s", json.chars);
    snprintf(gate, sizeof gate, "%.6g", f);
    gate[6] = '\0'; // the first digits
    const char *value = strstr(told, "\"value\":");
    ck_assert_msg(value && strncmp(value + 8, gate, strlen(gate)) == 0, "%.200s has no %s", told,
                  gate);
    ck_assert_ptr_nonnull(strstr(told, "\"limit\":0.7"));
    for (int i = 0; i < n; i++) {
        const char *record = record_of(&json, &kernels[i]);
        ck_assert_msg(record != NULL, "%s/%s", kernels[i].plugin, kernels[i].name);
        const char *seconds = strstr(record, "\"seconds\":");
        ck_assert_msg(!(kernels[i].spaces & HGATE_SPACE_HOST) ||
                          (seconds && strtod(seconds + 10, NULL) > 0.0),
                      "%.200s", record);
    }
    hgate_trace_free(trace);
    hgate_close(engine);
    unload();
}
END_TEST

// The gate at f passes, one ulp below it does not; 0 and off mean never.
START_TEST(gate_at_f)
{
    load("lens");
    double f = array_get(p.fractions, 0);
    const struct {
        double limit;
        int passes;
    } rows[] = {{f, 1}, {nextafter(f, 0.0), 0}, {nextafter(f, 1.0), 1}, {0.0, 0}, {1.0, 1}};
    char setting[96];
    snprintf(setting, sizeof setting, "gates.curvature.symmetric_max_work_fraction=%.17g",
             rows[_i].limit);
    open_with((const char *const[]){setting, "routing.force.curvature=cpu-serial/symmetric", NULL});
    array *F = array_2d("f64", S, S);
    int status = hgate_curvature(engine, NULL, &params, &p.w->dl, &p.iy->dl, &p.ix->dl,
                                 &p.indptr->dl, &p.rows->dl, &p.vals->dl, &F->dl);
    ck_assert_int_eq(status, rows[_i].passes ? HGATE_OK : HGATE_ENOKERNEL);
    array_free(F);
    hgate_close(engine);
    unload();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("curvature_routes");
    TCase *tests = tcase_create("routes");
    tcase_set_timeout(tests, 300);
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, one_evidence_on_every_route, 0, N_CASES);
    tcase_add_test(tests, threads_share_a_plan);
#ifdef COUNT_MALLOC
    tcase_add_test(tests, a_warm_plan_asks_for_no_memory);
#endif
    tcase_add_loop_test(tests, non_finite_values_take_full, 0, 2);
    tcase_add_test(tests, explain_tells_f_and_every_prediction);
    tcase_add_loop_test(tests, gate_at_f, 0, 5);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
