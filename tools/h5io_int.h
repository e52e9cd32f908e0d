/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files h5io*.c share: they alone know libhdf5. */
#ifndef CLI_H5IO_INT_H
#define CLI_H5IO_INT_H

#include "tools/h5io.h"

#include <hdf5.h>

struct h5io_file {
    hid_t id;
    char *path;
    bool (*is_stopped)(void *user); /* asked while data are read; NULL: nobody */
    void *user;
};

/** HDF5's type for an element in memory. Close it. */
hid_t h5io_memory_type(cli_type type);
/** False for an integer or float of a file whose bits lie outside of its bytes. */
bool h5io_is_sound_number(hid_t type);
/** Extents of an array's dataset, steps first; returns their number, at most HG_MAX_NDIM + 1. */
int h5io_extents(const cli_array *array, hsize_t *extents);
/** Keeps the message of a failed write and returns CLI_CANNOT_WRITE. */
int h5io_cannot_write(const h5io_file *file, const char *name);

#endif
