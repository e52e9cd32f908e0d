/* SPDX-License-Identifier: BSD-3-Clause */
/* Calibration from inside: the sets of constants, and what fills them. */
#ifndef HG_CALIB_CALIB_INT_H
#define HG_CALIB_CALIB_INT_H

#include "core/calib/calib.h"
#include "core/calib/file.h"

/** Constants of one plugin. */
typedef struct hg_constant_set {
    const hg_plugin *plugin;
    int n;
    double *values;
    unsigned char *sources; /* hg_constant_source */
} hg_constant_set;

struct hg_calib {
    const hg_allocator *allocator;
    char *origin;  /* path of the file in use; NULL: none */
    char *refusal; /* why a file is not in use; NULL: none was refused */
    int n;
    hg_constant_set sets[];
};

/** Set of a plugin, its name n bytes long; NULL. Index of a constant; -1. */
hg_constant_set *hg_calib_find_set(hg_calib *calib, const char *plugin, size_t n);
int hg_constant_find(const hg_constant_set *set, const char *constant, size_t n);

/** Puts the constants of calibration files into the sets: the one that the settings name, else the
 *  user's, else those that ship. ENOMEM; ECONFIG as hg_calib_new(). */
int hg_calib_use_files(hg_calib *calib, const hg_config *config, const hg_machine *machine,
                       hg_log *log);

#endif
