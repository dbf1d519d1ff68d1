/*
 * denormals: treats denormal numbers (too small for a normal exponent) as 0 while a thread learns. In Adam the moments
 * of weights without gradients decay to such numbers, and processors take a hundred cycles or more for each. The mode
 * belongs to the thread. Only on x86; elsewhere these functions do nothing.
 */
#ifndef AFTERSTATE_NEURAL_DENORMALS_H
#define AFTERSTATE_NEURAL_DENORMALS_H

#ifdef __SSE__
#include <xmmintrin.h>

enum { DENORMALS_ARE_ZERO = 0x8040 }; /* results (bit 15) and operands (bit 6) */

/* Returns the mode before, for denormals_restore(). */
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
