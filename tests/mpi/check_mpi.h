/* SPDX-License-Identifier: BSD-3-Clause */
/* What the sources of check_mpi share: one count of checks for each rank. */
#ifndef HG_TESTS_CHECK_MPI_H
#define HG_TESTS_CHECK_MPI_H

#include "tests/tensors.h"

#include <headgate/mpi.h>

#define check(...) check_at(__LINE__, (__VA_ARGS__), #__VA_ARGS__)
void check_at(int line, int is_true, const char *words);

/* Arrays in the memory of the fake device: staged, or given to MPI as they are. */
void test_device(hgate_mpi_place place);

#endif
