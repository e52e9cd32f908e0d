/* SPDX-License-Identifier: BSD-3-Clause */
/* Azimuth and zenith angle in lanes of double; included by the sources that are compiled for each
 * instruction set. */

static const double pi = 3.141592653589793238, two_pi = 6.283185307179586477;

/* (atan(z) - z) / z^3 as a polynomial in z^2 up to tan(pi/8), to 4e-18. */
static const double arctangent[] = {
    -0.333333333333333332,   0.1999999999999978377,   -0.1428571428565463894,
    0.1111111110465225482,   -0.09090908728587459038, 0.07692295658327873508,
    -0.06666412077725274345, 0.05878782469443981179,  -0.05229380473781840592,
    0.04546719509555166541,  -0.03444584442357738493, 0.01614822854677186957};

/* atan(y / x) for y, x >= 0, of which one may be 0: in [0, pi/2]; 0 for two zeros.
 *
 * With t = tan(pi/8): y <= t x is taken as it is, t x < y < x / t turned back by pi/4, the rest by
 * pi/2. */
static inline hg_f64v angle_of(hg_f64v y, hg_f64v x)
{
    const hg_f64v tangent = hg_set_f64(0.41421356237309504880);
    hg_i64v is_middle = y > tangent * x, is_steep = x <= tangent * y;
    hg_f64v above = hg_select_f64(is_middle, y - x, y), below = hg_select_f64(is_middle, y + x, x);
    above = hg_select_f64(is_steep & is_middle, -x, above);
    below = hg_select_f64(is_steep & is_middle, y, below);
    below = hg_select_f64(below == hg_set_f64(0.0), hg_set_f64(1.0), below);
    hg_f64v z = above / below, z2 = z * z, p = hg_set_f64(arctangent[11]);
    HG_UNROLL
    for (int i = 10; i >= 0; i--)
        p = hg_fma_f64(p, z2, hg_set_f64(arctangent[i]));
    hg_f64v turned = hg_select_f64(is_middle, hg_set_f64(0.25 * pi), hg_set_f64(0.0));
    turned = hg_select_f64(is_steep & is_middle, hg_set_f64(0.5 * pi), turned);
    return turned + hg_fma_f64(z2 * z, p, z);
}

/* az = atan2(north, east) in [0, 2 pi), +0 at the zenith. */
static inline hg_f64v azimuth(hg_f64v east, hg_f64v north)
{
    hg_f64v az = angle_of(hg_abs_f64(north), hg_abs_f64(east));
    az = hg_select_f64(east < hg_set_f64(0.0), hg_set_f64(pi) - az, az);
    az = hg_select_f64(north < hg_set_f64(0.0), hg_set_f64(two_pi) - az, az);
    return hg_select_f64(az >= hg_set_f64(two_pi), hg_set_f64(0.0), az);
}

/* za = atan2(hypot(east, north), up): the hypotenuse by the ratio of its sides, so that nothing
 * leaves the range of double. */
static inline hg_f64v zenith(hg_f64v east, hg_f64v north, hg_f64v up)
{
    hg_f64v a = hg_abs_f64(east), b = hg_abs_f64(north);
    hg_f64v large = hg_select_f64(a > b, a, b), small = hg_select_f64(a > b, b, a);
    hg_f64v some = hg_select_f64(large == hg_set_f64(0.0), hg_set_f64(1.0), large);
    hg_f64v ratio = small / some;
    hg_f64v level = large * hg_sqrt_f64(hg_fma_f64(ratio, ratio, hg_set_f64(1.0)));
    hg_f64v za = angle_of(level, hg_abs_f64(up));
    return hg_select_f64(up < hg_set_f64(0.0), hg_set_f64(pi) - za, za);
}

static void angles(int64_t n, const double *east, const double *north, const double *up, double *az,
                   double *za)
{
    enum { L = HG_F64_LANES };
    int64_t s = 0;
    for (; s + L <= n; s += L) {
        hg_f64v e = hg_load_f64(east + s), t = hg_load_f64(north + s), u = hg_load_f64(up + s);
        hg_store_f64(az + s, azimuth(e, t));
        hg_store_f64(za + s, zenith(e, t, u));
    }
    if (s == n)
        return;
    double in[3][L] = {{0.0}}, out[2][L];
    size_t rest = (size_t)(n - s) * sizeof(double);
    memcpy(in[0], east + s, rest);
    memcpy(in[1], north + s, rest);
    memcpy(in[2], up + s, rest);
    hg_f64v e = hg_load_f64(in[0]), t = hg_load_f64(in[1]), u = hg_load_f64(in[2]);
    hg_store_f64(out[0], azimuth(e, t));
    hg_store_f64(out[1], zenith(e, t, u));
    memcpy(az + s, out[0], rest);
    memcpy(za + s, out[1], rest);
}
