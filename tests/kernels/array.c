// SPDX-License-Identifier: BSD-3-Clause
// Arrays for the tests of kernels: they end at a page that must not be touched, and inputs cannot
// be written.
#include "tests/kernels/array.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { POISON = 0xA5, OFFSET_ELEMENTS = 3 };

static const struct {
    const char *word, *npy;
    uint8_t code, bits;
} types[] = {{"f32", "<f4", HGATE_DL_FLOAT, 32},   {"f64", "<f8", HGATE_DL_FLOAT, 64},
             {"c64", "<c8", HGATE_DL_COMPLEX, 64}, {"c128", "<c16", HGATE_DL_COMPLEX, 128},
             {"i32", "<i4", HGATE_DL_INT, 32},     {"i64", "<i8", HGATE_DL_INT, 64}};
enum { N_TYPES = sizeof types / sizeof *types };

array *array_new(const char *type, int ndim, const int64_t *shape)
{
    int t = 0;
    while (t < N_TYPES && strcmp(types[t].word, type) != 0)
        t++;
    ck_assert_msg(t < N_TYPES && ndim <= ARRAY_MAX_NDIM, "no array of type %s", type);

    array *a = calloc(1, sizeof *a);
    ck_assert_ptr_nonnull(a);
    a->count = 1;
    for (int i = 0; i < ndim; i++) {
        a->shape[i] = shape[i];
        a->count *= shape[i];
    }
    a->element = types[t].bits / 8u;
    a->bytes = (size_t)a->count * a->element;

    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t body =
        (a->bytes + page - 1) / page * page + page; // at least a page in front of the data
    a->map_bytes = body + page;
    a->map = mmap(NULL, a->map_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(a->map, MAP_FAILED);
    ck_assert_int_eq(mprotect((char *)a->map + body, page, PROT_NONE), 0);
    a->data = (char *)a->map + body - a->bytes;
    memset(a->map, POISON, body - a->bytes);

    a->dl = (DLTensor){.ndim = ndim,
                       .shape = a->shape,
                       .dtype = {types[t].code, types[t].bits, 1},
                       .byte_offset = OFFSET_ELEMENTS * a->element};
    a->dl.device.device_type = kDLCPU;
    a->dl.data = (char *)a->data - a->dl.byte_offset;
    return a;
}

void array_free(array *a)
{
    if (!a)
        return;
    munmap(a->map, a->map_bytes);
    free(a);
}

const char *array_type(const array *a)
{
    for (int t = 0; t < N_TYPES; t++)
        if (types[t].code == a->dl.dtype.code && types[t].bits == a->dl.dtype.bits)
            return types[t].word;
    return NULL;
}

int64_t array_numbers(const array *a)
{
    return a->dl.dtype.code == HGATE_DL_COMPLEX ? 2 * a->count : a->count;
}

double array_get(const array *a, int64_t i)
{
    size_t size = a->dl.dtype.code == HGATE_DL_COMPLEX ? a->element / 2 : a->element;
    if (a->dl.dtype.code == HGATE_DL_INT)
        return size == 8 ? (double)((int64_t *)a->data)[i] : (double)((int32_t *)a->data)[i];
    return size == 8 ? ((double *)a->data)[i] : (double)((float *)a->data)[i];
}

void array_put(array *a, int64_t i, double value)
{
    size_t size = a->dl.dtype.code == HGATE_DL_COMPLEX ? a->element / 2 : a->element;
    if (a->dl.dtype.code == HGATE_DL_INT && size == 8)
        ((int64_t *)a->data)[i] = (int64_t)value;
    else if (a->dl.dtype.code == HGATE_DL_INT)
        ((int32_t *)a->data)[i] = (int32_t)value;
    else if (size == 8)
        ((double *)a->data)[i] = value;
    else
        ((float *)a->data)[i] = (float)value;
}

array *array_as(const array *a, const char *type)
{
    array *b = array_new(type, a->dl.ndim, a->shape);
    for (int64_t i = 0; i < array_numbers(a); i++)
        array_put(b, i, array_get(a, i));
    return b;
}

array *array_copy(const array *a)
{
    array *b = array_new(array_type(a), a->dl.ndim, a->shape);
    memcpy(b->data, a->data, a->bytes);
    return b;
}

void array_poison(array *a)
{
    memset(a->data, POISON, a->bytes);
}

static int is_pattern(const unsigned char *from, const unsigned char *to)
{
    while (from < to && *from == POISON)
        from++;
    return from == to;
}

int array_is_poisoned(const array *a)
{
    const unsigned char *data = a->data;
    return array_is_sound(a) && is_pattern(data, data + a->bytes);
}

int array_is_sound(const array *a)
{
    return is_pattern(a->map, a->data);
}

void array_protect(array *a, int is_read_only)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    int access = is_read_only ? PROT_READ : PROT_READ | PROT_WRITE;
    ck_assert_int_eq(mprotect(a->map, a->map_bytes - page, access), 0);
}

double array_distance(const array *a, const array *b)
{
    double worst = 0.0;
    ck_assert_int_eq(array_numbers(a), array_numbers(b));
    for (int64_t i = 0; i < array_numbers(a); i++) {
        double x = array_get(a, i), y = array_get(b, i);
        if (isnan(x) != isnan(y))
            return INFINITY;
        if (!isnan(x) && x != y)
            worst = fmax(worst, fabs(x - y));
    }
    return worst;
}

double array_peak(const array *a)
{
    double peak = 0.0;
    for (int64_t i = 0; i < array_numbers(a); i++)
        peak = fmax(peak, fabs(array_get(a, i)));
    return peak;
}

int array_equal_bits(const array *a, const array *b)
{
    return a->bytes == b->bytes && memcmp(a->data, b->data, a->bytes) == 0;
}

double random_uniform(uint64_t *seed)
{
    // Steele, Lea, Flood 2014, SplitMix64.
    uint64_t z = *seed += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

double random_normal(uint64_t *seed)
{
    double radius = sqrt(-2.0 * log(1.0 - random_uniform(seed)));
    return radius * cos(6.283185307179586 * random_uniform(seed));
}

// ---- stored results ----

FILE *stored_open(const char *path_below_tests_data)
{
    char path[1024];
    const char *top = getenv("abs_top_srcdir");
    snprintf(path, sizeof path, "%s/tests/data/%s", top ? top : "..", path_below_tests_data);
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s cannot be read", path);
    return file;
}

// The text behind 'key': in the header, which is a Python dictionary.
static const char *header_value(const char *header, const char *key)
{
    const char *at = strstr(header, key);
    ck_assert_msg(at != NULL, "npy header without %s", key);
    return at + strlen(key);
}

array *stored_next(FILE *file)
{
    unsigned char start[10];
    ck_assert_uint_eq(fread(start, 1, sizeof start, file), sizeof start);
    ck_assert_msg(memcmp(start, "\x93NUMPY\x01", 7) == 0, "not a record of NumPy, version 1");
    size_t length = start[8] + 256u * start[9];
    char *header = calloc(1, length + 1);
    ck_assert_ptr_nonnull(header);
    ck_assert_uint_eq(fread(header, 1, length, file), length);

    const char *descr = header_value(header, "'descr': '");
    int t = 0;
    while (t < N_TYPES && strncmp(descr, types[t].npy, strlen(types[t].npy)) != 0)
        t++;
    ck_assert_msg(t < N_TYPES, "npy type %.6s is not known", descr);
    ck_assert(strncmp(header_value(header, "'fortran_order': "), "False", 5) == 0);
    int64_t shape[ARRAY_MAX_NDIM];
    int ndim = 0;
    char *at = (char *)header_value(header, "'shape': (");
    while (*at != ')' && ndim < ARRAY_MAX_NDIM) {
        shape[ndim++] = strtoll(at, &at, 10);
        at += strspn(at, ", ");
    }
    free(header);

    array *a = array_new(types[t].word, ndim, shape);
    ck_assert_uint_eq(fread(a->data, 1, a->bytes, file), a->bytes);
    return a;
}
