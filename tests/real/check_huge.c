// SPDX-License-Identifier: BSD-3-Clause
// Arrays of more than 2^31 elements through every kernel of the build: their memory is pages of
// zeros that are never written, but for a few elements near both ends, so that the answer is that
// of a small problem. Runs when LARGE is set: it reads tens of gigabytes of address space.
#include "tests/harness.h"
#include "tests/real/problem.h"
#include "tests/tensors.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

// Zeros that cost no memory until they are written.
static void *zeros(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    ck_assert_msg(p != MAP_FAILED, "%zu bytes of addresses", bytes);
    (void)madvise(p, bytes, MADV_HUGEPAGE); // fewer faults
    return p;
}

typedef struct call {
    hgate_engine *engine;
    hgate_exec *exec;
} call;

// A test is one kernel of an operation: the runner cannot record one that takes longer than 2^32
// microseconds, and on a busy machine a few of them together do.
enum { MOST_KERNELS = 16 };

static int *n_served; // by operation, shared with the children of the runner

// Runs `body` on kernel k of an operation if there is one and it takes host arrays.
static void on_kernel(int op, int k, int (*body)(const call *c, void *user, const char *kernel),
                      void *user)
{
    hgate_engine *all = real_open(NULL, NULL, NULL, NULL);
    const int n = hgate_kernel_count(all, op);
    hgate_kernel_info info = {.struct_size = sizeof info};
    ck_assert_int_le(n, MOST_KERNELS);
    if (k < n) {
        ck_assert_int_eq(hgate_kernel_get(all, op, k, &info), HGATE_OK);
    }
    hgate_close(all);
    if (k >= n || !(info.spaces & HGATE_SPACE_HOST)) {
        return;
    }
    call c = {NULL, NULL};
    char name[128];
    snprintf(name, sizeof name, "%s/%s", info.plugin, info.name);
    c.engine =
        real_open(hgate_op_name(op), name,
                  "ops: {curvature: {exact_triangle: false, fft: off}}\nthreads: {max: 2}", NULL);
    ck_assert_int_eq(hgate_exec_new(c.engine, &c.exec), HGATE_OK);
    const int status = body(&c, user, name);
    ck_assert_msg(status == HGATE_OK || status == HGATE_ENOKERNEL || status == HGATE_ENOMEM,
                  "%s: %s", name, hgate_last_error());
    printf("%-24s %-32s %s\n", hgate_op_name(op), name,
           status == HGATE_OK ? "right" : hgate_last_error());
    fflush(stdout);
    n_served[op] += status == HGATE_OK;
    hgate_exec_free(c.exec);
    hgate_close(c.engine);
}

// ---- products: rows of zeros, a few columns at both ends

enum { ROWS = 3 };
static const int64_t columns = ((int64_t)1 << 31) / ROWS + 4097; // 3 of them are beyond 2^31

static void fill_rows(float *Z, int64_t from)
{
    for (int64_t r = 0; r < ROWS; r++) {
        for (int64_t k = 0; k < 4; k++) {
            const int64_t column = k < 2 ? k : columns - 4 + k;
            Z[2 * (r * columns + column)] = (float)(1 + r + from * k);
            Z[2 * (r * columns + column) + 1] = (float)(k - r);
        }
    }
}

// V[i][j] = sum_k A[i][k] conj(B[j][k]) over the four columns that are not zero.
static void check_product(const float *V, int64_t from_a, int64_t from_b, const char *kernel)
{
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < ROWS; j++) {
            double re = 0, im = 0;
            for (int k = 0; k < 4; k++) {
                const double a = 1 + i + (double)from_a * k, b = k - i;
                const double c = 1 + j + (double)from_b * k, d = k - j;
                re += a * c + b * d;
                im += b * c - a * d;
            }
            ck_assert_msg((double)V[2 * (i * ROWS + j)] == re &&
                              (double)V[2 * (i * ROWS + j) + 1] == im,
                          "%s: V[%d][%d] is (%g, %g), expected (%g, %g)", kernel, i, j,
                          (double)V[2 * (i * ROWS + j)], (double)V[2 * (i * ROWS + j) + 1], re, im);
        }
    }
}

typedef struct products {
    DLTensor Z, B, V, pairs, Vpairs;
    float v[2 * ROWS * ROWS];
} products;

static int gram(const call *c, void *user, const char *kernel)
{
    products *p = user;
    const int status = hgate_visibility_gram(c->engine, c->exec, NULL, &p->Z, &p->V);
    if (status == HGATE_OK) {
        check_product(p->v, 1, 1, kernel);
    }
    return status;
}

static int product(const call *c, void *user, const char *kernel)
{
    products *p = user;
    const int status = hgate_visibility_product(c->engine, c->exec, NULL, &p->Z, &p->B, &p->V);
    if (status == HGATE_OK) {
        check_product(p->v, 1, 3, kernel);
    }
    return status;
}

static int pairs(const call *c, void *user, const char *kernel)
{
    products *p = user;
    hgate_visibility_params params;
    hgate_visibility_params_init(&params);
    const int status =
        hgate_visibility_pairs(c->engine, c->exec, &params, &p->Z, &p->pairs, &p->Vpairs);
    if (status == HGATE_OK) {
        check_product(p->v, 1, 1, kernel);
    }
    return status;
}

static const struct {
    int op;
    int (*body)(const call *c, void *user, const char *kernel);
} products_of[] = {
    {HGATE_OP_VISIBILITY_GRAM, gram},
    {HGATE_OP_VISIBILITY_PRODUCT, product},
    {HGATE_OP_VISIBILITY_PAIRS, pairs},
};
enum { N_PRODUCTS = sizeof products_of / sizeof *products_of };

START_TEST(products_of_long_rows)
{
    static products p;
    static int64_t all[ROWS * ROWS][2];
    const size_t bytes = (size_t)(ROWS * columns) * 8;
    float *Z = zeros(bytes), *B = zeros(bytes);
    fill_rows(Z, 1);
    fill_rows(B, 3);
    for (int i = 0; i < ROWS * ROWS; i++) {
        all[i][0] = i / ROWS;
        all[i][1] = i % ROWS;
    }
    p.Z = TENSOR(Z, C64, ROWS, columns);
    p.B = TENSOR(B, C64, ROWS, columns);
    p.V = TENSOR(p.v, C64, ROWS, ROWS);
    p.pairs = TENSOR(all, I64, ROWS * ROWS, 2);
    p.Vpairs = TENSOR(p.v, C64, ROWS * ROWS, 1, 1);
    on_kernel(products_of[_i / MOST_KERNELS].op, _i % MOST_KERNELS,
              products_of[_i / MOST_KERNELS].body, &p);
    munmap(Z, bytes);
    munmap(B, bytes);
}
END_TEST

// ---- a data vector whose entries point behind 2^31

typedef struct vector {
    DLTensor d, indptr, rows, vals, D;
    float out[2];
} vector;

static int data_vector(const call *c, void *user, const char *kernel)
{
    vector *v = user;
    const int status = hgate_curvature_data_vector(c->engine, c->exec, NULL, &v->d, &v->indptr,
                                                   &v->rows, &v->vals, &v->D);
    ck_assert_msg(status != HGATE_OK || (v->out[0] == 2 * 3 + 5 * 7 && v->out[1] == 11 * 7),
                  "%s: (%g, %g)", kernel, (double)v->out[0], (double)v->out[1]);
    return status;
}

START_TEST(a_long_data_vector)
{
    static vector v;
    const int64_t n = ((int64_t)1 << 31) + 100;
    float *d = zeros((size_t)n * 4);
    static int64_t indptr[] = {0, 2, 3}, rows[3];
    static float vals[] = {2, 5, 11};
    rows[0] = 1;
    rows[1] = rows[2] = n - 1;
    d[1] = 3;
    d[n - 1] = 7;
    v.d = TENSOR(d, F32, n);
    v.indptr = TENSOR(indptr, I64, 3);
    v.rows = TENSOR(rows, I64, 3);
    v.vals = TENSOR(vals, F32, 3);
    v.D = TENSOR(v.out, F32, 2);
    on_kernel(HGATE_OP_CURVATURE_DATA_VECTOR, _i, data_vector, &v);
    munmap(d, (size_t)n * 4);
}
END_TEST

// ---- a survey whose traces are read behind 2^31 samples

enum { NS = 3, NR = 7, NI = 2 };
static const int64_t nt = ((int64_t)1 << 31) / (NS * NR) + 33;

typedef struct survey {
    hgate_kirchhoff_tables tables;
    DLTensor data, model;
    float out[NI];
} survey;

static int adjoint(const call *c, void *user, const char *kernel)
{
    survey *s = user;
    hgate_kirchhoff_params params;
    hgate_kirchhoff_params_init(&params);
    params.dt = 1;
    params.nt = nt;
    params.nz = 1;
    params.nx = NI;
    const int status = hgate_kirchhoff_adjoint(c->engine, c->exec, &params, &s->tables, 1.0,
                                               &s->data, 0.0, &s->model);
    ck_assert_msg(status != HGATE_OK || (s->out[0] == 5 && s->out[1] == 0), "%s: (%g, %g)", kernel,
                  (double)s->out[0], (double)s->out[1]);
    return status;
}

// Point 0 is reached at sample 9 of every trace, point 1 at sample 12.
START_TEST(a_survey_of_long_traces)
{
    static survey s;
    static float src[NI * NS], rec[NI * NR];
    static DLTensor trav_src, trav_rec;
    const size_t bytes = (size_t)(NS * NR * nt) * 4;
    float *data = zeros(bytes);
    for (int i = 0; i < NI * NS; i++) {
        src[i] = i < NS ? 4 : 5;
    }
    for (int i = 0; i < NI * NR; i++) {
        rec[i] = i < NR ? 5 : 7;
    }
    data[9] = 2;                        // first trace
    data[(NS * NR - 1) * nt + 9] = 3;   // last trace
    data[(NS * NR - 1) * nt + 400] = 8; // no point is reached there
    trav_src = TENSOR(src, F32, NI, NS);
    trav_rec = TENSOR(rec, F32, NI, NR);
    ck_assert_int_eq(hgate_kirchhoff_tables_init(&s.tables), HGATE_OK);
    s.tables.trav_src = &trav_src;
    s.tables.trav_rec = &trav_rec;
    s.data = TENSOR(data, F32, NS, NR, nt);
    s.model = TENSOR(s.out, F32, NI, 1);
    on_kernel(HGATE_OP_KIRCHHOFF_ADJOINT, _i, adjoint, &s);
    munmap(data, bytes);
}
END_TEST

// ---- a convolution kernel w of more than 2^31 elements, three pixels in the corners

enum { N_PIXELS = 3, N_SOURCES = 2 };
static const int64_t side = 23200; // (2 side)^2 is beyond 2^31

typedef struct image {
    DLTensor w, iy, ix, indptr, rows, vals, F;
    float out[N_SOURCES * N_SOURCES];
} image;

static int curvature(const call *c, void *user, const char *kernel)
{
    image *m = user;
    hgate_curvature_params params;
    hgate_curvature_params_init(&params);
    const int status = hgate_curvature(c->engine, c->exec, &params, &m->w, &m->iy, &m->ix,
                                       &m->indptr, &m->rows, &m->vals, &m->F);
    // F = M^T W M with W = 13 on the diagonal, 17 between the two far corners
    const float expected[] = {4 * 13, 2 * 3 * 17, 2 * 3 * 17, 9 * 13};
    ck_assert_msg(status != HGATE_OK || memcmp(m->out, expected, sizeof expected) == 0,
                  "%s: %g %g %g %g", kernel, (double)m->out[0], (double)m->out[1],
                  (double)m->out[2], (double)m->out[3]);
    return status;
}

START_TEST(a_large_image)
{
    static image m;
    const int64_t n = 2 * side, last = side - 1;
    float *w = zeros((size_t)(n * n) * 4);
    static int64_t iy[N_PIXELS], ix[N_PIXELS], indptr[] = {0, 1, 2}, rows[] = {0, 2};
    static float vals[] = {2, 3};
    iy[2] = ix[2] = last;
    ix[1] = 5;
    w[0] = 13;
    w[last * n + last] = w[(n - last) * n + n - last] = 17; // w is even around its origin
    m.w = TENSOR(w, F32, n, n);
    m.iy = TENSOR(iy, I64, N_PIXELS);
    m.ix = TENSOR(ix, I64, N_PIXELS);
    m.indptr = TENSOR(indptr, I64, 3);
    m.rows = TENSOR(rows, I64, 2);
    m.vals = TENSOR(vals, F32, 2);
    m.F = TENSOR(m.out, F32, N_SOURCES, N_SOURCES);
    on_kernel(HGATE_OP_CURVATURE, _i, curvature, &m);
    munmap(w, (size_t)(n * n) * 4);
}
END_TEST

START_TEST(every_operation_was_served)
{
    static const int ops[] = {HGATE_OP_CURVATURE,          HGATE_OP_CURVATURE_DATA_VECTOR,
                              HGATE_OP_KIRCHHOFF_ADJOINT,  HGATE_OP_VISIBILITY_GRAM,
                              HGATE_OP_VISIBILITY_PRODUCT, HGATE_OP_VISIBILITY_PAIRS};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        ck_assert_msg(n_served[ops[i]] > 0, "%s", hgate_op_name(ops[i]));
    }
}
END_TEST

int main(void)
{
    if (!getenv("LARGE")) {
        printf("skipped: LARGE is not set\n");
        return 77;
    }
    n_served = mmap(NULL, HGATE_OP_COUNT * sizeof *n_served, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (n_served == MAP_FAILED) {
        return EXIT_FAILURE;
    }
    Suite *suite = suite_create("huge");
    TCase *tests = tcase_create("huge");
    tcase_set_timeout(tests, 4200);
    tcase_add_loop_test(tests, a_long_data_vector, 0, MOST_KERNELS);
    tcase_add_loop_test(tests, a_survey_of_long_traces, 0, MOST_KERNELS);
    tcase_add_loop_test(tests, a_large_image, 0, MOST_KERNELS);
    tcase_add_loop_test(tests, products_of_long_rows, 0, N_PRODUCTS * MOST_KERNELS);
    tcase_add_test(tests, every_operation_was_served);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
