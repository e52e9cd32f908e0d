/* SPDX-License-Identifier: BSD-3-Clause */
/* Words that may stand in keys: operations, families, the plugins and kernels that ship with the
 * library. Plugins of others may have any names; these serve checks and suggestions. */
#ifndef HG_CONFIG_NAMES_H
#define HG_CONFIG_NAMES_H

#include "core/config/schema.h"

extern const char *const hg_op_words[];               /* NULL-terminated */
extern const char *const hg_family_words[];           /* NULL-terminated */
extern const char *const hg_plugin_words[];           /* NULL-terminated */
extern const hg_known_kernels hg_known_kernel_rows[]; /* ends with a row of NULL */

#endif
