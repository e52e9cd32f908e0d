/* SPDX-License-Identifier: BSD-3-Clause */
/* What h5io.c and h5io_read.c share: they alone know libhdf5. */
#ifndef CLI_H5IO_INT_H
#define CLI_H5IO_INT_H

#include "tools/h5io.h"

#include <hdf5.h>

struct h5io_file {
    hid_t id;
    char *path;
};

/** HDF5's type for an element in memory. Close it. */
hid_t h5io_memory_type(cli_type type);

#endif
