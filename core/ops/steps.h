/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the four families give to the table of steps. */
#ifndef HG_OPS_STEPS_H
#define HG_OPS_STEPS_H

#include "core/ops/forms.h"

/* relations_<family>.c: sizes, layouts, rules between arrays and scalars. */
int hg_curvature_sizes(hg_draft *draft);
int hg_curvature_relations(hg_draft *draft);
int hg_emi_sizes(hg_draft *draft);
int hg_emi_relations(hg_draft *draft);
int hg_ds_temp_coh_sizes(hg_draft *draft);
int hg_ds_temp_coh_relations(hg_draft *draft);
int hg_visibility_sizes(hg_draft *draft);
int hg_visibility_relations(hg_draft *draft);
int hg_visibility_beam_relations(hg_draft *draft);
int hg_visibility_z_relations(hg_draft *draft);
int hg_visibility_product_relations(hg_draft *draft);
int hg_kirchhoff_arguments(const hg_draft *draft, const DLTensor **args);
int hg_kirchhoff_sizes(hg_draft *draft);
int hg_kirchhoff_relations(hg_draft *draft);
int hg_kirchhoff_setup_sizes(hg_draft *draft);
int hg_kirchhoff_convolve_relations(hg_draft *draft);

/* values_<family>.c: elements of host arrays. */
int hg_curvature_mask_values(const hg_problem *problem); /* iy and ix alone */
int hg_curvature_kept_values(const hg_problem *problem);
int hg_curvature_values(const hg_problem *problem);
int hg_curvature_kernel_values(const hg_problem *problem);
int hg_curvature_dirty_values(const hg_problem *problem);
int hg_curvature_data_vector_values(const hg_problem *problem);
int hg_ds_temp_coh_values(const hg_problem *problem);
int hg_visibility_values(const hg_problem *problem);
int hg_visibility_horizon_values(const hg_problem *problem);
int hg_visibility_angles_values(const hg_problem *problem);
int hg_visibility_beam_values(const hg_problem *problem);
int hg_visibility_tau_values(const hg_problem *problem);
int hg_visibility_z_values(const hg_problem *problem);
int hg_visibility_pairs_values(const hg_problem *problem);
int hg_kirchhoff_kept_values(const hg_problem *problem);
int hg_kirchhoff_traveltime_values(const hg_problem *problem);
int hg_kirchhoff_spreading_values(const hg_problem *problem);
int hg_kirchhoff_station_index_values(const hg_problem *problem);

/* facts_curvature.c, facts_kirchhoff.c */
int hg_curvature_facts(hg_problem *problem, const hgate_engine *engine, const hgate_plan *plan);
int hg_curvature_keep(hgate_plan *plan, const hg_problem *problem);
int hg_kirchhoff_keep(hgate_plan *plan, const hg_problem *problem);

#endif
