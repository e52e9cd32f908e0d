/* SPDX-License-Identifier: BSD-3-Clause */
/* Device arrays of the curvature kernels: what a plan keeps and what a call works out, as C and
 * CUDA both see them. */
#ifndef HG_CUDA_CURVATURE_ARRAYS_H
#define HG_CUDA_CURVATURE_ARRAYS_H

#include <cuda_runtime_api.h>
#include <stdint.h>

/* A block of `convolve` works on TILE_ROWS x TILE_CELLS cells of U, a warp of it on WARP_ROWS rows.
 * The entries of a column are cut into boxes of at most BOX_SIDE x BOX_SIDE cells, BOX_RUNS
 * vertical runs and BOX_VALUES values, so that what a tile needs of w fits in shared memory. */
enum {
    HG_TILE_ROWS = 32,
    HG_TILE_CELLS = 128,
    HG_WARP_ROWS = 16,
    HG_BOX_SIDE = 16,
    HG_BOX_RUNS = 64,
    HG_BOX_VALUES = 320
};

/* In a plan. Offset (dy, dx) of w is at [(dy + ny - 1) w_ld + dx + nx - 1]; HG_TILE_ROWS rows and
 * at least HG_TILE_CELLS cells of zeros stand behind. int2: x of the image in x, y in y. */
typedef struct CurvatureExtent {
    int ny, nx, w_ld, is_f64;
    int64_t n_pixels;
    void *w;         /* (2 ny - 1 + HG_TILE_ROWS, w_ld), float or double */
    void *w_half;    /* the same, 0 for dy < 0 and halved for dy = 0; or NULL */
    int2 *pixels;    /* (N) */
    int2 *row_span;  /* (ny) first and last masked cell; nx and -1 where there is none */
    int2 *warp_span; /* (ny) the same of HG_WARP_ROWS rows from y on */
    int2 *tile_span; /* (ny) of HG_TILE_ROWS rows */
} CurvatureExtent;

/* Entries of a column in one box. Runs and values are those from `run` and `value` on. */
typedef struct CurvatureBox {
    int top, bottom, left, right; /* cells that have entries, ends included */
    int64_t run, value;
    int n_runs, n_values;
} CurvatureBox;

/* Kernel fft: the entries of a column in one row of one block, `first` ... first + n - 1 of the
 * column in that order. */
typedef struct CurvaturePiece {
    int block, y; /* y from the first row of the block */
    int first, n;
} CurvaturePiece;

/* First bad element of each array, ~0 where there is none. */
typedef struct CurvatureFaults {
    unsigned long long indptr, rows, vals;
} CurvatureFaults;

/* The mapping matrix of a call, and what is worked out about it. Column s owns places indptr[s] ...
 * indptr[s+1] - 1 of the arrays of nnz elements, twice as many of run_values. */
typedef struct CurvatureColumns {
    int64_t n_rows, nnz;
    int n_columns;
    int rows_are_64, is_f64;
    const int64_t *indptr;
    const void *rows;
    const void *vals;
    int *ymin;              /* (S) first row of each column, ny where it is empty */
    int *order;             /* (S) columns by rising ymin, ties by number */
    int *n_taken;           /* (S) entries that point into the mask */
    int *n_boxes;           /* (S) */
    int2 *cells;            /* (nnz) of the entries, row by row: the order of the gather */
    void *values;           /* (nnz) */
    unsigned *runs;         /* (nnz) packed, see setup.cuh */
    CurvatureBox *boxes;    /* (nnz) */
    void *run_values;       /* (2 nnz) by box, then x, then falling y; runs begin at even places */
    CurvaturePiece *pieces; /* (nnz) kernel fft, n_boxes of a column */
    int *piece_x;           /* (nnz) cell of each entry from the left of its block */
    uint64_t *keys;   /* (nnz) scratch of the sorting, for columns that shared memory cannot hold */
    unsigned *places; /* (nnz) */
    CurvatureFaults *faults;
} CurvatureColumns;

/* A number of columns by rank and their U. */
typedef struct CurvatureChunk {
    int first, count; /* ranks */
    void *u;          /* (count, ny, nx) unless the strides say otherwise */
    int64_t u_column; /* elements from column to column */
    int u_ld;         /* from row to row */
} CurvatureChunk;

enum CurvatureRoute { HG_FULL, HG_SYMMETRIC, HG_PAIR };

/* What is worked out beside the order of the gather: boxes and runs of direct convolution, or
 * pieces in blocks of height x width cells, `columns` of them along x. */
enum { HG_LISTS_BOXES, HG_LISTS_PIECES };
typedef struct CurvatureLists {
    int kind;
    int height, width, columns;
} CurvatureLists;

#ifdef __cplusplus
extern "C" {
#endif

/* ---- extent.cu */
typedef struct CurvatureExtentInput {
    const void *w, *iy, *ix;
    int iy_is_64, ix_is_64;
    int check_w, w_is_even;
    unsigned long long *faults; /* (3): first bad element of iy, ix, w; set to ~0 before */
} CurvatureExtentInput;
cudaError_t hg_curvature_extent_fill(const CurvatureExtent *extent,
                                     const CurvatureExtentInput *input, cudaStream_t stream);

/* ---- setup.cu: fills the arrays of the columns; faults are ~0 before */
cudaError_t hg_curvature_setup(const CurvatureExtent *extent, const CurvatureColumns *columns,
                               const CurvatureLists *lists, cudaStream_t stream);

/* ---- convolve_f64.cu, convolve_f32.cu: U of a chunk; gather.cu: their rows of F */
cudaError_t hg_curvature_convolve_f64(const CurvatureExtent *extent,
                                      const CurvatureColumns *columns, const CurvatureChunk *chunk,
                                      enum CurvatureRoute route, cudaStream_t stream);
cudaError_t hg_curvature_convolve_f32(const CurvatureExtent *extent,
                                      const CurvatureColumns *columns, const CurvatureChunk *chunk,
                                      enum CurvatureRoute route, cudaStream_t stream);
cudaError_t hg_curvature_gather(const CurvatureColumns *columns, const CurvatureChunk *chunk,
                                enum CurvatureRoute route, void *F, cudaStream_t stream);
/* F = F + F' */
cudaError_t hg_curvature_add_transpose(void *F, int n, int is_f64, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
