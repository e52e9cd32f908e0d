/* SPDX-License-Identifier: BSD-3-Clause */
/* How the work of an operation is divided: sources, points, frequencies; which axis of which array
 * they are. The shape rules of core/tensor tell, so one table of words is enough. */
#ifndef CLI_SPLIT_H
#define CLI_SPLIT_H

#include "tools/case.h"

/** What the work of an operation is a number of, "sources"; CLI_USAGE where it cannot be divided.
 */
int cli_split_items(const cli_op *op, const char **items);

/** How many there are. The case knows its sizes: after cli_case_shape_outputs(). */
int64_t cli_split_count(const cli_case *c);

/** An empty case of the same problem: shapes and scalars, no data. `from` must outlive it. */
void cli_split_twin(cli_case *to, const cli_case *from);

/** Leaves the part of some items of each array that is divided; slabs tell where it lies. */
void cli_split_narrow(cli_case *c, int64_t first, int64_t count);

/** Bytes of the whole array before the part of an argument that is divided along its first axis. */
size_t cli_split_offset(const cli_case *c, int arg);

#endif
