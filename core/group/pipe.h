/* SPDX-License-Identifier: BSD-3-Clause */
/* The two ways that groups take: beside each other on a device, one by one on the host. */
#ifndef HG_GROUP_PIPE_H
#define HG_GROUP_PIPE_H

#include "core/group/cut.h"

/** What both ways get: the survey after its cut, and room to decide in. */
typedef struct hg_groups {
    hg_survey *survey;
    int op;
    hg_need_bytes need;
    hgate_trace *like;  /* decision for all groups */
    hgate_trace *trace; /* of the group at work */
    hg_workspace workspace;
    hg_keep keep; /* of the group at work */
    bool has_keep;
    hg_problem problem; /* of the group at work */
} hg_groups;

static inline bool hg_groups_are_forward(const hg_groups *g)
{
    return g->op == HGATE_OP_KIRCHHOFF_FORWARD;
}

/** Runs `problem`, whose arrays are in place, with the kernel of all groups. On a device the work
 * may go on after the call. */
int hg_groups_run(hg_groups *groups, bool is_first, void *stream);
/** Frees what the last run kept; its work must be over. */
void hg_groups_release(hg_groups *groups);

int hg_groups_on_host(hg_groups *groups);
int hg_groups_on_device(hg_groups *groups);

#endif
