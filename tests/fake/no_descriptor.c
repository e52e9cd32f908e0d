/* SPDX-License-Identifier: BSD-3-Clause */
/* A shared object that is no plugin. */
extern __attribute__((visibility("default"))) const int hgate_plugin_descriptor_of_nothing;
const int hgate_plugin_descriptor_of_nothing = 1;
