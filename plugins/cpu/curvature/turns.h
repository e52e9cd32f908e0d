/* SPDX-License-Identifier: BSD-3-Clause */
/* Angles counted in turns, so that large ones lose nothing before the sine. */
#ifndef HG_CURVATURE_TURNS_H
#define HG_CURVATURE_TURNS_H

#include <math.h>

#define HG_TWO_PI 6.28318530717958647692528676655900577

/* The angle in [-pi, pi]; the subtraction is exact. */
static inline double hg_radians(double turns)
{
    return HG_TWO_PI * (turns - nearbyint(turns));
}

#endif
