/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys of a calibration file. */
#include "core/calib/file.h"

#include "core/config/names.h"

#include <math.h>

#define TEXT(KEY, HELP)                                                                            \
    {                                                                                              \
        .key = KEY, .type = HG_TYPE_SCALAR, .fallback = "", .where = HG_SET_BY_FILE, .help = HELP  \
    }
#define NUMBER(TYPE, KEY, MIN, HELP)                                                               \
    {                                                                                              \
        .key = KEY, .type = TYPE, .fallback = "0", .min = MIN, .max = INFINITY,                    \
        .where = HG_SET_BY_FILE, .help = HELP                                                      \
    }
#define OF_CONSTANT "plugins.<plugin>.constants.<constant>."

static const hg_schema_row rows[] = {
    {.key = "headgate_calibration",
     .type = HG_TYPE_INT,
     .fallback = "1",
     .min = 1,
     .max = 1,
     .where = HG_SET_BY_FILE,
     .role = HG_KEY_VERSION,
     .help = "version of this format"},
    TEXT("fingerprint.cpu", "model of the processor"),
    NUMBER(HG_TYPE_INT, "fingerprint.cores", 1, "processors that could be used"),
    TEXT("fingerprint.isa", "instruction set of the CPU kernels"),
    {.key = "fingerprint.gpu",
     .type = HG_TYPE_TEXTS,
     .fallback = "[]",
     .max = 64,
     .where = HG_SET_BY_FILE,
     .help = "models of the GPUs"},
    TEXT("fingerprint.blas", "library, version and flavour"),
    TEXT("provenance.date", "when it was measured"),
    TEXT("provenance.headgate", "version of the library"),
    TEXT("provenance.compiler", "that built it"),
    TEXT("provenance.driver", "of the GPUs"),
    TEXT("provenance.note", "anything else"),
    NUMBER(HG_TYPE_INT, "provenance.threads", 0, "threads that were used"),
    NUMBER(HG_TYPE_REAL, "provenance.seconds", 0, "that measuring took"),
    TEXT("plugins.<plugin>.plugin_version", "version of the plugin that was measured"),
    NUMBER(HG_TYPE_REAL, OF_CONSTANT "value", -INFINITY, "in force when the file is used"),
    NUMBER(HG_TYPE_REAL, OF_CONSTANT "default", -INFINITY, "the plugin's own"),
    NUMBER(HG_TYPE_REAL, OF_CONSTANT "residual", 0, "relative error of the fit"),
    NUMBER(HG_TYPE_INT, OF_CONSTANT "samples", 0, "measurements behind it"),
    {.key = "end",
     .type = HG_TYPE_BOOL,
     .fallback = "false",
     .where = HG_SET_BY_FILE,
     .help = "true, at the end: the file is complete"},
};

const hg_schema *hg_calib_schema(void)
{
    static const char *const none[] = {NULL};
    static const hg_known_kernels no_kernels[] = {{NULL, NULL, NULL}};
    static const hg_schema schema = {
        .rows = rows,
        .n_rows = sizeof rows / sizeof *rows,
        .ops = none,
        .families = none,
        .plugins = hg_plugin_words,
        .kernels = no_kernels,
    };
    return &schema;
}
