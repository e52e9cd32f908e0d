/* SPDX-License-Identifier: BSD-3-Clause */
/* A single DLTensor from outside: every field may be wrong, and the message says which. */
#include "core/tensor/tensor.h"

#include "core/tensor/dtype.h"
#include "core/tensor/problem.h"
#include "tests/harness.h"
#include "tests/tensors.h"

#include <headgate/status.h>
#include <limits.h>
#include <string.h>

static double numbers[64];

/* All checks of one array in the order of the library. */
static int check(const DLTensor *tensor, bool needs_data, hg_extent *extent)
{
    int status = hg_tensor_check_shape("arr", tensor);
    if (status == HGATE_OK) {
        status = hg_tensor_check_dtype("arr", tensor, HG_FLOAT_TYPES);
    }
    if (status == HGATE_OK) {
        status = hg_tensor_check_device("arr", tensor);
    }
    return status == HGATE_OK ? hg_tensor_check_memory("arr", tensor, needs_data, extent) : status;
}

static void refused(const DLTensor *tensor, int expected, const char *text)
{
    hg_extent extent;
    ck_assert_int_eq(check(tensor, true, &extent), expected);
    ck_assert_str_eq(hgate_last_error(), text);
}

static void accepted(const DLTensor *tensor, size_t bytes)
{
    hg_extent extent = {1, 1};
    ck_assert_msg(check(tensor, true, &extent) == HGATE_OK, "%s", hgate_last_error());
    ck_assert_uint_eq(extent.bytes, bytes);
    if (bytes) {
        ck_assert_uint_eq(extent.begin, (uintptr_t)tensor->data + tensor->byte_offset);
    }
}

START_TEST(plain)
{
    DLTensor t = TENSOR(numbers, F64, 3, 4);
    accepted(&t, 96);
    ck_assert_int_eq(hg_tensor_count(&t), 12);
    t.strides = SHAPE(4, 1);
    accepted(&t, 96);
    t.byte_offset = 8;
    accepted(&t, 96);
    DLTensor scalar = TENSOR(numbers, C64, 1);
    scalar.ndim = 0;
    scalar.shape = NULL;
    accepted(&scalar, 8);
    ck_assert_int_eq(hg_tensor_count(&scalar), 1);
}
END_TEST

START_TEST(shapes)
{
    refused(NULL, HGATE_EINVAL, "arr: is NULL, expected an array");
    DLTensor t = TENSOR(numbers, F64, 3, 4);
    t.ndim = -1;
    refused(&t, HGATE_ESHAPE, "arr: has -1 dimensions, expected 0 to 8");
    t.ndim = 1000000000;
    refused(&t, HGATE_ESHAPE, "arr: has 1000000000 dimensions, expected 0 to 8");
    t.ndim = 2;
    t.shape = NULL;
    refused(&t, HGATE_EINVAL, "arr: shape is NULL, expected 2 numbers");
    t.shape = SHAPE(3, -4);
    refused(&t, HGATE_ESHAPE, "arr: shape is (3, -4), expected no negative number");
    t.shape = SHAPE(0, INT64_MIN);
    refused(&t, HGATE_ESHAPE,
            "arr: shape is (0, -9223372036854775808), expected no negative number");
}
END_TEST

START_TEST(sizes_that_overflow)
{
    static const struct {
        int64_t shape[2];
        int bits;
        bool is_refused;
    } rows[] = {
        {{INT64_C(1) << 32, INT64_C(1) << 31}, 32, true},      /* 2^63 elements */
        {{INT64_C(1) << 31, INT64_C(1) << 30}, 32, true},      /* 2^63 bytes */
        {{(INT64_C(1) << 30), (INT64_C(1) << 30)}, 32, false}, /* 2^62 bytes */
        {{(INT64_C(1) << 31), (INT64_C(1) << 29) - 1}, 64, false},
        {{INT64_MAX, 1}, 32, true},
        {{INT64_MAX, 0}, 64, false}, /* empty, whatever the other dimension says */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        DLTensor t = TENSOR(NULL, F32, rows[i].shape[0], rows[i].shape[1]);
        t.dtype.bits = (uint8_t)rows[i].bits;
        hg_extent extent;
        int status = check(&t, false, &extent);
        ck_assert_msg(status == (rows[i].is_refused ? HGATE_ESHAPE : HGATE_OK), "row %zu: %d", i,
                      status);
    }
}
END_TEST

START_TEST(types)
{
    static const struct {
        int code, bits, lanes;
        const char *word;
    } rows[] = {
        {HGATE_DL_FLOAT, 16, 1, "float16"},
        {HGATE_DL_INT, 32, 1, "int32"},
        {HGATE_DL_UINT, 8, 1, "uint8"},
        {HGATE_DL_COMPLEX, 32, 1, "complex32"},
        {4, 16, 1, "bfloat16"},
        {HGATE_DL_FLOAT, 64, 2, "f64 x 2"},
        {HGATE_DL_FLOAT, 32, 0, "f32 x 0"},
        {HGATE_DL_FLOAT, 128, 1, "float128"},
        {200, 7, 1, "code 200 with 7 bits"},
        {HGATE_DL_FLOAT, 8, 65535, "float8 x 65535"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        DLTensor t = TENSOR(numbers, F64, 3);
        t.dtype =
            (DLDataType){(uint8_t)rows[i].code, (uint8_t)rows[i].bits, (uint16_t)rows[i].lanes};
        char text[128] = "arr: type is ";
        strcat(text, rows[i].word);
        strcat(text, ", expected f32 or f64 or c64 or c128");
        refused(&t, HGATE_EDTYPE, text);
    }
}
END_TEST

START_TEST(devices)
{
    DLTensor t = TENSOR(numbers, F64, 3);
    static const int served[] = {HGATE_DL_CPU, HGATE_DL_CUDA, HGATE_DL_CUDA_HOST,
                                 HGATE_DL_CUDA_MANAGED};
    for (int type = -1; type < 20; type++) {
        bool is_served = false;
        for (int i = 0; i < 4; i++) {
            is_served = is_served || type == served[i];
        }
        t.device.device_type = (DLDeviceType)type;
        ck_assert_int_eq(hg_tensor_check_device("arr", &t), is_served ? HGATE_OK : HGATE_EDEVICE);
    }
    t.device.device_type = (DLDeviceType)8;
    refused(&t, HGATE_EDEVICE, "arr: is on device type 8, expected 1, 2, 3 or 13");
    t.device = (DLDevice){(DLDeviceType)HGATE_DL_CUDA, -1};
    refused(&t, HGATE_EDEVICE, "arr: device number is -1, expected 0 or more");
}
END_TEST

START_TEST(strides)
{
    static const struct {
        int64_t shape[3], strides[3];
        bool is_refused;
    } rows[] = {
        {{2, 3, 4}, {12, 4, 1}, false}, {{2, 3, 4}, {12, 4, 2}, true},
        {{2, 3, 4}, {1, 2, 6}, true},   {{2, 3, 4}, {-12, 4, 1}, true},
        {{2, 3, 4}, {24, 4, 1}, true},  {{1, 3, 4}, {99, 4, 1}, false},
        {{2, 1, 4}, {4, -7, 1}, false}, {{2, 3, 1}, {3, 1, 0}, false},
        {{2, 0, 4}, {5, 5, 5}, false},  {{2, 3, 4}, {0, 0, 0}, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        DLTensor t = TENSOR(numbers, F64, rows[i].shape[0], rows[i].shape[1], rows[i].shape[2]);
        t.strides = SHAPE(rows[i].strides[0], rows[i].strides[1], rows[i].strides[2]);
        hg_extent extent;
        int status = check(&t, true, &extent);
        ck_assert_msg(status == (rows[i].is_refused ? HGATE_ESTRIDE : HGATE_OK), "row %zu: %d", i,
                      status);
    }
    DLTensor t = TENSOR(numbers, F64, 3, 4);
    t.strides = SHAPE(1, 3);
    refused(&t, HGATE_ESTRIDE, "arr: strides are (1, 3), expected contiguous row-major order");
}
END_TEST

START_TEST(memory)
{
    DLTensor t = TENSOR(NULL, F64, 3, 4);
    refused(&t, HGATE_EINVAL, "arr: data is NULL, expected 96 bytes");
    hg_extent extent = {1, 1};
    ck_assert_int_eq(check(&t, false, &extent), HGATE_OK);
    ck_assert_uint_eq(extent.bytes, 0);
    t = TENSOR(NULL, F64, 3, 0);
    accepted(&t, 0);

    t = TENSOR(numbers, F64, 3);
    t.byte_offset = UINT64_MAX;
    refused(&t, HGATE_ESTRIDE,
            "arr: byte_offset is 18446744073709551615, beyond the address space");
    t.byte_offset = UINT64_MAX - (uintptr_t)numbers - 15; /* the last element reaches 2^64 */
    ck_assert_int_eq(check(&t, true, &extent), HGATE_ESTRIDE);
    t.byte_offset = 4;
    refused(&t, HGATE_ESTRIDE, "arr: first element is at an address 4 above a multiple of 8 bytes");
    t.dtype = (DLDataType){HGATE_DL_FLOAT, 32, 1};
    accepted(&t, 12);
    t = TENSOR((char *)numbers + 3, F32, 2);
    ck_assert_int_eq(check(&t, true, &extent), HGATE_ESTRIDE);
    t.byte_offset = 1;
    accepted(&t, 8);
}
END_TEST

START_TEST(overlap)
{
    static const struct {
        hg_extent a, b;
        bool overlaps;
    } rows[] = {
        {{100, 10}, {110, 10}, false}, {{100, 11}, {110, 10}, true}, {{100, 50}, {110, 10}, true},
        {{110, 10}, {100, 10}, false}, {{100, 0}, {100, 10}, false}, {{100, 10}, {100, 10}, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ck_assert_int_eq(hg_extents_overlap(&rows[i].a, &rows[i].b), rows[i].overlaps);
        ck_assert_int_eq(hg_extents_overlap(&rows[i].b, &rows[i].a), rows[i].overlaps);
    }
}
END_TEST

/* Nonsense in every field at once ends in a status, and nothing behind the struct is read. */
START_TEST(nonsense)
{
    uint64_t state = 12345;
    for (int round = 0; round < 100000; round++) {
        DLTensor t;
        unsigned char bytes[sizeof t];
        for (size_t i = 0; i < sizeof bytes; i++) {
            state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
            bytes[i] = (unsigned char)(state >> 56);
        }
        memcpy(&t, bytes, sizeof t);
        int64_t shape[HG_MAX_NDIM], axes[HG_MAX_NDIM];
        for (int i = 0; i < HG_MAX_NDIM; i++) {
            state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
            shape[i] = (int64_t)(state >> (state >> 58));
            axes[i] = (int64_t)(state << 7);
        }
        t.ndim = round % 3 ? round % 9 : t.ndim;
        t.shape = round % 7 ? shape : NULL;
        t.strides = round % 2 ? axes : NULL;
        t.dtype = round % 5 ? (DLDataType){HGATE_DL_FLOAT, 64, 1} : t.dtype;
        t.device.device_type = round % 4 ? (DLDeviceType)HGATE_DL_CUDA : t.device.device_type;
        hg_extent extent;
        int status = check(&t, true, &extent);
        ck_assert(status <= HGATE_OK);
        if (status == HGATE_OK) {
            ck_assert_uint_ge(extent.begin + extent.bytes, extent.begin);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tensor");
    TCase *tests = tcase_create("tensor");
    tcase_add_test(tests, plain);
    tcase_add_test(tests, shapes);
    tcase_add_test(tests, sizes_that_overflow);
    tcase_add_test(tests, types);
    tcase_add_test(tests, devices);
    tcase_add_test(tests, strides);
    tcase_add_test(tests, memory);
    tcase_add_test(tests, overlap);
    tcase_add_test(tests, nonsense);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
