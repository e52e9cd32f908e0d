/* SPDX-License-Identifier: BSD-3-Clause */
/* Element types and memory spaces: DLPack's numbers, the masks of the plugin ABI and their words.
 */
#ifndef HG_TENSOR_DTYPE_H
#define HG_TENSOR_DTYPE_H

#include "core/base/text.h"

#include <headgate/plugin.h>

/* Integer types go on where HGATE_F32 ... HGATE_C128 end. Plugins do not see these two. */
enum { HG_I32 = 16, HG_I64 = 32 };

enum { HG_FLOAT_TYPES = HGATE_F32 | HGATE_F64 | HGATE_C64 | HGATE_C128 };
enum { HG_DOUBLE_TYPES = HGATE_F64 | HGATE_C128 };
enum { HG_COMPLEX_TYPES = HGATE_C64 | HGATE_C128 };
enum { HG_HOST_SPACES = HGATE_SPACE_HOST | HGATE_SPACE_CUDA_HOST };

/* Mask value of a type; 0 for types that no operation takes, vectors included. */
uint32_t hg_dtype_of(DLDataType type);
/* The type of a mask value. */
DLDataType hg_dtype_dlpack(uint32_t dtype);
/* Any type in words: "c64", "int8", "float16 x 2". */
void hg_dtype_describe(hg_text *text, DLDataType type);
/* A mask in words: "f32 or f64". */
void hg_dtype_describe_mask(hg_text *text, uint32_t mask);

/* Mask value of a DLPack device type; 0 for devices that are not served. */
uint32_t hg_space_of(DLDevice device);
/* Where an array is: "host", "pinned", "cuda:0", "managed:0", "device type 7". */
void hg_space_describe(hg_text *text, DLDevice device);

#endif
