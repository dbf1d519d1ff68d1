/*
 * denormals: numbers too small for a normal exponent are taken for 0 while a thread learns. Adam lets the moments of
 * weights that get no gradient decay to such numbers, and processors take a hundred cycles or more for each of them.
 * Settings belong to the thread; the sums of a run are the same for every thread that has them. Only on x86; elsewhere
 * nothing is changed.
 */
#ifndef AFTERSTATE_NEURAL_DENORMALS_H
#define AFTERSTATE_NEURAL_DENORMALS_H

#ifdef __SSE__
#include <xmmintrin.h>

enum { DENORMALS_ARE_ZERO = 0x8040 }; /* results (bit 15) and operands (bit 6) */

/* What to give back to denormals_restore(). */
static inline unsigned denormals_flush(void)
{
    unsigned before = _mm_getcsr();
    _mm_setcsr(before | DENORMALS_ARE_ZERO);
    return before;
}

static inline void denormals_restore(unsigned before)
{
    _mm_setcsr(before);
}
#else
static inline unsigned denormals_flush(void)
{
    return 0;
}

static inline void denormals_restore(unsigned before)
{
    (void)before;
}
#endif

#endif
