/* SPDX-License-Identifier: BSD-3-Clause */
/* Optional helpers for plugin authors: texts of refusals and errors, access to a problem, cost,
 * workspace.
 *
 * Everything is inline: a plugin that includes this file still links to nothing of the host. Texts
 * are formatted by the C library in the locale of the process, so prefer whole numbers in them. */
#ifndef HEADGATE_PLUGIN_UTIL_H
#define HEADGATE_PLUGIN_UTIL_H

#include "plugin.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define HGATE_PRINTF_(FORMAT, FIRST) __attribute__((format(printf, FORMAT, FIRST)))
#else
#define HGATE_PRINTF_(FORMAT, FIRST)
#endif

/* ---- descriptor ------------------------------------------------------------------------------ */

/** The first four members of a descriptor: `{HGATE_PLUGIN_HEADER, .name = "mine", ...}`. */
#define HGATE_PLUGIN_HEADER                                                                        \
    {'H', 'G', 'A', 'T', 'E', 'P', 'L', 'G'}, HGATE_PLUGIN_ABI_MAJOR, HGATE_PLUGIN_ABI_MINOR,      \
        (uint32_t)sizeof(hgate_plugin)

/** Elements of an array (not of a pointer), for n_kernels, n_constants and n_terms. */
#define HGATE_LENGTH_OF(ARRAY) (sizeof(ARRAY) / sizeof((ARRAY)[0]))

/** Whether a struct from the host is long enough to hold a member: `HGATE_HAS(host, hgate_host,
 * error)`. Needed for members that are newer than the oldest host the plugin takes. */
#define HGATE_HAS(POINTER, TYPE, MEMBER)                                                           \
    ((POINTER)->struct_size >= offsetof(TYPE, MEMBER) + sizeof(((TYPE *)0)->MEMBER))

/* ---- refusals, errors, log ------------------------------------------------------------------- */

/** Writes a refusal with the numbers of its text (NAN where there is none) and returns
 *  HGATE_ENOKERNEL: the last line of a branch of supports().
 *  `return hgate_refuse(reason, HGATE_REFUSE_LIMIT, n, 32, "%d images, at most 32", n);` */
static inline int hgate_refuse(hgate_reason *reason, int code, double value, double limit,
                               const char *format, ...) HGATE_PRINTF_(5, 6);

static inline int hgate_refuse(hgate_reason *reason, int code, double value, double limit,
                               const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason->text, sizeof reason->text, format, arguments);
    va_end(arguments);
    reason->code = code;
    reason->value = value;
    reason->limit = limit;
    return HGATE_ENOKERNEL;
}

/** Writes why a plugin is not usable here and returns HGATE_EUNAVAILABLE: for probe(). */
static inline int hgate_unavailable(hgate_reason *reason, const char *format, ...)
    HGATE_PRINTF_(2, 3);

static inline int hgate_unavailable(hgate_reason *reason, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason->text, sizeof reason->text, format, arguments);
    va_end(arguments);
    reason->code = HGATE_REFUSE_FEATURE;
    return HGATE_EUNAVAILABLE;
}

enum { HGATE_MESSAGE_SIZE_ = 512 };

/** Stores the message of a failed run() or prepare() and returns `status`. */
static inline int hgate_fail(const hgate_host *host, int status, const char *format, ...)
    HGATE_PRINTF_(3, 4);

static inline int hgate_fail(const hgate_host *host, int status, const char *format, ...)
{
    char text[HGATE_MESSAGE_SIZE_];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return host->error(host, status, text);
}

/** One line to the host's log, at a level of enum hgate_log_level. */
static inline void hgate_logf(const hgate_host *host, int level, const char *format, ...)
    HGATE_PRINTF_(3, 4);

static inline void hgate_logf(const hgate_host *host, int level, const char *format, ...)
{
    char text[HGATE_MESSAGE_SIZE_];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    host->log(host, level, text);
}

/* ---- problem --------------------------------------------------------------------------------- */

/** Size by its index, HGATE_DIM_...; -1 where the host did not give one. */
static inline int64_t hgate_dim(const hgate_problem *problem, int index)
{
    return index < problem->n_dims ? problem->dims[index] : -1;
}

/** Array by its index; NULL for an optional one that was not given. */
static inline const DLTensor *hgate_arg(const hgate_problem *problem, int index)
{
    return index < problem->n_args ? problem->args[index] : NULL;
}

/** First element of an array, byte_offset included; NULL without data. */
static inline void *hgate_tensor_data(const DLTensor *tensor)
{
    return tensor->data ? (char *)tensor->data + tensor->byte_offset : NULL;
}

/** First element of an argument; NULL for an absent one, and before run() for one without data. */
static inline void *hgate_arg_data(const hgate_problem *problem, int index)
{
    const DLTensor *tensor = hgate_arg(problem, index);
    return tensor ? hgate_tensor_data(tensor) : NULL;
}

/** Number of elements; the host made sure that it fits. */
static inline int64_t hgate_tensor_count(const DLTensor *tensor)
{
    int64_t count = 1;
    for (int i = 0; i < tensor->ndim; i++) {
        count *= tensor->shape[i];
    }
    return count;
}

/** Whether the integers of an index array have 64 bits; otherwise they have 32. */
static inline int hgate_is_int64(const DLTensor *tensor)
{
    return tensor->dtype.code == HGATE_DL_INT && tensor->dtype.bits == 64;
}

/** Element of a host index array of 32 or 64 bits. `data` is hgate_tensor_data() of it. */
static inline int64_t hgate_index_at(const void *data, int is_int64, int64_t i)
{
    return is_int64 ? ((const int64_t *)data)[i] : ((const int32_t *)data)[i];
}

/* ---- cost ------------------------------------------------------------------------------------ */

/** Sum of the terms times their constants: what the host computes for HGATE_KERNEL_LINEAR_COST, and
 *  what other kernels may start from. k are the constants that estimate() was given. */
static inline double hgate_linear_seconds(const hgate_kernel *kernel, const double *k,
                                          const hgate_estimate *estimate)
{
    double seconds = 0;
    for (int i = 0; i < kernel->n_terms && i < HGATE_MAX_TERMS; i++) {
        seconds += k[kernel->terms[i].constant] * estimate->terms[i];
    }
    return seconds;
}

/* ---- workspace ------------------------------------------------------------------------------- */

/** Cuts a workspace in pieces. One layout function serves estimate(), where it counts, and run(),
 * where it hands out memory, so that the two cannot disagree:
 *
 *      static void lay_out(hgate_scratch *s, int64_t n, struct pieces *p)
 *      {
 *          p->row = hgate_scratch_take(s, n, sizeof(double));
 *          p->order = hgate_scratch_take(s, n, sizeof(int64_t));
 *      }
 *
 *  estimate: `hgate_scratch s = hgate_scratch_count(); lay_out(&s, n, &p); est->ws_host = s.bytes;`
 *  run:      `hgate_scratch s = hgate_scratch_over(run); lay_out(&s, n, &p); if (s.is_short) ...`
 */
typedef struct hgate_scratch {
    char *memory; /**< NULL: count only */
    size_t size;
    size_t bytes; /**< taken so far; SIZE_MAX once it overflowed */
    int is_short; /**< a piece did not fit; it was NULL */
} hgate_scratch;

enum { HGATE_SCRATCH_ALIGNMENT = 64 };

static inline hgate_scratch hgate_scratch_count(void)
{
    hgate_scratch scratch = {NULL, SIZE_MAX, 0, 0};
    return scratch;
}

static inline hgate_scratch hgate_scratch_over(const hgate_run *run)
{
    hgate_scratch scratch = {(char *)run->ws_host, run->ws_host ? run->ws_host_bytes : 0, 0, 0};
    return scratch; /* no memory is enough for a layout of no bytes */
}

/** `count` elements of `element_bytes`, aligned to 64 bytes. NULL when counting or short. */
static inline void *hgate_scratch_take(hgate_scratch *scratch, int64_t count, size_t element_bytes)
{
    const size_t mask = (size_t)HGATE_SCRATCH_ALIGNMENT - 1;
    size_t start = scratch->bytes;
    size_t room = SIZE_MAX - mask - (start < SIZE_MAX - mask ? start : SIZE_MAX - mask);
    if (count < 0 || (element_bytes && (uint64_t)count > room / element_bytes)) {
        scratch->bytes = SIZE_MAX;
        scratch->is_short = 1;
        return NULL;
    }
    scratch->bytes = start + (((size_t)count * element_bytes + mask) & ~mask);
    if (scratch->bytes > scratch->size) {
        scratch->is_short = 1;
    }
    return scratch->is_short || !scratch->memory ? NULL : scratch->memory + start;
}

/* ---- run ------------------------------------------------------------------------------------- */

/** Reports progress; a result other than HGATE_OK is what run() returns at once. */
static inline int hgate_progress(const hgate_run *run, int64_t done, int64_t total)
{
    if (run->progress && run->progress(run, done, total)) {
        return HGATE_ESTOPPED;
    }
    return HGATE_OK;
}

#ifdef __cplusplus
}
#endif
#endif
