/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of the command: sizes checked for overflow, elements reached by number. */
#include "tools/array.h"

#include "core/base/alloc.h"
#include "core/base/error.h"
#include "core/base/mathx.h"

#include <string.h>
#include <unistd.h>

typedef struct type_row {
    const char *word;
    size_t bytes;
    uint8_t code, bits;
} type_row;

static const type_row types[CLI_N_TYPES] = {
    [CLI_F32] = {"f32", 4, HGATE_DL_FLOAT, 32},   [CLI_F64] = {"f64", 8, HGATE_DL_FLOAT, 64},
    [CLI_C64] = {"c64", 8, HGATE_DL_COMPLEX, 64}, [CLI_C128] = {"c128", 16, HGATE_DL_COMPLEX, 128},
    [CLI_I32] = {"i32", 4, HGATE_DL_INT, 32},     [CLI_I64] = {"i64", 8, HGATE_DL_INT, 64},
};

const char *cli_type_word(cli_type type)
{
    return types[type].word;
}

size_t cli_type_bytes(cli_type type)
{
    return types[type].bytes;
}

bool cli_type_is_complex(cli_type type)
{
    return type == CLI_C64 || type == CLI_C128;
}

cli_type cli_real(bool is_double)
{
    return is_double ? CLI_F64 : CLI_F32;
}

cli_type cli_complex(bool is_double)
{
    return is_double ? CLI_C128 : CLI_C64;
}

int cli_array_set(cli_array *array, const char *name, cli_type type, int ndim, const int64_t *shape)
{
    int64_t count = 1;
    size_t bytes = 0;
    bool is_fine = ndim >= 0 && ndim <= HG_MAX_NDIM;
    for (int i = 0; is_fine && i < ndim; i++) {
        is_fine = shape[i] >= 0 && hg_int64_mul(count, shape[i], &count);
    }
    if (!is_fine || !hg_size_of_count(count, types[type].bytes, &bytes)) {
        return hg_error(HGATE_ESHAPE, "%s: the size overflows", name);
    }
    *array = (cli_array){.type = type, .is_given = true, .count = count, .bytes = bytes};
    for (int i = 0; i < ndim; i++) {
        array->shape[i] = shape[i];
    }
    array->dl.ndim = ndim;
    array->dl.shape = array->shape;
    array->dl.dtype = (DLDataType){types[type].code, types[type].bits, 1};
    array->dl.device.device_type = (DLDeviceType)HGATE_DL_CPU;
    return HGATE_OK;
}

/* Linux promises more memory than there is and ends the process when it is used. */
static bool is_beyond_machine(size_t bytes)
{
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 && bytes / (size_t)page >= (size_t)pages;
}

int cli_array_total(const cli_array *array, const char *name, size_t *bytes)
{
    if (array->steps > 0 && !hg_size_mul(array->bytes, (size_t)array->steps, bytes)) {
        return hg_error(HGATE_ESHAPE, "%s: the size overflows", name);
    }
    *bytes = array->steps > 0 ? *bytes : array->bytes;
    return HGATE_OK;
}

/* What lies behind each array, so that a kernel that goes too far is noticed. */
static const unsigned char behind[] = "end of array, do not write here";

int cli_array_allocate(cli_array *array, const char *name)
{
    size_t bytes = 0;
    const int status = cli_array_total(array, name, &bytes);
    if (status != HGATE_OK) {
        return status;
    }
    array->dl.data =
        is_beyond_machine(bytes) ? NULL : hg_alloc_aligned(NULL, bytes + sizeof behind, 64);
    if (!array->dl.data) {
        return hg_error_memory(name, bytes);
    }
    memset(array->dl.data, 0, bytes);
    array->end = (unsigned char *)array->dl.data + bytes;
    memcpy(array->end, behind, sizeof behind);
    return HGATE_OK;
}

bool cli_array_was_overrun(cli_array *array)
{
    if (!array->end || memcmp(array->end, behind, sizeof behind) == 0) {
        return false;
    }
    memcpy(array->end, behind, sizeof behind);
    return true;
}

void cli_array_free(cli_array *array)
{
    if (!array->is_borrowed) {
        hg_free(NULL, array->dl.data);
    }
    *array = (cli_array){0};
}

double cli_array_real(const cli_array *array, int64_t i)
{
    const void *data = array->dl.data;
    switch (array->type) {
    case CLI_F32:
        return (double)((const float *)data)[i];
    case CLI_C64:
        return (double)((const float *)data)[2 * i];
    case CLI_C128:
        return ((const double *)data)[2 * i];
    case CLI_I32:
        return (double)((const int32_t *)data)[i];
    case CLI_I64:
        return (double)((const int64_t *)data)[i];
    default:
        return ((const double *)data)[i];
    }
}

double cli_array_imag(const cli_array *array, int64_t i)
{
    const void *data = array->dl.data;
    switch (array->type) {
    case CLI_C64:
        return (double)((const float *)data)[2 * i + 1];
    case CLI_C128:
        return ((const double *)data)[2 * i + 1];
    default:
        return 0.0;
    }
}

void cli_array_put_complex(cli_array *array, int64_t i, double re, double im)
{
    void *data = array->dl.data;
    switch (array->type) {
    case CLI_F32:
        ((float *)data)[i] = (float)re;
        break;
    case CLI_F64:
        ((double *)data)[i] = re;
        break;
    case CLI_C64:
        ((float *)data)[2 * i] = (float)re;
        ((float *)data)[2 * i + 1] = (float)im;
        break;
    case CLI_C128:
        ((double *)data)[2 * i] = re;
        ((double *)data)[2 * i + 1] = im;
        break;
    default:
        cli_array_put_index(array, i, (int64_t)re);
        break;
    }
}

void cli_array_put(cli_array *array, int64_t i, double value)
{
    cli_array_put_complex(array, i, value, 0.0);
}

void cli_array_put_index(cli_array *array, int64_t i, int64_t value)
{
    if (array->type == CLI_I32) {
        ((int32_t *)array->dl.data)[i] = (int32_t)value;
    } else {
        ((int64_t *)array->dl.data)[i] = value;
    }
}
