/* SPDX-License-Identifier: BSD-3-Clause */
/* Plugin ABI 1.0: what a backend exports, and what it is given.
 *
 * A plugin is a shared object `headgate-NAME.so` that exports one object,
 * `hgate_plugin_descriptor`. It does not link to libheadgate; everything it may use comes through
 * the host table. Its life: the header is checked, probe() runs once per engine, then for each call
 * supports() and estimate() answer, prepare() runs where a plan keeps data, run() does the work,
 * release() ends. Functions marked optional may be NULL. Every struct that can grow starts with
 * struct_size; read nothing behind the size you were given. */
#ifndef HEADGATE_PLUGIN_H
#define HEADGATE_PLUGIN_H

#include "ops.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HGATE_PLUGIN_MAGIC "HGATEPLG"
#define HGATE_PLUGIN_ABI_MAJOR 1
#define HGATE_PLUGIN_ABI_MINOR 0

/* ---- masks --------------------------------------------------------------------------------- */

/** Element types. A problem's dtype is that of its main array; see the tables of the operations. */
enum { HGATE_F32 = 1, HGATE_F64 = 2, HGATE_C64 = 4, HGATE_C128 = 8 };

/** Memory spaces, one bit for each DLPack device type. */
enum {
    HGATE_SPACE_HOST = 1,
    HGATE_SPACE_CUDA = 2,
    HGATE_SPACE_CUDA_HOST = 4, /**< pinned; host kernels may serve it */
    HGATE_SPACE_CUDA_MANAGED = 8
};

/** Properties of a kernel. */
enum {
    HGATE_KERNEL_DETERMINISTIC = 1, /**< same input, settings and threads: same bits */
    HGATE_KERNEL_THREADED = 2,      /**< uses run->threads */
    HGATE_KERNEL_ASYNC = 4,         /**< may return before the work on the stream is done */
    HGATE_KERNEL_FORK_SAFE = 8,     /**< may run in a child after fork() */
    HGATE_KERNEL_REFERENCE = 16,    /**< the plain one that others are compared with */
    HGATE_KERNEL_LINEAR_COST = 32   /**< estimate() fills the terms, the host multiplies */
};

/* ---- problem ------------------------------------------------------------------------------- */

/* Index of an argument in hgate_problem.args. An optional array that was not given is NULL. */
enum {
    HGATE_CURVATURE_W,
    HGATE_CURVATURE_IY,
    HGATE_CURVATURE_IX,
    HGATE_CURVATURE_INDPTR,
    HGATE_CURVATURE_ROWS,
    HGATE_CURVATURE_VALS,
    HGATE_CURVATURE_F
};
enum { HGATE_CURVATURE_KERNEL_UV, HGATE_CURVATURE_KERNEL_SIGMA, HGATE_CURVATURE_KERNEL_W };
enum {
    HGATE_CURVATURE_DIRTY_UV,
    HGATE_CURVATURE_DIRTY_SIGMA,
    HGATE_CURVATURE_DIRTY_VIS,
    HGATE_CURVATURE_DIRTY_Y,
    HGATE_CURVATURE_DIRTY_X,
    HGATE_CURVATURE_DIRTY_D
};
enum {
    HGATE_CURVATURE_DATA_VECTOR_d,
    HGATE_CURVATURE_DATA_VECTOR_INDPTR,
    HGATE_CURVATURE_DATA_VECTOR_ROWS,
    HGATE_CURVATURE_DATA_VECTOR_VALS,
    HGATE_CURVATURE_DATA_VECTOR_D
};
enum { HGATE_EMI_COH, HGATE_EMI_PHASE, HGATE_EMI_QUALITY, HGATE_EMI_STATUS, HGATE_EMI_BETA };
/* evd: as emi, without HGATE_EMI_BETA */
enum {
    HGATE_DS_TEMP_COH_COH,
    HGATE_DS_TEMP_COH_PAIRS,
    HGATE_DS_TEMP_COH_PHASE,
    HGATE_DS_TEMP_COH_T_COH
};
/* HGATE_VISIBILITY_V is V, or Vpairs when PAIRS is given */
enum {
    HGATE_VISIBILITY_ANTPOS,
    HGATE_VISIBILITY_CRD,
    HGATE_VISIBILITY_FLUX,
    HGATE_VISIBILITY_GRID,
    HGATE_VISIBILITY_DAZ,
    HGATE_VISIBILITY_DZA,
    HGATE_VISIBILITY_AZ0,
    HGATE_VISIBILITY_ZA0,
    HGATE_VISIBILITY_BEAM_IDX,
    HGATE_VISIBILITY_PAIRS,
    HGATE_VISIBILITY_V
};
enum {
    HGATE_VISIBILITY_HORIZON_CRD,
    HGATE_VISIBILITY_HORIZON_FLUX,
    HGATE_VISIBILITY_HORIZON_CRD_UP,
    HGATE_VISIBILITY_HORIZON_FLUX_UP,
    HGATE_VISIBILITY_HORIZON_INDEX
};
enum { HGATE_VISIBILITY_ANGLES_CRD, HGATE_VISIBILITY_ANGLES_AZ, HGATE_VISIBILITY_ANGLES_ZA };
enum {
    HGATE_VISIBILITY_BEAM_GRID,
    HGATE_VISIBILITY_BEAM_DAZ,
    HGATE_VISIBILITY_BEAM_DZA,
    HGATE_VISIBILITY_BEAM_AZ0,
    HGATE_VISIBILITY_BEAM_ZA0,
    HGATE_VISIBILITY_BEAM_AZ,
    HGATE_VISIBILITY_BEAM_ZA,
    HGATE_VISIBILITY_BEAM_BEAM
};
enum { HGATE_VISIBILITY_TAU_ANTPOS, HGATE_VISIBILITY_TAU_CRD, HGATE_VISIBILITY_TAU_EXPTAU };
enum {
    HGATE_VISIBILITY_Z_BEAM,
    HGATE_VISIBILITY_Z_EXPTAU,
    HGATE_VISIBILITY_Z_FLUX,
    HGATE_VISIBILITY_Z_BEAM_IDX,
    HGATE_VISIBILITY_Z_Z
};
enum { HGATE_VISIBILITY_GRAM_Z, HGATE_VISIBILITY_GRAM_V };
enum { HGATE_VISIBILITY_PRODUCT_A, HGATE_VISIBILITY_PRODUCT_B, HGATE_VISIBILITY_PRODUCT_C };
enum { HGATE_VISIBILITY_PAIRS_Z, HGATE_VISIBILITY_PAIRS_PAIRS, HGATE_VISIBILITY_PAIRS_VPAIRS };
/* both directions: forward reads MODEL and writes DATA, adjoint the other way round */
enum {
    HGATE_KIRCHHOFF_TRAV_SRC,
    HGATE_KIRCHHOFF_TRAV_REC,
    HGATE_KIRCHHOFF_AMP_SRC,
    HGATE_KIRCHHOFF_AMP_REC,
    HGATE_KIRCHHOFF_ANG_SRC,
    HGATE_KIRCHHOFF_ANG_REC,
    HGATE_KIRCHHOFF_VEL,
    HGATE_KIRCHHOFF_SIX,
    HGATE_KIRCHHOFF_RIX,
    HGATE_KIRCHHOFF_TAP,
    HGATE_KIRCHHOFF_WAV,
    HGATE_KIRCHHOFF_MODEL,
    HGATE_KIRCHHOFF_DATA
};
enum {
    HGATE_KIRCHHOFF_TRAVELTIME_STATIONS,
    HGATE_KIRCHHOFF_TRAVELTIME_TRAV,
    HGATE_KIRCHHOFF_TRAVELTIME_DIST
};
enum { HGATE_KIRCHHOFF_ANGLES_TRAV, HGATE_KIRCHHOFF_ANGLES_ANG };
enum { HGATE_KIRCHHOFF_SPREADING_DIST, HGATE_KIRCHHOFF_SPREADING_AMP };
enum { HGATE_KIRCHHOFF_STATION_INDEX_STATIONS, HGATE_KIRCHHOFF_STATION_INDEX_IDX };
enum { HGATE_KIRCHHOFF_WAVELET_WAV, HGATE_KIRCHHOFF_WAVELET_WAV_FILTERED };
enum { HGATE_KIRCHHOFF_CONVOLVE_WAV, HGATE_KIRCHHOFF_CONVOLVE_IN, HGATE_KIRCHHOFF_CONVOLVE_OUT };

/* Index of a size in hgate_problem.dims. */
enum {
    HGATE_DIM_CURVATURE_NY,
    HGATE_DIM_CURVATURE_NX,
    HGATE_DIM_CURVATURE_N,
    HGATE_DIM_CURVATURE_S,
    HGATE_DIM_CURVATURE_NNZ
};
enum { HGATE_DIM_CURVATURE_KERNEL_K, HGATE_DIM_CURVATURE_KERNEL_NY, HGATE_DIM_CURVATURE_KERNEL_NX };
enum { HGATE_DIM_CURVATURE_DIRTY_K, HGATE_DIM_CURVATURE_DIRTY_N };
enum {
    HGATE_DIM_CURVATURE_DATA_VECTOR_N,
    HGATE_DIM_CURVATURE_DATA_VECTOR_S,
    HGATE_DIM_CURVATURE_DATA_VECTOR_NNZ
};
enum { HGATE_DIM_EMI_N, HGATE_DIM_EMI_BATCH, HGATE_DIM_EMI_FULL }; /* emi, evd; FULL 1: (P, n, n) */
enum {
    HGATE_DIM_DS_TEMP_COH_N,
    HGATE_DIM_DS_TEMP_COH_BATCH,
    HGATE_DIM_DS_TEMP_COH_FULL,
    HGATE_DIM_DS_TEMP_COH_NPAIRS
};
enum {
    HGATE_DIM_VISIBILITY_NANT,
    HGATE_DIM_VISIBILITY_NFEED,
    HGATE_DIM_VISIBILITY_NAX,
    HGATE_DIM_VISIBILITY_NSRC,
    HGATE_DIM_VISIBILITY_NBEAM,
    HGATE_DIM_VISIBILITY_NZA,
    HGATE_DIM_VISIBILITY_NAZ,
    HGATE_DIM_VISIBILITY_NPAIRS, /* NPAIRS -1: all of V */
    HGATE_DIM_VISIBILITY_N_UP
}; /* -1: not known */
enum { HGATE_DIM_VISIBILITY_HORIZON_NSRC };
enum { HGATE_DIM_VISIBILITY_ANGLES_NSRC };
enum {
    HGATE_DIM_VISIBILITY_BEAM_NBEAM,
    HGATE_DIM_VISIBILITY_BEAM_NFEED,
    HGATE_DIM_VISIBILITY_BEAM_NAX,
    HGATE_DIM_VISIBILITY_BEAM_NSRC,
    HGATE_DIM_VISIBILITY_BEAM_NZA,
    HGATE_DIM_VISIBILITY_BEAM_NAZ
};
enum { HGATE_DIM_VISIBILITY_TAU_NANT, HGATE_DIM_VISIBILITY_TAU_NSRC };
enum {
    HGATE_DIM_VISIBILITY_Z_NANT,
    HGATE_DIM_VISIBILITY_Z_NFEED,
    HGATE_DIM_VISIBILITY_Z_NAX,
    HGATE_DIM_VISIBILITY_Z_NBEAM,
    HGATE_DIM_VISIBILITY_Z_NSRC
};
enum { HGATE_DIM_VISIBILITY_GRAM_M, HGATE_DIM_VISIBILITY_GRAM_K };
enum {
    HGATE_DIM_VISIBILITY_PRODUCT_M,
    HGATE_DIM_VISIBILITY_PRODUCT_N,
    HGATE_DIM_VISIBILITY_PRODUCT_K
};
enum {
    HGATE_DIM_VISIBILITY_PAIRS_NANT,
    HGATE_DIM_VISIBILITY_PAIRS_NFEED,
    HGATE_DIM_VISIBILITY_PAIRS_K,
    HGATE_DIM_VISIBILITY_PAIRS_NPAIRS
};
enum {
    HGATE_DIM_KIRCHHOFF_NS,
    HGATE_DIM_KIRCHHOFF_NR,
    HGATE_DIM_KIRCHHOFF_NT,
    HGATE_DIM_KIRCHHOFF_NX,
    HGATE_DIM_KIRCHHOFF_NZ,
    HGATE_DIM_KIRCHHOFF_NY,
    HGATE_DIM_KIRCHHOFF_NI,
    HGATE_DIM_KIRCHHOFF_NWAV
}; /* NY 0: 2D; NWAV 0: no wavelet */
enum {
    HGATE_DIM_KIRCHHOFF_GRID_N,
    HGATE_DIM_KIRCHHOFF_GRID_NX,
    HGATE_DIM_KIRCHHOFF_GRID_NZ,
    HGATE_DIM_KIRCHHOFF_GRID_NY,
    HGATE_DIM_KIRCHHOFF_GRID_NI
}; /* traveltime, angles, spreading, station_index */
enum { HGATE_DIM_KIRCHHOFF_WAVELET_NWAV };
enum {
    HGATE_DIM_KIRCHHOFF_CONVOLVE_NWAV,
    HGATE_DIM_KIRCHHOFF_CONVOLVE_NT,
    HGATE_DIM_KIRCHHOFF_CONVOLVE_N
}; /* N: traces */
enum { HGATE_MAX_ARGS = 16, HGATE_MAX_DIMS = 12 };

/** Scalars of the set-up operations of kirchhoff, in place of a params struct. */
typedef struct hgate_kirchhoff_setup {
    size_t struct_size;
    hgate_kirchhoff_grid grid; /**< traveltime, angles, station_index */
    double v;                  /**< traveltime */
    int ndim;                  /**< spreading, wavelet: 2 or 3 */
    double eps;                /**< spreading */
    double dt;                 /**< wavelet */
    int64_t wavc;              /**< convolve */
    int adjoint;               /**< convolve */
} hgate_kirchhoff_setup;

/** What the host worked out about the data of `curvature`; host data only, unless derive() fills
 * it. */
typedef struct hgate_curvature_facts {
    size_t struct_size;
    int is_known; /**< 0: no data at hand (plan, explain without data) */
    int vals_finite;
    double work_fraction; /**< f of the symmetric kernel */
    double pair_fraction; /**< g of the pair kernel */
} hgate_curvature_facts;

/** A call in canonical form. Arguments were checked: rank, shape, type, device, strides, overlap.
 */
typedef struct hgate_problem {
    size_t struct_size;
    int op;         /**< enum hgate_op */
    uint32_t dtype; /**< HGATE_F32 ...: the main array (coh, Z, V, w, vals, model ...) */
    uint32_t space; /**< HGATE_SPACE_*: where the arrays are */
    int device_id;  /**< of a device space, else 0 */
    int n_args;
    const DLTensor *const *args; /**< by argument index; data may be NULL before run() */
    int n_dims;
    const int64_t *dims; /**< by size index */
    const void *params;  /**< hgate_FAMILY_params with the configuration's defaults filled in, or
                              hgate_kirchhoff_setup; never NULL, nothing left at "auto" that the
                              configuration decides, except matprod and tau_mode */
    double alpha_re,
        alpha_im; /**< of every operation that has them, wherever the caller gave them */
    double beta_re, beta_im;
    const void *facts; /**< hgate_curvature_facts, or NULL */
    int threads;       /**< the most that run() will be given */
    int64_t *n_out;    /**< visibility_horizon: where run() writes n_up */
} hgate_problem;

/* ---- answers ------------------------------------------------------------------------------- */

/** Why a kernel refuses a problem. */
enum hgate_refusal {
    HGATE_REFUSE_NONE = 0,
    HGATE_REFUSE_DTYPE,
    HGATE_REFUSE_SPACE,
    HGATE_REFUSE_SHAPE,
    HGATE_REFUSE_LIMIT,
    HGATE_REFUSE_DEVICE,
    HGATE_REFUSE_NOT_FINITE,
    HGATE_REFUSE_FEATURE,
    HGATE_REFUSE_OTHER
};

enum { HGATE_REASON_SIZE = 160 };

/** A refusal with its numbers: "needs 157608 bytes of shared memory per block, device allows
 * 101376". */
typedef struct hgate_reason {
    size_t struct_size;
    int code; /**< enum hgate_refusal */
    char text[HGATE_REASON_SIZE];
    double value, limit; /**< the numbers of the text; NaN where there are none */
} hgate_reason;

enum { HGATE_MAX_TERMS = 12 };

/** What a run would cost. The host clears it before the call. */
typedef struct hgate_estimate {
    size_t struct_size;
    double seconds; /**< not read for LINEAR_COST */
    size_t ws_host; /**< bytes of host workspace that run() will use */
    size_t ws_device;
    size_t prepared_bytes;         /**< what prepare() will keep */
    double terms[HGATE_MAX_TERMS]; /**< work, by the kernel's term list */
} hgate_estimate;

/** A machine constant: seconds per unit of a work term. */
typedef struct hgate_constant {
    size_t struct_size;
    const char *name;       /**< [a-z0-9_]{1,47}, unique in the plugin */
    const char *unit;       /**< "s/flop" */
    double value;           /**< default */
    double lowest, highest; /**< believable range */
    const char *help;
} hgate_constant;

/** A work term of a kernel and the constant that it is multiplied with. */
typedef struct hgate_term {
    const char *name; /**< "flop", "waves" */
    int constant;     /**< index in the plugin's constants */
} hgate_term;

/* ---- host services ------------------------------------------------------------------------- */

/** Functions for plugins. Every one takes the table itself; keep the pointer until release(). */
typedef struct hgate_host hgate_host;
struct hgate_host {
    size_t struct_size;
    int abi_minor;
    void *context; /**< the host's */
    void (*log)(const hgate_host *host, int level, const char *text);
    void *(*alloc)(const hgate_host *host, size_t size, size_t alignment); /**< NULL on failure */
    void (*free)(const hgate_host *host, void *memory);
    void (*range_push)(const hgate_host *host, const char *name);
    void (*range_pop)(const hgate_host *host);
    /** Around BLAS calls: BLAS runs on one thread in between. set and get are those of the library;
     * both NULL say that it takes no locks, and the caller is alone in it until it leaves. */
    void (*blas_enter)(const hgate_host *host, void (*set_threads)(int), int (*get_threads)(void));
    void (*blas_leave)(const hgate_host *host, void (*set_threads)(int));
    double (*now)(const hgate_host *host); /**< monotonic seconds */
    int (*thread_hint)(
        const hgate_host *host); /**< threads that may be used now: affinity, fork, limits */
    /** Text of plugins.<this plugin>.options.<key>, or NULL when it is not set. */
    const char *(*option)(const hgate_host *host, const char *key);
    /** Text of any configuration key ("ops.emi.kappa"), NULL for an unknown one. Lives with the
     * engine. */
    const char *(*setting)(const hgate_host *host, const char *key);
    /** Stores the message of a failed call for hgate_last_error() and returns status. */
    int (*error)(const hgate_host *host, int status, const char *text);
};

/** One execution of a kernel. */
typedef struct hgate_run {
    size_t struct_size;
    const hgate_host *host;
    int threads; /**< use at most so many; 1: open no parallel region */
    int deterministic;
    int device_id;
    void *stream;  /**< cudaStream_t of the caller */
    void *ws_host; /**< ws_host_bytes >= the estimate, 64-byte aligned */
    size_t ws_host_bytes;
    void *ws_device;
    size_t ws_device_bytes;
    int committed; /**< the kernel sets 1 before its first write to an output */
    int check;     /**< enum hgate_check: what the kernel still has to check (device data) */
    /** Reports progress of long work from the calling thread; non-zero: return HGATE_ESTOPPED. May
     * be NULL. */
    int (*progress)(const struct hgate_run *run, int64_t done, int64_t total);
    void *progress_context;
} hgate_run;

/** run() of a kernel with a `plain` partner may return this before it commits: the data (non-finite
 *  values) are served by the plain kernel only. */
enum { HGATE_RUN_PLAIN = 1 };

/* ---- kernel and plugin --------------------------------------------------------------------- */

typedef struct hgate_kernel {
    size_t struct_size;
    int op;            /**< enum hgate_op */
    const char *name;  /**< [a-z0-9_]{1,31}, unique in plugin and op */
    uint32_t dtypes;   /**< mask of HGATE_F32 ... */
    uint32_t spaces;   /**< mask of HGATE_SPACE_* */
    uint32_t flags;    /**< HGATE_KERNEL_* */
    const char *plain; /**< kernel of the same plugin for data this one must not meet; optional */
    int n_terms;
    const hgate_term *terms;
    /** HGATE_OK; any other status is a refusal, told in reason (hgate_refuse() of plugin_util.h).
     * With OK, a text left in reason says in explain how the kernel would go about it.
     * Pure, quick, no allocation, thread-safe. optional: always OK */
    int (*supports)(void *state, const hgate_problem *problem, hgate_reason *reason);
    /** Fills est from the problem; k are the plugin's constants in force, in declared order. Pure.
     */
    int (*estimate)(void *state, const hgate_problem *problem, const double *k,
                    hgate_estimate *est);
    /** Prepares what a plan keeps, from the arguments that stay in the plan. Kernels of a plugin
     * with the same prepare function share one object. run gives threads, stream and host. optional
     */
    int (*prepare)(void *state, const hgate_problem *problem, const hgate_run *run,
                   void **prepared);
    void (*discard)(void *state, void *prepared); /**< frees it; there when prepare is */
    /** Does the work. prepared may be shared by threads and is read-only. */
    int (*run)(void *state, const hgate_problem *problem, const void *prepared, hgate_run *run);
} hgate_kernel;

/** Directions of hgate_plugin.copy. */
enum { HGATE_COPY_IN = 0, HGATE_COPY_OUT = 1 };

typedef struct hgate_plugin {
    /* frozen for ever */
    char magic[8]; /**< HGATE_PLUGIN_MAGIC, no terminator */
    uint16_t abi_major;
    uint16_t abi_minor;
    uint32_t struct_size;
    /* ABI 1.0 */
    const char *name; /**< [a-z0-9-]{1,31}; the file is headgate-<name>.so */
    const char *version;
    const char *license;
    const char *description;
    uint64_t flags; /**< 0 */
    uint32_t n_kernels;
    const hgate_kernel *const *kernels;
    uint32_t n_constants;
    const hgate_constant *const *constants;
    /** Once per engine. OK, or EUNAVAILABLE with a reason; must not change the process or print. */
    int (*probe)(const hgate_host *host, hgate_reason *reason, void **state);
    /** Tells devices, limits, libraries as pairs. optional */
    void (*describe)(void *state, void (*row)(void *user, const char *key, const char *value),
                     void *user);
    void (*release)(void *state);
    /** Device workspace. optional: host-only plugins */
    int (*ws_alloc)(void *state, size_t bytes, int device_id, void *stream, void **memory);
    void (*ws_free)(void *state, void *memory, int device_id, void *stream);
    /** Copies between host and device in stream order; the host buffer may be reused on return.
     *  optional: plugins that take staged host input */
    int (*copy)(void *state, int direction, void *device, void *host, size_t bytes, int device_id,
                void *stream);
    /** Waits for a stream and returns a deferred error. optional */
    int (*sync)(void *state, int device_id, void *stream);
    /** Fills problem facts from device data. optional */
    int (*derive)(void *state, const hgate_problem *problem, hgate_run *run, void *facts);
    /** Page-locked host memory, for copies that go on while others work. optional, together */
    int (*pin)(void *state, size_t bytes, int device_id, void **memory);
    void (*unpin)(void *state, void *memory, int device_id);
    /** copy() from or to page-locked memory that only starts it: the buffer is in use until sync().
     *  optional: copy() serves in its place */
    int (*copy_async)(void *state, int direction, void *device, void *host, size_t bytes,
                      int device_id, void *stream);
    /** Bytes that ws_alloc may still give. optional */
    int (*free_memory)(void *state, int device_id, size_t *bytes);
} hgate_plugin;

/** The one exported symbol. */
#if defined(__GNUC__)
#define HGATE_PLUGIN_EXPORT __attribute__((visibility("default")))
#else
#define HGATE_PLUGIN_EXPORT
#endif
extern HGATE_PLUGIN_EXPORT const hgate_plugin hgate_plugin_descriptor;

#ifdef __cplusplus
}
#endif
#endif
