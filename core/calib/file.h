/* SPDX-License-Identifier: BSD-3-Clause */
/* The calibration file (headgate-calibration(5)): YAML, read by the configuration's own reader with
 * its limits, along a schema of its own. */
#ifndef HG_CALIB_FILE_H
#define HG_CALIB_FILE_H

#include "core/calib/machine.h"
#include "core/config/settings.h"

/** Keys that a calibration file may have. */
const hg_schema *hg_calib_schema(void);

/** What a file holds, checked by the schema alone. */
typedef struct hg_calib_file {
    hg_settings settings;
} hg_calib_file;

/** Reads a file, or n bytes of text called `label`. ECONFIG with positions as the last error, also
 *  for a file that was cut short; ENOMEM. */
int hg_calib_file_read(const char *path, const hg_allocator *allocator, hg_calib_file *out);
int hg_calib_file_read_text(const char *text, size_t n, const char *label,
                            const hg_allocator *allocator, hg_calib_file *out);
void hg_calib_file_release(hg_calib_file *file);

/** Value of a key, NULL when it is not in the file. */
const hg_setting *hg_calib_file_find(const hg_calib_file *file, const char *key);

/** Is the file of this machine? Every part of its fingerprint must agree, and there must be one. If
 *  not, `why` says what differs. */
bool hg_calib_file_matches(const hg_calib_file *file, const hg_machine *machine, hg_text *why);

/** Is the key plugins.<plugin>.constants.<constant>.value? Then its two names, n bytes each. */
bool hg_calib_file_is_value(const char *key, const char **plugin, size_t *plugin_n,
                            const char **constant, size_t *constant_n);

/* ---- writing ------------------------------------------------------------ */

typedef struct hg_provenance {
    const char *date;     /* 2026-01-31T12:00:00Z */
    const char *headgate; /* version */
    const char *compiler;
    const char *driver; /* of the GPU; "" for none */
    const char *note;   /* "" for none */
    int64_t threads;
    double seconds; /* that measuring took */
} hg_provenance;

typedef struct hg_calib_entry {
    const char *plugin, *version;
    const char *constant;
    double value, fallback; /* measured, default */
    double residual;        /* root of the mean squared relative error of the fit */
    int64_t samples;
} hg_calib_entry;

/** The text of a file. Entries of one plugin stand together. */
void hg_calib_file_put(const hg_machine *machine, const hg_provenance *provenance,
                       const hg_calib_entry *entries, size_t n, hg_text *out);

/** Makes the folder of `path`, and the one above it, where they are missing. ECONFIG with the
 * reason where a file cannot be written there. */
int hg_calib_file_prepare(const char *path);

/** Writes a text to a temporary file beside `path`, and puts it in its place once it is on the
 * disk. The folder is prepared. ECONFIG with the reason: the old file stays. */
int hg_calib_file_write(const char *path, const char *text, size_t n);

/** The file of this machine in the user's cache folder; false when there is no such folder. */
bool hg_calib_user_path(const hg_machine *machine, hg_text *out);

#endif
