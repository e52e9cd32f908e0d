/* SPDX-License-Identifier: BSD-3-Clause */
/* Shapes as text rules: "2ny 2nx", "nant*nfeed k", "batch n n | packed: batch n(n-1)/2".
 *
 * A rule is a list of alternatives separated by " | ". An alternative may begin with the word of a
 * layout and a colon; it counts only when that layout is in force. Its terms stand for dimensions:
 *     3         this number               2ny       twice a size
 *     n         a size                    s+1       a size and one
 *     a*b       two sizes                 n(n-1)/2  pairs of n things
 *     *         any number                n...      any leading dimensions, n elements together
 * Sizes are the words of an operation's row. The first term that meets an unknown size sets it;
 * from then on it must agree. */
#ifndef HG_TENSOR_SHAPE_RULE_H
#define HG_TENSOR_SHAPE_RULE_H

#include "core/base/text.h"
#include "core/tensor/op_table.h"

#include <stdint.h>

enum { HG_SIZE_UNKNOWN = -1 };

/* The sizes of a call while its shapes are read. */
typedef struct hg_sizes {
    const hg_op *row;
    int64_t *dims;       /* HG_SIZE_UNKNOWN or what is known so far */
    const char *layouts; /* words of the layouts in force: "station 3d" */
} hg_sizes;

typedef enum hg_match {
    HG_MATCH_AGREES,    /* and unknown sizes are set */
    HG_MATCH_DIFFERS,   /* nothing was set, as in the two below */
    HG_MATCH_UNDECIDED, /* other arguments must set a size first */
    HG_MATCH_OVERFLOW   /* a product of sizes is no int64 */
} hg_match;

/* Reads a shape by a rule. Numbers of the shape are not negative. */
hg_match hg_shape_match(const hg_sizes *sizes, const char *rule, int ndim, const int64_t *shape);

/* What a rule asks for, with numbers where sizes are known: "(350, 350)", "(5, n) or (1)". Only the
 * alternatives of `ndim` dimensions, where there are any. */
void hg_shape_describe_rule(hg_text *text, const hg_sizes *sizes, const char *rule, int ndim);

/* The other way round: the shape that a rule gives with the sizes known so far, by the first
 * alternative of `ndim` dimensions (0: of any number) that has no unknown size. The number of
 * dimensions, -1 where there is no such alternative, HGATE_ESHAPE where a product overflows. */
int hg_shape_make(const hg_sizes *sizes, const char *rule, int ndim, int64_t *shape);

/* Is a word among words with spaces between them? */
bool hg_has_word(const char *words, const char *word);

/* "(350, 351)" */
void hg_shape_describe(hg_text *text, int ndim, const int64_t *shape);

#endif
