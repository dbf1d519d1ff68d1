/* tuples rank and pick: what the tuples of a campaign are worth, and a network of the best. */
#include "base/memory.h"
#include "base/number_text.h"
#include "cli/tuples/tuples_parts.h"
#include "study/plot.h"

#include <math.h>
#include <stdlib.h>

enum { DRAWN_BEST = 10, BOOTSTRAP_DRAWS = 1000 };

struct rank_options {
    bool minimum_norm, draw, learn;
    const char *svg;
    int64_t top, n_bootstrap;
};

static enum status load(struct campaign *campaign, struct ranking *ranking, const char *directory,
                        const struct rank_options *options, const struct common_options *common)
{
    struct progress progress;
    const struct ranking_options how = {.minimum_norm = options->minimum_norm,
                                        .n_bootstrap = (unsigned)options->n_bootstrap,
                                        .seed = 1,
                                        .progress = &progress};
    *ranking = (struct ranking){0};
    enum status status = campaign_open(campaign, directory);
    if (status)
        return status;
    progress_begin(&progress, stderr, how.n_bootstrap ? common->progress : PROGRESS_QUIET, "rank", "draws",
                   how.n_bootstrap);
    status = ranking_compute(ranking, campaign, &how);
    progress_end(&progress, NULL);
    return status;
}

/* The paper's name of a tuple: cells and rank, "<6-01>"; digits as many as the last rank has. */
static void write_name(char out[TUPLES_CAPTION_BYTES], const struct campaign *campaign, size_t rank)
{
    int digits = snprintf(NULL, 0, "%zu", campaign->list.n_tuples);
    snprintf(out, TUPLES_CAPTION_BYTES, "<%u-%0*zu>", campaign->settings.cells, digits, rank);
}

static void print_line(const struct campaign *campaign, const struct ranking *ranking, size_t i)
{
    const struct ranked_tuple *tuple = &ranking->tuples[i];
    char name[TUPLES_CAPTION_BYTES], drawing[TUPLE_SET_DRAW_BYTES], cells[TUPLE_SET_LIST_BYTES], error[24] = "?",
                                                                                                 interval[24] = "?";
    uint16_t set = campaign->list.tuples[tuple->tuple];
    write_name(name, campaign, i + 1);
    if (isfinite(tuple->error))
        snprintf(error, sizeof error, "%.1f", tuple->error);
    if (tuple->lowest_rank)
        snprintf(interval, sizeof interval, "%zu-%zu", tuple->lowest_rank, tuple->highest_rank);
    printf("%-8s %10.1f %8s %8s %6llu %6zu  %s  %s\n", name, tuple->score, error, interval,
           (unsigned long long)tuple->times, tuple->tuple + 1, tuple_set_draw(&campaign->grid, set, drawing),
           tuple_set_list(set, cells));
}

static void print_summary(const struct campaign *campaign, const struct ranking *ranking)
{
    double median = ranking->median, best = ranking->tuples[0].score;
    double worst = ranking->tuples[ranking->n_tuples - 1].score;
    unsigned cells = campaign->settings.cells;
    printf("%s experiments of %s, %s tuples\n", TEXT_OF_COUNT(ranking->n_experiments),
           TEXT_OF_COUNT(campaign->settings.n_experiments), TEXT_OF_COUNT(ranking->n_tuples));
    if (ranking->determined < ranking->n_tuples)
        printf("they determine %zu of %zu partial scores: this is the smallest solution that fits\n",
               ranking->determined, ranking->n_tuples);
    printf("median M%u = %s, best %s = %.2f M%u, worst %s = %.2f M%u\n", cells, TEXT_OF_REAL(median, 1),
           TEXT_OF_REAL(best, 1), best / median, cells, TEXT_OF_REAL(worst, 1), worst / median, cells);
    if (isfinite(ranking->deviation))
        printf("an experiment is %s from its fit (standard deviation)\n", TEXT_OF_REAL(ranking->deviation, 1));
    if (isfinite(ranking->halves))
        printf("rank correlation of two half campaigns (Spearman): %.3f\n", ranking->halves);
    else
        printf("rank correlation of two half campaigns: unknown, a half is too small\n");
}

static enum status draw_best_and_worst(const struct campaign *campaign, const struct ranking *ranking)
{
    size_t n = ranking->n_tuples, shown = n < 2 * DRAWN_BEST ? n : 2 * DRAWN_BEST;
    struct drawn_set sets[2 * DRAWN_BEST];
    for (size_t i = 0; i < shown; i++) {
        size_t rank = i < DRAWN_BEST || shown == n ? i : n - shown + i;
        sets[i].set = campaign->list.tuples[ranking->tuples[rank].tuple];
        write_name(sets[i].caption, campaign, rank + 1);
    }
    puts(shown < n ? "\nbest and worst:\n" : "");
    if (shown < n) {
        tuples_draw_sets(&campaign->grid, sets, DRAWN_BEST);
        tuples_draw_sets(&campaign->grid, sets + DRAWN_BEST, shown - DRAWN_BEST);
    } else {
        tuples_draw_sets(&campaign->grid, sets, shown);
    }
    return STATUS_OK;
}

static void print_table(const struct campaign *campaign, const struct ranking *ranking, bool draw)
{
    print_summary(campaign, ranking);
    printf("\n%-8s %10s %8s %8s %6s %6s  tuple\n", "name", "partial", "+-", "rank 95%", "times", "number");
    for (size_t i = 0; i < ranking->n_tuples; i++)
        print_line(campaign, ranking, i);
    if (draw)
        draw_best_and_worst(campaign, ranking);
}

static enum status print_json(const struct campaign *campaign, const struct ranking *ranking)
{
    struct json json;
    json_begin(&json);
    json_add_unsigned(&json, "count", ranking->n_tuples);
    json_add_unsigned(&json, "experiments", ranking->n_experiments);
    json_add_unsigned(&json, "determined", ranking->determined);
    json_add_real(&json, "median", ranking->median);
    json_add_real(&json, "deviation", ranking->deviation);
    json_add_real(&json, "halves", ranking->halves);
    json_open_array(&json, "tuples");
    for (size_t i = 0; i < ranking->n_tuples; i++) {
        const struct ranked_tuple *tuple = &ranking->tuples[i];
        uint16_t set = campaign->list.tuples[tuple->tuple];
        char text[TUPLE_SET_LIST_BYTES];
        json_open_object(&json, NULL);
        json_add_unsigned(&json, "rank", i + 1);
        json_add_unsigned(&json, "number", tuple->tuple + 1);
        json_add_text(&json, "cells", tuple_set_list(set, text));
        json_add_text(&json, "drawing", tuple_set_draw(&campaign->grid, set, text));
        json_add_real(&json, "score", tuple->score);
        json_add_real(&json, "error", tuple->error);
        json_add_unsigned(&json, "times", tuple->times);
        if (tuple->lowest_rank) {
            json_add_unsigned(&json, "lowest_rank", tuple->lowest_rank);
            json_add_unsigned(&json, "highest_rank", tuple->highest_rank);
        }
        json_close(&json);
    }
    json_close(&json);
    return cli_print_json(&json);
}

/* Figures 5 and 6 of Oka and Matsuzaki (2016): partial scores in descending order, with 95% intervals. */
static enum status write_svg(const struct campaign *campaign, const struct ranking *ranking, const char *path)
{
    size_t n = ranking->n_tuples;
    double *numbers = memory_allocate(4 * n, sizeof *numbers);
    char title[96];
    if (!numbers)
        return STATUS_NO_MEMORY;
    double *rank = numbers, *score = numbers + n, *low = numbers + 2 * n, *high = numbers + 3 * n;
    for (size_t i = 0; i < n; i++) {
        rank[i] = (double)i + 1;
        score[i] = ranking->tuples[i].score;
        low[i] = score[i] - 1.96 * ranking->tuples[i].error;
        high[i] = score[i] + 1.96 * ranking->tuples[i].error;
    }
    snprintf(title, sizeof title, "Partial scores of %zu %u-tuples, %zu experiments of %llu games", n,
             campaign->settings.cells, ranking->n_experiments, (unsigned long long)campaign->settings.trial.games);
    const struct plot plot = {.title = title,
                              .x_label = "rank",
                              .y_label = "partial score",
                              .lines = {{.label = "partial score", .x = rank, .y = score, .n = n},
                                        {.label = "95% above", .x = rank, .y = high, .n = n, .dashed = true},
                                        {.label = "95% below", .x = rank, .y = low, .n = n, .dashed = true}},
                              .n_lines = 3,
                              .y_from_zero = true};
    enum status status = plot_write_svg(&plot, path);
    free(numbers);
    return status;
}

static const struct rank_options rank_defaults = {.n_bootstrap = BOOTSTRAP_DRAWS};

#define IN(member) OPTION_FIELD(struct rank_options, member)
static const struct option_spec rank_option_rows[] = {
    {"svg", 0, "FILE", IN(svg), "draw the partial scores in descending order"},
    {"draw", 'd', NULL, IN(draw), "draw the best and the worst as small boards"},
    {"bootstrap", 0, "B", IN(n_bootstrap), "draws for the intervals of ranks", OPTION_RANGE(0, 1000000)},
    {"minimum-norm", 0, NULL, IN(minimum_norm), "solve a system that leaves partial scores open, by the smallest ones"},
};
#undef IN

static const struct command_example rank_examples[] = {
    {"six", "a table, best to worst"},
    {"six --svg six.svg --draw", "and the paper's figure 5"},
};

static enum status run_rank_command(struct cli_call *call)
{
    const struct rank_options *options = call->options;
    struct campaign campaign;
    struct ranking ranking;
    enum status status = load(&campaign, &ranking, call->operands[0], options, &call->common);
    if (status)
        goto done;
    if (options->svg)
        status = write_svg(&campaign, &ranking, options->svg);
    if (status)
        goto done;
    if (call->common.json)
        status = print_json(&campaign, &ranking);
    else
        print_table(&campaign, &ranking, options->draw);
done:
    ranking_free(&ranking);
    campaign_free(&campaign);
    return status;
}

const struct command tuples_rank_command = {
    .name = "tuples rank",
    .summary = "what each tuple of a campaign is worth",
    .operands = "DIR",
    .description = "Takes the score of a network for the sum of partial scores of its tuples and finds those that "
                   "fit all experiments best (least squares), with standard errors from the residuals and 95% "
                   "intervals of the ranks by a wild bootstrap.",
    COMMAND_OPTIONS(rank_option_rows, struct rank_options),
    .defaults = &rank_defaults,
    COMMAND_EXAMPLES(rank_examples),
    .run = run_rank_command,
};

/* [learn] and [train] of a recipe that learns as the campaign did; the rate is what all look-ups share. */
static enum status print_learning(const struct campaign *campaign, const struct shape *shape)
{
    const struct campaign_settings *settings = &campaign->settings;
    struct network_spec spec;
    struct trial trial;
    uint64_t bytes;
    enum status status = campaign_trial(campaign, 0, &trial);
    if (!status)
        status = trial_spec(&trial, &spec, &bytes);
    if (status)
        return status;
    unsigned n_lookups = (unsigned)shape->n_tuples * spec.encoding.n_ranges * campaign->grid.n_symmetries;
    printf("[learn]\nrule = %s\nrate = %.10g\nlambda = 0\n", settings->trial.tc ? "tc" : "td",
           trial.rate * (settings->trial.tc ? 1 : n_lookups));
    return STATUS_OK;
}

static enum status pick(const struct campaign *campaign, const struct ranking *ranking, const char *directory,
                        const struct rank_options *options)
{
    size_t top = (size_t)options->top;
    struct shape shape = {0};
    if (top > ranking->n_tuples)
        return status_fail(STATUS_USAGE, "--top %zu: the campaign has %zu tuples", top, ranking->n_tuples);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < top && !status; i++)
        status = tuple_set_add(&shape, &campaign->grid, campaign->list.tuples[ranking->tuples[i].tuple]);
    if (status)
        return status;
    printf("; the best %zu of %zu tuples by %zu experiments of %llu games: afterstate tuples pick %s --top %zu\n", top,
           ranking->n_tuples, ranking->n_experiments, (unsigned long long)campaign->settings.trial.games, directory,
           top);
    tuples_print_recipe(stdout, &campaign->grid, &shape, campaign->settings.trial.n_values,
                        campaign->settings.trial.vse);
    return options->learn ? print_learning(campaign, &shape) : STATUS_OK;
}

static const struct rank_options pick_defaults = {.top = 10};

#define IN(member) OPTION_FIELD(struct rank_options, member)
static const struct option_spec pick_option_rows[] = {
    {"top", 'm', "M", IN(top), "tuples of the network", OPTION_RANGE(1, SHAPE_MAX_TUPLES)},
    {"learn", 'l', NULL, IN(learn), "and [learn] with the campaign's rule and its rate for each weight"},
    {"minimum-norm", 0, NULL, IN(minimum_norm), "as for rank"},
};
#undef IN

static const struct command_example pick_examples[] = {
    {"six --top 10 > network.ini", "then: afterstate train network.ini --out run"},
    {"six --top 10 --learn > network.ini", "the same, learning as the campaign's networks did"},
};

static enum status run_pick_command(struct cli_call *call)
{
    const struct rank_options *options = call->options;
    struct campaign campaign;
    struct ranking ranking;
    enum status status = load(&campaign, &ranking, call->operands[0], options, &call->common);
    if (!status)
        status = pick(&campaign, &ranking, call->operands[0], options);
    ranking_free(&ranking);
    campaign_free(&campaign);
    return status;
}

const struct command tuples_pick_command = {
    .name = "tuples pick",
    .summary = "a recipe's network of the best tuples",
    .operands = "DIR",
    .description = "Prints a recipe whose network has the best tuples of a campaign's ranking. train takes it as it "
                   "is; other sections can be added or come from another recipe by include.",
    COMMAND_OPTIONS(pick_option_rows, struct rank_options),
    .defaults = &pick_defaults,
    COMMAND_EXAMPLES(pick_examples),
    .run = run_pick_command,
};
