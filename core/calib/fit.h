/* SPDX-License-Identifier: BSD-3-Clause */
/* Constants from measurements: seconds are work terms times constants. */
#ifndef HG_CALIB_FIT_H
#define HG_CALIB_FIT_H

#include "core/base/alloc.h"

#include <headgate/plugin.h>
#include <stdbool.h>

/** One measured run of a kernel of the plugin. */
typedef struct hg_sample {
    const hgate_kernel *kernel;
    double terms[HGATE_MAX_TERMS]; /* as its estimate gave them, at the thread count of the run */
    double seconds;
    double weight; /* 1; less for a noisy one */
} hg_sample;

typedef struct hg_fitted {
    bool is_measured; /* some sample has work for it */
    double value;     /* within the believable range; the default where nothing was measured */
    double residual;  /* root of the mean squared relative error of its samples */
    int64_t samples;
} hg_fitted;

/** Fits the constants of a plugin, one `out` for each, to n samples: least squares of the relative
 *  errors, no constant below zero. Kernels that are not LINEAR_COST are left out. A constant that
 *  the samples say little about stays near its default. ENOMEM. */
int hg_calib_fit(const hgate_plugin *plugin, const hg_sample *samples, int n,
                 const hg_allocator *allocator, hg_fitted *out);

/** Seconds that fitted constants predict for a sample. */
double hg_fit_predict(const hg_sample *sample, const hg_fitted *constants);

#endif
