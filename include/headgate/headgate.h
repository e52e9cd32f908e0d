/* SPDX-License-Identifier: BSD-3-Clause */
/* Headgate: the only header an application includes. */
#ifndef HEADGATE_HEADGATE_H
#define HEADGATE_HEADGATE_H

#include <headgate/engine.h>
#include <headgate/group.h>
#include <headgate/ops.h>
#include <headgate/status.h>
#include <headgate/version.h>

#endif
