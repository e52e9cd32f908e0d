/* SPDX-License-Identifier: BSD-3-Clause */
/* How many splits each tile of a split product gets, so that all multiprocessors end together. */
#include "plugins/cuda/visibility/split_tiles.h"
#include <limits.h>
#include <string.h>

enum {
    WAVES = 4,      /* numbers of waves that are tried */
    UNIT_STEPS = 12 /* start and end of a unit, in steps */
};

/* Steps of a tile over one block of columns. Parts on the diagonal and in the corner are halved
 * between two warpgroups, which costs a little. */
static const double tile_steps[HG_SPLIT_CLASSES] = {4.0, 3.05, 2.1, 1.15};

typedef struct sharing {
    int path, slots;
    int64_t columns, least; /* blocks of columns; least number of splits */
    int64_t tiles[HG_SPLIT_CLASSES];
} sharing;

static double steps_of(const sharing *s, int c)
{
    return s->path == HG_SPLIT_MMA ? 1.0 : tile_steps[c];
}

/* Splits of class c whose units take at most `longest` steps. */
static int64_t splits_within(const sharing *s, int c, double longest)
{
    const int64_t blocks = (int64_t)(longest / steps_of(s, c));
    const int64_t splits = blocks < 1 ? s->columns : (s->columns + blocks - 1) / blocks;
    return splits > s->least ? splits : s->least;
}

static int64_t units_within(const sharing *s, double longest)
{
    int64_t units = 0;
    for (int c = 0; c < HG_SPLIT_CLASSES; c++)
        if (s->tiles[c] > 0)
            units += s->tiles[c] * splits_within(s, c, longest);
    return units;
}

/* Shortest longest unit, within 0.1 %, with which the units fit into so many waves; 0: they never
 * do. */
static double shortest(const sharing *s, int64_t waves)
{
    double work = 0.0, high = 4.0 * (double)s->columns;
    for (int c = 0; c < HG_SPLIT_CLASSES; c++)
        work += (double)s->tiles[c] * steps_of(s, c) * (double)s->columns;
    double low = work / (double)(waves * s->slots);
    if (units_within(s, high) > waves * s->slots)
        return 0.0;
    if (2.0 * low < high && units_within(s, 2.0 * low) <= waves * s->slots)
        high = 2.0 * low;
    while (high - low > 1e-3 * high) {
        const double middle = 0.5 * (low + high);
        if (units_within(s, middle) > waves * s->slots)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static void count_tiles(sharing *s, int64_t rows)
{
    const int64_t pairs = rows / 2, odd = rows % 2;
    if (s->path == HG_SPLIT_MMA) {
        s->tiles[0] = rows * (rows + 1) / 2;
        return;
    }
    s->tiles[HG_SPLIT_WHOLE] = pairs * (pairs - 1) / 2;
    s->tiles[HG_SPLIT_DIAGONAL] = pairs;
    s->tiles[HG_SPLIT_EDGE] = odd * pairs;
    s->tiles[HG_SPLIT_CORNER] = odd;
}

int hg_split_share(hg_split_tiles *t, int path, int kind, int64_t M, int64_t K, int slots)
{
    sharing s = {.path = path, .slots = slots, .columns = hg_plane_column_blocks(K, kind)};
    const int64_t rows = hg_plane_row_blocks(M), most = HG_SPLIT_COLUMNS / hg_plane_width(kind);
    memset(t, 0, sizeof *t);
    if (rows > 32768 || s.columns > INT_MAX)
        return -1;
    count_tiles(&s, rows);
    s.least = (s.columns + most - 1) / most;
    const int64_t fewest = (units_within(&s, 4.0 * (double)s.columns) + slots - 1) / slots;
    double longest = 0.0, best = 0.0;
    for (int64_t waves = fewest > 0 ? fewest : 1; waves < fewest + WAVES && K > 0; waves++) {
        const double unit = shortest(&s, waves), all = (double)waves * (unit + UNIT_STEPS);
        if (unit > 0.0 && (longest == 0.0 || all < best))
            longest = unit, best = all;
    }
    t->path = path;
    t->row_blocks = (int)rows;
    t->column_blocks = (int)s.columns;
    t->places = path == HG_SPLIT_MMA ? 1 : 4;
    t->makespan = path == HG_SPLIT_MMA ? best * hg_split_resident(path) : best;
    int64_t units = 0;
    for (int c = 0; c < HG_SPLIT_CLASSES; c++) {
        const int64_t splits = K > 0 && s.tiles[c] > 0 ? splits_within(&s, c, longest) : 0;
        t->tiles[c] = (int)s.tiles[c];
        t->first[c] = (int)units;
        t->splits[c] = (int)splits;
        units += s.tiles[c] * splits;
        if (units > INT_MAX)
            return -1;
    }
    t->first[HG_SPLIT_CLASSES] = (int)units;
    return 0;
}
