/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the descriptor of a mapped plugin, trusts nothing in it, and gives a refusal or a view. */
#ifndef HG_PLUGIN_CHECK_H
#define HG_PLUGIN_CHECK_H

#include "core/base/arena.h"
#include "core/base/text.h"

#include <headgate/plugin.h>
#include <stdbool.h>

/* What the host may read: copies of the plugin's records, cut to the smaller of the plugin's size
 * and ours, the rest 0. So nobody reads behind a record that an older plugin compiled, or takes a
 * bit that a newer one defines for something else. */
typedef struct hg_view {
    hgate_plugin plugin; /* kernels sorted by op, then name; constants in declared order */
    hg_text note;        /* kernels that were left out; "" when none was */
    hg_arena arena;      /* holds the records */
} hg_view;

/* `bytes` are readable at `descriptor`. HGATE_PLUGIN_USABLE, or HGATE_PLUGIN_BAD_MAGIC, _BAD_ABI,
 * _BAD_SIZE or _MALFORMED with the cause in `why`, or HGATE_ENOMEM; only the first needs a release.
 * Calls no function of the plugin. */
int hg_view_make(const void *descriptor, size_t bytes, const hg_allocator *allocator, hg_view *out,
                 hg_text *why);
void hg_view_release(hg_view *view);

/* ---- parts of it, for check.c and check_records.c -------------------------------------------- */

/* Bytes up to the end of a member: what a version of the ABI promises at least. */
#define HG_END_OF(TYPE, MEMBER) (offsetof(TYPE, MEMBER) + sizeof(((TYPE *)0)->MEMBER))

/* Copies a record of `has` bytes into one of `size`: cut, or the rest 0. */
void hg_copy_cut(void *to, size_t size, const void *from, size_t has);

enum { HG_PLUGIN_NAME_LONGEST = 31 };

/* Names: 1 to `longest` letters a-z, digits and `extra`. */
bool hg_is_name(const char *name, size_t longest, char extra);

/* Replace the arrays of a copied descriptor by views. Constants first: kernels refer to them. */
int hg_view_constants(hg_view *view, hg_text *why);
int hg_view_kernels(hg_view *view, hg_text *why);

#endif
