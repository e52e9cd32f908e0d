/* SPDX-License-Identifier: BSD-3-Clause */
/* DLTensors for tests, made in one expression: TENSOR(data, F64, 3, 4). */
#ifndef HG_TESTS_TENSORS_H
#define HG_TESTS_TENSORS_H

#include <headgate/dlpack_compat.h>

#define F32 HGATE_DL_FLOAT, 32
#define F64 HGATE_DL_FLOAT, 64
#define C64 HGATE_DL_COMPLEX, 64
#define C128 HGATE_DL_COMPLEX, 128
#define I32 HGATE_DL_INT, 32
#define I64 HGATE_DL_INT, 64

/* The shape lives as long as the block that holds the expression. */
#define SHAPE(...)                                                                                 \
    (int64_t[])                                                                                    \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define TENSOR(DATA, TYPE, ...)                                                                    \
    tensor_of((DATA), TYPE, (int)(sizeof SHAPE(__VA_ARGS__) / sizeof(int64_t)), SHAPE(__VA_ARGS__))

static inline DLTensor tensor_of(const void *data, int code, int bits, int ndim, int64_t *shape)
{
    return (DLTensor){.data = (void *)(uintptr_t)data,
                      .device = {(DLDeviceType)HGATE_DL_CPU, 0},
                      .ndim = ndim,
                      .dtype = {(uint8_t)code, (uint8_t)bits, 1},
                      .shape = shape};
}

#endif
