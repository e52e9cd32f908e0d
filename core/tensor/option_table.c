/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of scalars, one for each params struct. */
#include "core/tensor/option_table.h"

#include <float.h>
#include <headgate/plugin.h>
#include <math.h>

#define OP(NUMBER) (UINT32_C(1) << HGATE_OP_##NUMBER)
#define AT(FIELD) offsetof(PARAMS, FIELD)
#define COUNT(ARRAY) ((int)(sizeof(ARRAY) / sizeof *(ARRAY)))

/* Ranges, and the words for them. */
#define RANGE(LEAST, MOST, WORDS) .least = (LEAST), .most = (MOST), .expected = (WORDS)
#define ANY .expected = NULL
#define ABOVE_0 RANGE(DBL_TRUE_MIN, DBL_MAX, "a finite number above 0")
#define FINITE RANGE(-DBL_MAX, DBL_MAX, "a finite number")
#define STEP RANGE(-DBL_MAX, DBL_MAX, "a finite number, not 0"), .is_not_zero = true
#define AT_LEAST(N) RANGE(N, 0x1p63, #N " or more")
#define ZERO_OR_ONE RANGE(0, 1, "0 or 1")
#define REQUIRED .is_required = true

static const char *const check_words[] = {"none", "values", "full", NULL};
#define CHECK(OPS, KEY)                                                                            \
    {                                                                                              \
        "check", HG_OPTION_CHOICE, OPS, AT(check), HGATE_CHECK_VALUES, .words = check_words,       \
                                                                       .key = KEY                  \
    }

/* ---- curvature ----------------------------------------------------------------------------- */

#define PARAMS hgate_curvature_params
enum {
    CURVATURE_OPS =
        OP(CURVATURE) | OP(CURVATURE_KERNEL) | OP(CURVATURE_DIRTY) | OP(CURVATURE_DATA_VECTOR)
};
static const hg_option curvature_options[] = {
    {"pix", HG_OPTION_REAL, OP(CURVATURE_KERNEL), AT(pix), 0, REQUIRED, ABOVE_0},
    {"w_general", HG_OPTION_FLAG, OP(CURVATURE), AT(w_general), 0, ZERO_OR_ONE},
    CHECK(CURVATURE_OPS, "ops.curvature.check"),
};
#undef PARAMS

/* ---- emi ----------------------------------------------------------------------------------- */

#define PARAMS hgate_emi_params
enum { EMI_OPS = OP(EMI) | OP(EVD) | OP(DS_TEMP_COH) };
static const char *const rule_words[] = {"adaptive", "fixed", "none", NULL};
static const char *const fallback_words[] = {"none", "evd", NULL};
static const hg_option emi_options[] = {
    {"n_images", HG_OPTION_INT, EMI_OPS, AT(n_images), 0, AT_LEAST(0)},
    {"ref", HG_OPTION_INT, OP(EMI) | OP(EVD), AT(ref), 0, AT_LEAST(0)},
    {"rule", HG_OPTION_CHOICE, OP(EMI), AT(rule), HGATE_EMI_BETA_ADAPTIVE, .words = rule_words,
     .key = "ops.emi.rule"},
    {"beta", HG_OPTION_REAL, OP(EMI), AT(beta), 0,
     RANGE(0, 1 - DBL_EPSILON / 2, "0 or more and less than 1"), .key = "ops.emi.beta"},
    {"kappa", HG_OPTION_REAL, OP(EMI), AT(kappa), 1e5, RANGE(1e2, 1e12, "1e2 to 1e12"),
     .key = "ops.emi.kappa"},
    {"fallback", HG_OPTION_CHOICE, OP(EMI), AT(fallback), HGATE_EMI_FALLBACK_NONE,
     .words = fallback_words, .key = "ops.emi.fallback"},
    CHECK(EMI_OPS, "ops.emi.check"),
};
#undef PARAMS

/* ---- visibility ---------------------------------------------------------------------------- */

#define PARAMS hgate_visibility_params
enum {
    FUSED = OP(VISIBILITY),
    VISIBILITY_STEPS = OP(VISIBILITY_HORIZON) | OP(VISIBILITY_ANGLES) | OP(VISIBILITY_BEAM) |
                       OP(VISIBILITY_TAU) | OP(VISIBILITY_Z),
    HERMITIAN = OP(VISIBILITY) | OP(VISIBILITY_GRAM) | OP(VISIBILITY_PAIRS),
    PRODUCT = OP(VISIBILITY_PRODUCT)
};
static const char *const convention_words[] = {"zzh", "conj", "pairs_matvis", NULL};
static const char *const az_mode_words[] = {"clamp", "periodic", NULL};
static const char *const tau_mode_words[] = {"auto", "direct", "reduced", "wide", NULL};
static const char *const matprod_words[] = {"auto",  "herk",   "gemm",   "gemm3m", "herk3",
                                            "zherk", "fp16x3", "tf32x3", "dot",    NULL};
static const hg_option visibility_options[] = {
    {"freq_hz", HG_OPTION_REAL, FUSED | OP(VISIBILITY_TAU), AT(freq_hz), 0, REQUIRED, ABOVE_0},
    {"alpha", HG_OPTION_REAL, HERMITIAN, AT(alpha), 1, FINITE},
    {"beta", HG_OPTION_REAL, HERMITIAN, AT(beta), 0, FINITE},
    {"alpha_re", HG_OPTION_REAL, PRODUCT, AT(alpha_re), 1, FINITE},
    {"alpha_im", HG_OPTION_REAL, PRODUCT, AT(alpha_im), 0, FINITE},
    {"beta_re", HG_OPTION_REAL, PRODUCT, AT(beta_re), 0, FINITE},
    {"beta_im", HG_OPTION_REAL, PRODUCT, AT(beta_im), 0, FINITE},
    {"convention", HG_OPTION_CHOICE, HERMITIAN, AT(convention), HGATE_VISIBILITY_ZZH,
     .words = convention_words},
    {"az_mode", HG_OPTION_CHOICE, FUSED | OP(VISIBILITY_BEAM), AT(az_mode), HGATE_AZ_CLAMP,
     .words = az_mode_words},
    {"tau_mode", HG_OPTION_CHOICE, FUSED | OP(VISIBILITY_TAU), AT(tau_mode), HGATE_TAU_AUTO,
     .words = tau_mode_words, .key = "ops.visibility.tau_mode"},
    {"phase_sign", HG_OPTION_INT, FUSED | OP(VISIBILITY_TAU), AT(phase_sign), 1,
     RANGE(-1, 1, "1 or -1"), .is_not_zero = true},
    {"flux_scale", HG_OPTION_REAL, FUSED | OP(VISIBILITY_Z), AT(flux_scale), 0.5,
     RANGE(0, DBL_MAX, "a finite number, 0 or more")},
    {"flux_is_amp", HG_OPTION_FLAG, FUSED | OP(VISIBILITY_Z), AT(flux_is_amp), 0, ZERO_OR_ONE},
    {"signed_flux", HG_OPTION_FLAG, FUSED, AT(signed_flux), 0, ZERO_OR_ONE},
    {"sqrt_power", HG_OPTION_FLAG, FUSED | OP(VISIBILITY_BEAM), AT(sqrt_power), 0, ZERO_OR_ONE},
    {"matprod", HG_OPTION_CHOICE, HERMITIAN | PRODUCT, AT(matprod), HGATE_MATPROD_AUTO,
     .words = matprod_words},
    {"min_chunks", HG_OPTION_INT64, FUSED, AT(min_chunks), 1, AT_LEAST(1)},
    {"mem_limit", HG_OPTION_SIZE, FUSED, AT(mem_limit), 0, ANY},
    {"memory_buffer", HG_OPTION_REAL, FUSED, AT(memory_buffer), 0.9,
     RANGE(DBL_TRUE_MIN, 1, "above 0, at most 1"), .key = "ops.visibility.memory_buffer"},
    CHECK(VISIBILITY_STEPS | HERMITIAN | PRODUCT, "ops.visibility.check"),
};
#undef PARAMS

/* ---- kirchhoff ----------------------------------------------------------------------------- */

#define PARAMS hgate_kirchhoff_params
enum { BOTH = OP(KIRCHHOFF_FORWARD) | OP(KIRCHHOFF_ADJOINT) };
static const char *const offset_taper_words[] = {"apply", "unit", NULL};
#define BIT(NAME, NUMBER)                                                                          \
    {                                                                                              \
        NAME, HG_OPTION_BIT, BOTH, AT(flags), 0, ZERO_OR_ONE, .bit = (NUMBER)                      \
    }
static const hg_option kirchhoff_options[] = {
    {"dt", HG_OPTION_REAL, BOTH, AT(dt), 0, REQUIRED, ABOVE_0},
    {"t0", HG_OPTION_REAL, BOTH, AT(t0), 0, FINITE},
    {"nt", HG_OPTION_INT64, BOTH, AT(nt), 0, REQUIRED, AT_LEAST(2)},
    {"ny", HG_OPTION_INT64, BOTH, AT(ny), 0, AT_LEAST(0)},
    {"nx", HG_OPTION_INT64, BOTH, AT(nx), 0, AT_LEAST(0)},
    {"nz", HG_OPTION_INT64, BOTH, AT(nz), 0, REQUIRED, AT_LEAST(1)},
    BIT("dynamic", HGATE_KIRCHHOFF_DYNAMIC),
    BIT("station_major", HGATE_KIRCHHOFF_STATION_MAJOR),
    BIT("skip_nonfinite", HGATE_KIRCHHOFF_SKIP_NONFINITE),
    {"offset_taper", HG_OPTION_CHOICE, BOTH, AT(offset_taper), HGATE_OFFSET_TAPER_APPLY,
     .words = offset_taper_words},
    {"aperture", HG_OPTION_LIMITS, BOTH, AT(aperture), INFINITY, ANY},
    {"angle", HG_OPTION_LIMITS, BOTH, AT(angle), INFINITY, ANY},
    {"wavc", HG_OPTION_INT64, BOTH, AT(wavc), 0, AT_LEAST(0)},
    CHECK(BOTH, "ops.kirchhoff.check"),
};
#undef PARAMS

#define PARAMS hgate_kirchhoff_setup
enum { GRID_OPS = OP(KIRCHHOFF_TRAVELTIME) | OP(KIRCHHOFF_ANGLES) | OP(KIRCHHOFF_STATION_INDEX) };
static const hg_option setup_options[] = {
    {"ny", HG_OPTION_INT64, GRID_OPS, AT(grid.ny), 0, AT_LEAST(0)},
    {"nx", HG_OPTION_INT64, GRID_OPS, AT(grid.nx), 0, REQUIRED, AT_LEAST(1)},
    {"nz", HG_OPTION_INT64, GRID_OPS, AT(grid.nz), 0, REQUIRED, AT_LEAST(1)},
    {"dy", HG_OPTION_REAL, GRID_OPS, AT(grid.dy), 0, ANY}, /* a step only in 3D */
    {"dx", HG_OPTION_REAL, GRID_OPS, AT(grid.dx), 0, REQUIRED, STEP},
    {"dz", HG_OPTION_REAL, GRID_OPS, AT(grid.dz), 0, REQUIRED, STEP},
    {"y0", HG_OPTION_REAL, GRID_OPS, AT(grid.y0), 0, FINITE},
    {"x0", HG_OPTION_REAL, GRID_OPS, AT(grid.x0), 0, FINITE},
    {"z0", HG_OPTION_REAL, GRID_OPS, AT(grid.z0), 0, FINITE},
    {"v", HG_OPTION_REAL, OP(KIRCHHOFF_TRAVELTIME), AT(v), 0, REQUIRED, ABOVE_0},
    {"ndim", HG_OPTION_INT, OP(KIRCHHOFF_SPREADING) | OP(KIRCHHOFF_WAVELET), AT(ndim), 0, REQUIRED,
     RANGE(2, 3, "2 or 3")},
    {"eps", HG_OPTION_REAL, OP(KIRCHHOFF_SPREADING), AT(eps), 0, REQUIRED, ABOVE_0},
    {"dt", HG_OPTION_REAL, OP(KIRCHHOFF_WAVELET), AT(dt), 0, REQUIRED, ABOVE_0},
    {"wavc", HG_OPTION_INT64, OP(KIRCHHOFF_CONVOLVE), AT(wavc), -1, REQUIRED, AT_LEAST(0)},
    {"adjoint", HG_OPTION_FLAG, OP(KIRCHHOFF_CONVOLVE), AT(adjoint), 0, ZERO_OR_ONE},
};

/* ---- the lists ----------------------------------------------------------------------------- */

#define LIST(NAME, TYPE, ARRAY)                                                                    \
    {                                                                                              \
        NAME, sizeof(TYPE), COUNT(ARRAY), ARRAY                                                    \
    }

const hg_option_list *hg_option_list_of(int op)
{
    static const hg_option_list curvature =
        LIST("params", hgate_curvature_params, curvature_options);
    static const hg_option_list emi = LIST("params", hgate_emi_params, emi_options);
    static const hg_option_list visibility =
        LIST("params", hgate_visibility_params, visibility_options);
    static const hg_option_list kirchhoff =
        LIST("params", hgate_kirchhoff_params, kirchhoff_options);
    static const hg_option_list setup = LIST("setup", hgate_kirchhoff_setup, setup_options);
    uint32_t bit = UINT32_C(1) << op;
    return bit & CURVATURE_OPS               ? &curvature
           : bit & EMI_OPS                   ? &emi
           : bit & BOTH                      ? &kirchhoff
           : op < HGATE_OP_KIRCHHOFF_FORWARD ? &visibility
                                             : &setup;
}
