/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans and calls of one precision: included by transforms.c with REAL, FFTW, TYPED. */

static void TYPED(forward_row)(const hg_transforms *t, void *reals, void *bins)
{
    FFTW(execute_dft_r2c)(t->forward_row, reals, bins);
}

static void TYPED(backward_row)(const hg_transforms *t, void *bins, void *reals)
{
    FFTW(execute_dft_c2r)(t->backward_row, bins, reals);
}

static void TYPED(forward_line)(const hg_transforms *t, void *line, void *to)
{
    FFTW(execute_dft)(t->forward_line, line, to);
}

static void TYPED(backward_line)(const hg_transforms *t, void *line, void *to)
{
    FFTW(execute_dft)(t->backward_line, line, to);
}

static const hg_transform_calls TYPED(calls) = {TYPED(forward_row), TYPED(backward_row),
                                                TYPED(forward_line), TYPED(backward_line)};

static void TYPED(make)(hg_transforms *t)
{
    int row = (int)t->n_row, line = (int)t->n_line;
    REAL *reals = FFTW(alloc_real)((size_t)row);
    FFTW(complex) *bins = FFTW(alloc_complex)((size_t)(row > line ? row : line));
    FFTW(complex) *to = FFTW(alloc_complex)((size_t)line);
    if (reals && bins && to) {
        t->forward_row = FFTW(plan_dft_r2c_1d)(row, reals, bins, FFTW_ESTIMATE);
        t->backward_row = FFTW(plan_dft_c2r_1d)(row, bins, reals, FFTW_ESTIMATE);
        t->forward_line = FFTW(plan_dft_1d)(line, bins, to, FFTW_FORWARD, FFTW_ESTIMATE);
        t->backward_line = FFTW(plan_dft_1d)(line, bins, to, FFTW_BACKWARD, FFTW_ESTIMATE);
    }
    FFTW(free)(reals);
    FFTW(free)(bins);
    FFTW(free)(to);
    t->calls = &TYPED(calls);
}

static void TYPED(destroy)(void *plan)
{
    if (plan)
        FFTW(destroy_plan)(plan);
}

#undef REAL
#undef FFTW
#undef TYPED
