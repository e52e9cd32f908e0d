// SPDX-License-Identifier: BSD-3-Clause
// Decisions of the visibility operations.
#include "tests/dispatch/decisions.h"

#include <stddef.h>

// Useful work 8 M^2 K over a rate, as the family's tables give it: rates 4000, 2000, 3000 at M =
// 700, K = 1000.
#define HERK_4000_GEMM_2000_3M_3000                                                                \
    "cpu-serial/herk=0.98 cpu-serial/gemm=1.96 cpu-serial/gemm3m=1.3067"
#define HERK_2000_GEMM_2000_3M_3100                                                                \
    "cpu-serial/herk=1.96 cpu-serial/gemm=1.96 cpu-serial/gemm3m=1.2645"
// Measured on one H200 (CUDA 13.0, cuBLAS 13.1), complex64, medians of 10, seconds by M x K.
#define H200_64_16384 "cuda/herk=0.52e-3 cuda/gemm=0.049e-3 cuda/zherk=0.32e-3"
#define H200_128_65536 "cuda/herk=3.15e-3 cuda/gemm=0.20e-3 cuda/gemm3m=0.21e-3 cuda/zherk=1.24e-3"
#define H200_256_65536 "cuda/herk=3.14e-3 cuda/gemm=0.68e-3 cuda/zherk=1.29e-3"
#define H200_350_32768 "cuda/herk=1.59e-3 cuda/gemm=0.72e-3 cuda/gemm3m=0.75e-3 cuda/zherk=0.67e-3"
#define H200_700_4000 "cuda/herk=0.46e-3 cuda/gemm=0.36e-3 cuda/gemm3m=0.36e-3 cuda/zherk=0.20e-3"
#define H200_700_65536 "cuda/herk=5.22e-3 cuda/gemm=4.84e-3 cuda/gemm3m=4.86e-3 cuda/zherk=2.58e-3"
#define H200_1400_65536                                                                            \
    "cuda/herk=13.96e-3 cuda/gemm=18.5e-3 cuda/gemm3m=18.9e-3 cuda/zherk=9.39e-3"
// The kernels of our own that a trial on the same card measured (complex64 with the scale pass).
#define OWN_700_65536 " cuda/fp16x3=0.91e-3 cuda/tf32x3=1.5e-3"
#define SINCE(OPTION) "ops: {visibility: {matprod: " OPTION "}}"
#define GRAM_OFF(KERNEL) "kernels: {visibility_gram: {cuda: {" KERNEL ": {enabled: false}}}}"
#define DEVICE " dtype=c64 mem=cuda:0"

static const decision_row rows[] = {
    /* made-up rates */
    {"visibility_gram m=700 k=1000", HERK_4000_GEMM_2000_3M_3000, NULL, "cpu-serial/herk",
     "quickest", NULL},
    {"visibility_gram m=700 k=1000", HERK_2000_GEMM_2000_3M_3100, NULL, "cpu-serial/gemm3m",
     "quickest", NULL},
    {"visibility_gram m=700 k=1000", HERK_2000_GEMM_2000_3M_3100,
     "gates: {visibility: {gemm3m: off}}", "cpu-serial/herk", "tie",
     "cpu-serial/gemm3m visibility.gemm3m"},
    {"visibility_gram m=700 k=1000", HERK_2000_GEMM_2000_3M_3100,
     "kernels: {visibility_gram: {cpu-serial: {gemm3m: {enabled: false}}}}", "cpu-serial/herk",
     "tie", "cpu-serial/gemm3m killed"},
    {"visibility_gram m=700 k=1000", HERK_2000_GEMM_2000_3M_3100,
     "gates: {visibility: {gemm3m: off, herk_min_antennas: off}}", "cpu-serial/gemm", "only",
     "cpu-serial/herk visibility.herk_min_antennas, cpu-serial/gemm3m visibility.gemm3m"},
    {"visibility_gram m=700 k=1000", "cpu-serial/gemm=1 cpu-serial/herk=1 cpu-serial/gemm3m=1",
     NULL, "cpu-serial/herk", "tie", NULL},
    {"visibility_gram m=700 k=1000", "cpu-serial/gemm=1 cpu-serial/gemm3m=1", NULL,
     "cpu-serial/gemm", "tie", NULL},
    {"visibility_gram m=700 k=1000", "cpu-serial/herk3=1 cpu-serial/gemm3m=1 cpu-serial/herk=1.06",
     NULL, "cpu-serial/gemm3m", "tie", NULL},
    /* the H200: no rule of thumb would get these right */
    {"visibility_gram m=64 k=16384" DEVICE, H200_64_16384, NULL, "cuda/gemm", "quickest", NULL},
    {"visibility_gram m=128 k=65536" DEVICE, H200_128_65536, NULL, "cuda/gemm", "tie", NULL},
    {"visibility_gram m=256 k=65536" DEVICE, H200_256_65536, NULL, "cuda/gemm", "quickest", NULL},
    {"visibility_gram m=350 k=32768" DEVICE, H200_350_32768, NULL, "cuda/zherk", "quickest", NULL},
    {"visibility_gram m=700 k=4000" DEVICE, H200_700_4000, NULL, "cuda/zherk", "quickest", NULL},
    {"visibility_gram m=700 k=65536" DEVICE, H200_700_65536, NULL, "cuda/zherk", "quickest", NULL},
    {"visibility_gram m=1400 k=65536" DEVICE, H200_1400_65536, NULL, "cuda/zherk", "quickest",
     NULL},
    {"visibility_gram m=700 k=65536" DEVICE, H200_700_65536, GRAM_OFF("zherk"), "cuda/gemm", "tie",
     "cuda/zherk killed"},
    {"visibility_gram m=1400 k=65536" DEVICE, H200_1400_65536, GRAM_OFF("zherk"), "cuda/herk",
     "quickest", NULL},
    {"visibility_gram m=1400 k=65536" DEVICE, H200_1400_65536,
     GRAM_OFF("zherk") "\ngates: {visibility: {herk_min_antennas: off}}", "cuda/gemm", "tie",
     "cuda/herk visibility.herk_min_antennas"},
    {"visibility_gram m=700 k=65536" DEVICE, H200_700_65536 OWN_700_65536, NULL, "cuda/fp16x3",
     "quickest", NULL},
    {"visibility_gram m=700 k=65536" DEVICE, H200_700_65536 OWN_700_65536, GRAM_OFF("fp16x3"),
     "cuda/tf32x3", "quickest", "cuda/fp16x3 killed"},
    {"visibility_gram m=700 k=65536" DEVICE,
     H200_700_65536 " cuda/fp16x3=0.91e-3# cuda/tf32x3=1.5e-3#", NULL, "cuda/zherk", "quickest",
     "cuda/fp16x3 limit, cuda/tf32x3 limit"},
    /* one by name: the configuration's, the caller's over it */
    {"visibility_gram m=700 k=65536" DEVICE, H200_700_65536, SINCE("gemm"), "cuda/gemm", "only",
     "cuda/herk ops.visibility.matprod, cuda/zherk ops.visibility.matprod"},
    {"visibility_gram m=700 k=65536" DEVICE, H200_700_65536, SINCE("herk"), "cuda/herk", "only",
     NULL},
    {"visibility_gram m=700 k=65536 matprod=gemm3m" DEVICE, H200_700_65536, SINCE("herk"),
     "cuda/gemm3m", "only", NULL},
    {"visibility_gram m=700 k=65536 matprod=herk" DEVICE, H200_700_65536, NULL, "cuda/herk", "only",
     NULL},
    {"visibility_gram m=700 k=65536" DEVICE, H200_700_65536, SINCE("fp16x3"), "cuda/zherk",
     "quickest", NULL}, /* no plugin has it: nothing is narrowed */
    {"visibility_gram m=700 k=65536 matprod=gemm3m" DEVICE, H200_700_65536,
     "gates: {visibility: {gemm3m: off}}", "none", "",
     "cuda/gemm3m visibility.gemm3m, cuda/gemm ops.visibility.matprod"},
    {"visibility_gram m=700 k=65536" DEVICE, H200_700_65536, SINCE("zherk") "\n" GRAM_OFF("zherk"),
     "none", "", "cuda/zherk killed"},
    {"visibility_gram m=700 k=10", "cpu-serial/herk=1 cpu-openmp/herk=1* cpu-openmp/gemm=0.1*",
     SINCE("herk"), "cpu-openmp/herk", "tie", NULL},
    {"visibility_gram m=7 k=10", "cpu-serial/gemm=1 cpu-serial/reference=5", SINCE("gemm"),
     "cpu-serial/gemm", "only", "cpu-serial/reference ops.visibility.matprod"},
    /* antennas */
    {"visibility_gram m=99 k=1000", "cpu-serial/herk=1 cpu-serial/gemm=2",
     "gates: {visibility: {herk_min_antennas: 100}}", "cpu-serial/gemm", "only", NULL},
    {"visibility_gram m=100 k=1000", "cpu-serial/herk=1 cpu-serial/gemm=2",
     "gates: {visibility: {herk_min_antennas: 100}}", "cpu-serial/herk", "quickest", NULL},
    {"visibility_gram m=1 k=1000", "cpu-serial/herk=1 cpu-serial/gemm=2", NULL, "cpu-serial/herk",
     "quickest", NULL},
    {"visibility nant=99 nfeed=2 nsrc=9", "cpu-serial/herk=1 cpu-serial/gemm=2",
     "gates: {visibility: {herk_min_antennas: 100}}", "cpu-serial/gemm", "only", NULL},
    {"visibility nant=100 nfeed=2 nsrc=9", "cpu-serial/herk=1 cpu-serial/gemm=2",
     "gates: {visibility: {herk_min_antennas: 100}}", "cpu-serial/herk", "quickest", NULL},
    {"visibility_pairs nant=99 nfeed=2 k=5 npairs=3", "cpu-serial/herk=1 cpu-serial/gemm=2",
     "gates: {visibility: {herk_min_antennas: 100}}", "cpu-serial/gemm", "only", NULL},
    /* pairs: 0.533 us a pair against 3.267 ms for all of V */
    {"visibility_pairs nant=350 nfeed=2 k=66668 npairs=6000 dtype=c64",
     "cpu-serial/dot=3.200e-3 cpu-serial/herk=3.267e-3", "routing: {tie_margin: 0}",
     "cpu-serial/dot", "quickest", NULL},
    {"visibility_pairs nant=350 nfeed=2 k=66668 npairs=6200 dtype=c64",
     "cpu-serial/dot=3.307e-3 cpu-serial/herk=3.267e-3", "routing: {tie_margin: 0}",
     "cpu-serial/herk", "quickest", NULL},
    {"visibility_pairs nant=350 nfeed=2 k=66668 npairs=6000 dtype=c64",
     "cpu-serial/dot=3.200e-3 cpu-serial/herk=3.267e-3", NULL, "cpu-serial/herk", "tie", NULL},
    {"visibility_pairs nant=350 nfeed=2 k=66668 npairs=100 dtype=c64",
     "cpu-serial/dot=0.053e-3 cpu-serial/herk=3.267e-3", NULL, "cpu-serial/dot", "quickest", NULL},
    {"visibility_pairs nant=350 nfeed=2 k=66668 npairs=100 dtype=c64",
     "cpu-serial/dot=0.053e-3 cpu-serial/herk=3.267e-3",
     "kernels: {visibility_pairs: {cpu-serial: {dot: {enabled: false}}}}", "cpu-serial/herk",
     "only", "cpu-serial/dot killed"},
    {"visibility_pairs nant=350 nfeed=2 k=66668 npairs=100 matprod=dot dtype=c64",
     "cpu-serial/dot=9 cpu-serial/herk=3.267e-3", NULL, "cpu-serial/dot", "only",
     "cpu-serial/herk ops.visibility.matprod"},
    /* the switch of one operation leaves the others alone */
    {"visibility nant=9 nsrc=9", "cpu-serial/herk=1 cpu-serial/gemm=2",
     "kernels: {visibility_gram: {cpu-serial: {herk: {enabled: false}}}}", "cpu-serial/herk",
     "quickest", NULL},
    {"visibility nant=9 nsrc=9", "cpu-serial/herk=1 cpu-serial/gemm=2",
     "kernels: {visibility: {cpu-serial: {herk: {enabled: false}}}}", "cpu-serial/gemm", "only",
     "cpu-serial/herk killed"},
    /* general products */
    {"visibility_product m=7 n=9 k=5", "cpu-serial/gemm=2 cpu-serial/gemm3m=1", NULL,
     "cpu-serial/gemm3m", "quickest", NULL},
    {"visibility_product m=7 n=9 k=5", "cpu-serial/gemm=2 cpu-serial/gemm3m=1",
     "gates: {visibility: {gemm3m: off}}", "cpu-serial/gemm", "only", NULL},
    {"visibility_product m=7 n=9 k=5", "cpu-serial/gemm=2 cpu-serial/gemm3m=1", SINCE("herk"),
     "cpu-serial/gemm3m", "quickest", NULL},
    {"visibility_product m=7 n=9 k=5", "cpu-serial/gemm=2 cpu-serial/gemm3m=1", SINCE("gemm"),
     "cpu-serial/gemm", "only", NULL},
    /* simple operations */
    {"visibility_beam nbeam=3 nfeed=2 nax=2 nsrc=9", "cpu-serial/direct=1 cpu-serial/reference=0.1",
     SINCE("gemm"), "cpu-serial/direct", "quickest", NULL},
    {"visibility_tau nant=3 nsrc=9 threads=4", "cpu-serial/direct=1 cpu-openmp/direct=2*", NULL,
     "cpu-openmp/direct", "quickest", NULL},
    {"visibility_z nant=3 nsrc=9 mem=cuda:1", "cpu-serial/direct=1 cuda/direct=2", NULL,
     "cuda/direct", "only", NULL},
    {"visibility_horizon nsrc=9", "cpu-serial/direct=1 cuda/direct=2", NULL, "cpu-serial/direct",
     "quickest", NULL},
};

const decision_table decisions_visibility = {"visibility", (int)(sizeof rows / sizeof *rows), rows};
