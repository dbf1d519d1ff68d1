/*
 * blas: the functions of OpenBLAS and LAPACKE that this program calls, loaded when they are first needed.
 *
 * Only neural networks and least squares multiply matrices. Linking the libraries made every command pay for them:
 * their constructors take 30 ms and never end where the address space is limited to 300 MB. So neither the program nor
 * libafterstate.so links them; blas_load() opens them, and says so plainly where they are missing.
 *
 * Threads are ours: each product runs on the calling thread, between blas_enter() and blas_leave(). These two change
 * the number of threads of the calling thread only and put it back, so a program that also uses OpenBLAS keeps its own
 * setting. How this is done depends on the variant of OpenBLAS:
 *
 *   OpenMP       omp_set_num_threads(), which is kept for each thread apart
 *   sequential   nothing to set, but calls wait for each other: as Debian builds it, two calls at once give wrong
 *                numbers
 *   pthreads     the setting is the whole process's, so it is left as it is; the program sets OPENBLAS_NUM_THREADS=1
 *                for itself
 *
 * openblas_set_num_threads_local() (0.3.27 and later) is not used: despite its name it sets the number of the whole
 * process as well.
 */
#ifndef AFTERSTATE_BASE_BLAS_H
#define AFTERSTATE_BASE_BLAS_H

#include "base/status.h"

#include <cblas.h>
#include <lapacke.h>

/* As in cblas.h and lapacke.h. */
struct blas {
    __typeof__(cblas_sgemm) *sgemm;
    __typeof__(cblas_dgemm) *dgemm;
    __typeof__(cblas_dgemv) *dgemv;
    __typeof__(cblas_dscal) *dscal;
    __typeof__(cblas_ddot) *ddot;
    __typeof__(LAPACKE_dgesdd) *dgesdd; /* NULL unless loaded with BLAS_AND_LAPACK */
};

enum blas_part { BLAS_ONLY, BLAS_AND_LAPACK };

/*
 * Loads the libraries unless they are loaded already; they stay until the process ends. STATUS_IO with the name of the
 * missing library and of the Debian package that has it, STATUS_NO_MEMORY where the address space left is too small
 * for their constructors to end. A later call tries again. Any thread may call it.
 */
enum status blas_load(enum blas_part part);

/* The functions, after a blas_load() of that part that returned STATUS_OK. Any thread. */
const struct blas *blas_functions(void);

/* What blas_leave() puts back. */
struct blas_scope {
    int n_threads_before;
};

/*
 * The calling thread's next calls run on it alone, until blas_leave() with what this returned. To be called once
 * blas_load() succeeded. Does not nest.
 */
struct blas_scope blas_enter(void);
void blas_leave(struct blas_scope scope);

#endif
