/* SPDX-License-Identifier: BSD-3-Clause */
/* The C API of libheadgate-mpi under mpirun, with any number of ranks: each rank computes the whole
 * problem alone, too, and compares. Sizes are divided by 2, 3 and 4 no better than by 5. */
#include "tests/mpi/check_mpi.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- layout of the public structs, as in tests/abi_layout.c ---------------------------------- */

#if defined(__LP64__)
#define SIZE(BYTES) _Static_assert(sizeof(STRUCT) == (BYTES), "size")
#define AT(MEMBER, OFFSET) _Static_assert(offsetof(STRUCT, MEMBER) == (OFFSET), #MEMBER)

#define STRUCT hgate_mpi_options
SIZE(64);
AT(device_buffers, 8);
AT(hooks, 16);
#undef STRUCT

#define STRUCT hgate_mpi_place
SIZE(32);
AT(rank, 8);
AT(size, 12);
AT(local_rank, 16);
AT(local_size, 20);
AT(threads, 24);
AT(is_direct, 28);
#undef STRUCT
#endif

int n_checks, n_failed;

static hgate_engine *engine;
static hgate_exec *exec;
static hgate_mpi *mpi;
static hgate_mpi_place place = {.struct_size = sizeof place};

void check_at(int line, int is_true, const char *words)
{
    n_checks++;
    if (!is_true) {
        n_failed++;
        fprintf(stderr, "rank %d: line %d: %s (library: %s; mpi: %s)\n", place.rank, line, words,
                hgate_last_error(), mpi ? hgate_mpi_error(mpi) : "");
    }
}

/* ---- shares ------------------------------------------------------------------------------ */

static void test_place(void)
{
    int64_t first = -1, count = -1;
    check(hgate_mpi_info(mpi, &place) == HGATE_OK && place.threads >= 1);
    check(place.local_size == place.size && place.local_rank == place.rank);
    check(hgate_mpi_share(mpi, 10, &first, &count) == HGATE_OK);
    int64_t sums[2] = {count, first + count};
    int64_t all[2] = {0, 0};
    MPI_Allreduce(&sums[0], &all[0], 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&sums[1], &all[1], 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    check(all[0] == 10 && all[1] == 10);
    if (place.size == 3) {
        check(count == (place.rank == 0 ? 4 : 3) &&
              first == (place.rank == 2 ? 7 : place.rank * 4));
    }
    check(hgate_mpi_share(mpi, -1, &first, &count) == HGATE_EVALUE);
}

static void test_sums(void)
{
    enum { N = 1037 };
    float *numbers = malloc(N * sizeof *numbers);
    for (int i = 0; i < N; i++) {
        numbers[i] = (float)(place.rank + 1) * (float)(i % 17) / 3.0f;
    }
    DLTensor array = TENSOR(numbers, F32, 17, 61);
    check(hgate_mpi_sum(mpi, exec, &array) == HGATE_OK);
    int n_wrong = 0;
    for (int i = 0; i < N; i++) {
        double sum = 0.0;
        for (int r = 0; r < place.size; r++) {
            sum += (double)((float)(r + 1) * (float)(i % 17) / 3.0f);
        }
        n_wrong += numbers[i] != (float)sum;
    }
    check(n_wrong == 0);
    free(numbers);

    double pair[] = {place.rank, 1, -place.rank, 2};
    DLTensor complex_array = TENSOR(pair, C128, 2);
    const double total = place.size * (place.size - 1) / 2.0;
    check(hgate_mpi_sum(mpi, NULL, &complex_array) == HGATE_OK);
    check(pair[0] == total && pair[1] == place.size && pair[2] == -total);
    double most[] = {place.rank, -place.rank};
    check(hgate_mpi_max(mpi, 2, most) == HGATE_OK);
    check(most[0] == place.size - 1 && most[1] == 0);

    int32_t whole[3] = {0};
    DLTensor wrong = TENSOR(whole, I32, 3);
    check(hgate_mpi_sum(mpi, NULL, place.rank == place.size - 1 ? &wrong : &complex_array) ==
          HGATE_EDTYPE);
    check(strstr(hgate_mpi_error(mpi), "expected f32") != NULL);
    if (place.size > 1) {
        DLTensor shorter = TENSOR(pair, C128, 1);
        check(hgate_mpi_sum(mpi, NULL, place.rank ? &complex_array : &shorter) == HGATE_ESHAPE);
    }
}

/* ---- kirchhoff --------------------------------------------------------------------------- */

enum { NS = 7, NR = 5, NT = 120, NX = 13, NZ = 11, NI = NX * NZ };

typedef struct survey {
    float src[NS * NI], rec[NR * NI], model[NI], data[NS * NR * NT], noise[NS * NR * NT];
} survey;

static float random_number(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(*seed >> 8) / 16777216.0f;
}

static void fill_survey(survey *s)
{
    unsigned seed = 7;
    for (int i = 0; i < NS * NI; i++) {
        s->src[i] = 0.2f * random_number(&seed);
    }
    for (int i = 0; i < NR * NI; i++) {
        s->rec[i] = 0.2f * random_number(&seed);
    }
    for (int i = 0; i < NI; i++) {
        s->model[i] = random_number(&seed) - 0.5f;
    }
    for (int i = 0; i < NS * NR * NT; i++) {
        s->data[i] = s->noise[i] = random_number(&seed) - 0.5f;
    }
}

static double dot(const float *a, const float *b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += (double)a[i] * (double)b[i];
    }
    return sum;
}

static void test_kirchhoff(int ns)
{
    survey *s = malloc(sizeof *s), *one = malloc(sizeof *one);
    int64_t first, count;
    fill_survey(s);
    fill_survey(one);
    check(hgate_mpi_share(mpi, ns, &first, &count) == HGATE_OK);
    hgate_kirchhoff_params params;
    hgate_kirchhoff_tables tables, part;
    hgate_kirchhoff_params_init(&params);
    hgate_kirchhoff_tables_init(&tables);
    params.dt = 0.004;
    params.nt = NT;
    params.nx = NX;
    params.nz = NZ;
    params.flags = HGATE_KIRCHHOFF_STATION_MAJOR;
    DLTensor src = TENSOR(s->src, F32, ns, NI), rec = TENSOR(s->rec, F32, NR, NI);
    DLTensor own_src = TENSOR(s->src + first * NI, F32, count, NI);
    DLTensor model = TENSOR(s->model, F32, NX, NZ), one_model = TENSOR(one->model, F32, NX, NZ);
    DLTensor one_data = TENSOR(one->data, F32, ns, NR, NT);
    DLTensor own_data = TENSOR(s->data + first * NR * NT, F32, count, NR, NT);
    tables.trav_src = &src;
    tables.trav_rec = &rec;
    part = tables;
    part.trav_src = &own_src;
    const hgate_kirchhoff_tables *own = count > 0 ? &part : NULL;

    check(hgate_kirchhoff_forward(engine, exec, &params, &tables, 1.5, &model, 2, &one_data) == 0);
    check(hgate_mpi_kirchhoff_forward(mpi, engine, exec, &params, own, 1.5, &model, 2, &own_data) ==
          HGATE_OK);
    check(memcmp(s->data + first * NR * NT, one->data + first * NR * NT,
                 (size_t)count * NR * NT * sizeof(float)) == 0);

    /* the adjoint of the noise, with what is there and without */
    for (int beta = 0; beta < 2; beta++) {
        DLTensor noise = TENSOR(one->noise, F32, ns, NR, NT);
        DLTensor own_noise = TENSOR(s->noise + first * NR * NT, F32, count, NR, NT);
        fill_survey(one);
        if (beta == 0) {
            s->model[0] = NAN; /* is not read */
        }
        check(hgate_kirchhoff_adjoint(engine, exec, &params, &tables, 1, &noise, beta,
                                      &one_model) == HGATE_OK);
        check(hgate_mpi_kirchhoff_adjoint(mpi, engine, exec, &params, own, 1, &own_noise, beta,
                                          &model) == HGATE_OK);
        double worst = 0.0, peak = 0.0;
        for (int i = 0; i < NI; i++) {
            worst = fmax(worst, fabs((double)s->model[i] - (double)one->model[i]));
            peak = fmax(peak, fabs((double)one->model[i]));
        }
        check(worst <= 4 * 1.1920929e-7 * place.size * peak);
        if (beta == 0) {
            survey *fresh = malloc(sizeof *fresh);
            fill_survey(fresh);
            DLTensor m = TENSOR(fresh->model, F32, NX, NZ);
            DLTensor d = TENSOR(fresh->data + first * NR * NT, F32, count, NR, NT);
            check(hgate_mpi_kirchhoff_forward(mpi, engine, exec, &params, own, 1, &m, 0, &d) == 0);
            double sides[2] = {dot(fresh->data + first * NR * NT, s->noise + first * NR * NT,
                                   (int)count * NR * NT),
                               dot(fresh->data + first * NR * NT, fresh->data + first * NR * NT,
                                   (int)count * NR * NT)};
            MPI_Allreduce(MPI_IN_PLACE, sides, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
            const double other = dot(fresh->model, s->model, NI);
            const double scale = sqrt(sides[1] * dot(s->noise, s->noise, ns * NR * NT));
            check(scale > 0 && fabs(sides[0] - other) <= 5e-7 * scale);
            memcpy(s->model, fresh->model, sizeof s->model);
            free(fresh);
        }
    }
    free(one);
    free(s);
}

/* ---- points and frequencies -------------------------------------------------------------- */

enum { POINTS = 23, IMAGES = 6, PAIRS = IMAGES * (IMAGES - 1) / 2 };

static void fill_stack(float *coh)
{
    unsigned seed = 11;
    for (int p = 0; p < POINTS; p++) {
        for (int k = 0; k < PAIRS; k++) {
            const float angle = 6.0f * random_number(&seed);
            const float size = 0.2f + 0.7f * random_number(&seed);
            coh[2 * (p * PAIRS + k)] = size * cosf(angle);
            coh[2 * (p * PAIRS + k) + 1] = size * sinf(angle);
        }
    }
}

static void test_points(void)
{
    static float coh[2 * POINTS * PAIRS], phase[2][2 * POINTS * IMAGES], quality[2][POINTS];
    static float t_coh[2][POINTS];
    static int32_t status[2][POINTS];
    int64_t first, count;
    hgate_emi_params params;
    hgate_emi_params_init(&params);
    params.n_images = IMAGES;
    fill_stack(coh);
    check(hgate_mpi_share(mpi, POINTS, &first, &count) == HGATE_OK);
    DLTensor all = TENSOR(coh, C64, POINTS, PAIRS);
    DLTensor own = TENSOR(coh + 2 * first * PAIRS, C64, count, PAIRS);
    DLTensor p0 = TENSOR(phase[0], C64, POINTS, IMAGES);
    DLTensor p1 = TENSOR(phase[1] + 2 * first * IMAGES, C64, count, IMAGES);
    DLTensor q0 = TENSOR(quality[0], F32, POINTS), q1 = TENSOR(quality[1] + first, F32, count);
    DLTensor s0 = TENSOR(status[0], I32, POINTS), s1 = TENSOR(status[1] + first, I32, count);
    DLTensor t0 = TENSOR(t_coh[0], F32, POINTS), t1 = TENSOR(t_coh[1] + first, F32, count);
    const size_t n = (size_t)count;
    for (int rule = 0; rule < 2; rule++) { /* emi, then evd */
        memset(phase, 0x5a, sizeof phase);
        memset(quality, 0x5a, sizeof quality);
        memset(status, 0x5a, sizeof status);
        check((rule ? hgate_evd(engine, exec, &params, &all, &p0, &q0, &s0)
                    : hgate_emi(engine, exec, &params, &all, &p0, &q0, &s0, NULL)) == HGATE_OK);
        check((rule ? hgate_mpi_evd(mpi, engine, exec, &params, &own, &p1, &q1, &s1)
                    : hgate_mpi_emi(mpi, engine, exec, &params, &own, &p1, &q1, &s1, NULL)) ==
              HGATE_OK);
        check(memcmp(phase[0] + 2 * first * IMAGES, phase[1] + 2 * first * IMAGES,
                     2 * n * IMAGES * sizeof(float)) == 0);
        check(memcmp(quality[0] + first, quality[1] + first, n * sizeof(float)) == 0);
        check(memcmp(status[0] + first, status[1] + first, n * sizeof(int32_t)) == 0);
    }
    check(hgate_ds_temp_coh(engine, exec, &params, &all, NULL, &p0, &t0) == HGATE_OK);
    check(hgate_mpi_ds_temp_coh(mpi, engine, exec, &params, &own, NULL, &p1, &t1) == HGATE_OK);
    check(memcmp(t_coh[0] + first, t_coh[1] + first, n * sizeof(float)) == 0);
}

static void test_frequencies(void)
{
    enum { NF = 5, NANT = 3, NSRC = 29, NZA = 5, NAZ = 9 };
    static float antpos[3 * NANT], crd[3 * NSRC], flux[NSRC], grid[NZA * NAZ], V[2][NF][2 * 9];
    unsigned seed = 13;
    for (int i = 0; i < 3 * NANT; i++) {
        antpos[i] = 30 * random_number(&seed);
    }
    for (int i = 0; i < NSRC; i++) {
        const float za = 1.5f * random_number(&seed), az = 6.2f * random_number(&seed);
        crd[i] = sinf(za) * sinf(az);
        crd[NSRC + i] = sinf(za) * cosf(az);
        crd[2 * NSRC + i] = cosf(za);
        flux[i] = random_number(&seed);
    }
    for (int i = 0; i < NZA * NAZ; i++) {
        grid[i] = random_number(&seed);
    }
    float daz = 0.785398f, dza = 0.392699f;
    DLTensor a = TENSOR(antpos, F32, NANT, 3), c = TENSOR(crd, F32, 3, NSRC);
    DLTensor f = TENSOR(flux, F32, NSRC), g = TENSOR(grid, F32, 1, 1, 1, NZA, NAZ);
    DLTensor da = TENSOR(&daz, F32, 1), dz = TENSOR(&dza, F32, 1);
    int64_t shape[] = {NANT, NANT}, first, count;
    hgate_visibility_params params[NF];
    hgate_visibility_input inputs[NF];
    DLTensor out[2][NF], *own[NF];
    for (int k = 0; k < NF; k++) {
        hgate_visibility_params_init(&params[k]);
        params[k].freq_hz = 1e8 + 1e6 * k;
        hgate_visibility_input_init(&inputs[k]);
        inputs[k].antpos = &a;
        inputs[k].crd = &c;
        inputs[k].flux = &f;
        inputs[k].grid = &g;
        inputs[k].daz = &da;
        inputs[k].dza = &dz;
        out[0][k] = tensor_of(V[0][k], C64, 2, shape);
        out[1][k] = tensor_of(V[1][k], C64, 2, shape);
        own[k] = &out[1][k];
        check(hgate_visibility(engine, exec, &params[k], &inputs[k], &out[0][k]) == HGATE_OK);
    }
    check(hgate_mpi_share(mpi, NF, &first, &count) == HGATE_OK);
    check(hgate_mpi_visibility(mpi, engine, exec, count, params + first, inputs + first,
                               own + first) == HGATE_OK);
    for (int64_t k = first; k < first + count; k++) {
        check(memcmp(V[0][k], V[1][k], sizeof V[0][k]) == 0);
    }
}

/* ---- failures ---------------------------------------------------------------------------- */

static int refuse(void *user)
{
    (void)user;
    return hgate_exec_set_threads(exec, -3);
}

/* Counts how often it is asked, and asks to stop. */
static int stop_all(void *user, int64_t done, int64_t total)
{
    (void)done, (void)total;
    return ++*(int *)user > 0;
}

static void test_failures(void)
{
    char words[32];
    const int last = place.size - 1;
    for (int turn = 0; turn < 3; turn++) { /* nothing of a failed call is left for the next */
        check(hgate_mpi_call(mpi, exec, place.rank == last ? refuse : NULL, NULL) == HGATE_EVALUE);
        check(strstr(hgate_mpi_error(mpi), "threads: is -3") != NULL);
        if (place.size > 1) {
            snprintf(words, sizeof words, "rank %d: ", last);
            check(strstr(hgate_mpi_error(mpi), words) == hgate_mpi_error(mpi));
        }
        check(hgate_mpi_call(mpi, exec, NULL, NULL) == HGATE_OK);
        check(hgate_mpi_agree(mpi, HGATE_OK, NULL) == HGATE_OK);
    }
    /* all fail: the first one's message */
    snprintf(words, sizeof words, "I am %d", place.rank);
    check(hgate_mpi_agree(mpi, HGATE_ENOMEM - place.rank, words) == HGATE_ENOMEM);
    check(strstr(hgate_mpi_error(mpi), "I am 0") != NULL);
    check(hgate_mpi_call(mpi, NULL, refuse, NULL) == HGATE_EINVAL);
    check(hgate_mpi_call(NULL, exec, refuse, NULL) == HGATE_EINVAL);
    check(hgate_mpi_visibility(mpi, engine, exec, 1, NULL, NULL, NULL) == HGATE_EINVAL);
}

static int frames(void *user)
{
    const hgate_hooks *hooks = user; /* the hook that the call has set reports for all ranks */
    (void)hooks;
    return HGATE_OK;
}

static void test_options(void)
{
    int asked = 0;
    hgate_mpi *other = NULL;
    hgate_mpi_options options;
    hgate_mpi_place there = {.struct_size = sizeof there};
    check(hgate_mpi_options_init(&options) == HGATE_OK && hgate_mpi_options_init(NULL) != 0);
    options.hooks.progress = stop_all;
    options.hooks.user = &asked;
    options.device_buffers = HGATE_MPI_BUFFERS_DIRECT;
    check(hgate_mpi_new(MPI_COMM_WORLD, &options, &other) == HGATE_OK);
    check(hgate_mpi_info(other, &there) == HGATE_OK && there.is_direct == 1);
    check(hgate_mpi_call(other, exec, frames, &options.hooks) == HGATE_OK);
    hgate_mpi_free(other);
    hgate_exec_set_hooks(exec, NULL);
    options.device_buffers = place.rank == 0 ? 7 : 0;
    check(hgate_mpi_new(MPI_COMM_WORLD, &options, &other) == HGATE_EINVAL);
    options.struct_size = 3;
    check(hgate_mpi_new(MPI_COMM_WORLD, &options, &other) == HGATE_EABI);
    check(hgate_mpi_new(MPI_COMM_WORLD, NULL, NULL) == HGATE_EINVAL);
    there.struct_size = 1;
    check(hgate_mpi_info(mpi, &there) == HGATE_EABI);
    hgate_mpi_free(NULL);
}

static int open_engine(void)
{
    static const char *const forced[] = {"kirchhoff_forward",
                                         "cpu-serial/scatter",
                                         "kirchhoff_adjoint",
                                         "cpu-serial/window",
                                         "emi",
                                         "cpu-serial/interleaved",
                                         "evd",
                                         "cpu-serial/interleaved",
                                         "visibility",
                                         "cpu-serial/gemm"};
    hgate_config *config = NULL;
    hgate_options options;
    char key[64];
    int status = hgate_config_new(&config);
    for (size_t i = 0; status == HGATE_OK && i < sizeof forced / sizeof forced[0]; i += 2) {
        snprintf(key, sizeof key, "routing.force.%s", forced[i]);
        status = hgate_config_set(config, key, forced[i + 1]);
    }
    hgate_options_init(&options);
    options.config = config;
    status = status == HGATE_OK ? hgate_open(&options, &engine) : status;
    hgate_config_free(config);
    return status == HGATE_OK ? hgate_exec_new(engine, &exec) : status;
}

int main(int argc, char **argv)
{
    int level = 0;
    check(hgate_mpi_new(MPI_COMM_WORLD, NULL, &mpi) == HGATE_ESTATE);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    check(open_engine() == HGATE_OK);
    check(hgate_mpi_new(MPI_COMM_WORLD, NULL, &mpi) == HGATE_OK);
    test_place();
    test_sums();
    test_kirchhoff(NS);
    test_kirchhoff(2); /* fewer sources than ranks */
    test_points();
    test_frequencies();
    test_failures();
    test_options();
    test_device(place);
    hgate_mpi_free(mpi);
    hgate_exec_free(exec);
    hgate_close(engine);
    int counts[2] = {n_checks, n_failed};
    MPI_Allreduce(MPI_IN_PLACE, counts, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (place.rank == 0) {
        printf("%d ranks: %d checks, %d failed\n", place.size, counts[0], counts[1]);
    }
    MPI_Finalize();
    return counts[1] > 0;
}
