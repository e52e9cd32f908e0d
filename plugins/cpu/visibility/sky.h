/* SPDX-License-Identifier: BSD-3-Clause */
/* Directions: horizon test, azimuth and zenith angle of a unit vector (East, North, Up). */
#ifndef HG_CPU_SKY_H
#define HG_CPU_SKY_H

#include <math.h>
#include <stdbool.h>

#define HG_TWO_PI 6.283185307179586476925286766559

/* Strictly above the horizon; a direction that is not a number is nowhere. */
static inline bool hg_is_up(double east, double north, double up)
{
    return up > 0.0 && !isnan(east) && !isnan(north);
}

/* East = 0, North = pi/2, in [0, 2 pi); 0 at the zenith. */
static inline double hg_azimuth(double east, double north)
{
    if (east == 0.0 && north == 0.0)
        return 0.0;
    double az = atan2(north, east);
    az = az < 0.0 ? az + HG_TWO_PI : az + 0.0; /* + 0.0 turns -0.0 around */
    return az >= HG_TWO_PI ? 0.0 : az;
}

/* The same, rounded to float32 inside the half-open range. */
static inline float hg_azimuth_f32(double east, double north)
{
    float az = (float)hg_azimuth(east, north);
    return az >= (float)HG_TWO_PI ? 0.0f : az;
}

/* By two components, so that it keeps its relative accuracy up to the zenith. */
static inline double hg_zenith_angle(double east, double north, double up)
{
    return atan2(hypot(east, north), up);
}

#endif
