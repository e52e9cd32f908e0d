// SPDX-License-Identifier: BSD-3-Clause
// How the split products of plugin cuda share out their tiles; needs neither device nor toolkit.
#include "plugins/cuda/visibility/split_tiles.h"
#include "tests/harness.h"

enum { SLOTS = 132 };

typedef struct shape {
    int64_t M, K;
    double waste; // most time over that of perfectly shared work, start and end of units left out
} shape;

static const shape shapes[] = {{1, 1, 1e3},          {64, 33, 1e3},       {65, 16384, 1.2},
                               {128, 65536, 1.1},    {350, 32768, 1.1},   {700, 4000, 1.25},
                               {700, 65536, 1.06},   {1400, 65536, 1.06}, {1409, 100003, 1.06},
                               {3000, 262144, 1.06}, {9000, 5000, 1.06}};
enum { N_SHAPES = sizeof shapes / sizeof *shapes };

static const double part_steps[] = {4.0, 3.0, 2.0, 1.0};

// Every tile of the lower triangle once; units follow one another; none is empty, none sums more
// than HG_SPLIT_COLUMNS, and the longest one is about as long as the work allows.
START_TEST(shares)
{
    const shape *s = &shapes[_i];
    for (int path = HG_SPLIT_WGMMA; path <= HG_SPLIT_MMA; path++)
        for (int kind = HG_PLANE_FP16; kind <= HG_PLANE_TF32; kind++) {
            hg_split_tiles t;
            const int slots = SLOTS * hg_split_resident(path);
            ck_assert_int_eq(hg_split_share(&t, path, kind, s->M, s->K, slots), 0);
            ck_assert_int_eq(t.row_blocks, (s->M + 63) / 64);
            ck_assert_int_eq(t.column_blocks, hg_plane_column_blocks(s->K, kind));
            int64_t parts = 0, units = 0;
            double work = 0.0;
            for (int c = 0; c < HG_SPLIT_CLASSES; c++) {
                const int is_one = path == HG_SPLIT_MMA;
                ck_assert_int_eq(t.first[c], units);
                units += (int64_t)t.tiles[c] * t.splits[c];
                parts += (int64_t)t.tiles[c] * (is_one ? 1 : 4 - c);
                if (t.tiles[c] == 0)
                    continue;
                ck_assert_int_ge(t.splits[c], 1);
                ck_assert_int_le(t.splits[c], t.column_blocks);
                const int64_t blocks = (t.column_blocks + t.splits[c] - 1) / t.splits[c];
                ck_assert_int_le(blocks * hg_plane_width(kind), HG_SPLIT_COLUMNS);
                const double steps = is_one ? 1.0 : part_steps[c];
                work += steps * t.tiles[c] * t.column_blocks;
            }
            ck_assert_int_eq(t.first[HG_SPLIT_CLASSES], units);
            ck_assert_int_eq(parts, (int64_t)t.row_blocks * (t.row_blocks + 1) / 2);
            const double ideal = work / SLOTS;
            const double waves = (double)((units + slots - 1) / slots);
            const double start = 12.0 * waves * hg_split_resident(path);
            // halved parts count a little more than their work
            ck_assert_double_ge(t.makespan, ideal);
            ck_assert_double_le(t.makespan - start, s->waste * 1.06 * ideal + 4.0);
        }
}
END_TEST

START_TEST(no_columns)
{
    hg_split_tiles t;
    ck_assert_int_eq(hg_split_share(&t, HG_SPLIT_WGMMA, HG_PLANE_FP16, 33, 0, SLOTS), 0);
    ck_assert_int_eq(t.row_blocks, 1);
    ck_assert_int_eq(t.first[HG_SPLIT_CLASSES], 0);
    ck_assert_int_eq((int)hg_split_slot_bytes(&t), 0);
}
END_TEST

START_TEST(too_large)
{
    hg_split_tiles t;
    ck_assert_int_eq(hg_split_share(&t, HG_SPLIT_WGMMA, HG_PLANE_FP16, INT64_C(3000000), 64, SLOTS),
                     -1);
    ck_assert_int_eq(hg_split_share(&t, HG_SPLIT_MMA, HG_PLANE_TF32, 64, INT64_C(1) << 40, SLOTS),
                     -1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("split tiles");
    TCase *tcase = tcase_create("split tiles");
    tcase_add_loop_test(tcase, shares, 0, N_SHAPES);
    tcase_add_test(tcase, no_columns);
    tcase_add_test(tcase, too_large);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
