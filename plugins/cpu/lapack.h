/* SPDX-License-Identifier: BSD-3-Clause */
/* The Fortran routines of LAPACK that are called, with the hidden lengths of their character
 * arguments. */
#ifndef HG_CPU_LAPACK_H
#define HG_CPU_LAPACK_H

#include <complex.h>
#include <stddef.h>

/* Eigenvalues, rising, and with job "V" eigenvectors, of a real symmetric and a complex Hermitian
 * matrix. */
void dsyev_(const char *job, const char *triangle, const int *n, double *a, const int *lda,
            double *eigenvalues, double *work, const int *lwork, int *info, size_t job_length,
            size_t triangle_length);
void zheev_(const char *job, const char *triangle, const int *n, double complex *a, const int *lda,
            double *eigenvalues, double complex *work, const int *lwork, double *rwork, int *info,
            size_t job_length, size_t triangle_length);

/* Some eigenpairs of a complex Hermitian matrix: range "I" takes those numbered from ... to. */
void zheevx_(const char *job, const char *range, const char *triangle, const int *n,
             double complex *a, const int *lda, const double *low, const double *high,
             const int *from, const int *to, const double *tolerance, int *found,
             double *eigenvalues, double complex *z, const int *ldz, double complex *work,
             const int *lwork, double *rwork, int *iwork, int *failed, int *info, size_t job_length,
             size_t range_length, size_t triangle_length);

/* Factors of a general matrix with pivoting, and its inverse from them. */
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *pivots, int *info);
void dgetri_(const int *n, double *a, const int *lda, const int *pivots, double *work,
             const int *lwork, int *info);

#endif
