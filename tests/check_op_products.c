/* SPDX-License-Identifier: BSD-3-Clause */
/* Bad and odd input of Z and of the products: visibility_z, _gram, _product, _pairs; chunk
 * planning. */
#include "tests/refusals.h"
#include "tests/tensors.h"

#include <complex.h>
#include <math.h>

enum { NANT = 3, NFEED = 2, NAX = 2, NSRC = 5, NBEAM = 2, NPAIRS = 4 };
enum { M = NANT * NFEED, K = NAX * NSRC, N = 4 };

static hgate_engine *engine;
static hgate_visibility_params params;
static const hgate_visibility_params *given;

static float complex beam[NBEAM * NFEED * NAX * NSRC], exptau[NANT * NSRC], Z[(M + 2) * K],
    B[N * K];
/* outputs have room for shapes that claim more: those must not overlap */
static float complex V[M * M], C[M * N], Vpairs[NPAIRS * NFEED * (NFEED + 1)], Zout[(M + 1) * K];
static float flux[NSRC];
static int64_t beam_idx[NANT];
static int32_t pairs[2 * NPAIRS];
static DLTensor tbeam, texptau, tflux, tbeam_idx, tZ, tZout, tB, tV, tC, tpairs, tVpairs;
static const DLTensor *opt_idx;

static void fill(float complex *x, int n, float turn)
{
    for (int i = 0; i < n; i++) {
        x[i] = cexpf(turn * I * (float)i) + 0.01f * (float)i;
    }
}

static void setup(void)
{
    static const int64_t beams[NANT] = {1, 0, 1};
    static const int32_t list[2 * NPAIRS] = {0, 1, 2, 2, 2, 0, 0, 1};
    static const int64_t lengths[11][4] = {{NBEAM, NFEED, NAX, NSRC},
                                           {NANT, NSRC},
                                           {NSRC},
                                           {NANT},
                                           {M, K},
                                           {M, K},
                                           {N, K},
                                           {M, M},
                                           {M, N},
                                           {NPAIRS, 2},
                                           {NPAIRS, NFEED, NFEED}};
    static int64_t shapes[11][4];
    ck_accepted(hgate_open(NULL, &engine));
    ck_accepted(hgate_visibility_params_init(&params));
    given = &params;
    memcpy(shapes, lengths, sizeof shapes);
    memcpy(beam_idx, beams, sizeof beams);
    memcpy(pairs, list, sizeof list);
    fill(beam, NBEAM * NFEED * NAX * NSRC, 0.1f);
    fill(exptau, NANT * NSRC, 0.7f);
    fill(Z, (M + 2) * K, 0.3f);
    fill(B, N * K, 0.2f);
    for (int s = 0; s < NSRC; s++) {
        flux[s] = 1 + 0.5f * (float)s;
    }
    poison(V, sizeof V);
    poison(C, sizeof C);
    poison(Vpairs, sizeof Vpairs);
    poison(Zout, sizeof Zout);
    tbeam = tensor_of(beam, C64, 4, shapes[0]);
    texptau = tensor_of(exptau, C64, 2, shapes[1]);
    tflux = tensor_of(flux, F32, 1, shapes[2]);
    tbeam_idx = tensor_of(beam_idx, I64, 1, shapes[3]);
    tZ = tensor_of(Z, C64, 2, shapes[4]);
    tZout = tensor_of(Zout, C64, 2, shapes[5]);
    tB = tensor_of(B, C64, 2, shapes[6]);
    tV = tensor_of(V, C64, 2, shapes[7]);
    tC = tensor_of(C, C64, 2, shapes[8]);
    tpairs = tensor_of(pairs, I32, 2, shapes[9]);
    tVpairs = tensor_of(Vpairs, C64, 3, shapes[10]);
    opt_idx = &tbeam_idx;
}

static void teardown(void)
{
    hgate_close(engine);
}

static int z(void)
{
    return hgate_visibility_z(engine, NULL, given, &tbeam, &texptau, &tflux, opt_idx, &tZout);
}

static int gram(void)
{
    return hgate_visibility_gram(engine, NULL, given, &tZ, &tV);
}

static int product(void)
{
    return hgate_visibility_product(engine, NULL, given, &tZ, &tB, &tC);
}

static int dots(void)
{
    return hgate_visibility_pairs(engine, NULL, given, &tZ, &tpairs, &tVpairs);
}

SPOIL(flux_negative, flux[3] = -0.5f)
SPOIL(flux_nan, flux[1] = NAN)
SPOIL(amplitude_inf, params.flux_is_amp = 1; flux[1] = -INFINITY)
SPOIL(idx_high, beam_idx[0] = NBEAM)
SPOIL(idx_negative, beam_idx[2] = -1)
SPOIL(idx_missing, opt_idx = NULL)
SPOIL(flux_double, tflux.dtype.bits = 64)
SPOIL(beam_real, tbeam.dtype = (DLDataType){HGATE_DL_FLOAT, 32, 1})
SPOIL(exptau_short, texptau.shape[1] = NSRC - 1)
SPOIL(Z_rows, tZout.shape[0] = M + 1)
SPOIL(Z_columns, tZout.shape[1] = K - 1)
SPOIL(Z_over_beam, tZout.data = beam + 1)
SPOIL(no_feeds, tbeam.shape[1] = 0; tZout.shape[0] = 0)
SPOIL(V_rows, tV.shape[0] = M - 1)
SPOIL(V_double, tV.dtype.bits = 128)
SPOIL(V_over_Z, tV.data = Z + K - 1)
SPOIL(Z_strided, static int64_t strides[] = {1, M}; tZ.strides = strides)
SPOIL(Z_line, tZ.ndim = 1)
SPOIL(Z_missing, tZ.data = NULL)
SPOIL(convention_of_pairs, params.convention = HGATE_VISIBILITY_PAIRS_MATVIS)
SPOIL(matprod_dot, params.matprod = HGATE_MATPROD_DOT)
SPOIL(matprod_herk, params.matprod = HGATE_MATPROD_HERK)
SPOIL(matprod_split, params.matprod = HGATE_MATPROD_TF32X3)
SPOIL(B_columns, tB.shape[1] = K - 1)
SPOIL(C_transposed, tC.shape[0] = N; tC.shape[1] = M)
SPOIL(C_over_B, tC.data = B)
SPOIL(pair_high, pairs[3] = NANT)
SPOIL(pair_negative, pairs[0] = -1)
SPOIL(pairs_flat, tpairs.ndim = 1)
SPOIL(pairs_real, tpairs.dtype.code = HGATE_DL_FLOAT)
SPOIL(blocks_not_square, tVpairs.shape[2] = NFEED + 1)
SPOIL(blocks_count, tVpairs.shape[0] = NPAIRS - 1)
SPOIL(blocks_empty, tVpairs.shape[1] = tVpairs.shape[2] = 0)
SPOIL(rows_odd, tZ.shape[0] = M + 1)
SPOIL(nothing, (void)0)

static const struct {
    int (*call)(void);
    refusal row;
} refusals[] = {
    {z, {flux_negative, HGATE_EVALUE, "flux"}},
    {z, {flux_nan, HGATE_EVALUE, "flux"}},
    {z, {amplitude_inf, HGATE_EVALUE, "flux"}},
    {z, {idx_high, HGATE_EVALUE, "beam_idx"}},
    {z, {idx_negative, HGATE_EVALUE, "beam_idx"}},
    {z, {idx_missing, HGATE_ESHAPE, "beam_idx"}},
    {z, {flux_double, HGATE_EDTYPE, "flux"}},
    {z, {beam_real, HGATE_EDTYPE, "beam"}},
    {z, {exptau_short, HGATE_ESHAPE, "exptau"}},
    {z, {Z_rows, HGATE_ESHAPE, "Z"}},
    {z, {Z_columns, HGATE_ESHAPE, "Z"}},
    {z, {Z_over_beam, HGATE_EOVERLAP, "Z"}},
    {z, {no_feeds, HGATE_ESHAPE, "beam"}},
    {gram, {V_rows, HGATE_ESHAPE, "V"}},
    {gram, {V_double, HGATE_EDTYPE, "V"}},
    {gram, {V_over_Z, HGATE_EOVERLAP, "V"}},
    {gram, {Z_strided, HGATE_ESTRIDE, "Z"}},
    {gram, {Z_line, HGATE_ESHAPE, "Z"}},
    {gram, {Z_missing, HGATE_EINVAL, "Z"}},
    {gram, {convention_of_pairs, HGATE_EINVAL, "convention"}},
    {gram, {matprod_dot, HGATE_EINVAL, "matprod"}},
    {product, {matprod_herk, HGATE_EINVAL, "matprod"}},
    {product, {matprod_dot, HGATE_EINVAL, "matprod"}},
    {product, {matprod_split, HGATE_EINVAL, "matprod"}},
    {product, {B_columns, HGATE_ESHAPE, "B"}},
    {product, {C_transposed, HGATE_ESHAPE, "C"}},
    {product, {C_over_B, HGATE_EOVERLAP, "C"}},
    {dots, {pair_high, HGATE_EVALUE, "pairs"}},
    {dots, {pair_negative, HGATE_EVALUE, "pairs"}},
    {dots, {pairs_flat, HGATE_ESHAPE, "pairs"}},
    {dots, {pairs_real, HGATE_EDTYPE, "pairs"}},
    {dots, {blocks_not_square, HGATE_ESHAPE, "Vpairs"}},
    {dots, {blocks_count, HGATE_ESHAPE, "Vpairs"}},
    {dots, {blocks_empty, HGATE_ESHAPE, "Vpairs"}},
    {dots, {rows_odd, HGATE_ESHAPE, "Z"}},
};

START_TEST(refused)
{
    float complex old_Z[(M + 2) * K], old_B[N * K];
    memcpy(old_Z, Z, sizeof Z);
    memcpy(old_B, B, sizeof B);
    refusals[_i].row.spoil();
    ck_refused(refusals[_i].call(), &refusals[_i].row);
    ck_untouched(V, sizeof V);
    ck_untouched(C, sizeof C);
    ck_untouched(Vpairs, sizeof Vpairs);
    ck_untouched(Zout, sizeof Zout);
    ck_assert_mem_eq(Z, old_Z, sizeof Z);
    ck_assert_mem_eq(B, old_B, sizeof B);
}
END_TEST

SPOIL(no_columns, tZ.shape[1] = tB.shape[1] = 0; tZ.data = tB.data = NULL)
SPOIL(no_rows, tZ.shape[0] = tV.shape[0] = tV.shape[1] = 0; tV.data = NULL)
SPOIL(no_pairs, tpairs.shape[0] = tVpairs.shape[0] = 0; tVpairs.data = NULL)
SPOIL(no_sources, tbeam.shape[3] = texptau.shape[1] = tflux.shape[0] = tZout.shape[1] = 0)
SPOIL(negative_amplitude, params.flux_is_amp = 1; flux[1] = -2)
SPOIL(conj_form, params.convention = HGATE_VISIBILITY_CONJ)
SPOIL(matprod_gemm, params.matprod = HGATE_MATPROD_GEMM)
SPOIL(defaults, given = NULL)
SPOIL(Z_nan, Z[3] = NAN)

START_TEST(accepted)
{
    static const struct {
        int (*call)(void);
        void (*change)(void);
    } good[] = {{z, nothing},          {z, negative_amplitude}, {z, defaults},
                {z, no_sources},       {gram, nothing},         {gram, no_columns},
                {gram, no_rows},       {gram, conj_form},       {gram, defaults},
                {gram, Z_nan},         {gram, matprod_herk},    {product, nothing},
                {product, no_columns}, {product, matprod_gemm}, {product, convention_of_pairs},
                {dots, nothing},       {dots, no_pairs},        {dots, convention_of_pairs},
                {dots, matprod_dot},   {dots, no_columns}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        teardown();
        setup();
        good[i].change();
        ck_accepted(good[i].call());
    }
}
END_TEST

/* Indices that nobody checked; the address sanitizer sees what is touched. */
START_TEST(unchecked_indices)
{
    params.check = HGATE_CHECK_NONE;
    beam_idx[0] = INT64_MIN;
    beam_idx[1] = NBEAM;
    flux[0] = -1;
    ck_assert_int_le(z(), HGATE_OK);
    pairs[0] = -1;
    pairs[3] = INT32_MAX;
    ck_assert_int_le(dots(), HGATE_OK);
    params.matprod = HGATE_MATPROD_GEMM;
    ck_assert_int_le(dots(), HGATE_OK);
}
END_TEST

/* beta 0: V is written over whatever it holds. */
START_TEST(empty_inner_product)
{
    no_columns();
    ck_accepted(gram());
    ck_accepted(product());
    for (int i = 0; i < M * M; i++) {
        ck_assert(V[i] == 0);
    }
    for (int i = 0; i < M * N; i++) {
        ck_assert(C[i] == 0);
    }
}
END_TEST

/* ---- chunks ---- */

static hgate_visibility_shape canonical(void)
{
    return (hgate_visibility_shape){.struct_size = sizeof(hgate_visibility_shape),
                                    .nant = 350,
                                    .nfeed = 2,
                                    .nax = 2,
                                    .nsrc = 1000000,
                                    .nbeam = 350,
                                    .nbeampix = 350 * 180 * 360,
                                    .is_complex_grid = 1};
}

static hgate_visibility_shape small(void)
{
    return (hgate_visibility_shape){.struct_size = sizeof(hgate_visibility_shape),
                                    .nant = 3,
                                    .nfeed = 2,
                                    .nax = 2,
                                    .nsrc = 1000,
                                    .nbeam = 2,
                                    .nbeampix = 2 * 7 * 11,
                                    .is_complex_grid = 1};
}

START_TEST(chunk_table)
{
    hgate_visibility_shape c = canonical(), fused = c, twice = c, s = small(), real = s;
    fused.is_fused = 1;
    twice.is_f64 = 1;
    real.is_complex_grid = 0;
    const struct {
        const hgate_visibility_shape *shape;
        size_t limit;
        int64_t min_chunks, n_chunks, chunk;
        size_t fixed, per_source;
    } rows[] = {
        {&c, SIZE_MAX, 30, 30, 33334, 757684236, 25216},
        {&fused, SIZE_MAX, 30, 30, 33334, 757684236, 11216},
        {&twice, SIZE_MAX, 30, 30, 33334, 1515368472, 50432},
        {&c, 2000000000, 1, 25, 40000, 757684236, 25216},
        {&c, 4000000000, 1, 9, 111112, 757684236, 25216},
        {&fused, 2000000000, 1, 11, 90910, 757684236, 11216},
        {&fused, 4000000000, 1, 4, 250000, 757684236, 11216},
        {&c, 841899392, 1, 1000000, 1, 757684236, 25216},
        {&s, 100000, 1, 4, 250, 33288, 200},
        {&real, 60000, 1, 9, 112, 30824, 200},
        {&s, 100000, 5000, 1000, 1, 33288, 200},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hgate_visibility_chunk_info info = {.struct_size = sizeof info};
        params.min_chunks = rows[i].min_chunks;
        ck_accepted(hgate_visibility_chunks(rows[i].shape, rows[i].limit, &params, &info));
        ck_assert_int_eq(info.n_chunks, rows[i].n_chunks);
        ck_assert_int_eq(info.chunk, rows[i].chunk);
        ck_assert_uint_eq(info.fixed, rows[i].fixed);
        ck_assert_uint_eq(info.per_source, rows[i].per_source);
        ck_assert_uint_eq(info.bytes, info.fixed + (size_t)info.chunk * info.per_source);
    }
}
END_TEST

START_TEST(chunk_totals)
{
    static const size_t totals[] = {1598234380, 1131558380, 3196468760};
    params.min_chunks = 30;
    for (int i = 0; i < 3; i++) {
        hgate_visibility_shape c = canonical();
        c.is_fused = i == 1;
        c.is_f64 = i == 2;
        hgate_visibility_chunk_info info = {.struct_size = sizeof info};
        ck_accepted(hgate_visibility_chunks(&c, SIZE_MAX, &params, &info));
        ck_assert_uint_eq(info.bytes, totals[i]);
    }
}
END_TEST

START_TEST(chunks_refused)
{
    hgate_visibility_shape c = canonical();
    hgate_visibility_chunk_info info = {.struct_size = sizeof info, .chunk = 77};
    ck_refused(hgate_visibility_chunks(&c, 800000000, &params, &info),
               &(refusal){NULL, HGATE_ENOMEM, "mem_limit"});
    ck_assert_ptr_nonnull(strstr(hgate_last_error(), " 841899392"));
    ck_refused(hgate_visibility_chunks(&c, 841899391, NULL, &info),
               &(refusal){NULL, HGATE_ENOMEM, "mem_limit"});
    ck_refused(hgate_visibility_chunks(&c, 0, NULL, &info),
               &(refusal){NULL, HGATE_EVALUE, "mem_limit"});
    c.nsrc = -1;
    ck_refused(hgate_visibility_chunks(&c, 1u << 31, NULL, &info),
               &(refusal){NULL, HGATE_ESHAPE, "nsrc"});
    c = canonical();
    c.nax = 0;
    ck_refused(hgate_visibility_chunks(&c, 1u << 31, NULL, &info),
               &(refusal){NULL, HGATE_ESHAPE, "nax"});
    c = canonical();
    c.nant = INT64_C(1) << 31;
    ck_refused(hgate_visibility_chunks(&c, 1u << 31, NULL, &info),
               &(refusal){NULL, HGATE_ESHAPE, "shape"});
    c = canonical();
    params.memory_buffer = 1.5;
    ck_refused(hgate_visibility_chunks(&c, 1u << 31, &params, &info),
               &(refusal){NULL, HGATE_EVALUE, "memory_buffer"});
    params.memory_buffer = 0.9;
    params.min_chunks = 0;
    ck_refused(hgate_visibility_chunks(&c, 1u << 31, &params, &info),
               &(refusal){NULL, HGATE_EVALUE, "min_chunks"});
    c.struct_size = 3;
    ck_refused(hgate_visibility_chunks(&c, 1u << 31, NULL, &info),
               &(refusal){NULL, HGATE_EABI, "shape"});
    ck_refused(hgate_visibility_chunks(NULL, 1u << 31, NULL, &info),
               &(refusal){NULL, HGATE_EINVAL, "shape"});
    ck_assert_int_eq(info.chunk, 77);
}
END_TEST

/* No source: no chunk. */
START_TEST(chunks_of_nothing)
{
    hgate_visibility_shape s = small();
    hgate_visibility_chunk_info info = {.struct_size = sizeof info};
    s.nsrc = 0;
    ck_accepted(hgate_visibility_chunks(&s, 100000, NULL, &info));
    ck_assert_int_eq(info.n_chunks, 0);
    ck_assert_int_eq(info.chunk, 0);
    ck_assert_uint_eq(info.bytes, info.fixed);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("op_products");
    TCase *tests = tcase_create("op_products");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, refused, 0, sizeof refusals / sizeof *refusals);
    tcase_add_test(tests, accepted);
    tcase_add_test(tests, unchecked_indices);
    tcase_add_test(tests, empty_inner_product);
    tcase_add_test(tests, chunk_table);
    tcase_add_test(tests, chunk_totals);
    tcase_add_test(tests, chunks_refused);
    tcase_add_test(tests, chunks_of_nothing);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
