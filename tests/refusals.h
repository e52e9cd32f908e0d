/* SPDX-License-Identifier: BSD-3-Clause */
/* Bad input as a table: each row spoils one thing in a good call, and the call must answer with the
 * row's status, name the argument and leave every output as it was. Each Check program holds its
 * call in static variables; tests run in processes of their own. */
#ifndef HG_TESTS_REFUSALS_H
#define HG_TESTS_REFUSALS_H

#include "tests/harness.h"

#include <headgate/headgate.h>
#include <string.h>

typedef struct refusal {
    void (*spoil)(void);
    int status;
    const char *name; /* the message starts with it and a colon */
} refusal;

/* SPOIL(name, statements): a function that spoils the call. */
#define SPOIL(NAME, ...)                                                                           \
    static void NAME(void)                                                                         \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }

enum { POISON = 0xa5 };

static inline void poison(void *memory, size_t bytes)
{
    memset(memory, POISON, bytes);
}

static inline void ck_untouched(const void *memory, size_t bytes)
{
    const unsigned char *at = memory;
    for (size_t i = 0; i < bytes; i++) {
        ck_assert_msg(at[i] == POISON, "byte %zu of an output was written", i);
    }
}

static inline void ck_refused(int status, const refusal *row)
{
    const char *message = hgate_last_error();
    ck_assert_msg(status == row->status, "%s, expected %s: %s", hgate_status_name(status),
                  hgate_status_name(row->status), message);
    size_t n = strlen(row->name);
    ck_assert_msg(strncmp(message, row->name, n) == 0 && message[n] == ':',
                  "the message is not about %s: %s", row->name, message);
}

static inline void ck_accepted(int status)
{
    ck_assert_msg(status == HGATE_OK, "%s: %s", hgate_status_name(status), hgate_last_error());
}

#endif
