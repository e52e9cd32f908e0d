/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of a single DLTensor from outside: nothing in it is believed before it was looked at. */
#ifndef HG_TENSOR_TENSOR_H
#define HG_TENSOR_TENSOR_H

#include <headgate/dlpack_compat.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The memory of an array. bytes is 0 for an empty one and for one without data. */
typedef struct hg_extent {
    uintptr_t begin;
    size_t bytes;
} hg_extent;

/* Each function names the argument in its message and returns a status. In this order: */

/* Not NULL, 0 to HG_MAX_NDIM dimensions, no negative one. EINVAL, ESHAPE. */
int hg_tensor_check_shape(const char *name, const DLTensor *tensor);

/* One of the types of a mask (core/tensor/dtype.h). EDTYPE. */
int hg_tensor_check_dtype(const char *name, const DLTensor *tensor, uint32_t allowed);

/* On a device that is served. EDEVICE. */
int hg_tensor_check_device(const char *name, const DLTensor *tensor);

/* Counts that fit, row-major strides, data where there are elements (unless data may be missing),
 * alignment. The shape and the type were checked. ESHAPE, ESTRIDE, EINVAL. */
int hg_tensor_check_memory(const char *name, const DLTensor *tensor, bool needs_data,
                           hg_extent *extent);

bool hg_extents_overlap(const hg_extent *a, const hg_extent *b);

/* Number of elements; the shape was checked. */
int64_t hg_tensor_count(const DLTensor *tensor);

#endif
