/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading and writing attributes of an HDF5 file. */
#include "tools/h5io_int.h"

#include "tools/report.h"

#include <string.h>

/* Opens an attribute with its type and its number of elements; -1: there is none. */
static hid_t open_attribute(const h5io_file *file, const char *name, hid_t *type, hssize_t *count)
{
    if (H5Aexists(file->id, name) <= 0) {
        return -1;
    }
    const hid_t attribute = H5Aopen(file->id, name, H5P_DEFAULT);
    if (attribute >= 0) {
        const hid_t space = H5Aget_space(attribute);
        *count = H5Sget_simple_extent_npoints(space);
        *type = H5Aget_type(attribute);
        H5Sclose(space);
    }
    return attribute;
}

int h5io_read_numbers(h5io_file *file, const char *name, int n, double *values, bool *is_found)
{
    hid_t type = -1;
    hssize_t count = 0;
    const hid_t attribute = open_attribute(file, name, &type, &count);
    *is_found = attribute >= 0;
    if (!*is_found) {
        return CLI_DONE;
    }
    int status = CLI_DONE;
    /* a boolean of NumPy is an enumeration over one byte, whose values are 0 and 1 */
    const H5T_class_t kind = H5Tget_class(type);
    const bool is_number = (kind == H5T_INTEGER || kind == H5T_FLOAT) && h5io_is_sound_number(type);
    const hid_t base = kind == H5T_ENUM ? H5Tget_super(type) : -1;
    signed char boolean = 0;
    if (count != n || (!is_number && !(kind == H5T_ENUM && H5Tget_size(base) == 1 && n == 1))) {
        status = hg_error(CLI_DATA, "%s: attribute %s: expected %d number%s", file->path, name, n,
                          n == 1 ? "" : "s");
    } else if (is_number ? H5Aread(attribute, H5T_NATIVE_DOUBLE, values) < 0
                         : H5Aread(attribute, type, &boolean) < 0) {
        status = hg_error(CLI_DATA, "%s: attribute %s: cannot be read", file->path, name);
    } else if (!is_number) {
        values[0] = boolean;
    }
    if (base >= 0) {
        H5Tclose(base);
    }
    H5Tclose(type);
    H5Aclose(attribute);
    return status;
}

/* A string of fixed length, or of any length; the library allocates the latter. */
static bool read_string(hid_t attribute, hid_t type, char *text, size_t size)
{
    bool is_read = false;
    if (H5Tis_variable_str(type) > 0) {
        char *whole = NULL;
        const hid_t memory = H5Tcopy(type);
        if (H5Aread(attribute, memory, &whole) >= 0 && whole && strlen(whole) < size) {
            strcpy(text, whole);
            is_read = true;
        }
        H5free_memory(whole);
        H5Tclose(memory);
    } else if (H5Tget_size(type) < size) {
        memset(text, 0, size);
        is_read = H5Aread(attribute, type, text) >= 0;
    }
    return is_read;
}

int h5io_read_text(h5io_file *file, const char *name, char *text, size_t size, bool *is_found)
{
    hid_t type = -1;
    hssize_t count = 0;
    const hid_t attribute = open_attribute(file, name, &type, &count);
    *is_found = attribute >= 0;
    if (!*is_found) {
        return CLI_DONE;
    }
    int status = CLI_DONE;
    if (count != 1 || H5Tget_class(type) != H5T_STRING ||
        !read_string(attribute, type, text, size)) {
        status = hg_error(CLI_DATA, "%s: attribute %s: expected a word", file->path, name);
    }
    H5Tclose(type);
    H5Aclose(attribute);
    return status;
}

static int write_attribute(h5io_file *file, const char *name, hid_t type, hid_t space,
                           const void *value)
{
    const hid_t attribute = H5Acreate2(file->id, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool is_written = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
    if (attribute >= 0) {
        H5Aclose(attribute);
    }
    H5Sclose(space);
    return is_written ? CLI_DONE : h5io_cannot_write(file, name);
}

int h5io_write_int(h5io_file *file, const char *name, int64_t value)
{
    return write_attribute(file, name, H5T_NATIVE_INT64, H5Screate(H5S_SCALAR), &value);
}

int h5io_write_reals(h5io_file *file, const char *name, int n, const double *values)
{
    const hsize_t count = (hsize_t)n;
    return write_attribute(file, name, H5T_NATIVE_DOUBLE,
                           n == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, NULL),
                           values);
}

int h5io_write_text(h5io_file *file, const char *name, const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    const int status = write_attribute(file, name, type, H5Screate(H5S_SCALAR), &text);
    H5Tclose(type);
    return status;
}
