/* SPDX-License-Identifier: BSD-3-Clause */
/* hgate_open() for a program that is linked with the fake engine. */
#include "tests/fake_engine.h"

int hgate_open(const hgate_options *options, hgate_engine **engine)
{
    (void)options;
    *engine = fake_engine_open(NULL);
    return HGATE_OK;
}

void hgate_close(hgate_engine *engine)
{
    fake_engine_close(engine);
}
