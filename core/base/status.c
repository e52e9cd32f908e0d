/* SPDX-License-Identifier: BSD-3-Clause */
/* Names and texts of the status codes, from one table. */
#include <headgate/status.h>

#include <stddef.h>

typedef struct status_row {
    int status;
    const char *name;
    const char *text;
} status_row;

#define ROW(status, text)                                                                          \
    {                                                                                              \
        status, #status, text                                                                      \
    }

static const status_row rows[] = {
    ROW(HGATE_OK, "success"),
    ROW(HGATE_EINVAL, "argument missing, unknown choice, or options that exclude each other"),
    ROW(HGATE_ESHAPE, "array of the wrong shape or rank"),
    ROW(HGATE_EDTYPE, "array of the wrong element type"),
    ROW(HGATE_EDEVICE, "arrays or stream on the wrong device"),
    ROW(HGATE_ESTRIDE, "array not contiguous or not aligned"),
    ROW(HGATE_EOVERLAP, "output shares memory with another argument"),
    ROW(HGATE_EVALUE, "number that cannot be"),
    ROW(HGATE_ENOMEM, "out of memory"),
    ROW(HGATE_ENOKERNEL, "no kernel may serve this call"),
    ROW(HGATE_EUNAVAILABLE, "plugin or feature not usable here"),
    ROW(HGATE_EDEVICE_BUSY, "device is taken for the moment"),
    ROW(HGATE_EDEVICE_LOST, "device failed and stays unusable in this process"),
    ROW(HGATE_ECONFIG, "wrong configuration"),
    ROW(HGATE_EPLUGIN, "plugin broke its contract"),
    ROW(HGATE_EABI, "struct of another version"),
    ROW(HGATE_EFORK, "device work in a forked child"),
    ROW(HGATE_ESTATE, "calls in the wrong order"),
    ROW(HGATE_EDISABLED, "operation is switched off"),
    ROW(HGATE_ESTOPPED, "stopped by a callback"),
    ROW(HGATE_EINTERNAL, "fault of this library"),
};

static const status_row *find(int status)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].status == status) {
            return &rows[i];
        }
    }
    return NULL;
}

const char *hgate_status_name(int status)
{
    const status_row *row = find(status);
    return row ? row->name : "HGATE_UNKNOWN";
}

const char *hgate_status_text(int status)
{
    const status_row *row = find(status);
    return row ? row->text : "unknown status";
}
