/* SPDX-License-Identifier: BSD-3-Clause */
/* An engine for tests of the ops room: it runs nothing and remembers what it was asked for. */
#ifndef HG_TESTS_FAKE_ENGINE_H
#define HG_TESTS_FAKE_ENGINE_H

#include "core/engine/dispatch.h"

struct hgate_engine {
    hg_config *config;
    int begin_status;                             /* what hg_engine_begin() answers */
    int begun;                                    /* the operation it was last asked for */
    int dispatched, explained, planned, executed; /* how often */
    int side;                                     /* of the last run of a plan */
    hg_problem last;                              /* the last problem of any of them */
};

/* Over the defaults and, where it is not NULL, a configuration text. */
hgate_engine *fake_engine_open(const char *yaml);
void fake_engine_close(hgate_engine *engine);

#endif
