/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice of the inner loops by instruction set. */
#include "plugins/cpu/visibility/lanes.h"

#include "plugins/cpu/kirchhoff/work.h"

static const hg_visibility_lanes *const lanes[HG_ISA_COUNT] = HG_BY_ISA(visibility);

const hg_visibility_lanes *hg_visibility_lanes_of(int isa, int is_64)
{
    return &lanes[isa][is_64];
}

double hg_visibility_lanes_cost(int isa)
{
    static const double cost[HG_ISA_COUNT] = {8.0, 2.0, 1.0};
    return cost[isa];
}
