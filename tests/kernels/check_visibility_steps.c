// SPDX-License-Identifier: BSD-3-Clause
// The kernels of the single steps of visibility: horizon, angles, beam, phase, Z.
#include "tests/harness.h"
#include "tests/kernels/visibility_case.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double eps[2] = {0x1p-23, 0x1p-52};
static const double two_pi = 6.283185307179586;

// Runs a call on every kernel that serves it; `body` compares `output` each time.
#define FOR_EACH_KERNEL(k, op, mask)                                                               \
    for (int i_##k = 0; (k = conf_kernel_at(op, mask, i_##k)); i_##k++)

static array *reals(const char *type, int64_t n, const double *values)
{
    array *a = array_1d(type, n);
    for (int64_t i = 0; i < n; i++)
        array_put(a, i, values[i]);
    return a;
}

// ---- horizon ----

static conf_call call_horizon(array *crd, array *flux, array *crd_up, array *flux_up, array *index,
                              const hgate_visibility_params *params)
{
    conf_call call;
    conf_call_init(&call, HGATE_OP_VISIBILITY_HORIZON, real_mask[is_f64(crd)], params);
    conf_in(&call, HGATE_VISIBILITY_HORIZON_CRD, crd);
    conf_in(&call, HGATE_VISIBILITY_HORIZON_FLUX, flux);
    conf_out(&call, HGATE_VISIBILITY_HORIZON_CRD_UP, crd_up);
    conf_out(&call, HGATE_VISIBILITY_HORIZON_FLUX_UP, flux_up);
    conf_out(&call, HGATE_VISIBILITY_HORIZON_INDEX, index);
    conf_dim(&call, HGATE_DIM_VISIBILITY_HORIZON_NSRC, crd->shape[1]);
    return call;
}

START_TEST(horizon_keeps_order)
{
    // Up: kept, 0, kept, -0.0, negative, NaN, kept but East is NaN, kept
    static const double up[] = {0.5, 0.0, 1e-30, -0.0, -0.2, NAN, 0.3, 0.9};
    static const int64_t kept[] = {0, 2, 7};
    enum { N = 8, KEPT = 3 };
    hgate_visibility_params params = params_default();
    for (int p = 0; p < 2; p++) {
        array *crd = array_2d(real_word[p], 3, N), *flux = array_1d(real_word[p], N);
        array *crd_up = array_2d(real_word[p], 3, N), *flux_up = array_1d(real_word[p], N);
        array *index = array_1d("i64", N);
        for (int s = 0; s < N; s++) {
            array_put(crd, s, s == 6 ? NAN : 0.1 + s);
            array_put(crd, N + s, -0.3 * s);
            array_put(crd, 2 * N + s, up[s]);
            array_put(flux, s, 10.0 + s);
        }
        const conf_kernel *k;
        FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_HORIZON, real_mask[p])
        {
            for (int with_index = 0; with_index < 2; with_index++) {
                conf_call call =
                    call_horizon(crd, flux, crd_up, flux_up, with_index ? index : NULL, &params);
                conf_run_ok(k, &call, visibility_threads());
                ck_assert_int_eq(call.n_out, KEPT);
                for (int s = 0; s < KEPT; s++) {
                    for (int d = 0; d < 3; d++)
                        ck_assert(array_get(crd_up, d * N + s) == array_get(crd, d * N + kept[s]));
                    ck_assert(array_get(flux_up, s) == 10.0 + (double)kept[s]);
                    ck_assert(!with_index || array_get(index, s) == (double)kept[s]);
                }
            }
        }
        array_free(crd), array_free(flux), array_free(crd_up), array_free(flux_up);
        array_free(index);
    }
}
END_TEST

START_TEST(horizon_stored)
{
    for (int p = 0; p < 2; p++) {
        visibility_case c = case_load(visibility_cases[_i], p, "i32");
        hgate_visibility_params params = params_of(&c);
        int64_t nsrc = c.crd->shape[1];
        array *crd_up = array_2d(real_word[p], 3, nsrc), *flux_up = array_1d(real_word[p], nsrc);
        array *index = array_1d("i64", nsrc);
        const conf_kernel *k;
        FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_HORIZON, real_mask[p])
        {
            conf_call call = call_horizon(c.crd, c.flux, crd_up, flux_up, index, &params);
            conf_run_ok(k, &call, visibility_threads());
            ck_assert_int_eq(call.n_out, c.up->count);
            for (int64_t s = 0; s < c.up->count; s++)
                ck_assert(array_get(index, s) == array_get(c.up, s));
        }
        array_free(crd_up), array_free(flux_up), array_free(index);
        case_free(&c);
    }
}
END_TEST

// Lists longer than a register, a block and the pieces of a team, with everything, nothing and some
// of it up; nothing is written behind the last.
START_TEST(horizon_of_sizes)
{
    static const int sizes[] = {0, 1, 15, 16, 17, 127, 300, 40001};
    hgate_visibility_params params = params_default();
    const int n = sizes[_i / 3], kind = _i % 3;
    for (int p = 0; p < 2; p++) {
        array *crd = array_2d(real_word[p], 3, n), *flux = array_1d(real_word[p], n);
        array *crd_up = array_2d(real_word[p], 3, n), *flux_up = array_1d(real_word[p], n);
        array *index = array_1d("i64", n);
        int64_t *kept = malloc(sizeof *kept * (size_t)(n + 1));
        int64_t n_up = 0;
        uint64_t seed = 77;
        for (int s = 0; s < n; s++) {
            double up = random_uniform(&seed) - 0.5;
            up = kind == 0 ? up : kind == 1 ? fabs(up) + 0.1 : -fabs(up);
            array_put(crd, s, s % 11 == 5 ? NAN : 0.5 + s);
            array_put(crd, n + s, s % 13 == 7 ? NAN : -0.5 - s);
            array_put(crd, 2 * n + s, up);
            array_put(flux, s, 10.0 + s);
            if (array_get(crd, 2 * n + s) > 0.0 && s % 11 != 5 && s % 13 != 7)
                kept[n_up++] = s;
        }
        const conf_kernel *k;
        FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_HORIZON, real_mask[p])
        {
            conf_call call = call_horizon(crd, flux, crd_up, flux_up, index, &params);
            conf_run_ok(k, &call, visibility_threads());
            ck_assert_int_eq(call.n_out, n_up);
            for (int64_t s = 0; s < n_up; s++) {
                for (int d = 0; d < 3; d++)
                    require(array_get(crd_up, d * n + s) == array_get(crd, d * n + kept[s]));
                require(array_get(flux_up, s) == 10.0 + (double)kept[s]);
                require(array_get(index, s) == (double)kept[s]);
            }
        }
        free(kept);
        array_free(crd), array_free(flux), array_free(crd_up), array_free(flux_up);
        array_free(index);
    }
}
END_TEST

// ---- angles ----

static conf_call call_angles(array *crd, array *az, array *za,
                             const hgate_visibility_params *params)
{
    conf_call call;
    conf_call_init(&call, HGATE_OP_VISIBILITY_ANGLES, real_mask[is_f64(crd)], params);
    conf_in(&call, HGATE_VISIBILITY_ANGLES_CRD, crd);
    conf_out(&call, HGATE_VISIBILITY_ANGLES_AZ, az);
    conf_out(&call, HGATE_VISIBILITY_ANGLES_ZA, za);
    conf_dim(&call, HGATE_DIM_VISIBILITY_ANGLES_NSRC, crd->shape[1]);
    return call;
}

START_TEST(angles_of_known_directions)
{
    static const struct {
        double east, north, up, az, za;
    } rows[] = {{1, 0, 0, 0, 0.25},         {0, 1, 0, 0.25, 0.25},    {-1, 0, 0, 0.5, 0.25},
                {0, -1, 0, 0.75, 0.25},     {0, 0, 1, 0, 0},          {-0.0, -0.0, 1, 0, 0},
                {0.6, 0.6, 0, 0.125, 0.25}, {0.5, -0.0, 0.1, 0, NAN}, {0.5, -1e-30, 0.1, 0, NAN}};
    enum { N = sizeof rows / sizeof *rows };
    hgate_visibility_params params = params_default();
    for (int p = 0; p < 2; p++) {
        array *crd = array_2d(real_word[p], 3, N);
        array *az = array_1d(real_word[p], N), *za = array_1d(real_word[p], N);
        for (int s = 0; s < N; s++) {
            array_put(crd, s, rows[s].east);
            array_put(crd, N + s, rows[s].north);
            array_put(crd, 2 * N + s, rows[s].up);
        }
        const conf_kernel *k;
        FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_ANGLES, real_mask[p])
        {
            conf_call call = call_angles(crd, az, za, &params);
            conf_run_ok(k, &call, visibility_threads());
            for (int s = 0; s < N; s++) {
                double got = array_get(az, s);
                ck_assert_msg(got >= 0.0 && got < two_pi && !signbit(got), "%s: az %g",
                              conf_label(k, real_mask[p]), got);
                ck_assert_double_le(fabs(got - two_pi * rows[s].az), 4 * eps[p] * two_pi);
                if (!isnan(rows[s].za))
                    ck_assert_double_le(fabs(array_get(za, s) - two_pi * rows[s].za),
                                        4 * eps[p] * two_pi * rows[s].za);
            }
        }
        array_free(crd), array_free(az), array_free(za);
    }
}
END_TEST

// The zenith angle keeps its relative accuracy where an arc sine would have lost it.
START_TEST(angles_near_the_zenith)
{
    enum { N = 40 };
    hgate_visibility_params params = params_default();
    for (int p = 0; p < 2; p++) {
        array *crd = array_2d(real_word[p], 3, N);
        array *az = array_1d(real_word[p], N), *za = array_1d(real_word[p], N);
        for (int s = 0; s < N; s++) {
            double t = 1.5 * pow(10.0, -0.4 * s), a = 0.15 * s + 0.02;
            array_put(crd, s, sin(t) * cos(a));
            array_put(crd, N + s, sin(t) * sin(a));
            array_put(crd, 2 * N + s, cos(t));
        }
        const conf_kernel *k;
        FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_ANGLES, real_mask[p])
        {
            conf_call call = call_angles(crd, az, za, &params);
            conf_run_ok(k, &call, visibility_threads());
            for (int s = 0; s < N; s++) {
                double e = array_get(crd, s), n = array_get(crd, N + s),
                       u = array_get(crd, 2 * N + s);
                double want = atan2(hypot(e, n), u), want_az = atan2(n, e);
                want_az += want_az < 0.0 ? two_pi : 0.0;
                ck_assert_double_le(fabs(array_get(za, s) - want), 4 * eps[p] * want);
                ck_assert_double_le(fabs(array_get(az, s) - want_az), 4 * eps[p] * two_pi);
            }
        }
        array_free(crd), array_free(az), array_free(za);
    }
}
END_TEST

// ---- beam ----

typedef struct geometry {
    array *daz, *dza, *az0, *za0;
} geometry;

static geometry steps(const char *type, double daz, double dza)
{
    return (geometry){reals(type, 1, &daz), reals(type, 1, &dza), NULL, NULL};
}

static void free_geometry(geometry *g)
{
    array_free(g->daz), array_free(g->dza), array_free(g->az0), array_free(g->za0);
}

static array *new_beam(const char *type, const array *grid, int64_t nsrc)
{
    return array_new(type, 4, (int64_t[]){grid->shape[0], grid->shape[2], grid->shape[1], nsrc});
}

START_TEST(beam_hand_table)
{
    static const double nodes[] = {1, 2, 4, 10, 20, 40};
    static const double az[] = {0, 0.5, 0, 0.5, 1.25, -3, 9, 2};
    static const double za[] = {0, 0, 0.5, 0.5, 0.75, 0.5, 9, 1};
    static const double want[] = {1, 1.5, 5.5, 8.25, 19.375, 5.5, 40, 40};
    enum { N = 8 };
    hgate_visibility_params params = params_default();
    for (int p = 0; p < 2; p++) {
        array *grid = array_new(real_word[p], 5, (int64_t[]){1, 1, 1, 2, 3});
        for (int i = 0; i < 6; i++)
            array_put(grid, i, nodes[i]);
        geometry g = steps(real_word[p], 1.0, 1.0);
        array *a = reals(real_word[p], N, az), *z = reals(real_word[p], N, za);
        array *beam = new_beam(real_word[p], grid, N);
        const conf_kernel *k;
        FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_BEAM, real_mask[p])
        {
            conf_call call = call_beam(grid, g.daz, g.dza, NULL, NULL, a, z, beam, &params);
            conf_run_ok(k, &call, visibility_threads());
            for (int s = 0; s < N; s++)
                ck_assert_msg(array_get(beam, s) == want[s], "%s: point %d is %g, expected %g",
                              conf_label(k, real_mask[p]), s, array_get(beam, s), want[s]);
        }
        array_free(grid), array_free(a), array_free(z), array_free(beam);
        free_geometry(&g);
    }
}
END_TEST

START_TEST(beam_periodic_hand_table)
{
    static const double nodes[] = {1, 2, 4, 8};
    static const double turns[] = {3.5, -0.25, 4.0, 7.5, INFINITY};
    static const double want[] = {4.5, 2.75, 1.0, 4.5, NAN};
    enum { N = 5 };
    hgate_visibility_params params = params_default();
    params.az_mode = HGATE_AZ_PERIODIC;
    for (int p = 0; p < 2; p++) {
        double step = two_pi / 4;
        array *grid = array_new(real_word[p], 5, (int64_t[]){1, 1, 1, 1, 4});
        for (int i = 0; i < 4; i++)
            array_put(grid, i, nodes[i]);
        geometry g = steps(real_word[p], step, 1.0);
        array *az = array_1d(real_word[p], N), *za = array_1d(real_word[p], N);
        for (int s = 0; s < N; s++) {
            array_put(az, s, turns[s] * array_get(g.daz, 0));
            array_put(za, s, 0.7 - s); // an axis of length 1 is constant
        }
        array *beam = new_beam(real_word[p], grid, N);
        const conf_kernel *k;
        FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_BEAM, real_mask[p])
        {
            conf_call call = call_beam(grid, g.daz, g.dza, NULL, NULL, az, za, beam, &params);
            conf_run_ok(k, &call, visibility_threads());
            for (int s = 0; s < N; s++)
                ck_assert(isnan(want[s]) ? isnan(array_get(beam, s))
                                         : fabs(array_get(beam, s) - want[s]) <= 32 * eps[p]);
        }
        array_free(grid), array_free(az), array_free(za), array_free(beam);
        free_geometry(&g);
    }
}
END_TEST

// Grid type, output type, type of angles and steps: every row of the matrix that is allowed.
static const struct {
    const char *grid, *out, *angle;
} matrix[] = {{"f32", "f32", "f32"},  {"f32", "f64", "f32"},   {"f32", "c64", "f32"},
              {"f32", "c128", "f32"}, {"f64", "f32", "f32"},   {"f64", "f64", "f32"},
              {"f64", "c64", "f32"},  {"f64", "c128", "f32"},  {"c64", "c64", "f32"},
              {"c64", "c128", "f32"}, {"c128", "c64", "f32"},  {"c128", "c128", "f32"},
              {"f32", "f32", "f64"},  {"f32", "f64", "f64"},   {"f64", "f32", "f64"},
              {"f64", "f64", "f64"},  {"c64", "c64", "f64"},   {"c64", "c128", "f64"},
              {"c128", "c64", "f64"}, {"c128", "c128", "f64"}, {"f64", "c128", "f64"}};
enum { N_MATRIX = sizeof matrix / sizeof *matrix };

// At the nodes the interpolation gives the stored numbers back, feed and field axis exchanged.
START_TEST(beam_reproduces_its_nodes)
{
    enum { NBEAM = 2, NAX = 3, NFEED = 2, NZA = 7, NAZ = 11, N = NZA * NAZ };
    for (int mode = 0; mode < 3; mode++) {
        hgate_visibility_params params = params_default();
        params.az_mode = mode == 1 ? HGATE_AZ_PERIODIC : HGATE_AZ_CLAMP;
        int is_complex_grid = matrix[_i].grid[0] == 'c', is_complex = matrix[_i].out[0] == 'c';
        params.sqrt_power = mode == 2;
        if (params.sqrt_power && is_complex_grid)
            continue;
        array *grid = random_array(matrix[_i].grid, 5, (int64_t[]){NBEAM, NAX, NFEED, NZA, NAZ}, 5);
        for (int64_t i = 0; params.sqrt_power && i < grid->count; i++)
            array_put(grid, i, fabs(array_get(grid, i)));
        // Steps that are powers of two: node times step is exact and so is the division.
        geometry g = steps(matrix[_i].angle, 0.5, 0.125);
        array *az = array_1d(matrix[_i].angle, N), *za = array_1d(matrix[_i].angle, N);
        for (int s = 0; s < N; s++) {
            array_put(az, s, 0.5 * (s % NAZ));
            array_put(za, s, 0.125 * (s / NAZ));
        }
        array *beam = new_beam(matrix[_i].out, grid, N);
        uint32_t mask = is_complex_grid ? complex_mask[is_f64(grid)] : real_mask[is_f64(grid)];
        const conf_kernel *k;
        FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_BEAM, mask)
        {
            conf_call call = call_beam(grid, g.daz, g.dza, NULL, NULL, az, za, beam, &params);
            if (conf_run(k, &call, visibility_threads()) == CONF_REFUSED) {
                ck_assert_str_ne(k->kernel->name, "reference");
                ck_assert_ptr_nonnull(strstr(conf_reason(), "float32 grid"));
                continue;
            }
            conf_run_ok(k, &call, visibility_threads());
            for (int64_t at = 0; at < beam->count; at++) {
                int64_t s = at % N, x = at / N % NAX, f = at / N / NAX % NFEED,
                        b = at / N / NAX / NFEED;
                int64_t node = ((b * NAX + x) * NFEED + f) * N + s;
                for (int part = 0; part < (is_complex ? 2 : 1); part++) {
                    double want = is_complex_grid ? array_get(grid, 2 * node + part)
                                  : part == 0     ? array_get(grid, node)
                                                  : 0.0;
                    want = params.sqrt_power ? sqrt(want) : want;
                    want = is_f64(beam) ? want : (double)(float)want;
                    double got = array_get(beam, is_complex ? 2 * at + part : at);
                    double slack = params.sqrt_power ? eps[is_f64(beam)] * want : 0.0;
                    ck_assert_msg(fabs(got - want) <= slack, "%s: %.17g, expected %.17g",
                                  conf_label(k, mask), got, want);
                }
            }
        }
        array_free(grid), array_free(az), array_free(za), array_free(beam);
        free_geometry(&g);
    }
}
END_TEST

// Tent of a node: an interpolation written the other way round.
static double tent(double x, int64_t node, int64_t n)
{
    x = fmin(fmax(x, 0.0), (double)(n - 1));
    return fmax(0.0, 1.0 - fabs(x - (double)node));
}

START_TEST(beam_between_nodes)
{
    enum { NBEAM = 2, NAX = 1, NFEED = 3, NZA = 7, NAZ = 11, N = 48, PLANE = NZA * NAZ };
    hgate_visibility_params params = params_default();
    for (int p = 0; p < 2; p++) {
        array *grid = random_array(complex_word[p], 5, (int64_t[]){NBEAM, NAX, NFEED, NZA, NAZ}, 8);
        static const double daz[] = {0.61, 0.47}, dza[] = {0.23, 0.31};
        static const double az0[] = {0.2, -0.4}, za0[] = {-0.1, 0.05};
        geometry g = {reals(real_word[p], 2, daz), reals(real_word[p], 2, dza),
                      reals(real_word[p], 2, az0), reals(real_word[p], 2, za0)};
        array *az = array_1d(real_word[p], N), *za = array_1d(real_word[p], N);
        uint64_t seed = 17;
        for (int s = 0; s < N; s++) { // the last eight lie beyond edges and corners
            array_put(az, s, s < 40 ? -1.0 + 8.0 * random_uniform(&seed) : 3.0 + 9.0 * (s % 3 - 1));
            array_put(za, s,
                      s < 40 ? -0.3 + 2.2 * random_uniform(&seed) : 0.7 + 5.0 * (s / 3 % 3 - 1));
        }
        array *beam = new_beam(complex_word[p], grid, N);
        double bound = (4 * (NZA + NAZ) * 2 + 8) * eps[p] * array_peak(grid);
        const conf_kernel *k;
        FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_BEAM, complex_mask[p])
        {
            conf_call call = call_beam(grid, g.daz, g.dza, g.az0, g.za0, az, za, beam, &params);
            conf_run_ok(k, &call, visibility_threads());
            for (int64_t at = 0; at < 2 * beam->count; at++) {
                int64_t s = at / 2 % N, f = at / 2 / N % NFEED, b = at / 2 / N / NFEED;
                double x = (array_get(za, s) - array_get(g.za0, b)) / array_get(g.dza, b);
                double y = (array_get(az, s) - array_get(g.az0, b)) / array_get(g.daz, b);
                double want = 0.0;
                for (int64_t node = 0; node < PLANE; node++)
                    want += tent(x, node / NAZ, NZA) * tent(y, node % NAZ, NAZ) *
                            array_get(grid, 2 * ((b * NFEED + f) * PLANE + node) + at % 2);
                ck_assert_double_le(fabs(array_get(beam, at) - want), bound);
            }
        }
        array_free(grid), array_free(az), array_free(za), array_free(beam);
        free_geometry(&g);
    }
}
END_TEST

START_TEST(beam_stored)
{
    for (int p = 0; p < 2; p++) {
        visibility_case c = case_load(visibility_cases[_i], p, "i32");
        hgate_visibility_params params = params_of(&c);
        int is_complex_grid = c.grid->dl.dtype.code == HGATE_DL_COMPLEX;
        retype(&c.az, real_word[p]);
        retype(&c.za, real_word[p]);
        array *beam =
            new_beam(is_complex_grid ? complex_word[p] : real_word[p], c.grid, c.az->count);
        // The angles were rounded once more; a root near 0 is as steep as the value is small.
        double bound = (4.0 * (double)(c.grid->shape[3] + c.grid->shape[4]) * 2 + 8) * eps[p];
        bound *= array_peak(c.grid);
        bound = params.sqrt_power ? sqrt(bound) : bound;
        uint32_t mask = is_complex_grid ? complex_mask[p] : real_mask[p];
        const conf_kernel *k;
        FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_BEAM, mask)
        {
            conf_call call =
                call_beam(c.grid, c.daz, c.dza, c.az0, c.za0, c.az, c.za, beam, &params);
            conf_run_ok(k, &call, visibility_threads());
            ck_assert_double_le(array_distance(beam, c.beam), bound);
        }
        array_free(beam);
        case_free(&c);
    }
}
END_TEST

// A measured dipole: the nodes around three points, the last of them behind the last column.
START_TEST(beam_measured)
{
    enum { NZA = 91, NAZ = 180, N = 3, PLANES = 4 };
    FILE *file = stored_open("visibility/hera.npy");
    array *step = stored_next(file), *nodes = stored_next(file), *values = stored_next(file);
    array *points = stored_next(file), *want = stored_next(file);
    fclose(file);
    array *grid = array_new("c128", 5, (int64_t[]){1, 2, 2, NZA, NAZ});
    for (int64_t i = 0; i < 2 * grid->count; i++)
        array_put(grid, i, 1e30); // a node that must not enter would show
    for (int64_t i = 0; i < nodes->shape[0]; i++)
        for (int64_t plane = 0; plane < PLANES; plane++)
            for (int part = 0; part < 2; part++)
                array_put(grid,
                          2 * ((plane * NZA + (int64_t)array_get(nodes, 2 * i)) * NAZ +
                               (int64_t)array_get(nodes, 2 * i + 1)) +
                              part,
                          array_get(values, 2 * (i * PLANES + plane) + part));
    geometry g = steps("f64", array_get(step, 0), array_get(step, 1));
    array *az = array_1d("f64", N), *za = array_1d("f64", N);
    for (int s = 0; s < N; s++) {
        array_put(az, s, array_get(points, 2 * s));
        array_put(za, s, array_get(points, 2 * s + 1));
    }
    array *beam = new_beam("c128", grid, N);
    hgate_visibility_params params = params_default();
    const conf_kernel *k;
    FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_BEAM, HGATE_C128)
    {
        conf_call call = call_beam(grid, g.daz, g.dza, NULL, NULL, az, za, beam, &params);
        conf_run_ok(k, &call, visibility_threads());
        ck_assert_double_le(array_distance(beam, want), 1e-14);
        // Known numbers: feed 0, field axis 0, first point; axis 1, second point.
        ck_assert_double_le(fabs(array_get(beam, 0) - 0.1461428461919049), 1e-14);
        ck_assert_double_le(fabs(array_get(beam, 1) - 0.1847866668742804), 1e-14);
        ck_assert_double_le(fabs(array_get(beam, 2 * (N + 1)) + 0.01425343069034996), 1e-14);
    }
    array_free(step), array_free(nodes), array_free(values), array_free(points), array_free(want);
    array_free(grid), array_free(az), array_free(za), array_free(beam);
    free_geometry(&g);
}
END_TEST

// A node of weight 0 does not enter: rows of NaN below the horizon, a source on the last good row.
START_TEST(beam_leaves_out_weightless_nodes)
{
    hgate_visibility_params params = params_default();
    for (int p = 0; p < 2; p++) {
        array *grid = random_array(real_word[p], 5, (int64_t[]){1, 1, 1, 4, 5}, 3);
        for (int i = 15; i < 20; i++)
            array_put(grid, i, i % 2 ? NAN : INFINITY);
        geometry g = steps(real_word[p], 0.25, 0.1);
        double last = 2 * array_get(g.dza, 0);
        array *az = reals(real_word[p], 3, (double[]){0.5, 0.1, 0.1});
        array *za = reals(real_word[p], 3, (double[]){last, last, last * 1.001});
        array *beam = new_beam(real_word[p], grid, 3);
        const conf_kernel *k;
        FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_BEAM, real_mask[p])
        {
            conf_call call = call_beam(grid, g.daz, g.dza, NULL, NULL, az, za, beam, &params);
            conf_run_ok(k, &call, visibility_threads());
            ck_assert(array_get(beam, 0) == array_get(grid, 12));
            ck_assert(isfinite(array_get(beam, 1)));
            ck_assert(!isfinite(array_get(beam, 2)));
        }
        array_free(grid), array_free(az), array_free(za), array_free(beam);
        free_geometry(&g);
    }
}
END_TEST

START_TEST(beam_of_no_angle)
{
    enum { N = 5 };
    hgate_visibility_params params = params_default();
    for (int p = 0; p < 2; p++)
        for (int mode = 0; mode < 2; mode++) {
            params.az_mode = mode ? HGATE_AZ_PERIODIC : HGATE_AZ_CLAMP;
            array *grid = random_array(complex_word[p], 5, (int64_t[]){1, 2, 3, 1, 4}, 21);
            geometry g = steps(real_word[p], two_pi / 4, 1.0);
            array *az = reals(real_word[p], N, (double[]){0.3, NAN, 0.3, 0.3, 0.3});
            array *za = reals(real_word[p], N, (double[]){0.0, 0.0, NAN, INFINITY, -INFINITY});
            array *beam = new_beam(complex_word[p], grid, N);
            const conf_kernel *k;
            FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_BEAM, complex_mask[p])
            {
                conf_call call = call_beam(grid, g.daz, g.dza, NULL, NULL, az, za, beam, &params);
                conf_run_ok(k, &call, visibility_threads());
                for (int64_t at = 0; at < beam->count; at++) {
                    int is_bad = at % N == 1 || at % N == 2;
                    ck_assert(isnan(array_get(beam, 2 * at)) == is_bad);
                    ck_assert(isnan(array_get(beam, 2 * at + 1)) == is_bad);
                }
            }
            array_free(grid), array_free(az), array_free(za), array_free(beam);
            free_geometry(&g);
        }
}
END_TEST

START_TEST(beam_of_many_planes)
{
    enum { NBEAM = 16500, PLANES = 4, N = 5, NODES = 6 };
    hgate_visibility_params params = params_default();
    array *grid = array_new("f32", 5, (int64_t[]){NBEAM, 1, PLANES, 2, 3});
    for (int64_t i = 0; i < grid->count; i++)
        array_put(grid, i, (double)(i % 1021));
    geometry g = steps("f32", 1.0, 1.0);
    array *az = reals("f32", N, (double[]){0, 1, 2, 0.5, 1.5});
    array *za = reals("f32", N, (double[]){0, 1, 0, 0, 1});
    array *beam = new_beam("f32", grid, N);
    const conf_kernel *k;
    FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_BEAM, HGATE_F32)
    {
        conf_call call = call_beam(grid, g.daz, g.dza, NULL, NULL, az, za, beam, &params);
        conf_run_ok(k, &call, visibility_threads());
        for (int64_t plane = 0; plane < NBEAM * PLANES; plane++) {
            const float *nodes = (const float *)grid->data + NODES * plane;
            ck_assert(array_get(beam, N * plane) == (double)nodes[0]);
            ck_assert(array_get(beam, N * plane + 1) == (double)nodes[4]);
            ck_assert(array_get(beam, N * plane + 3) == 0.5 * (double)(nodes[0] + nodes[1]));
        }
    }
    array_free(grid), array_free(az), array_free(za), array_free(beam);
    free_geometry(&g);
}
END_TEST

START_TEST(beam_root_of_power)
{
    enum { N = 9 };
    for (int p = 0; p < 2; p++) {
        array *grid = random_array(real_word[p], 5, (int64_t[]){2, 1, 3, 4, 5}, 33);
        for (int64_t i = 0; i < grid->count; i++)
            array_put(grid, i, 0.1 + fabs(array_get(grid, i)));
        geometry g = steps(real_word[p], 0.4, 0.3);
        array *az = array_1d(real_word[p], N), *za = array_1d(real_word[p], N);
        for (int s = 0; s < N; s++) {
            array_put(az, s, 0.17 * s);
            array_put(za, s, 0.11 * (N - s));
        }
        array *power = new_beam(real_word[p], grid, N), *root = new_beam(real_word[p], grid, N);
        hgate_visibility_params params = params_default();
        const conf_kernel *k;
        FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_BEAM, real_mask[p])
        {
            params.sqrt_power = 0;
            conf_call call = call_beam(grid, g.daz, g.dza, NULL, NULL, az, za, power, &params);
            conf_run_ok(k, &call, visibility_threads());
            params.sqrt_power = 1;
            call = call_beam(grid, g.daz, g.dza, NULL, NULL, az, za, root, &params);
            conf_run_ok(k, &call, visibility_threads());
            for (int64_t i = 0; i < root->count; i++)
                ck_assert_double_le(fabs(array_get(root, i) - sqrt(array_get(power, i))),
                                    2 * eps[p] * array_get(root, i));

            // beam 1, feed 2 at the first node; source 0 is (za 0.99, az 0), the node is far from
            // it
            array_put(grid, (1 * 3 + 2) * 20 + 3 * 5, -5.0);
            call = call_beam(grid, g.daz, g.dza, NULL, NULL, az, za, root, &params);
            ck_assert_int_eq(conf_run(k, &call, visibility_threads()), HGATE_EVALUE);
            ck_assert_msg(strstr(conf_message(), "beam 1") && strstr(conf_message(), "feed 2") &&
                              strstr(conf_message(), "source 0"),
                          "%s", conf_message());
            params.check = HGATE_CHECK_NONE;
            call = call_beam(grid, g.daz, g.dza, NULL, NULL, az, za, root, &params);
            conf_run_ok(k, &call, visibility_threads());
            ck_assert(isnan(array_get(root, (1 * 3 + 2) * N)));
            params.check = HGATE_CHECK_VALUES;
            array_put(grid, (1 * 3 + 2) * 20 + 3 * 5, 0.5);
        }
        array_free(grid), array_free(az), array_free(za), array_free(power), array_free(root);
        free_geometry(&g);
    }
}
END_TEST

// ---- phases ----

static const int modes[] = {HGATE_TAU_AUTO, HGATE_TAU_REDUCED, HGATE_TAU_WIDE};

START_TEST(tau_stored)
{
    for (int p = 0; p < 2; p++) {
        visibility_case c = case_load(visibility_cases[_i], p, "i32");
        array *up = array_2d(real_word[p], 3, c.up->count);
        for (int64_t s = 0; s < up->count; s++)
            array_put(up, s,
                      array_get(c.crd, s / c.up->count * c.crd->shape[1] +
                                           (int64_t)array_get(c.up, s % c.up->count)));
        for (int out = 0; out <= p; out++) {
            array *exptau = array_2d(complex_word[out], c.antpos->shape[0], c.up->count);
            double bound = conf_tolerance(HGATE_OP_VISIBILITY_TAU, complex_mask[out]);
            bound *= out == 1 ? 1.0 + case_turns(&c) : 1.0;
            for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
                hgate_visibility_params params = params_of(&c);
                params.tau_mode = modes[m];
                const conf_kernel *k;
                FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_TAU, complex_mask[out])
                {
                    conf_call call = call_tau(c.antpos, up, exptau, &params);
                    conf_run_ok(k, &call, visibility_threads());
                    double error = array_distance(exptau, c.exptau);
                    ck_assert_msg(error <= bound, "%s, mode %d: error %g, bound %g",
                                  conf_label(k, complex_mask[out]), modes[m], error, bound);
                }
            }
            array_free(exptau);
        }
        array_free(up);
        case_free(&c);
    }
}
END_TEST

START_TEST(tau_quarter_turn)
{
    enum { NANT = 2, NSRC = 3 };
    for (int p = 0; p < 2; p++) {
        hgate_visibility_params params = params_default();
        array *antpos = array_2d(real_word[p], NANT, 3), *crd = array_2d(real_word[p], 3, NSRC);
        array_put(antpos, 3, 299792458.0 / params.freq_hz / 4.0);
        array_put(crd, 0, 1.0);        // East
        array_put(crd, NSRC + 1, 1.0); // North
        array_put(crd, 2, -1.0);       // West
        array *exptau = array_2d(complex_word[p], NANT, NSRC);
        for (int mode = 0; mode <= HGATE_TAU_WIDE; mode++)
            for (int sign = -1; sign <= 1; sign += 2) {
                params.tau_mode = mode;
                params.phase_sign = sign;
                const conf_kernel *k;
                FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_TAU, complex_mask[p])
                {
                    conf_call call = call_tau(antpos, crd, exptau, &params);
                    conf_run_ok(k, &call, visibility_threads());
                    const double want[] = {0, sign, 1, 0, 0, -sign};
                    for (int s = 0; s < NSRC; s++) {
                        ck_assert(array_get(exptau, 2 * s) == 1.0);
                        ck_assert(array_get(exptau, 2 * s + 1) == 0.0);
                        for (int part = 0; part < 2; part++)
                            ck_assert_double_le(
                                fabs(array_get(exptau, 2 * (NSRC + s) + part) - want[2 * s + part]),
                                4 * eps[p]);
                    }
                }
            }
        array_free(antpos), array_free(crd), array_free(exptau);
    }
}
END_TEST

// Many turns: what removes whole ones keeps its bound, the plain way in radians does not.
static const struct {
    int p;
    double metres, at_2e8_hz; // largest coordinate, turns along it
    double bound, direct[2];  // of the modes with turns; what the one without may and must do
} long_baselines[] = {
    {0, 900.0, 6e2, 1e-6, {1e-5, 2e-3}},
    {0, 15e3, 1e4, 1e-6, {1e-4, 3e-2}},
    {1, 1.5e6, 1e6, 4e-16 * 1e6, {0, 1e-8}},
};
enum { N_LONG_BASELINES = sizeof long_baselines / sizeof *long_baselines };

static double turns_error(const array *antpos, const array *crd, const array *exptau, int at,
                          double freq_hz)
{
    const int nsrc = (int)crd->shape[1];
    long double turns = 0;
    for (int d = 0; d < 3; d++)
        turns += (long double)array_get(antpos, 3 * (at / nsrc) + d) *
                 (long double)array_get(crd, d * nsrc + at % nsrc);
    turns *= (long double)freq_hz / 299792458.0L;
    const double angle = two_pi * (double)(turns - rintl(turns));
    return hypot(array_get(exptau, 2 * at) - cos(angle),
                 array_get(exptau, 2 * at + 1) - sin(angle));
}

// Under valgrind it is a double: then nothing here knows the right answer.
static int has_long_double(void)
{
    volatile long double one = 1, step = LDBL_EPSILON;
    return one + step > one;
}

START_TEST(tau_long_baselines)
{
    if (!has_long_double())
        return;
    enum { NANT = 7, NSRC = 40 };
    const int p = long_baselines[_i].p;
    hgate_visibility_params params = params_default();
    params.freq_hz = 2e8;
    uint64_t seed = 4;
    array *antpos = array_2d(real_word[p], NANT, 3), *crd = array_2d(real_word[p], 3, NSRC);
    for (int i = 0; i < 3 * NANT; i++)
        array_put(antpos, i, long_baselines[_i].metres * (2.0 * random_uniform(&seed) - 1.0));
    for (int s = 0; s < NSRC; s++) {
        double u = random_uniform(&seed), a = two_pi * random_uniform(&seed);
        array_put(crd, s, sqrt(1 - u * u) * cos(a));
        array_put(crd, NSRC + s, sqrt(1 - u * u) * sin(a));
        array_put(crd, 2 * NSRC + s, u);
    }
    array *exptau = array_2d(complex_word[p], NANT, NSRC);
    for (int mode = HGATE_TAU_DIRECT; mode <= HGATE_TAU_WIDE; mode++) {
        params.tau_mode = mode;
        const conf_kernel *k;
        FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_TAU, complex_mask[p])
        {
            conf_call call = call_tau(antpos, crd, exptau, &params);
            conf_run_ok(k, &call, visibility_threads());
            double worst = 0.0;
            for (int at = 0; at < NANT * NSRC; at++)
                worst = fmax(worst, turns_error(antpos, crd, exptau, at, params.freq_hz));
            const double *direct = long_baselines[_i].direct;
            const double bound = long_baselines[_i].bound;
            if (mode == HGATE_TAU_DIRECT)
                ck_assert_msg(worst > direct[0] && worst < direct[1], "direct: %g", worst);
            else
                ck_assert_msg(worst <= bound, "%s, mode %d, %g turns: %g",
                              conf_label(k, complex_mask[p]), mode, long_baselines[_i].at_2e8_hz,
                              worst);
        }
    }
    array_free(antpos), array_free(crd), array_free(exptau);
}
END_TEST

// ---- Z ----

START_TEST(z_stored)
{
    for (int p = 0; p < 2; p++) {
        visibility_case c = case_load(visibility_cases[_i], p, p ? "i32" : "i64");
        hgate_visibility_params params = params_of(&c);
        array *flux = array_1d(real_word[p], c.up->count);
        for (int64_t s = 0; s < c.up->count; s++)
            array_put(flux, s, array_get(c.flux, (int64_t)array_get(c.up, s)));
        if (c.beam->dl.dtype.code != HGATE_DL_COMPLEX) { // a real beam as complex numbers
            array *beam = array_new("c128", 4, c.beam->shape);
            for (int64_t i = 0; i < beam->count; i++)
                array_put(beam, 2 * i, array_get(c.beam, i));
            array_free(c.beam);
            c.beam = beam;
        }
        retype(&c.beam, complex_word[p]);
        retype(&c.exptau, complex_word[p]);
        array *Z = array_2d(complex_word[p], c.Z->shape[0], c.Z->shape[1]);
        const conf_kernel *k;
        FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_Z, complex_mask[p])
        {
            conf_call call = call_z(c.beam, c.exptau, flux, c.beam_idx, Z, &params);
            conf_run_ok(k, &call, visibility_threads());
            double bound = conf_tolerance(HGATE_OP_VISIBILITY_Z, complex_mask[p]);
            for (int64_t i = 0; i < Z->count; i++) {
                double re = array_get(c.Z, 2 * i), im = array_get(c.Z, 2 * i + 1);
                double error = hypot(array_get(Z, 2 * i) - re, array_get(Z, 2 * i + 1) - im);
                ck_assert_double_le(error, bound * hypot(re, im));
            }
        }
        array_free(flux), array_free(Z);
        case_free(&c);
    }
}
END_TEST

// beam_idx (2, 0, 1, 2): row 2*3+1, column 5*1+4 is beam 2, feed 1, axis 1 of antenna 3, source 4.
START_TEST(z_element_order)
{
    enum { NANT = 4, NFEED = 2, NAX = 3, NSRC = 5, NBEAM = 3, K = NAX * NSRC };
    for (int p = 0; p < 2; p++)
        for (int is_amp = 0; is_amp < 2; is_amp++) {
            hgate_visibility_params params = params_default();
            params.flux_is_amp = is_amp;
            params.flux_scale = 0.37;
            array *beam = random_array(complex_word[p], 4, (int64_t[]){NBEAM, NFEED, NAX, NSRC}, 1);
            array *exptau = random_array(complex_word[p], 2, (int64_t[]){NANT, NSRC}, 2);
            array *flux =
                reals(real_word[p], NSRC, (double[]){0.3, 1.1, 0.0, 2.0, is_amp ? -0.7 : 0.7});
            array *idx = array_1d(p ? "i64" : "i32", NANT);
            for (int a = 0; a < NANT; a++)
                array_put(idx, a, (double[]){2, 0, 1, 2}[a]);
            array *Z = array_2d(complex_word[p], NANT * NFEED, K);
            const conf_kernel *k;
            FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_Z, complex_mask[p])
            {
                conf_call call = call_z(beam, exptau, flux, idx, Z, &params);
                conf_run_ok(k, &call, visibility_threads());
                int at = (2 * 3 + 1) * K + 5 * 1 + 4;
                int b = ((2 * NFEED + 1) * NAX + 1) * NSRC + 4, t = 3 * NSRC + 4;
                double br = array_get(beam, 2 * b), bi = array_get(beam, 2 * b + 1);
                double tr = array_get(exptau, 2 * t), ti = array_get(exptau, 2 * t + 1);
                double amp = is_amp ? array_get(flux, 4) : sqrt(0.37 * array_get(flux, 4));
                ck_assert_double_le(fabs(array_get(Z, 2 * at) - amp * (br * tr - bi * ti)),
                                    8 * eps[p] * hypot(br, bi) * hypot(tr, ti));
                ck_assert_double_le(fabs(array_get(Z, 2 * at + 1) - amp * (br * ti + bi * tr)),
                                    8 * eps[p] * hypot(br, bi) * hypot(tr, ti));
            }
            array_free(beam), array_free(exptau), array_free(flux), array_free(idx), array_free(Z);
        }
}
END_TEST

// Without beam_idx one beam serves all antennas, or each antenna has the beam of its number.
START_TEST(z_without_indices)
{
    enum { NANT = 4, NFEED = 3, NAX = 2, NSRC = 6 };
    hgate_visibility_params params = params_default();
    for (int nbeam = 1; nbeam <= NANT; nbeam += NANT - 1) {
        array *beam = random_array("c128", 4, (int64_t[]){nbeam, NFEED, NAX, NSRC}, 41);
        array *exptau = random_array("c128", 2, (int64_t[]){NANT, NSRC}, 42);
        array *flux = array_1d("f64", NSRC), *idx = array_1d("i32", NANT);
        for (int s = 0; s < NSRC; s++)
            array_put(flux, s, 0.5 + s);
        for (int a = 0; a < NANT; a++)
            array_put(idx, a, nbeam == 1 ? 0 : a);
        array *with = array_2d("c128", NANT * NFEED, NAX * NSRC);
        array *without = array_2d("c128", NANT * NFEED, NAX * NSRC);
        const conf_kernel *k;
        FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_Z, HGATE_C128)
        {
            conf_call call = call_z(beam, exptau, flux, idx, with, &params);
            conf_run_ok(k, &call, visibility_threads());
            call = call_z(beam, exptau, flux, NULL, without, &params);
            conf_run_ok(k, &call, visibility_threads());
            ck_assert(array_equal_bits(with, without));
        }
        array_free(beam), array_free(exptau), array_free(flux), array_free(idx);
        array_free(with), array_free(without);
    }
}
END_TEST

// Whatever the check level, an index outside is refused with its place and nothing is written.
START_TEST(z_refuses_wrong_indices)
{
    enum { NANT = 4, NFEED = 2, NAX = 1, NSRC = 3, NBEAM = 2 };
    static const double wrong[] = {-1, 2, 2147483647, -2147483648.0};
    hgate_visibility_params params = params_default();
    array *beam = random_array("c64", 4, (int64_t[]){NBEAM, NFEED, NAX, NSRC}, 41);
    array *exptau = random_array("c64", 2, (int64_t[]){NANT, NSRC}, 42);
    array *flux = array_1d("f32", NSRC), *idx = array_1d("i32", NANT);
    array *Z = array_2d("c64", NANT * NFEED, NAX * NSRC);
    array_put(idx, 2, wrong[_i]);
    for (int check = HGATE_CHECK_NONE; check <= HGATE_CHECK_FULL; check++) {
        params.check = check;
        const conf_kernel *k;
        FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_Z, HGATE_C64)
        {
            conf_call call = call_z(beam, exptau, flux, idx, Z, &params);
            ck_assert_int_eq(conf_run(k, &call, visibility_threads()), HGATE_EVALUE);
            ck_assert_msg(strstr(conf_message(), "beam_idx: element 2"), "%s", conf_message());
        }
    }
    array_free(beam), array_free(exptau), array_free(flux), array_free(idx), array_free(Z);
}
END_TEST

START_TEST(nothing_to_do)
{
    hgate_visibility_params params = params_default();
    array *grid = array_new("c64", 5, (int64_t[]){1, 2, 3, 4, 5});
    geometry g = steps("f32", 0.5, 0.25);
    array *none = array_1d("f32", 0), *crd = array_2d("f32", 3, 0), *antpos = array_2d("f32", 2, 3);
    array *beam = new_beam("c64", grid, 0), *exptau = array_2d("c64", 2, 0);
    const conf_kernel *k;
    FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_BEAM, HGATE_C64)
    {
        conf_call call = call_beam(grid, g.daz, g.dza, NULL, NULL, none, none, beam, &params);
        conf_run_ok(k, &call, visibility_threads());
    }
    FOR_EACH_KERNEL(k, HGATE_OP_VISIBILITY_TAU, HGATE_C64)
    {
        conf_call call = call_tau(antpos, crd, exptau, &params);
        conf_run_ok(k, &call, visibility_threads());
    }
    array_free(grid), array_free(none), array_free(crd), array_free(antpos);
    array_free(beam), array_free(exptau);
    free_geometry(&g);
}
END_TEST

static void add(TCase *tcase)
{
    tcase_add_test(tcase, horizon_keeps_order);
    tcase_add_loop_test(tcase, horizon_stored, 0, N_VISIBILITY_CASES);
    tcase_add_loop_test(tcase, horizon_of_sizes, 0, 24);
    tcase_add_test(tcase, angles_of_known_directions);
    tcase_add_test(tcase, angles_near_the_zenith);
    tcase_add_test(tcase, beam_hand_table);
    tcase_add_test(tcase, beam_periodic_hand_table);
    tcase_add_loop_test(tcase, beam_reproduces_its_nodes, 0, N_MATRIX);
    tcase_add_test(tcase, beam_between_nodes);
    tcase_add_loop_test(tcase, beam_stored, 0, N_VISIBILITY_CASES);
    tcase_add_test(tcase, beam_measured);
    tcase_add_test(tcase, beam_leaves_out_weightless_nodes);
    tcase_add_test(tcase, beam_of_no_angle);
    tcase_add_test(tcase, beam_of_many_planes);
    tcase_add_test(tcase, beam_root_of_power);
    tcase_add_loop_test(tcase, tau_stored, 0, N_VISIBILITY_CASES);
    tcase_add_test(tcase, tau_quarter_turn);
    tcase_add_loop_test(tcase, tau_long_baselines, 0, N_LONG_BASELINES);
    tcase_add_loop_test(tcase, z_stored, 0, N_VISIBILITY_CASES);
    tcase_add_test(tcase, z_element_order);
    tcase_add_test(tcase, z_without_indices);
    tcase_add_loop_test(tcase, z_refuses_wrong_indices, 0, 4);
    tcase_add_test(tcase, nothing_to_do);
}

int main(void)
{
    Suite *suite = suite_create("visibility steps");
    visibility_add_levels(suite, "", add);
    return run_suite(suite);
}
