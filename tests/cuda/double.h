// SPDX-License-Identifier: BSD-3-Clause
// A CUDA runtime and its libraries that do nothing but count, and fail when they are told to. The
// plugin `headgate-cuda-double` is the plugin cuda linked with it: every call that the plugin makes
// goes through it, kernel launches too. "Device memory" is host memory.
#ifndef HG_TESTS_CUDA_DOUBLE_H
#define HG_TESTS_CUDA_DOUBLE_H

// What the test and the double talk through. Its address is in the variable CUDA_DOUBLE, "%p".
typedef struct cuda_double {
    long calls;      // so far
    long fail_at;    // this one fails; 0: none
    int error;       // of the runtime (cudaError_t); libraries answer with 1
    long live;       // memory and handles not yet given back
    int pending;     // what cudaGetLastError() will tell
    int is_lost;     // a sticky error was given: every later call gives it too
    char failed[64]; // name of the call that failed
    int count_error; // of cudaGetDeviceCount(), whatever fails otherwise; 0: one device
    int driver;      // its version; 0: that of the runtime, -1: there is none
    int n_devices;   // 0: one
    int current;     // device, of all threads
    int prohibited;  // bits: devices whose compute mode is prohibited
    int is_taken;    // devices are in exclusive mode, and another process has them
    int has_no_libs; // cuBLAS, cuSOLVER and cuFFT are not installed
    int captured;    // 1: streams are captured into a graph; 2: and a call has spoilt it
    long waits;      // calls that wait for the device
    long takes;      // calls that take memory
    long crossings;  // copies between host and device
    long launches;   // kernels and library functions
    int written;     // what memory set to 0 holds instead, as if a kernel had written there
} cuda_double;

// 0, or the error that this call is to give.
int cuda_double_call(const char *name);
cuda_double *cuda_double_shared(void);

#endif
