/* SPDX-License-Identifier: BSD-3-Clause */
/* Z of one chunk of sources for the fused call. */
#include "plugins/cpu/visibility/fill.h"

#include "plugins/cpu/visibility/dot.h"

void hg_fill_lay_out(hgate_scratch *scratch, const hg_visibility_inputs *in, int64_t chunk,
                     hg_fill *fill)
{
    size_t element = in->is_64 ? 16 : 8;
    fill->crd = hgate_scratch_take(scratch, 3 * chunk, sizeof(double));
    fill->amp = hgate_scratch_take(scratch, chunk, sizeof(double));
    fill->angles = hgate_scratch_take(scratch, 2 * chunk, sizeof(double));
    fill->values = hgate_scratch_take(scratch, in->nfeed * in->nax * chunk, sizeof(double complex));
    fill->Z = hgate_scratch_take(scratch, in->nant * in->nfeed * in->nax * chunk, element);
}

void hg_fill_load(const hg_visibility_inputs *in, const hg_sources *sources, hg_chunk chunk,
                  hg_fill *fill)
{
    for (int64_t s = 0; s < chunk.n; s++) {
        int64_t source = sources->up[chunk.start + s];
        double *n = fill->crd + 3 * s;
        for (int d = 0; d < 3; d++)
            n[d] = hg_real(in->crd, d * in->nsrc + source);
        fill->amp[s] = hg_amplitude(chunk.sign * hg_real(in->flux, source), in->params);
        fill->angles[2 * s] = hg_azimuth(n[0], n[1]);
        fill->angles[2 * s + 1] = hg_zenith_angle(n[0], n[1], n[2]);
    }
}

/* values[f,x,s] of beam b, without the root. */
static void interpolate(const hg_visibility_inputs *in, int64_t b, int64_t n, hg_fill *fill)
{
    for (int64_t s = 0; s < n; s++) {
        hg_stencil at_za, at_az;
        hg_beam_stencils(&in->beam, b, fill->angles[2 * s], fill->angles[2 * s + 1], &at_za,
                         &at_az);
        for (int64_t feed = 0; feed < in->nfeed; feed++)
            for (int64_t axis = 0; axis < in->nax; axis++)
                fill->values[(feed * in->nax + axis) * n + s] =
                    hg_beam_value(&in->beam, b, axis, feed, at_za, at_az);
    }
}

/* Rows of antenna a from the values of its beam. */
static void fill_antenna(const hg_visibility_inputs *in, int64_t a, int64_t n, hg_fill *fill)
{
    hg_antenna antenna = hg_antenna_of(in, a);
    hg_reals Z = {fill->Z, in->is_64};
    int64_t planes = in->nfeed * in->nax;
    for (int64_t s = 0; s < n; s++) {
        double complex phase = fill->amp[s] * hg_antenna_phase(in, &antenna, fill->crd + 3 * s);
        for (int64_t plane = 0; plane < planes; plane++)
            hg_complex_put(Z, (a * planes + plane) * n + s,
                           hg_times(fill->values[plane * n + s], phase));
    }
}

void hg_fill_z(const hg_visibility_inputs *in, hg_chunk chunk, hg_fill *fill)
{
    for (int64_t b = 0; b < in->nbeam; b++) {
        int is_ready = 0; /* a beam that no antenna has is not interpolated */
        for (int64_t a = 0; a < in->nant; a++) {
            if (hg_beam_of(in->beam_idx, in->nbeam, a) != b)
                continue;
            if (!is_ready) {
                interpolate(in, b, chunk.n, fill);
                int64_t n = in->params->sqrt_power ? in->nfeed * in->nax * chunk.n : 0;
                for (int64_t i = 0; i < n; i++)
                    fill->values[i] = CMPLX(sqrt(creal(fill->values[i])), 0.0);
                is_ready = 1;
            }
            fill_antenna(in, a, chunk.n, fill);
        }
    }
}

static int is_used(const hg_visibility_inputs *in, int64_t b)
{
    for (int64_t a = 0; a < in->nant; a++)
        if (hg_beam_of(in->beam_idx, in->nbeam, a) == b)
            return 1;
    return 0;
}

int hg_fill_check_power(const hgate_host *host, const hg_visibility_inputs *in,
                        const hg_sources *sources, hg_chunk chunk, hg_fill *fill)
{
    for (int64_t b = 0; b < in->nbeam; b++) {
        if (!is_used(in, b))
            continue;
        interpolate(in, b, chunk.n, fill);
        for (int64_t i = 0; i < in->nfeed * in->nax * chunk.n; i++)
            if (creal(fill->values[i]) < 0.0) {
                int64_t plane = i / chunk.n;
                return hg_beam_negative(host, b, plane % in->nax, plane / in->nax,
                                        sources->up[chunk.start + i % chunk.n]);
            }
    }
    return HGATE_OK;
}
