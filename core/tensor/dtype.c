/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of element types, and words for types and devices. */
#include "core/tensor/dtype.h"

#include "core/tensor/problem.h"

#include <string.h>

typedef struct dtype_row {
    uint32_t dtype;
    const char *word;
    uint8_t code;
    uint8_t bits;
} dtype_row;

static const dtype_row dtypes[] = {
    {HGATE_F32, "f32", HGATE_DL_FLOAT, 32},   {HGATE_F64, "f64", HGATE_DL_FLOAT, 64},
    {HGATE_C64, "c64", HGATE_DL_COMPLEX, 64}, {HGATE_C128, "c128", HGATE_DL_COMPLEX, 128},
    {HG_I32, "int32", HGATE_DL_INT, 32},      {HG_I64, "int64", HGATE_DL_INT, 64},
};
enum { N_DTYPES = sizeof dtypes / sizeof *dtypes };

static const dtype_row *row_of(uint32_t dtype)
{
    for (int i = 0; i < N_DTYPES; i++) {
        if (dtypes[i].dtype == dtype) {
            return &dtypes[i];
        }
    }
    return NULL;
}

uint32_t hg_dtype_of(DLDataType type)
{
    switch ((uint32_t)type.lanes << 16 | (uint32_t)type.code << 8 | type.bits) {
    case 1 << 16 | HGATE_DL_FLOAT << 8 | 32:
        return HGATE_F32;
    case 1 << 16 | HGATE_DL_FLOAT << 8 | 64:
        return HGATE_F64;
    case 1 << 16 | HGATE_DL_COMPLEX << 8 | 64:
        return HGATE_C64;
    case 1 << 16 | HGATE_DL_COMPLEX << 8 | 128:
        return HGATE_C128;
    case 1 << 16 | HGATE_DL_INT << 8 | 32:
        return HG_I32;
    case 1 << 16 | HGATE_DL_INT << 8 | 64:
        return HG_I64;
    default:
        return 0;
    }
}

DLDataType hg_dtype_dlpack(uint32_t dtype)
{
    const dtype_row *row = row_of(dtype);
    return row ? (DLDataType){row->code, row->bits, 1} : (DLDataType){0, 0, 0};
}

const char *hg_dtype_word(uint32_t dtype)
{
    const dtype_row *row = row_of(dtype);
    return row ? row->word : NULL;
}

uint32_t hg_dtype_find(const char *word)
{
    for (int i = 0; i < N_DTYPES; i++) {
        if (strcmp(dtypes[i].word, word) == 0) {
            return dtypes[i].dtype & HG_FLOAT_TYPES;
        }
    }
    return 0;
}

size_t hg_dtype_bytes(uint32_t dtype)
{
    const dtype_row *row = row_of(dtype);
    return row ? row->bits / 8u : 0;
}

void hg_dtype_describe(hg_text *text, DLDataType type)
{
    static const char *const codes[] = {"int", "uint", "float", "handle", "bfloat", "complex"};
    enum { N_CODES = sizeof codes / sizeof *codes };
    DLDataType scalar = {type.code, type.bits, 1};
    const dtype_row *row = row_of(hg_dtype_of(scalar));
    if (row) {
        hg_text_put(text, row->word);
    } else if (type.code < N_CODES) {
        hg_text_printf(text, "%s%d", codes[type.code], type.bits);
    } else {
        hg_text_printf(text, "code %d with %d bits", type.code, type.bits);
    }
    if (type.lanes != 1) {
        hg_text_printf(text, " x %d", type.lanes);
    }
}

void hg_dtype_describe_mask(hg_text *text, uint32_t mask)
{
    const char *separator = "";
    for (int i = 0; i < N_DTYPES; i++) {
        if (mask & dtypes[i].dtype) {
            hg_text_printf(text, "%s%s", separator, dtypes[i].word);
            separator = " or ";
        }
    }
}

uint32_t hg_space_of(DLDevice device)
{
    switch ((int)device.device_type) {
    case HGATE_DL_CPU:
        return HGATE_SPACE_HOST;
    case HGATE_DL_CUDA:
        return HGATE_SPACE_CUDA;
    case HGATE_DL_CUDA_HOST:
        return HGATE_SPACE_CUDA_HOST;
    case HGATE_DL_CUDA_MANAGED:
        return HGATE_SPACE_CUDA_MANAGED;
    default:
        return 0;
    }
}

void hg_space_describe(hg_text *text, DLDevice device)
{
    switch (hg_space_of(device)) {
    case HGATE_SPACE_HOST:
        hg_text_put(text, "host");
        break;
    case HGATE_SPACE_CUDA_HOST:
        hg_text_put(text, "pinned");
        break;
    case HGATE_SPACE_CUDA:
        hg_text_printf(text, "cuda:%d", (int)device.device_id);
        break;
    case HGATE_SPACE_CUDA_MANAGED:
        hg_text_printf(text, "managed:%d", (int)device.device_id);
        break;
    default:
        hg_text_printf(text, "device type %d", (int)device.device_type);
    }
}
