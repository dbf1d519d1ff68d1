/* solve_dump: `solve --dump DIR --age AGE --out FOLDER`: the boards of an age and their values for NumPy. */
#ifndef AFTERSTATE_CLI_SOLVE_DUMP_H
#define AFTERSTATE_CLI_SOLVE_DUMP_H

#include "base/status.h"
#include "cli/frame/options.h"

#include <stdint.h>

struct dump_options {
    const char *directory; /* the table */
    const char *out;       /* the folder for the arrays */
    uint32_t age;
    unsigned threads; /* 0: all cores */
};

enum status solve_dump(const struct dump_options *options, const struct common_options *common);

#endif
