/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels direct of kirchhoff_traveltime, kirchhoff_angles and kirchhoff_spreading: threads take
 * columns of the grid, or pieces of the table. */
#include "plugins/cpu/constants.h"
#include "plugins/cpu/kirchhoff/grid.h"
#include "plugins/cpu/kirchhoff/setup_lanes.h"
#include "plugins/cpu/kirchhoff/work.h"

#include <float.h>
#include <math.h>

static const hg_setup_lanes *const setup_fns[HG_ISA_COUNT] = HG_BY_ISA(setup);

/* Entries of a task of spreading. */
enum { PIECE = 1 << 14 };

/* What the tasks of a run share. */
typedef struct work {
    const hg_setup_lanes *fns;
    const hgate_kirchhoff_setup *setup;
    hg_axes axes;
    int64_t n, padded, nz, columns;
    size_t real;
    const char *in;
    hg_reals stations;
    char *out, *more;
    hg_reals depth; /* (nz, padded): squares along z */
    char *lateral;  /* of each worker (padded): squares along the other axes */
} work;

static work work_of(const hg_cpu *cpu, const hgate_problem *problem)
{
    const int64_t *dims = problem->dims;
    const hgate_kirchhoff_setup *setup = problem->params;
    int is_64 = problem->dtype == HGATE_F64;
    work w = {.fns = &setup_fns[cpu->isa][is_64],
              .setup = setup,
              .n = dims[HGATE_DIM_KIRCHHOFF_GRID_N],
              .nz = setup->grid.nz,
              .real = hg_real_bytes(is_64)};
    w.padded = (w.n + w.fns->lanes - 1) / w.fns->lanes * w.fns->lanes;
    w.columns = setup->grid.nx * (setup->grid.ny ? setup->grid.ny : 1);
    w.depth.is_64 = is_64;
    return w;
}

static double entries_of(const hgate_problem *problem)
{
    return (double)problem->dims[HGATE_DIM_KIRCHHOFF_GRID_NI] *
           (double)problem->dims[HGATE_DIM_KIRCHHOFF_GRID_N];
}

static int count(const void *state, const hgate_problem *problem, hgate_estimate *est)
{
    int workers = hg_cpu_threads(state, problem->threads);
    est->terms[0] = 1.0;
    est->terms[1] = entries_of(problem) / workers;
    est->terms[2] = hg_cpu_teams(workers, 1.0);
    return HGATE_OK;
}

static int estimate(void *state, const hgate_problem *problem, const double *k, hgate_estimate *est)
{
    (void)k;
    return count(state, problem, est);
}

/* ---- traveltime ---- */

static void lay_out(hgate_scratch *scratch, int workers, work *w)
{
    w->depth.data = hgate_scratch_take(scratch, w->nz * w->padded, w->real);
    w->lateral = hgate_scratch_take(scratch, workers * w->padded, w->real);
}

static int estimate_traveltime(void *state, const hgate_problem *problem, const double *k,
                               hgate_estimate *est)
{
    (void)k;
    work w = work_of(state, problem);
    hgate_scratch scratch = hgate_scratch_count();
    lay_out(&scratch, hg_cpu_threads(state, problem->threads), &w);
    est->ws_host = scratch.bytes;
    return count(state, problem, est);
}

/* Squared distance of a node to station j along axes [from, to). */
static double square(const work *w, const double position[HG_MAX_AXES], int from, int to, int64_t j)
{
    double sum = 0.0;
    for (int d = from; d < to; d++) {
        double difference = position[d] - hg_real(w->stations, d * w->n + j);
        sum += difference * difference;
    }
    return sum;
}

static void put_squares(const work *w, int64_t node, int from, int to, hg_reals out, int64_t at)
{
    double position[HG_MAX_AXES];
    hg_axes_node(&w->axes, node, position);
    for (int64_t j = 0; j < w->padded; j++)
        hg_real_put(out, at + j, j < w->n ? square(w, position, from, to, j) : 0.0);
}

static void time_column(void *context, int64_t column, int worker)
{
    const work *w = context;
    char *lateral = w->lateral + (size_t)(worker * w->padded) * w->real;
    put_squares(w, column * w->nz, 0, w->axes.n - 1, (hg_reals){lateral, w->depth.is_64}, 0);
    for (int64_t iz = 0; iz < w->nz; iz++) {
        size_t at = (size_t)((column * w->nz + iz) * w->n) * w->real;
        w->fns->distances(lateral, (char *)w->depth.data + (size_t)(iz * w->padded) * w->real, w->n,
                          1.0 / w->setup->v, w->out + at, w->more ? w->more + at : NULL);
    }
}

/* dist[i,j] = |node_i - station_j|,  trav = dist / v
 *
 * stations (ndim, n), trav and dist (ni, n), dist may be absent. Differences and their squares in
 * double, once for each column and each depth; sum, root and product in the type of the tables, so
 * that float32 keeps two units in the last place and distances up to 1e19. */
static int run_traveltime(void *state, const hgate_problem *problem, const void *prepared,
                          hgate_run *run)
{
    (void)prepared;
    const hg_cpu *cpu = state;
    int threads = hg_cpu_threads(cpu, run->threads);
    work w = work_of(cpu, problem);
    w.axes = hg_axes_of(&w.setup->grid);
    w.stations = hg_real_arg(problem, HGATE_KIRCHHOFF_TRAVELTIME_STATIONS);
    w.out = hg_arg(problem, HGATE_KIRCHHOFF_TRAVELTIME_TRAV);
    w.more = hg_arg(problem, HGATE_KIRCHHOFF_TRAVELTIME_DIST);
    hgate_scratch scratch = hgate_scratch_over(run);
    lay_out(&scratch, hg_cpu_threads(cpu, problem->threads), &w);
    if (scratch.is_short)
        return hgate_fail(run->host, HGATE_EPLUGIN, "kirchhoff_traveltime: workspace is too small");
    for (int64_t iz = 0; iz < w.nz; iz++)
        put_squares(&w, iz, w.axes.n - 1, w.axes.n, w.depth, iz * w.padded);
    run->committed = 1;
    return hg_spread_told(cpu, run, threads, w.columns, time_column, &w);
}

/* ---- spreading ---- */

static void spread_piece(void *context, int64_t piece, int worker)
{
    (void)worker;
    const work *w = context;
    int64_t from = piece * PIECE, left = w->n - from;
    w->fns->spreading(w->in + (size_t)from * w->real, left < PIECE ? left : PIECE, w->setup->ndim,
                      w->setup->eps, w->out + (size_t)from * w->real);
}

/* amp = 1 / sqrt(dist + eps) in 2D, 1 / (dist + eps) in 3D;  dist and amp (ni, n), in their type.
 */
static int run_spreading(void *state, const hgate_problem *problem, const void *prepared,
                         hgate_run *run)
{
    (void)prepared;
    const hg_cpu *cpu = state;
    work w = work_of(cpu, problem);
    w.in = hg_arg(problem, HGATE_KIRCHHOFF_SPREADING_DIST);
    w.out = hg_arg(problem, HGATE_KIRCHHOFF_SPREADING_AMP);
    w.n *= problem->dims[HGATE_DIM_KIRCHHOFF_GRID_NI];
    run->committed = 1;
    return hg_spread_told(cpu, run, hg_cpu_threads(cpu, run->threads), (w.n + PIECE - 1) / PIECE,
                          spread_piece, &w);
}

/* ---- angles ---- */

/* The neighbours of entry `at` along an axis: central inside, one-sided at the ends, none on an
 * axis of length 1. */
static void put_slope(const work *w, hg_slopes *slopes, int axis, int64_t at, int64_t coordinate,
                      int64_t size, int64_t stride, double step)
{
    int64_t back = coordinate > 0 ? 1 : 0, ahead = coordinate < size - 1 ? 1 : 0;
    slopes->back[axis] = w->in + (size_t)(at - back * stride) * w->real;
    slopes->ahead[axis] = w->in + (size_t)(at + ahead * stride) * w->real;
    slopes->scale[axis] = size > 1 ? 1.0 / ((double)(back + ahead) * step) : 0.0;
}

/* Nodes [iz, iz + nodes) of a column, which are alike along z. */
static void turn_nodes(const work *w, int64_t column, int64_t iz, int64_t nodes)
{
    const hgate_kirchhoff_grid *grid = &w->setup->grid;
    int64_t at = (column * w->nz + iz) * w->n, stride = w->nz * w->n;
    hg_slopes slopes = {.scale = {0.0}};
    put_slope(w, &slopes, 2, at, iz, w->nz, w->n, grid->dz);
    put_slope(w, &slopes, 1, at, column % grid->nx, grid->nx, stride, grid->dx);
    if (grid->ny)
        put_slope(w, &slopes, 0, at, column / grid->nx, grid->ny, stride * grid->nx, grid->dy);
    w->fns->angles(&slopes, nodes * w->n, grid->ny ? 3 : 2, w->out + (size_t)at * w->real);
}

static void turn_column(void *context, int64_t column, int worker)
{
    (void)worker;
    const work *w = context;
    turn_nodes(w, column, 0, 1);
    if (w->nz > 2)
        turn_nodes(w, column, 1, w->nz - 2);
    if (w->nz > 1)
        turn_nodes(w, column, w->nz - 1, 1);
}

/* ang[i,j] from the gradient of trav[:,j] on the grid, with the grid's own steps: 2D atan2(x, z),
 * 3D the angle from the z axis with the sign of x
 *
 * trav and ang (ni, n), z fastest. In the type of the tables; three runs of entries in a column,
 * between which only the neighbours along z differ. */
static int run_angles(void *state, const hgate_problem *problem, const void *prepared,
                      hgate_run *run)
{
    (void)prepared;
    const hg_cpu *cpu = state;
    work w = work_of(cpu, problem);
    w.in = hg_arg(problem, HGATE_KIRCHHOFF_ANGLES_TRAV);
    w.out = hg_arg(problem, HGATE_KIRCHHOFF_ANGLES_ANG);
    run->committed = 1;
    return hg_spread_told(cpu, run, hg_cpu_threads(cpu, run->threads), w.columns, turn_column, &w);
}

#define TERMS(ENTRY)                                                                               \
    {                                                                                              \
        {"call", HG_K_CALL}, {"entries", ENTRY},                                                   \
        {                                                                                          \
            "team", HG_K_TEAM                                                                      \
        }                                                                                          \
    }
static const hgate_term traveltime_terms[] = TERMS(HG_K_KIRCHHOFF_TRAVELTIME_ENTRY);
static const hgate_term spreading_terms[] = TERMS(HG_K_KIRCHHOFF_SPREADING_ENTRY);
static const hgate_term angle_terms[] = TERMS(HG_K_KIRCHHOFF_ANGLE_ENTRY);

HG_CPU_KERNEL(kirchhoff_traveltime_direct, .op = HGATE_OP_KIRCHHOFF_TRAVELTIME, .name = "direct",
              .dtypes = HGATE_F32 | HGATE_F64, .n_terms = 3, .terms = traveltime_terms,
              .estimate = estimate_traveltime, .run = run_traveltime);

HG_CPU_KERNEL(kirchhoff_spreading_direct, .op = HGATE_OP_KIRCHHOFF_SPREADING, .name = "direct",
              .dtypes = HGATE_F32 | HGATE_F64, .n_terms = 3, .terms = spreading_terms,
              .estimate = estimate, .run = run_spreading);

HG_CPU_KERNEL(kirchhoff_angles_direct, .op = HGATE_OP_KIRCHHOFF_ANGLES, .name = "direct",
              .dtypes = HGATE_F32 | HGATE_F64, .n_terms = 3, .terms = angle_terms,
              .estimate = estimate, .run = run_angles);
