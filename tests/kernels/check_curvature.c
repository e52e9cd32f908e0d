// SPDX-License-Identifier: BSD-3-Clause
// The kernels of the family curvature against stored results, against each other, and on odd data.
#include "tests/harness.h"
#include "tests/kernels/conformance.h"
#include "tests/kernels/conformance_device.h"

#include <math.h>
#include <string.h>

// A stored case: see tests/data/make_curvature.py for what each array is.
typedef struct problem {
    array *w, *iy, *ix, *indptr, *rows, *vals, *fractions, *F;
    array *uv, *sigma, *pix, *vis, *y, *x, *d, *D;
} problem;
enum { N_ARRAYS = sizeof(problem) / sizeof(array *) };

static const char *const cases[] = {"square", "circle",    "offset", "annulus", "lens",
                                    "rect",   "rect-lens", "empty",  "row",     "column",
                                    "one",    "tangled",   "alma"};
enum { N_CASES = sizeof cases / sizeof *cases };

static problem load(const char *name)
{
    problem p;
    char path[64];
    snprintf(path, sizeof path, "curvature/%s.npy", name);
    FILE *file = stored_open(path);
    for (int i = 0; i < N_ARRAYS; i++)
        ((array **)&p)[i] = stored_next(file);
    fclose(file);
    return p;
}

static void unload(problem *p)
{
    for (int i = 0; i < N_ARRAYS; i++)
        array_free(((array **)p)[i]);
}

// Changes an array of a problem to another type.
static void retype(array **a, const char *type)
{
    array *b = array_as(*a, type);
    array_free(*a);
    *a = b;
}

static void retype_reals(problem *p, const char *type)
{
    retype(&p->w, type);
    retype(&p->vals, type);
    retype(&p->d, type);
}

static hgate_curvature_params params = {.struct_size = sizeof params};

static conf_call call_curvature(const problem *p, array *F)
{
    conf_call call;
    uint32_t dtype = p->vals->element == 4 ? HGATE_F32 : HGATE_F64;
    conf_call_init(&call, HGATE_OP_CURVATURE, dtype, &params);
    conf_in(&call, HGATE_CURVATURE_W, p->w);
    conf_in(&call, HGATE_CURVATURE_IY, p->iy);
    conf_in(&call, HGATE_CURVATURE_IX, p->ix);
    conf_in(&call, HGATE_CURVATURE_INDPTR, p->indptr);
    conf_in(&call, HGATE_CURVATURE_ROWS, p->rows);
    conf_in(&call, HGATE_CURVATURE_VALS, p->vals);
    conf_out(&call, HGATE_CURVATURE_F, F);
    conf_dim(&call, HGATE_DIM_CURVATURE_NY, p->w->shape[0] / 2);
    conf_dim(&call, HGATE_DIM_CURVATURE_NX, p->w->shape[1] / 2);
    conf_dim(&call, HGATE_DIM_CURVATURE_N, p->iy->count);
    conf_dim(&call, HGATE_DIM_CURVATURE_S, p->indptr->count - 1);
    conf_dim(&call, HGATE_DIM_CURVATURE_NNZ, p->vals->count);
    return call;
}

static array *new_F(const problem *p)
{
    int64_t S = p->indptr->count - 1;
    return array_2d(array_type(p->vals), S, S);
}

// F of a kernel, which must succeed.
static array *F_of(const conf_kernel *kernel, const problem *p, int threads)
{
    array *F = new_F(p);
    conf_call call = call_curvature(p, F);
    conf_run_ok(kernel, &call, threads);
    return F;
}

static const char *const types[] = {"f32", "f64"};
static const uint32_t dtypes[] = {HGATE_F32, HGATE_F64};

static void setup(void)
{
    conf_set("ops.curvature.exact_triangle", "false");
    conf_open();
}

START_TEST(stored_results)
{
    problem p = load(cases[_i]);
    for (int t = 0; t < 2; t++) {
        retype_reals(&p, types[t]);
        retype(&p.rows, t == 0 ? "i32" : "i64");
        retype(&p.iy, t == 0 ? "i64" : "i32");
        retype(&p.ix, t == 0 ? "i32" : "i64");
        double bound = conf_tolerance(HGATE_OP_CURVATURE, dtypes[t]) * array_peak(p.F);
        const conf_kernel *k;
        for (int i = 0; (k = conf_kernel_at(HGATE_OP_CURVATURE, dtypes[t], i)); i++) {
            array *F = F_of(k, &p, 1);
            double error = array_distance(F, p.F);
            ck_assert_msg(error <= bound, "%s %s: error %g, bound %g", cases[_i],
                          conf_label(k, dtypes[t]), error, bound);
            array_free(F);
        }
        unload(&p);
        p = load(cases[_i]);
    }
    unload(&p);
}
END_TEST

// First entry of a column.
static int64_t start_of(const problem *p, int64_t column)
{
    return (int64_t)array_get(p->indptr, column);
}

// Rank of each column by its first row, ties in order.
static void rank_columns(const problem *p, int64_t *rank)
{
    int64_t S = p->indptr->count - 1, ny = p->w->shape[0] / 2;
    double *ymin = calloc((size_t)S, sizeof *ymin);
    for (int64_t s = 0; s < S; s++) {
        ymin[s] = (double)ny;
        for (int64_t t = start_of(p, s); t < start_of(p, s + 1); t++)
            ymin[s] = fmin(ymin[s], array_get(p->iy, (int64_t)array_get(p->rows, t)));
    }
    for (int64_t s = 0; s < S; s++) {
        rank[s] = 0;
        for (int64_t c = 0; c < S; c++)
            rank[s] += ymin[c] < ymin[s] || (ymin[c] == ymin[s] && c < s);
    }
    free(ymin);
}

static int same_bits(const array *a, int64_t i, const array *b, int64_t j)
{
    return memcmp((char *)a->data + (size_t)i * a->element,
                  (char *)b->data + (size_t)j * b->element, a->element) == 0;
}

START_TEST(symmetric_has_the_bits_of_full)
{
    problem p = load(cases[_i]);
    int64_t S = p.indptr->count - 1;
    int64_t *rank = calloc((size_t)S + 1, sizeof *rank);
    rank_columns(&p, rank);
    for (int t = 0; t < 2; t++) {
        retype_reals(&p, types[t]);
        const conf_kernel *k;
        for (int i = 0; (k = conf_kernel_at(HGATE_OP_CURVATURE, dtypes[t], i)); i++) {
            if (strcmp(k->kernel->name, "symmetric") != 0)
                continue;
            array *sym = F_of(k, &p, 1);
            array *full = F_of(conf_find(HGATE_OP_CURVATURE, k->plugin->name, "full"), &p, 1);
            for (int64_t s = 0; s < S; s++)
                for (int64_t c = 0; c < S; c++)
                    if (rank[c] >= rank[s])
                        ck_assert_msg(same_bits(sym, s * S + c, full, s * S + c), "%s F[%d][%d]",
                                      conf_label(k, dtypes[t]), (int)s, (int)c);
            array_free(sym);
            array_free(full);
        }
    }
    free(rank);
    unload(&p);
}
END_TEST

START_TEST(F_is_its_transpose_in_bits)
{
    static const char *const names[] = {"symmetric", "pair", "fft"};
    problem p = load(cases[_i]);
    for (int t = 0; t < 2; t++) {
        retype_reals(&p, types[t]);
        const conf_kernel *k;
        for (int i = 0; (k = conf_kernel_at(HGATE_OP_CURVATURE, dtypes[t], i)); i++) {
            int is_symmetric = 0;
            for (size_t n = 0; n < sizeof names / sizeof *names; n++)
                is_symmetric |= strcmp(k->kernel->name, names[n]) == 0;
            if (!is_symmetric)
                continue;
            array *F = F_of(k, &p, 1);
            int64_t S = F->shape[0];
            for (int64_t s = 0; s < S; s++)
                for (int64_t c = 0; c < s; c++)
                    ck_assert_msg(same_bits(F, s * S + c, F, c * S + s), "%s F[%d][%d]",
                                  conf_label(k, dtypes[t]), (int)s, (int)c);
            array_free(F);
        }
    }
    unload(&p);
}
END_TEST

static int64_t moved(int64_t column, int64_t S)
{
    return S - 1 - column;
}

// The same columns in another order.
static problem move_columns(const problem *p)
{
    const int64_t S = p->indptr->count - 1;
    problem q = *p;
    q.indptr = array_copy(p->indptr), q.rows = array_copy(p->rows), q.vals = array_copy(p->vals);
    for (int64_t s = 0, at = 0; s < S; s++) {
        for (int64_t t = start_of(p, moved(s, S)); t < start_of(p, moved(s, S) + 1); t++, at++) {
            array_put(q.rows, at, array_get(p->rows, t));
            array_put(q.vals, at, array_get(p->vals, t));
        }
        array_put(q.indptr, s + 1, (double)at);
    }
    return q;
}

START_TEST(columns_in_another_order)
{
    problem p = load(cases[_i]);
    const int64_t S = p.indptr->count - 1;
    for (int t = 0; t < 2; t++) {
        retype_reals(&p, types[t]);
        problem q = move_columns(&p);
        const double bound = 2 * conf_tolerance(HGATE_OP_CURVATURE, dtypes[t]) * array_peak(p.F);
        const conf_kernel *k;
        for (int i = 0; (k = conf_kernel_at(HGATE_OP_CURVATURE, dtypes[t], i)); i++) {
            array *F = F_of(k, &p, 1), *G = F_of(k, &q, 1);
            for (int64_t s = 0; s < S * S; s++) {
                const int64_t from = moved(s / S, S) * S + moved(s % S, S);
                if (!(fabs(array_get(G, s) - array_get(F, from)) <= bound))
                    ck_abort_msg("%s F[%d][%d]", conf_label(k, dtypes[t]), (int)(s / S),
                                 (int)(s % S));
            }
            array_free(F), array_free(G);
        }
        array_free(q.indptr), array_free(q.rows), array_free(q.vals);
    }
    unload(&p);
}
END_TEST

// Any number of threads, and run after run: the bits of cpu-serial with one. A device has its own.
START_TEST(threads_do_not_change_a_bit)
{
    static const int threads[] = {1, 2, 3, 8, 1};
    problem p = load(cases[_i]);
    for (int t = 0; t < 2; t++) {
        retype_reals(&p, types[t]);
        const conf_kernel *k;
        for (int i = 0; (k = conf_kernel_at(HGATE_OP_CURVATURE, dtypes[t], i)); i++) {
            const conf_kernel *serial =
                conf_is_device(k) ? NULL
                                  : conf_find(HGATE_OP_CURVATURE, "cpu-serial", k->kernel->name);
            array *first = F_of(serial ? serial : k, &p, 1);
            for (size_t n = 0; n < sizeof threads / sizeof *threads; n++) {
                array *F = F_of(k, &p, threads[n]);
                ck_assert_msg(array_equal_bits(F, first), "%s with %d threads",
                              conf_label(k, dtypes[t]), threads[n]);
                array_free(F);
            }
            array_free(first);
        }
    }
    unload(&p);
}
END_TEST

START_TEST(instruction_sets_give_equal_bits)
{
    array *first[N_CASES] = {0};
    static const char *const isa[] = {"avx2", "avx512"};
    for (int n = 0; n < 2; n++) {
        conf_set("ops.curvature.exact_triangle", "false");
        conf_set("plugins.cpu-serial.options.isa", isa[n]);
        conf_open();
        const conf_kernel *k = conf_find(HGATE_OP_CURVATURE, "cpu-serial", _i ? "pair" : "full");
        for (int c = 0; c < N_CASES && k; c++) {
            problem p = load(cases[c]);
            array *F = F_of(k, &p, 1);
            if (first[c])
                ck_assert_msg(array_equal_bits(F, first[c]), "%s: avx2 and avx512 differ",
                              cases[c]);
            array_free(first[c]);
            first[c] = F;
            unload(&p);
        }
        conf_close();
    }
    for (int c = 0; c < N_CASES; c++)
        array_free(first[c]);
}
END_TEST

// Kernels that leave non-finite data to `full`: of their own plugin, or of cpu-serial where that
// has none.
static int hands_over(const conf_kernel *k)
{
    return k->kernel->plain || strcmp(k->kernel->name, "fft") == 0;
}

// A non-finite value touches its own row and column; the rest keeps the bits of the clean result.
START_TEST(non_finite_values)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    problem p = load("tangled");
    int64_t S = p.indptr->count - 1, column = 4;
    const conf_kernel *k;
    for (int i = 0; (k = conf_kernel_at(HGATE_OP_CURVATURE, HGATE_F64, i)); i++) {
        array *clean = F_of(k, &p, 1), *F = new_F(&p);
        int64_t t = (int64_t)array_get(p.indptr, column) + 1;
        double kept = array_get(p.vals, t);
        array_put(p.vals, t, bad[_i]);
        conf_call call = call_curvature(&p, F);
        int status = conf_run(k, &call, 1);
        array_put(p.vals, t, kept);
        if (hands_over(k)) {
            ck_assert_int_eq(status, HGATE_RUN_PLAIN);
        } else {
            ck_assert_int_eq(status, HGATE_OK);
            for (int64_t a = 0; a < S; a++)
                for (int64_t b = 0; b < S; b++)
                    ck_assert_msg(a == column || b == column
                                      ? !isfinite(array_get(F, a * S + b)) ||
                                            array_get(clean, a * S + b) == 0.0
                                      : same_bits(F, a * S + b, clean, a * S + b),
                                  "%s F[%d][%d]", conf_label(k, HGATE_F64), (int)a, (int)b);
        }
        array_free(clean);
        array_free(F);
    }
    unload(&p);
}
END_TEST

// Numbers below the least normal one are numbers, and zeros that are stored are entries like
// others.
START_TEST(denormal_values_and_stored_zeros)
{
    static const int exponents[] = {-135, -1050};
    problem p = load("tangled");
    retype_reals(&p, types[_i]);
    int64_t S = p.indptr->count - 1, column = 4;
    for (int64_t t = 0; t < p.vals->count; t += 3)
        array_put(p.vals, t, 0.0);
    const conf_kernel *k, *reference = conf_find(HGATE_OP_CURVATURE, "cpu-serial", NULL);
    array *want = F_of(reference, &p, 1);
    int64_t from = (int64_t)array_get(p.indptr, column),
            to = (int64_t)array_get(p.indptr, column + 1);
    int n_tiny = 0;
    for (int64_t t = from; t < to; t++) {
        array_put(p.vals, t, ldexp(array_get(p.vals, t), exponents[_i]));
        n_tiny += array_get(p.vals, t) != 0.0;
    }
    ck_assert_int_gt(n_tiny, 0);
    double bound = conf_tolerance(HGATE_OP_CURVATURE, dtypes[_i]) * array_peak(want);
    for (int i = 0; (k = conf_kernel_at(HGATE_OP_CURVATURE, dtypes[_i], i)); i++) {
        array *F = F_of(k, &p, 1);
        for (int64_t a = 0; a < S; a++)
            for (int64_t b = 0; b < S; b++) {
                if (a == column && b == column)
                    continue; // the square of such a number is 0
                int is_tiny = a == column || b == column;
                double found = ldexp(array_get(F, a * S + b), is_tiny ? -exponents[_i] : 0);
                double error = fabs(found - array_get(want, a * S + b));
                ck_assert_msg(error <= (is_tiny ? 1e-3 * array_peak(want) : bound),
                              "%s F[%d][%d]: error %g", conf_label(k, dtypes[_i]), (int)a, (int)b,
                              error);
            }
        array_free(F);
    }
    array_free(want);
    unload(&p);
}
END_TEST

START_TEST(known_non_finite_values_are_refused)
{
    hgate_curvature_facts facts = {
        .struct_size = sizeof facts, .is_known = 1, .work_fraction = 0.5, .pair_fraction = 0.4};
    problem p = load("tangled");
    array *F = new_F(&p);
    const conf_kernel *k;
    for (int i = 0; (k = conf_kernel_at(HGATE_OP_CURVATURE, HGATE_F64, i)); i++) {
        conf_call call = call_curvature(&p, F);
        call.problem.facts = &facts;
        ck_assert_int_eq(conf_run(k, &call, 1), hands_over(k) ? CONF_REFUSED : HGATE_OK);
    }
    array_free(F);
    unload(&p);
}
END_TEST

// The order that curvature.h fixes for a w that is not even, written out.
static array *F_of_general_w(const problem *p)
{
    array *F = new_F(p);
    int64_t S = F->shape[0], ld_y = p->w->shape[0], ld_x = p->w->shape[1];
    for (int64_t s = 0; s < S; s++)
        for (int64_t c = 0; c < S; c++) {
            double sum = 0.0;
            for (int64_t t = start_of(p, c); t < start_of(p, c + 1); t++)
                for (int64_t u = start_of(p, s); u < start_of(p, s + 1); u++) {
                    int64_t a = (int64_t)array_get(p->rows, t), b = (int64_t)array_get(p->rows, u);
                    int64_t dy = (int64_t)(array_get(p->iy, a) - array_get(p->iy, b));
                    int64_t dx = (int64_t)(array_get(p->ix, a) - array_get(p->ix, b));
                    sum += array_get(p->vals, t) * array_get(p->vals, u) *
                           array_get(p->w, (dy + ld_y) % ld_y * ld_x + (dx + ld_x) % ld_x);
                }
            array_put(F, s * S + c, sum);
        }
    return F;
}

START_TEST(a_general_w_is_for_full_alone)
{
    problem p = load("offset");
    array *F = new_F(&p);
    params.w_general = 1;
    for (int64_t i = 0; i < p.w->count; i++) // no longer even
        array_put(p.w, i, array_get(p.w, i) * (1.0 + 0.01 * (double)(i % 7)));
    array *expected = F_of_general_w(&p);
    const conf_kernel *k;
    for (int i = 0; (k = conf_kernel_at(HGATE_OP_CURVATURE, HGATE_F64, i)); i++) {
        conf_call call = call_curvature(&p, F);
        int status = conf_run(k, &call, 1);
        ck_assert_int_eq(status, k->kernel->plain ? CONF_REFUSED : HGATE_OK);
        if (status == HGATE_OK)
            ck_assert(array_distance(F, expected) <= 1e-12 * array_peak(expected));
    }
    params.w_general = 0;
    array_free(F);
    array_free(expected);
    unload(&p);
}
END_TEST

// What a kernel must refuse even where nobody checked before it: everything that would lead it out
// of its arrays.
static const struct {
    const char *what;
    size_t array; // offset in the problem
    int64_t element;
    double value;
} wild[] = {
    {"rows", offsetof(problem, rows), 5, 31},     {"rows", offsetof(problem, rows), 0, -1},
    {"iy", offsetof(problem, iy), 9, 7},          {"iy", offsetof(problem, iy), 0, -1},
    {"ix", offsetof(problem, ix), 30, 12},        {"ix", offsetof(problem, ix), 3, -4},
    {"indptr", offsetof(problem, indptr), 0, 1},  {"indptr", offsetof(problem, indptr), 9, 40},
    {"indptr", offsetof(problem, indptr), 3, 20}, {"indptr", offsetof(problem, indptr), 4, -2},
    {"indptr", offsetof(problem, indptr), 9, 38},
};

START_TEST(wild_indices)
{
    problem p = load("tangled");
    ck_assert_int_eq(p.rows->count, 39);
    array *a = *(array **)((char *)&p + wild[_i].array);
    array_put(a, wild[_i].element, wild[_i].value);
    array *F = new_F(&p);
    const conf_kernel *k;
    for (int i = 0; (k = conf_kernel_at(HGATE_OP_CURVATURE, HGATE_F64, i)); i++) {
        conf_call call = call_curvature(&p, F);
        ck_assert_int_eq(conf_run(k, &call, 1), HGATE_EVALUE);
        ck_assert_msg(strstr(conf_message(), wild[_i].what) != NULL, "%s: \"%s\" does not name %s",
                      conf_label(k, HGATE_F64), conf_message(), wild[_i].what);
    }
    array_free(F);
    unload(&p);
}
END_TEST

// More cells, columns or entries than the fast kernels count are refused with their number; the
// reference takes them.
START_TEST(short_words)
{
    static const int dims[] = {HGATE_DIM_CURVATURE_NX, HGATE_DIM_CURVATURE_S,
                               HGATE_DIM_CURVATURE_NNZ};
    problem p = load("offset");
    array *F = new_F(&p);
    const conf_kernel *k;
    for (int i = 0; (k = conf_kernel_at(HGATE_OP_CURVATURE, HGATE_F64, i)); i++) {
        hgate_reason why = {.struct_size = sizeof why};
        conf_call call = call_curvature(&p, F);
        call.problem.args = call.args;
        call.problem.dims = call.dims;
        if (!k->kernel->supports)
            continue;
        conf_dim(&call, dims[_i], (int64_t)UINT32_MAX + 1);
        ck_assert_int_ne(k->kernel->supports(k->state, &call.problem, &why), HGATE_OK);
        ck_assert_int_eq(why.code, HGATE_REFUSE_LIMIT);
        if (strcmp(k->kernel->name, "fft") != 0)
            ck_assert_ptr_nonnull(strstr(why.text, "4294967296"));
    }
    array_free(F);
    unload(&p);
}
END_TEST

// Columns of more entries than a kernel may hold in quick memory, and of many boxes: every pixel of
// the extent in falling order, every second one, and one.
static problem long_columns(const char *type)
{
    const int64_t ny = 37, nx = 41, n = ny * nx, counts[] = {n, (n + 1) / 2, 1};
    problem p = {.w = array_2d(type, 2 * ny, 2 * nx),
                 .iy = array_1d("i32", n),
                 .ix = array_1d("i32", n),
                 .indptr = array_1d("i64", 4),
                 .rows = array_1d("i32", counts[0] + counts[1] + counts[2]),
                 .vals = array_1d(type, counts[0] + counts[1] + counts[2])};
    for (int64_t i = 0; i < n; i++) {
        array_put(p.iy, i, (double)(i / nx));
        array_put(p.ix, i, (double)(i % nx));
    }
    for (int64_t dy = 1 - ny; dy < ny; dy++)
        for (int64_t dx = 1 - nx; dx < nx; dx++)
            array_put(p.w, (dy + 2 * ny) % (2 * ny) * 2 * nx + (dx + 2 * nx) % (2 * nx),
                      cos(0.3 * (double)dy - 0.11 * (double)dx) + 0.5);
    int64_t t = 0;
    for (int64_t s = 0; s < 3; s++) {
        for (int64_t k = 0; k < counts[s]; k++, t++) {
            array_put(p.rows, t, (double)(s == 0 ? n - 1 - k : s == 1 ? 2 * k : 700));
            array_put(p.vals, t, 0.25 + (double)(t * 7 % 11) / 16);
        }
        array_put(p.indptr, s + 1, (double)t);
    }
    return p;
}

START_TEST(columns_with_many_entries)
{
    problem p = long_columns(types[_i]);
    array *want = F_of(conf_find(HGATE_OP_CURVATURE, "cpu-serial", NULL), &p, 1);
    const double bound = conf_tolerance(HGATE_OP_CURVATURE, dtypes[_i]) * array_peak(want);
    const conf_kernel *k;
    for (int i = 0; (k = conf_kernel_at(HGATE_OP_CURVATURE, dtypes[_i], i)); i++) {
        array *F = F_of(k, &p, 2);
        const double error = array_distance(F, want);
        ck_assert_msg(error <= bound, "%s: error %g, bound %g", conf_label(k, dtypes[_i]), error,
                      bound);
        array_free(F);
    }
    array_free(want);
    array_free(p.w);
    array_free(p.iy);
    array_free(p.ix);
    array_free(p.indptr);
    array_free(p.rows);
    array_free(p.vals);
}
END_TEST

// No column; columns without entries; no pixel.
START_TEST(nothing_to_do)
{
    static const struct {
        int64_t n, S;
    } sizes[] = {{5, 0}, {5, 3}, {0, 4}, {0, 0}};
    int64_t n = sizes[_i].n, S = sizes[_i].S;
    problem p = {.w = array_2d("f64", 6, 10),
                 .iy = array_1d("i32", n),
                 .ix = array_1d("i64", n),
                 .indptr = array_1d("i64", S + 1),
                 .rows = array_1d("i32", 0),
                 .vals = array_1d("f64", 0)};
    const conf_kernel *k;
    for (int i = 0; (k = conf_kernel_at(HGATE_OP_CURVATURE, HGATE_F64, i)); i++) {
        array *F = F_of(k, &p, 2);
        ck_assert_int_eq(F->count, S * S);
        ck_assert_msg(array_peak(F) == 0.0, "%s", conf_label(k, HGATE_F64));
        array_free(F);
    }
    array_free(p.w);
    array_free(p.iy);
    array_free(p.ix);
    array_free(p.indptr);
    array_free(p.rows);
    array_free(p.vals);
}
END_TEST

// ---- w, d, D ----

START_TEST(w_from_baselines)
{
    problem p = load(cases[_i]);
    int64_t ny = p.w->shape[0] / 2, nx = p.w->shape[1] / 2;
    params.pix = array_get(p.pix, 0);
    array *sigma2 = array_2d("f64", p.sigma->count, 2);
    for (int64_t i = 0; i < sigma2->count; i++)
        array_put(sigma2, i, array_get(p.sigma, i / 2));
    for (int t = 0; t < 2; t++) {
        const conf_kernel *k;
        for (int i = 0; (k = conf_kernel_at(HGATE_OP_CURVATURE_KERNEL, dtypes[t], i)); i++) {
            array *w[4];
            for (int n = 0; n < 4; n++) {
                static const int threads[] = {1, 1, 2, 3};
                conf_call call;
                w[n] = array_2d(types[t], 2 * ny, 2 * nx);
                conf_call_init(&call, HGATE_OP_CURVATURE_KERNEL, dtypes[t], &params);
                conf_in(&call, HGATE_CURVATURE_KERNEL_UV, p.uv);
                conf_in(&call, HGATE_CURVATURE_KERNEL_SIGMA, n == 1 ? sigma2 : p.sigma);
                conf_out(&call, HGATE_CURVATURE_KERNEL_W, w[n]);
                conf_dim(&call, HGATE_DIM_CURVATURE_KERNEL_K, p.uv->shape[0]);
                conf_dim(&call, HGATE_DIM_CURVATURE_KERNEL_NY, ny);
                conf_dim(&call, HGATE_DIM_CURVATURE_KERNEL_NX, nx);
                conf_run_ok(k, &call, threads[n]);
                ck_assert_msg(array_equal_bits(w[0], w[n]), "%s: call %d", conf_label(k, dtypes[t]),
                              n);
            }
            double bound = conf_tolerance(HGATE_OP_CURVATURE_KERNEL, dtypes[t]) * array_get(p.w, 0);
            double error = array_distance(w[0], p.w);
            ck_assert_msg(error <= bound, "%s %s: error %g, bound %g", cases[_i],
                          conf_label(k, dtypes[t]), error, bound);
            for (int n = 0; n < 4; n++)
                array_free(w[n]);
        }
    }
    array_free(sigma2);
    unload(&p);
}
END_TEST

// No baseline; one, on an axis, with its closed form; a flagged one; several chunks.
START_TEST(w_in_closed_form)
{
    int64_t ny = 4, nx = 7;
    params.pix = 0.125;
    array *uv = array_2d("f64", 2, 2), *sigma = array_1d("f64", 2), *w = array_2d("f64", 8, 14);
    array_put(uv, 0, 1.0);
    array_put(uv, 1, 2.0);
    array_put(uv, 2, 3.3);
    array_put(sigma, 0, 0.5);
    array_put(sigma, 1, INFINITY);
    const conf_kernel *k;
    for (int i = 0; (k = conf_kernel_at(HGATE_OP_CURVATURE_KERNEL, HGATE_F64, i)); i++) {
        conf_call call;
        conf_call_init(&call, HGATE_OP_CURVATURE_KERNEL, HGATE_F64, &params);
        conf_in(&call, HGATE_CURVATURE_KERNEL_UV, uv);
        conf_in(&call, HGATE_CURVATURE_KERNEL_SIGMA, sigma);
        conf_out(&call, HGATE_CURVATURE_KERNEL_W, w);
        conf_dim(&call, HGATE_DIM_CURVATURE_KERNEL_K, 2);
        conf_dim(&call, HGATE_DIM_CURVATURE_KERNEL_NY, ny);
        conf_dim(&call, HGATE_DIM_CURVATURE_KERNEL_NX, nx);
        conf_run_ok(k, &call, 1);
        for (int64_t dy = 1 - ny; dy < ny; dy++)
            for (int64_t dx = 1 - nx; dx < nx; dx++) { // the minus sign on dy is the convention
                double want = 4.0 * cos(6.283185307179586 * 0.125 * (double)(dx - 2 * dy));
                double got =
                    array_get(w, (dy + 2 * ny) % (2 * ny) * 2 * nx + (dx + 2 * nx) % (2 * nx));
                ck_assert_double_eq_tol(got, want, 1e-13);
            }
        for (int64_t x = 0; x < 2 * nx; x++)
            ck_assert_double_eq(array_get(w, ny * 2 * nx + x), 0.0);
        for (int64_t y = 0; y < 2 * ny; y++)
            ck_assert_double_eq(array_get(w, y * 2 * nx + nx), 0.0);
        conf_dim(&call, HGATE_DIM_CURVATURE_KERNEL_K, 0);
        conf_run_ok(k, &call, 1);
        ck_assert_double_eq(array_peak(w), 0.0);
    }
    array_free(uv);
    array_free(sigma);
    array_free(w);
}
END_TEST

START_TEST(dirty_image)
{
    problem p = load(cases[_i]);
    double scale = 0.0;
    for (int64_t k = 0; k < p.sigma->count; k++)
        scale += hypot(array_get(p.vis, 2 * k), array_get(p.vis, 2 * k + 1)) /
                 (array_get(p.sigma, k) * array_get(p.sigma, k));
    double bound = conf_tolerance(HGATE_OP_CURVATURE_DIRTY, HGATE_F64) * scale;
    array *d = array_1d("f64", p.d->count);
    const conf_kernel *k;
    for (int i = 0; (k = conf_kernel_at(HGATE_OP_CURVATURE_DIRTY, HGATE_F64, i)); i++) {
        conf_call call;
        conf_call_init(&call, HGATE_OP_CURVATURE_DIRTY, HGATE_F64, &params);
        conf_in(&call, HGATE_CURVATURE_DIRTY_UV, p.uv);
        conf_in(&call, HGATE_CURVATURE_DIRTY_SIGMA, p.sigma);
        conf_in(&call, HGATE_CURVATURE_DIRTY_VIS, p.vis);
        conf_in(&call, HGATE_CURVATURE_DIRTY_Y, p.y);
        conf_in(&call, HGATE_CURVATURE_DIRTY_X, p.x);
        conf_out(&call, HGATE_CURVATURE_DIRTY_D, d);
        conf_dim(&call, HGATE_DIM_CURVATURE_DIRTY_K, p.sigma->count);
        conf_dim(&call, HGATE_DIM_CURVATURE_DIRTY_N, p.d->count);
        conf_run_ok(k, &call, 1);
        double error = array_distance(d, p.d);
        ck_assert_msg(error <= bound, "%s: error %g, bound %g", conf_label(k, HGATE_F64), error,
                      bound);
        array *first = array_copy(d);
        conf_run_ok(k, &call, 3);
        ck_assert_msg(array_equal_bits(d, first), "%s: three threads", conf_label(k, HGATE_F64));
        array_free(first);
    }
    array_free(d);
    unload(&p);
}
END_TEST

static conf_call call_data_vector(const problem *p, array *D)
{
    conf_call call;
    conf_call_init(&call, HGATE_OP_CURVATURE_DATA_VECTOR,
                   p->d->element == 4 ? HGATE_F32 : HGATE_F64, &params);
    conf_in(&call, HGATE_CURVATURE_DATA_VECTOR_d, p->d);
    conf_in(&call, HGATE_CURVATURE_DATA_VECTOR_INDPTR, p->indptr);
    conf_in(&call, HGATE_CURVATURE_DATA_VECTOR_ROWS, p->rows);
    conf_in(&call, HGATE_CURVATURE_DATA_VECTOR_VALS, p->vals);
    conf_out(&call, HGATE_CURVATURE_DATA_VECTOR_D, D);
    conf_dim(&call, HGATE_DIM_CURVATURE_DATA_VECTOR_N, p->d->count);
    conf_dim(&call, HGATE_DIM_CURVATURE_DATA_VECTOR_S, p->indptr->count - 1);
    conf_dim(&call, HGATE_DIM_CURVATURE_DATA_VECTOR_NNZ, p->vals->count);
    return call;
}

START_TEST(data_vector)
{
    problem p = load(cases[_i]);
    for (int t = 1; t >= 0; t--) {
        retype_reals(&p, types[t]);
        retype(&p.rows, t == 0 ? "i32" : "i64");
        array *D = array_1d(types[t], p.D->count);
        double bound = conf_tolerance(HGATE_OP_CURVATURE_DATA_VECTOR, dtypes[t]) * array_peak(p.D);
        const conf_kernel *k;
        for (int i = 0; (k = conf_kernel_at(HGATE_OP_CURVATURE_DATA_VECTOR, dtypes[t], i)); i++) {
            conf_call call = call_data_vector(&p, D);
            conf_run_ok(k, &call, 1 + i);
            double error = array_distance(D, p.D);
            ck_assert_msg(error <= bound, "%s: error %g, bound %g", conf_label(k, dtypes[t]), error,
                          bound);
            double kept = array_get(p.rows, p.rows->count - 1);
            array_put(p.rows, p.rows->count - 1, (double)p.d->count);
            ck_assert_int_eq(conf_run(k, &call, 1), HGATE_EVALUE);
            array_put(p.rows, p.rows->count - 1, kept);
        }
        array_free(D);
    }
    unload(&p);
}
END_TEST

// ---- end to end ----

// log-evidence up to terms without F: s = (F + H)^-1 D, H = h I;  s'Fs - 2 s'D + s'Hs + ln det(F +
// H).
static double evidence(const array *F, const array *D, double h)
{
    int64_t n = D->count;
    double *L = calloc((size_t)(n * n), sizeof *L), *s = calloc((size_t)n, sizeof *s), sum = 0.0;
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j <= i; j++) {
            double a = array_get(F, i * n + j) + (i == j ? h : 0.0);
            for (int64_t k = 0; k < j; k++)
                a -= L[i * n + k] * L[j * n + k];
            L[i * n + j] = i == j ? sqrt(a) : a / L[j * n + j];
        }
        double b = array_get(D, i);
        for (int64_t k = 0; k < i; k++)
            b -= L[i * n + k] * s[k];
        s[i] = b / L[i * n + i];
        sum += 2.0 * log(L[i * n + i]) - s[i] * s[i]; // s'(F + H)s - 2 s'D = -|L^-1 D|^2
    }
    free(L);
    free(s);
    return sum;
}

START_TEST(evidence_does_not_depend_on_the_route)
{
    problem p = load(cases[_i]);
    int64_t S = p.D->count;
    double trace = 0.0;
    for (int64_t s = 0; s < S; s++)
        trace += array_get(p.F, s * S + s);
    double h = 1e-3 * trace / (double)S, want = evidence(p.F, p.D, h);
    const conf_kernel *k;
    for (int i = 0; (k = conf_kernel_at(HGATE_OP_CURVATURE, HGATE_F64, i)); i++) {
        array *F = F_of(k, &p, 1);
        ck_assert_double_eq_tol(evidence(F, p.D, h), want, 1e-10 * fabs(want));
        array_free(F);
    }
    unload(&p);
}
END_TEST

// ---- cost and refusals ----

START_TEST(cost_terms)
{
    problem p = load("tangled"); // nnz 39, 7 x 12, S 9
    hgate_curvature_facts facts = {.struct_size = sizeof facts,
                                   .is_known = 1,
                                   .vals_finite = 1,
                                   .work_fraction = 0.25,
                                   .pair_fraction = 0.125};
    static const struct {
        const char *kernel;
        double cells, gather;
    } want[] = {{"full", 39 * 84, 9 * 39},
                {"symmetric", 39 * 84 * 0.25, 9 * 39 * 0.25},
                {"pair", 39 * 84 * 0.125, 2 * 9 * 39}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        const conf_kernel *k = conf_find(HGATE_OP_CURVATURE, "cpu-serial", want[i].kernel);
        conf_call call = call_curvature(&p, NULL);
        call.problem.facts = &facts;
        call.problem.args = call.args;
        call.problem.dims = call.dims;
        double constants[256];
        for (uint32_t c = 0; c < k->plugin->n_constants; c++)
            constants[c] = k->plugin->constants[c]->value;
        hgate_estimate est = {.struct_size = sizeof est};
        ck_assert_int_eq(k->kernel->estimate(k->state, &call.problem, constants, &est), HGATE_OK);
        ck_assert_double_eq_tol(est.terms[2], want[i].cells, 1e-9);
        ck_assert_double_eq_tol(est.terms[3], want[i].gather, 1e-9);
        const double share = want[i].cells / (39 * 84);
        ck_assert_double_eq(est.terms[5], 0.0); // float32
        ck_assert_double_eq_tol(est.terms[6], sqrt(39 * 9) * 84 * share, 1e-9);
        ck_assert_double_eq_tol(est.terms[8], 9 * 84 * share, 1e-9);
        ck_assert_double_eq_tol(est.terms[9], 39, 1e-9);
    }
    unload(&p);
}
END_TEST

// Blocks per axis and columns per batch change nothing but rounding; a cut finer than the extent is
// its cells.
static const struct {
    const char *sections, *batch;
} cuts[] = {{"1", "auto"}, {"1", "3"}, {"2", "1"}, {"3", "8"}, {"5", "1000"}, {"65536", "2"}};

static void compare_fft(const conf_kernel *fft, const char *name)
{
    for (int t = 0; t < 2; t++)
        for (int general = 0; general < 2; general++) {
            problem p = load(name);
            retype_reals(&p, types[t]);
            params.w_general = general;
            array *F = F_of(fft, &p, 2);
            double bound = conf_tolerance(HGATE_OP_CURVATURE, dtypes[t]) * array_peak(p.F);
            double error = array_distance(F, p.F);
            ck_assert_msg(error <= bound, "%s %s: error %g, bound %g", name,
                          conf_label(fft, dtypes[t]), error, bound);
            array_free(F);
            unload(&p);
        }
    params.w_general = 0;
}

START_TEST(cuts_and_batches)
{
    conf_set("ops.curvature.fft_sections", cuts[_i].sections);
    conf_set("ops.curvature.fft_batch", cuts[_i].batch);
    conf_open();
    for (int i = 0; i < 2; i++) {
        const conf_kernel *fft = conf_find(HGATE_OP_CURVATURE, i ? "cuda" : "cpu-fftw", "fft");
        for (int c = 0; c < N_CASES && fft; c++)
            compare_fft(fft, cases[c]);
    }
    conf_close();
}
END_TEST

#ifdef HAVE_FFTW
// The loops around FFTW in each instruction set; another word closes the plugin.
static const char *const fftw_isa[] = {"auto", "baseline", "avx2", "sse9"};

START_TEST(words_for_fftw)
{
    conf_set("plugins.cpu-fftw.options.isa", fftw_isa[_i]);
    conf_open();
    const conf_kernel *fft = conf_find(HGATE_OP_CURVATURE, "cpu-fftw", "fft");
    if (strcmp(fftw_isa[_i], "sse9") == 0)
        ck_assert_ptr_null(fft);
    else if (fft)
        compare_fft(fft, "rect-lens");
    conf_close();
}
END_TEST
#endif

START_TEST(pair_needs_permission)
{
    conf_open();
    problem p = load("offset");
    array *F = new_F(&p);
    conf_call call = call_curvature(&p, F);
    ck_assert_int_eq(conf_run(conf_find(HGATE_OP_CURVATURE, "cpu-serial", "pair"), &call, 1),
                     CONF_REFUSED);
    ck_assert_ptr_nonnull(strstr(conf_reason(), "exact_triangle"));
    array_free(F);
    unload(&p);
    conf_close();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("curvature");
    TCase *tests = tcase_create("kernels");
    tcase_set_timeout(tests, 120);
    tcase_add_checked_fixture(tests, setup, conf_close);
    tcase_add_loop_test(tests, stored_results, 0, N_CASES);
    tcase_add_loop_test(tests, symmetric_has_the_bits_of_full, 0, N_CASES);
    tcase_add_loop_test(tests, F_is_its_transpose_in_bits, 0, N_CASES);
    tcase_add_loop_test(tests, columns_in_another_order, 0, N_CASES);
    tcase_add_loop_test(tests, threads_do_not_change_a_bit, 0, N_CASES);
    tcase_add_loop_test(tests, non_finite_values, 0, 3);
    tcase_add_loop_test(tests, denormal_values_and_stored_zeros, 0, 2);
    tcase_add_test(tests, known_non_finite_values_are_refused);
    tcase_add_test(tests, a_general_w_is_for_full_alone);
    tcase_add_loop_test(tests, wild_indices, 0, sizeof wild / sizeof *wild);
    tcase_add_loop_test(tests, short_words, 0, 3);
    tcase_add_loop_test(tests, columns_with_many_entries, 0, 2);
    tcase_add_loop_test(tests, nothing_to_do, 0, 4);
    tcase_add_loop_test(tests, w_from_baselines, 0, N_CASES);
    tcase_add_test(tests, w_in_closed_form);
    tcase_add_loop_test(tests, dirty_image, 0, N_CASES);
    tcase_add_loop_test(tests, data_vector, 0, N_CASES);
    tcase_add_loop_test(tests, evidence_does_not_depend_on_the_route, 0, N_CASES);
    tcase_add_test(tests, cost_terms);
    suite_add_tcase(suite, tests);
    TCase *settings = tcase_create("settings");
    tcase_set_timeout(settings, 120);
    tcase_add_loop_test(settings, instruction_sets_give_equal_bits, 0, 2);
#ifdef HAVE_FFTW // an older file of the plugin may lie about otherwise
    tcase_add_loop_test(settings, words_for_fftw, 0, sizeof fftw_isa / sizeof *fftw_isa);
#endif
    tcase_add_loop_test(settings, cuts_and_batches, 0, sizeof cuts / sizeof *cuts);
    tcase_add_test(settings, pair_needs_permission);
    suite_add_tcase(suite, settings);
    return run_suite(suite);
}
