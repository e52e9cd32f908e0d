/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups on a device: its memory, the staging in front of it, and copies between the two. */
#ifndef HG_GROUP_DEVICE_H
#define HG_GROUP_DEVICE_H

#include "core/group/cut.h"
#include "core/group/staging.h"

/** Where a group lives while it is copied and computed. */
typedef struct hg_slot {
    char *tables, *traces;   /* on the device */
    double begin[3], end[3]; /* of each phase */
    size_t moved[3];
} hg_slot;

typedef struct hg_device {
    hg_survey *s;
    bool is_forward;
    const hg_plugin *plugin;
    void *work, *in, *out; /* streams */
    char *fixed, *blocks, *pinned;
    bool is_pinned; /* by the plugin */
    char *receivers, *image;
    char *shared[HGATE_MAX_ARGS];
    void *model; /* that forward reads, adjoint sums into; on the device */
    hg_slot slots[3];
    hg_staging way_in, way_out;
    bool tables_in_place, traces_in_place; /* page-locked by the caller: nothing is staged */
    hg_run flying[HG_PIECES];              /* on their way out */
    int n_flying[2];                       /* of each half of the ring */
    hg_run last_out;                       /* that was started */
} hg_device;

/** Allocates, and copies what all groups share. */
int hg_device_open(hg_device *device, hg_survey *survey, bool is_forward, const hg_plugin *plugin,
                   const hg_need_bytes *need);
/** Waits for everything and frees it. */
void hg_device_close(hg_device *device);

/** Waits for a stream. */
int hg_device_wait(const hg_device *device, void *stream);
/** One copy that is over when the call is; and one that is over after hg_device_wait(). */
int hg_device_copy(const hg_device *device, int direction, void *there, void *here, size_t bytes);
int hg_device_start(const hg_device *device, int direction, void *there, void *here, size_t bytes,
                    void *stream);

/** Copies in the tables of some receivers; the last copies may be on their way when the call is
 * over. */
int hg_device_receivers(hg_device *device, hg_part part);
/** Copies in a group; the last copies may be on their way when the call is over. */
int hg_device_in(hg_device *device, hg_slot *slot, hg_part sources, hg_part receivers);
/** Starts to copy out the traces of a group; and puts all of them into the caller's data. */
int hg_device_out(hg_device *device, hg_slot *slot, hg_part sources, hg_part receivers);
int hg_device_land(hg_device *device, hg_slot *slot, hg_part sources, hg_part receivers);

#endif
