// SPDX-License-Identifier: BSD-3-Clause
// Decisions of emi, evd and ds_temp_coh.
#include "tests/dispatch/decisions.h"

#include <stddef.h>

// What each plugin has; seconds are made up. A kernel with # refuses by itself, as supports() of
// the device kernels does beyond the shared memory of its device.
#define CPU                                                                                        \
    "cpu-serial/interleaved=1.0 cpu-serial/single=1.6 cpu-serial/pivoted=4.8 "                     \
    "cpu-serial/reference=40 cpu-openmp/interleaved=1.0* cpu-openmp/single=1.6* "                  \
    "cpu-openmp/pivoted=4.8* "
#define GPU_SMALL "cuda/warp=1e-3 cuda/rows=2e-3 cuda/block=4e-3 cuda/library=40e-3 "
#define GPU_MIDDLE "cuda/warp=9 cuda/rows=2e-3 cuda/block=4e-3 cuda/library=40e-3 "
#define GPU_ROWS_FULL "cuda/warp=9 cuda/rows=2e-3# cuda/block=4e-3 cuda/library=40e-3 "
#define GPU_BLOCK_FULL "cuda/warp=9 cuda/rows=2e-3# cuda/block=4e-3# cuda/library=40e-3 "
#define NO_STAGING "routing: {stage_host_input: never}"
#define KILL(KERNEL) "kernels: {emi: {cuda: {" KERNEL ": {enabled: false}}}}"

static const decision_row rows[] = {
    /* device data, regularized: the image count opens one kernel after the other */
    {"emi n=3 batch=100000 dtype=c64 mem=cuda:0", CPU GPU_SMALL, NULL, "cuda/warp", "quickest",
     "cpu-serial/single space, cpu-openmp/interleaved space"},
    {"emi n=32 batch=100000 dtype=c64 mem=cuda:0", CPU GPU_SMALL, NULL, "cuda/warp", "quickest",
     NULL},
    {"emi n=33 batch=100000 dtype=c64 mem=cuda:0", CPU GPU_SMALL, NULL, "cuda/rows", "quickest",
     "cuda/warp emi.warp_max_images"},
    {"emi n=92 batch=10000 dtype=c64 mem=cuda:0", CPU GPU_MIDDLE, NULL, "cuda/rows", "quickest",
     "cuda/warp emi.warp_max_images"},
    {"emi n=198 batch=2000 dtype=c64 mem=cuda:0", CPU GPU_ROWS_FULL, NULL, "cuda/block", "quickest",
     "cuda/rows limit"},
    {"emi n=199 batch=2000 dtype=c64 mem=cuda:0", CPU GPU_BLOCK_FULL, NULL, "cuda/library", "only",
     "cuda/rows limit, cuda/block limit, cuda/warp emi.warp_max_images"},
    {"emi n=500 batch=10 dtype=c128 mem=cuda:1", CPU GPU_BLOCK_FULL, NULL, "cuda/library", "only",
     NULL},
    /* rule fixed is regularized too, rule none is not */
    {"emi n=20 batch=1000 dtype=c64 rule=fixed mem=cuda:0", CPU GPU_SMALL, NULL, "cuda/warp",
     "quickest", NULL},
    {"emi n=20 batch=1000 dtype=c64 rule=none mem=cuda:0", CPU GPU_SMALL, NULL, "cuda/library",
     "only",
     "cuda/warp emi.require_regularized, cuda/rows emi.require_regularized, "
     "cuda/block emi.require_regularized"},
    {"emi n=92 batch=1000 dtype=c64 rule=none mem=cuda:0", CPU GPU_MIDDLE, NULL, "cuda/library",
     "only", "cuda/warp emi.warp_max_images, cuda/rows emi.require_regularized"},
    {"emi n=20 batch=1000 dtype=c64 rule=none mem=cuda:0", CPU GPU_SMALL, KILL("library"), "none",
     "", "cuda/library killed, cuda/block emi.require_regularized"},
    {"emi n=20 batch=1000 rule=none threads=2", CPU, NULL, "cpu-openmp/pivoted", "quickest",
     "cpu-serial/interleaved emi.require_regularized, cpu-serial/single emi.require_regularized, "
     "cpu-openmp/single emi.require_regularized"},
    {"emi n=20 batch=1000 rule=none", CPU, NULL, "cpu-openmp/pivoted", "tie", NULL},
    {"emi n=20 batch=1000 rule=none", CPU,
     "kernels: {emi: {cpu-openmp: {pivoted: {enabled: false}}}}", "cpu-serial/pivoted", "quickest",
     "cpu-openmp/pivoted killed"},
    {"emi n=20 batch=1000 rule=none", CPU,
     "kernels: {emi: {cpu-openmp: {pivoted: {enabled: false}}, cpu-serial: {pivoted: {enabled: "
     "false}}}}",
     "cpu-serial/reference", "only", NULL},
    /* each switch of a gate sends it to the next kernel */
    {"emi n=20 batch=1000 dtype=c64 mem=cuda:0", CPU GPU_SMALL,
     "gates: {emi: {warp_max_images: off}}", "cuda/rows", "quickest",
     "cuda/warp emi.warp_max_images"},
    {"emi n=20 batch=1000 dtype=c64 mem=cuda:0", CPU GPU_SMALL,
     "gates: {emi: {warp_max_images: 0}}", "cuda/rows", "quickest",
     "cuda/warp emi.warp_max_images"},
    {"emi n=20 batch=1000 dtype=c64 mem=cuda:0", CPU GPU_SMALL,
     "gates: {emi: {warp_max_images: 19}}", "cuda/rows", "quickest",
     "cuda/warp emi.warp_max_images"},
    {"emi n=20 batch=1000 dtype=c64 mem=cuda:0", CPU GPU_SMALL,
     "gates: {emi: {warp_max_images: 20}}", "cuda/warp", "quickest", NULL},
    {"emi n=92 batch=1000 dtype=c64 mem=cuda:0", CPU GPU_MIDDLE,
     "gates: {emi: {rows_max_images: off}}", "cuda/block", "quickest",
     "cuda/rows emi.rows_max_images"},
    {"emi n=92 batch=1000 dtype=c64 mem=cuda:0", CPU GPU_MIDDLE,
     "gates: {emi: {rows_max_images: 91}}", "cuda/block", "quickest",
     "cuda/rows emi.rows_max_images"},
    {"emi n=92 batch=1000 dtype=c64 mem=cuda:0", CPU GPU_MIDDLE,
     "gates: {emi: {rows_max_images: 92}}", "cuda/rows", "quickest", NULL},
    {"emi n=92 batch=1000 dtype=c64 mem=cuda:0", CPU GPU_MIDDLE,
     "gates: {emi: {rows_max_images: off, block_max_images: off}}", "cuda/library", "only",
     "cuda/rows emi.rows_max_images, cuda/block emi.block_max_images"},
    {"emi n=92 batch=1000 dtype=c64 mem=cuda:0", CPU GPU_ROWS_FULL,
     "gates: {emi: {block_max_images: 91}}", "cuda/library", "only",
     "cuda/block emi.block_max_images, cuda/rows limit"},
    {"emi n=92 batch=1000 dtype=c64 mem=cuda:0", CPU GPU_ROWS_FULL,
     "gates: {emi: {block_max_images: 92}}", "cuda/block", "quickest", NULL},
    /* a cap never lifts the device's own limit */
    {"emi n=199 batch=2000 dtype=c64 mem=cuda:0", CPU GPU_BLOCK_FULL,
     "gates: {emi: {rows_max_images: 900, block_max_images: 900}}", "cuda/library", "only",
     "cuda/rows limit, cuda/block limit"},
    /* kill switches */
    {"emi n=20 batch=1000 dtype=c64 mem=cuda:0", CPU GPU_SMALL, KILL("warp"), "cuda/rows",
     "quickest", "cuda/warp killed"},
    {"emi n=92 batch=1000 dtype=c64 mem=cuda:0", CPU GPU_MIDDLE, KILL("rows"), "cuda/block",
     "quickest", "cuda/rows killed"},
    {"emi n=198 batch=1000 dtype=c64 mem=cuda:0", CPU GPU_ROWS_FULL, KILL("block"), "cuda/library",
     "only", "cuda/block killed"},
    {"emi n=199 batch=1000 dtype=c64 mem=cuda:0", CPU GPU_BLOCK_FULL, KILL("library"), "none", "",
     "cuda/library killed, cpu-serial/reference space"},
    {"emi n=199 batch=1000 dtype=c64 mem=cuda:0", CPU GPU_BLOCK_FULL,
     "plugins: {cuda: {enabled: false}}", "none", "",
     "cuda/library killed, cuda/warp killed, cpu-openmp/single space"},
    {"emi n=92 batch=1000 dtype=c64 mem=cuda:0", CPU, NULL, "none", "",
     "cpu-serial/interleaved space, cpu-serial/reference space"},
    /* what cost says among those that may */
    {"emi n=20 batch=1000 dtype=c64 mem=cuda:0",
     "cuda/warp=3e-3 cuda/rows=2e-3 cuda/block=4e-3 cuda/library=40e-3", NULL, "cuda/rows",
     "quickest", NULL},
    {"emi n=20 batch=1000 dtype=c64 mem=cuda:0",
     "cuda/warp=3e-3 cuda/rows=3e-3 cuda/block=3e-3 cuda/library=3e-3", NULL, "cuda/warp", "tie",
     NULL},
    {"emi n=40 batch=1000 dtype=c64 mem=cuda:0",
     "cuda/warp=3e-3 cuda/rows=3e-3 cuda/block=3e-3 cuda/library=3e-3", NULL, "cuda/rows", "tie",
     NULL},
    {"emi n=200 batch=1 dtype=c64 mem=cuda:0", "cuda/rows=9e-3# cuda/block=9e-3 cuda/library=1e-3",
     NULL, "cuda/library", "quickest", NULL},
    /* host data, CPU */
    {"emi n=92 batch=1000 threads=2", CPU, NULL, "cpu-openmp/interleaved", "quickest", NULL},
    {"emi n=92 batch=63 threads=2", CPU, NULL, "cpu-openmp/interleaved", "tie", NULL},
    {"emi n=92 batch=64 threads=2", CPU, NULL, "cpu-openmp/interleaved", "quickest", NULL},
    {"emi n=92 batch=63 threads=2", CPU, "ops: {emi: {cpu: {threads_min_points: 63}}}",
     "cpu-openmp/interleaved", "quickest", NULL},
    {"emi n=92 batch=1000", CPU, "plugins: {cpu-openmp: {enabled: false}}",
     "cpu-serial/interleaved", "quickest", "cpu-openmp/single killed"},
    {"emi n=150 batch=1000",
     "cpu-serial/interleaved=1.7 cpu-serial/single=1.6 "
     "cpu-serial/reference=40",
     NULL, "cpu-serial/single", "quickest", NULL},
    {"emi n=150 batch=1000",
     "cpu-serial/interleaved=1.60 cpu-serial/single=1.58 "
     "cpu-serial/reference=40",
     NULL, "cpu-serial/interleaved", "tie", NULL},
    {"emi n=92 batch=1000", CPU, "routing: {force: {emi: cpu-serial/single}}", "cpu-serial/single",
     "forced", "cpu-serial/interleaved not_forced, cpu-openmp/interleaved not_forced"},
    {"emi n=92 batch=1000", CPU, "routing: {force: {emi: cpu-serial}}", "cpu-serial/interleaved",
     "forced", NULL},
    {"emi n=92 batch=1000", CPU, "routing: {force: {emi: cpu-serial/reference}}",
     "cpu-serial/reference", "forced", NULL},
    {"emi n=92 batch=1000 rule=none", CPU, "routing: {force: {emi: cpu-serial/single}}", "none", "",
     "cpu-serial/single emi.require_regularized, cpu-serial/pivoted not_forced"},
    {"emi n=92 batch=1000 dtype=c64 mem=cuda:0", CPU GPU_MIDDLE,
     "routing: {force: {emi: cuda/warp}}", "none", "",
     "cuda/warp emi.warp_max_images, cuda/rows not_forced"},
    {"emi n=92 batch=1000 dtype=c64 mem=cuda:0", CPU GPU_MIDDLE,
     "routing: {force: {emi: cpu-serial}}", "none", "",
     "cpu-serial/single space, cuda/rows not_forced"},
    /* host data that may go to a device */
    {"emi n=92 batch=10000 dtype=c64 threads=2", CPU GPU_MIDDLE, NULL, "cuda/rows", "quickest",
     NULL},
    {"emi n=92 batch=10000 dtype=c64 threads=2", CPU GPU_MIDDLE, NO_STAGING,
     "cpu-openmp/interleaved", "quickest", "cuda/rows space, cuda/library space"},
    {"emi n=92 batch=10000 dtype=c64 threads=2", CPU GPU_MIDDLE,
     "calibration: {constants: {cuda: {stage_per_byte: 2e-3}}}", "cpu-openmp/interleaved",
     "quickest", NULL},
    {"emi n=92 batch=10000 dtype=c64 mem=pinned threads=2", CPU GPU_MIDDLE, NULL, "cuda/rows",
     "quickest", NULL},
    /* the classic eigenvector: gates of images hold, that of regularization does not */
    {"evd n=20 batch=1000 dtype=c64", "cpu-serial/interleaved=1 cpu-serial/single=2", NULL,
     "cpu-serial/interleaved", "quickest", NULL},
    {"evd n=33 batch=1000 dtype=c64 mem=cuda:0", "cuda/warp=1 cuda/library=2", NULL, "cuda/library",
     "only", "cuda/warp emi.warp_max_images"},
    {"evd n=32 batch=1000 dtype=c64 mem=cuda:0", "cuda/warp=1 cuda/library=2", NULL, "cuda/warp",
     "quickest", NULL},
    /* coherence has one fast kernel and no gates */
    {"ds_temp_coh n=92 batch=1000 dtype=c64 threads=2",
     "cpu-serial/direct=1 cpu-openmp/direct=1* cpu-serial/reference=2 cuda/direct=1e-3", NO_STAGING,
     "cpu-openmp/direct", "quickest", "cuda/direct space"},
    {"ds_temp_coh n=92 batch=10 dtype=c64 threads=2",
     "cpu-serial/direct=1 cpu-openmp/direct=1* cpu-serial/reference=2",
     "routing: {prefer: "
     "[cpu-serial]}",
     "cpu-serial/direct", "tie", NULL},
};

const decision_table decisions_emi = {"emi", (int)(sizeof rows / sizeof *rows), rows};
