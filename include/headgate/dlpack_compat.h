/* SPDX-License-Identifier: BSD-3-Clause */
/* The system's dlpack.h, and the names that differ between DLPack 0.6 and 1.x. */
#ifndef HEADGATE_DLPACK_COMPAT_H
#define HEADGATE_DLPACK_COMPAT_H

#include <dlpack/dlpack.h>

/* Numbers of the DLPack standard that older copies of the header lack as names. */
enum { HGATE_DL_CPU = 1, HGATE_DL_CUDA = 2, HGATE_DL_CUDA_HOST = 3, HGATE_DL_CUDA_MANAGED = 13 };
enum { HGATE_DL_INT = 0, HGATE_DL_UINT = 1, HGATE_DL_FLOAT = 2, HGATE_DL_COMPLEX = 5 };

#endif
