/* SPDX-License-Identifier: BSD-3-Clause */
/* How much processor time the control groups of this process grant it, as a number of threads. */
#ifndef HG_PLUGIN_CPU_QUOTA_H
#define HG_PLUGIN_CPU_QUOTA_H

/* The least quota from the group of the process up to the root, rounded down, at least 1; 0 where
 * none is set. Versions 1 and 2 of control groups, where systems mount them. `root` is put in front
 * of every path: "", or a copy for tests. Takes no memory. */
int hg_cpu_quota(const char *root);

#endif
