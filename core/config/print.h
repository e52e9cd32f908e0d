/* SPDX-License-Identifier: BSD-3-Clause */
/* An effective configuration as a file that reads back the same. */
#ifndef HG_CONFIG_PRINT_H
#define HG_CONFIG_PRINT_H

#include "core/config/config.h"

/** Writes YAML with the origin of each value as a comment. HGATE_OK, HGATE_ENOMEM, or
 * HGATE_ESTOPPED when `write` asked to stop. */
int hg_config_print(const hg_config *config, hgate_write_fn write, void *user);

#endif
