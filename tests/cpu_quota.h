// SPDX-License-Identifier: BSD-3-Clause
// Tests of quotas of control groups, part of the program check_plugin_host.
#ifndef HG_TESTS_CPU_QUOTA_H
#define HG_TESTS_CPU_QUOTA_H

#include <check.h>

TCase *cpu_quota_tests(void);

#endif
