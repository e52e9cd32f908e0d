/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of keys that drives reading, printing, help and tests, and how a key is found in it. */
#ifndef HG_CONFIG_SCHEMA_H
#define HG_CONFIG_SCHEMA_H

#include "core/base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct hg_config;
struct hg_problems;

typedef enum hg_key_type {
    HG_TYPE_BOOL,
    HG_TYPE_INT,
    HG_TYPE_REAL,
    HG_TYPE_BYTES,  /* an integer with a unit if wanted */
    HG_TYPE_ENUM,   /* one of `words` */
    HG_TYPE_PATH,   /* absolute */
    HG_TYPE_PATHS,  /* list of them */
    HG_TYPE_NAMES,  /* list of plugin names */
    HG_TYPE_TEXTS,  /* list of one-line texts */
    HG_TYPE_CHOICE, /* PLUGIN or PLUGIN/KERNEL */
    HG_TYPE_SCALAR  /* any one-line text: whoever declared the option reads it */
} hg_key_type;

/** What a key does beyond holding a value. */
typedef enum hg_key_role {
    HG_KEY_PLAIN,
    HG_KEY_VERSION,       /* must be in every file */
    HG_KEY_ENABLE_PLUGIN, /* false in any layer wins over the others: kill switches add up */
    HG_KEY_ENABLE_KERNEL,
    HG_KEY_ENABLE_OP,
    HG_KEY_GATE,  /* so does `off` here */
    HG_KEY_FORCE, /* of an operation; what is forced must not be killed */
    HG_KEY_PATHS  /* the environment's list goes in front of the others instead of replacing them */
} hg_key_role;

enum { /* where a key may be set */
       HG_SET_BY_FILE = 1,
       HG_SET_BY_ENVIRONMENT = 2,
       HG_SET_BY_API = 4
};

/** `key` is dotted; a part in <> stands for a name: <op> an operation, <word> an operation or
 * family, <plugin>, <kernel>, <constant>, <key> names of that kind. */
typedef struct hg_schema_row {
    const char *key;
    hg_key_type type;
    const char *fallback; /* the default, as in a file; "" = none */
    const char *words;    /* of an enum all values, else words beside numbers: "auto off" */
    double min, max;      /* of numbers; max of lists: items. No limit: infinite */
    bool is_min_open, is_max_open;
    double off;      /* the number that the word `off` stands for */
    bool is_fixed;   /* may only be set to its default: shown, not settable */
    unsigned where;  /* HG_SET_BY_* */
    const char *env; /* variable of its own; NULL: HEADGATE_SET and the like only */
    hg_key_role role;
    const char *help; /* one line */
} hg_schema_row;

/** Kernels that a plugin of ours has for an operation; words separated by spaces. */
typedef struct hg_known_kernels {
    const char *op, *plugin, *kernels;
} hg_known_kernels;

typedef struct hg_schema {
    const hg_schema_row *rows;
    size_t n_rows;
    const char *const *ops;          /* NULL-terminated */
    const char *const *families;     /* NULL-terminated */
    const char *const *plugins;      /* NULL-terminated: those that ship with the library */
    const hg_known_kernels *kernels; /* ends with a row of NULL */
    /* what must hold between keys; adds to the problems; NULL: nothing */
    void (*rules)(const struct hg_config *config, struct hg_problems *problems);
} hg_schema;

/** The schema of Headgate. */
const hg_schema *hg_schema_headgate(void);

typedef enum hg_step { HG_STEP_LEAF, HG_STEP_SECTION, HG_STEP_UNKNOWN } hg_step;

/** What the first n bytes of a dotted path are; *row is set for a leaf. */
hg_step hg_schema_step(const hg_schema *schema, const char *path, size_t n,
                       const hg_schema_row **row);

/** Row of a complete key, NULL for anything else; *why (may be NULL) then says what is wrong. */
const hg_schema_row *hg_schema_find(const hg_schema *schema, const char *key, hg_text *why);

/** Says what is wrong with the last part of an unknown path: `unknown key "log.levl"; did you mean
 *  "log.level"?`, or which kind of name was expected there. */
void hg_schema_put_unknown(const hg_schema *schema, const char *path, size_t n, hg_text *why);

/** `; did you mean "log.level"?`, when a key is near in the same section, or stands under the same
 *  word in another one. */
bool hg_schema_put_suggestion(const hg_schema *schema, const char *path, size_t n, hg_text *why);

/** Part i of a dotted key, from 0: its start and length. The key must have it. */
const char *hg_key_part(const char *key, int i, size_t *n);

/** Is it a name of the kind that "<plugin>", "<kernel>", "<constant>" or "<key>" stands for? */
bool hg_schema_is_name(const char *placeholder, const char *name, size_t n);

/** Values that a row allows, in words: "an integer from 0 to 32, or off". */
void hg_schema_put_values(const hg_schema_row *row, hg_text *out);

/** Is `word` (n bytes) one of the words of a list separated by spaces? */
bool hg_words_have(const char *words, const char *word, size_t n);

#endif
