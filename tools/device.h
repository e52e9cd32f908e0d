/* SPDX-License-Identifier: BSD-3-Clause */
/* A problem's arrays in the memory of a device, through the plugin that owns it. */
#ifndef CLI_DEVICE_H
#define CLI_DEVICE_H

#include "tools/case.h"

typedef struct cli_device {
    const struct hg_plugin *plugin; /* NULL: nothing is placed */
    int id;
    DLTensor tensors[HGATE_MAX_ARGS]; /* like the case's, with other memory */
} cli_device;

/** Copies the given arrays of a case to its device and points the call at the copies.
 *  HGATE_EUNAVAILABLE where the plugin has no memory of its own. */
int cli_device_place(cli_device *device, const cli_case *c, const hgate_engine *engine,
                     const char *plugin, cli_call *call);
/** Copies the outputs back into the case. */
int cli_device_fetch(const cli_device *device, cli_case *c);
void cli_device_free(cli_device *device);

/** Points the call at tensors (one for each argument) that lie on the case's device and have no
 *  data: enough to decide. Nothing changes for a case in host memory. */
void cli_device_pretend(const cli_case *c, DLTensor *tensors, cli_call *call);

#endif
