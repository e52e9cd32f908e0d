/* SPDX-License-Identifier: BSD-3-Clause */
/* The 24 operations as data: what they are called, what they take, in which types and shapes. */
#include "core/tensor/op_table.h"

#include <headgate/plugin.h>
#include <string.h>

#define COUNT(ARRAY) ((int)(sizeof(ARRAY) / sizeof *(ARRAY)))

/* ---- curvature ----------------------------------------------------------------------------- */

static const hg_arg curvature_args[] = {
    {"w", HG_IN, .in_plan = true, .type = HG_TYPE_R, .shape = "2ny 2nx"},
    {"iy", HG_IN, .in_plan = true, .type = HG_TYPE_INDEX, .shape = "n"},
    {"ix", HG_IN, .in_plan = true, .type = HG_TYPE_INDEX, .shape = "n"},
    {"indptr", HG_IN, .type = HG_TYPE_INT64, .shape = "s+1"},
    {"rows", HG_IN, .type = HG_TYPE_INDEX, .shape = "nnz"},
    {"vals", HG_IN, .type = HG_TYPE_R, .shape = "nnz"},
    {"F", HG_OUT, .type = HG_TYPE_R, .shape = "s s"},
};
static const char *const curvature_dims[] = {"ny", "nx", "n", "s", "nnz"};

static const hg_arg curvature_kernel_args[] = {
    {"uv", HG_IN, .type = HG_TYPE_F64, .shape = "k 2"},
    {"sigma", HG_IN, .type = HG_TYPE_F64, .shape = "k | k 2"},
    {"w", HG_OUT, .type = HG_TYPE_R, .shape = "2ny 2nx"},
};
static const char *const curvature_kernel_dims[] = {"k", "ny", "nx"};

static const hg_arg curvature_dirty_args[] = {
    {"uv", HG_IN, .type = HG_TYPE_F64, .shape = "k 2"},
    {"sigma", HG_IN, .type = HG_TYPE_F64, .shape = "k"},
    {"vis", HG_IN, .type = HG_TYPE_C128, .shape = "k"},
    {"y", HG_IN, .type = HG_TYPE_F64, .shape = "n"},
    {"x", HG_IN, .type = HG_TYPE_F64, .shape = "n"},
    {"d", HG_OUT, .type = HG_TYPE_F64, .shape = "n"},
};
static const char *const curvature_dirty_dims[] = {"k", "n"};

static const hg_arg curvature_data_vector_args[] = {
    {"d", HG_IN, .type = HG_TYPE_R, .shape = "n"},
    {"indptr", HG_IN, .type = HG_TYPE_INT64, .shape = "s+1"},
    {"rows", HG_IN, .type = HG_TYPE_INDEX, .shape = "nnz"},
    {"vals", HG_IN, .type = HG_TYPE_R, .shape = "nnz"},
    {"D", HG_OUT, .type = HG_TYPE_R, .shape = "s"},
};
static const char *const curvature_data_vector_dims[] = {"n", "s", "nnz"};

/* ---- emi ----------------------------------------------------------------------------------- */

static const hg_arg emi_args[] = {
    {"coh", HG_IN, .type = HG_TYPE_C, .shape = "full: batch n n | packed: batch n(n-1)/2"},
    {"phase", HG_OUT, .type = HG_TYPE_C, .shape = "batch n"},
    {"quality", HG_OUT, .is_optional = true, .type = HG_TYPE_R, .shape = "batch"},
    {"status", HG_OUT, .is_optional = true, .type = HG_TYPE_INT32, .shape = "batch"},
    {"beta", HG_OUT, .is_optional = true, .type = HG_TYPE_R, .shape = "batch"}, /* not of evd */
};
static const char *const emi_dims[] = {"n", "batch", "full"};

static const hg_arg ds_temp_coh_args[] = {
    {"coh", HG_IN, .type = HG_TYPE_C,
     .shape = "full: batch n n | packed: batch n(n-1)/2 | listed: batch npairs"},
    {"pairs", HG_IN, .is_optional = true, .type = HG_TYPE_INT32, .shape = "npairs 2"},
    {"phase", HG_IN, .type = HG_TYPE_C, .shape = "batch n"},
    {"t_coh", HG_OUT, .type = HG_TYPE_R, .shape = "batch"},
};
static const char *const ds_temp_coh_dims[] = {"n", "batch", "full", "npairs"};

/* ---- visibility ---------------------------------------------------------------------------- */

static const hg_arg visibility_args[] = {
    {"antpos", HG_IN, .type = HG_TYPE_R, .shape = "nant 3"},
    {"crd", HG_IN, .type = HG_TYPE_R, .shape = "3 nsrc"},
    {"flux", HG_IN, .type = HG_TYPE_R, .shape = "nsrc"},
    {"grid", HG_IN, .type = HG_TYPE_R_OR_C, .shape = "nbeam nax nfeed nza naz"},
    {"daz", HG_IN, .type = HG_TYPE_R, .shape = "nbeam | 1"},
    {"dza", HG_IN, .type = HG_TYPE_R, .shape = "nbeam | 1"},
    {"az0", HG_IN, .is_optional = true, .type = HG_TYPE_R, .shape = "nbeam | 1"},
    {"za0", HG_IN, .is_optional = true, .type = HG_TYPE_R, .shape = "nbeam | 1"},
    {"beam_idx", HG_IN, .is_optional = true, .type = HG_TYPE_INDEX, .shape = "nant"},
    {"pairs", HG_IN, .is_optional = true, .type = HG_TYPE_INDEX, .shape = "npairs 2"},
    {"V", HG_INOUT, .type = HG_TYPE_C,
     .shape = "square: nant*nfeed nant*nfeed | listed: npairs nfeed nfeed"},
};
static const char *const visibility_dims[] = {"nant", "nfeed", "nax",    "nsrc", "nbeam",
                                              "nza",  "naz",   "npairs", "n_up"};

static const hg_arg visibility_horizon_args[] = {
    {"crd", HG_IN, .type = HG_TYPE_R, .shape = "3 nsrc"},
    {"flux", HG_IN, .type = HG_TYPE_R, .shape = "nsrc"},
    {"crd_up", HG_OUT_PART, .type = HG_TYPE_R, .shape = "3 nsrc"},
    {"flux_up", HG_OUT_PART, .type = HG_TYPE_R, .shape = "nsrc"},
    {"index", HG_OUT_PART, .is_optional = true, .type = HG_TYPE_INT64, .shape = "nsrc"},
};
static const char *const nsrc_dim[] = {"nsrc"};

static const hg_arg visibility_angles_args[] = {
    {"crd", HG_IN, .type = HG_TYPE_R, .shape = "3 nsrc"},
    {"az", HG_OUT, .type = HG_TYPE_R, .shape = "nsrc"},
    {"za", HG_OUT, .type = HG_TYPE_R, .shape = "nsrc"},
};

static const hg_arg visibility_beam_args[] = {
    {"grid", HG_IN, .type = HG_TYPE_ANY_REAL_OR_COMPLEX, .shape = "nbeam nax nfeed nza naz"},
    {"daz", HG_IN, .type = HG_TYPE_R, .shape = "nbeam | 1"},
    {"dza", HG_IN, .type = HG_TYPE_R, .shape = "nbeam | 1"},
    {"az0", HG_IN, .is_optional = true, .type = HG_TYPE_R, .shape = "nbeam | 1"},
    {"za0", HG_IN, .is_optional = true, .type = HG_TYPE_R, .shape = "nbeam | 1"},
    {"az", HG_IN, .type = HG_TYPE_R, .shape = "nsrc"},
    {"za", HG_IN, .type = HG_TYPE_R, .shape = "nsrc"},
    {"beam", HG_OUT, .type = HG_TYPE_ANY_REAL_OR_COMPLEX, .shape = "nbeam nfeed nax nsrc"},
};
static const char *const visibility_beam_dims[] = {"nbeam", "nfeed", "nax", "nsrc", "nza", "naz"};

static const hg_arg visibility_tau_args[] = {
    {"antpos", HG_IN, .type = HG_TYPE_R, .shape = "nant 3"},
    {"crd", HG_IN, .type = HG_TYPE_R, .shape = "3 nsrc"},
    {"exptau", HG_OUT, .type = HG_TYPE_C_OR_C64, .shape = "nant nsrc"},
};
static const char *const visibility_tau_dims[] = {"nant", "nsrc"};

static const hg_arg visibility_z_args[] = {
    {"beam", HG_IN, .type = HG_TYPE_C, .shape = "nbeam nfeed nax nsrc"},
    {"exptau", HG_IN, .type = HG_TYPE_C, .shape = "nant nsrc"},
    {"flux", HG_IN, .type = HG_TYPE_R, .shape = "nsrc"},
    {"beam_idx", HG_IN, .is_optional = true, .type = HG_TYPE_INDEX, .shape = "nant"},
    {"Z", HG_OUT, .type = HG_TYPE_C, .shape = "nant*nfeed nax*nsrc"},
};
static const char *const visibility_z_dims[] = {"nant", "nfeed", "nax", "nbeam", "nsrc"};

static const hg_arg visibility_gram_args[] = {
    {"Z", HG_IN, .type = HG_TYPE_C, .shape = "m k"},
    {"V", HG_INOUT, .type = HG_TYPE_C, .shape = "m m"},
};
static const char *const visibility_gram_dims[] = {"m", "k"};

static const hg_arg visibility_product_args[] = {
    {"A", HG_IN, .type = HG_TYPE_C, .shape = "m k"},
    {"B", HG_IN, .type = HG_TYPE_C, .shape = "n k"},
    {"C", HG_INOUT, .type = HG_TYPE_C, .shape = "m n"},
};
static const char *const visibility_product_dims[] = {"m", "n", "k"};

static const hg_arg visibility_pairs_args[] = {
    {"Z", HG_IN, .type = HG_TYPE_C, .shape = "nant*nfeed k"},
    {"pairs", HG_IN, .type = HG_TYPE_INDEX, .shape = "npairs 2"},
    {"Vpairs", HG_INOUT, .type = HG_TYPE_C, .shape = "npairs nfeed nfeed"},
};
static const char *const visibility_pairs_dims[] = {"nant", "nfeed", "k", "npairs"};

/* ---- kirchhoff ----------------------------------------------------------------------------- */

#define SOURCE_TABLE "point: ni ns | station: ns ni"
#define RECEIVER_TABLE "point: ni nr | station: nr ni"
#define MODEL "2d: nx nz | 3d: ny nx nz | ni"
#define DATA "ns nr nt | ns*nr nt"

/* The tables, the same for both directions; which of the optional ones are needed the options say.
 */
#define TABLES                                                                                     \
    {"trav_src", HG_IN, .in_plan = true, .type = HG_TYPE_R, .shape = SOURCE_TABLE},                \
        {"trav_rec", HG_IN, .in_plan = true, .type = HG_TYPE_R, .shape = RECEIVER_TABLE},          \
        {"amp_src", HG_IN, true, true, HG_TYPE_R, SOURCE_TABLE},                                   \
        {"amp_rec", HG_IN, true, true, HG_TYPE_R, RECEIVER_TABLE},                                 \
        {"ang_src", HG_IN, true, true, HG_TYPE_R, SOURCE_TABLE},                                   \
        {"ang_rec", HG_IN, true, true, HG_TYPE_R, RECEIVER_TABLE},                                 \
        {"vel", HG_IN, true, true, HG_TYPE_R, "ni | 1"},                                           \
        {"six", HG_IN, true, true, HG_TYPE_INDEX, "ns"},                                           \
        {"rix", HG_IN, true, true, HG_TYPE_INDEX, "nr"},                                           \
        {"tap", HG_IN, true, true, HG_TYPE_R_OR_F64, "*"},                                         \
    {                                                                                              \
        "wav", HG_IN, true, true, HG_TYPE_R, "nwav"                                                \
    }

static const hg_arg kirchhoff_forward_args[] = {
    TABLES,
    {"model", HG_IN, .type = HG_TYPE_R, .shape = MODEL},
    {"data", HG_INOUT, .type = HG_TYPE_R, .shape = DATA},
};
static const hg_arg kirchhoff_adjoint_args[] = {
    TABLES,
    {"model", HG_INOUT, .type = HG_TYPE_R, .shape = MODEL},
    {"data", HG_IN, .type = HG_TYPE_R, .shape = DATA},
};
static const char *const kirchhoff_dims[] = {"ns", "nr", "nt", "nx", "nz", "ny", "ni", "nwav"};

static const hg_arg kirchhoff_traveltime_args[] = {
    {"stations", HG_IN, .type = HG_TYPE_R, .shape = "2d: 2 n | 3d: 3 n"},
    {"trav", HG_OUT, .type = HG_TYPE_R, .shape = "ni n"},
    {"dist", HG_OUT, .is_optional = true, .type = HG_TYPE_R, .shape = "ni n"},
};
static const hg_arg kirchhoff_angles_args[] = {
    {"trav", HG_IN, .type = HG_TYPE_R, .shape = "ni n"},
    {"ang", HG_OUT, .type = HG_TYPE_R, .shape = "ni n"},
};
static const hg_arg kirchhoff_spreading_args[] = {
    {"dist", HG_IN, .type = HG_TYPE_R, .shape = "ni n"},
    {"amp", HG_OUT, .type = HG_TYPE_R, .shape = "ni n"},
};
static const hg_arg kirchhoff_station_index_args[] = {
    {"stations", HG_IN, .type = HG_TYPE_R, .shape = "2d: 2 n | 3d: 3 n"},
    {"idx", HG_OUT, .type = HG_TYPE_INDEX, .shape = "n"},
};
static const char *const kirchhoff_grid_dims[] = {"n", "nx", "nz", "ny", "ni"};

static const hg_arg kirchhoff_wavelet_args[] = {
    {"wav", HG_IN, .type = HG_TYPE_R, .shape = "nwav"},
    {"wav_filtered", HG_OUT, .type = HG_TYPE_R, .shape = "nwav"},
};
static const char *const nwav_dim[] = {"nwav"};

static const hg_arg kirchhoff_convolve_args[] = {
    {"wav", HG_IN, .type = HG_TYPE_R, .shape = "nwav"},
    {"in", HG_IN, .type = HG_TYPE_R, .shape = "n... nt"},
    {"out", HG_OUT, .type = HG_TYPE_R, .shape = "n... nt"},
};
static const char *const kirchhoff_convolve_dims[] = {"nwav", "nt", "n"};

/* ---- the table ----------------------------------------------------------------------------- */

#define ARGS(ARRAY) .n_args = COUNT(ARRAY), .args = (ARRAY)
#define DIMS(ARRAY) .n_dims = COUNT(ARRAY), .dims = (ARRAY)

static const hg_op rows[HGATE_OP_COUNT] = {
    [HGATE_OP_CURVATURE] = {"curvature", "curvature", ARGS(curvature_args), HGATE_CURVATURE_W,
                            DIMS(curvature_dims), "ny nx"},
    [HGATE_OP_CURVATURE_KERNEL] = {"curvature_kernel", "curvature", ARGS(curvature_kernel_args),
                                   HGATE_CURVATURE_KERNEL_W, DIMS(curvature_kernel_dims), "ny nx"},
    [HGATE_OP_CURVATURE_DIRTY] = {"curvature_dirty", "curvature", ARGS(curvature_dirty_args),
                                  HGATE_CURVATURE_DIRTY_D, DIMS(curvature_dirty_dims), ""},
    [HGATE_OP_CURVATURE_DATA_VECTOR] = {"curvature_data_vector", "curvature",
                                        ARGS(curvature_data_vector_args),
                                        HGATE_CURVATURE_DATA_VECTOR_VALS,
                                        DIMS(curvature_data_vector_dims), ""},
    [HGATE_OP_EMI] = {"emi", "emi", ARGS(emi_args), HGATE_EMI_COH, DIMS(emi_dims), "n"},
    [HGATE_OP_EVD] = {"evd", "emi", COUNT(emi_args) - 1, emi_args, HGATE_EMI_COH, DIMS(emi_dims),
                      "n"},
    [HGATE_OP_DS_TEMP_COH] = {"ds_temp_coh", "emi", ARGS(ds_temp_coh_args), HGATE_DS_TEMP_COH_COH,
                              DIMS(ds_temp_coh_dims), "n"},
    [HGATE_OP_VISIBILITY] = {"visibility", "visibility", ARGS(visibility_args), HGATE_VISIBILITY_V,
                             DIMS(visibility_dims), "nant nfeed nax nbeam nza naz"},
    [HGATE_OP_VISIBILITY_HORIZON] = {"visibility_horizon", "visibility",
                                     ARGS(visibility_horizon_args), HGATE_VISIBILITY_HORIZON_CRD,
                                     DIMS(nsrc_dim), ""},
    [HGATE_OP_VISIBILITY_ANGLES] = {"visibility_angles", "visibility", ARGS(visibility_angles_args),
                                    HGATE_VISIBILITY_ANGLES_CRD, DIMS(nsrc_dim), ""},
    [HGATE_OP_VISIBILITY_BEAM] = {"visibility_beam", "visibility", ARGS(visibility_beam_args),
                                  HGATE_VISIBILITY_BEAM_BEAM, DIMS(visibility_beam_dims),
                                  "nfeed nax nbeam nza naz"},
    [HGATE_OP_VISIBILITY_TAU] = {"visibility_tau", "visibility", ARGS(visibility_tau_args),
                                 HGATE_VISIBILITY_TAU_EXPTAU, DIMS(visibility_tau_dims), "nant"},
    [HGATE_OP_VISIBILITY_Z] = {"visibility_z", "visibility", ARGS(visibility_z_args),
                               HGATE_VISIBILITY_Z_Z, DIMS(visibility_z_dims),
                               "nant nfeed nax nbeam"},
    [HGATE_OP_VISIBILITY_GRAM] = {"visibility_gram", "visibility", ARGS(visibility_gram_args),
                                  HGATE_VISIBILITY_GRAM_Z, DIMS(visibility_gram_dims), ""},
    [HGATE_OP_VISIBILITY_PRODUCT] = {"visibility_product", "visibility",
                                     ARGS(visibility_product_args), HGATE_VISIBILITY_PRODUCT_A,
                                     DIMS(visibility_product_dims), ""},
    [HGATE_OP_VISIBILITY_PAIRS] = {"visibility_pairs", "visibility", ARGS(visibility_pairs_args),
                                   HGATE_VISIBILITY_PAIRS_Z, DIMS(visibility_pairs_dims),
                                   "nant nfeed"},
    [HGATE_OP_KIRCHHOFF_FORWARD] = {"kirchhoff_forward", "kirchhoff", ARGS(kirchhoff_forward_args),
                                    HGATE_KIRCHHOFF_TRAV_SRC, DIMS(kirchhoff_dims), ""},
    [HGATE_OP_KIRCHHOFF_ADJOINT] = {"kirchhoff_adjoint", "kirchhoff", ARGS(kirchhoff_adjoint_args),
                                    HGATE_KIRCHHOFF_TRAV_SRC, DIMS(kirchhoff_dims), ""},
    [HGATE_OP_KIRCHHOFF_TRAVELTIME] = {"kirchhoff_traveltime", "kirchhoff",
                                       ARGS(kirchhoff_traveltime_args),
                                       HGATE_KIRCHHOFF_TRAVELTIME_TRAV, DIMS(kirchhoff_grid_dims),
                                       ""},
    [HGATE_OP_KIRCHHOFF_ANGLES] = {"kirchhoff_angles", "kirchhoff", ARGS(kirchhoff_angles_args),
                                   HGATE_KIRCHHOFF_ANGLES_TRAV, DIMS(kirchhoff_grid_dims), ""},
    [HGATE_OP_KIRCHHOFF_SPREADING] = {"kirchhoff_spreading", "kirchhoff",
                                      ARGS(kirchhoff_spreading_args),
                                      HGATE_KIRCHHOFF_SPREADING_DIST, DIMS(kirchhoff_grid_dims),
                                      ""},
    [HGATE_OP_KIRCHHOFF_STATION_INDEX] = {"kirchhoff_station_index", "kirchhoff",
                                          ARGS(kirchhoff_station_index_args),
                                          HGATE_KIRCHHOFF_STATION_INDEX_STATIONS,
                                          DIMS(kirchhoff_grid_dims), ""},
    [HGATE_OP_KIRCHHOFF_WAVELET] = {"kirchhoff_wavelet", "kirchhoff", ARGS(kirchhoff_wavelet_args),
                                    HGATE_KIRCHHOFF_WAVELET_WAV, DIMS(nwav_dim), ""},
    [HGATE_OP_KIRCHHOFF_CONVOLVE] = {"kirchhoff_convolve", "kirchhoff",
                                     ARGS(kirchhoff_convolve_args), HGATE_KIRCHHOFF_CONVOLVE_IN,
                                     DIMS(kirchhoff_convolve_dims), ""},
};

const hg_op *hg_op_row(int op)
{
    return op >= 0 && op < HGATE_OP_COUNT ? &rows[op] : NULL;
}

int hg_op_find_dim(const hg_op *row, const char *word, int n)
{
    for (int i = 0; i < row->n_dims; i++) {
        const char *dim = row->dims[i];
        if (dim[0] == word[0] && strncmp(dim, word, (size_t)n) == 0 && dim[n] == '\0') {
            return i;
        }
    }
    return -1;
}

const char *hgate_op_name(int op)
{
    const hg_op *row = hg_op_row(op);
    return row ? row->word : NULL;
}

int hgate_op_find(const char *word)
{
    for (int op = 0; word && op < HGATE_OP_COUNT; op++) {
        if (strcmp(rows[op].word, word) == 0) {
            return op;
        }
    }
    return -1;
}
