/* The neural trainer: that it learns, resumes bit for bit, threads, targets, averages, teachers, divergence. */
#include "scratch.h"

#include "learn/neural_trainer.h"
#include "learn/neural_trainer_parts.h"
#include "learn/start_recipe.h"

#include <math.h>

enum { FILE_VERSION = 1 };
static const char magic[] = "TESTCKPT";

struct lesson {
    struct neural *neural;
    struct neural_trainer *trainer;
    struct workers *workers;
};

static struct neural_settings settings_of(enum batching batching, unsigned batch, unsigned games)
{
    return (struct neural_settings){.start = {.new_game = 1},
                                    .optimiser = {.beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-7},
                                    .rate = schedule_constant(0.001f),
                                    .batching = batching,
                                    .batch = batch,
                                    .games = games,
                                    .deviation = 0.1,
                                    .seed = 3,
                                    .threads = 1};
}

static struct lesson begin(const struct neural_settings *settings, enum neural_play play)
{
    struct lesson lesson;
    struct neural_spec spec = {
        .rows = 3, .cols = 3, .planes = 16, .scale = 1, .play = play, .model = "2x2 16 24 fc 16"};
    assert_ok(neural_create(&lesson.neural, &spec));
    neural_initialise(lesson.neural, settings->initial, settings->deviation, settings->seed);
    assert_ok(workers_create(&lesson.workers, settings->threads));
    assert_ok(neural_trainer_create(&lesson.trainer, lesson.neural, settings));
    return lesson;
}

static void end(struct lesson *lesson)
{
    neural_trainer_free(lesson->trainer);
    workers_free(lesson->workers);
    neural_free(lesson->neural);
}

static void run(struct lesson *lesson, uint64_t until)
{
    assert_ok(neural_trainer_run(lesson->trainer, lesson->workers, until, NULL, NULL));
}

static void save(const struct lesson *lesson, const char *name)
{
    struct block_writer *writer;
    assert_ok(block_writer_open(&writer, scratch_path(name), magic, FILE_VERSION));
    assert_ok(neural_trainer_save(lesson->trainer, writer));
    assert_ok(block_writer_commit(writer));
}

static enum status load(struct lesson *lesson, const char *name)
{
    struct block_reader *reader;
    assert_ok(block_reader_open(&reader, scratch_path(name), magic, FILE_VERSION));
    enum status status = neural_trainer_load(lesson->trainer, reader);
    block_reader_close(reader);
    return status;
}

static void assert_same(const struct lesson *a, const struct lesson *b)
{
    struct trainer_totals first = neural_trainer_totals(a->trainer), second = neural_trainer_totals(b->trainer);
    assert_memory_equal(&first, &second, sizeof first);
    assert_memory_equal(a->neural->parameters, b->neural->parameters,
                        a->neural->n_parameters * sizeof *a->neural->parameters);
}

static double mean_between(const struct trainer_totals *from, const struct trainer_totals *to)
{
    return (to->score_sum - from->score_sum) / (double)(to->new_plays - from->new_plays);
}

/* A tiny network plays far better after 300,000 moves than at first. */
static void test_learns(void **state)
{
    (void)state;
    struct neural_settings settings = settings_of(BATCH_FIXED, 64, 16);
    struct lesson lesson = begin(&settings, NEURAL_PLAY_SIMPLE);
    lesson.neural->spec.scale = 1000; /* few units learn slowly to say thousands */
    struct trainer_totals nothing = {0}, early, middle, late;
    run(&lesson, 5000);
    early = neural_trainer_totals(lesson.trainer);
    run(&lesson, 250000);
    middle = neural_trainer_totals(lesson.trainer);
    run(&lesson, 300000);
    late = neural_trainer_totals(lesson.trainer);
    double before = mean_between(&nothing, &early), after = mean_between(&middle, &late);
    print_message("mean score %.0f, then %.0f\n", before, after);
    assert_true(after > 2 * before);
    assert_in_range(late.actions, 300000, 300015);
    struct neural_effort effort = neural_trainer_effort(lesson.trainer);
    assert_in_range(effort.batches, 300000 / 64 - 2, 300000 / 64);
    assert_true(isfinite(effort.last_loss) && effort.work.operations > 0);
    end(&lesson);
}

/* For every kind of batch, play and start: a run that was stopped and resumed equals one that was not, bit for bit. */
static void test_resume(void **state)
{
    (void)state;
    static const struct {
        enum batching batching;
        unsigned batch, games;
        enum neural_play play;
        bool augment, restart;
        unsigned threads;
    } cases[] = {
        {BATCH_FIXED, 48, 7, NEURAL_PLAY_SIMPLE, false, false, 1},
        {BATCH_SHUFFLE, 20, 5, NEURAL_PLAY_AVE, false, true, 1},
        {BATCH_GAME, 1, 4, NEURAL_PLAY_MAX, true, false, 1},
        {BATCH_POSITION, 1, 1, NEURAL_PLAY_MIN, false, true, 1},
        {BATCH_FIXED, 33, 9, NEURAL_PLAY_SIMPLE, true, true, 2},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct neural_settings settings = settings_of(cases[i].batching, cases[i].batch, cases[i].games);
        settings.augment = cases[i].augment;
        settings.threads = cases[i].threads;
        if (cases[i].restart) {
            struct grid grid;
            assert_ok(grid_create(&grid, 3, 3));
            settings.start = (struct start_settings){.restart = 1, .restart_min_turns = 10, .restart_jump = true};
            assert_ok(start_add_jump(&settings.start, &grid, "64 initial"));
            assert_ok(start_add_jump(&settings.start, &grid, "initial initial"));
            grid_free(&grid);
        }
        struct lesson whole = begin(&settings, cases[i].play), first = begin(&settings, cases[i].play),
                      second = begin(&settings, cases[i].play);
        run(&whole, 1500);
        run(&first, 700);
        save(&first, "state");
        assert_ok(load(&second, "state"));
        assert_same(&first, &second);
        run(&second, 1500);
        assert_same(&whole, &second);
        assert_true(neural_trainer_effort(second.trainer).batches > 3);
        end(&whole);
        end(&first);
        end(&second);
    }
}

/* Threads share a batch: the same to rounding at first, so the same moves in the first rounds. */
static void test_threads(void **state)
{
    (void)state;
    struct neural_settings one = settings_of(BATCH_FIXED, 64, 13), two = one;
    two.threads = 3;
    struct lesson a = begin(&one, NEURAL_PLAY_SIMPLE), b = begin(&two, NEURAL_PLAY_SIMPLE);
    run(&a, 200);
    run(&b, 200);
    for (size_t i = 0; i < a.neural->n_parameters; i++)
        assert_true(fabs((double)(a.neural->parameters[i] - b.neural->parameters[i])) < 1e-3);
    run(&b, 5000);
    end(&a);
    end(&b);
}

/* Target scaling: the outputs are small, the values are not. */
static void test_scale(void **state)
{
    (void)state;
    struct neural_settings settings = settings_of(BATCH_FIXED, 64, 16);
    struct lesson lesson = begin(&settings, NEURAL_PLAY_SIMPLE);
    lesson.neural->spec.scale = 1000;
    run(&lesson, 20000);
    double loss = neural_trainer_effort(lesson.trainer).last_loss;
    assert_true(loss > 0 && loss < 1);
    end(&lesson);
}

/* The samples of one game whose network never changes, as a queue that is never full. */
static const struct sample_list *samples_of(struct lesson *lesson, float lambda, unsigned horizon)
{
    struct neural_settings settings = settings_of(BATCH_FIXED, NEURAL_MAX_BATCH, 1);
    settings.lambda = lambda;
    settings.horizon = horizon;
    *lesson = begin(&settings, NEURAL_PLAY_SIMPLE);
    run(lesson, 400);
    return &lesson->trainer->queue;
}

/* Targets that look further, from those of one step by the definition: a mean of returns of 1 .. h+1 steps. */
static void check_targets(float lambda, unsigned horizon)
{
    enum { N = 300 };
    struct lesson one, far;
    struct neural_scratch scratch;
    float values[N];
    const struct sample_list *step = samples_of(&one, 0, 0), *list = samples_of(&far, lambda, horizon);
    assert_true(step->n >= N && list->n >= N);
    assert_ok(neural_scratch_create(&scratch, one.neural, NULL, 64, false));
    neural_scratch_values(&scratch, step->boards, N, values);
    unsigned n_ends = 0;
    for (unsigned i = 0; i + horizon + 1 < N; i++) {
        double expected = 0, rewards = 0, weight = 1;
        for (unsigned n = 1;; n++) { /* the return of n steps */
            unsigned at = i + n - 1;
            bool end = step->targets[at] == 0, last = n == horizon + 1 || end;
            double result = rewards + (double)step->targets[at];
            expected += weight * (last ? 1 : 1 - (double)lambda) * result;
            if (last) {
                n_ends += end;
                break;
            }
            weight *= (double)lambda;
            rewards = result - (double)values[at + 1];
        }
        assert_true(board_equal(list->boards[i], step->boards[i]));
        if (fabs(expected - (double)list->targets[i]) > 1e-3 * (1 + fabs(expected)))
            fail_msg("lambda %g, horizon %u, sample %u: %g instead of %g", (double)lambda, horizon, i,
                     (double)list->targets[i], expected);
    }
    assert_true(n_ends > 0);
    neural_scratch_free(&scratch);
    end(&one);
    end(&far);
}

static void test_targets(void **state)
{
    (void)state;
    check_targets(0, 0);
    check_targets(0.6f, 3);
    check_targets(1, 4);
    check_targets(0.9f, LEARN_MAX_HORIZON);
}

/* The mean of the weights is that of the samples; swapped in and out; kept by a checkpoint. */
static void test_average(void **state)
{
    (void)state;
    struct neural_settings settings = settings_of(BATCH_FIXED, 32, 8);
    settings.average_every = 400;
    settings.average_from = 800;
    struct lesson lesson = begin(&settings, NEURAL_PLAY_SIMPLE), second = begin(&settings, NEURAL_PLAY_SIMPLE);
    size_t n = lesson.neural->n_parameters, bytes = n * sizeof(neural_real);
    double *sum = calloc(n, sizeof *sum);
    neural_real *now = malloc(bytes);
    assert_true(sum && now);
    run(&lesson, 799);
    neural_trainer_exchange_average(lesson.trainer); /* no sample: nothing changes */
    for (uint64_t at = 800; at <= 1600; at += 400) {
        run(&lesson, at);
        for (size_t i = 0; i < n; i++)
            sum[i] += (double)lesson.neural->parameters[i] / 3;
    }
    memcpy(now, lesson.neural->parameters, bytes);
    save(&lesson, "mean");
    assert_ok(load(&second, "mean"));
    neural_trainer_exchange_average(lesson.trainer);
    neural_trainer_exchange_average(second.trainer);
    for (size_t i = 0; i < n; i++)
        assert_true(fabs((double)lesson.neural->parameters[i] - sum[i]) < 1e-6);
    assert_same(&lesson, &second);
    assert_memory_not_equal(now, lesson.neural->parameters, bytes);
    neural_trainer_exchange_average(lesson.trainer);
    assert_memory_equal(now, lesson.neural->parameters, bytes);
    free(sum);
    free(now);
    end(&lesson);
    end(&second);
}

/* A teacher that likes empty cells: its games are played, and the network learns its values. */
static void empty_cells(const void *context, const struct board *after, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = 0;
        for (unsigned cell = 0; cell < 9; cell++)
            out[i] += board_get(after[i], cell) == 0;
    }
    ++*(unsigned *)context;
}

static void test_teacher(void **state)
{
    (void)state;
    enum { N = 500, TAUGHT = 60000 };
    unsigned n_asked = 0;
    struct value_function teacher = {.context = &n_asked, .values = empty_cells};
    struct neural_settings settings = settings_of(BATCH_FIXED, 32, 8);
    struct lesson lesson = begin(&settings, NEURAL_PLAY_SIMPLE);
    struct neural_scratch scratch;
    struct board boards[N];
    float values[N], expected[N];
    neural_trainer_teach(lesson.trainer, &teacher, TAUGHT);
    run(&lesson, TAUGHT);
    assert_in_range(n_asked, TAUGHT / 8, TAUGHT / 7); /* once a round, in which each game moves or begins again */
    struct rng rng = random_stream(6, 6);
    for (size_t i = 0; i < N; i++) {
        boards[i] = (struct board){0};
        for (unsigned cell = 0; cell < 9; cell++)
            boards[i] = board_set(boards[i], cell, random_below(&rng, 2) ? (unsigned)random_below(&rng, 6) : 0);
    }
    assert_ok(neural_scratch_create(&scratch, lesson.neural, NULL, 64, false));
    neural_scratch_values(&scratch, boards, N, values);
    empty_cells(&n_asked, boards, N, expected);
    double squares = 0, mean = 0, variance = 0;
    for (size_t i = 0; i < N; i++) {
        squares += pow((double)(values[i] - expected[i]), 2) / N;
        mean += (double)expected[i] / N;
    }
    for (size_t i = 0; i < N; i++)
        variance += pow((double)expected[i] - mean, 2) / N;
    print_message("squared error %.3f of a variance of %.3f\n", squares, variance);
    assert_true(squares < 0.25 * variance);
    unsigned before = n_asked;
    run(&lesson, TAUGHT + 1000);
    assert_int_equal(n_asked, before);
    neural_scratch_free(&scratch);
    end(&lesson);
}

/* A strict teacher of 3x3: large tiles on the last cells of the last rows, in any orientation. */
static void heavy_corner(const void *context, const struct board *after, size_t n, float *out)
{
    static const float weights[9] = {0, 0, 1, 0, 2, 6, 1, 6, 20};
    const struct grid *grid = context;
    for (size_t i = 0; i < n; i++) {
        out[i] = 0;
        for (unsigned s = 0; s < grid->n_symmetries; s++) {
            struct board image = grid_image(grid, after[i], s);
            float value = 0;
            for (unsigned cell = 0; cell < 9; cell++)
                value += weights[cell] * (float)board_get(image, cell);
            out[i] = value > out[i] ? value : out[i];
        }
    }
}

/* The move that a value function makes. */
static unsigned best_of(const struct value_function *player, const struct moves *moves)
{
    unsigned best = 0;
    float most = -INFINITY;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        float value = moves->legal >> d & 1 ? (float)moves->reward[d] + value_of(player, moves->after[d]) : most;
        best = value > most ? d : best;
        most = value > most ? value : most;
    }
    return best;
}

/* How often the network makes the teacher's move on boards of the teacher's games. */
static double agreement(const struct lesson *lesson, const struct value_function *teacher)
{
    enum { N = 2000 };
    const struct grid *grid = &lesson->neural->grid;
    struct neural_evaluator *evaluator;
    assert_ok(neural_evaluator_create(&evaluator, lesson->neural, 1));
    struct value_function student = neural_value_function(evaluator);
    struct rng rng = random_stream(8, 8);
    struct board board = {0};
    unsigned same = 0;
    for (unsigned n = 0; n < N;) {
        board = spawn_apply(board, spawn_draw(board, grid->used, &rng));
        struct moves moves = grid_moves(grid, board);
        unsigned best = best_of(teacher, &moves);
        bool over = moves.legal == 0;
        n += !over;
        same += !over && best == best_of(&student, &moves);
        board = over ? (struct board){0} : moves.after[best];
    }
    neural_evaluator_free(evaluator);
    return (double)same / N;
}

/* What a lesson teaches is moves; it resumes bit for bit; its games begin at different ages. */
static void test_lessons(void **state)
{
    (void)state;
    enum { GAMES = 24, SPREAD = 60 };
    struct neural_settings settings = settings_of(BATCH_FIXED, 32, GAMES);
    settings.lesson = (struct lesson_settings){.temperature = 5, .value = 0.01, .own = 0.5, .spread = SPREAD};
    struct lesson whole = begin(&settings, NEURAL_PLAY_CORNER), first = begin(&settings, NEURAL_PLAY_CORNER),
                  second = begin(&settings, NEURAL_PLAY_CORNER);
    struct value_function teacher = {.context = &whole.neural->grid, .values = heavy_corner};
    struct lesson *lessons[] = {&whole, &first, &second};
    for (unsigned i = 0; i < 3; i++) {
        lessons[i]->neural->spec.scale = 10;
        neural_trainer_teach(lessons[i]->trainer, &teacher, 1000000);
    }
    double before = agreement(&whole, &teacher);
    run(&whole, 1);
    assert_int_equal(whole.trainer->games[0].live.n_moves, 1);
    assert_int_equal(whole.trainer->games[5].live.n_moves, 5 * SPREAD / GAMES + 1);
    run(&whole, 60000);
    double after = agreement(&whole, &teacher);
    print_message("the teacher's move in %.2f, then %.2f of the boards\n", before, after);
    assert_true(before < 0.6 && after > 0.75);
    assert_in_range(neural_trainer_effort(whole.trainer).batches, 60000 / GAMES, 60000 / (GAMES - 2));

    run(&first, 20000);
    save(&first, "lessons");
    assert_ok(load(&second, "lessons"));
    run(&second, 60000);
    assert_same(&whole, &second);
    end(&whole);
    end(&first);
    end(&second);
}

/* 16-bit products learn as well; the same bits after a checkpoint. */
static void test_precision(void **state)
{
    (void)state;
    struct neural_settings settings = settings_of(BATCH_FIXED, 64, 16);
    settings.precision = PRECISION_BF16;
    struct lesson whole = begin(&settings, NEURAL_PLAY_SIMPLE), first = begin(&settings, NEURAL_PLAY_SIMPLE),
                  second = begin(&settings, NEURAL_PLAY_SIMPLE);
    assert_int_equal(whole.trainer->half != NULL, bf16_available());
    run(&whole, 20000);
    run(&first, 9000);
    save(&first, "halves");
    assert_ok(load(&second, "halves"));
    run(&second, 20000);
    assert_same(&whole, &second);
    struct trainer_totals totals = neural_trainer_totals(whole.trainer);
    assert_true(totals.score_sum > 0);
    end(&whole);
    end(&first);
    end(&second);
}

static void test_divergence(void **state)
{
    (void)state;
    struct neural_settings settings = settings_of(BATCH_FIXED, 8, 4);
    struct lesson lesson = begin(&settings, NEURAL_PLAY_SIMPLE), other = begin(&settings, NEURAL_PLAY_SIMPLE);
    run(&lesson, 100);
    lesson.neural->arrays[0].data[0] = NAN;
    struct block_writer *writer;
    assert_ok(block_writer_open(&writer, scratch_path("diverged"), magic, FILE_VERSION));
    assert_int_equal(neural_trainer_save(lesson.trainer, writer), STATUS_INVALID);
    assert_message("network is nan");
    block_writer_abort(writer);
    for (size_t i = 0; i < lesson.neural->arrays[2].n; i++)
        lesson.neural->arrays[2].data[i] = 3e38f;
    assert_int_equal(neural_trainer_run(lesson.trainer, lesson.workers, 1000, NULL, NULL), STATUS_INVALID);
    assert_message("learning diverged");
    end(&lesson);
    end(&other);
}

static void test_refused(void **state)
{
    (void)state;
    struct neural_settings settings = settings_of(BATCH_FIXED, 48, 7);
    struct lesson lesson = begin(&settings, NEURAL_PLAY_SIMPLE);
    run(&lesson, 300);
    save(&lesson, "state");
    struct neural_trainer *wrong;
    settings.games = 0;
    assert_int_equal(neural_trainer_create(&wrong, lesson.neural, &settings), STATUS_INVALID);
    settings.games = 8;
    struct lesson other = begin(&settings, NEURAL_PLAY_SIMPLE);
    assert_int_equal(load(&other, "state"), STATUS_INVALID);
    assert_message("other settings");
    settings.optimiser.beta2 = 1;
    assert_int_equal(neural_trainer_create(&wrong, lesson.neural, &settings), STATUS_INVALID);
    struct workers *two;
    assert_ok(workers_create(&two, 2));
    assert_int_equal(neural_trainer_run(lesson.trainer, two, 400, NULL, NULL), STATUS_USAGE);
    workers_free(two);
    end(&lesson);
    end(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_learns),    cmocka_unit_test(test_resume),  cmocka_unit_test(test_threads),
        cmocka_unit_test(test_targets),   cmocka_unit_test(test_average), cmocka_unit_test(test_teacher),
        cmocka_unit_test(test_precision), cmocka_unit_test(test_scale),   cmocka_unit_test(test_divergence),
        cmocka_unit_test(test_refused),   cmocka_unit_test(test_lessons),
    };
#ifdef __SANITIZE_THREAD__ /* the others take most of a minute there and have no threads that this one has not */
    cmocka_set_test_filter("test_threads");
#endif
    return cmocka_run_group_tests_name("neural_trainer", tests, scratch_setup, scratch_teardown);
}
