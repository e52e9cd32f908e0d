/* SPDX-License-Identifier: BSD-3-Clause */
/* Factors of the offset aperture: rows over depth for the offsets that occur.
 *
 * Offsets below the lower limit have factor 1 at every depth and need no row, those from nz times
 * the upper limit on have 0 and need none either. Made on the host, in float64, from copies of the
 * two short arrays of station indices. */
#include "headgate/kirchhoff.h"
#include "plugins/cuda/kirchhoff/plan.h"

#include <math.h>
#include <stdlib.h>

/* What the rows are made of; arrays of the host. */
typedef struct stations {
    const hgate_kirchhoff_params *params;
    int64_t ns, nr, nz;
    int is_64;
    void *six, *rix, *tap; /* copies of the caller's */
    int six_is_64, rix_is_64, tap_is_64;
    int64_t n_tap; /* 0: the default taper */
} stations;

static double pair_offset(const stations *s, int64_t pair)
{
    return fabs((double)hgate_index_at(s->six, s->six_is_64, pair / s->nr) -
                (double)hgate_index_at(s->rix, s->rix_is_64, pair % s->nr));
}

static double taper_step(const stations *s, int64_t j)
{
    if (s->n_tap)
        return s->tap_is_64 ? ((const double *)s->tap)[j] : (double)((const float *)s->tap)[j];
    if (j < 2)
        return 1.0;
    return j >= 20 ? 0.0 : 0.5 + 0.5 * cos(3.14159265358979323846 * (double)(j - 1) / 19.0);
}

static double factor(const stations *s, double offset, int64_t iz)
{
    const double ratio = offset / (double)(iz + 1);
    const double lo = s->params->aperture[0], hi = s->params->aperture[1];
    if (!(ratio < hi))
        return 0.0;
    if (ratio < lo || s->params->offset_taper == HGATE_OFFSET_TAPER_UNIT)
        return 1.0;
    const int64_t last = s->n_tap ? s->n_tap - 1 : 20;
    const int64_t j = (int64_t)floor((double)last * (ratio - lo) / (hi - lo));
    return taper_step(s, j < last ? j : last);
}

/* HG_OFFSET_ONES, HG_OFFSET_ZEROS, or 0 for a row of its own. */
static int32_t row_kind(const stations *s, double offset)
{
    const double *limits = s->params->aperture;
    const int is_unit = s->params->offset_taper == HGATE_OFFSET_TAPER_UNIT;
    if (offset < limits[is_unit])
        return HG_OFFSET_ONES;
    return offset / (double)s->nz >= limits[1] ? HG_OFFSET_ZEROS : 0;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the offsets that need a row and drops repeats. */
static int64_t distinct(const stations *s, double *offsets)
{
    int64_t n = 0, kept = 0;
    for (int64_t pair = 0; pair < s->ns * s->nr; pair++) {
        offsets[n] = pair_offset(s, pair);
        n += row_kind(s, offsets[n]) == 0;
    }
    qsort(offsets, (size_t)n, sizeof *offsets, compare);
    for (int64_t i = 0; i < n; i++)
        if (kept == 0 || offsets[i] != offsets[kept - 1])
            offsets[kept++] = offsets[i];
    return kept;
}

static int32_t find(const double *offsets, int64_t n, double offset)
{
    int64_t low = 0, high = n - 1;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (offsets[middle] < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return (int32_t)low;
}

/* ---- memory ---- */

typedef struct pieces {
    int32_t *row;
    void *factor;
} pieces;

static pieces lay_out(hgate_scratch *scratch, int64_t pairs, int64_t rows, int64_t nz, size_t real)
{
    int64_t elements;
    pieces p;
    if (__builtin_mul_overflow(rows, nz, &elements))
        elements = -1; /* makes the count overflow */
    p.row = hgate_scratch_take(scratch, pairs, sizeof(int32_t));
    p.factor = hgate_scratch_take(scratch, elements, real);
    return p;
}

size_t hg_aperture_bytes(const hgate_problem *problem)
{
    const hgate_kirchhoff_params *params = problem->params;
    const hg_migration_sizes s = hg_migration_sizes_of(problem);
    if (!s.has_aperture)
        return 0;
    const double most = params->aperture[1] * (double)s.nz + 1.0; /* offsets are whole numbers */
    const int64_t rows = most < (double)s.traces ? (int64_t)most : s.traces;
    hgate_scratch scratch = hgate_scratch_count();
    lay_out(&scratch, s.traces, rows, s.nz, s.real);
    return scratch.bytes;
}

/* The power of two that all factors are below. */
static int fill(const stations *s, const double *offsets, int64_t rows, const pieces *p)
{
    double most = 1.0;
    int exponent;
    for (int64_t row = 0; row < rows; row++)
        for (int64_t iz = 0; iz < s->nz; iz++) {
            const double value = factor(s, offsets[row], iz);
            most = fmax(most, fabs(value));
            if (s->is_64)
                ((double *)p->factor)[row * s->nz + iz] = value;
            else
                ((float *)p->factor)[row * s->nz + iz] = (float)value;
        }
    for (int64_t pair = 0; pair < s->ns * s->nr; pair++) {
        const double offset = pair_offset(s, pair);
        const int32_t kind = row_kind(s, offset);
        p->row[pair] = kind ? kind : find(offsets, rows, offset);
    }
    (void)frexp(most, &exponent);
    return exponent;
}

static int make_rows(hg_cuda_state *state, const hgate_run *run, const stations *s, double *offsets,
                     hg_migration_plan *plan)
{
    const hgate_host *host = run->host;
    const int64_t pairs = s->ns * s->nr, rows = distinct(s, offsets);
    const size_t real = s->is_64 ? sizeof(double) : sizeof(float);
    hgate_scratch count = hgate_scratch_count();
    lay_out(&count, pairs, rows, s->nz, real);
    char *memory = count.is_short ? NULL : host->alloc(host, count.bytes + 1, 64);
    if (!memory)
        return hgate_fail(host, HGATE_ENOMEM, "kirchhoff: no memory for the offset factors");
    hgate_scratch over = {.memory = memory, .size = count.bytes};
    pieces p = lay_out(&over, pairs, rows, s->nz, real);
    plan->tables.offset_exponent = fill(s, offsets, rows, &p);
    int status =
        hg_cuda_ws_alloc(state, count.bytes + 1, run->device_id, run->stream, &plan->offset_memory);
    if (!status) {
        hgate_scratch there = {.memory = plan->offset_memory, .size = count.bytes};
        p = lay_out(&there, pairs, rows, s->nz, real);
        plan->tables.offset_row = plan->offset_memory;
        plan->tables.offset_factor = p.factor;
        status = hg_cuda_copy(state, HGATE_COPY_IN, plan->offset_memory, memory, count.bytes,
                              run->device_id, run->stream);
    }
    host->free(host, memory);
    return status;
}

/* ---- copies of the caller's arrays ---- */

static int copy_out(hg_cuda_state *state, const hgate_problem *problem, const hgate_run *run,
                    int arg, void **to, int *is_64, int64_t *n)
{
    const DLTensor *tensor = hgate_arg(problem, arg);
    if (!tensor)
        return HGATE_OK;
    *is_64 = tensor->dtype.bits == 64;
    *n = hgate_tensor_count(tensor);
    const size_t bytes = (size_t)*n * (*is_64 ? 8 : 4);
    *to = run->host->alloc(run->host, bytes + 1, 64);
    if (!*to)
        return hgate_fail(run->host, HGATE_ENOMEM, "kirchhoff: no memory for station indices");
    return bytes == 0 ? HGATE_OK
                      : hg_cuda_copy(state, HGATE_COPY_OUT, hgate_tensor_data(tensor), *to, bytes,
                                     run->device_id, run->stream);
}

int hg_aperture_make(hg_cuda_state *state, const hgate_problem *problem, const hgate_run *run,
                     hg_migration_plan *plan)
{
    const hgate_host *host = run->host;
    const hg_migration_sizes sizes = hg_migration_sizes_of(problem);
    stations s = {.params = problem->params,
                  .ns = sizes.ns,
                  .nr = sizes.nr,
                  .nz = sizes.nz,
                  .is_64 = sizes.is_64};
    int64_t unused;
    double *offsets = host->alloc(host, (size_t)(sizes.traces + 1) * sizeof *offsets, 64);
    int status =
        offsets ? HGATE_OK : hgate_fail(host, HGATE_ENOMEM, "kirchhoff: no memory for offsets");
    if (!status)
        status = copy_out(state, problem, run, HGATE_KIRCHHOFF_SIX, &s.six, &s.six_is_64, &unused);
    if (!status)
        status = copy_out(state, problem, run, HGATE_KIRCHHOFF_RIX, &s.rix, &s.rix_is_64, &unused);
    if (!status)
        status = copy_out(state, problem, run, HGATE_KIRCHHOFF_TAP, &s.tap, &s.tap_is_64, &s.n_tap);
    if (!status)
        status = make_rows(state, run, &s, offsets, plan);
    void *const memory[] = {offsets, s.six, s.rix, s.tap};
    for (size_t i = 0; i < HGATE_LENGTH_OF(memory); i++)
        if (memory[i])
            host->free(host, memory[i]);
    return status;
}
