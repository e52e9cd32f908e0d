/* SPDX-License-Identifier: BSD-3-Clause */
/* "Did you mean": the candidate nearest to a word, if one is near enough. */
#ifndef HG_CONFIG_SUGGEST_H
#define HG_CONFIG_SUGGEST_H

#include <stddef.h>

/** Insertions, deletions, replacements and swaps of neighbours that turn a into b; a large number
 *  when one of them is longer than 63 bytes. */
size_t hg_edit_distance(const char *a, size_t a_length, const char *b, size_t b_length);

/** Offer candidates one by one, then look at `best`: NULL while none is near. Near is a distance of
 *  at most 3 and at most a third of the word's length; the first of equals wins. */
typedef struct hg_suggestion {
    const char *word;
    size_t word_length;
    const char *best;
    size_t best_length;
    size_t distance; /* of the best, or the limit */
} hg_suggestion;

hg_suggestion hg_suggest(const char *word, size_t length);
void hg_suggest_offer(hg_suggestion *suggestion, const char *candidate, size_t length);

/** The nearest of a NULL-terminated list; NULL when none is near. */
const char *hg_suggest_from(const char *word, const char *const *candidates);

#endif
