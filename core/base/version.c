// SPDX-License-Identifier: BSD-3-Clause
// The version of the library at run time, which may differ from that of the headers a host was
// compiled with.
#include <headgate/version.h>

const char *hgate_version(void)
{
    return HGATE_VERSION_STRING;
}

int hgate_version_number(void)
{
    return HGATE_VERSION_NUMBER;
}
