// SPDX-License-Identifier: BSD-3-Clause
// Surveys for the tests of kirchhoff_forward and kirchhoff_adjoint: stored, made on the spot, and
// the sums written out once more.
#ifndef HG_TESTS_KIRCHHOFF_CASE_H
#define HG_TESTS_KIRCHHOFF_CASE_H

#include "tests/kernels/conformance.h"

// Arrays that a survey does not have are NULL.
typedef struct survey {
    int64_t ny, nx, nz, ns, nr, nt, ni;
    hgate_kirchhoff_params params;
    array *trav_src, *trav_rec, *amp_src, *amp_rec, *ang_src, *ang_rec;
    array *vel, *six, *rix, *tap, *wav;
    array *model, *data;
} survey;

// What a survey must give, with the bound on the error of each number.
typedef struct answer {
    double *data, *data_bound;   // (ns nr nt)
    double *model, *model_bound; // (ni)
} answer;

extern const char *const survey_names[];
enum { N_SURVEYS = 9 };

extern const char *const survey_type[2]; // precision 0: "f32", 1: "f64"
extern const uint32_t survey_mask[2];

// A stored survey in precision p with its stored answer (made by another program).
survey survey_load(const char *name, int p, answer *stored);
// Random tables, 2D for ny 0: straight rays of a medium of some speed, a few entries negative total
// times, beyond the record, or not finite.
survey survey_make(int p, int64_t ny, int64_t nx, int64_t nz, int64_t ns, int64_t nr, int64_t nt,
                   int is_dynamic, uint64_t seed);
void survey_free(survey *s);
void answer_free(answer *a);

// The other layout of the tables.
void survey_turn(survey *s);
// The sums of kirchhoff.h for the survey's model and data, in float64, point by point.
answer survey_solve(const survey *s);

// data = alpha L model + beta data, and model = alpha L' data + beta model.
conf_call call_forward(const survey *s, array *model, array *data, double alpha, double beta);
conf_call call_adjoint(const survey *s, array *data, array *model, double alpha, double beta);
array *new_data(const survey *s);
array *new_model(const survey *s);

// The i-th kernel of a direction that this processor, or the instruction set asked for, can serve.
const conf_kernel *kernel_at(int op, uint32_t dtype, int i);

// Fails where a number of `got` is further from `want` than its bound.
void assert_within(const array *got, const double *want, const double *bound, const char *what,
                   const conf_kernel *k);

#endif
