/* The clock never goes backwards. */
#include "scratch.h"

#include "base/clock.h"

#include <time.h>

static void test_clock_goes_forward(void **state)
{
    (void)state;
    uint64_t before = clock_nanoseconds();
    double before_seconds = clock_seconds();
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    uint64_t passed = clock_nanoseconds() - before;
    assert_true(passed >= 5000000 && passed < UINT64_C(60000000000));
    assert_true(clock_seconds() - before_seconds >= 0.0049);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clock_goes_forward),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
