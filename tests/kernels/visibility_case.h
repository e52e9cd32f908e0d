// SPDX-License-Identifier: BSD-3-Clause
// Stored cases of the family visibility, and calls made from them.
#ifndef HG_TESTS_VISIBILITY_CASE_H
#define HG_TESTS_VISIBILITY_CASE_H

#include "tests/kernels/conformance.h"

#include <check.h>

// See tests/data/make_visibility.py for what each array is.
typedef struct visibility_case {
    array *antpos, *crd, *flux, *grid, *daz, *dza, *az0, *za0, *beam_idx, *pairs;
    array *options;
    array *up, *az, *za, *beam, *exptau, *Z, *V, *Vpairs, *Vpairs_matvis;
} visibility_case;

extern const char *const visibility_cases[];
enum { N_VISIBILITY_CASES = 7 };

// Precision p: 0 is float32 and complex64, 1 is float64 and complex128.
extern const char *const real_word[2], *const complex_word[2];
extern const uint32_t real_mask[2], complex_mask[2];

// Inputs in precision p, indices as "i32" or "i64"; stored results stay float64.
visibility_case case_load(const char *name, int p, const char *index_type);
void case_free(visibility_case *c);
// Replaces an array by the same numbers in another type.
void retype(array **a, const char *type);
int is_f64(const array *a);

// Default parameters of the family, and those that a stored case asks for.
hgate_visibility_params params_default(void);
hgate_visibility_params params_of(const visibility_case *c);
// Sum over a source's three coordinates of |position in wavelengths * coordinate|, at most.
double case_turns(const visibility_case *c);

// Calls; params must outlive them.
conf_call call_beam(array *grid, array *daz, array *dza, array *az0, array *za0, array *az,
                    array *za, array *beam, const hgate_visibility_params *params);
conf_call call_tau(array *antpos, array *crd, array *exptau, const hgate_visibility_params *params);
conf_call call_z(array *beam, array *exptau, array *flux, array *beam_idx, array *Z,
                 const hgate_visibility_params *params);
conf_call call_gram(array *Z, array *V, double alpha, double beta,
                    const hgate_visibility_params *params);
conf_call call_pairs(array *Z, array *pairs, int64_t nant, array *Vpairs, double alpha, double beta,
                     const hgate_visibility_params *params);
// pairs NULL: V is the full matrix.
conf_call call_fused(const visibility_case *c, array *pairs, array *V, double alpha, double beta,
                     const hgate_visibility_params *params);

// Adds a case of the suite for each instruction set, with threads of its own: "add" puts the tests
// in. Kernels then run with visibility_threads(). A tag "long" names what may be left out where
// every instruction costs a hundred.
void visibility_add_levels(Suite *suite, const char *tag, void (*add)(TCase *tcase));
int visibility_threads(void);

// An array of a shape with normal numbers.
array *random_array(const char *type, int ndim, const int64_t *shape, uint64_t seed);

// Whether V is Hermitian in bits with +0 imaginary parts on the diagonal.
int is_hermitian(const array *V);

#endif
