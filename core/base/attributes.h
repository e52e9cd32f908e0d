/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiler attributes that several rooms need. */
#ifndef HG_BASE_ATTRIBUTES_H
#define HG_BASE_ATTRIBUTES_H

/** The compiler checks the arguments of a printf-like function. */
#define HG_PRINTF(format_index, first_argument)                                                    \
    __attribute__((format(printf, format_index, first_argument)))

#endif
