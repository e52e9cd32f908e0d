/* SPDX-License-Identifier: BSD-3-Clause */
/* An array of an operation: a DLTensor with its own shape, with or without memory behind it. */
#ifndef CLI_ARRAY_H
#define CLI_ARRAY_H

#include "core/tensor/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum cli_type {
    CLI_F32,
    CLI_F64,
    CLI_C64,
    CLI_C128,
    CLI_I32,
    CLI_I64,
    CLI_N_TYPES
} cli_type;

/** Must not be moved once it is set: dl.shape points into it. */
typedef struct cli_array {
    DLTensor dl;
    int64_t shape[HG_MAX_NDIM];
    cli_type type;
    bool is_given;    /* false: an optional argument that is absent */
    bool is_borrowed; /* the memory belongs to another array */
    int64_t count;    /* elements */
    size_t bytes;
    int64_t steps; /* > 0: so many arrays of this shape one behind another, as a leading axis */
    unsigned char *end; /* of memory that was allocated here: a pattern that nobody may touch */
} cli_array;

/** "f32", "c128", "i64": the words of the command line and of messages. */
const char *cli_type_word(cli_type type);
size_t cli_type_bytes(cli_type type);
bool cli_type_is_complex(cli_type type);
/** The real or complex type of a precision. */
cli_type cli_real(bool is_double);
cli_type cli_complex(bool is_double);

/** Gives the array a type and a shape on the host, without memory. name is for the message.
 *  HGATE_ESHAPE for a size that overflows. */
int cli_array_set(cli_array *array, const char *name, cli_type type, int ndim,
                  const int64_t *shape);
/** Bytes of all its steps; HGATE_ESHAPE when they overflow. */
int cli_array_total(const cli_array *array, const char *name, size_t *bytes);
/** Memory of zeros behind a shape; HGATE_ENOMEM names the bytes. */
int cli_array_allocate(cli_array *array, const char *name);
void cli_array_free(cli_array *array);
/** Did somebody write behind the end? Told once. */
bool cli_array_was_overrun(cli_array *array);

/** Element i of a host array of any type; the imaginary part of a complex one apart. */
double cli_array_real(const cli_array *array, int64_t i);
double cli_array_imag(const cli_array *array, int64_t i);
/** Stores a number, rounded to the type once. */
void cli_array_put(cli_array *array, int64_t i, double value);
void cli_array_put_complex(cli_array *array, int64_t i, double re, double im);
void cli_array_put_index(cli_array *array, int64_t i, int64_t value);

#endif
