/* SPDX-License-Identifier: BSD-3-Clause */
/* Limits of a device that is not here, so that routing can be examined and tested without it. */
#include "plugins/cuda/runtime/state.h"
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Figures of the vendor's occupancy tables; the H200's were also read from its attributes. */
static const struct {
    const char *word;
    hg_cuda_device device;
} known[] = {
    {"a100",
     {.name = "NVIDIA A100",
      .cc = 80,
      .multiprocessors = 108,
      .smem_block = 49152,
      .smem_optin = 166912,
      .smem_multiprocessor = 167936,
      .smem_reserved = 1024,
      .registers = 65536,
      .threads = 2048,
      .blocks = 32,
      .l2_bytes = 41943040,
      .memory = 42949672960,
      .clock_khz = 1410000}},
    {"h200",
     {.name = "NVIDIA H200",
      .cc = 90,
      .multiprocessors = 132,
      .smem_block = 49152,
      .smem_optin = 232448,
      .smem_multiprocessor = 233472,
      .smem_reserved = 1024,
      .registers = 65536,
      .threads = 2048,
      .blocks = 32,
      .l2_bytes = 52428800,
      .memory = 150754820096,
      .clock_khz = 1980000}},
};

#define INT_ROW(FIELD)                                                                             \
    {                                                                                              \
#FIELD, offsetof(hg_cuda_device, FIELD), 0                                                 \
    }
#define LONG_ROW(FIELD)                                                                            \
    {                                                                                              \
#FIELD, offsetof(hg_cuda_device, FIELD), 1                                                 \
    }

static const struct {
    const char *key;
    size_t offset;
    int is_long;
} rows[] = {
    INT_ROW(cc),
    INT_ROW(multiprocessors),
    LONG_ROW(smem_block),
    LONG_ROW(smem_optin),
    LONG_ROW(smem_multiprocessor),
    LONG_ROW(smem_reserved),
    INT_ROW(registers),
    INT_ROW(threads),
    INT_ROW(blocks),
    LONG_ROW(l2_bytes),
    LONG_ROW(memory),
    INT_ROW(clock_khz),
};
enum { N_ROWS = sizeof rows / sizeof rows[0] };

/* Puts one value; -1 for an unknown key. */
static int put(hg_cuda_device *d, const char *key, long long value)
{
    for (int i = 0; i < N_ROWS; i++) {
        if (strcmp(rows[i].key, key) != 0)
            continue;
        char *at = (char *)d + rows[i].offset;
        if (rows[i].is_long)
            *(int64_t *)(void *)at = value;
        else
            *(int *)(void *)at = (int)value;
        return i;
    }
    return -1;
}

/* Lines "key value"; '#' starts a comment; every key of the table must be there. */
static int read_file(FILE *file, const char *path, hg_cuda_device *d, hgate_reason *reason)
{
    unsigned seen = 0;
    char line[256], key[64];
    long long value;
    for (int number = 1; fgets(line, sizeof line, file); number++) {
        if (line[0] == '#' || line[strspn(line, " \t\r\n")] == '\0')
            continue;
        const int i =
            sscanf(line, "%63s %lld", key, &value) == 2 && value >= 0 ? put(d, key, value) : -1;
        if (i < 0)
            return hgate_refuse(reason, HGATE_REFUSE_OTHER, number, 0,
                                "%.80s:%d: expected \"key value\" of a device", path, number);
        seen |= 1u << i;
    }
    for (int i = 0; i < N_ROWS; i++)
        if (!(seen & 1u << i))
            return hgate_refuse(reason, HGATE_REFUSE_OTHER, 0, 0, "%.80s: %s is missing", path,
                                rows[i].key);
    return HGATE_OK;
}

int hg_cuda_assume(const char *what, hg_cuda_device *device, hgate_reason *reason)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(what, known[i].word) == 0) {
            *device = known[i].device;
            return HGATE_OK;
        }
    }
    FILE *file = fopen(what, "re");
    if (!file)
        return hgate_refuse(reason, HGATE_REFUSE_OTHER, 0, 0,
                            "assume_device: \"%.60s\" is neither a100, h200 nor a file: %s", what,
                            strerror(errno));
    memset(device, 0, sizeof *device);
    snprintf(device->name, sizeof device->name, "%.127s", what);
    const int status = read_file(file, what, device, reason);
    fclose(file);
    return status;
}
