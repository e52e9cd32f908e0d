// SPDX-License-Identifier: BSD-3-Clause
// The memory plan of visibility: exact numbers.
#include "core/tensor/chunk_plan.h"
#include "tests/harness.h"

static const hgate_visibility_shape canonical = {.struct_size = sizeof(hgate_visibility_shape),
                                                 .nant = 350,
                                                 .nfeed = 2,
                                                 .nax = 2,
                                                 .nsrc = 1000000,
                                                 .nbeam = 350,
                                                 .nbeampix = 350LL * 180 * 360,
                                                 .is_complex_grid = 1};
static const hgate_visibility_shape small = {.struct_size = sizeof(hgate_visibility_shape),
                                             .nant = 3,
                                             .nfeed = 2,
                                             .nax = 2,
                                             .nsrc = 1000,
                                             .nbeam = 2,
                                             .nbeampix = 2 * 7 * 11,
                                             .is_complex_grid = 1};

static const struct {
    const hgate_visibility_shape *shape;
    int is_fused, is_f64, is_real_grid;
    size_t limit, fixed, per_source;
    int64_t n_chunks, chunk;
} rows[] = {{&canonical, 0, 0, 0, 2000000000, 757684236, 25216, 25, 40000},
            {&canonical, 0, 0, 0, 4000000000, 757684236, 25216, 9, 111112},
            {&canonical, 1, 0, 0, 2000000000, 757684236, 11216, 11, 90910},
            {&canonical, 1, 0, 0, 4000000000, 757684236, 11216, 4, 250000},
            {&canonical, 0, 1, 0, 0, 1515368472, 50432, 1, 1000000},
            {&small, 0, 0, 0, 100000, 33288, 200, 4, 250},
            {&small, 0, 0, 1, 60000, 30824, 200, 9, 112}};
enum { N_ROWS = sizeof rows / sizeof *rows };

START_TEST(table)
{
    hgate_visibility_shape shape = *rows[_i].shape;
    shape.is_fused = rows[_i].is_fused;
    shape.is_f64 = rows[_i].is_f64;
    shape.is_complex_grid = !rows[_i].is_real_grid;
    hgate_visibility_chunk_info info = {.struct_size = sizeof info};
    size_t needed = 0;
    ck_assert_int_eq(hg_chunk_plan(&shape, rows[_i].limit, 0.9, 1, &info, &needed), HGATE_OK);
    ck_assert_uint_eq(info.fixed, rows[_i].fixed);
    ck_assert_uint_eq(info.per_source, rows[_i].per_source);
    ck_assert_int_eq(info.n_chunks, rows[_i].n_chunks);
    ck_assert_int_eq(info.chunk, rows[_i].chunk);
    ck_assert_uint_eq(info.bytes, info.fixed + (size_t)info.chunk * info.per_source);
    ck_assert_uint_eq(info.struct_size, sizeof info);
}
END_TEST

// The grid does not shrink with the chunk count.
START_TEST(minimum_of_chunks)
{
    static const size_t bytes[] = {1598234380, 1131558380, 3196468760};
    hgate_visibility_shape shape = canonical;
    size_t needed = 0;
    for (int i = 0; i < 3; i++) {
        hgate_visibility_chunk_info info = {.struct_size = sizeof info}, twice = info;
        shape.is_fused = i == 1;
        shape.is_f64 = i == 2;
        ck_assert_int_eq(hg_chunk_plan(&shape, 0, 0.9, 30, &info, &needed), HGATE_OK);
        ck_assert_int_eq(info.n_chunks, 30);
        ck_assert_int_eq(info.chunk, 33334);
        ck_assert_uint_eq(info.bytes, bytes[i]);
        ck_assert_int_eq(hg_chunk_plan(&shape, 0, 0.9, 60, &twice, &needed), HGATE_OK);
        ck_assert_int_eq(twice.n_chunks, 60);
        ck_assert_uint_eq(twice.fixed, info.fixed);
    }
}
END_TEST

START_TEST(limits)
{
    hgate_visibility_chunk_info info = {.struct_size = sizeof info};
    size_t needed = 0;
    ck_assert_int_eq(hg_chunk_plan(&canonical, 800000000, 0.9, 1, &info, &needed), HGATE_ENOMEM);
    ck_assert_uint_eq(needed, 841899392);
    ck_assert_int_eq(hg_chunk_plan(&canonical, needed, 0.9, 1, &info, &needed), HGATE_OK);
    ck_assert_int_eq(info.chunk, 1);
    ck_assert_int_eq(info.n_chunks, 1000000);
    ck_assert_int_eq(hg_chunk_plan(&canonical, 841899391, 0.9, 1, &info, &needed), HGATE_ENOMEM);

    ck_assert_int_eq(hg_chunk_plan(&small, 0, 0.9, 5000, &info, &needed), HGATE_OK);
    ck_assert_int_eq(info.chunk, 1);
    ck_assert_int_eq(info.n_chunks, 1000);

    hgate_visibility_shape shape = small;
    shape.nsrc = 0;
    ck_assert_int_eq(hg_chunk_plan(&shape, 0, 0.9, 1, &info, &needed), HGATE_OK);
    ck_assert_int_eq(info.n_chunks, 0);
    ck_assert_int_eq(info.chunk, 0);
}
END_TEST

// Products that leave size_t, one factor after the other.
START_TEST(overflow)
{
    for (int i = 0; i < 5; i++) {
        hgate_visibility_shape shape = small;
        int64_t *const fields[] = {&shape.nant, &shape.nfeed, &shape.nax, &shape.nsrc,
                                   &shape.nbeampix};
        *fields[i] = INT64_MAX / 2;
        hgate_visibility_chunk_info info = {.struct_size = sizeof info};
        size_t needed = 0;
        ck_assert_int_eq(hg_chunk_plan(&shape, 0, 0.9, 1, &info, &needed), HGATE_ESHAPE);
        *fields[i] = -1;
        ck_assert_int_eq(hg_chunk_plan(&shape, 0, 0.9, 1, &info, &needed), HGATE_ESHAPE);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("chunk plan");
    TCase *tcase = tcase_create("arithmetic");
    tcase_add_loop_test(tcase, table, 0, N_ROWS);
    tcase_add_test(tcase, minimum_of_chunks);
    tcase_add_test(tcase, limits);
    tcase_add_test(tcase, overflow);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
