/* SPDX-License-Identifier: BSD-3-Clause */
/* Which arguments an operation writes, and writing one number into all of them. */
#ifndef HG_TESTS_FAKE_OUTPUTS_H
#define HG_TESTS_FAKE_OUTPUTS_H

#include <headgate/plugin_util.h>

#define FAKE_BIT(INDEX) (1u << (INDEX))

static const unsigned fake_outputs[HGATE_OP_COUNT] = {
    [HGATE_OP_CURVATURE] = FAKE_BIT(HGATE_CURVATURE_F),
    [HGATE_OP_CURVATURE_KERNEL] = FAKE_BIT(HGATE_CURVATURE_KERNEL_W),
    [HGATE_OP_CURVATURE_DIRTY] = FAKE_BIT(HGATE_CURVATURE_DIRTY_D),
    [HGATE_OP_CURVATURE_DATA_VECTOR] = FAKE_BIT(HGATE_CURVATURE_DATA_VECTOR_D),
    [HGATE_OP_EMI] = FAKE_BIT(HGATE_EMI_PHASE) | FAKE_BIT(HGATE_EMI_QUALITY) |
                     FAKE_BIT(HGATE_EMI_STATUS) | FAKE_BIT(HGATE_EMI_BETA),
    [HGATE_OP_EVD] =
        FAKE_BIT(HGATE_EMI_PHASE) | FAKE_BIT(HGATE_EMI_QUALITY) | FAKE_BIT(HGATE_EMI_STATUS),
    [HGATE_OP_DS_TEMP_COH] = FAKE_BIT(HGATE_DS_TEMP_COH_T_COH),
    [HGATE_OP_VISIBILITY] = FAKE_BIT(HGATE_VISIBILITY_V),
    [HGATE_OP_VISIBILITY_HORIZON] = FAKE_BIT(HGATE_VISIBILITY_HORIZON_CRD_UP) |
                                    FAKE_BIT(HGATE_VISIBILITY_HORIZON_FLUX_UP) |
                                    FAKE_BIT(HGATE_VISIBILITY_HORIZON_INDEX),
    [HGATE_OP_VISIBILITY_ANGLES] =
        FAKE_BIT(HGATE_VISIBILITY_ANGLES_AZ) | FAKE_BIT(HGATE_VISIBILITY_ANGLES_ZA),
    [HGATE_OP_VISIBILITY_BEAM] = FAKE_BIT(HGATE_VISIBILITY_BEAM_BEAM),
    [HGATE_OP_VISIBILITY_TAU] = FAKE_BIT(HGATE_VISIBILITY_TAU_EXPTAU),
    [HGATE_OP_VISIBILITY_Z] = FAKE_BIT(HGATE_VISIBILITY_Z_Z),
    [HGATE_OP_VISIBILITY_GRAM] = FAKE_BIT(HGATE_VISIBILITY_GRAM_V),
    [HGATE_OP_VISIBILITY_PRODUCT] = FAKE_BIT(HGATE_VISIBILITY_PRODUCT_C),
    [HGATE_OP_VISIBILITY_PAIRS] = FAKE_BIT(HGATE_VISIBILITY_PAIRS_VPAIRS),
    [HGATE_OP_KIRCHHOFF_FORWARD] = FAKE_BIT(HGATE_KIRCHHOFF_DATA),
    [HGATE_OP_KIRCHHOFF_ADJOINT] = FAKE_BIT(HGATE_KIRCHHOFF_MODEL),
    [HGATE_OP_KIRCHHOFF_TRAVELTIME] =
        FAKE_BIT(HGATE_KIRCHHOFF_TRAVELTIME_TRAV) | FAKE_BIT(HGATE_KIRCHHOFF_TRAVELTIME_DIST),
    [HGATE_OP_KIRCHHOFF_ANGLES] = FAKE_BIT(HGATE_KIRCHHOFF_ANGLES_ANG),
    [HGATE_OP_KIRCHHOFF_SPREADING] = FAKE_BIT(HGATE_KIRCHHOFF_SPREADING_AMP),
    [HGATE_OP_KIRCHHOFF_STATION_INDEX] = FAKE_BIT(HGATE_KIRCHHOFF_STATION_INDEX_IDX),
    [HGATE_OP_KIRCHHOFF_WAVELET] = FAKE_BIT(HGATE_KIRCHHOFF_WAVELET_WAV_FILTERED),
    [HGATE_OP_KIRCHHOFF_CONVOLVE] = FAKE_BIT(HGATE_KIRCHHOFF_CONVOLVE_OUT),
};

static void fake_fill_tensor(const DLTensor *tensor, double value)
{
    void *data = hgate_tensor_data(tensor);
    int64_t n = data ? hgate_tensor_count(tensor) : 0;
    int is_complex = tensor->dtype.code == HGATE_DL_COMPLEX;
    int is_wide = tensor->dtype.bits == (is_complex ? 128 : 64);
    int is_float = is_complex || tensor->dtype.code == HGATE_DL_FLOAT;
    int64_t step = is_complex ? 2 : 1;
    for (int64_t i = 0; i < n * step; i++) {
        double part = is_complex && i % 2 ? 0 : value; /* complex: real part, imaginary part 0 */
        if (is_float && is_wide) {
            ((double *)data)[i] = part;
        } else if (is_float) {
            ((float *)data)[i] = (float)part;
        } else if (is_wide) {
            ((int64_t *)data)[i] = (int64_t)part;
        } else {
            ((int32_t *)data)[i] = (int32_t)part;
        }
    }
}

static void fake_fill_outputs(const hgate_problem *problem, double value)
{
    for (int i = 0; i < problem->n_args; i++) {
        if ((fake_outputs[problem->op] & FAKE_BIT(i)) && problem->args[i]) {
            fake_fill_tensor(problem->args[i], value);
        }
    }
    if (problem->n_out) {
        *problem->n_out = hgate_dim(problem, 0);
    }
}

static double fake_bytes(const hgate_problem *problem)
{
    double bytes = 0;
    for (int i = 0; i < problem->n_args; i++) {
        const DLTensor *tensor = problem->args[i];
        if (tensor) {
            bytes += (double)hgate_tensor_count(tensor) * tensor->dtype.bits / 8;
        }
    }
    return bytes;
}

#endif
