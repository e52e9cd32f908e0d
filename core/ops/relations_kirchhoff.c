/* SPDX-License-Identifier: BSD-3-Clause */
/* Kirchhoff: which tables a call needs, the image grid, the arrays that a plan does not know yet.
 */
#include "core/base/error.h"
#include "core/base/mathx.h"
#include "core/ops/steps.h"
#include "core/tensor/op_table.h"
#include "core/tensor/shape_rule.h"

#include <math.h>

/* ---- tables ---- */

enum {
    KNOWN_FLAGS =
        HGATE_KIRCHHOFF_DYNAMIC | HGATE_KIRCHHOFF_STATION_MAJOR | HGATE_KIRCHHOFF_SKIP_NONFINITE
};

static int need(const DLTensor *const *args, int index, const char *why)
{
    if (args[index]) {
        return HGATE_OK;
    }
    return hg_error(HGATE_EINVAL, "%s: is NULL, expected an array with %s",
                    hg_op_row(HGATE_OP_KIRCHHOFF_FORWARD)->args[index].name, why);
}

/* Tables that the weight g does not enter are not looked at, so one set of tables serves kinematic
 * and dynamic calls. */
int hg_kirchhoff_arguments(const hg_draft *draft, const DLTensor **args)
{
    const hgate_kirchhoff_params *params = &draft->problem.params.kirchhoff;
    bool is_dynamic = params->flags & HGATE_KIRCHHOFF_DYNAMIC;
    bool has_aperture = is_dynamic && !isinf(params->aperture[0]);
    if (params->flags & ~KNOWN_FLAGS) {
        return hg_error(HGATE_EINVAL, "flags: is %d, expected bits of %d", params->flags,
                        (int)KNOWN_FLAGS);
    }
    for (int i = HGATE_KIRCHHOFF_AMP_SRC; i <= HGATE_KIRCHHOFF_TAP; i++) {
        bool is_lateral = i == HGATE_KIRCHHOFF_SIX || i == HGATE_KIRCHHOFF_RIX;
        if (!is_dynamic || (is_lateral && !has_aperture)) {
            args[i] = NULL;
        } else if (i != HGATE_KIRCHHOFF_TAP) {
            int status = need(args, i, is_lateral ? "an offset aperture" : "dynamic");
            if (status != HGATE_OK) {
                return status;
            }
        }
    }
    return HGATE_OK;
}

/* ---- sizes ---- */

static const char *layouts_of(const hgate_kirchhoff_params *params)
{
    if (params->flags & HGATE_KIRCHHOFF_STATION_MAJOR) {
        return params->ny ? "station 3d" : "station 2d";
    }
    return params->ny ? "point 3d" : "point 2d";
}

int hg_kirchhoff_sizes(hg_draft *draft)
{
    const hgate_kirchhoff_params *params = &draft->problem.params.kirchhoff;
    int64_t *dims = draft->problem.dims;
    draft->layouts = layouts_of(params);
    if (draft->planned) {
        return HGATE_OK;
    }
    dims[HGATE_DIM_KIRCHHOFF_NT] = params->nt;
    dims[HGATE_DIM_KIRCHHOFF_NY] = params->ny;
    dims[HGATE_DIM_KIRCHHOFF_NZ] = params->nz;
    if (!draft->problem.args[HGATE_KIRCHHOFF_WAV]) {
        dims[HGATE_DIM_KIRCHHOFF_NWAV] = 0;
    }
    if (params->nx) {
        int64_t plane;
        dims[HGATE_DIM_KIRCHHOFF_NX] = params->nx;
        if (!hg_int64_mul(params->nx, params->nz, &plane) ||
            !hg_int64_mul(plane, params->ny ? params->ny : 1, &dims[HGATE_DIM_KIRCHHOFF_NI])) {
            return hg_error(HGATE_ESHAPE, "nx: %lld columns make more than 2^63-1 image points",
                            (long long)params->nx);
        }
    }
    return HGATE_OK;
}

/* ---- relations ---- */

/* nx from the tables where the caller did not give it. */
static int divide_grid(hg_problem *problem)
{
    int64_t *dims = problem->dims, ni = dims[HGATE_DIM_KIRCHHOFF_NI];
    const hgate_kirchhoff_params *params = &problem->params.kirchhoff;
    int64_t column;
    if (dims[HGATE_DIM_KIRCHHOFF_NX] >= 0) {
        return HGATE_OK;
    }
    if (!hg_int64_mul(params->nz, params->ny ? params->ny : 1, &column) || ni % column) {
        return hg_error(HGATE_ESHAPE,
                        "nz: %lld%s does not divide the %lld image points of trav_src",
                        (long long)params->nz, params->ny ? " times ny" : "", (long long)ni);
    }
    dims[HGATE_DIM_KIRCHHOFF_NX] = ni / column;
    return HGATE_OK;
}

static int check_pair_count(const int64_t *dims)
{
    int64_t pairs, samples;
    if (hg_int64_mul(dims[HGATE_DIM_KIRCHHOFF_NS], dims[HGATE_DIM_KIRCHHOFF_NR], &pairs) &&
        hg_int64_mul(pairs, dims[HGATE_DIM_KIRCHHOFF_NT], &samples) &&
        hg_int64_mul(pairs, dims[HGATE_DIM_KIRCHHOFF_NI], &pairs)) {
        return HGATE_OK;
    }
    return hg_error(
        HGATE_ESHAPE, "trav_rec: %lld sources and %lld receivers make more than 2^63-1 pairs",
        (long long)dims[HGATE_DIM_KIRCHHOFF_NS], (long long)dims[HGATE_DIM_KIRCHHOFF_NR]);
}

static int check_wavelet(const DLTensor *wav, int64_t wavc)
{
    if (wav && wavc >= wav->shape[0]) {
        return hg_error(HGATE_EVALUE, "wavc: is %lld, expected an index of wav (%lld)",
                        (long long)wavc, (long long)wav->shape[0]);
    }
    return HGATE_OK;
}

static int check_taper(const DLTensor *tap)
{
    if (tap && tap->shape[0] < 2) {
        return hg_error(HGATE_ESHAPE, "tap: shape is (%lld), expected 2 numbers or more",
                        (long long)tap->shape[0]);
    }
    return HGATE_OK;
}

static void put_stand_ins(hg_problem *problem)
{
    const int64_t *dims = problem->dims;
    if (!problem->args[HGATE_KIRCHHOFF_MODEL]) {
        hg_arguments_put_shape(problem, HGATE_KIRCHHOFF_MODEL, problem->p.dtype, 1,
                               &dims[HGATE_DIM_KIRCHHOFF_NI]);
    }
    if (!problem->args[HGATE_KIRCHHOFF_DATA]) {
        const int64_t shape[] = {dims[HGATE_DIM_KIRCHHOFF_NS], dims[HGATE_DIM_KIRCHHOFF_NR],
                                 dims[HGATE_DIM_KIRCHHOFF_NT]};
        hg_arguments_put_shape(problem, HGATE_KIRCHHOFF_DATA, problem->p.dtype, 3, shape);
    }
}

int hg_kirchhoff_relations(hg_draft *draft)
{
    hg_problem *problem = &draft->problem;
    int status = divide_grid(problem);
    if (status == HGATE_OK) {
        status = check_pair_count(problem->dims);
    }
    if (status == HGATE_OK) {
        status = check_wavelet(problem->args[HGATE_KIRCHHOFF_WAV], problem->params.kirchhoff.wavc);
    }
    if (status == HGATE_OK) {
        status = check_taper(problem->args[HGATE_KIRCHHOFF_TAP]);
    }
    if (status == HGATE_OK) {
        put_stand_ins(problem);
    }
    return status;
}

/* ---- set-up operations ---- */

/* Those without a grid have no nx, ny, nz. */
int hg_kirchhoff_setup_sizes(hg_draft *draft)
{
    const hgate_kirchhoff_grid *grid = &draft->problem.params.setup.grid;
    int64_t *dims = draft->problem.dims, plane;
    bool has_grid = draft->given.op != HGATE_OP_KIRCHHOFF_SPREADING;
    draft->layouts = grid->ny ? "3d" : "2d";
    dims[HGATE_DIM_KIRCHHOFF_GRID_NX] = grid->nx;
    dims[HGATE_DIM_KIRCHHOFF_GRID_NZ] = grid->nz;
    dims[HGATE_DIM_KIRCHHOFF_GRID_NY] = grid->ny;
    if (has_grid && grid->ny && !(isfinite(grid->dy) && grid->dy != 0)) {
        return hg_error(HGATE_EVALUE, "dy: is %g, expected a finite number, not 0", grid->dy);
    }
    if (has_grid &&
        (!hg_int64_mul(grid->nx, grid->nz, &plane) ||
         !hg_int64_mul(plane, grid->ny ? grid->ny : 1, &dims[HGATE_DIM_KIRCHHOFF_GRID_NI]))) {
        return hg_error(HGATE_ESHAPE, "nx: %lld columns make more than 2^63-1 grid points",
                        (long long)grid->nx);
    }
    return HGATE_OK;
}

static int refuse_out(const DLTensor *out, const DLTensor *in)
{
    char found[192], expected[192];
    hg_text out_shape = hg_text_over(found, sizeof found);
    hg_text in_shape = hg_text_over(expected, sizeof expected);
    hg_shape_describe(&out_shape, out->ndim, out->shape);
    hg_shape_describe(&in_shape, in->ndim, in->shape);
    return hg_error(HGATE_ESHAPE, "out: shape is %s, expected %s", out_shape.data, in_shape.data);
}

int hg_kirchhoff_convolve_relations(hg_draft *draft)
{
    const hg_problem *problem = &draft->problem;
    const DLTensor *in = problem->args[HGATE_KIRCHHOFF_CONVOLVE_IN];
    const DLTensor *out = problem->args[HGATE_KIRCHHOFF_CONVOLVE_OUT];
    for (int i = 0; i < in->ndim; i++) {
        if (in->ndim != out->ndim || in->shape[i] != out->shape[i]) {
            return refuse_out(out, in);
        }
    }
    return check_wavelet(problem->args[HGATE_KIRCHHOFF_CONVOLVE_WAV], problem->params.setup.wavc);
}
