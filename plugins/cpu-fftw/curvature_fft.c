/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel fft of curvature: convolution by Fourier transforms, whole or in sections.
 *
 *      U_s = inverse(transform(column s) times spectrum of w)
 *      F[s, c] = sum_{t in c} vals[t] U_s(iy[t], ix[t])
 *
 * w (2ny, 2nx), iy and ix (N), indptr (S+1), rows and vals (nnz), F (S, S) of the type of vals.
 *
 * The extent is cut into blocks of h x b cells; the entries of one block and all results fit a
 * period of ny + h - 1 by nx + b - 1 (sections.h). Entries of several blocks meet in Fourier space,
 * so each column has one inverse transform. Along x only rows that hold entries are transformed,
 * and on the way back only rows that hold masked cells at or below the first entry: columns are
 * ranked as in the symmetric kernel, the later ranks have nothing above. Along y every bin is a
 * line that stays in the first-level cache from its forward to its inverse transform; eight columns
 * go together, so that a line of the spectrum is read once for them. Whole extents have a real
 * spectrum, since w is even.
 *
 * Work, for r rows with entries in m blocks, bins = Px/2 + 1: (r + rows below) transforms of Px
 * reals, (m + 1) bins transforms of Py complex numbers, half of S nnz for the gather. One triangle
 * of F is computed, the other is its mirror image.
 *
 * Limits: a finite vals; nx, S and nnz below 2^32. With w_general both triangles are computed and
 * the spectrum is complex.
 *
 * Rounding: errors of about the float type's epsilon times max |U|, spread over all cells.
 *
 * Source: discrete convolution theorem; overlap of sections as in overlap-add. */
#include "plugins/cpu-fftw/curvature_fft.h"

#include "plugins/cpu-fftw/constants.h"
#include "plugins/cpu-fftw/sections.h"
#include "plugins/cpu/curvature/row_lists.h"
#include "plugins/cpu/curvature/triangle.h"
#include "plugins/cpu/settings.h"

#include <math.h>
#include <string.h>

enum { COLUMNS = HG_GATHER_COLUMNS };

/* ---- memory ---- */

/* Entries of one column in one block, as transformed rows first ... first + n - 1. */
typedef struct part {
    int64_t block, first, n;
} part;

/* What each worker has for itself. */
typedef struct desk {
    char *reals;   /* (COLUMNS, reals_ld): rows of U, and a row of a column */
    char *bins;    /* (n_rows, bins_ld): rows of columns, transformed */
    int64_t *y;    /* (n_rows): row of each in its block */
    part *parts;   /* (n_rows) */
    char *lines;   /* (HG_LINES, line_ld) along y, of a part and of the result */
    char *line;    /* (line_ld) one of a part, transformed */
    char *sum;     /* (HG_LINES, line_ld) of the parts, times their spectra */
    char *results; /* (COLUMNS, ny, bins_ld): U before its last transform */
    double *cells; /* (nx, COLUMNS), and one group more */
    double *block; /* (S, COLUMNS): F by rank */
    int64_t n_rows, n_parts;
    int64_t part_of[COLUMNS + 1]; /* first part of each column */
} desk;

typedef struct work {
    const hg_sections *sections;
    hg_cut cut;
    const hg_extent *extent;
    const hg_gather *gather;
    hg_columns columns;
    hg_row_lists rows;
    desk *desks;
    size_t number; /* bytes of a complex number */
    int is_general;
    int64_t n_batch;   /* columns of a batch */
    int64_t rows_room; /* rows that a desk has room for: one column always fits */
    hg_reals f;
    int64_t first; /* of the batches that are worked on */
} work;

static int64_t batch_of(const hg_cpu *cpu)
{
    int64_t n = hg_setting_integer(cpu->host, "ops.curvature.fft_batch", COLUMNS);
    return n < 1 ? 1 : n > COLUMNS ? COLUMNS : n;
}

static size_t real_size(const hgate_problem *problem)
{
    return problem->dtype == HGATE_F64 ? sizeof(double) : sizeof(float);
}

static desk lay_out_desk(hgate_scratch *s, const work *w, int64_t n_columns)
{
    const hg_cut *c = &w->cut;
    desk d = {0};
    size_t row = (size_t)c->bins_ld * w->number, line = (size_t)c->line_ld * w->number;
    d.reals = hgate_scratch_take(s, COLUMNS * c->reals_ld, w->number / 2);
    d.bins = hgate_scratch_take(s, w->rows_room, row);
    d.y = hgate_scratch_take(s, w->rows_room, sizeof *d.y);
    d.parts = hgate_scratch_take(s, w->rows_room, sizeof *d.parts);
    d.lines = hgate_scratch_take(s, HG_LINES, line);
    d.line = hgate_scratch_take(s, 1, line);
    d.sum = hgate_scratch_take(s, HG_LINES, line);
    d.results = hgate_scratch_take(s, w->n_batch * c->ny, row);
    d.cells = hgate_scratch_take(s, c->nx + COLUMNS, COLUMNS * sizeof(double));
    d.block = hgate_scratch_take(s, n_columns, COLUMNS * sizeof(double));
    return d;
}

static void lay_out(hgate_scratch *s, const hg_cpu *cpu, const hgate_problem *problem, int workers,
                    work *w)
{
    const int64_t *dims = problem->dims;
    w->number = 2 * real_size(problem);
    w->n_batch = batch_of(cpu);
    w->rows_room = w->cut.columns * w->cut.ny; /* a row of the extent crosses so many blocks */
    hg_columns_lay_out(s, dims, &w->columns);
    hg_row_lists_lay_out(s, dims, &w->rows);
    w->desks = hgate_scratch_take(s, workers, sizeof *w->desks);
    for (int i = 0; i < workers; i++) {
        desk d = lay_out_desk(s, w, dims[HGATE_DIM_CURVATURE_S]);
        if (w->desks)
            w->desks[i] = d;
    }
}

/* ---- cost and refusals ---- */

static const hgate_term terms[] = {
    {"call", HG_FFTW_K_CALL},          {"columns", HG_FFTW_K_COLUMN},
    {"rows", HG_FFTW_K_ROW},           {"lines", HG_FFTW_K_LINE},
    {"gather", HG_FFTW_K_GATHER},      {"rows_f32", HG_FFTW_K_ROW_F32},
    {"lines_f32", HG_FFTW_K_LINE_F32}, {"entries", HG_FFTW_K_ENTRY}};
enum { ROWS = 2, LINES = 3, GATHER = 4, ROWS_F32 = 5, LINES_F32 = 6, ENTRIES = 7 };

static int cut_of(const hg_cpu *cpu, const hgate_problem *problem, hg_cut *cut)
{
    return hg_cut_make(cpu, problem->dims[HGATE_DIM_CURVATURE_NY],
                       problem->dims[HGATE_DIM_CURVATURE_NX], cut);
}

static double points_of(double n)
{
    return n * log2(n + 1.0);
}

/* What a column takes, by what is known of it before M is looked at: entries in about the root of
 * their number of rows, and in sections a second block for half of the columns; results in the rows
 * from its first on, six of ten. */
static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)k;
    const hg_cpu *cpu = state;
    work w;
    if (!cut_of(cpu, problem, &w.cut))
        return HGATE_ESHAPE;
    int workers = hg_cpu_threads(cpu, problem->threads);
    double columns = (double)problem->dims[HGATE_DIM_CURVATURE_S] / workers;
    const double nnz = (double)problem->dims[HGATE_DIM_CURVATURE_NNZ];
    const double blocks = w.cut.rows * w.cut.columns == 1 ? 1.0 : 1.5;
    const int is_f64 = problem->dtype == HGATE_F64;
    est->terms[0] = 1.0;
    est->terms[1] = columns;
    est->terms[is_f64 ? ROWS : ROWS_F32] =
        (sqrt(columns * nnz / workers) + columns * 0.6 * (double)w.cut.ny) *
        points_of((double)w.cut.period_x);
    est->terms[is_f64 ? LINES : LINES_F32] =
        columns * (blocks + 1.0) * (double)w.cut.bins * points_of((double)w.cut.period_y);
    est->terms[GATHER] = 0.5 * columns * nnz;
    est->terms[ENTRIES] = nnz;
    hgate_scratch scratch = hgate_scratch_count();
    lay_out(&scratch, cpu, problem, workers, &w);
    est->ws_host = scratch.bytes;
    est->prepared_bytes = hg_sections_bytes(cpu, problem);
    return HGATE_OK;
}

static int supports(void *state, const hgate_problem *problem, hgate_reason *reason)
{
    const hgate_curvature_facts *facts = problem->facts;
    hg_cut cut;
    if (facts && facts->is_known && !facts->vals_finite)
        return hgate_refuse(reason, HGATE_REFUSE_NOT_FINITE, NAN, NAN, "vals has a NaN or an Inf");
    if (!cut_of(state, problem, &cut))
        return hgate_refuse(reason, HGATE_REFUSE_LIMIT, NAN, NAN,
                            "the extent is too large for the integers of FFTW");
    return hg_row_lists_can(problem, reason);
}

/* ---- forward ---- */

/* The entries i ... end - 1 of a column lie in one band of blocks, row by row; those in block
 * column bx become transformed rows. */
static void transform_part(const work *w, desk *d, int64_t i, int64_t end, int64_t by, int64_t bx)
{
    const hg_cut *c = &w->cut;
    const hg_extent *e = w->extent;
    const hg_columns *m = &w->columns;
    const hg_reals row = {d->reals, m->vals.is_64};
    const int64_t top = by * c->height, left = bx * c->width;
    int64_t first = d->n_rows;
    while (i < end) {
        int64_t y = e->y[hg_index(m->m.rows, m->sorted[i])];
        int has_entries = 0;
        for (; i < end; i++) {
            int64_t t = m->sorted[i], p = hg_index(m->m.rows, t), x = e->x[p] - left;
            if (e->y[p] != y)
                break;
            if (x < 0 || x >= c->width)
                continue;
            if (!has_entries)
                memset(d->reals, 0, (size_t)c->period_x * w->number / 2);
            has_entries = 1;
            hg_real_put(row, x, hg_real(row, x) + hg_real(m->vals, t));
        }
        if (has_entries) {
            d->y[d->n_rows] = y - top;
            w->sections->transforms.calls->forward_row(
                &w->sections->transforms, d->reals,
                d->bins + (size_t)(d->n_rows++ * c->bins_ld) * w->number);
        }
    }
    if (d->n_rows > first)
        d->parts[d->n_parts++] = (part){by * c->columns + bx, first, d->n_rows - first};
}

/* Rows of a column, transformed; 0 where the desk may not have room for them. */
static int transform_column(const work *w, desk *d, int64_t s)
{
    const hg_cut *c = &w->cut;
    const hg_extent *e = w->extent;
    const hg_columns *m = &w->columns;
    int64_t begin = m->m.indptr[s], end = m->m.indptr[s + 1];
    int64_t most = end - begin < w->rows_room ? end - begin : w->rows_room;
    if (d->n_rows + most > w->rows_room)
        return 0;
    for (int64_t i = begin, next; i < end; i = next) {
        int64_t by = e->y[hg_index(m->m.rows, m->sorted[i])] / c->height;
        for (next = i; next < end; next++)
            if (e->y[hg_index(m->m.rows, m->sorted[next])] / c->height != by)
                break;
        for (int64_t bx = 0; bx < c->columns; bx++)
            transform_part(w, d, i, next, by, bx);
    }
    return 1;
}

/* ---- lines ---- */

static int is_empty(const work *w, int64_t rank)
{
    const hg_columns *m = &w->columns;
    return m->m.indptr[m->order[rank]] == m->m.indptr[m->order[rank] + 1];
}

/* First row of U that a column needs. */
static int64_t first_row(const work *w, int64_t rank)
{
    return w->is_general ? 0 : w->columns.ymin[w->columns.order[rank]];
}

/* A few bins of one column, from its parts to the rows of its results. */
static void do_lines(const work *w, const desk *d, int64_t k, int64_t bin, int64_t y0,
                     char *results)
{
    const hg_cut *c = &w->cut;
    const hg_sections *s = w->sections;
    const size_t line = (size_t)c->line_ld * w->number;
    for (int64_t q = d->part_of[k]; q < d->part_of[k + 1]; q++) {
        const part *p = &d->parts[q];
        s->lines->take(d->bins + (size_t)(p->first * c->bins_ld + bin) * w->number, c->bins_ld,
                       d->y + p->first, p->n, d->lines, c->line_ld, c->period_y);
        for (int64_t b = 0; b < HG_LINES; b++) {
            s->transforms.calls->forward_line(&s->transforms, d->lines + (size_t)b * line, d->line);
            s->lines->multiply(d->line, hg_sections_spectrum(s, p->block, bin + b), s->is_real,
                               q > d->part_of[k], d->sum + (size_t)b * line, c->period_y);
        }
    }
    for (int64_t b = 0; b < HG_LINES; b++)
        s->transforms.calls->backward_line(&s->transforms, d->sum + (size_t)b * line,
                                           d->lines + (size_t)b * line);
    s->lines->give(d->lines, c->line_ld, y0, c->ny - y0,
                   results + (size_t)(y0 * c->bins_ld + bin) * w->number, c->bins_ld);
}

/* The columns of ranks r0 + k0 ... r0 + k1 - 1, whose rows are transformed. */
static void do_columns(const work *w, const desk *d, int64_t r0, int64_t k0, int64_t k1)
{
    const size_t results = (size_t)(w->cut.ny * w->cut.bins_ld) * w->number;
    for (int64_t bin = 0; bin < w->cut.bins; bin += HG_LINES)
        for (int64_t k = k0; k < k1; k++)
            if (!is_empty(w, r0 + k))
                do_lines(w, d, k, bin, first_row(w, r0 + k), d->results + (size_t)k * results);
}

/* ---- gather ---- */

static void gather_row(const work *w, const desk *d, int64_t r0, int64_t r1, int64_t y)
{
    const hg_cut *c = &w->cut;
    const hg_sections *s = w->sections;
    for (int64_t r = r0; r < r1; r++) {
        int64_t k = r - r0;
        char *reals = d->reals + (size_t)(k * c->reals_ld) * w->number / 2;
        if (is_empty(w, r))
            memset(reals, 0, (size_t)c->period_x * w->number / 2);
        else if (y >= first_row(w, r))
            s->transforms.calls->backward_row(
                &s->transforms, d->results + (size_t)((k * c->ny + y) * c->bins_ld) * w->number,
                reals);
    }
    w->gather->interleave(d->reals, c->reals_ld, w->extent->x_first[y], w->extent->x_last[y] + 1,
                          d->cells);
    w->gather->row(d->cells, w->rows.segment + w->rows.start[y],
                   w->rows.segment + w->rows.start[y + 1], w->is_general ? 0 : r0,
                   w->rows.x + w->rows.entry[y], w->rows.value + w->rows.entry[y], d->block);
}

/* A batch of columns, by rank: their rows of F. */
static void do_batch(void *context, int64_t i, int worker)
{
    const work *w = context;
    const hg_columns *m = &w->columns;
    desk *d = &w->desks[worker];
    int64_t n = m->m.n_columns, r0 = (w->first + i) * w->n_batch;
    int64_t r1 = r0 + w->n_batch < n ? r0 + w->n_batch : n;
    memset(d->block, 0, (size_t)n * COLUMNS * sizeof *d->block);
    for (int64_t k = 0, next; k < r1 - r0; k = next) {
        d->n_rows = d->n_parts = 0;
        for (next = k; next < r1 - r0; next++) {
            d->part_of[next] = d->n_parts;
            if (!transform_column(w, d, m->order[r0 + next]))
                break;
            d->part_of[next + 1] = d->n_parts;
        }
        do_columns(w, d, r0, k, next);
    }
    for (int64_t y = first_row(w, r0); y < w->cut.ny; y++)
        if (w->extent->x_last[y] >= 0)
            gather_row(w, d, r0, r1, y);
    for (int64_t r = r0; r < r1; r++)
        for (int64_t q = w->is_general ? 0 : r; q < n; q++)
            hg_real_put(w->f, m->order[r] * n + m->order[q], d->block[q * COLUMNS + r - r0]);
}

/* ---- run ---- */

/* A few batches at a time, so that progress is told from the calling thread. */
static int do_batches(const hg_cpu *cpu, work *w, int workers, const hgate_run *run)
{
    int64_t n = (w->columns.m.n_columns + w->n_batch - 1) / w->n_batch, some = 4 * (int64_t)workers;
    for (w->first = 0; w->first < n; w->first += some) {
        int64_t count = n - w->first < some ? n - w->first : some;
        cpu->spread(workers, count, do_batch, w);
        int status = hgate_progress(run, w->first + count, n);
        if (status != HGATE_OK)
            return status;
    }
    return HGATE_OK;
}

static int run(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run)
{
    const hg_cpu *cpu = state;
    const hg_sections *sections = prepared;
    const hgate_curvature_params *params = problem->params;
    int workers = hg_cpu_threads(cpu, run->threads);
    work w = {.sections = sections,
              .cut = sections->cut,
              .extent = sections->extent,
              .gather = hg_gather_of(cpu->isa, problem->dtype == HGATE_F64),
              .is_general = params->w_general,
              .f = hg_real_arg(problem, HGATE_CURVATURE_F)};
    hgate_scratch scratch = hgate_scratch_over(run);
    lay_out(&scratch, cpu, problem, workers, &w);
    if (scratch.is_short)
        return hgate_fail(run->host, HGATE_EPLUGIN, "curvature: workspace of %zu bytes, needs %zu",
                          run->ws_host_bytes, scratch.bytes);
    int status = hg_columns_take(run->host, problem, &w.columns);
    if (status != HGATE_OK)
        return status;
    if (!hg_columns_are_finite(&w.columns))
        return HGATE_RUN_PLAIN;
    hg_columns_rank(&w.columns, w.extent);
    hg_columns_sort(&w.columns, w.extent->row_major);
    hg_row_lists_fill(&w.rows, &w.columns, w.extent);

    run->committed = 1;
    status = do_batches(cpu, &w, workers, run);
    if (status == HGATE_OK && !w.is_general)
        hg_triangle_finish(cpu, workers, w.f, w.columns.m.n_columns, w.columns.rank);
    return status;
}

const hgate_kernel hg_fftw_curvature = {
    .struct_size = sizeof(hgate_kernel),
    .op = HGATE_OP_CURVATURE,
    .name = "fft",
    .dtypes = HGATE_F32 | HGATE_F64,
    .spaces = HG_CPU_SPACES,
    .flags = HG_CPU_FLAGS | HGATE_KERNEL_THREADED,
    .n_terms = HGATE_LENGTH_OF(terms),
    .terms = terms,
    .supports = supports,
    .estimate = estimate,
    .prepare = hg_sections_prepare,
    .discard = hg_sections_discard,
    .run = run,
};
