/* search_result: the result of every search. */
#include "search/search_result.h"

#include <math.h>

struct search_result search_result_begin(const struct moves *moves)
{
    struct search_result result = {.legal = moves->legal, .best = DIRECTION_COUNT};
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        result.value[d] = NAN;
        result.reward[d] = moves->reward[d];
        result.order[d] = d;
    }
    return result;
}

void search_result_rank(struct search_result *result)
{
    enum direction best = DIRECTION_COUNT;
    const float *value = result->value;
    unsigned n = 0;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++)
        if (result->depth[d] > 0 && (best == DIRECTION_COUNT || result->depth[d] > result->depth[best] ||
                                     (result->depth[d] == result->depth[best] && value[d] > value[best])))
            best = d;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++)
        if (result->depth[d] > 0) {
            unsigned at = n++;
            for (; at > 0 && (d == best || (result->order[at - 1] != best && value[d] > value[result->order[at - 1]]));
                 at--)
                result->order[at] = result->order[at - 1];
            result->order[at] = d;
        }
    result->best = best;
    result->n_valued = n;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++)
        if (result->depth[d] == 0)
            result->order[n++] = d;
}
