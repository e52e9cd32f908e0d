// SPDX-License-Identifier: BSD-3-Clause
// Decisions of the kirchhoff operations.
#include "tests/dispatch/decisions.h"

#include <stddef.h>

// ns = 20, nr = 30, nt = 500, 100 x 100: 6e6 pairs at 0.35 ns (window), 0.85 (gather), 0.83
// (scatter).
#define SMALL "ns=20 nr=30 nt=500 nx=100 nz=100 ni=10000 dtype=f32 "
#define ADJOINT                                                                                    \
    "cpu-serial/window=2.1e-3^2000000 cpu-serial/gather=5.1e-3^400000 cpu-serial/reference=90e-3 "
#define ADJOINT_OMP "cpu-openmp/window=2.1e-3*^2000000 cpu-openmp/gather=5.1e-3*^400000 "
#define FORWARD "cpu-serial/scatter=5e-3^400000 cpu-serial/reference=90e-3 "
#define FORWARD_OMP "cpu-openmp/scatter=5e-3*^400000 "
// A device that is much quicker but for the copies: 1e-9 s a byte (the test's arrays are 256 bytes
// each).
#define GPU_ADJOINT "cuda/window=30e-6^2000000 cuda/gather=90e-6 "
#define GPU_FORWARD "cuda/scatter=60e-6 cuda/atomic=40e-6! "
#define NO_STAGING "routing: {stage_host_input: never}"

static const decision_row rows[] = {
    {"kirchhoff_adjoint " SMALL, ADJOINT, NULL, "cpu-serial/window", "quickest", NULL},
    {"kirchhoff_adjoint " SMALL "threads=2", ADJOINT ADJOINT_OMP, NULL, "cpu-openmp/window",
     "quickest", NULL},
    {"kirchhoff_adjoint " SMALL, ADJOINT ADJOINT_OMP, NULL, "cpu-openmp/window", "tie", NULL},
    {"kirchhoff_adjoint " SMALL, ADJOINT,
     "kernels: {kirchhoff_adjoint: {cpu-serial: {window: {enabled: false}}}}", "cpu-serial/gather",
     "quickest", "cpu-serial/window killed"},
    {"kirchhoff_adjoint " SMALL, ADJOINT,
     "kernels: {kirchhoff_adjoint: {cpu-serial: {window: {enabled: false}, gather: {enabled: "
     "false}}}}",
     "cpu-serial/reference", "only", NULL},
    {"kirchhoff_adjoint " SMALL, ADJOINT,
     "kernels: {kirchhoff_forward: {cpu-serial: {window: {enabled: false}}}}", "cpu-serial/window",
     "quickest", NULL},
    {"kirchhoff_adjoint " SMALL, "cpu-serial/window=2e-3# cpu-serial/gather=5e-3", NULL,
     "cpu-serial/gather", "only", "cpu-serial/window limit"},
    {"kirchhoff_adjoint " SMALL, ADJOINT,
     "routing: {force: {kirchhoff_adjoint: "
     "cpu-serial/gather}}",
     "cpu-serial/gather", "forced", NULL},
    {"kirchhoff_adjoint " SMALL, ADJOINT,
     "routing: {force: {kirchhoff_forward: "
     "cpu-serial/scatter}}",
     "cpu-serial/window", "quickest", NULL},
    {"kirchhoff_forward " SMALL, FORWARD, NULL, "cpu-serial/scatter", "quickest", NULL},
    {"kirchhoff_forward " SMALL "threads=4", FORWARD FORWARD_OMP, NULL, "cpu-openmp/scatter",
     "quickest", NULL},
    {"kirchhoff_forward " SMALL, FORWARD, "plugins: {cpu-serial: {enabled: false}}", "none", "",
     "cpu-serial/scatter killed, cpu-serial/reference killed"},
    /* tables */
    {"kirchhoff_adjoint " SMALL, ADJOINT, "gates: {kirchhoff: {max_table_bytes: 1999999}}",
     "cpu-serial/gather", "quickest", "cpu-serial/window kirchhoff.max_table_bytes"},
    {"kirchhoff_adjoint " SMALL, ADJOINT, "gates: {kirchhoff: {max_table_bytes: 2000000}}",
     "cpu-serial/window", "quickest", NULL},
    {"kirchhoff_adjoint " SMALL, ADJOINT, "gates: {kirchhoff: {max_table_bytes: 1KiB}}",
     "cpu-serial/reference", "only",
     "cpu-serial/window kirchhoff.max_table_bytes, cpu-serial/gather kirchhoff.max_table_bytes"},
    {"kirchhoff_adjoint " SMALL, ADJOINT, "gates: {kirchhoff: {max_table_bytes: off}}",
     "cpu-serial/window", "quickest", NULL},
    {"kirchhoff_adjoint " SMALL, ADJOINT, "gates: {kirchhoff: {max_table_bytes: 0}}",
     "cpu-serial/window", "quickest", NULL},
    {"kirchhoff_forward " SMALL, FORWARD, "gates: {kirchhoff: {max_table_bytes: 399999}}",
     "cpu-serial/reference", "only", NULL},
    {"kirchhoff_adjoint " SMALL "mem=cuda:0", ADJOINT GPU_ADJOINT,
     "gates: {kirchhoff: {max_table_bytes: 1MiB}}", "cuda/gather", "only",
     "cuda/window kirchhoff.max_table_bytes"},
    {"kirchhoff_adjoint " SMALL, ADJOINT,
     "routing: {force: {kirchhoff_adjoint: cpu-serial/window}}\n"
     "gates: {kirchhoff: {max_table_bytes: 1MiB}}",
     "none", "", "cpu-serial/window kirchhoff.max_table_bytes"},
    /* device arrays: the device, whatever it costs */
    {"kirchhoff_adjoint " SMALL "mem=cuda:0", ADJOINT GPU_ADJOINT, NULL, "cuda/window", "quickest",
     "cpu-serial/window space"},
    {"kirchhoff_adjoint " SMALL "mem=cuda:0", ADJOINT "cuda/window=99", NULL, "cuda/window", "only",
     NULL},
    {"kirchhoff_adjoint " SMALL "mem=cuda:0", ADJOINT, NULL, "none", "",
     "cpu-serial/window space, cpu-serial/reference space"},
    {"kirchhoff_adjoint " SMALL "mem=cuda:0", ADJOINT GPU_ADJOINT, NO_STAGING, "cuda/window",
     "quickest", NULL},
    {"kirchhoff_adjoint " SMALL "mem=cuda:0", ADJOINT GPU_ADJOINT,
     "gates: {kirchhoff: {cuda_min_pairs: 1000000000}}", "cuda/window", "quickest", NULL},
    /* host arrays: copies count, and small surveys may be kept at home */
    {"kirchhoff_adjoint " SMALL, ADJOINT GPU_ADJOINT, NULL, "cuda/window", "quickest", NULL},
    {"kirchhoff_adjoint " SMALL, ADJOINT GPU_ADJOINT, NO_STAGING, "cpu-serial/window", "quickest",
     "cuda/window space"},
    {"kirchhoff_adjoint " SMALL, ADJOINT GPU_ADJOINT,
     "gates: {kirchhoff: {cuda_min_pairs: 6000000}}", "cuda/window", "quickest", NULL},
    {"kirchhoff_adjoint " SMALL, ADJOINT GPU_ADJOINT,
     "gates: {kirchhoff: {cuda_min_pairs: 6000001}}", "cpu-serial/window", "quickest",
     "cuda/window kirchhoff.cuda_min_pairs, cuda/gather kirchhoff.cuda_min_pairs"},
    {"kirchhoff_adjoint " SMALL, ADJOINT GPU_ADJOINT, "gates: {kirchhoff: {cuda_min_pairs: off}}",
     "cuda/window", "quickest", NULL},
    {"kirchhoff_adjoint " SMALL, ADJOINT GPU_ADJOINT,
     "calibration: {constants: {cuda: {stage_per_byte: 1e-5}}}", "cpu-serial/window", "quickest",
     NULL},
    {"kirchhoff_forward " SMALL, FORWARD GPU_FORWARD, NULL, "cuda/atomic", "quickest", NULL},
    /* bits that repeat */
    {"kirchhoff_forward " SMALL "mem=cuda:0", FORWARD GPU_FORWARD, NULL, "cuda/atomic", "quickest",
     NULL},
    {"kirchhoff_forward " SMALL "mem=cuda:0", FORWARD GPU_FORWARD, "routing: {deterministic: true}",
     "cuda/scatter", "only", "cuda/atomic determinism"},
    {"kirchhoff_forward " SMALL "mem=cuda:0", "cuda/atomic=1!", "routing: {deterministic: true}",
     "none", "", "cuda/atomic determinism"},
    /* convolution: direct against FFT */
    {"kirchhoff_convolve nwav=31 nt=500 n=600",
     "cpu-serial/direct=1e-3 cpu-fftw/fft=2e-3 "
     "cpu-serial/reference=9",
     NULL, "cpu-serial/direct", "quickest", NULL},
    {"kirchhoff_convolve nwav=500 nt=500 n=600",
     "cpu-serial/direct=16e-3 cpu-fftw/fft=2e-3 "
     "cpu-serial/reference=9",
     NULL, "cpu-fftw/fft", "quickest", NULL},
    {"kirchhoff_convolve nwav=500 nt=500 n=600", "cpu-serial/direct=16e-3 cpu-fftw/fft=2e-3",
     "plugins: {cpu-fftw: {enabled: false}}", "cpu-serial/direct", "only", "cpu-fftw/fft killed"},
    {"kirchhoff_convolve nwav=500 nt=500 n=600", "cpu-serial/direct=16e-3 cpu-fftw/fft=2e-3",
     "ops: {curvature: {fft: off}}", "cpu-fftw/fft", "quickest", NULL},
    {"kirchhoff_wavelet nwav=31", "cpu-serial/direct=1 cpu-serial/reference=1", NULL,
     "cpu-serial/direct", "quickest", NULL},
    {"kirchhoff_traveltime n=9 nx=3 nz=4 threads=2", "cpu-serial/direct=1 cpu-openmp/direct=3*",
     NULL, "cpu-serial/direct", "quickest", NULL},
    {"kirchhoff_station_index n=9 nx=3 nz=4", "cpu-serial/reference=1", NULL,
     "cpu-serial/reference", "only", NULL},
    {"kirchhoff_angles n=9 nx=3 nz=4 mem=managed:0", "cpu-serial/direct=1", NULL,
     "cpu-serial/direct", "only", NULL},
    {"kirchhoff_angles n=9 nx=3 nz=4 mem=managed:0", "cpu-serial/direct=1 cuda/direct=2", NULL,
     "cuda/direct", "only", "cpu-serial/direct space"},
};

const decision_table decisions_kirchhoff = {"kirchhoff", (int)(sizeof rows / sizeof *rows), rows};
