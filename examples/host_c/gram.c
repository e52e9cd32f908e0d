// SPDX-License-Identifier: BSD-3-Clause
// The smallest host: V = Z Z^H of a 2 x 3 matrix, row by row, and which kernel computed it; status
// 1 when a call failed.
#include <headgate/headgate.h>

#include <complex.h>
#include <stdio.h>

int main(void)
{
    float complex Z[2][3] = {{1, 2 * I, 3}, {1, 1 + I, 0}};
    float complex V[2][2];
    int64_t shape_Z[] = {2, 3}, shape_V[] = {2, 2};
    DLTensor tensor_Z = {.data = Z,
                         .device = {kDLCPU, 0},
                         .ndim = 2,
                         .dtype = {kDLComplex, 64, 1},
                         .shape = shape_Z};
    DLTensor tensor_V = tensor_Z;
    tensor_V.data = V;
    tensor_V.shape = shape_V;

    hgate_engine *engine = NULL;
    hgate_exec *exec = NULL;
    const hgate_trace *trace;
    const char *plugin, *kernel, *reason;
    int status = hgate_open(NULL, &engine);
    if (status == HGATE_OK) {
        status = hgate_exec_new(engine, &exec);
    }
    if (status == HGATE_OK) {
        status = hgate_visibility_gram(engine, exec, NULL, &tensor_Z, &tensor_V);
    }
    if (status == HGATE_OK) {
        for (int i = 0; i < 2; i++) {
            printf("(%g, %g)  (%g, %g)\n", crealf(V[i][0]), cimagf(V[i][0]), crealf(V[i][1]),
                   cimagf(V[i][1]));
        }
        hgate_exec_last_trace(exec, &trace);
        hgate_trace_choice(trace, &plugin, &kernel, &reason);
        printf("computed by %s/%s\n", plugin, kernel);
    } else {
        fprintf(stderr, "%s: %s\n", hgate_status_name(status), hgate_last_error());
    }
    hgate_exec_free(exec);
    hgate_close(engine);
    return status != HGATE_OK;
}
