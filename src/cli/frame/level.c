/* level: a portable program holds the same code for several levels of instructions (cmake/levels.cmake). */
#include "cli/frame/level.h"

#include "cli/frame/program.h"

#ifndef AFTERSTATE_LEVELS
int level_main(int argc, char **argv, const struct cluster *cluster)
{
    return program_main(argc, argv, cluster);
}
#else
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/frame/command.h"

int program_main_avx2(int argc, char **argv, const struct cluster *cluster);
int program_main_avx512(int argc, char **argv, const struct cluster *cluster);

/* Each asks for the instructions that cmake/levels.cmake compiles with, and for a system that saves their registers. */
static bool has_baseline(void)
{
    return true;
}

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
}

static bool has_avx512(void)
{
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
           __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512vnni") &&
           __builtin_cpu_supports("avx512cd");
}

static const struct {
    const char *name;
    bool (*is_there)(void);
    int (*main)(int argc, char **argv, const struct cluster *cluster);
} levels[] = {
    {"avx512", has_avx512, program_main_avx512},
    {"avx2", has_avx2, program_main_avx2},
    {"baseline", has_baseline, program_main},
};

int level_main(int argc, char **argv, const struct cluster *cluster)
{
    const char *wanted = getenv("AFTERSTATE_CPU");
    bool any = !wanted || !*wanted;
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if ((any || strcmp(wanted, levels[i].name) == 0) && levels[i].is_there())
            return levels[i].main(argc, argv, cluster);
    return cli_fail(status_fail(STATUS_USAGE,
                                "AFTERSTATE_CPU is '%s', expected one of baseline, avx2, avx512 that this "
                                "processor has",
                                wanted));
}
#endif
