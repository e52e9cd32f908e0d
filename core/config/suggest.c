/* SPDX-License-Identifier: BSD-3-Clause */
/* Edit distance with swaps (optimal string alignment), and the nearest candidate by it. */
#include "core/config/suggest.h"

#include <stdint.h>
#include <string.h>

enum { longest = 63, far = 1000 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t hg_edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    if (a_length > longest || b_length > longest) {
        return far;
    }
    /* d(i, j) for the first i bytes of a and j of b; three rows, since a swap looks two back */
    uint8_t rows[3][longest + 1];
    for (size_t j = 0; j <= b_length; j++) {
        rows[0][j] = (uint8_t)j;
    }
    for (size_t i = 1; i <= a_length; i++) {
        uint8_t *row = rows[i % 3];
        const uint8_t *above = rows[(i + 2) % 3];
        const uint8_t *two_above = rows[(i + 1) % 3];
        row[0] = (uint8_t)i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t d = least(above[j] + 1u, row[j - 1] + 1u);
            d = least(d, above[j - 1] + (size_t)(a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                d = least(d, two_above[j - 2] + 1u);
            }
            row[j] = (uint8_t)d;
        }
    }
    return rows[a_length % 3][b_length];
}

hg_suggestion hg_suggest(const char *word, size_t length)
{
    return (hg_suggestion){
        .word = word, .word_length = length, .distance = least(3, length / 3) + 1};
}

void hg_suggest_offer(hg_suggestion *suggestion, const char *candidate, size_t length)
{
    const size_t n = suggestion->word_length;
    if ((n > length ? n - length : length - n) >= suggestion->distance) {
        return; /* the lengths alone are that far apart */
    }
    const size_t d = hg_edit_distance(suggestion->word, suggestion->word_length, candidate, length);
    if (d < suggestion->distance) {
        suggestion->distance = d;
        suggestion->best = candidate;
        suggestion->best_length = length;
    }
}

const char *hg_suggest_from(const char *word, const char *const *candidates)
{
    hg_suggestion suggestion = hg_suggest(word, strlen(word));
    for (size_t i = 0; candidates[i]; i++) {
        hg_suggest_offer(&suggestion, candidates[i], strlen(candidates[i]));
    }
    return suggestion.best;
}
