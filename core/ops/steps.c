/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of each operation that its rows cannot say. */
#include "core/ops/steps.h"

static const hg_op_steps table[HGATE_OP_COUNT] = {
    [HGATE_OP_CURVATURE] = {.sizes = hg_curvature_sizes,
                            .relations = hg_curvature_relations,
                            .kept_values = hg_curvature_kept_values,
                            .values = hg_curvature_values,
                            .facts = hg_curvature_facts,
                            .keep = hg_curvature_keep},
    [HGATE_OP_CURVATURE_KERNEL] = {.values = hg_curvature_kernel_values},
    [HGATE_OP_CURVATURE_DIRTY] = {.values = hg_curvature_dirty_values},
    [HGATE_OP_CURVATURE_DATA_VECTOR] = {.values = hg_curvature_data_vector_values},
    [HGATE_OP_EMI] = {.sizes = hg_emi_sizes, .relations = hg_emi_relations},
    [HGATE_OP_EVD] = {.sizes = hg_emi_sizes, .relations = hg_emi_relations},
    [HGATE_OP_DS_TEMP_COH] = {.sizes = hg_ds_temp_coh_sizes,
                              .relations = hg_ds_temp_coh_relations,
                              .values = hg_ds_temp_coh_values},
    [HGATE_OP_VISIBILITY] = {.sizes = hg_visibility_sizes,
                             .relations = hg_visibility_relations,
                             .values = hg_visibility_values},
    [HGATE_OP_VISIBILITY_HORIZON] = {.values = hg_visibility_horizon_values},
    [HGATE_OP_VISIBILITY_ANGLES] = {.values = hg_visibility_angles_values},
    [HGATE_OP_VISIBILITY_BEAM] = {.relations = hg_visibility_beam_relations,
                                  .values = hg_visibility_beam_values},
    [HGATE_OP_VISIBILITY_TAU] = {.values = hg_visibility_tau_values},
    [HGATE_OP_VISIBILITY_Z] = {.relations = hg_visibility_z_relations,
                               .values = hg_visibility_z_values},
    [HGATE_OP_VISIBILITY_GRAM] = {.relations = hg_visibility_product_relations},
    [HGATE_OP_VISIBILITY_PRODUCT] = {.relations = hg_visibility_product_relations},
    [HGATE_OP_VISIBILITY_PAIRS] = {.relations = hg_visibility_product_relations,
                                   .values = hg_visibility_pairs_values},
    [HGATE_OP_KIRCHHOFF_FORWARD] = {.arguments = hg_kirchhoff_arguments,
                                    .sizes = hg_kirchhoff_sizes,
                                    .relations = hg_kirchhoff_relations,
                                    .kept_values = hg_kirchhoff_kept_values,
                                    .keep = hg_kirchhoff_keep},
    [HGATE_OP_KIRCHHOFF_ADJOINT] = {.arguments = hg_kirchhoff_arguments,
                                    .sizes = hg_kirchhoff_sizes,
                                    .relations = hg_kirchhoff_relations,
                                    .kept_values = hg_kirchhoff_kept_values},
    [HGATE_OP_KIRCHHOFF_TRAVELTIME] = {.sizes = hg_kirchhoff_setup_sizes,
                                       .values = hg_kirchhoff_traveltime_values},
    [HGATE_OP_KIRCHHOFF_ANGLES] = {.sizes = hg_kirchhoff_setup_sizes},
    [HGATE_OP_KIRCHHOFF_SPREADING] = {.sizes = hg_kirchhoff_setup_sizes,
                                      .values = hg_kirchhoff_spreading_values},
    [HGATE_OP_KIRCHHOFF_STATION_INDEX] = {.sizes = hg_kirchhoff_setup_sizes,
                                          .values = hg_kirchhoff_station_index_values},
    [HGATE_OP_KIRCHHOFF_CONVOLVE] = {.relations = hg_kirchhoff_convolve_relations},
};

const hg_op_steps *hg_op_steps_of(int op)
{
    return &table[op];
}
