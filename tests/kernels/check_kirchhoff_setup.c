// SPDX-License-Identifier: BSD-3-Clause
// The kernels of the set-up operations of kirchhoff, and of kirchhoff_convolve.
#include "tests/harness.h"
#include "tests/kernels/conformance.h"

#include <math.h>
#include <string.h>

#define FOR_EACH_KERNEL(k, op, mask)                                                               \
    for (int i_##k = 0; (k = conf_kernel_at(op, mask, i_##k)); i_##k++)

static const char *const type[2] = {"f32", "f64"};
static const uint32_t mask[2] = {HGATE_F32, HGATE_F64};
static const double eps[2] = {0x1p-23, 0x1p-52};

// See SETUP_ORDER in tests/data/make_kirchhoff.py.
typedef struct stored_setup {
    array *sizes, *grid, *speed, *stations, *trav, *dist, *ang, *amp, *idx, *wav, *wav_filtered;
    array *wavc, *x, *convolved, *correlated;
} stored_setup;
enum { N_ARRAYS = sizeof(stored_setup) / sizeof(array *) };
static const char *const names[] = {"setup2d", "setup3d"};

static stored_setup load(const char *name)
{
    stored_setup s;
    char path[64];
    snprintf(path, sizeof path, "kirchhoff/%s.npy", name);
    FILE *file = stored_open(path);
    for (int i = 0; i < N_ARRAYS; i++)
        ((array **)&s)[i] = stored_next(file);
    fclose(file);
    return s;
}

static void unload(stored_setup *s)
{
    for (int i = 0; i < N_ARRAYS; i++)
        array_free(((array **)s)[i]);
}

static hgate_kirchhoff_setup setup_of(const stored_setup *s)
{
    hgate_kirchhoff_setup setup = {.struct_size = sizeof setup,
                                   .grid = {.struct_size = sizeof setup.grid,
                                            .ny = (int64_t)array_get(s->sizes, 0),
                                            .nx = (int64_t)array_get(s->sizes, 1),
                                            .nz = (int64_t)array_get(s->sizes, 2),
                                            .dy = array_get(s->grid, 0),
                                            .dx = array_get(s->grid, 1),
                                            .dz = array_get(s->grid, 2),
                                            .y0 = array_get(s->grid, 3),
                                            .x0 = array_get(s->grid, 4),
                                            .z0 = array_get(s->grid, 5)},
                                   .v = array_get(s->speed, 0),
                                   .eps = array_get(s->speed, 1),
                                   .dt = array_get(s->speed, 2),
                                   .wavc = (int64_t)array_get(s->wavc, 0)};
    setup.ndim = setup.grid.ny ? 3 : 2;
    return setup;
}

static int64_t points(const hgate_kirchhoff_setup *setup)
{
    return (setup->grid.ny ? setup->grid.ny : 1) * setup->grid.nx * setup->grid.nz;
}

// A call of one of the operations over a grid: `in` is argument 0, `out` and `more` follow.
static conf_call call_grid(int op, int p, const hgate_kirchhoff_setup *setup, array *in, array *out,
                           array *more, int64_t n)
{
    conf_call call;
    conf_call_init(&call, op, mask[p], setup);
    conf_in(&call, 0, in);
    conf_out(&call, 1, out);
    if (op == HGATE_OP_KIRCHHOFF_TRAVELTIME)
        conf_out(&call, HGATE_KIRCHHOFF_TRAVELTIME_DIST, more);
    conf_dim(&call, HGATE_DIM_KIRCHHOFF_GRID_N, n);
    conf_dim(&call, HGATE_DIM_KIRCHHOFF_GRID_NX, setup->grid.nx);
    conf_dim(&call, HGATE_DIM_KIRCHHOFF_GRID_NZ, setup->grid.nz);
    conf_dim(&call, HGATE_DIM_KIRCHHOFF_GRID_NY, setup->grid.ny);
    conf_dim(&call, HGATE_DIM_KIRCHHOFF_GRID_NI, points(setup));
    return call;
}

static void assert_near(const array *got, const array *want, double bound, const conf_kernel *k,
                        int p)
{
    double error = array_distance(got, want);
    ck_assert_msg(error <= bound, "%s: error %g, bound %g", conf_label(k, mask[p]), error, bound);
}

START_TEST(stored_tables)
{
    stored_setup s = load(names[_i]);
    hgate_kirchhoff_setup setup = setup_of(&s);
    int64_t n = s.stations->shape[1], ni = points(&setup);
    for (int p = 0; p < 2; p++) {
        array *stations = array_as(s.stations, type[p]), *trav = array_as(s.trav, type[p]);
        array *dist = array_as(s.dist, type[p]), *out = array_2d(type[p], ni, n);
        array *more = array_2d(type[p], ni, n);
        const conf_kernel *k;
        FOR_EACH_KERNEL(k, HGATE_OP_KIRCHHOFF_TRAVELTIME, mask[p])
        {
            for (int with_dist = 0; with_dist < 2; with_dist++) {
                conf_call call = call_grid(HGATE_OP_KIRCHHOFF_TRAVELTIME, p, &setup, stations, out,
                                           with_dist ? more : NULL, n);
                conf_run_ok(k, &call, 1);
                // The stored table was rounded to float32.
                assert_near(out, s.trav, 4 * eps[0] * array_peak(s.trav), k, p);
                if (with_dist)
                    assert_near(more, s.dist, 4 * eps[p] * array_peak(s.dist), k, p);
            }
            for (int64_t i = 0; i < ni * n; i++)
                ck_assert_double_le(fabs(array_get(out, i) * setup.v - array_get(more, i)),
                                    4 * eps[p] * array_get(more, i));
        }
        FOR_EACH_KERNEL(k, HGATE_OP_KIRCHHOFF_ANGLES, mask[p])
        {
            conf_call call = call_grid(HGATE_OP_KIRCHHOFF_ANGLES, p, &setup, trav, out, NULL, n);
            conf_run_ok(k, &call, 1);
            assert_near(out, s.ang, p ? 1e-13 : 4e-7, k, p);
        }
        FOR_EACH_KERNEL(k, HGATE_OP_KIRCHHOFF_SPREADING, mask[p])
        {
            conf_call call = call_grid(HGATE_OP_KIRCHHOFF_SPREADING, p, &setup, dist, out, NULL, n);
            conf_run_ok(k, &call, 1);
            assert_near(out, s.amp, 4 * eps[p] * array_peak(s.amp), k, p);
        }
        for (int wide = 0; wide < 2; wide++) {
            array *idx = array_1d(wide ? "i64" : "i32", n);
            FOR_EACH_KERNEL(k, HGATE_OP_KIRCHHOFF_STATION_INDEX, mask[p])
            {
                conf_call call =
                    call_grid(HGATE_OP_KIRCHHOFF_STATION_INDEX, p, &setup, stations, idx, NULL, n);
                conf_run_ok(k, &call, 1);
                assert_near(idx, s.idx, 0.0, k, p);
            }
            array_free(idx);
        }
        array_free(stations), array_free(trav), array_free(dist), array_free(out), array_free(more);
    }
    unload(&s);
}
END_TEST

// A plane wave has one angle everywhere, whatever the steps, their signs and the lengths of the
// axes.
START_TEST(angles_of_plane_waves)
{
    static const struct {
        int64_t ny, nx, nz;
        double dy, dx, dz; // steps
        double gy, gx, gz; // gradient
        double want;
    } rows[] = {
        {0, 4, 5, 0, 10, -6, 0, 3e-4, 4e-4, 0.6435011087932844},
        {0, 5, 3, 0, -10, 6, 0, -3e-4, -4e-4, -2.498091544796509},
        {0, 1, 7, 0, 10, 6, 0, 3e-4, -4e-4, 3.141592653589793}, // one column: no lateral slope
        {0, 6, 1, 0, 10, 6, 0, -3e-4, 4e-4, -1.5707963267948966},
        {0, 1, 1, 0, 10, 6, 0, 1, 1, 0.0},
        {3, 4, 5, 12, 9, 7, 0, -3e-4, 4e-4, -0.6435011087932844},
        {3, 4, 5, -12, 9, 7, 5e-4, 0.0, 0.0, 1.5707963267948966}, // sgn(0) = 1
        {2, 1, 5, 12, 9, 7, 3e-4, 9.0, 4e-4, 0.6435011087932844},
        {2, 3, 4, 12, 9, 7, 0.0, 0.0, 0.0, 0.0},
        {2, 3, 4, 12, 9, 7, 0.0, 0.0, -2e-4, 3.141592653589793}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (int p = 0; p < 2; p++) {
            hgate_kirchhoff_setup setup = {.struct_size = sizeof setup,
                                           .grid = {.ny = rows[r].ny,
                                                    .nx = rows[r].nx,
                                                    .nz = rows[r].nz,
                                                    .dy = rows[r].dy,
                                                    .dx = rows[r].dx,
                                                    .dz = rows[r].dz}};
            int64_t ni = points(&setup);
            array *trav = array_2d(type[p], ni, 2), *ang = array_2d(type[p], ni, 2);
            for (int64_t i = 0; i < ni; i++) {
                double z = rows[r].dz * (double)(i % rows[r].nz);
                double x = rows[r].dx * (double)(i / rows[r].nz % rows[r].nx);
                double y = rows[r].dy * (double)(i / rows[r].nz / rows[r].nx);
                double t = 0.125 + rows[r].gy * y + rows[r].gx * x + rows[r].gz * z;
                array_put(trav, 2 * i, t);
                array_put(trav, 2 * i + 1, 3.0 * t);
            }
            const conf_kernel *k;
            FOR_EACH_KERNEL(k, HGATE_OP_KIRCHHOFF_ANGLES, mask[p])
            {
                conf_call call =
                    call_grid(HGATE_OP_KIRCHHOFF_ANGLES, p, &setup, trav, ang, NULL, 2);
                conf_run_ok(k, &call, 1);
                for (int64_t i = 0; i < 2 * ni;
                     i++) // the table is rounded: 1e-8 of 0.125 over 3e-3
                    ck_assert_msg(fabs(array_get(ang, i) - rows[r].want) <= (p ? 1e-12 : 1e-4),
                                  "%s, row %zu: %g", conf_label(k, mask[p]), r, array_get(ang, i));
            }
            array_free(trav), array_free(ang);
        }
}
END_TEST

// A station on a node: distance 0, a finite amplitude with eps.
START_TEST(station_on_a_node)
{
    hgate_kirchhoff_setup setup = {.struct_size = sizeof setup,
                                   .grid = {.nx = 2, .nz = 3, .dx = 5, .dz = -2, .x0 = 1, .z0 = 4},
                                   .v = 2.0,
                                   .ndim = 2,
                                   .eps = 0.25};
    for (int p = 0; p < 2; p++) {
        array *stations = array_2d(type[p], 2, 1), *trav = array_2d(type[p], 6, 1);
        array *dist = array_2d(type[p], 6, 1), *amp = array_2d(type[p], 6, 1);
        array_put(stations, 0, 6.0), array_put(stations, 1, 2.0); // node (1, 1)
        const conf_kernel *k, *l;
        FOR_EACH_KERNEL(k, HGATE_OP_KIRCHHOFF_TRAVELTIME, mask[p])
        {
            conf_call call =
                call_grid(HGATE_OP_KIRCHHOFF_TRAVELTIME, p, &setup, stations, trav, dist, 1);
            conf_run_ok(k, &call, 1);
            ck_assert(array_get(trav, 4) == 0.0 && array_get(trav, 3) == 1.0);
            ck_assert(array_get(trav, 1) == 2.5 && array_get(dist, 1) == 5.0);
            FOR_EACH_KERNEL(l, HGATE_OP_KIRCHHOFF_SPREADING, mask[p])
            {
                call = call_grid(HGATE_OP_KIRCHHOFF_SPREADING, p, &setup, dist, amp, NULL, 1);
                conf_run_ok(l, &call, 1);
                ck_assert(array_get(amp, 4) == 2.0);
            }
        }
        array_free(stations), array_free(trav), array_free(dist), array_free(amp);
    }
}
END_TEST

// There the ray has no direction: the angle is 0.
START_TEST(angle_at_a_station)
{
    for (int p = 0; p < 2; p++)
        for (int ny = 0; ny <= 3; ny += 3) {
            hgate_kirchhoff_setup setup = {
                .struct_size = sizeof setup,
                .grid = {.ny = ny, .nx = 5, .nz = 3, .dy = -3, .dx = 4, .dz = -2}};
            int64_t ni = points(&setup), middle = ni / 2;
            array *trav = array_2d(type[p], ni, 1), *ang = array_2d(type[p], ni, 1);
            for (int64_t i = 0; i < ni; i++) {
                double z = (double)(i % 3 - 1) * 2, x = (double)(i / 3 % 5 - 2) * 4;
                double y = ny ? (double)(i / 15 - 1) * 3 : 0.0;
                array_put(trav, i, sqrt(x * x + y * y + z * z) / 64);
            }
            const conf_kernel *k;
            FOR_EACH_KERNEL(k, HGATE_OP_KIRCHHOFF_ANGLES, mask[p])
            {
                conf_call call =
                    call_grid(HGATE_OP_KIRCHHOFF_ANGLES, p, &setup, trav, ang, NULL, 1);
                conf_run_ok(k, &call, 1);
                ck_assert_double_eq(array_get(ang, middle), 0.0);
                ck_assert_double_ne(array_get(ang, 0), 0.0);
            }
            array_free(trav), array_free(ang);
        }
}
END_TEST

START_TEST(station_indices)
{
    static const double x[] = {0.3, -0.05, 0.0, -0.0, 1e12, -1e12, 1e30, -1e30};
    static const double narrow[] = {2,          -1,           0, 0, 2147483647, -2147483648.0,
                                    2147483647, -2147483648.0};
    static const double wide[] = {2, -1, 0, 0, 1e13, -1e13, 0x1.fffffffffffffp62, -0x1p63};
    enum { N = 8 };
    hgate_kirchhoff_setup setup = {
        .struct_size = sizeof setup,
        .grid = {.ny = 2, .nx = 3, .nz = 4, .dx = 0.1, .dy = 7, .dz = 8}};
    array *stations = array_2d("f64", 3, N); // y, x, z
    for (int j = 0; j < N; j++)
        array_put(stations, j, 100.0), array_put(stations, N + j, x[j]);
    for (int w = 0; w < 2; w++) {
        array *idx = array_1d(w ? "i64" : "i32", N);
        const conf_kernel *k;
        FOR_EACH_KERNEL(k, HGATE_OP_KIRCHHOFF_STATION_INDEX, HGATE_F64)
        {
            conf_call call =
                call_grid(HGATE_OP_KIRCHHOFF_STATION_INDEX, 1, &setup, stations, idx, NULL, N);
            conf_run_ok(k, &call, 1);
            for (int j = 0; j < N; j++)
                ck_assert(array_get(idx, j) == (w ? wide : narrow)[j]);
        }
        array_free(idx);
    }
    array_free(stations);
}
END_TEST

// ---- wavelet ----

static conf_call call_wavelet(int p, const hgate_kirchhoff_setup *setup, array *wav, array *out)
{
    conf_call call;
    conf_call_init(&call, HGATE_OP_KIRCHHOFF_WAVELET, mask[p], setup);
    conf_in(&call, HGATE_KIRCHHOFF_WAVELET_WAV, wav);
    conf_out(&call, HGATE_KIRCHHOFF_WAVELET_WAV_FILTERED, out);
    conf_dim(&call, HGATE_DIM_KIRCHHOFF_WAVELET_NWAV, wav->count);
    return call;
}

START_TEST(wavelet_stored)
{
    stored_setup s = load(names[_i]);
    hgate_kirchhoff_setup setup = setup_of(&s);
    for (int p = 0; p < 2; p++) {
        array *wav = array_as(s.wav, type[p]), *out = array_1d(type[p], wav->count);
        const conf_kernel *k;
        FOR_EACH_KERNEL(k, HGATE_OP_KIRCHHOFF_WAVELET, mask[p])
        {
            conf_call call = call_wavelet(p, &setup, wav, out);
            conf_run_ok(k, &call, 1);
            double bound = (double)wav->count * eps[p] * array_peak(s.wav_filtered);
            assert_near(out, s.wav_filtered, bound, k, p);
        }
        array_free(wav), array_free(out);
    }
    unload(&s);
}
END_TEST

// One cosine over the length: 2D turns it by 45 degrees and scales by sqrt(w), 3D is minus the
// slope.
START_TEST(wavelet_of_one_frequency)
{
    enum { N = 15, F = 4 };
    const double dt = 0.01, w = 6.283185307179586 * F / (N * dt);
    for (int p = 0; p < 2; p++)
        for (int ndim = 2; ndim <= 3; ndim++) {
            hgate_kirchhoff_setup setup = {.struct_size = sizeof setup, .ndim = ndim, .dt = dt};
            array *wav = array_1d(type[p], N), *out = array_1d(type[p], N);
            for (int j = 0; j < N; j++)
                array_put(wav, j, 5.0 + cos(w * j * dt)); // the constant goes
            const conf_kernel *k;
            FOR_EACH_KERNEL(k, HGATE_OP_KIRCHHOFF_WAVELET, mask[p])
            {
                conf_call call = call_wavelet(p, &setup, wav, out);
                conf_run_ok(k, &call, 1);
                for (int j = 0; j < N; j++) {
                    double want = ndim == 2 ? sqrt(w) * cos(w * j * dt + 0.7853981633974483)
                                            : w * sin(w * j * dt);
                    ck_assert_double_le(fabs(array_get(out, j) - want), 200 * eps[p] * w);
                }
            }
            array_free(wav), array_free(out);
        }
}
END_TEST

// One sample is its own constant; of two samples the alternating part keeps a real response.
START_TEST(wavelet_of_one_or_two_samples)
{
    hgate_kirchhoff_setup setup = {.struct_size = sizeof setup, .ndim = 2, .dt = 0.5};
    for (int p = 0; p < 2; p++)
        for (int n = 1; n <= 2; n++) {
            array *wav = array_1d(type[p], n), *out = array_1d(type[p], n);
            for (int j = 0; j < n; j++)
                array_put(wav, j, 3.0 - 4.0 * j);
            const conf_kernel *k;
            FOR_EACH_KERNEL(k, HGATE_OP_KIRCHHOFF_WAVELET, mask[p])
            {
                conf_call call = call_wavelet(p, &setup, wav, out);
                conf_run_ok(k, &call, 1);
                // w = 2 pi; the part (2, -2) times Re sqrt(i w) = sqrt(pi)
                for (int j = 0; j < n; j++)
                    ck_assert_double_le(fabs(array_get(out, j) -
                                             (n == 1 ? 0.0 : (2.0 - 4.0 * j) * 1.7724538509055159)),
                                        8 * eps[p]);
            }
            array_free(wav), array_free(out);
        }
}
END_TEST

// ---- convolution ----

static conf_call call_convolve(int p, const hgate_kirchhoff_setup *setup, array *wav, array *in,
                               array *out)
{
    conf_call call;
    conf_call_init(&call, HGATE_OP_KIRCHHOFF_CONVOLVE, mask[p], setup);
    conf_in(&call, HGATE_KIRCHHOFF_CONVOLVE_WAV, wav);
    conf_in(&call, HGATE_KIRCHHOFF_CONVOLVE_IN, in);
    conf_out(&call, HGATE_KIRCHHOFF_CONVOLVE_OUT, out);
    int64_t nt = in->shape[in->dl.ndim - 1];
    conf_dim(&call, HGATE_DIM_KIRCHHOFF_CONVOLVE_NWAV, wav->count);
    conf_dim(&call, HGATE_DIM_KIRCHHOFF_CONVOLVE_NT, nt);
    conf_dim(&call, HGATE_DIM_KIRCHHOFF_CONVOLVE_N, nt ? in->count / nt : 0);
    return call;
}

START_TEST(convolve_stored)
{
    stored_setup s = load(names[_i]);
    hgate_kirchhoff_setup setup = setup_of(&s);
    for (int p = 0; p < 2; p++)
        for (int adjoint = 0; adjoint < 2; adjoint++) {
            setup.adjoint = adjoint;
            array *wav = array_as(s.wav, type[p]), *x = array_as(s.x, type[p]), *y = array_copy(x);
            const array *want = adjoint ? s.correlated : s.convolved;
            const conf_kernel *k;
            FOR_EACH_KERNEL(k, HGATE_OP_KIRCHHOFF_CONVOLVE, mask[p])
            {
                conf_call call = call_convolve(p, &setup, wav, x, y);
                conf_run_ok(k, &call, 1);
                assert_near(y, want, 20 * eps[p] * array_peak(want), k, p);
            }
            array_free(wav), array_free(x), array_free(y);
        }
    unload(&s);
}
END_TEST

// What a kernel may be off by: rounding of its own terms, and where it goes by transforms, in
// float64, that of the whole trace.
static double convolve_bound(const conf_kernel *k, int p, double mag, double norms)
{
    int is_fft = strcmp(k->kernel->name, "fft") == 0;
    return 8 * eps[p] * mag + (is_fft ? 16 * eps[1] * norms : 0.0);
}

static double norm(const array *a, int64_t from, int64_t n)
{
    double sum = 0.0;
    for (int64_t i = from; i < from + n; i++)
        sum += array_get(a, i) * array_get(a, i);
    return sqrt(sum);
}

static const int64_t shapes[][4] = {
    {1, 0, 1, 1},   {3, 1, 10, 2},    {3, 0, 2, 5}, {7, 6, 40, 3},    {50, 49, 9, 2}, {50, 0, 9, 2},
    {50, 20, 9, 1}, {33, 16, 260, 4}, {5, 2, 1, 3}, {65, 1, 1000, 1}, {5, 4, 0, 3},   {5, 4, 8, 0}};
enum { N_SHAPES = sizeof shapes / sizeof *shapes }; // nwav, wavc, nt, traces

// <W x, y> = <x, W' y>, and W x against the definition.
START_TEST(convolve_shapes)
{
    int64_t nwav = shapes[_i][0], wavc = shapes[_i][1], nt = shapes[_i][2], n = shapes[_i][3];
    for (int p = 0; p < 2; p++) {
        hgate_kirchhoff_setup setup = {.struct_size = sizeof setup, .wavc = wavc};
        array *wav = array_1d(type[p], nwav), *x = array_2d(type[p], n, nt), *y = array_copy(x);
        array *Wx = array_copy(x), *Wy = array_copy(x);
        uint64_t seed = 9;
        for (int64_t i = 0; i < nwav; i++)
            array_put(wav, i, random_normal(&seed));
        for (int64_t i = 0; i < n * nt; i++)
            array_put(x, i, random_normal(&seed)), array_put(y, i, random_normal(&seed));
        const conf_kernel *k;
        FOR_EACH_KERNEL(k, HGATE_OP_KIRCHHOFF_CONVOLVE, mask[p])
        {
            setup.adjoint = 0;
            conf_call call = call_convolve(p, &setup, wav, x, Wx);
            conf_run_ok(k, &call, 1);
            setup.adjoint = 1;
            call = call_convolve(p, &setup, wav, y, Wy);
            conf_run_ok(k, &call, 1);
            double left = 0.0, right = 0.0, scale = 0.0;
            for (int64_t i = 0; i < n * nt; i++) {
                double want = 0.0, mag = 0.0;
                for (int64_t q = 0; q < nwav; q++) {
                    int64_t from = i % nt - q + wavc;
                    double term = from < 0 || from >= nt
                                      ? 0.0
                                      : array_get(wav, q) * array_get(x, i - i % nt + from);
                    want += term;
                    mag += fabs(term);
                }
                double norms = norm(wav, 0, nwav) * norm(x, i - i % nt, nt);
                double bound = convolve_bound(k, p, mag, norms);
                require(fabs(array_get(Wx, i) - want) <= bound);
                left += array_get(Wx, i) * array_get(y, i);
                right += array_get(x, i) * array_get(Wy, i);
                scale += bound / 8 / eps[p] * fabs(array_get(y, i));
            }
            ck_assert_double_le(fabs(left - right), 8 * eps[p] * scale);
        }
        array_free(wav), array_free(x), array_free(y), array_free(Wx), array_free(Wy);
    }
}
END_TEST

// A NaN and an infinity spoil what the wavelet carries them to, and nothing else.
START_TEST(convolve_not_finite)
{
    enum { NWAV = 9, WAVC = 2, NT = 120, N = 3 };
    for (int p = 0; p < 2; p++) {
        hgate_kirchhoff_setup setup = {.struct_size = sizeof setup, .wavc = WAVC};
        array *wav = array_1d(type[p], NWAV), *x = array_2d(type[p], N, NT), *y = array_copy(x);
        uint64_t seed = 4;
        for (int64_t i = 0; i < NWAV; i++)
            array_put(wav, i, 1.0 + random_uniform(&seed));
        for (int64_t i = 0; i < N * NT; i++)
            array_put(x, i, random_normal(&seed));
        array_put(x, NT + 50, NAN);
        array_put(x, NT + 90, INFINITY);
        const conf_kernel *k;
        FOR_EACH_KERNEL(k, HGATE_OP_KIRCHHOFF_CONVOLVE, mask[p])
        {
            for (setup.adjoint = 0; setup.adjoint < 2; setup.adjoint++) {
                conf_call call = call_convolve(p, &setup, wav, x, y);
                conf_run_ok(k, &call, 1);
                for (int64_t i = 0; i < N * NT; i++) {
                    int64_t n = i - NT, from = setup.adjoint ? WAVC - NWAV + 1 : -WAVC;
                    int is_hit = (n >= 50 + from && n < 50 + from + NWAV) ||
                                 (n >= 90 + from && n < 90 + from + NWAV);
                    require(isfinite(array_get(y, i)) == !is_hit);
                }
            }
        }
        array_put(x, NT + 50, 0.0), array_put(x, NT + 90, 0.0);
        array_put(wav, 4, NAN);
        FOR_EACH_KERNEL(k, HGATE_OP_KIRCHHOFF_CONVOLVE, mask[p])
        {
            setup.adjoint = 0;
            conf_call call = call_convolve(p, &setup, wav, x, y);
            conf_run_ok(k, &call, 1);
            for (int64_t i = 0; i < N * NT; i++) // tap 4 comes 2 samples late
                require(i % NT < 2 || isnan(array_get(y, i)));
        }
        array_free(wav), array_free(x), array_free(y);
    }
}
END_TEST

static void add_tests(Suite *suite, const char *name, void (*open_plugins)(void))
{
    TCase *tcase = tcase_create(name);
    tcase_add_checked_fixture(tcase, open_plugins, conf_close);
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, stored_tables, 0, 2);
    tcase_add_test(tcase, angles_of_plane_waves);
    tcase_add_test(tcase, station_on_a_node);
    tcase_add_test(tcase, angle_at_a_station);
    tcase_add_test(tcase, station_indices);
    tcase_add_loop_test(tcase, wavelet_stored, 0, 2);
    tcase_add_test(tcase, wavelet_of_one_frequency);
    tcase_add_test(tcase, wavelet_of_one_or_two_samples);
    tcase_add_loop_test(tcase, convolve_stored, 0, 2);
    tcase_add_loop_test(tcase, convolve_shapes, 0, N_SHAPES);
    tcase_add_test(tcase, convolve_not_finite);
    suite_add_tcase(suite, tcase);
}

int main(void)
{
    Suite *suite = suite_create("kirchhoff set-up");
    add_tests(suite, "best instruction set", conf_open);
    if (conf_has_avx2())
        add_tests(suite, "avx2", conf_open_avx2);
    add_tests(suite, "baseline", conf_open_baseline);
    return run_suite(suite);
}
