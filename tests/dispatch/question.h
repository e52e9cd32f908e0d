// SPDX-License-Identifier: BSD-3-Clause
// A problem in words, for tests that ask where it would run: small arrays, sizes as large as you
// like.
#ifndef HG_TESTS_DISPATCH_QUESTION_H
#define HG_TESTS_DISPATCH_QUESTION_H

#include "core/tensor/problem.h"

#include <stdalign.h>

enum { question_bytes = 256 };

typedef struct question {
    hg_problem problem;
    int threads; // 1 unless the words say otherwise
    // every array is one-dimensional with question_bytes bytes, whatever the sizes claim
    alignas(64) unsigned char memory[HGATE_MAX_ARGS][question_bytes];
    int64_t extent[HGATE_MAX_ARGS];
} question;

// "emi n=92 batch=1000 dtype=c64 mem=cuda:0 rule=none threads=4": operation, sizes of its row,
// scalars of its params. Sizes not given are 1. mem is host (default), pinned, cuda:N or managed:N.
// Curvature: f and g are the fractions, finite=0 says that vals are not; without f the facts are
// unknown. beta is that of the output. data=0: no data.
void question_ask(question *question, const char *words);

// Fills the outputs with a pattern; are all of them still as filled, or all written with
// `byte`-free values?
void question_poison(question *question);
bool question_is_untouched(const question *question);

#endif
