/* SPDX-License-Identifier: BSD-3-Clause */
/* HDF5 files: opening, creating, writing. The library's own error printing is off; causes are told
 * here. */
#include "tools/h5io_int.h"

#include "core/base/alloc.h"
#include "tools/report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- files ------------------------------------------------------------------------------- */

static int keep(hid_t id, const char *path, h5io_file **out)
{
    h5io_file *file = hg_calloc(NULL, 1, sizeof *file);
    if (file) {
        file->id = id;
        file->path = hg_strdup(NULL, path);
    }
    if (!file || !file->path) {
        hg_free(NULL, file);
        H5Fclose(id);
        return hg_error_memory("file", strlen(path));
    }
    *out = file;
    return CLI_DONE;
}

/* Before any other call of libhdf5. What it would do when the process exits is left out: the files
 * are closed by then, and after a write that failed it falls over. */
static void start_library(void)
{
    (void)H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

int h5io_open(const char *path, h5io_file **out)
{
    start_library();
    if (access(path, R_OK) != 0) {
        return hg_error(CLI_NO_INPUT, "%s: cannot read: %s", path, strerror(errno));
    }
    const hid_t id = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (id < 0) {
        return hg_error(CLI_DATA,
                        "%s: not an HDF5 file, damaged, or locked (on file systems without locks "
                        "set HDF5_USE_FILE_LOCKING=FALSE)",
                        path);
    }
    return keep(id, path, out);
}

int h5io_create(int fd, const char *path, h5io_file **out)
{
    /* by descriptor, so that nobody can put another file in its place */
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    start_library();
    const hid_t id = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (id < 0) {
        return hg_error(CLI_CANNOT_WRITE,
                        "%s: cannot write (on file systems without locks set "
                        "HDF5_USE_FILE_LOCKING=FALSE)",
                        path);
    }
    return keep(id, path, out);
}

static void forget(h5io_file *file)
{
    hg_free(NULL, file->path);
    hg_free(NULL, file);
}

void h5io_close(h5io_file *file)
{
    if (file) {
        H5Fclose(file->id);
        forget(file);
    }
}

/* Closing writes too: it sets the length of the file. */
int h5io_finish(h5io_file *file)
{
    int status = CLI_DONE;
    const bool is_flushed = H5Fflush(file->id, H5F_SCOPE_GLOBAL) >= 0;
    if (H5Fclose(file->id) < 0 || !is_flushed) {
        status = hg_error(CLI_CANNOT_WRITE, "%s: cannot write", file->path);
    }
    forget(file);
    return status;
}

/* ---- types ------------------------------------------------------------------------------- */

/* Compound of two members r, i, as NumPy's users write it. Close it. */
static hid_t complex_type(hid_t real, size_t bytes)
{
    const hid_t type = H5Tcreate(H5T_COMPOUND, 2 * bytes);
    H5Tinsert(type, "r", 0, real);
    H5Tinsert(type, "i", bytes, real);
    return type;
}

hid_t h5io_memory_type(cli_type type)
{
    switch (type) {
    case CLI_F32:
        return H5Tcopy(H5T_NATIVE_FLOAT);
    case CLI_F64:
        return H5Tcopy(H5T_NATIVE_DOUBLE);
    case CLI_C64:
        return complex_type(H5T_NATIVE_FLOAT, sizeof(float));
    case CLI_C128:
        return complex_type(H5T_NATIVE_DOUBLE, sizeof(double));
    case CLI_I32:
        return H5Tcopy(H5T_NATIVE_INT32);
    default:
        return H5Tcopy(H5T_NATIVE_INT64);
    }
}

/* ---- writing ----------------------------------------------------------------------------- */

int h5io_cannot_write(const h5io_file *file, const char *name)
{
    return hg_error(CLI_CANNOT_WRITE, "%s: %s: cannot write; is the disk full?", file->path, name);
}

int h5io_extents(const cli_array *array, hsize_t *extents)
{
    int n = 0;
    if (array->steps > 0) {
        extents[n++] = (hsize_t)array->steps;
    }
    for (int i = 0; i < array->dl.ndim; i++) {
        extents[n++] = (hsize_t)array->shape[i];
    }
    return n;
}

static hid_t create_dataset(const h5io_file *file, const char *name, const cli_array *array,
                            hid_t type, hid_t creation)
{
    hsize_t extents[HG_MAX_NDIM + 1];
    const int ndim = h5io_extents(array, extents);
    const hid_t space = H5Screate_simple(ndim, extents, NULL);
    const hid_t dataset =
        H5Dcreate2(file->id, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Sclose(space);
    return dataset;
}

int h5io_write(h5io_file *file, const char *name, const cli_array *array)
{
    const hid_t type = h5io_memory_type(array->type);
    const hid_t dataset = create_dataset(file, name, array, type, H5P_DEFAULT);
    bool is_written = dataset >= 0;
    if (is_written && array->count > 0) {
        is_written = H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, array->dl.data) >= 0;
    }
    if (dataset >= 0) {
        is_written = H5Dclose(dataset) >= 0 && is_written;
    }
    H5Tclose(type);
    return is_written ? CLI_DONE : h5io_cannot_write(file, name);
}

int h5io_reserve(h5io_file *file, const char *name, const cli_array *array, int64_t *offset)
{
    const hid_t type = h5io_memory_type(array->type);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_layout(creation, H5D_CONTIGUOUS);
    H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
    const hid_t dataset = create_dataset(file, name, array, type, creation);
    haddr_t at = HADDR_UNDEF;
    if (dataset >= 0) {
        at = H5Dget_offset(dataset);
        H5Dclose(dataset);
    }
    H5Pclose(creation);
    H5Tclose(type);
    if (dataset < 0 || (at == HADDR_UNDEF && array->count > 0)) {
        return h5io_cannot_write(file, name);
    }
    *offset = array->count > 0 ? (int64_t)at : 0;
    return CLI_DONE;
}
