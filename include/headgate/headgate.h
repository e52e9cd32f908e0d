/* SPDX-License-Identifier: BSD-3-Clause */
/* Headgate: the only header an application includes. */
#ifndef HEADGATE_HEADGATE_H
#define HEADGATE_HEADGATE_H

#include "engine.h"
#include "ops.h"
#include "status.h"
#include "version.h"

#endif
