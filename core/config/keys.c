/* SPDX-License-Identifier: BSD-3-Clause */
/* Every key of Headgate: one row each, in the order of the documentation. Add a key here, then
 * write config/headgate.yaml and doc/man/headgate.yaml.5 anew with tests/check_config_pages, which
 * compares. */
#include "core/config/names.h"
#include "core/config/rules.h"
#include "core/config/schema.h"

#include <math.h>

#define ANYWHERE (HG_SET_BY_FILE | HG_SET_BY_ENVIRONMENT | HG_SET_BY_API)
#define FILE_OR_API (HG_SET_BY_FILE | HG_SET_BY_API)

/* Kinds of rows; what differs from row to row follows as designated members. */
#define BOOL(KEY, DEFAULT, WHERE)                                                                  \
    .key = KEY, .type = HG_TYPE_BOOL, .fallback = DEFAULT, .where = WHERE
#define ENUM(KEY, DEFAULT, WORDS, WHERE)                                                           \
    .key = KEY, .type = HG_TYPE_ENUM, .fallback = DEFAULT, .words = WORDS, .where = WHERE
#define NUMBER(TYPE, KEY, DEFAULT, MIN, MAX, WHERE)                                                \
    .key = KEY, .type = TYPE, .fallback = DEFAULT, .min = MIN, .max = MAX, .where = WHERE
#define INT(KEY, DEFAULT, MIN, MAX, WHERE) NUMBER(HG_TYPE_INT, KEY, DEFAULT, MIN, MAX, WHERE)
#define REAL(KEY, DEFAULT, MIN, MAX, WHERE) NUMBER(HG_TYPE_REAL, KEY, DEFAULT, MIN, MAX, WHERE)
#define BYTES(KEY, DEFAULT, MIN, WHERE) NUMBER(HG_TYPE_BYTES, KEY, DEFAULT, MIN, INFINITY, WHERE)
#define LIST(TYPE, KEY, DEFAULT, MAX, WHERE)                                                       \
    .key = KEY, .type = TYPE, .fallback = DEFAULT, .max = MAX, .where = WHERE
#define TEXT(TYPE, KEY, WHERE) .key = KEY, .type = TYPE, .fallback = "", .where = WHERE
#define GATE(WORDS, OFF) .words = WORDS, .off = OFF, .role = HG_KEY_GATE

/* Options of a family that every family has. */
#define CHECK(FAMILY)                                                                              \
    {                                                                                              \
        ENUM("ops." FAMILY ".check", "values", "none values full", ANYWHERE),                      \
            .help = "data looked at before work: none; indices, ranges and finite values; costly " \
                    "checks too"                                                                   \
    }

static const hg_schema_row rows[] = {
    {INT("version", "1", 1, 1, HG_SET_BY_FILE), .role = HG_KEY_VERSION,
     .help = "version of this format; required in a file"},

    {ENUM("log.level", "warn", "off error warn info debug trace", ANYWHERE), .env = "HEADGATE_LOG",
     .help = "least urgent lines that are written"},
    {TEXT(HG_TYPE_PATH, "log.file", ANYWHERE), .env = "HEADGATE_LOG_FILE",
     .help = "file that log lines are appended to, beside the callback"},

    {LIST(HG_TYPE_PATHS, "plugins.path", "[]", 32, ANYWHERE), .env = "HEADGATE_PLUGIN_PATH",
     .role = HG_KEY_PATHS, .help = "folders searched for plugins, before the installed one"},
    {LIST(HG_TYPE_PATHS, "plugins.files", "[]", 64, FILE_OR_API),
     .help = "single plugin files, loaded first; each must exist"},
    {BOOL("plugins.use_default_path", "true", FILE_OR_API),
     .help = "search the folder that the library was installed with"},
    {BOOL("plugins.allow_insecure_path", "false", FILE_OR_API),
     .help = "only warn of plugins and folders that others can write"},
    {LIST(HG_TYPE_NAMES, "plugins.required", "[]", 64, FILE_OR_API),
     .help = "opening fails unless these plugins are usable"},
    {ENUM("plugins.cpu-serial.options.isa", "auto", "auto avx512 avx2 baseline", ANYWHERE),
     .help = "instruction set of the kernels; auto: the best the processor has"},
    {ENUM("plugins.cpu-openmp.options.isa", "auto", "auto avx512 avx2 baseline", ANYWHERE),
     .help = "instruction set of the kernels; auto: the best the processor has"},
    {ENUM("plugins.cuda.options.tensor_cores", "auto", "auto wgmma mma", ANYWHERE),
     .help = "instructions of kernels fp16x3 and tf32x3; auto: the best the device has"},
    {BOOL("plugins.<plugin>.enabled", "true", ANYWHERE), .role = HG_KEY_ENABLE_PLUGIN,
     .help = "kill switch of a plugin; it is not even loaded"},
    {TEXT(HG_TYPE_SCALAR, "plugins.<plugin>.options.<key>", FILE_OR_API),
     .help = "an option that the plugin itself reads"},

    {BOOL("kernels.<op>.<plugin>.<kernel>.enabled", "true", ANYWHERE), .role = HG_KEY_ENABLE_KERNEL,
     .help = "kill switch of one kernel of one operation"},

    {BOOL("ops.<word>.enabled", "true", ANYWHERE), .role = HG_KEY_ENABLE_OP,
     .help = "kill switch of an operation; curvature, emi, visibility, kirchhoff mean the family"},
    CHECK("curvature"),
    {BOOL("ops.curvature.exact_triangle", "true", ANYWHERE),
     .help = "false permits kernel pair, whose sums run in another order: equal to rounding, not "
             "in bits"},
    {ENUM("ops.curvature.fft", "auto", "auto off force", ANYWHERE),
     .help = "Fourier kernels: by cost, never, or nothing else for finite data"},
    {ENUM("ops.curvature.direct", "auto", "auto off force", ANYWHERE),
     .help = "kernels full, symmetric, pair: by cost, not for finite data, or nothing else"},
    {INT("ops.curvature.fft_sections", "auto", 1, 65536, ANYWHERE), .words = "auto",
     .help = "blocks per axis of the Fourier route; 1: the whole extent at once"},
    {INT("ops.curvature.fft_batch", "auto", 1, 1048576, ANYWHERE), .words = "auto",
     .help = "source columns transformed at once"},
    {INT("ops.curvature.kernel_chunk", "4096", 1, 1073741824, ANYWHERE),
     .help = "visibilities per chunk of curvature_kernel"},
    {BYTES("ops.curvature.max_workspace_bytes", "2GiB", 0, ANYWHERE),
     .help = "kernels that need more are refused; the memory limits hold too"},

    CHECK("emi"),
    {ENUM("ops.emi.rule", "adaptive", "adaptive fixed none", ANYWHERE),
     .help = "how beta is chosen, where params leave it open"},
    {REAL("ops.emi.beta", "0", 0, 1, ANYWHERE), .is_max_open = true,
     .help = "regularization of rule fixed, where params leave it open"},
    {REAL("ops.emi.kappa", "1e5", 1e2, 1e12, ANYWHERE),
     .help = "condition number that rule adaptive aims at, where params leave it open"},
    {ENUM("ops.emi.fallback", "none", "none evd", ANYWHERE),
     .help = "what serves points that the rule leaves not positive definite: nothing else, or evd"},
    {BOOL("ops.emi.check_hermitian", "true", ANYWHERE),
     .help = "refuse points of the full layout that are not Hermitian"},
    {BOOL("ops.emi.cuda.smem_optin", "true", ANYWHERE),
     .help = "use shared memory above 48 KiB per block where the device allows it"},
    {ENUM("ops.emi.cuda.block_size", "auto", "auto 128 256 512", ANYWHERE),
     .help = "threads per block of kernel block"},
    {INT("ops.emi.cuda.workspace_mb", "1024", 1, 1048576, ANYWHERE),
     .help = "MiB of scratch for kernel library"},
    {BYTES("ops.emi.cpu.interleave_max_bytes", "auto", 1, ANYWHERE), .words = "auto",
     .help = "largest working set of kernel interleaved"},
    {INT("ops.emi.cpu.threads_min_points", "64", 0, INFINITY, ANYWHERE),
     .help = "fewer points run on one thread"},

    CHECK("visibility"),
    {ENUM("ops.visibility.matprod", "auto", "auto herk gemm gemm3m herk3 zherk fp16x3 tf32x3 dot",
          ANYWHERE),
     .help = "the one kernel for products, where an operation has it"},
    {ENUM("ops.visibility.tau_mode", "auto", "auto direct reduced wide", ANYWHERE),
     .help = "how the phase is brought into one turn"},
    {ENUM("ops.visibility.fused_z", "auto", "auto on off", ANYWHERE),
     .help = "make beam, phases and Z in one pass; off: one after another through memory, on the "
             "CPU only"},
    {ENUM("ops.visibility.sort_sources", "auto", "auto on off", ANYWHERE),
     .help = "bring sources into the order of the beam's grid first"},
    {REAL("ops.visibility.memory_buffer", "0.9", 0, 1, ANYWHERE), .is_min_open = true,
     .help = "share of the free memory that chunks may fill"},

    CHECK("kirchhoff"),
    {INT("ops.kirchhoff.cpu.tile", "auto", 64, 1024, ANYWHERE), .words = "auto",
     .help = "image points per tile"},
    {INT("ops.kirchhoff.cuda.sources_in_registers", "auto", 1, 8, ANYWHERE), .words = "auto",
     .help = "sources that a thread works on at once"},

    {REAL("gates.curvature.symmetric_max_work_fraction", "0.7", 0, INFINITY, ANYWHERE),
     GATE("off", 0), .help = "symmetric and pair only up to this work fraction; 0 or off: never"},
    {REAL("gates.curvature.symmetric_kappa", "auto", 0, INFINITY, ANYWHERE), GATE("auto off", 1),
     .is_min_open = true,
     .help = "factor of the predicted time of symmetric; auto: calibrated, else 1.32; off: 1"},
    {INT("gates.emi.warp_max_images", "32", 0, 32, ANYWHERE), GATE("off", 0),
     .help = "kernel warp up to so many images; 0 or off: never"},
    {INT("gates.emi.rows_max_images", "0", -1, INFINITY, ANYWHERE), GATE("off", -1),
     .help = "kernel rows up to so many images; 0: what the device allows; -1 or off: never"},
    {INT("gates.emi.block_max_images", "0", -1, INFINITY, ANYWHERE), GATE("off", -1),
     .help = "kernel block up to so many images; 0: what the device allows; -1 or off: never"},
    {BOOL("gates.emi.require_regularized", "true", ANYWHERE), .is_fixed = true,
     .help = "kernels without pivoting only for rules adaptive and fixed; cannot be changed"},
    {INT("gates.visibility.herk_min_antennas", "0", -1, INFINITY, ANYWHERE), GATE("off", -1),
     .help = "no herk below so many antennas; 0: cost alone decides; -1 or off: never herk"},
    {ENUM("gates.visibility.gemm3m", "auto", "auto off", ANYWHERE), .role = HG_KEY_GATE,
     .help = "products with three real multiplications: by cost, or never"},
    {BYTES("gates.kirchhoff.max_table_bytes", "0", 0, ANYWHERE), GATE("off", 0),
     .help = "kernels that prepare more than this are refused; 0 or off: no limit"},
    {INT("gates.kirchhoff.cuda_min_pairs", "0", 0, INFINITY, ANYWHERE), GATE("off", 0),
     .help = "host input of fewer pairs is not staged to a device; 0 or off: cost alone decides"},

    {TEXT(HG_TYPE_CHOICE, "routing.force.<op>", ANYWHERE), .role = HG_KEY_FORCE,
     .help = "the one plugin, or PLUGIN/KERNEL, for an operation"},
    {LIST(HG_TYPE_NAMES, "routing.prefer", "[cuda, cpu-fftw, cpu-openmp, cpu-serial]", 64,
          FILE_OR_API),
     .help = "order of plugins whose predicted times tie"},
    {REAL("routing.tie_margin", "0.05", 0, 0.5, FILE_OR_API),
     .help = "times within this share of the best tie"},
    {ENUM("routing.fallback", "memory", "never memory any", FILE_OR_API),
     .help =
         "failures without output after which the next kernel is tried: none, want of memory, any"},
    {BOOL("routing.deterministic", "false", ANYWHERE), .env = "HEADGATE_DETERMINISTIC",
     .help = "same input, same bits: only kernels that promise it, and no fallback"},
    {ENUM("routing.stage_host_input", "auto", "never auto", FILE_OR_API),
     .help = "may host arrays be copied to a device, when that is quicker"},
    {ENUM("routing.strategy", "cost", "cost prefer", FILE_OR_API),
     .help = "order kernels by predicted time, or by routing.prefer"},

    {INT("threads.max", "0", 0, 4096, ANYWHERE), .env = "HEADGATE_THREADS",
     .help = "threads of a call; 0: automatic"},
    {ENUM("threads.blas", "guard", "guard leave", FILE_OR_API),
     .help = "one BLAS thread during our calls, then the host's count again; or hands off"},

    {BYTES("memory.host_workspace_limit", "0", 0, FILE_OR_API),
     .help = "kernels whose host workspace is larger are refused; 0: no limit"},
    {BYTES("memory.device_workspace_limit", "0", 0, FILE_OR_API),
     .help = "the same on a device; 0: what is free, less a tenth"},

    {TEXT(HG_TYPE_PATH, "calibration.file", ANYWHERE), .env = "HEADGATE_CALIBRATION",
     .help = "measured constants of this machine"},
    {ENUM("calibration.on_mismatch", "defaults", "defaults error", FILE_OR_API),
     .help = "for a calibration file of another machine or version: use the defaults, or fail"},
    {NUMBER(HG_TYPE_REAL, "calibration.constants.<plugin>.<constant>", "", 0, INFINITY,
            FILE_OR_API),
     .help = "one constant of a plugin's cost model, over the calibration file"},

    {BOOL("trace.explain", "false", ANYWHERE), .env = "HEADGATE_EXPLAIN",
     .help = "log the decision of every call"},
    {ENUM("trace.ranges", "off", "off nvtx callback", ANYWHERE), .env = "HEADGATE_RANGES",
     .help = "named ranges for profilers"},
    {BOOL("trace.timing", "false", FILE_OR_API),
     .help = "measure each call; this waits for the device"},
};

const hg_schema *hg_schema_headgate(void)
{
    static const hg_schema schema = {
        .rows = rows,
        .n_rows = sizeof rows / sizeof rows[0],
        .ops = hg_op_words,
        .families = hg_family_words,
        .plugins = hg_plugin_words,
        .kernels = hg_known_kernel_rows,
        .rules = hg_rules_headgate,
    };
    return &schema;
}
