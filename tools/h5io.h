/* SPDX-License-Identifier: BSD-3-Clause */
/* Named arrays and attributes in HDF5 files: datasets and attributes of the root group.
 *
 * Messages name the file. Without libhdf5 at build time every function answers CLI_UNAVAILABLE. */
#ifndef CLI_H5IO_H
#define CLI_H5IO_H

#include "tools/array.h"

typedef struct h5io_file h5io_file;

/* ---- reading ----------------------------------------------------------------------------- */

/** CLI_NO_INPUT when there is no such file, CLI_DATA when it is not HDF5. */
int h5io_open(const char *path, h5io_file **file);
/** Gives the array the type and shape of a dataset, without memory. `as` is the element type
 * wanted, or CLI_N_TYPES for the nearest one: floats of up to 32 bits become f32, wider ones f64,
 * whole numbers i32 or i64, compounds {r, i} of floats c64 or c128; any byte order. Sizes are
 * compared with what the file holds. *is_found false: there is none, and no error. */
int h5io_shape(h5io_file *file, const char *name, cli_type as, cli_array *array, bool *is_found);
/** Memory for an array, unless it has some, and its data: the whole dataset (axis -1), or the
 * hyperslab of the array's extent from `first` on along an axis of the dataset. */
int h5io_fill(h5io_file *file, const char *name, cli_array *array, int axis, int64_t first);
/** From now on h5io_fill() asks every 64 MiB whether to go on, and answers HGATE_ESTOPPED if not.
 */
void h5io_watch(h5io_file *file, bool (*is_stopped)(void *user), void *user);
/** Reads an attribute of n numbers; flags may be booleans. */
int h5io_read_numbers(h5io_file *file, const char *name, int n, double *values, bool *is_found);
/** Reads an attribute that is a string of less than `size` bytes. */
int h5io_read_text(h5io_file *file, const char *name, char *text, size_t size, bool *is_found);
/** Calls visit for every link and every attribute of the root group. */
int h5io_each(h5io_file *file, void (*visit)(void *user, const char *name, bool is_attribute),
              void *user);

/* ---- writing ----------------------------------------------------------------------------- */

/** An empty file in place of what `fd`, open for reading and writing, has now. path is for
 * messages.
 */
int h5io_create(int fd, const char *path, h5io_file **file);
int h5io_write(h5io_file *file, const char *name, const cli_array *array);
/** A dataset of the array's type and shape in one piece, for others to write: *offset is where its
 *  data begin in the finished file, in the byte order of this machine. */
int h5io_reserve(h5io_file *file, const char *name, const cli_array *array, int64_t *offset);
int h5io_write_int(h5io_file *file, const char *name, int64_t value);
int h5io_write_reals(h5io_file *file, const char *name, int n, const double *values);
int h5io_write_text(h5io_file *file, const char *name, const char *text);
/** Brings all to the file and reports what failed on the way. Closes the file in any case. */
int h5io_finish(h5io_file *file);

/** Closes a file that was read, or that failed. NULL is fine. */
void h5io_close(h5io_file *file);

#endif
