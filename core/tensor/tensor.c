/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of a single DLTensor. */
#include "core/tensor/tensor.h"

#include "core/base/error.h"
#include "core/base/mathx.h"
#include "core/tensor/dtype.h"
#include "core/tensor/problem.h"
#include "core/tensor/shape_rule.h"

#include <headgate/status.h>

enum { TEXT_BYTES = 192 };

/* Writes "NAME: BEFORE <what was put in the text> AFTER". */
#define TEXT(NAME)                                                                                 \
    char NAME##_bytes[TEXT_BYTES];                                                                 \
    hg_text NAME = hg_text_over(NAME##_bytes, sizeof NAME##_bytes)

int hg_tensor_check_shape(const char *name, const DLTensor *tensor)
{
    if (!tensor) {
        return hg_error(HGATE_EINVAL, "%s: is NULL, expected an array", name);
    }
    if (tensor->ndim < 0 || tensor->ndim > HG_MAX_NDIM) {
        return hg_error(HGATE_ESHAPE, "%s: has %d dimensions, expected 0 to %d", name, tensor->ndim,
                        HG_MAX_NDIM);
    }
    if (tensor->ndim > 0 && !tensor->shape) {
        return hg_error(HGATE_EINVAL, "%s: shape is NULL, expected %d numbers", name, tensor->ndim);
    }
    for (int i = 0; i < tensor->ndim; i++) {
        if (tensor->shape[i] < 0) {
            TEXT(shape);
            hg_shape_describe(&shape, tensor->ndim, tensor->shape);
            return hg_error(HGATE_ESHAPE, "%s: shape is %s, expected no negative number", name,
                            shape.data);
        }
    }
    return HGATE_OK;
}

int hg_tensor_check_dtype(const char *name, const DLTensor *tensor, uint32_t allowed)
{
    if (hg_dtype_of(tensor->dtype) & allowed) {
        return HGATE_OK;
    }
    TEXT(found);
    TEXT(expected);
    hg_dtype_describe(&found, tensor->dtype);
    hg_dtype_describe_mask(&expected, allowed);
    return hg_error(HGATE_EDTYPE, "%s: type is %s, expected %s", name, found.data, expected.data);
}

int hg_tensor_check_device(const char *name, const DLTensor *tensor)
{
    uint32_t space = hg_space_of(tensor->device);
    if (!space) {
        return hg_error(HGATE_EDEVICE, "%s: is on device type %d, expected 1, 2, 3 or 13", name,
                        (int)tensor->device.device_type);
    }
    if (!(space & HG_HOST_SPACES) && tensor->device.device_id < 0) {
        return hg_error(HGATE_EDEVICE, "%s: device number is %d, expected 0 or more", name,
                        (int)tensor->device.device_id);
    }
    return HGATE_OK;
}

static bool is_empty(const DLTensor *tensor)
{
    for (int i = 0; i < tensor->ndim; i++) {
        if (tensor->shape[i] == 0) {
            return true;
        }
    }
    return false;
}

int64_t hg_tensor_count(const DLTensor *tensor)
{
    int64_t count = is_empty(tensor) ? 0 : 1;
    for (int i = 0; count && i < tensor->ndim; i++) {
        count *= tensor->shape[i];
    }
    return count;
}

/* Bytes of all elements. A dimension of 0 wins over any other, however large. */
static int measure(const char *name, const DLTensor *tensor, size_t *bytes)
{
    size_t element = hg_dtype_bytes(hg_dtype_of(tensor->dtype));
    int64_t count = 1;
    bool fits = true;
    *bytes = 0;
    if (is_empty(tensor)) {
        return HGATE_OK;
    }
    for (int i = 0; fits && i < tensor->ndim; i++) {
        fits = hg_int64_mul(count, tensor->shape[i], &count);
    }
    if (fits && hg_size_of_count(count, element, bytes) && *bytes <= PTRDIFF_MAX) {
        return HGATE_OK;
    }
    TEXT(shape);
    hg_shape_describe(&shape, tensor->ndim, tensor->shape);
    return hg_error(HGATE_ESHAPE, "%s: shape is %s, more bytes than an address can reach", name,
                    shape.data);
}

/* Row-major without gaps. A dimension of length 1 is never stepped along, so its stride is free. */
static int check_strides(const char *name, const DLTensor *tensor)
{
    int64_t expected = 1;
    for (int i = tensor->ndim - 1; tensor->strides && i >= 0; i--) {
        if (tensor->shape[i] != 1 && tensor->strides[i] != expected) {
            TEXT(strides);
            hg_shape_describe(&strides, tensor->ndim, tensor->strides);
            return hg_error(HGATE_ESTRIDE,
                            "%s: strides are %s, expected contiguous row-major order", name,
                            strides.data);
        }
        expected *= tensor->shape[i];
    }
    return HGATE_OK;
}

int hg_tensor_check_memory(const char *name, const DLTensor *tensor, bool needs_data,
                           hg_extent *extent)
{
    *extent = (hg_extent){0, 0};
    size_t bytes;
    int status = measure(name, tensor, &bytes);
    if (status != HGATE_OK || bytes == 0) {
        return status;
    }
    status = check_strides(name, tensor);
    if (status != HGATE_OK) {
        return status;
    }
    if (!tensor->data) {
        return needs_data
                   ? hg_error(HGATE_EINVAL, "%s: data is NULL, expected %zu bytes", name, bytes)
                   : HGATE_OK;
    }
    size_t begin, end;
    if (!hg_size_add((size_t)(uintptr_t)tensor->data, tensor->byte_offset, &begin) ||
        !hg_size_add(begin, bytes, &end)) {
        return hg_error(HGATE_ESTRIDE, "%s: byte_offset is %llu, beyond the address space", name,
                        (unsigned long long)tensor->byte_offset);
    }
    size_t element = hg_dtype_bytes(hg_dtype_of(tensor->dtype));
    if (begin % element) {
        return hg_error(HGATE_ESTRIDE,
                        "%s: first element is at an address %zu above a multiple of %zu bytes",
                        name, begin % element, element);
    }
    *extent = (hg_extent){begin, bytes};
    return HGATE_OK;
}

bool hg_extents_overlap(const hg_extent *a, const hg_extent *b)
{
    return a->bytes && b->bytes && a->begin < b->begin + b->bytes && b->begin < a->begin + a->bytes;
}
