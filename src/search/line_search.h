/*
 * line_search: expectimax on 4x4 over a hand-made evaluation of lines, for boards whose large tiles stand in a corner.
 *
 * The evaluation adds up the four rows from the left and the four columns from the top. A tile of 2^r weighs r 2^r. A
 * line has the weight of its first tile, and for each two neighbours the sum of their weights if they fall, or twelve
 * times their difference, which is negative, if they rise; equal ones have one weight more. So the largest tile belongs
 * into the top left corner and the others in falling order from there. A board is searched in that of its eight images
 * which has the best evaluation.
 *
 * It looks at boards by a standard: one whose evaluation is below twice the weight of its largest tile is out of order
 * and is not searched further, but has that evaluation. So a line of play that gives up its order is not saved by what
 * comes later. There is no standard where the board itself is out of order, and where all moves have negative values:
 * the search is then repeated without one.
 *
 * The idea and the constants are those of the strongest public program without learning (macroxue/2048-ai).
 */
#ifndef AFTERSTATE_SEARCH_LINE_SEARCH_H
#define AFTERSTATE_SEARCH_LINE_SEARCH_H

#include "base/status.h"
#include "game/board.h"
#include "search/search_result.h"
#include "search/searcher.h"

#include <stdint.h>

/* The memory of one search at a time: 8 MiB. */
struct line_search;

enum { LINE_SEARCH_MAX_DEPTH = 12 };

/* For boards of `grid`, which is 4x4 and borrowed. STATUS_NO_MEMORY. */
enum status line_search_create(struct line_search **out, const struct grid *grid);
void line_search_free(struct line_search *search); /* NULL is fine */

/*
 * Fills *result, which search_result_begin() made, with the evaluations of all legal moves: by `depth` plies if it is
 * not 0, and as many as are done within the milliseconds if they are not 0. `cancel` ends it early. Of `settings` only
 * these three count. Tiles beyond 32768 count as 32768.
 */
void line_search_run(struct line_search *search, struct board board, unsigned depth,
                     const struct search_settings *settings, struct search_result *result);

/* The evaluation of a board in the image that it has. */
int32_t line_evaluation(const struct line_search *search, struct board board);

#endif
