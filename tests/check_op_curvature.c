/* SPDX-License-Identifier: BSD-3-Clause */
/* Bad and odd input of the curvature family through the public calls. */
#include "tests/refusals.h"
#include "tests/tensors.h"

#include <float.h>
#include <math.h>

enum { NY = 3, NX = 4, N = 5, S = 3, NNZ = 6, K = 4 };

static hgate_engine *engine;
static hgate_curvature_params params;
static const hgate_curvature_params *given;

static double w[2 * NY * 2 * NX];
static int32_t iy[N], ix[N], rows[NNZ];
static int64_t long_rows[NNZ], indptr[S + 1];
static double vals[NNZ + S * S], F[S * S];
static double uv[2 * K], sigma[2 * K], vis[2 * K], y[N], x[N], d[N], D[S];
static DLTensor tw, tiy, tix, tindptr, trows, tvals, tF, tuv, tsigma, tvis, ty, tx, td, tD;

static double *w_at(int64_t dy, int64_t dx)
{
    return &w[(dy + 2 * NY) % (2 * NY) * 2 * NX + (dx + 2 * NX) % (2 * NX)];
}

static void fill_arrays(void)
{
    static const int32_t a[N] = {0, 2, 1, 2, 0}, b[N] = {1, 3, 0, 2, 3};
    static const int32_t r[NNZ] = {4, 0, 2, 3, 1, 1};
    static const int64_t starts[S + 1] = {0, 2, 2, NNZ};
    memcpy(iy, a, sizeof iy);
    memcpy(ix, b, sizeof ix);
    memcpy(rows, r, sizeof rows);
    memcpy(indptr, starts, sizeof indptr);
    for (int t = 0; t < NNZ; t++) {
        long_rows[t] = rows[t];
        vals[t] = 0.5 + t;
    }
    for (int dy = 1 - NY; dy < NY; dy++) {
        for (int dx = 1 - NX; dx < NX; dx++) {
            *w_at(dy, dx) = 3 - 0.1 * abs(4 * dy + dx);
        }
    }
    for (int k = 0; k < 2 * K; k++) {
        uv[k] = 100 * k - 250;
        sigma[k] = 1 + k / 2;
        vis[k] = 0.25 * k - 1;
    }
    for (int p = 0; p < N; p++) {
        y[p] = 1e-6 * p;
        x[p] = -2e-6 * p;
    }
}

static void setup(void)
{
    ck_accepted(hgate_open(NULL, &engine));
    ck_accepted(hgate_curvature_params_init(&params));
    params.pix = 1e-6;
    given = &params;
    fill_arrays();
    poison(F, sizeof F);
    poison(d, sizeof d);
    poison(D, sizeof D);
    static const int64_t lengths[14][2] = {
        {2 * NY, 2 * NX}, {N}, {N}, {S + 1}, {NNZ}, {NNZ}, {S, S},
        {K, 2},           {K}, {K}, {N},     {N},   {N},   {S}};
    static int64_t shapes[14][2];
    memcpy(shapes, lengths, sizeof shapes);
    tw = tensor_of(w, F64, 2, shapes[0]);
    tiy = tensor_of(iy, I32, 1, shapes[1]);
    tix = tensor_of(ix, I32, 1, shapes[2]);
    tindptr = tensor_of(indptr, I64, 1, shapes[3]);
    trows = tensor_of(rows, I32, 1, shapes[4]);
    tvals = tensor_of(vals, F64, 1, shapes[5]);
    tF = tensor_of(F, F64, 2, shapes[6]);
    tuv = tensor_of(uv, F64, 2, shapes[7]);
    tsigma = tensor_of(sigma, F64, 1, shapes[8]);
    tvis = tensor_of(vis, C128, 1, shapes[9]);
    ty = tensor_of(y, F64, 1, shapes[10]);
    tx = tensor_of(x, F64, 1, shapes[11]);
    td = tensor_of(d, F64, 1, shapes[12]);
    tD = tensor_of(D, F64, 1, shapes[13]);
}

static void teardown(void)
{
    hgate_close(engine);
}

/* ---- curvature ---- */

static int call(void)
{
    return hgate_curvature(engine, NULL, given, &tw, &tiy, &tix, &tindptr, &trows, &tvals, &tF);
}

SPOIL(no_pixels, tiy.shape[0] = tix.shape[0] = 0)
SPOIL(row_too_large, rows[3] = N)
SPOIL(row_negative, rows[0] = -1)
SPOIL(long_row_too_large, long_rows[5] = INT64_C(1) << 32; trows.data = long_rows;
      trows.dtype.bits = 64)
SPOIL(iy_too_large, iy[2] = NY)
SPOIL(iy_negative, iy[4] = -1)
SPOIL(ix_too_large, ix[0] = NX)
SPOIL(ix_negative, ix[1] = INT32_MIN)
SPOIL(indptr_start, indptr[0] = 1)
SPOIL(indptr_falls, indptr[1] = 5; indptr[2] = 4)
SPOIL(indptr_end, indptr[S] = NNZ - 1)
SPOIL(indptr_beyond, indptr[S] = NNZ + 1)
SPOIL(indptr_negative, indptr[1] = -2)
SPOIL(indptr_empty, tindptr.shape[0] = 0)
SPOIL(rows_short, trows.shape[0] = NNZ - 1)
SPOIL(w_odd_rows, tw.shape[0] = 2 * NY - 1)
SPOIL(w_odd_columns, tw.shape[1] = 2 * NX - 1)
SPOIL(w_no_rows, tw.shape[0] = 0)
SPOIL(w_flat, tw.ndim = 1)
SPOIL(w_nan, *w_at(1, -2) = NAN)
SPOIL(w_inf, *w_at(-2, 1) = INFINITY)
SPOIL(w_nan_first, *w_at(0, 0) = NAN)
SPOIL(w_nan_general, *w_at(-1, 0) = NAN; params.w_general = 1)
SPOIL(w_uneven, *w_at(1, 2) += 1e-9)
SPOIL(w_uneven_top, *w_at(0, -1) -= 1e-8)
SPOIL(overlap_vals, tF.data = vals + NNZ - 1)
SPOIL(overlap_w, tF.data = w + 3)
SPOIL(F_shape, tF.shape[1] = S - 1)
SPOIL(F_single, tF.dtype.bits = 32)
SPOIL(vals_single, tvals.dtype.bits = 32)
SPOIL(w_complex, tw.dtype.code = HGATE_DL_COMPLEX)
SPOIL(iy_float, tiy.dtype.code = HGATE_DL_FLOAT)
SPOIL(iy_short, tiy.dtype.bits = 16)
SPOIL(indptr_int32, tindptr.dtype.bits = 32)
SPOIL(w_transposed, static int64_t strides[] = {1, 2 * NY}; tw.strides = strides)
SPOIL(vals_every_second, static int64_t strides[] = {2}; tvals.strides = strides)
SPOIL(w_misaligned, tw.byte_offset = 4)
SPOIL(ix_on_device, tix.device.device_type = (DLDeviceType)HGATE_DL_CUDA)
SPOIL(w_null, tw.data = NULL)
SPOIL(F_null, tF.data = NULL)
SPOIL(F_shape_null, tF.shape = NULL)
SPOIL(bad_size, params.struct_size = 8)
SPOIL(bad_check, params.check = 3)
SPOIL(bad_general, params.w_general = 2)

static const refusal refusals[] = {
    {no_pixels, HGATE_EVALUE, "rows"},
    {row_too_large, HGATE_EVALUE, "rows"},
    {row_negative, HGATE_EVALUE, "rows"},
    {long_row_too_large, HGATE_EVALUE, "rows"},
    {iy_too_large, HGATE_EVALUE, "iy"},
    {iy_negative, HGATE_EVALUE, "iy"},
    {ix_too_large, HGATE_EVALUE, "ix"},
    {ix_negative, HGATE_EVALUE, "ix"},
    {indptr_start, HGATE_EVALUE, "indptr"},
    {indptr_falls, HGATE_EVALUE, "indptr"},
    {indptr_end, HGATE_EVALUE, "indptr"},
    {indptr_beyond, HGATE_EVALUE, "indptr"},
    {indptr_negative, HGATE_EVALUE, "indptr"},
    {indptr_empty, HGATE_ESHAPE, "indptr"},
    {rows_short, HGATE_ESHAPE, "vals"},
    {w_odd_rows, HGATE_ESHAPE, "w"},
    {w_odd_columns, HGATE_ESHAPE, "w"},
    {w_no_rows, HGATE_ESHAPE, "w"},
    {w_flat, HGATE_ESHAPE, "w"},
    {w_nan, HGATE_EVALUE, "w"},
    {w_inf, HGATE_EVALUE, "w"},
    {w_nan_first, HGATE_EVALUE, "w"},
    {w_nan_general, HGATE_EVALUE, "w"},
    {w_uneven, HGATE_EVALUE, "w"},
    {w_uneven_top, HGATE_EVALUE, "w"},
    {overlap_vals, HGATE_EOVERLAP, "F"},
    {overlap_w, HGATE_EOVERLAP, "F"},
    {F_shape, HGATE_ESHAPE, "F"},
    {F_single, HGATE_EDTYPE, "F"},
    {vals_single, HGATE_EDTYPE, "vals"},
    {w_complex, HGATE_EDTYPE, "w"},
    {iy_float, HGATE_EDTYPE, "iy"},
    {iy_short, HGATE_EDTYPE, "iy"},
    {indptr_int32, HGATE_EDTYPE, "indptr"},
    {w_transposed, HGATE_ESTRIDE, "w"},
    {vals_every_second, HGATE_ESTRIDE, "vals"},
    {w_misaligned, HGATE_ESTRIDE, "w"},
    {ix_on_device, HGATE_EDEVICE, "ix"},
    {w_null, HGATE_EINVAL, "w"},
    {F_null, HGATE_EINVAL, "F"},
    {F_shape_null, HGATE_EINVAL, "F"},
    {bad_size, HGATE_EABI, "params"},
    {bad_check, HGATE_EINVAL, "check"},
    {bad_general, HGATE_EINVAL, "w_general"},
};

START_TEST(refused)
{
    double old_w[2 * NY * 2 * NX], old_vals[NNZ + S * S];
    refusals[_i].spoil();
    memcpy(old_w, w, sizeof w);
    memcpy(old_vals, vals, sizeof vals);
    ck_refused(call(), &refusals[_i]);
    ck_untouched(F, sizeof F);
    ck_assert_mem_eq(w, old_w, sizeof w);
    ck_assert_mem_eq(vals, old_vals, sizeof vals);
}
END_TEST

SPOIL(nothing, (void)0)
SPOIL(defaults, given = NULL)
SPOIL(no_columns, tindptr.shape[0] = 1; tF.shape[0] = tF.shape[1] = 0; trows.shape[0] = 0;
      tvals.shape[0] = 0; tF.data = NULL)
SPOIL(no_entries, memset(indptr, 0, sizeof indptr); trows.shape[0] = tvals.shape[0] = 0)
SPOIL(empty_mask, memset(indptr, 0, sizeof indptr); trows.shape[0] = tvals.shape[0] = 0;
      tiy.shape[0] = tix.shape[0] = 0)
SPOIL(unused_w, for (int i = 0; i < 2 * NX; i++) w[NY * 2 * NX + i] = NAN;
      for (int i = 0; i < 2 * NY; i++) w[i * 2 * NX + NX] = INFINITY)
SPOIL(uneven_but_general, *w_at(1, 2) += 0.5; params.w_general = 1)
SPOIL(nearly_even, *w_at(1, 2) += 1e-10)
SPOIL(vals_not_finite, vals[1] = NAN; vals[4] = -INFINITY)
SPOIL(long_rows_too, trows.data = long_rows; trows.dtype.bits = 64)
SPOIL(free_strides, static int64_t strides[] = {1}; tvals.strides = strides)

static void (*const good[])(void) = {
    nothing,         defaults,      no_columns,         no_entries,
    empty_mask,      unused_w,      uneven_but_general, nearly_even,
    vals_not_finite, long_rows_too, free_strides};

START_TEST(accepted)
{
    good[_i]();
    ck_accepted(call());
}
END_TEST

/* Without checks of values only shapes are refused; what the kernels then meet they must survive.
 */
START_TEST(level_none)
{
    hgate_trace *trace = NULL;
    params.check = HGATE_CHECK_NONE;
    iy_too_large();
    ck_accepted(hgate_curvature_explain(engine, NULL, given, &tw, &tiy, &tix, &tindptr, &trows,
                                        &tvals, &tF, &trace));
    hgate_trace_free(trace);
    tF.shape[1] = S - 1;
    ck_refused(call(), &(refusal){NULL, HGATE_ESHAPE, "F"});
}
END_TEST

/* Indices that nobody checked point anywhere; the call ends, and touches nothing outside arrays
 * (which the address sanitizer sees). */
START_TEST(unchecked_indices)
{
    static void (*const wild[])(void) = {row_too_large, row_negative,  long_row_too_large,
                                         iy_too_large,  iy_negative,   ix_too_large,
                                         ix_negative,   indptr_start,  indptr_falls,
                                         indptr_end,    indptr_beyond, indptr_negative};
    for (size_t i = 0; i < sizeof wild / sizeof *wild; i++) {
        teardown();
        setup();
        params.check = HGATE_CHECK_NONE;
        wild[i]();
        ck_assert_int_le(call(), HGATE_OK);
        ck_assert_int_le(
            hgate_curvature_data_vector(engine, NULL, given, &ty, &tindptr, &trows, &tvals, &tD),
            HGATE_OK);
    }
}
END_TEST

/* Sizes that no int64 holds, without data. */
START_TEST(overflow)
{
    hgate_trace *trace = NULL;
    tw.data = tiy.data = tix.data = tindptr.data = trows.data = tvals.data = tF.data = NULL;
    tindptr.shape[0] = INT64_C(1) << 33;
    tF.shape[0] = tF.shape[1] = (INT64_C(1) << 33) - 1;
    int status = hgate_curvature_explain(engine, NULL, given, &tw, &tiy, &tix, &tindptr, &trows,
                                         &tvals, &tF, &trace);
    ck_refused(status, &(refusal){NULL, HGATE_ESHAPE, "F"});
    tindptr.shape[0] = (INT64_C(1) << 25) + 1; /* S^2 bytes fit, S nnz does not */
    tF.shape[0] = tF.shape[1] = INT64_C(1) << 25;
    trows.shape[0] = tvals.shape[0] = INT64_C(1) << 39;
    status = hgate_curvature_explain(engine, NULL, given, &tw, &tiy, &tix, &tindptr, &trows, &tvals,
                                     &tF, &trace);
    ck_refused(status, &(refusal){NULL, HGATE_ESHAPE, "vals"});
    ck_assert_ptr_null(trace);
}
END_TEST

START_TEST(plan_and_run)
{
    hgate_plan *plan = NULL;
    *w_at(1, 2) += 1e-3;
    ck_refused(hgate_curvature_plan(engine, NULL, given, &tw, &tiy, &tix, &plan),
               &(refusal){NULL, HGATE_EVALUE, "w"});
    ck_assert_ptr_null(plan);
    *w_at(1, 2) -= 1e-3;
    ck_accepted(hgate_curvature_plan(engine, NULL, given, &tw, &tiy, &tix, &plan));
    rows[2] = 77;
    ck_refused(hgate_curvature_run(plan, NULL, &tindptr, &trows, &tvals, &tF),
               &(refusal){NULL, HGATE_EVALUE, "rows"});
    ck_untouched(F, sizeof F);
    rows[2] = 2;
    tvals.dtype.bits = 32;
    ck_refused(hgate_curvature_run(plan, NULL, &tindptr, &trows, &tvals, &tF),
               &(refusal){NULL, HGATE_EDTYPE, "vals"});
    tvals.dtype.bits = 64;
    tF.data = w;
    ck_refused(hgate_curvature_run(plan, NULL, &tindptr, &trows, &tvals, &tF),
               &(refusal){NULL, HGATE_EOVERLAP, "F"});
    tF.data = F;
    ck_refused(hgate_curvature_data_vector_run(plan, NULL, &td, &tindptr, &trows, &tvals, &tD),
               &(refusal){NULL, HGATE_EINVAL, "plan"});
    ck_accepted(hgate_curvature_run(plan, NULL, &tindptr, &trows, &tvals, &tF));
    hgate_plan_free(plan);
    ck_refused(hgate_curvature_run(NULL, NULL, &tindptr, &trows, &tvals, &tF),
               &(refusal){NULL, HGATE_EINVAL, "plan"});
    ck_refused(hgate_curvature_plan(engine, NULL, given, &tw, &tiy, &tix, NULL),
               &(refusal){NULL, HGATE_EINVAL, "plan"});
}
END_TEST

/* ---- w from baselines, dirty image, data vector ---- */

static int call_kernel(void)
{
    return hgate_curvature_kernel(engine, NULL, given, &tuv, &tsigma, &tw);
}

static int call_dirty(void)
{
    return hgate_curvature_dirty(engine, NULL, given, &tuv, &tsigma, &tvis, &ty, &tx, &td);
}

static int call_data_vector(void)
{
    return hgate_curvature_data_vector(engine, NULL, given, &ty, &tindptr, &trows, &tvals, &tD);
}

SPOIL(no_scale, params.pix = 0)
SPOIL(scale_negative, params.pix = -1)
SPOIL(scale_nan, params.pix = NAN)
SPOIL(scale_inf, params.pix = INFINITY)
SPOIL(u_nan, uv[2] = NAN)
SPOIL(v_inf, uv[5] = -INFINITY)
SPOIL(sigma_zero, sigma[1] = 0)
SPOIL(sigma_negative, sigma[3] = -0.5)
SPOIL(sigma_nan, sigma[0] = NAN)
SPOIL(sigma_columns, static int64_t shape[] = {K, 2}; tsigma.shape = shape; tsigma.ndim = 2;
      sigma[5] = nextafter(sigma[4], 9))
SPOIL(sigma_length, tsigma.shape[0] = K - 1)
SPOIL(uv_single, tuv.dtype.bits = 32)
SPOIL(uv_three, tuv.shape[1] = 3)
SPOIL(vis_nan, vis[3] = NAN)
SPOIL(vis_single, tvis.dtype.bits = 64)
SPOIL(y_inf, y[2] = INFINITY)
SPOIL(x_length, tx.shape[0] = N - 1)
SPOIL(d_overlaps_x, td.data = x)
SPOIL(D_length, tD.shape[0] = S + 1)
SPOIL(d_length, ty.shape[0] = 4) /* row 4 is then outside */

static const struct {
    int (*call)(void);
    refusal row;
} more_refusals[] = {
    {call_kernel, {no_scale, HGATE_EVALUE, "pix"}},
    {call_kernel, {scale_negative, HGATE_EVALUE, "pix"}},
    {call_kernel, {scale_nan, HGATE_EVALUE, "pix"}},
    {call_kernel, {scale_inf, HGATE_EVALUE, "pix"}},
    {call_kernel, {u_nan, HGATE_EVALUE, "uv"}},
    {call_kernel, {v_inf, HGATE_EVALUE, "uv"}},
    {call_kernel, {sigma_zero, HGATE_EVALUE, "sigma"}},
    {call_kernel, {sigma_negative, HGATE_EVALUE, "sigma"}},
    {call_kernel, {sigma_nan, HGATE_EVALUE, "sigma"}},
    {call_kernel, {sigma_columns, HGATE_EVALUE, "sigma"}},
    {call_kernel, {sigma_length, HGATE_ESHAPE, "sigma"}},
    {call_kernel, {uv_single, HGATE_EDTYPE, "uv"}},
    {call_kernel, {uv_three, HGATE_ESHAPE, "uv"}},
    {call_kernel, {w_odd_rows, HGATE_ESHAPE, "w"}},
    {call_kernel, {w_no_rows, HGATE_ESHAPE, "w"}},
    {call_kernel, {defaults, HGATE_EVALUE, "pix"}},
    {call_dirty, {vis_nan, HGATE_EVALUE, "vis"}},
    {call_dirty, {vis_single, HGATE_EDTYPE, "vis"}},
    {call_dirty, {sigma_zero, HGATE_EVALUE, "sigma"}},
    {call_dirty, {sigma_columns, HGATE_ESHAPE, "sigma"}},
    {call_dirty, {y_inf, HGATE_EVALUE, "y"}},
    {call_dirty, {x_length, HGATE_ESHAPE, "x"}},
    {call_dirty, {d_overlaps_x, HGATE_EOVERLAP, "d"}},
    {call_data_vector, {row_too_large, HGATE_EVALUE, "rows"}},
    {call_data_vector, {indptr_falls, HGATE_EVALUE, "indptr"}},
    {call_data_vector, {vals_single, HGATE_EDTYPE, "vals"}},
    {call_data_vector, {D_length, HGATE_ESHAPE, "D"}},
    {call_data_vector, {d_length, HGATE_EVALUE, "rows"}},
};

START_TEST(more_refused)
{
    double old_w[2 * NY * 2 * NX], old_x[N];
    more_refusals[_i].row.spoil();
    memcpy(old_w, w, sizeof w);
    memcpy(old_x, x, sizeof x);
    ck_refused(more_refusals[_i].call(), &more_refusals[_i].row);
    ck_untouched(d, sizeof d);
    ck_untouched(D, sizeof D);
    ck_assert_mem_eq(w, old_w, sizeof w);
    ck_assert_mem_eq(x, old_x, sizeof x);
}
END_TEST

SPOIL(flagged, sigma[2] = INFINITY)
SPOIL(no_visibilities, tuv.shape[0] = tsigma.shape[0] = tvis.shape[0] = 0; tuv.data = NULL)
SPOIL(equal_columns, static int64_t shape[] = {K, 2}; tsigma.shape = shape; tsigma.ndim = 2)

START_TEST(more_accepted)
{
    static const struct {
        int (*call)(void);
        void (*change)(void);
    } cases[] = {{call_kernel, nothing},
                 {call_kernel, flagged},
                 {call_kernel, no_visibilities},
                 {call_kernel, equal_columns},
                 {call_dirty, nothing},
                 {call_dirty, no_visibilities},
                 {call_dirty, defaults},
                 {call_data_vector, nothing},
                 {call_data_vector, vals_not_finite},
                 {call_data_vector, no_entries}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        teardown();
        setup();
        cases[i].change();
        ck_accepted(cases[i].call());
    }
}
END_TEST

/* ---- work fraction ---- */

START_TEST(work_fraction)
{
    /* widths by hand: rows 0, 1, 2 span 3, 1, 2 cells; column 0 starts in row 0, column 2 in row 1
     */
    double f = -1;
    ck_accepted(hgate_curvature_work_fraction(&tiy, &tix, NY, NX, &tindptr, &trows, &f));
    ck_assert_double_eq(f, (2 * 6 + 4 * 3) / (double)(NNZ * NY * NX));
    no_entries();
    ck_accepted(hgate_curvature_work_fraction(&tiy, &tix, NY, NX, &tindptr, &trows, &f));
    ck_assert_double_eq(f, 0);
}
END_TEST

/* A square mask with a column for each pixel: (n+1) / 2n. */
START_TEST(work_fraction_of_a_square)
{
    enum { SIDE = 7 };
    int32_t a[SIDE * SIDE], b[SIDE * SIDE], r[SIDE * SIDE];
    int64_t starts[SIDE * SIDE + 1];
    for (int p = 0; p < SIDE * SIDE; p++) {
        a[p] = p / SIDE;
        b[p] = p % SIDE;
        starts[p] = r[p] = p;
    }
    starts[SIDE * SIDE] = SIDE * SIDE;
    DLTensor ta = TENSOR(a, I32, SIDE * SIDE), tb = TENSOR(b, I32, SIDE * SIDE);
    DLTensor ts = TENSOR(starts, I64, SIDE * SIDE + 1), tr = TENSOR(r, I32, SIDE * SIDE);
    double f;
    ck_accepted(hgate_curvature_work_fraction(&ta, &tb, SIDE, SIDE, &ts, &tr, &f));
    ck_assert_double_eq_tol(f, 8.0 / 14, 1e-15);
}
END_TEST

START_TEST(work_fraction_refused)
{
    double f = 7;
    const struct {
        void (*spoil)(void);
        int64_t ny, nx;
        refusal row;
    } cases[] = {
        {nothing, 0, NX, {NULL, HGATE_EVALUE, "ny"}},
        {nothing, NY, -1, {NULL, HGATE_EVALUE, "nx"}},
        {nothing, INT64_MAX, NX, {NULL, HGATE_ESHAPE, "ny"}},
        {nothing, NY - 1, NX, {NULL, HGATE_EVALUE, "iy"}},
        {row_negative, NY, NX, {NULL, HGATE_EVALUE, "rows"}},
        {indptr_empty, NY, NX, {NULL, HGATE_ESHAPE, "indptr"}},
        {ix_on_device, NY, NX, {NULL, HGATE_EDEVICE, "ix"}},
        {iy_float, NY, NX, {NULL, HGATE_EDTYPE, "iy"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        teardown();
        setup();
        cases[i].spoil();
        ck_refused(hgate_curvature_work_fraction(&tiy, &tix, cases[i].ny, cases[i].nx, &tindptr,
                                                 &trows, &f),
                   &cases[i].row);
    }
    ck_refused(hgate_curvature_work_fraction(NULL, &tix, NY, NX, &tindptr, &trows, &f),
               &(refusal){NULL, HGATE_EINVAL, "iy"});
    ck_refused(hgate_curvature_work_fraction(&tiy, &tix, NY, NX, &tindptr, &trows, NULL),
               &(refusal){NULL, HGATE_EINVAL, "f"});
    ck_assert_double_eq(f, 7);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("op_curvature");
    TCase *tests = tcase_create("op_curvature");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, refused, 0, sizeof refusals / sizeof *refusals);
    tcase_add_loop_test(tests, accepted, 0, sizeof good / sizeof *good);
    tcase_add_test(tests, level_none);
    tcase_add_test(tests, unchecked_indices);
    tcase_add_test(tests, overflow);
    tcase_add_test(tests, plan_and_run);
    tcase_add_loop_test(tests, more_refused, 0, sizeof more_refusals / sizeof *more_refusals);
    tcase_add_test(tests, more_accepted);
    tcase_add_test(tests, work_fraction);
    tcase_add_test(tests, work_fraction_of_a_square);
    tcase_add_test(tests, work_fraction_refused);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
