// SPDX-License-Identifier: BSD-3-Clause
// Kirchhoff surveys whose arrays have more than 2^31 elements, on the kernels for host memory. They
// take 11 GB and a few minutes, so they run only when the variable LARGE is set.
#include "tests/harness.h"

#include <headgate/headgate.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *const forward_kernels[] = {"cpu-serial/scatter", "cpu-serial/reference",
                                              "cpu-openmp/scatter"};
static const char *const adjoint_kernels[] = {"cpu-serial/window", "cpu-serial/gather",
                                              "cpu-serial/reference", "cpu-openmp/window"};

static double available_gb(void)
{
    char line[256];
    double kilobytes = 0;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && fgets(line, sizeof line, file) &&
           sscanf(line, "MemAvailable: %lf", &kilobytes) != 1)
        continue;
    if (file)
        fclose(file);
    return kilobytes * 1024 / 1e9;
}

// Both directions forced to one kernel each; NULL where the plugin is not there.
static hgate_engine *engine_with(const char *op, const char *kernel)
{
    char key[64];
    hgate_config *config;
    hgate_options options;
    hgate_engine *engine = NULL;
    snprintf(key, sizeof key, "routing.force.%s", op);
    hgate_options_init(&options);
    ck_assert_int_eq(hgate_config_new(&config), HGATE_OK);
    ck_assert_int_eq(hgate_config_set(config, key, kernel), HGATE_OK);
    options.config = config;
    if (hgate_open(&options, &engine) != HGATE_OK)
        printf("%s is left out: %s\n", kernel, hgate_last_error());
    hgate_config_free(config);
    return engine;
}

typedef struct tensor {
    DLTensor dl;
    int64_t shape[3];
} tensor;

static DLTensor *tensor_on(tensor *t, void *data, int ndim, int64_t n0, int64_t n1, int64_t n2)
{
    *t = (tensor){.dl = {.data = data,
                         .device = {(DLDeviceType)HGATE_DL_CPU, 0},
                         .ndim = ndim,
                         .dtype = {kDLFloat, 32, 1}},
                  .shape = {n0, n1, n2}};
    t->dl.shape = t->shape;
    return &t->dl;
}

typedef struct large {
    int64_t ns, nr, nt, nx, nz;
    float *src, *rec, *model, *data;
} large;

static int run(hgate_engine *engine, const large *s, int is_forward)
{
    tensor src, rec, model, data;
    hgate_kirchhoff_params params;
    hgate_kirchhoff_tables tables;
    int64_t ni = s->nx * s->nz;
    hgate_kirchhoff_params_init(&params);
    hgate_kirchhoff_tables_init(&tables);
    params.dt = 1.0 / 256;
    params.nt = s->nt, params.nz = s->nz, params.nx = s->nx;
    params.flags = HGATE_KIRCHHOFF_STATION_MAJOR;
    params.check = HGATE_CHECK_NONE;
    tables.trav_src = tensor_on(&src, s->src, 2, s->ns, ni, 0);
    tables.trav_rec = tensor_on(&rec, s->rec, 2, s->nr, ni, 0);
    DLTensor *m = tensor_on(&model, s->model, 1, ni, 0, 0);
    DLTensor *d = tensor_on(&data, s->data, 3, s->ns, s->nr, s->nt);
    return is_forward ? hgate_kirchhoff_forward(engine, NULL, &params, &tables, 1, m, 0, d)
                      : hgate_kirchhoff_adjoint(engine, NULL, &params, &tables, 1, d, 0, m);
}

#define assert_ok(CALL) ck_assert_msg((CALL) == HGATE_OK, "%s", hgate_last_error())

static int is_short_of(double gb, const char *what)
{
    const double there = available_gb();
    if (there < gb)
        printf("skipped: %s needs %.0f GB, %.1f are available\n", what, gb, there);
    return there < gb;
}

// ---- ns nr nt above 2^31 ----

enum { NS = 1100, NR = 2000, NT = 1000, NX = 2, NZ = 3, NI = NX * NZ };

static float time_of(int64_t station, int64_t i)
{
    return (float)((double)(station * 37 % 401) + 0.25 * (double)(i + 1)) / 256;
}

static large survey_of_traces(float *data)
{
    large s = {NS, NR, NT, NX, NZ, NULL, NULL, NULL, data};
    s.src = malloc(NS * NI * sizeof(float));
    s.rec = malloc(NR * NI * sizeof(float));
    s.model = malloc(NI * sizeof(float));
    for (int64_t j = 0; j < NS * NI; j++)
        s.src[j] = time_of(j / NI, j % NI);
    for (int64_t j = 0; j < NR * NI; j++)
        s.rec[j] = time_of(j / NI + 5, j % NI);
    for (int64_t i = 0; i < NI; i++)
        s.model[i] = 1.0F + (float)i;
    return s;
}

// The same pair of stations alone.
static large one_pair(const large *s, int64_t source, int64_t receiver, float *model, float *data)
{
    return (large){1, 1, NT, NX, NZ, s->src + source * NI, s->rec + receiver * NI, model, data};
}

static const int64_t pairs[][2] = {{0, 0}, {1073, 1483}, {1073, 1484}, {1099, 1998}, {1099, 1999}};

START_TEST(many_traces)
{
    if (is_short_of(11, "ns nr nt = 2.2e9"))
        return;
    large s = survey_of_traces(NULL);
    float alone[NT];
    for (size_t k = 0; k < sizeof forward_kernels / sizeof *forward_kernels; k++) {
        hgate_engine *engine = engine_with("kirchhoff_forward", forward_kernels[k]);
        if (!engine)
            continue;
        s.data = malloc((size_t)NS * NR * NT * sizeof(float));
        ck_assert_ptr_nonnull(s.data);
        assert_ok(run(engine, &s, 1));
        for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
            large pair = one_pair(&s, pairs[p][0], pairs[p][1], s.model, alone);
            assert_ok(run(engine, &pair, 1));
            const float *trace = s.data + (pairs[p][0] * NR + pairs[p][1]) * NT;
            ck_assert_msg(memcmp(trace, alone, sizeof alone) == 0, "%s: trace (%lld, %lld)",
                          forward_kernels[k], (long long)pairs[p][0], (long long)pairs[p][1]);
        }
        free(s.data);
        hgate_close(engine);
    }
    free(s.src), free(s.rec), free(s.model);
}
END_TEST

START_TEST(last_traces_to_an_image)
{
    if (is_short_of(11, "ns nr nt = 2.2e9"))
        return;
    large s = survey_of_traces(NULL);
    s.data = calloc((size_t)NS * NR * NT, sizeof(float)); // pages that nobody wrote are shared
    ck_assert_ptr_nonnull(s.data);
    float alone[NT], want[NI], *last = s.data + ((int64_t)NS * NR - 1) * NT;
    for (int64_t n = 0; n < NT; n++)
        last[n] = alone[n] = (float)(n % 17) + 1;
    for (size_t k = 0; k < sizeof adjoint_kernels / sizeof *adjoint_kernels; k++) {
        hgate_engine *engine = engine_with("kirchhoff_adjoint", adjoint_kernels[k]);
        if (!engine)
            continue;
        large pair = one_pair(&s, NS - 1, NR - 1, want, alone);
        assert_ok(run(engine, &pair, 0));
        assert_ok(run(engine, &s, 0));
        for (int i = 0; i < NI; i++)
            ck_assert_msg(s.model[i] == want[i] && want[i] != 0, "%s: point %d is %g, expected %g",
                          adjoint_kernels[k], i, (double)s.model[i], (double)want[i]);
        hgate_close(engine);
    }
    free(s.data), free(s.src), free(s.rec), free(s.model);
}
END_TEST

// ---- ni ns above 2^31 ----

enum { TALL = 1 << 22, STATIONS = 520 }; // 2.18e9 entries

// A table whose stations all lie on the same memory: 16 MiB stand for 8.7 GB. The last station has
// memory of its own.
static float *folded_table(float *last)
{
    const size_t bytes = (size_t)TALL * sizeof(float);
    char *table =
        mmap(NULL, bytes * STATIONS, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    FILE *file = tmpfile();
    if (table == MAP_FAILED || !file || ftruncate(fileno(file), (off_t)(2 * bytes)))
        return NULL;
    for (int j = 0; j < STATIONS; j++)
        if (mmap(table + (size_t)j * bytes, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                 fileno(file), j == STATIONS - 1 ? (off_t)bytes : 0) == MAP_FAILED)
            return NULL;
    fclose(file);
    float *first = (float *)(void *)table, *end = first + (int64_t)(STATIONS - 1) * TALL;
    for (int64_t i = 0; i < TALL; i++)
        first[i] = 1e9F; // beyond the record
    memcpy(end, last, bytes);
    return first;
}

START_TEST(many_entries)
{
    if (is_short_of(11, "ni ns = 2.2e9"))
        return;
    float *last = malloc(TALL * sizeof(float)), *rec = malloc(TALL * sizeof(float));
    float *model = malloc(TALL * sizeof(float)), *want = malloc(TALL * sizeof(float));
    float *data = calloc((size_t)STATIONS * NT, sizeof(float)), *alone = calloc(NT, sizeof(float));
    for (int64_t i = 0; i < TALL; i++)
        last[i] = (float)(i * 7 % 911) / 512, rec[i] = 0.125F;
    for (int64_t n = 0; n < NT; n++)
        data[(STATIONS - 1) * NT + n] = alone[n] = (float)(n % 13) + 1;
    float *src = folded_table(last);
    ck_assert_ptr_nonnull(src);
    for (size_t k = 0; k < sizeof adjoint_kernels / sizeof *adjoint_kernels; k++) {
        hgate_engine *engine = engine_with("kirchhoff_adjoint", adjoint_kernels[k]);
        if (!engine)
            continue;
        large s = {STATIONS, 1, NT, TALL / 64, 64, src, rec, model, data};
        large pair = {1, 1, NT, TALL / 64, 64, last, rec, want, alone};
        assert_ok(run(engine, &pair, 0));
        assert_ok(run(engine, &s, 0));
        ck_assert_msg(memcmp(model, want, TALL * sizeof(float)) == 0, "%s", adjoint_kernels[k]);
        hgate_close(engine);
    }
    munmap(src, (size_t)TALL * STATIONS * sizeof(float));
    free(last), free(rec), free(model), free(want), free(data), free(alone);
}
END_TEST

int main(void)
{
    if (!getenv("LARGE")) {
        printf("skipped: takes 11 GB and minutes; LARGE=1 runs it\n");
        return 77;
    }
    Suite *suite = suite_create("large");
    TCase *tests = tcase_create("large");
    tcase_set_timeout(tests, 1200);
    tcase_add_test(tests, many_traces);
    tcase_add_test(tests, last_traces_to_an_image);
    tcase_add_test(tests, many_entries);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
