/* SPDX-License-Identifier: BSD-3-Clause */
/* One scalar of an operation: its words and numbers checked before they are stored. */
#ifndef CLI_ATTRIBUTE_H
#define CLI_ATTRIBUTE_H

#include "tools/case.h"
#include "tools/h5io.h"

/** Sets a choice by its word. HGATE_EINVAL for another one. */
int cli_attribute_set_word(cli_case *c, const hg_option *option, const char *word);
/** Reads it from a file. *is_found false: it is not there. */
int cli_attribute_load(cli_case *c, h5io_file *file, const hg_option *option, bool *is_found);
int cli_attribute_store(const cli_case *c, const hg_option *option, h5io_file *file);

#endif
