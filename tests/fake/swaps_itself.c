/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts another file, of its own name with ".new" behind, into its place while it is being loaded.
 */
#include "tests/fake/minimal.h"

#include <dlfcn.h>
#include <stdio.h>

__attribute__((constructor)) static void swap(void)
{
    Dl_info info;
    char from[4096];
    if (dladdr((const void *)minimal_kernels, &info)) {
        snprintf(from, sizeof from, "%s.new", info.dli_fname);
        rename(from, info.dli_fname); /* most often there is none */
    }
}

const hgate_plugin hgate_plugin_descriptor = {
    HGATE_PLUGIN_HEADER,
    MINIMAL_MEMBERS("fake-swaps-itself", minimal_kernels),
};
