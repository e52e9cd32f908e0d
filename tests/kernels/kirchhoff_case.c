// SPDX-License-Identifier: BSD-3-Clause
// Surveys for the tests of kirchhoff_forward and kirchhoff_adjoint: stored, made on the spot, and
// the sums written out once more.
#include "tests/kernels/kirchhoff_case.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const survey_names[N_SURVEYS] = {"plain", "wavelet", "dynamic2d", "dynamic3d", "cut",
                                             "open",  "short",   "wide",      "onepair"};
const char *const survey_type[2] = {"f32", "f64"};
const uint32_t survey_mask[2] = {HGATE_F32, HGATE_F64};
static const double eps[2] = {0x1p-23, 0x1p-52};

enum { N_TABLES = 11 }; // trav_src ... wav, in the order of the struct and of the files

static array **tables(survey *s)
{
    return &s->trav_src;
}

static void limits(const array *scalars, int from, double to[2])
{
    to[0] = array_get(scalars, from);
    to[1] = array_get(scalars, from + 1);
}

static double *numbers(const array *a)
{
    double *values = calloc((size_t)a->count + 1, sizeof *values);
    ck_assert_ptr_nonnull(values);
    for (int64_t i = 0; i < a->count; i++)
        values[i] = array_get(a, i);
    return values;
}

// 8 eps (u_max + sqrt(terms)) mag, and a little for numbers that are next to nothing.
static void scale_bound(double *mag, int64_t n, int p, double u_max, double terms)
{
    for (int64_t i = 0; i < n; i++)
        mag[i] = 8.0 * eps[p] * (u_max + sqrt(terms)) * mag[i] + (p ? 1e-300 : 1e-37);
}

survey survey_load(const char *name, int p, answer *stored)
{
    char path[64];
    snprintf(path, sizeof path, "kirchhoff/%s.npy", name);
    FILE *file = stored_open(path);
    array *sizes = stored_next(file), *scalars = stored_next(file);
    survey s = {.params = {.struct_size = sizeof(hgate_kirchhoff_params)}};
    s.ny = (int64_t)array_get(sizes, 0), s.nx = (int64_t)array_get(sizes, 1);
    s.nz = (int64_t)array_get(sizes, 2), s.ns = (int64_t)array_get(sizes, 3);
    s.nr = (int64_t)array_get(sizes, 4), s.nt = (int64_t)array_get(sizes, 5);
    s.ni = (s.ny ? s.ny : 1) * s.nx * s.nz;
    s.params.dt = array_get(scalars, 0);
    s.params.t0 = array_get(scalars, 1);
    s.params.wavc = (int64_t)array_get(scalars, 2);
    limits(scalars, 3, s.params.aperture);
    limits(scalars, 5, s.params.angle);
    s.params.offset_taper = array_get(scalars, 7) != 0.0;
    s.params.flags = HGATE_KIRCHHOFF_SKIP_NONFINITE;
    s.params.flags |= array_get(scalars, 8) != 0.0 ? HGATE_KIRCHHOFF_DYNAMIC : 0;
    s.params.nt = s.nt, s.params.ny = s.ny, s.params.nx = s.nx, s.params.nz = s.nz;
    s.params.check = HGATE_CHECK_VALUES;
    for (int i = 0; i < N_TABLES; i++) {
        array *a = stored_next(file);
        int is_index = a->dl.dtype.code == HGATE_DL_INT;
        tables(&s)[i] =
            a->count ? array_as(a, is_index ? (p ? "i64" : "i32") : survey_type[p]) : NULL;
        array_free(a);
    }
    array *model = stored_next(file), *data = stored_next(file);
    s.model = array_as(model, survey_type[p]);
    s.data = array_as(data, survey_type[p]);
    array *results[5];
    for (int i = 0; i < 5; i++)
        results[i] = stored_next(file);
    fclose(file);
    *stored = (answer){.data = numbers(results[0]),
                       .model = numbers(results[1]),
                       .data_bound = numbers(results[2]),
                       .model_bound = numbers(results[3])};
    double u_max = array_get(results[4], 0);
    scale_bound(stored->data_bound, s.data->count, p, u_max, array_get(results[4], 1));
    scale_bound(stored->model_bound, s.model->count, p, u_max, array_get(results[4], 2));
    for (int i = 0; i < 5; i++)
        array_free(results[i]);
    array_free(sizes), array_free(scalars), array_free(model), array_free(data);
    return s;
}

// Tables of n stations: time, amplitude, angle by straight rays from random places near the top.
static void make_tables(const survey *s, int p, int64_t n, uint64_t *seed, array **trav,
                        array **amp, array **ang)
{
    *trav = array_2d(survey_type[p], s->ni, n);
    if (s->params.flags & HGATE_KIRCHHOFF_DYNAMIC) {
        *amp = array_2d(survey_type[p], s->ni, n);
        *ang = array_2d(survey_type[p], s->ni, n);
    }
    for (int64_t j = 0; j < n; j++) {
        double x = (double)s->nx * random_uniform(seed), y = (double)s->ny * random_uniform(seed);
        for (int64_t i = 0; i < s->ni; i++) {
            double dz = (double)(i % s->nz) + 1.5 + random_uniform(seed);
            double dx = (double)(i / s->nz % s->nx) - x, dy = (double)(i / s->nz / s->nx) - y;
            double r = sqrt(dx * dx + dy * dy + dz * dz);
            array_put(*trav, i * n + j, 0.9 * s->params.dt * r);
            if (!*amp)
                continue;
            array_put(*amp, i * n + j, 1.0 / sqrt(r + 0.3));
            array_put(*ang, i * n + j, atan2(dx, dz));
        }
    }
}

survey survey_make(int p, int64_t ny, int64_t nx, int64_t nz, int64_t ns, int64_t nr, int64_t nt,
                   int is_dynamic, uint64_t seed)
{
    survey s = {.ny = ny, .nx = nx, .nz = nz, .ns = ns, .nr = nr, .nt = nt};
    s.ni = (ny ? ny : 1) * nx * nz;
    s.params = (hgate_kirchhoff_params){.struct_size = sizeof s.params,
                                        .dt = 0.004,
                                        .t0 = 0.002,
                                        .nt = nt,
                                        .ny = ny,
                                        .nx = nx,
                                        .nz = nz,
                                        .flags = is_dynamic ? HGATE_KIRCHHOFF_DYNAMIC : 0,
                                        .aperture = {INFINITY, INFINITY},
                                        .angle = {INFINITY, INFINITY},
                                        .check = HGATE_CHECK_NONE};
    make_tables(&s, p, ns, &seed, &s.trav_src, &s.amp_src, &s.ang_src);
    make_tables(&s, p, nr, &seed, &s.trav_rec, &s.amp_rec, &s.ang_rec);
    if (is_dynamic) {
        s.vel = array_1d(survey_type[p], s.ni);
        for (int64_t i = 0; i < s.ni; i++)
            array_put(s.vel, i, 1500.0 + 200.0 * random_uniform(&seed));
        s.six = array_1d(p ? "i32" : "i64", ns);
        s.rix = array_1d(p ? "i32" : "i64", nr);
        for (int64_t j = 0; j < ns; j++)
            array_put(s.six, j, floor((double)nx * (1.4 * random_uniform(&seed) - 0.2)));
        for (int64_t j = 0; j < nr; j++)
            array_put(s.rix, j, floor((double)nx * (1.4 * random_uniform(&seed) - 0.2)));
    }
    s.model = new_model(&s);
    s.data = new_data(&s);
    for (int64_t i = 0; i < s.model->count; i++)
        array_put(s.model, i, random_normal(&seed));
    for (int64_t i = 0; i < s.data->count; i++)
        array_put(s.data, i, random_normal(&seed));
    return s;
}

void survey_free(survey *s)
{
    for (int i = 0; i < N_TABLES; i++)
        array_free(tables(s)[i]);
    array_free(s->model), array_free(s->data);
}

void answer_free(answer *a)
{
    free(a->data), free(a->data_bound), free(a->model), free(a->model_bound);
}

void survey_turn(survey *s)
{
    s->params.flags ^= HGATE_KIRCHHOFF_STATION_MAJOR;
    for (int t = 0; t < 6; t++) {
        array *a = tables(s)[t];
        if (!a)
            continue;
        int64_t rows = a->shape[0], columns = a->shape[1];
        array *b = array_2d(array_type(a), columns, rows);
        for (int64_t i = 0; i < a->count; i++)
            array_put(b, i % columns * rows + i / columns, array_get(a, i));
        array_free(a);
        tables(s)[t] = b;
    }
}

// ---- the sums once more ----

static double entry(const survey *s, const array *table, int64_t i, int64_t station, int64_t n)
{
    int is_station_major = (s->params.flags & HGATE_KIRCHHOFF_STATION_MAJOR) != 0;
    return array_get(table, is_station_major ? station * s->ni + i : i * n + station);
}

static double roll(const survey *s, double a, const double lim[2])
{
    int64_t last = s->tap ? s->tap->count - 1 : 20;
    if (isnan(a) || a >= lim[1])
        return 0.0;
    if (a < lim[0])
        return 1.0;
    int64_t j = (int64_t)((double)last * (a - lim[0]) / (lim[1] - lim[0]));
    j = j < last ? j : last;
    return s->tap  ? array_get(s->tap, j)
           : j < 2 ? 1.0
                   : 0.5 + 0.5 * cos(acos(-1.0) * (double)(j - 1) / 19);
}

// Weight, and what it would be without cancellation in the cosine.
static double weight(const survey *s, int64_t i, int64_t a, int64_t b, double *mag)
{
    *mag = 1.0;
    if (!(s->params.flags & HGATE_KIRCHHOFF_DYNAMIC))
        return 1.0;
    double qs = entry(s, s->ang_src, i, a, s->ns), qr = entry(s, s->ang_rec, i, b, s->nr);
    double g = 2.0 * entry(s, s->amp_src, i, a, s->ns) * entry(s, s->amp_rec, i, b, s->nr) /
               array_get(s->vel, s->vel->count == 1 ? 0 : i);
    g *= roll(s, fabs(qs), s->params.angle) * roll(s, fabs(qr), s->params.angle);
    if (!isinf(s->params.aperture[0])) {
        double offset = fabs(array_get(s->six, a) - array_get(s->rix, b)) / (double)(i % s->nz + 1);
        if (s->params.offset_taper == HGATE_OFFSET_TAPER_UNIT)
            g *= offset < s->params.aperture[1];
        else
            g *= roll(s, offset, s->params.aperture);
    }
    double together = cos(qs / 2) * cos(qr / 2), apart = sin(qs / 2) * sin(qr / 2);
    *mag = fabs(g) * (fabs(together) + fabs(apart));
    return g * (together + apart);
}

typedef struct sums {
    double *data, *data_mag, *model, *model_mag;
    double u_max;
} sums;

// Everything that one pair of stations adds; d are its samples after the wavelet.
static void add_pair(const survey *s, int64_t a, int64_t b, const double *d, const double *d_mag,
                     sums *out)
{
    int64_t at = (a * s->nr + b) * s->nt;
    for (int64_t i = 0; i < s->ni; i++) {
        double time = entry(s, s->trav_src, i, a, s->ns) + entry(s, s->trav_rec, i, b, s->nr);
        double u = (time - s->params.t0) / s->params.dt, mag;
        if (!(u >= 0.0 && u < (double)(s->nt - 1)))
            continue;
        double g = weight(s, i, a, b, &mag);
        if (!isfinite(g))
            continue;
        int64_t k = (int64_t)u;
        double f = u - (double)k, m = array_get(s->model, i);
        out->data[at + k] += g * m * (1.0 - f);
        out->data[at + k + 1] += g * m * f;
        for (int64_t n = k - 1; n <= k + 2; n++) // rounding may move a term by one sample
            if (n >= 0 && n < s->nt)
                out->data_mag[at + n] += mag * fabs(m);
        out->model[i] += g * (d[k] * (1.0 - f) + d[k + 1] * f);
        for (int64_t n = k - 1; n <= k + 2; n++)
            if (n >= 0 && n < s->nt)
                out->model_mag[i] += mag * d_mag[n];
        out->u_max = fmax(out->u_max, u);
    }
}

// y[n] = sum_q w[q] x[n - q + c], or its adjoint; with `absolute` all numbers are positive.
static void filter(const survey *s, const double *x, double *y, int adjoint, int absolute)
{
    for (int64_t n = 0; n < s->nt; n++) {
        y[n] = s->wav ? 0.0 : x[n];
        for (int64_t q = 0; s->wav && q < s->wav->count; q++) {
            int64_t from = adjoint ? n + q - s->params.wavc : n - q + s->params.wavc;
            double w = array_get(s->wav, q);
            if (from >= 0 && from < s->nt)
                y[n] += (absolute ? fabs(w) : w) * x[from];
        }
    }
}

answer survey_solve(const survey *s)
{
    int64_t n_data = s->ns * s->nr * s->nt;
    sums raw = {numbers(s->data), numbers(s->data), numbers(s->model), numbers(s->model), 0.0};
    memset(raw.data, 0, (size_t)n_data * sizeof(double));
    memset(raw.data_mag, 0, (size_t)n_data * sizeof(double));
    memset(raw.model, 0, (size_t)s->ni * sizeof(double));
    memset(raw.model_mag, 0, (size_t)s->ni * sizeof(double));
    double *d = numbers(s->data), *d_mag = numbers(s->data),
           *x = calloc(4 * (size_t)s->nt, sizeof *x);
    for (int64_t i = 0; i < n_data; i++)
        d_mag[i] = fabs(d[i]);
    for (int64_t pair = 0; pair < s->ns * s->nr; pair++) {
        filter(s, d + pair * s->nt, x, 1, 0);
        filter(s, d_mag + pair * s->nt, x + s->nt, 1, 1);
        add_pair(s, pair / s->nr, pair % s->nr, x, x + s->nt, &raw);
    }
    for (int64_t pair = 0; pair < s->ns * s->nr; pair++) {
        filter(s, raw.data + pair * s->nt, x, 0, 0);
        filter(s, raw.data_mag + pair * s->nt, x + s->nt, 0, 1);
        memcpy(raw.data + pair * s->nt, x, (size_t)s->nt * sizeof *x);
        memcpy(raw.data_mag + pair * s->nt, x + s->nt, (size_t)s->nt * sizeof *x);
    }
    free(d), free(d_mag), free(x);
    int p = s->model->element == 8;
    scale_bound(raw.data_mag, n_data, p, raw.u_max, (double)s->ni);
    scale_bound(raw.model_mag, s->ni, p, raw.u_max, (double)(s->ns * s->nr));
    return (answer){raw.data, raw.data_mag, raw.model, raw.model_mag};
}

// ---- calls ----

static conf_call call_of(const survey *s, int op, double alpha, double beta)
{
    conf_call call;
    conf_call_init(&call, op, survey_mask[s->trav_src->element == 8], &s->params);
    array *const args[] = {s->trav_src, s->trav_rec, s->amp_src, s->amp_rec, s->ang_src, s->ang_rec,
                           s->vel,      s->six,      s->rix,     s->tap,     s->wav};
    for (int i = 0; i < N_TABLES; i++)
        conf_in(&call, HGATE_KIRCHHOFF_TRAV_SRC + i, args[i]);
    call.problem.alpha_re = alpha;
    call.problem.beta_re = beta;
    conf_dim(&call, HGATE_DIM_KIRCHHOFF_NS, s->ns);
    conf_dim(&call, HGATE_DIM_KIRCHHOFF_NR, s->nr);
    conf_dim(&call, HGATE_DIM_KIRCHHOFF_NT, s->nt);
    conf_dim(&call, HGATE_DIM_KIRCHHOFF_NX, s->nx);
    conf_dim(&call, HGATE_DIM_KIRCHHOFF_NZ, s->nz);
    conf_dim(&call, HGATE_DIM_KIRCHHOFF_NY, s->ny);
    conf_dim(&call, HGATE_DIM_KIRCHHOFF_NI, s->ni);
    conf_dim(&call, HGATE_DIM_KIRCHHOFF_NWAV, s->wav ? s->wav->count : 0);
    return call;
}

conf_call call_forward(const survey *s, array *model, array *data, double alpha, double beta)
{
    conf_call call = call_of(s, HGATE_OP_KIRCHHOFF_FORWARD, alpha, beta);
    conf_in(&call, HGATE_KIRCHHOFF_MODEL, model);
    (beta != 0.0 ? conf_inout : conf_out)(&call, HGATE_KIRCHHOFF_DATA, data);
    return call;
}

conf_call call_adjoint(const survey *s, array *data, array *model, double alpha, double beta)
{
    conf_call call = call_of(s, HGATE_OP_KIRCHHOFF_ADJOINT, alpha, beta);
    conf_in(&call, HGATE_KIRCHHOFF_DATA, data);
    (beta != 0.0 ? conf_inout : conf_out)(&call, HGATE_KIRCHHOFF_MODEL, model);
    return call;
}

array *new_data(const survey *s)
{
    return array_3d(survey_type[s->trav_src->element == 8], s->ns, s->nr, s->nt);
}

array *new_model(const survey *s)
{
    return array_1d(survey_type[s->trav_src->element == 8], s->ni);
}

const conf_kernel *kernel_at(int op, uint32_t dtype, int i)
{
    static const hgate_kirchhoff_params params;
    conf_call call;
    conf_call_init(&call, op, dtype, &params);
    conf_dim(&call, HGATE_DIM_KIRCHHOFF_NWAV, 0);
    conf_dim(&call, HGATE_DIM_KIRCHHOFF_NT, 2);
    call.problem.args = call.args;
    call.problem.dims = call.dims;
    const conf_kernel *k;
    for (int at = 0; (k = conf_kernel_at(op, dtype, at)); at++) {
        hgate_reason reason = {.struct_size = sizeof reason};
        if (k->kernel->supports && k->kernel->supports(k->state, &call.problem, &reason))
            continue;
        if (i-- == 0)
            return k;
    }
    return NULL;
}

void assert_within(const array *got, const double *want, const double *bound, const char *what,
                   const conf_kernel *k)
{
    for (int64_t i = 0; i < got->count; i++) {
        double value = array_get(got, i);
        if (!(fabs(value - want[i]) <= bound[i]))
            ck_abort_msg("%s, %s: number %lld is %.9g, expected %.9g within %g", what,
                         conf_label(k, survey_mask[got->element == 8]), (long long)i, value,
                         want[i], bound[i]);
    }
}
