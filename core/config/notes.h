/* SPDX-License-Identifier: BSD-3-Clause */
/* Remarks on names in keys that are allowed, since plugins of others may have any names, but look
 * like mistyped names of ours. */
#ifndef HG_CONFIG_NOTES_H
#define HG_CONFIG_NOTES_H

#include "core/config/settings.h"

/** Adds a remark to the settings when a plugin or kernel named by the setting looks mistyped.
 *  HGATE_OK or HGATE_ENOMEM. */
int hg_note_names(hg_settings *settings, const hg_setting *setting);

#endif
