// SPDX-License-Identifier: BSD-3-Clause
// The cost of a matrix product: one form fits what was measured on a CPU and on a GPU, and the
// choices that follow from it are right. A rate alone does neither.
#include "plugins/product_cost.h"

#include "core/calib/nnls.h"
#include "tests/harness.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SHAPES = 32, MOST_ROUTES = 4, MOST_TERMS = 4 };

// Measured seconds of the routes of one kind of product; 0 where a route was not measured.
typedef struct table {
    int n_routes, n_shapes;
    char routes[MOST_ROUTES][16];
    double M[MOST_SHAPES], K[MOST_SHAPES];
    double seconds[MOST_ROUTES][MOST_SHAPES], predicted[MOST_ROUTES][MOST_SHAPES];
} table;

static int route_of(table *t, const char *name)
{
    for (int r = 0; r < t->n_routes; r++) {
        if (strcmp(t->routes[r], name) == 0) {
            return r;
        }
    }
    ck_assert_int_lt(t->n_routes, MOST_ROUTES);
    snprintf(t->routes[t->n_routes], sizeof t->routes[0], "%s", name);
    return t->n_routes++;
}

static int shape_of(table *t, double M, double K)
{
    for (int s = 0; s < t->n_shapes; s++) {
        if (t->M[s] == M && t->K[s] == K) {
            return s;
        }
    }
    ck_assert_int_lt(t->n_shapes, MOST_SHAPES);
    t->M[t->n_shapes] = M;
    t->K[t->n_shapes] = K;
    return t->n_shapes++;
}

// Routes whose names begin with `kind`.
static void read_table(const char *file, const char *kind, table *t)
{
    const char *top = getenv("abs_top_srcdir");
    char path[1024], line[256], name[16];
    double M, K, seconds;
    snprintf(path, sizeof path, "%s/tests/data/cost/%s", top ? top : "..", file);
    FILE *from = fopen(path, "r");
    ck_assert_msg(from != NULL, "%s", path);
    memset(t, 0, sizeof *t);
    while (fgets(line, sizeof line, from)) {
        if (line[0] != '#' && strncmp(line, kind, strlen(kind)) == 0) {
            ck_assert_int_eq(sscanf(line, "%15s %lf %lf %lf", name, &M, &K, &seconds), 4);
            t->seconds[route_of(t, name)][shape_of(t, M, K)] = seconds;
        }
    }
    fclose(from);
    ck_assert_int_ge(t->n_routes, 3);
    ck_assert_int_ge(t->n_shapes, 7);
}

static int put_terms(bool is_whole, double M, double K, double *terms)
{
    const hg_product_work work = hg_product_count(M, M, K);
    terms[0] = 1;
    terms[1] = work.flop;
    terms[2] = work.depth;
    terms[3] = work.panel;
    return is_whole ? 4 : 2;
}

// Fits a route as the tuner does; its largest and its mean square relative error.
static double fit(table *t, int route, bool is_whole, double *rms)
{
    double A[MOST_SHAPES * MOST_TERMS], b[MOST_SHAPES], x[MOST_TERMS], terms[MOST_TERMS];
    double worst = 0, sum = 0;
    int m = 0, n = 2;
    for (int s = 0; s < t->n_shapes; s++) {
        if (t->seconds[route][s] > 0) {
            n = put_terms(is_whole, t->M[s], t->K[s], terms);
            for (int i = 0; i < n; i++) {
                A[m * n + i] = terms[i] / t->seconds[route][s];
            }
            b[m++] = 1;
        }
    }
    ck_assert_int_eq(hg_nnls(A, b, m, n, NULL, x), 0);
    for (int s = 0; s < t->n_shapes; s++) {
        t->predicted[route][s] = 0;
        (void)put_terms(is_whole, t->M[s], t->K[s], terms);
        for (int i = 0; i < n; i++) {
            t->predicted[route][s] += terms[i] * x[i];
        }
        if (t->seconds[route][s] > 0) {
            const double error = t->predicted[route][s] / t->seconds[route][s] - 1;
            worst = fmax(worst, fabs(error));
            sum += error * error;
        }
    }
    *rms = sqrt(sum / m);
    return worst;
}

// Seconds of the route with the least prediction over those of the best, worst over the shapes.
static double regret(const table *t)
{
    double worst = 1;
    for (int s = 0; s < t->n_shapes; s++) {
        int chosen = -1;
        double best = INFINITY;
        for (int r = 0; r < t->n_routes; r++) {
            if (t->seconds[r][s] > 0) {
                best = fmin(best, t->seconds[r][s]);
                chosen = chosen < 0 || t->predicted[r][s] < t->predicted[chosen][s] ? r : chosen;
            }
        }
        worst = fmax(worst, t->seconds[chosen][s] / best);
    }
    return worst;
}

static const struct {
    const char *file, *kind;
    double most_rms, most_error, most_regret;
} rows[] = {
    {"products_h200.txt", "", 0.15, 0.25, 1.08},
    {"products_avx512.txt", "c64/", 0.16, 0.55, 1.05}, // the worst are products of 2 us
    {"products_avx512.txt", "c128/", 0.12, 0.32, 1.05},
};
enum { N_ROWS = sizeof rows / sizeof rows[0] };

START_TEST(the_form_fits_and_chooses)
{
    table t;
    read_table(rows[_i].file, rows[_i].kind, &t);
    for (int r = 0; r < t.n_routes; r++) {
        double rms;
        const double worst = fit(&t, r, true, &rms);
        ck_assert_msg(worst <= rows[_i].most_error && rms <= rows[_i].most_rms,
                      "%s: error %.3f, rms %.3f", t.routes[r], worst, rms);
    }
    ck_assert_double_le(regret(&t), rows[_i].most_regret);
}
END_TEST

START_TEST(a_rate_alone_does_not)
{
    table t;
    double rms;
    read_table("products_h200.txt", "", &t);
    ck_assert_double_gt(fit(&t, route_of(&t, "cherk"), false, &rms), 0.5);
    for (int r = 0; r < t.n_routes; r++) {
        (void)fit(&t, r, false, &rms);
    }
    ck_assert_double_gt(regret(&t), 1.5);
}
END_TEST

START_TEST(counted_by_hand)
{
    const hg_product_work work = hg_product_count(3, 5, 7);
    ck_assert_double_eq(work.depth, 7);
    ck_assert_double_eq(work.panel, 28);
    ck_assert_double_eq(work.flop, 840);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("product_cost");
    TCase *tests = tcase_create("product_cost");
    tcase_add_loop_test(tests, the_form_fits_and_chooses, 0, N_ROWS);
    tcase_add_test(tests, a_rate_alone_does_not);
    tcase_add_test(tests, counted_by_hand);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
