/* SPDX-License-Identifier: BSD-3-Clause */
/* Triangulations: weights that reproduce the place, circles without points inside, the outside. */
#include "tools/generate/mesh.h"

#include "tools/random.h"

#include "tests/harness.h"

#include <math.h>

enum { MOST = 400 };

typedef struct cloud {
    int64_t n;
    double y[MOST], x[MOST];
    cli_mesh *mesh;
} cloud;

/* Random points, or a grid with the small shifts that the generator makes. */
static void make_cloud(cloud *c, bool is_grid)
{
    cli_random random;
    cli_random_seed(&random, 5);
    c->n = is_grid ? 17 * 13 : 300;
    for (int64_t i = 0; i < c->n; i++) {
        c->y[i] = is_grid ? (double)(i / 13) * 8 + 1e-3 * cli_random_normal(&random)
                          : cli_random_uniform(&random, -50, 90);
        c->x[i] = is_grid ? (double)(i % 13) * 8 + 1e-3 * cli_random_normal(&random)
                          : cli_random_uniform(&random, 10, 60);
    }
    ck_assert_int_eq(cli_mesh_new(c->y, c->x, c->n, &c->mesh), 0);
}

/* Is no other point inside the circle through three? */
static bool is_empty_circle(const cloud *c, const int64_t corner[3])
{
    const double ay = c->y[corner[0]], ax = c->x[corner[0]];
    const double by = c->y[corner[1]] - ay, bx = c->x[corner[1]] - ax;
    const double cy = c->y[corner[2]] - ay, cx = c->x[corner[2]] - ax;
    const double d = 2 * (bx * cy - by * cx);
    const double ux = (cy * (bx * bx + by * by) - by * (cx * cx + cy * cy)) / d;
    const double uy = (bx * (cx * cx + cy * cy) - cx * (bx * bx + by * by)) / d;
    const double radius = hypot(ux, uy);
    for (int64_t i = 0; i < c->n; i++) {
        if (hypot(c->x[i] - ax - ux, c->y[i] - ay - uy) < radius * (1 - 1e-9)) {
            return false;
        }
    }
    return true;
}

START_TEST(every_triangle_has_an_empty_circle)
{
    cloud c;
    make_cloud(&c, _i == 1);
    cli_random random;
    int n_inside = 0;
    cli_random_seed(&random, 9);
    for (int k = 0; k < 2000; k++) {
        const double y = cli_random_uniform(&random, -40, 130);
        const double x = cli_random_uniform(&random, 0, 100);
        int64_t corner[3];
        double w[3];
        if (!cli_mesh_locate(c.mesh, y, x, corner, w)) {
            continue;
        }
        n_inside++;
        ck_assert_double_eq_tol(w[0] + w[1] + w[2], 1, 1e-14);
        ck_assert(w[0] >= -1e-12 && w[1] >= -1e-12 && w[2] >= -1e-12);
        double py = 0, px = 0;
        for (int i = 0; i < 3; i++) {
            ck_assert(corner[i] >= 0 && corner[i] < c.n);
            py += w[i] * c.y[corner[i]];
            px += w[i] * c.x[corner[i]];
        }
        ck_assert_double_eq_tol(py, y, 1e-9);
        ck_assert_double_eq_tol(px, x, 1e-9);
        ck_assert(is_empty_circle(&c, corner));
    }
    ck_assert_int_gt(n_inside, 500);
    cli_mesh_free(c.mesh);
}
END_TEST

START_TEST(outside_the_nearest_point_counts)
{
    cloud c;
    make_cloud(&c, true);
    int64_t corner[3];
    double w[3];
    ck_assert(!cli_mesh_locate(c.mesh, -100, -100, corner, w));
    ck_assert_int_eq(corner[0], 0);
    ck_assert_double_eq(w[0], 1);
    ck_assert(!cli_mesh_locate(c.mesh, 1e4, 1e4, corner, w));
    ck_assert_int_eq(corner[0], c.n - 1);
    cli_mesh_free(c.mesh);
}
END_TEST

START_TEST(few_points_have_no_triangle)
{
    static const double y[] = {0, 1}, x[] = {0, 2};
    int64_t corner[3];
    double w[3];
    for (int64_t n = 1; n <= 2; n++) {
        cli_mesh *mesh = NULL;
        ck_assert_int_eq(cli_mesh_new(y, x, n, &mesh), 0);
        ck_assert(!cli_mesh_locate(mesh, 0.9, 1.9, corner, w));
        ck_assert_int_eq(corner[0], n - 1);
        cli_mesh_free(mesh);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mesh");
    TCase *tests = tcase_create("mesh");
    tcase_add_loop_test(tests, every_triangle_has_an_empty_circle, 0, 2);
    tcase_add_test(tests, outside_the_nearest_point_counts);
    tcase_add_test(tests, few_points_have_no_triangle);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
