/* SPDX-License-Identifier: BSD-3-Clause */
/* What must hold between keys, beyond the range of each. */
#ifndef HG_CONFIG_RULES_H
#define HG_CONFIG_RULES_H

#include "core/config/config.h"
#include "core/config/problems.h"

/** Rules of every schema (nothing forced is killed), then those of the configuration's own. */
void hg_rules_check(const hg_config *config, hg_problems *problems);

/** Rules of Headgate's schema. */
void hg_rules_headgate(const hg_config *config, hg_problems *problems);

#endif
