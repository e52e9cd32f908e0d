/* SPDX-License-Identifier: BSD-3-Clause */
/* Per-antenna and per-source lookups of the family: beam of an antenna, amplitude of a source,
 * index checks. */
#ifndef HG_CPU_ANTENNA_H
#define HG_CPU_ANTENNA_H

#include "headgate/plugin_util.h"
#include "plugins/cpu/view.h"

#include <inttypes.h>
#include <math.h>

/* Checks n indices against [0, limit), whatever the check level: a wrong one would read outside an
 * array. An absent array is fine. */
static inline int hg_check_indices(const hgate_host *host, const char *name, hg_indices indices,
                                   int64_t n, int64_t limit)
{
    for (int64_t i = 0; indices.data && i < n; i++) {
        int64_t index = hg_index(indices, i);
        if (index < 0 || index >= limit)
            return hgate_fail(host, HGATE_EVALUE,
                              "%s: element %" PRId64 " is %" PRId64 ", expected 0 to %" PRId64,
                              name, i, index, limit - 1);
    }
    return HGATE_OK;
}

/* Without beam_idx one beam serves all antennas, or each has its own. */
static inline int64_t hg_beam_of(hg_indices beam_idx, int64_t nbeam, int64_t antenna)
{
    if (beam_idx.data)
        return hg_index(beam_idx, antenna);
    return nbeam == 1 ? 0 : antenna;
}

/* Amplitude of a source from its flux, which may hold amplitudes already. */
static inline double hg_amplitude(double flux, const hgate_visibility_params *params)
{
    return params->flux_is_amp ? flux : sqrt(params->flux_scale * flux);
}

#endif
