/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading datasets of an HDF5 file that may be anything. */
#include "tools/h5io_int.h"

#include "core/base/mathx.h"
#include "tools/report.h"

#include <string.h>

/* HDF5 believes the bit fields that a file gives a number, and runs over its own stack where they
 * lie outside of the number's bytes. */
bool h5io_is_sound_number(hid_t type)
{
    const size_t bytes = H5Tget_size(type), bits = 8 * bytes, used = H5Tget_precision(type);
    const int offset = H5Tget_offset(type);
    if (bytes == 0 || bytes > sizeof(long double) || used == 0 || used > bits || offset < 0 ||
        (size_t)offset > bits - used) {
        return false;
    }
    if (H5Tget_class(type) != H5T_FLOAT) {
        return true;
    }
    size_t sign, exponent, exponent_bits, mantissa, mantissa_bits;
    return H5Tget_fields(type, &sign, &exponent, &exponent_bits, &mantissa, &mantissa_bits) >= 0 &&
           sign < bits && exponent_bits > 0 && exponent_bits < 32 && exponent < bits &&
           exponent_bits <= bits - exponent && mantissa_bits > 0 && mantissa < bits &&
           mantissa_bits <= bits - mantissa;
}

/* Bytes of a float member of a compound; 0 when there is no such member or it is no float. */
static size_t float_member_bytes(hid_t type, const char *name)
{
    size_t bytes = 0;
    const int at = H5Tget_member_index(type, name);
    if (at >= 0) {
        const hid_t member = H5Tget_member_type(type, (unsigned)at);
        if (H5Tget_class(member) == H5T_FLOAT && h5io_is_sound_number(member)) {
            bytes = H5Tget_size(member);
        }
        H5Tclose(member);
    }
    return bytes;
}

/* Nearest type of ours for what is stored; CLI_N_TYPES: none. */
static cli_type nearest_type(hid_t stored)
{
    const size_t bytes = H5Tget_size(stored);
    switch (H5Tget_class(stored)) {
    case H5T_FLOAT:
        return !h5io_is_sound_number(stored) ? CLI_N_TYPES : bytes <= 4 ? CLI_F32 : CLI_F64;
    case H5T_INTEGER: {
        if (!h5io_is_sound_number(stored)) {
            return CLI_N_TYPES;
        }
        const bool fits = bytes < 4 || (bytes == 4 && H5Tget_sign(stored) == H5T_SGN_2);
        return bytes > 8 ? CLI_N_TYPES : fits ? CLI_I32 : CLI_I64;
    }
    case H5T_COMPOUND: {
        const size_t re = float_member_bytes(stored, "r"), im = float_member_bytes(stored, "i");
        if (H5Tget_nmembers(stored) != 2 || re == 0 || im == 0) {
            return CLI_N_TYPES;
        }
        return re <= 4 && im <= 4 ? CLI_C64 : CLI_C128;
    }
    default:
        return CLI_N_TYPES;
    }
}

/* ---- reading datasets -------------------------------------------------------------------- */

enum { DEFLATE_RATIO = 1100 }; /* zlib reaches 1032 at best */

/* An honest file holds what it claims, or compresses it. Keeps a small file from asking for a huge
 * amount of memory. */
static int check_stored(const h5io_file *file, const char *name, hid_t dataset, size_t claimed)
{
    const hid_t plist = H5Dget_create_plist(dataset);
    const bool is_packed = H5Pget_nfilters(plist) > 0;
    const bool is_elsewhere =
        H5Pget_external_count(plist) != 0 || H5Pget_layout(plist) == H5D_VIRTUAL;
    H5Pclose(plist);
    if (is_elsewhere) {
        return hg_error(CLI_DATA, "%s: %s: the data are in another file", file->path, name);
    }
    const hsize_t stored = H5Dget_storage_size(dataset);
    const hsize_t most = is_packed ? DEFLATE_RATIO * stored : stored;
    if (claimed > most) {
        return hg_error(CLI_DATA, "%s: %s: claims %zu bytes, the file holds %llu", file->path, name,
                        claimed, (unsigned long long)stored);
    }
    return CLI_DONE;
}

static int set_shape(const h5io_file *file, const char *name, hid_t dataset, cli_type type,
                     cli_array *array)
{
    hsize_t extents[H5S_MAX_RANK];
    int64_t shape[HG_MAX_NDIM];
    const hid_t space = H5Dget_space(dataset);
    const int ndim = H5Sget_simple_extent_ndims(space);
    const bool is_array = ndim >= 0 && H5Sget_simple_extent_type(space) != H5S_NULL &&
                          H5Sget_simple_extent_dims(space, extents, NULL) == ndim;
    H5Sclose(space);
    if (!is_array || ndim > HG_MAX_NDIM) {
        return hg_error(CLI_DATA, "%s: %s: has %d dimensions, at most %d can be", file->path, name,
                        ndim, HG_MAX_NDIM);
    }
    for (int i = 0; i < ndim; i++) {
        shape[i] = extents[i] > INT64_MAX ? -1 : (int64_t)extents[i]; /* -1 is refused below */
    }
    return cli_array_set(array, name, type, ndim, shape);
}

/* Type and shape of a dataset whose size is believed; no memory yet. */
static int look_at(const h5io_file *file, const char *name, hid_t dataset, cli_type as,
                   cli_array *array)
{
    const hid_t stored = H5Dget_type(dataset);
    const cli_type near = nearest_type(stored);
    const size_t bytes = H5Tget_size(stored);
    H5Tclose(stored);
    if (near == CLI_N_TYPES) {
        return hg_error(CLI_DATA, "%s: %s: not an array of numbers or of pairs {r, i}", file->path,
                        name);
    }
    /* only a type of the same class; else the library refuses what is there */
    const bool is_like = as != CLI_N_TYPES && (as >= CLI_I32) == (near >= CLI_I32) &&
                         cli_type_is_complex(as) == cli_type_is_complex(near);
    int status = set_shape(file, name, dataset, is_like ? as : near, array);
    size_t claimed = 0;
    if (status == CLI_DONE && !hg_size_of_count(array->count, bytes, &claimed)) {
        status = hg_error(HGATE_ESHAPE, "%s: the size overflows", name);
    }
    if (status == CLI_DONE) {
        status = check_stored(file, name, dataset, claimed);
    }
    if (status != CLI_DONE) {
        cli_array_free(array);
    }
    return status;
}

static int open_dataset(const h5io_file *file, const char *name, hid_t *dataset)
{
    H5L_info_t link;
    if (H5Lget_info(file->id, name, &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD) {
        return hg_error(CLI_DATA, "%s: %s: a link to another place, not a dataset", file->path,
                        name);
    }
    *dataset = H5Dopen2(file->id, name, H5P_DEFAULT);
    return *dataset >= 0 ? CLI_DONE : hg_error(CLI_DATA, "%s: %s: not a dataset", file->path, name);
}

int h5io_shape(h5io_file *file, const char *name, cli_type as, cli_array *array, bool *is_found)
{
    hid_t dataset = -1;
    *is_found = H5Lexists(file->id, name, H5P_DEFAULT) > 0;
    if (!*is_found) {
        return CLI_DONE;
    }
    int status = open_dataset(file, name, &dataset);
    if (status == CLI_DONE) {
        status = look_at(file, name, dataset, as, array);
        H5Dclose(dataset);
    }
    return status;
}

/* Where the array's part begins in its dataset; false where it is not within it. */
static bool find_start(hid_t space, const cli_array *array, int axis, int64_t first, hsize_t *start)
{
    hsize_t extents[HG_MAX_NDIM + 1], whole[H5S_MAX_RANK];
    const int ndim = h5io_extents(array, extents);
    if (H5Sget_simple_extent_ndims(space) != ndim ||
        H5Sget_simple_extent_dims(space, whole, NULL) != ndim) {
        return false;
    }
    for (int i = 0; i < ndim; i++) {
        start[i] = i == axis ? (hsize_t)first : 0;
        if (i == axis ? start[i] + extents[i] > whole[i] : extents[i] != whole[i]) {
            return false;
        }
    }
    return true;
}

static bool read_block(hid_t dataset, hid_t memory, hid_t from, int ndim, const hsize_t *start,
                       const hsize_t *extents, void *to)
{
    const hid_t space = H5Screate_simple(ndim, extents, NULL);
    const bool is_selected =
        ndim == 0 || H5Sselect_hyperslab(from, H5S_SELECT_SET, start, NULL, extents, NULL) >= 0;
    const bool is_read = is_selected && H5Dread(dataset, memory, space, from, H5P_DEFAULT, to) >= 0;
    H5Sclose(space);
    return is_read;
}

enum { BLOCK_BYTES = 64 << 20 }; /* what is read between two looks at whether to go on */

/* In blocks of rows, so that who waits for a long reading can stop it. */
static int read_slab(const h5io_file *file, const char *name, hid_t dataset, cli_array *array,
                     int axis, int64_t first)
{
    hsize_t extents[HG_MAX_NDIM + 1] = {1}, start[HG_MAX_NDIM + 1] = {0};
    const int ndim = h5io_extents(array, extents);
    const hsize_t n_rows = ndim > 0 ? extents[0] : 1;
    size_t bytes = 0;
    const hid_t from = H5Dget_space(dataset);
    const hid_t memory = h5io_memory_type(array->type);
    bool is_read = find_start(from, array, axis, first, start);
    int status = cli_array_total(array, name, &bytes);
    const size_t row_bytes = bytes / n_rows;
    const hsize_t most = row_bytes < BLOCK_BYTES ? BLOCK_BYTES / row_bytes : 1;
    for (hsize_t row = 0; status == CLI_DONE && is_read && row < n_rows; row += most) {
        extents[0] = n_rows - row < most ? n_rows - row : most;
        is_read = read_block(dataset, memory, from, ndim, start, extents,
                             (char *)array->dl.data + row * row_bytes);
        start[0] += extents[0];
        if (file->is_stopped && file->is_stopped(file->user)) {
            status = hg_error(HGATE_ESTOPPED, "%s: reading was stopped", file->path);
        }
    }
    H5Tclose(memory);
    H5Sclose(from);
    return is_read ? status
                   : hg_error(CLI_DATA,
                              "%s: %s: cannot be read; the file is damaged, or needs a "
                              "filter that is not here",
                              file->path, name);
}

int h5io_fill(h5io_file *file, const char *name, cli_array *array, int axis, int64_t first)
{
    hid_t dataset = -1;
    int status = array->dl.data ? CLI_DONE : cli_array_allocate(array, name);
    if (status == CLI_DONE && array->count > 0) {
        status = open_dataset(file, name, &dataset);
    }
    if (dataset >= 0) {
        status = read_slab(file, name, dataset, array, axis, first);
        H5Dclose(dataset);
    }
    return status;
}

void h5io_watch(h5io_file *file, bool (*is_stopped)(void *user), void *user)
{
    file->is_stopped = is_stopped;
    file->user = user;
}

/* ---- what is there ----------------------------------------------------------------------- */

typedef struct visitor {
    void (*visit)(void *user, const char *name, bool is_attribute);
    void *user;
} visitor;

static herr_t visit_link(hid_t group, const char *name, const H5L_info_t *info, void *user)
{
    (void)group, (void)info;
    const visitor *v = user;
    v->visit(v->user, name, false);
    return 0;
}

static herr_t visit_attribute(hid_t location, const char *name, const H5A_info_t *info, void *user)
{
    (void)location, (void)info;
    const visitor *v = user;
    v->visit(v->user, name, true);
    return 0;
}

int h5io_each(h5io_file *file, void (*visit)(void *user, const char *name, bool is_attribute),
              void *user)
{
    visitor v = {visit, user};
    if (H5Literate(file->id, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, visit_link, &v) < 0 ||
        H5Aiterate2(file->id, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, visit_attribute, &v) < 0) {
        return hg_error(CLI_DATA, "%s: cannot be read; the file is damaged", file->path);
    }
    return CLI_DONE;
}
