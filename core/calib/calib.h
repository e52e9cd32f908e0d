/* SPDX-License-Identifier: BSD-3-Clause */
/* The machine constants in force: what the cost model multiplies work with. */
#ifndef HG_CALIB_CALIB_H
#define HG_CALIB_CALIB_H

#include "core/base/alloc.h"
#include "core/config/config.h"
#include "core/plugin/registry.h"

#include <stdbool.h>
#include <stdint.h>

/** Where a constant in force came from; later ones win. */
typedef enum hg_constant_source {
    HG_CONSTANT_DEFAULT, /* the plugin's own table */
    HG_CONSTANT_FILE,    /* a calibration file of this machine */
    HG_CONSTANT_SETTING  /* calibration.constants.<plugin>.<constant> */
} hg_constant_source;

typedef struct hg_calib hg_calib;

/** Constants of n usable plugins: their defaults, under a calibration file of this machine, under
 *  what the configuration sets. A setting outside the range that the plugin declares, or of a
 *  constant that it does not have, is ECONFIG. A file that is broken, not of this machine or not to
 *  be trusted is one warning, and ECONFIG only where calibration.on_mismatch is `error`. */
int hg_calib_new(const hg_config *config, const hg_plugin *const *plugins, int n, hg_log *log,
                 const hg_allocator *allocator, hg_calib **out);
void hg_calib_free(hg_calib *calib);

/** Constants of the i-th plugin, in declared order. */
const double *hg_calib_constants(const hg_calib *calib, int i);

/** Where the k-th constant of the i-th plugin came from. */
hg_constant_source hg_calib_source(const hg_calib *calib, int i, int k);

/** Where they came from: the path of a file, or "defaults". */
const char *hg_calib_origin(const hg_calib *calib);

/** Why a file was not used; NULL when none was refused. */
const char *hg_calib_refusal(const hg_calib *calib);

/** The same for the same constants. */
uint64_t hg_calib_hash(const hg_calib *calib);

#endif
