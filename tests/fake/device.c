/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels for device memory that work without a device: its memory is plain memory of the host. */
#define FAKE_NAME "fake-device"
#define FAKE_SPACES HGATE_SPACE_CUDA
#define FAKE_DEVICE
#include "tests/fake/good.c"
