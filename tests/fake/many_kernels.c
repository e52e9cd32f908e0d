/* SPDX-License-Identifier: BSD-3-Clause */
/* 500 kernels of one operation. */
#define FAKE_NAME "fake-many-kernels"
#define FAKE_DEFAULTS "seconds=1e-3;step=1e-6"

/* X(prefix) for ten, a hundred, all of the names. */
#define FAKE_TEN(X, P)                                                                             \
    X(P##0) X(P##1) X(P##2) X(P##3) X(P##4) X(P##5) X(P##6) X(P##7) X(P##8) X(P##9)
#define FAKE_HUNDRED(X, P)                                                                         \
    FAKE_TEN(X, P##0)                                                                              \
    FAKE_TEN(X, P##1)                                                                              \
    FAKE_TEN(X, P##2)                                                                              \
    FAKE_TEN(X, P##3)                                                                              \
    FAKE_TEN(X, P##4)                                                                              \
    FAKE_TEN(X, P##5) FAKE_TEN(X, P##6) FAKE_TEN(X, P##7) FAKE_TEN(X, P##8) FAKE_TEN(X, P##9)
#define FAKE_ALL(X)                                                                                \
    FAKE_HUNDRED(X, k0)                                                                            \
    FAKE_HUNDRED(X, k1) FAKE_HUNDRED(X, k2) FAKE_HUNDRED(X, k3) FAKE_HUNDRED(X, k4)

#define FAKE_MANY_N(NAME) FAKE_N(NAME)
#define FAKE_MANY_K(NAME) FAKE_K(VISIBILITY_GRAM, NAME, HGATE_KERNEL_DETERMINISTIC, NULL, 0)
#define FAKE_NAMES FAKE_ALL(FAKE_MANY_N)
#define FAKE_KERNELS FAKE_ALL(FAKE_MANY_K)

#include "tests/fake/good.c"
