/*
 * neural_lesson: a network learns which moves a teacher would make.
 *
 * The values of a game's next boards differ by hundreds of points where the values themselves are hundreds of thousands
 * and the errors of a young network tens of thousands. So the square of the errors says little about which move is
 * best. Here all afterstates of a board are learned from together: what counts is the distance between the teacher's
 * choice and the network's, both softened by a temperature, which is smallest where all differences of values are the
 * teacher's; a small share of the squared error keeps the values themselves in their place.
 *
 * The network evaluates the afterstates in order to learn from them, so it costs nothing to let it choose moves, too.
 * In games that follow its own moves it is told what to do on boards where its own mistakes lead (Ross et al. 2011,
 * DAgger).
 *
 * A round is one batch: one step of the optimiser by the present board of every game.
 */
#include "base/clock.h"
#include "learn/neural_trainer_parts.h"
#include "neural/denormals.h"

#include <math.h>

/* Lists the afterstates of a game in order of their directions, and returns how many. */
static unsigned list_moves(const struct neural_trainer *trainer, struct neural_game *game, struct board *after)
{
    unsigned n = 0;
    game->moves = grid_moves(&trainer->neural->grid, game->live.board);
    for (unsigned d = 0; d < DIRECTION_COUNT; d++)
        if (game->moves.legal >> d & 1)
            after[n++] = game->moves.after[d];
    return n;
}

/* chances[i] = softmax of (reward + value) / temperature over the legal moves of a game. */
static void soften(const struct neural_game *game, const float *values, double temperature, double *chances)
{
    double best = -INFINITY, sum = 0;
    unsigned n = 0;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        if (!(game->moves.legal >> d & 1))
            continue;
        chances[n] = ((double)game->moves.reward[d] + (double)values[n]) / temperature;
        best = chances[n] > best ? chances[n] : best;
        n++;
    }
    for (unsigned i = 0; i < n; i++)
        sum += chances[i] = exp(chances[i] - best);
    for (unsigned i = 0; i < n; i++)
        chances[i] /= sum;
}

/* Replaces the outputs of a game's n afterstates by the derivative of its loss, and adds its squared errors to *loss;
   `values` are the network's in points. */
static void find_errors(const struct neural_trainer *trainer, const struct neural_game *game, unsigned n,
                        const float *taught, const float *values, neural_real *outputs, double *loss)
{
    const struct lesson_settings *lesson = &trainer->settings.lesson;
    double scale = trainer->neural->spec.scale, goal[DIRECTION_COUNT], chance[DIRECTION_COUNT];
    soften(game, taught, lesson->temperature, goal);
    soften(game, values, lesson->temperature, chance);
    for (unsigned i = 0; i < n; i++) {
        double error = ((double)values[i] - (double)taught[i]) / scale;
        double slope = (chance[i] - goal[i]) * scale / lesson->temperature + 2 * lesson->value * error / n;
        *loss += error * error;
        outputs[i] = (neural_real)(slope / trainer->settings.games);
    }
}

/* Whether the network makes the moves of a game. */
static bool plays_itself(const struct neural_trainer *trainer, size_t game)
{
    return (double)game < trainer->settings.lesson.own * trainer->settings.games;
}

/*
 * Learns from games `first` on, as many as fit into one pass of the network, and chooses their moves. `after` and
 * `taught` are the afterstates and the teacher's values of all of them. Returns how many afterstates that were, and in
 * *first the next game.
 */
static size_t learn_pass(struct neural_trainer *trainer, struct neural_worker *worker, size_t *first, size_t end,
                         const struct board *after, const float *taught)
{
    struct neural_scratch *scratch = &worker->scratch;
    size_t room = neural_workspace_boards(scratch->workspace), n = 0, last = *first, at = 0;
    for (; last < end && n + DIRECTION_COUNT <= room; last++)
        n += (size_t)__builtin_popcount(trainer->games[last].moves.legal);
    for (size_t i = 0; i < n; i++)
        scratch->images[i] = neural_view(trainer->neural, after[i]);
    neural_forward(scratch->workspace, scratch->images, n, scratch->outputs);
    for (; *first < last; ++*first) {
        struct neural_game *game = &trainer->games[*first];
        unsigned n_moves = (unsigned)__builtin_popcount(game->moves.legal);
        float values[DIRECTION_COUNT];
        for (unsigned i = 0; i < n_moves; i++)
            values[i] = neural_combine(trainer->neural, scratch->outputs + at + i);
        find_errors(trainer, game, n_moves, taught + at, values, scratch->outputs + at, &worker->loss);
        neural_game_choose(game, plays_itself(trainer, *first) ? values : taught + at);
        at += n_moves;
    }
    if (n > 0)
        neural_backward(scratch->workspace, scratch->outputs, worker->gradient);
    return n;
}

/* A worker's games of a round. */
static enum status learn_games(void *context, unsigned number)
{
    struct neural_trainer *trainer = context;
    struct neural_worker *worker = &trainer->workers[number];
    size_t first = neural_trainer_share(trainer, trainer->settings.games, number), n = 0, at = 0;
    size_t end = neural_trainer_share(trainer, trainer->settings.games, number + 1);
    unsigned mode = denormals_flush();
    for (size_t i = first; i < end; i++)
        n += list_moves(trainer, &trainer->games[i], worker->after + n);
    value_of_batch(&trainer->teacher, worker->after, n, worker->values);
    worker->loss = 0;
    while (first < end)
        at += learn_pass(trainer, worker, &first, end, worker->after + at, worker->values + at);
    denormals_restore(mode);
    return STATUS_OK;
}

/* Makes the chosen move of a game, or begins its next play. */
static enum status play(struct neural_trainer *trainer, size_t number)
{
    struct neural_game *game = &trainer->games[number];
    if (game->best == DIRECTION_COUNT) {
        struct play_report report = live_game_finish(&game->live, &game->starts);
        report.fresh &= plays_itself(trainer, number) || trainer->settings.lesson.own <= 0;
        neural_trainer_count_play(&trainer->totals, report);
        return STATUS_OK;
    }
    trainer->totals.actions++;
    return live_game_move(&game->live, &game->starts, game->moves.after[game->best], game->moves.reward[game->best]);
}

enum status neural_lesson_round(struct neural_trainer *trainer, struct workers *workers)
{
    uint64_t began = clock_nanoseconds();
    size_t n = 0;
    enum status status = neural_trainer_pack(trainer, workers);
    if (!status)
        status = workers_run(workers, learn_games, trainer);
    for (unsigned i = 0; i < trainer->settings.games; i++)
        n += (size_t)__builtin_popcount(trainer->games[i].moves.legal);
    if (!status && n > 0)
        status = neural_trainer_step(trainer, workers, n);
    for (unsigned i = 0; i < trainer->settings.games && !status; i++)
        status = play(trainer, i);
    trainer->effort.learn_seconds += (double)(clock_nanoseconds() - began) * 1e-9;
    return status;
}

/* Makes the teacher's moves in games first to end - 1. */
static enum status play_taught(struct neural_trainer *trainer, size_t first, size_t end)
{
    enum status status = STATUS_OK;
    enum { PART = 256 };
    struct board after[PART * DIRECTION_COUNT];
    float values[PART * DIRECTION_COUNT];
    for (; first < end && !status; first += PART) {
        size_t last = first + PART < end ? first + PART : end, n = 0, at = 0;
        for (size_t i = first; i < last; i++)
            n += list_moves(trainer, &trainer->games[i], after + n);
        value_of_batch(&trainer->teacher, after, n, values);
        for (size_t i = first; i < last && !status; i++) {
            struct neural_game *game = &trainer->games[i];
            neural_game_choose(game, values + at);
            at += (size_t)__builtin_popcount(game->moves.legal);
            if (game->best == DIRECTION_COUNT)
                live_game_finish(&game->live, &game->starts);
            else
                status = live_game_move(&game->live, &game->starts, game->moves.after[game->best],
                                        game->moves.reward[game->best]);
        }
    }
    return status;
}

enum status neural_lesson_spread(struct neural_trainer *trainer)
{
    uint64_t n = trainer->settings.games, spread = trainer->settings.lesson.spread;
    enum status status = STATUS_OK;
    for (uint64_t left = spread; left > 0 && !status; left--) /* games that make at least `left` moves */
        status = play_taught(trainer, (left * n + spread - 1) / spread, n);
    return status;
}
