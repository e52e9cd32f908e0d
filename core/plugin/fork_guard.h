/* SPDX-License-Identifier: BSD-3-Clause */
/* Notices fork(): threads of OpenMP and devices of CUDA do not survive it. */
#ifndef HG_PLUGIN_FORK_GUARD_H
#define HG_PLUGIN_FORK_GUARD_H

#include <stdbool.h>

/* Begins to watch this process; called at each open of an engine, only the first does something. */
void hg_fork_watch(void);

/* True in a child, and in its children, of a process that had opened an engine. MT-Safe. */
bool hg_fork_is_child(void);

#endif
