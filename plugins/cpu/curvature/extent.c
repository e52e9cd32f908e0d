/* SPDX-License-Identifier: BSD-3-Clause */
/* What stays the same over many calls: the kernel w without its wrap-around, and the mask. */
#include "plugins/cpu/curvature/extent.h"

#include "headgate/plugin_util.h"
#include "plugins/cpu/cpu.h"
#include "plugins/cpu/curvature/convolve.h"
#include "plugins/cpu/settings.h"

#include <inttypes.h>
#include <string.h>

enum { LINE_BYTES = 64 };

static int64_t padded(int64_t count, size_t size)
{
    int64_t line = (int64_t)(LINE_BYTES / size), tile = (int64_t)(HG_TILE_BYTES / size);
    return (count + tile + line - 1) / line * line;
}

int64_t hg_extent_w_ld(int64_t nx, size_t size)
{
    return padded(2 * nx - 1, size);
}

int64_t hg_extent_u_ld(int64_t nx, size_t size)
{
    return padded(nx, size);
}

/* Rows of zeros behind the last: a strip may hang over the lower edge of the extent. */
enum { SPARE_ROWS = HG_STRIP_ROWS - 1 };

/* One block of memory: the struct, then its arrays, then what only the preparation needs. */
static hg_extent *lay_out(hgate_scratch *s, const int64_t *dims, size_t size, int with_half,
                          int64_t **list, int64_t **counts)
{
    int64_t ny = dims[HGATE_DIM_CURVATURE_NY], nx = dims[HGATE_DIM_CURVATURE_NX];
    int64_t n = dims[HGATE_DIM_CURVATURE_N], w_ld = hg_extent_w_ld(nx, size);
    hg_extent e = {.ny = ny, .nx = nx, .n_pixels = n, .w_ld = w_ld};
    hg_extent *kept = hgate_scratch_take(s, 1, sizeof e);
    e.w = hgate_scratch_take(s, 2 * ny - 1 + SPARE_ROWS, (size_t)w_ld * size);
    e.w_half = with_half ? hgate_scratch_take(s, ny + SPARE_ROWS, (size_t)w_ld * size) : NULL;
    e.y = hgate_scratch_take(s, n, sizeof *e.y);
    e.x = hgate_scratch_take(s, n, sizeof *e.x);
    e.row_major = hgate_scratch_take(s, n, sizeof *e.row_major);
    e.run_major = hgate_scratch_take(s, n, sizeof *e.run_major);
    e.x_first = hgate_scratch_take(s, ny, sizeof *e.x_first);
    e.x_last = hgate_scratch_take(s, ny, sizeof *e.x_last);
    *list = hgate_scratch_take(s, 2 * n, sizeof **list);
    *counts = hgate_scratch_take(s, (ny > nx ? ny : nx) + 1, sizeof **counts);
    if (kept)
        *kept = e;
    return kept;
}

static size_t real_size(const hgate_problem *problem)
{
    return problem->dtype == HGATE_F64 ? sizeof(double) : sizeof(float);
}

/* Only the kernel pair needs w_half. */
static int has_pair(const void *state)
{
    return hg_setting_is(((const hg_cpu *)state)->host, "ops.curvature.exact_triangle", "false");
}

size_t hg_extent_bytes(const void *state, const hgate_problem *problem)
{
    int64_t *list, *counts;
    hgate_scratch s = hgate_scratch_count();
    lay_out(&s, problem->dims, real_size(problem), has_pair(state), &list, &counts);
    return s.bytes;
}

/* The caller's layout wraps: offset (dy, dx) is at [dy mod 2ny][dx mod 2nx]. Row ny and column nx
 * belong to no pair of pixels; they are not copied. */
static void unwrap(hg_extent *e, const void *wrapped, size_t size)
{
    int64_t ny = e->ny, nx = e->nx;
    const char *from = wrapped;
    char *to = e->w;
    memset(to, 0, (size_t)((2 * ny - 1 + SPARE_ROWS) * e->w_ld) * size);
    for (int64_t dy = 1 - ny; dy < ny; dy++) {
        const char *row = from + (size_t)((dy < 0 ? dy + 2 * ny : dy) * 2 * nx) * size;
        char *line = to + (size_t)((dy + ny - 1) * e->w_ld) * size;
        memcpy(line, row + (size_t)(nx + 1) * size, (size_t)(nx - 1) * size);
        memcpy(line + (size_t)(nx - 1) * size, row, (size_t)nx * size);
    }
}

/* The rows dy >= 0, row 0 times one half. */
static void halve(hg_extent *e, size_t size)
{
    size_t row = (size_t)e->w_ld * size;
    if (!e->w_half)
        return;
    memcpy(e->w_half, (char *)e->w + (size_t)(e->ny - 1) * row, (size_t)(e->ny + SPARE_ROWS) * row);
    hg_reals w = {e->w_half, size == sizeof(double)};
    for (int64_t x = 0; x < e->w_ld; x++)
        hg_real_put(w, x, 0.5 * hg_real(w, x));
}

static int take_pixels(const hgate_host *host, hg_extent *e, hg_indices iy, hg_indices ix)
{
    for (int64_t y = 0; y < e->ny; y++) {
        e->x_first[y] = e->nx;
        e->x_last[y] = -1;
    }
    for (int64_t p = 0; p < e->n_pixels; p++) {
        int64_t y = hg_index(iy, p), x = hg_index(ix, p);
        if (y < 0 || y >= e->ny)
            return hgate_fail(host, HGATE_EVALUE,
                              "iy: element %" PRId64 " is %" PRId64 ", expected 0 to %" PRId64, p,
                              y, e->ny - 1);
        if (x < 0 || x >= e->nx)
            return hgate_fail(host, HGATE_EVALUE,
                              "ix: element %" PRId64 " is %" PRId64 ", expected 0 to %" PRId64, p,
                              x, e->nx - 1);
        e->y[p] = y;
        e->x[p] = x;
        if (x < e->x_first[y])
            e->x_first[y] = x;
        if (x > e->x_last[y])
            e->x_last[y] = x;
    }
    return HGATE_OK;
}

/* Stable counting sort of a list of pixels by a key below n_keys; falling: the largest key first.
 */
static void sort_by(const int64_t *key, int64_t n_keys, int falling, int64_t n, const int64_t *from,
                    int64_t *to, int64_t *counts)
{
    memset(counts, 0, (size_t)(n_keys + 1) * sizeof *counts);
    for (int64_t i = 0; i < n; i++)
        counts[(falling ? n_keys - 1 - key[from[i]] : key[from[i]]) + 1]++;
    for (int64_t k = 0; k < n_keys; k++)
        counts[k + 1] += counts[k];
    for (int64_t i = 0; i < n; i++)
        to[counts[falling ? n_keys - 1 - key[from[i]] : key[from[i]]]++] = from[i];
}

static void rank_pixels(hg_extent *e, int64_t *list, int64_t *counts)
{
    int64_t n = e->n_pixels, *other = list + n;
    for (int64_t p = 0; p < n; p++)
        list[p] = p;
    sort_by(e->x, e->nx, 0, n, list, other, counts);
    sort_by(e->y, e->ny, 0, n, other, list, counts);
    for (int64_t i = 0; i < n; i++)
        e->row_major[list[i]] = i;
    for (int64_t p = 0; p < n; p++)
        list[p] = p;
    sort_by(e->y, e->ny, 1, n, list, other, counts);
    sort_by(e->x, e->nx, 0, n, other, list, counts);
    for (int64_t i = 0; i < n; i++)
        e->run_major[list[i]] = i;
}

int hg_extent_prepare(void *state, const hgate_problem *problem, const hgate_run *run,
                      void **prepared)
{
    (void)run;
    const hgate_host *host = ((const hg_cpu *)state)->host;
    size_t size = real_size(problem), bytes = hg_extent_bytes(state, problem);
    int64_t *list, *counts;
    void *memory = bytes == SIZE_MAX ? NULL : host->alloc(host, bytes, LINE_BYTES);
    if (!memory)
        return hgate_fail(host, HGATE_ENOMEM, "curvature: no memory for %zu bytes of the plan",
                          bytes);
    hgate_scratch s = {memory, bytes, 0, 0};
    hg_extent *e = lay_out(&s, problem->dims, size, has_pair(state), &list, &counts);
    int status = take_pixels(host, e, hg_index_arg(problem, HGATE_CURVATURE_IY),
                             hg_index_arg(problem, HGATE_CURVATURE_IX));
    if (status != HGATE_OK) {
        host->free(host, memory);
        return status;
    }
    unwrap(e, hg_arg(problem, HGATE_CURVATURE_W), size);
    halve(e, size);
    rank_pixels(e, list, counts);
    *prepared = e;
    return HGATE_OK;
}

void hg_extent_discard(void *state, void *prepared)
{
    const hgate_host *host = ((const hg_cpu *)state)->host;
    host->free(host, prepared);
}
