/* SPDX-License-Identifier: BSD-3-Clause */
/* Source groups: surveys whose tables or data do not fit where the kernels are, piece by piece.
 *
 * Arrays stay on the host; each group of sources (and, where even one source is too much, of
 * receivers) is copied to the device, computed and copied back, the copies of one group beside the
 * work of another. Nothing chooses this by itself: a plain call stages arrays as a whole or not at
 * all. Without a device the same calls run group by group on the host, which bounds the memory of
 * prepared tables.
 *
 * forward: the same bits as the ungrouped call, whatever the groups (on a device with
 * routing.deterministic). adjoint: the images of the groups are summed in their order, so the last
 * bits depend on the groups.
 *
 * Several devices: one engine, exec and thread for each, all given the whole tables and arrays, and
 * each a share of the sources by first_source and n_sources. forward writes the rows of its share
 * only; adjoint gives the image of its share, and the images are to be added in the order of the
 * shares. q = ns / P sources each, the first ns % P one more, loses none. */
#ifndef HEADGATE_GROUP_H
#define HEADGATE_GROUP_H

#include "kirchhoff.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a group is doing. */
enum hgate_group_phase {
    HGATE_GROUP_COPY_IN = 0, /**< packing and copying tables, adjoint: and data */
    HGATE_GROUP_COMPUTE = 1,
    HGATE_GROUP_COPY_OUT =
        2 /**< forward: data of the group; adjoint: the image, in the last group */
};

/** Called once for each group and phase, in the order of groups and of phases in a group, from the
 *  calling thread, after the phase. seconds: what it took, waiting for others included; bytes: that
 *  were moved. Non-zero stops: HGATE_ESTOPPED; forward data of the groups whose copy out was told
 *  are complete (on the host those whose work was told), the rest is untouched, and so is an
 *  adjoint model. */
typedef int (*hgate_group_progress)(void *user, int64_t group, int64_t ngroups, int phase,
                                    double seconds, size_t bytes);

/** hgate_group_params_init(): on the host, everything in one group. */
typedef struct hgate_group_params {
    size_t struct_size;
    int64_t first_source, n_sources; /**< share of the sources (0, -1 = all that follow); 0: none */
    int64_t sources_per_group;       /**< 0: as many as the budgets allow */
    int64_t receivers_per_group;     /**< 0: all, or as many as the budgets allow */
    size_t device_budget; /**< most bytes where the kernels run; 0: on a device 9/10 of what is
                               free, on the host no limit */
    size_t pinned_budget; /**< most bytes of page-locked staging; 0: no limit */
    int nslots;           /**< groups on the device at once: 1, 2 or 3 (2); 1: nothing overlaps */
    void *const *streams; /**< of the caller, on device_id: for work, copies in, copies out; fewer
                               are shared. NULL: the stream of exec for all, nothing overlaps */
    int nstreams;
    int device_id;                 /**< -1: kernels for host memory (-1) */
    hgate_group_progress progress; /**< may be NULL */
    void *user;
} hgate_group_params;

HGATE_API int hgate_group_params_init(hgate_group_params *params);

/** How a survey would be cut. Set struct_size first. */
typedef struct hgate_group_info {
    size_t struct_size;
    int64_t sources_per_group, receivers_per_group;
    int64_t n_groups;      /**< of sources times those of receivers */
    size_t device_bytes;   /**< held at once where the kernels run, their workspace included */
    size_t pinned_bytes;   /**< staging */
    size_t bytes_in_group; /**< copied in for a full group of the adjoint, forward: without data */
    const char *forward_plugin, *forward_kernel; /**< NULL: none */
    const char *adjoint_plugin, *adjoint_kernel;
} hgate_group_info;

/** Sizes of a survey without its arrays. */
typedef struct hgate_kirchhoff_shape {
    size_t struct_size;
    int64_t ns, nr, ni;
    int64_t nwav;     /**< 0: no wavelet */
    int64_t n_vel;    /**< ni or 1; dynamic */
    DLDataType dtype; /**< float32 or float64 */
} hgate_kirchhoff_shape;

HGATE_API int hgate_kirchhoff_shape_init(hgate_kirchhoff_shape *shape);

/** The cut for both directions; touches no data. group NULL: the defaults. ENOMEM when one source
 * and one receiver do not fit, with the bytes needed and given. ENOKERNEL. */
HGATE_API int hgate_kirchhoff_group_info(hgate_engine *engine, const hgate_kirchhoff_params *params,
                                         const hgate_kirchhoff_shape *shape,
                                         const hgate_group_params *group, hgate_group_info *info);

/** Demigration data = L model. tables and data (ns, nr, nt) or (ns nr, nt) R on the host, model as
 *  in hgate_kirchhoff_forward(), on the host or on device_id (what wrote it there must be done).
 *  Pinned arrays (kDLCUDAHost) with station-major tables are copied from where they are. Tables are
 *  checked as a whole before the first group. A failure in group k names k; the groups before it
 *  are complete. Waits until all is done. */
HGATE_API int hgate_kirchhoff_group_forward(hgate_engine *engine, hgate_exec *exec,
                                            const hgate_kirchhoff_params *params,
                                            const hgate_kirchhoff_tables *tables,
                                            const DLTensor *model, DLTensor *data,
                                            const hgate_group_params *group);
/** Migration model = L' data; arrays alike. After a failure or a stop model is untouched. */
HGATE_API int hgate_kirchhoff_group_adjoint(hgate_engine *engine, hgate_exec *exec,
                                            const hgate_kirchhoff_params *params,
                                            const hgate_kirchhoff_tables *tables,
                                            const DLTensor *data, DLTensor *model,
                                            const hgate_group_params *group);

#ifdef __cplusplus
}
#endif
#endif
