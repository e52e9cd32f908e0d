// SPDX-License-Identifier: BSD-3-Clause
// Arrays for the tests of kernels: they end at a page that must not be touched, and inputs cannot
// be written.
#ifndef HG_TESTS_ARRAY_H
#define HG_TESTS_ARRAY_H

#include <headgate/headgate.h>
#include <stdio.h>

enum { ARRAY_MAX_NDIM = 8 };

typedef struct array {
    DLTensor dl; // with a byte_offset that is not 0
    int64_t shape[ARRAY_MAX_NDIM];
    int64_t count; // elements
    size_t element, bytes;
    void *data; // first element; the page behind the last one is closed
    void *map;
    size_t map_bytes;
} array;

// Types are "f32", "f64", "c64", "c128", "i32", "i64". The contents of a new array are zero.
array *array_new(const char *type, int ndim, const int64_t *shape);
#define array_1d(type, n) array_new(type, 1, (const int64_t[]){n})
#define array_2d(type, n, m) array_new(type, 2, (const int64_t[]){n, m})
#define array_3d(type, n, m, k) array_new(type, 3, (const int64_t[]){n, m, k})
void array_free(array *a); // NULL is fine
// The same numbers in another type of the same kind (real, complex, integer).
array *array_as(const array *a, const char *type);
array *array_copy(const array *a);
const char *array_type(const array *a);

// Number i of the array; complex elements are two numbers each.
double array_get(const array *a, int64_t i);
void array_put(array *a, int64_t i, double value);
int64_t array_numbers(const array *a);

// Fills with a pattern that no result has; whether all of it, and what lies in front of the array,
// still is.
void array_poison(array *a);
int array_is_poisoned(const array *a);
// Whether what lies in front of the array was left alone.
int array_is_sound(const array *a);
void array_protect(array *a, int is_read_only);

// Largest |a - b| and |a| over all numbers; NaN where only one of the two is NaN counts as
// infinite.
double array_distance(const array *a, const array *b);
double array_peak(const array *a);
int array_equal_bits(const array *a, const array *b);

// Stored results: each file is a sequence of NumPy records (version 1, little endian, row-major),
// read in turn.
FILE *stored_open(const char *path_below_tests_data);
array *stored_next(FILE *file);

// Deterministic numbers for inputs that are made on the spot: uniform in [0, 1), and standard
// normal.
double random_uniform(uint64_t *seed);
double random_normal(uint64_t *seed);

#endif
