/* SPDX-License-Identifier: BSD-3-Clause */
/* What a plan keeps for the route by transforms: the extent in blocks, and a spectrum of w for each
 * block. */
#include "plugins/cpu-fftw/sections.h"

#include "headgate/plugin_util.h"
#include "plugins/cpu-fftw/period.h"
#include "plugins/cpu/settings.h"

#include <limits.h>
#include <string.h>

enum { ALIGNMENT = 64, NUMBERS = 16, AUTO_SECTIONS = 4, WORTH_CUTTING = 16 };

/* ---- the cut ---- */

static int64_t padded(int64_t n)
{
    return (n + NUMBERS - 1) / NUMBERS * NUMBERS;
}

/* Rows of bins an odd number of lines apart, so that a column of them meets every set of the cache.
 */
static int64_t odd_lines(int64_t bins)
{
    return padded(bins) + (padded(bins) / NUMBERS % 2 ? 0 : NUMBERS);
}

/* By default 4 x 4: a block of an extent of 341 then has a period of 448 and not 686, and one
 * column in three meets a second block. Small extents are not cut. */
int hg_cut_make(const hg_cpu *cpu, int64_t ny, int64_t nx, hg_cut *cut)
{
    int64_t smaller = ny < nx ? ny : nx;
    int64_t n = hg_setting_integer(cpu->host, "ops.curvature.fft_sections",
                                   smaller < WORTH_CUTTING ? 1 : AUTO_SECTIONS);
    int64_t n_y = n < ny ? n : ny, n_x = n < nx ? n : nx;
    *cut = (hg_cut){.ny = ny, .nx = nx};
    cut->height = (ny + n_y - 1) / n_y;
    cut->width = (nx + n_x - 1) / n_x;
    cut->rows = (ny + cut->height - 1) / cut->height;
    cut->columns = (nx + cut->width - 1) / cut->width;
    if (ny > INT_MAX / 4 || nx > INT_MAX / 4)
        return 0;
    cut->period_y = hg_period(ny + cut->height - 1);
    cut->period_x = hg_period(nx + cut->width - 1);
    cut->bins = cut->period_x / 2 + 1;
    cut->bins_ld = odd_lines(cut->bins);
    cut->line_ld = padded(cut->period_y);
    cut->reals_ld = padded(cut->period_x);
    return 1;
}

/* ---- memory ---- */

static size_t real_size(const hgate_problem *problem)
{
    return problem->dtype == HGATE_F64 ? sizeof(double) : sizeof(float);
}

/* A real spectrum: w is even, and the one block has its own origin. */
static int is_real(const hgate_problem *problem, const hg_cut *cut)
{
    const hgate_curvature_params *params = problem->params;
    return cut->rows * cut->columns == 1 && !params->w_general;
}

static int64_t lines_of(const hg_cut *cut)
{
    return cut->rows * cut->columns * ((cut->bins + HG_LINES - 1) / HG_LINES * HG_LINES);
}

static hg_sections *lay_out(hgate_scratch *s, const hgate_problem *problem, const hg_cut *cut)
{
    hg_sections sections = {
        .cut = *cut, .size = real_size(problem), .is_real = is_real(problem, cut)};
    hg_sections *kept = hgate_scratch_take(s, 1, sizeof sections);
    size_t number = (sections.is_real ? 1 : 2) * sections.size;
    sections.spectrum = hgate_scratch_take(s, lines_of(cut), (size_t)cut->line_ld * number);
    if (kept)
        *kept = sections;
    return kept;
}

size_t hg_sections_bytes(const void *state, const hgate_problem *problem)
{
    hg_cut cut;
    hgate_scratch s = hgate_scratch_count();
    if (!hg_cut_make(state, problem->dims[HGATE_DIM_CURVATURE_NY],
                     problem->dims[HGATE_DIM_CURVATURE_NX], &cut))
        return SIZE_MAX;
    lay_out(&s, problem, &cut);
    size_t extent = hg_extent_bytes(state, problem);
    return s.bytes > SIZE_MAX - extent ? SIZE_MAX : s.bytes + extent;
}

const void *hg_sections_spectrum(const hg_sections *s, int64_t block, int64_t bin)
{
    int64_t lines = lines_of(&s->cut) / (s->cut.rows * s->cut.columns);
    size_t number = (s->is_real ? 1 : 2) * s->size;
    return (const char *)s->spectrum + (size_t)((block * lines + bin) * s->cut.line_ld) * number;
}

/* ---- spectra ---- */

/* Arrays that only the preparation needs. */
typedef struct draft {
    char *reals; /* (reals_ld) */
    char *bins;  /* (period_y, bins_ld) */
    char *lines; /* (HG_LINES, line_ld) */
    char *line;  /* (line_ld), transformed */
    int64_t *y;  /* 0 ... period_y - 1 */
} draft;

static void lay_out_draft(hgate_scratch *s, const hg_cut *cut, size_t size, draft *d)
{
    d->reals = hgate_scratch_take(s, cut->reals_ld, size);
    d->bins = hgate_scratch_take(s, cut->period_y, (size_t)cut->bins_ld * 2 * size);
    d->lines = hgate_scratch_take(s, HG_LINES * cut->line_ld, 2 * size);
    d->line = hgate_scratch_take(s, cut->line_ld, 2 * size);
    d->y = hgate_scratch_take(s, cut->period_y, sizeof *d->y);
}

/* Offset from the first cell of a block of n cells that begins at `begin`, to the place i of a
 * result: 0 ... n_results - 1, then the negative ones. 0 where no entry of the block and no result
 * are so far apart. */
static int offset_of(int64_t i, int64_t period, int64_t n_results, int64_t n, int64_t begin,
                     int64_t *offset)
{
    int64_t d = i < n_results ? i : i - period;
    *offset = d - begin;
    return d > -n && *offset > -n_results;
}

/* Rows of w as the block sees them, transformed. */
static void transform_rows(const hg_sections *s, int64_t block, const draft *d)
{
    const size_t size = s->size;
    const hg_cut *c = &s->cut;
    const hg_extent *e = s->extent;
    const hg_reals w = {e->w, size == sizeof(double)}, to = {d->reals, w.is_64};
    int64_t top = block / c->columns * c->height, left = block % c->columns * c->width, dy, dx;
    for (int64_t i = 0; i < c->period_y; i++) {
        int has_row = offset_of(i, c->period_y, c->ny, c->height, top, &dy);
        memset(d->reals, 0, (size_t)c->period_x * size);
        for (int64_t k = 0; k < c->period_x && has_row; k++)
            if (offset_of(k, c->period_x, c->nx, c->width, left, &dx))
                hg_real_put(to, k, hg_real(w, (dy + e->ny - 1) * e->w_ld + dx + e->nx - 1));
        s->transforms.calls->forward_row(&s->transforms, d->reals,
                                         d->bins + (size_t)(i * c->bins_ld) * 2 * size);
    }
}

/* Columns too; what remains is divided by the number of points, since FFTW does not. */
static void transform_lines(const hg_sections *s, int64_t block, const draft *d)
{
    const size_t size = s->size;
    const hg_cut *c = &s->cut;
    const int is_64 = size == sizeof(double);
    const double scale = 1.0 / ((double)c->period_y * (double)c->period_x);
    for (int64_t bin = 0; bin < c->bins; bin += HG_LINES) {
        s->lines->take(d->bins + (size_t)bin * 2 * size, c->bins_ld, d->y, c->period_y, d->lines,
                       c->line_ld, c->period_y);
        for (int64_t b = 0; b < HG_LINES; b++) {
            char *line = d->lines + (size_t)(b * c->line_ld) * 2 * size;
            const hg_reals from = {d->line, is_64};
            const hg_reals to = {(void *)hg_sections_spectrum(s, block, bin + b), is_64};
            s->transforms.calls->forward_line(&s->transforms, line, d->line);
            for (int64_t i = 0; i < (s->is_real ? 1 : 2) * c->period_y; i++)
                hg_real_put(to, i, scale * hg_real(from, s->is_real ? 2 * i : i));
        }
    }
}

static int fill(const hgate_host *host, const hg_sections *s)
{
    draft d;
    hgate_scratch count = hgate_scratch_count();
    lay_out_draft(&count, &s->cut, s->size, &d);
    void *memory = count.bytes == SIZE_MAX ? NULL : host->alloc(host, count.bytes, ALIGNMENT);
    if (!memory)
        return hgate_fail(host, HGATE_ENOMEM, "curvature: no memory for %zu bytes of spectra",
                          count.bytes);
    hgate_scratch scratch = {memory, count.bytes, 0, 0};
    lay_out_draft(&scratch, &s->cut, s->size, &d);
    for (int64_t i = 0; i < s->cut.period_y; i++)
        d.y[i] = i;
    /* bins behind the last are read with their group */
    memset(d.bins, 0, (size_t)(s->cut.period_y * s->cut.bins_ld) * 2 * s->size);
    for (int64_t block = 0; block < s->cut.rows * s->cut.columns; block++) {
        transform_rows(s, block, &d);
        transform_lines(s, block, &d);
    }
    host->free(host, memory);
    return HGATE_OK;
}

/* ---- prepare ---- */

static const hg_lines *lines_of_isa(int isa, int is_f64)
{
    static const hg_lines *const by_isa[HG_ISA_COUNT] = {
        [HG_ISA_BASELINE] = hg_baseline_lines,
#ifdef HG_X86_64
        [HG_ISA_AVX2] = hg_avx2_lines,
        [HG_ISA_AVX512] = hg_avx512_lines,
#endif
    };
    return &by_isa[isa][is_f64];
}

static int complete(const hg_cpu *cpu, const hgate_problem *problem, const hgate_run *run,
                    hg_sections *s)
{
    void *extent;
    int is_f64 = s->size == sizeof(double);
    int status = hg_extent_prepare((void *)cpu, problem, run, &extent);
    if (status != HGATE_OK)
        return status;
    s->extent = extent;
    s->lines = lines_of_isa(cpu->isa, is_f64);
    if (!hg_transforms_make(&s->transforms, is_f64, s->cut.period_x, s->cut.period_y))
        return hgate_fail(cpu->host, HGATE_ENOMEM, "curvature: FFTW made no plan of %lld x %lld",
                          (long long)s->cut.period_y, (long long)s->cut.period_x);
    return fill(cpu->host, s);
}

int hg_sections_prepare(void *state, const hgate_problem *problem, const hgate_run *run,
                        void **prepared)
{
    const hg_cpu *cpu = state;
    hg_cut cut;
    hgate_scratch count = hgate_scratch_count();
    if (!hg_cut_make(cpu, problem->dims[HGATE_DIM_CURVATURE_NY],
                     problem->dims[HGATE_DIM_CURVATURE_NX], &cut))
        return hgate_fail(cpu->host, HGATE_ESHAPE, "w: an extent too large for FFTW");
    lay_out(&count, problem, &cut);
    void *memory =
        count.bytes == SIZE_MAX ? NULL : cpu->host->alloc(cpu->host, count.bytes, ALIGNMENT);
    if (!memory)
        return hgate_fail(cpu->host, HGATE_ENOMEM, "curvature: no memory for %zu bytes of the plan",
                          count.bytes);
    hgate_scratch scratch = {memory, count.bytes, 0, 0};
    hg_sections *sections = lay_out(&scratch, problem, &cut);
    int status = complete(cpu, problem, run, sections);
    if (status != HGATE_OK) {
        hg_sections_discard(state, sections);
        return status;
    }
    *prepared = sections;
    return HGATE_OK;
}

void hg_sections_discard(void *state, void *prepared)
{
    const hgate_host *host = ((const hg_cpu *)state)->host;
    hg_sections *sections = prepared;
    hg_transforms_free(&sections->transforms, sections->size == sizeof(double));
    if (sections->extent)
        hg_extent_discard(state, (void *)sections->extent);
    host->free(host, sections);
}
