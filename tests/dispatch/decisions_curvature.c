// SPDX-License-Identifier: BSD-3-Clause
// Decisions of curvature and its neighbours.
#include "tests/dispatch/decisions.h"

#include <stddef.h>

// A mask of 341 x 341 cells with 2.7e5 entries on one AVX-512 core, by M1 to M4 of the family:
// 0.068 ns a multiply-add, gather 0.4 ns a product, FFT 1.8 ms a column. full = 2.7e5 341^2
// 0.068e-9 + 0.4e-9 S nnz.
#define ARIS_1428                                                                                  \
    "cpu-serial/full=2.29 cpu-serial/symmetric=1.10 cpu-serial/pair=1.15 "                         \
    "cpu-serial/reference=80 cpu-fftw/fft=2.72 "
#define ARIS_5713                                                                                  \
    "cpu-serial/full=2.75 cpu-serial/symmetric=1.45 cpu-serial/pair=2.07 "                         \
    "cpu-serial/reference=90 cpu-fftw/fft=10.9 "
// The same mask, 300 columns of 900 entries.
#define TALL_300                                                                                   \
    "cpu-serial/full=2.17 cpu-serial/symmetric=1.46 cpu-serial/pair=0.92 "                         \
    "cpu-serial/reference=70 cpu-fftw/fft=0.57 "
#define GPU_1428 "cuda/full=3.3e-3 cuda/symmetric=1.7e-3 cuda/pair=1.9e-3 cuda/fft=33e-3 "
#define GPU_FFT "cuda/full=9e-3 cuda/symmetric=5e-3 cuda/pair=4e-3 cuda/fft=3e-3 "

// The constant of symmetric is known, so that its own prediction counts.
#define MEASURED "calibration: {constants: {cpu-serial: {reference: 80}, cuda: {full: 3.3e-3}}}\n"
#define NO_GPU "routing: {stage_host_input: never}\n"
#define HOST MEASURED NO_GPU
#define ARIS "curvature ny=341 nx=341 n=91361 nnz=270000 "
#define PAIRS "ops: {curvature: {exact_triangle: false}}"

static const decision_row rows[] = {
    /* by cost */
    {ARIS "s=1428 f=0.41 g=0.394", ARIS_1428, HOST, "cpu-serial/symmetric", "quickest",
     "cpu-serial/pair ops.curvature.exact_triangle"},
    {ARIS "s=1428 f=0.51 g=0.394", ARIS_1428, HOST PAIRS, "cpu-serial/symmetric", "tie", NULL},
    {ARIS "s=5713 f=0.4 g=0.394", ARIS_5713, HOST, "cpu-serial/symmetric", "quickest", NULL},
    {ARIS "s=300 f=0.65 g=0.4", TALL_300, HOST, "cpu-fftw/fft", "quickest", NULL},
    {ARIS "s=300 f=0.65 g=0.4", TALL_300, HOST PAIRS, "cpu-fftw/fft", "quickest", NULL},
    {ARIS "s=300 f=0.65 g=0.4", TALL_300,
     HOST "ops: {curvature: {fft: off, exact_triangle: false}}", "cpu-serial/pair", "quickest",
     "cpu-fftw/fft ops.curvature.fft"},
    {ARIS "s=300 f=0.65 g=0.4", TALL_300, HOST "ops: {curvature: {direct: force}}",
     "cpu-serial/symmetric", "quickest", "cpu-fftw/fft ops.curvature.direct"},
    {ARIS "s=1428 f=0.41", ARIS_1428, HOST "ops: {curvature: {fft: force}}", "cpu-fftw/fft", "only",
     "cpu-serial/full ops.curvature.fft, cpu-serial/symmetric ops.curvature.fft, "
     "cpu-serial/reference ops.curvature.fft"},
    {ARIS "s=1428 f=0.41", ARIS_1428, HOST "ops: {curvature: {direct: off}}", "cpu-fftw/fft",
     "quickest", "cpu-serial/full ops.curvature.direct, cpu-serial/symmetric ops.curvature.direct"},
    {ARIS "s=1428 f=0.41", "cpu-serial/full=2 cpu-serial/symmetric=1 cpu-serial/reference=80",
     HOST "ops: {curvature: {direct: off}}", "cpu-serial/reference", "only",
     "cpu-serial/full ops.curvature.direct"},
    {ARIS "s=1428 f=0.41", "cpu-serial/full=2 cpu-serial/symmetric=1 cpu-serial/reference=80",
     HOST "ops: {curvature: {fft: force}}", "none", "",
     "cpu-serial/full ops.curvature.fft, cpu-serial/reference ops.curvature.fft"},
    {ARIS "s=1428 f=0.41", "cpu-serial/full=2 cpu-serial/symmetric=1 cpu-serial/reference=80",
     HOST "ops: {curvature: {fft: off}}", "cpu-serial/symmetric", "quickest", NULL},
    /* the gate at its limit: equality counts */
    {ARIS "s=1428 f=0.7", ARIS_1428, HOST, "cpu-serial/symmetric", "quickest", NULL},
    {ARIS "s=1428 f=0.70000000000000007", ARIS_1428, HOST, "cpu-serial/full", "quickest",
     "cpu-serial/symmetric curvature.symmetric_max_work_fraction"},
    {ARIS "s=1428 f=0.69999999999999996", ARIS_1428, HOST, "cpu-serial/symmetric", "quickest",
     NULL},
    {ARIS "s=1428 f=0.51", ARIS_1428,
     HOST "gates: {curvature: {symmetric_max_work_fraction: 0.51}}", "cpu-serial/symmetric",
     "quickest", NULL},
    {ARIS "s=1428 f=0.52", ARIS_1428,
     HOST "gates: {curvature: {symmetric_max_work_fraction: 0.51}}", "cpu-serial/full", "quickest",
     NULL},
    {ARIS "s=1428 f=0.9", ARIS_1428, HOST "gates: {curvature: {symmetric_max_work_fraction: 1}}",
     "cpu-serial/symmetric", "quickest", NULL},
    {ARIS "s=1428 f=0.1", ARIS_1428, HOST "gates: {curvature: {symmetric_max_work_fraction: 0}}",
     "cpu-serial/full", "quickest", "cpu-serial/symmetric curvature.symmetric_max_work_fraction"},
    {ARIS "s=1428 f=0", ARIS_1428, HOST "gates: {curvature: {symmetric_max_work_fraction: 0}}",
     "cpu-serial/full", "quickest", NULL},
    {ARIS "s=1428 f=0.1", ARIS_1428, HOST "gates: {curvature: {symmetric_max_work_fraction: off}}",
     "cpu-serial/full", "quickest", NULL},
    {ARIS "s=1428 f=0.7", ARIS_1428, HOST "gates: {curvature: {symmetric_max_work_fraction: ~}}",
     "cpu-serial/symmetric", "quickest", NULL},
    {ARIS "s=1428 f=0.75 g=0.394", ARIS_1428, HOST PAIRS, "cpu-serial/full", "quickest",
     "cpu-serial/pair curvature.symmetric_max_work_fraction"},
    /* nothing known yet: shapes decide */
    {ARIS "s=1428", ARIS_1428, HOST, "cpu-serial/symmetric", "quickest", NULL},
    {ARIS "s=1428", ARIS_1428, HOST "gates: {curvature: {symmetric_max_work_fraction: off}}",
     "cpu-serial/full", "quickest", NULL},
    /* values that are not finite: full, whatever the settings */
    {ARIS "s=1428 f=0.41 finite=0", ARIS_1428, HOST, "cpu-serial/full", "quickest",
     "cpu-serial/symmetric not_finite, cpu-serial/pair not_finite, cpu-fftw/fft not_finite"},
    {ARIS "s=1428 f=0.41 finite=0", ARIS_1428, HOST "ops: {curvature: {fft: force}}",
     "cpu-serial/full", "quickest", NULL},
    {ARIS "s=1428 f=0.41 finite=0", ARIS_1428, HOST "ops: {curvature: {direct: off}}",
     "cpu-serial/full", "quickest", NULL},
    {ARIS "s=1428 f=0.41 finite=0", ARIS_1428,
     HOST "kernels: {curvature: {cpu-serial: {full: {enabled: false}}}}", "cpu-serial/reference",
     "only", "cpu-serial/full killed"},
    {ARIS "s=1428 f=0.41 finite=0 mem=cuda:0", ARIS_1428 GPU_1428, NULL, "cuda/full", "only",
     "cuda/symmetric not_finite, cuda/fft not_finite, cpu-serial/full space"},
    /* kappa: t_full min(1, kappa f), here 2.29 s against 2.72 s of the FFT */
    {ARIS "s=1428 f=0.5", ARIS_1428, NO_GPU, "cpu-serial/symmetric", "quickest", NULL},
    {ARIS "s=1428 f=0.5", "cpu-serial/full=2.29 cpu-serial/symmetric=9 cpu-fftw/fft=1.6", NO_GPU,
     "cpu-serial/symmetric", "quickest", NULL}, /* 1.51 s with 1.32 */
    {ARIS "s=1428 f=0.5", "cpu-serial/full=2.29 cpu-serial/symmetric=9 cpu-fftw/fft=1.6",
     NO_GPU "gates: {curvature: {symmetric_kappa: 1.6}}", "cpu-fftw/fft", "quickest", NULL},
    {ARIS "s=1428 f=0.5", "cpu-serial/full=2.29 cpu-serial/symmetric=9 cpu-fftw/fft=1.21",
     NO_GPU "gates: {curvature: {symmetric_kappa: off}}", "cpu-serial/symmetric", "quickest", NULL},
    {ARIS "s=1428 f=0.5", "cpu-serial/full=2.29 cpu-serial/symmetric=9 cpu-fftw/fft=1.0",
     NO_GPU "gates: {curvature: {symmetric_kappa: off}}", "cpu-fftw/fft", "quickest", NULL},
    {ARIS "s=1428 f=0.69", "cpu-serial/full=2.29 cpu-serial/symmetric=9",
     NO_GPU "gates: {curvature: {symmetric_kappa: 2}}", "cpu-serial/full", "tie", NULL},
    {ARIS "s=1428 f=0.5", "cpu-serial/full=2.29 cpu-serial/symmetric=9 cpu-fftw/fft=1.6",
     NO_GPU "calibration: {constants: {cpu-serial: {full: 2.29}}}", "cpu-fftw/fft", "quickest",
     NULL}, /* its own word: 9 s */
    /* threads */
    {ARIS "s=1428 f=0.41 threads=8",
     ARIS_1428 "cpu-openmp/full=2.29* cpu-openmp/symmetric=1.10* cpu-openmp/pair=1.15*",
     "calibration: {constants: {cpu-serial: {full: 2.29}, cpu-openmp: {full: 2.29}}}",
     "cpu-openmp/symmetric", "quickest", NULL},
    {ARIS "s=1428 f=0.41 threads=1",
     ARIS_1428 "cpu-openmp/full=2.29* cpu-openmp/symmetric=1.10* cpu-openmp/pair=1.15*",
     "calibration: {constants: {cpu-serial: {full: 2.29}, cpu-openmp: {full: 2.29}}}",
     "cpu-openmp/symmetric", "tie", NULL},
    /* device */
    {ARIS "s=1428 f=0.41 mem=cuda:0", ARIS_1428 GPU_1428, MEASURED, "cuda/symmetric", "quickest",
     "cpu-serial/symmetric space, cuda/pair ops.curvature.exact_triangle"},
    {ARIS "s=1428 f=0.41 mem=cuda:0", ARIS_1428 GPU_1428,
     MEASURED "gates: {curvature: {symmetric_max_work_fraction: off}}", "cuda/full", "quickest",
     NULL},
    {ARIS "s=1428 f=0.41 mem=cuda:0", ARIS_1428 GPU_FFT, MEASURED, "cuda/fft", "quickest", NULL},
    {ARIS "s=1428 f=0.71 mem=cuda:0", ARIS_1428 GPU_FFT, NULL, "cuda/fft", "quickest",
     "cuda/symmetric curvature.symmetric_max_work_fraction"},
    {ARIS "s=1428 f=0.71 mem=cuda:0", ARIS_1428 GPU_FFT, "ops: {curvature: {fft: off}}",
     "cuda/full", "only", NULL},
    {ARIS "s=1428 f=0.41", ARIS_1428 GPU_1428, MEASURED, "cuda/symmetric", "quickest", NULL},
    {ARIS "s=1428 f=0.41", ARIS_1428 GPU_1428, HOST, "cpu-serial/symmetric", "quickest",
     "cuda/symmetric space"},
    /* workspace of the family */
    {ARIS "s=1428 f=0.41", "cpu-serial/full=2@100 cpu-fftw/fft=1@4000000000", NO_GPU,
     "cpu-serial/full", "only", "cpu-fftw/fft memory"},
    {ARIS "s=1428 f=0.41", "cpu-serial/full=2@100 cpu-fftw/fft=1@4000000000",
     "ops: {curvature: {max_workspace_bytes: 4GiB}}", "cpu-fftw/fft", "quickest", NULL},
    {ARIS "s=1428 f=0.41", "cpu-serial/full=2@100 cpu-fftw/fft=1@4000000000",
     "ops: {curvature: {max_workspace_bytes: 4GiB}}\nmemory: {host_workspace_limit: 1GiB}",
     "cpu-serial/full", "only", "cpu-fftw/fft memory"},
    {ARIS "s=1428 f=0.41", "cpu-serial/full=2@100 cpu-fftw/fft=1@4000000000",
     "ops: {curvature: {max_workspace_bytes: 99B}}", "none", "",
     "cpu-fftw/fft memory, cpu-serial/full memory"},
    /* forced */
    {ARIS "s=1428 f=0.41", ARIS_1428, "routing: {force: {curvature: cpu-serial/full}}",
     "cpu-serial/full", "forced", NULL},
    {ARIS "s=1428 f=0.71", ARIS_1428, "routing: {force: {curvature: cpu-serial/symmetric}}", "none",
     "", "cpu-serial/symmetric curvature.symmetric_max_work_fraction"},
    {ARIS "s=1428 f=0.41", ARIS_1428, "routing: {force: {curvature: cpu-serial/pair}}", "none", "",
     "cpu-serial/pair ops.curvature.exact_triangle"},
    {ARIS "s=1428 f=0.41", ARIS_1428, "routing: {force: {curvature: cpu-serial/pair}}\n" PAIRS,
     "cpu-serial/pair", "forced", NULL},
    {ARIS "s=1428 f=0.41 finite=0", ARIS_1428, "routing: {force: {curvature: cpu-fftw}}",
     "cpu-serial/full", "stand_in", NULL},
    /* neighbours */
    {"curvature_kernel k=1000 ny=30 nx=40 threads=2",
     "cpu-serial/gemm=1 cpu-openmp/gemm=1.1* cpu-serial/reference=9", NULL, "cpu-openmp/gemm",
     "quickest", NULL},
    {"curvature_dirty k=100 n=70", "cpu-serial/direct=2 cpu-serial/reference=1", NULL,
     "cpu-serial/direct", "quickest", NULL},
    {"curvature_data_vector n=9 s=3 nnz=4 mem=cuda:0", "cpu-serial/direct=1 cuda/direct=5", NULL,
     "cuda/direct", "only", "cpu-serial/direct space"},
};

const decision_table decisions_curvature = {"curvature", (int)(sizeof rows / sizeof *rows), rows};
