/* SPDX-License-Identifier: BSD-3-Clause */
/* The scalars of every operation as data: name, place in the struct, default, range, choices. */
#ifndef HG_OPTION_TABLE_H
#define HG_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum hg_option_kind {
    HG_OPTION_FLAG,   /* int, 0 or 1 */
    HG_OPTION_BIT,    /* one bit of an int; the range is that of a flag */
    HG_OPTION_CHOICE, /* int, index of a word */
    HG_OPTION_INT,    /* int */
    HG_OPTION_INT64,
    HG_OPTION_SIZE,
    HG_OPTION_REAL,
    HG_OPTION_LIMITS /* double[2], 0 <= lower <= upper */
} hg_option_kind;

/* One scalar. Numbers outside least ... most are EVALUE, choices without a word EINVAL. */
typedef struct hg_option {
    const char *name; /* field, attribute, Python keyword, word in messages */
    hg_option_kind kind;
    uint32_t ops;     /* bits 1 << HGATE_OP_...: the operations that read it */
    size_t offset;    /* in the params struct, or in hgate_kirchhoff_setup */
    double preset;    /* the default; of LIMITS for both */
    bool is_required; /* there is no default; the preset is a number that is refused */
    double least, most;
    const char *expected;     /* the range in words; NULL: any number */
    bool is_not_zero;         /* 0 is refused though it is in the range */
    int bit;                  /* of BIT */
    const char *const *words; /* of CHOICE, ends with NULL */
    const char *key;          /* configuration: value where the caller gave no params; NULL: none */
} hg_option;

typedef struct hg_option_list {
    const char *name; /* "params", "grid": the C argument */
    size_t size;      /* of the struct */
    int n;
    const hg_option *options;
} hg_option_list;

/* Scalars of the struct that an operation takes; those of other operations are in the list too. */
const hg_option_list *hg_option_list_of(int op);

/* Whether an operation reads a scalar. */
static inline bool hg_option_is_read(const hg_option *option, int op)
{
    return option->ops >> op & 1;
}

/* Value of a scalar in a struct, as a number; `part` 1 is the upper one of LIMITS. */
double hg_option_get(const hg_option *option, const void *params, int part);
/* Stores a number that is in range; LIMITS take it for both parts. */
void hg_option_put(const hg_option *option, void *params, double value);

/* Fills a struct with the defaults, its struct_size included. */
void hg_options_preset(const hg_option_list *list, void *params);
/* Checks those scalars of a struct that an operation reads. EVALUE, EINVAL. */
int hg_options_check(int op, const void *params);

#endif
