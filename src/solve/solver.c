/* solver: opens a table directory, runs the two passes of a solve, and resumes them. */
#include "solve/solver.h"

#include "base/file.h"
#include "base/memory.h"
#include "solve/backward.h"
#include "solve/forward.h"
#include "solve/layout_create.h"
#include "solve/leftovers.h"
#include "solve/repair.h"
#include "solve/solver_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status check_same(const struct solve_settings *settings, const struct table_summary *found)
{
    if (found->rows != settings->rows || found->cols != settings->cols)
        return table_wrong_size(found, settings->directory, settings->rows, settings->cols);
    if (!walls_equal(found->walls, settings->walls)) {
        char walls[WALLS_TEXT_BYTES], at[WALLS_TEXT_BYTES], caps[WALLS_CAPS_TEXT_BYTES];
        return status_fail(
            STATUS_USAGE, "%s: was started with %s%s%s%s%s%s; use the same to resume, or choose another directory",
            settings->directory, found->walls.cells ? "--walls " : "no walls", walls_text(found->walls.cells, walls),
            found->walls.at ? " --at " : "", walls_text(found->walls.at, at), found->walls.caps ? " --caps " : "",
            walls_caps_text(found->walls.caps, caps));
    }
    if (found->variant != settings->variant || found->store != settings->store ||
        found->fraction_bits != settings->fraction_bits || found->checkpoint_every != settings->checkpoint_every)
        return status_fail(STATUS_USAGE,
                           "%s: was started with --variant %s --store %s --bits %u --checkpoint-every %u; use the "
                           "same to resume, or choose another directory",
                           settings->directory, solve_variant_names[found->variant], solve_store_names[found->store],
                           found->fraction_bits, found->checkpoint_every);
    if (found->precision != settings->precision || found->chance_of_4 != settings->chance_of_4 ||
        found->goal != settings->goal) {
        char objective[TABLE_OBJECTIVE_BYTES];
        return status_fail(
            STATUS_USAGE,
            "%s: was started with --objective %s --four-chance %g --precision %s; use the same to resume, or "
            "choose another directory",
            settings->directory, table_objective_text(found->goal, objective), found->chance_of_4,
            value_form_names[found->precision]);
    }
    return STATUS_OK;
}

/* Two solves in one directory would count the same ages and take each other's temporaries away. */
static enum status lock_directory(struct solver *solver)
{
    const char *directory = solver->settings->directory;
    solver->lock = file_open(directory, O_RDONLY | O_DIRECTORY);
    if (solver->lock < 0)
        return status_fail_errno(STATUS_IO, "%s: cannot open the directory", directory);
    if (flock(solver->lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return STATUS_OK; /* a file system without locks is no reason to stop */
    return status_fail(STATUS_IO, "%s: another solve is at work there", directory);
}

/* The index of the directory, or a new one if the directory has none. */
static enum status read_index(struct solver *solver)
{
    const struct solve_settings *settings = solver->settings;
    if (!table_index_exists(settings->directory)) {
        solver_reset_index(solver);
        return repair_notice_no_index(solver);
    }
    table_index_free(&solver->index);
    enum status status = table_index_read(&solver->index, settings->directory);
    if (status == STATUS_CORRUPT) {
        char *reason = memory_copy_text(status_message());
        status_fail(status, "%s; nothing can be repaired without the index: remove it to solve from the start",
                    reason ? reason : settings->directory);
        free(reason);
    }
    return status ? status : check_same(settings, &solver->index.summary);
}

/* How many boards a file has something of. */
static uint64_t file_members(const struct table_index *index, struct age_file file)
{
    uint64_t n = 0;
    size_t block;
    for (size_t i = 0; i < index->n_ages; i++) {
        if (table_file_block(index, file, index->ages[i].age, &block))
            n += file.kind == AGE_FILE_MOVES ? index->ages[i].n_states : index->ages[i].n_afterstates;
    }
    return n;
}

static enum status measure_files(struct solver *solver)
{
    struct solve_report *report = solver->report;
    struct stored_size *of_kind[] = {NULL, &report->sets, &report->values, &report->moves};
    report->bytes = 0;
    report->sets = report->values = report->moves = (struct stored_size){0};
    for (size_t i = 0; i <= solver->index.n_files; i++) {
        char name[TABLE_FILE_NAME_BYTES] = "index.table";
        enum age_file_kind kind = 0;
        if (i < solver->index.n_files) {
            kind = solver->index.files[i].kind;
            table_file_name(solver->index.files[i], name);
        }
        char *path = file_path(solver->settings->directory, name);
        if (!path)
            return STATUS_NO_MEMORY;
        struct stat found;
        if (stat(path, &found) == 0) {
            report->bytes += (uint64_t)found.st_size;
            if (kind) {
                of_kind[kind]->bytes += (uint64_t)found.st_size;
                of_kind[kind]->members += file_members(&solver->index, solver->index.files[i]);
            }
        }
        free(path);
    }
    return STATUS_OK;
}

/* Units of a fixed-point value: scores of 12 cells stay below 2^16, where tiles appear as the player likes below
   2^17. */
static double solve_unit(const struct solve_settings *settings)
{
    if (settings->precision == VALUES_DOUBLE)
        return 1;
    return settings->goal ? 0x1p31 : settings->variant == VARIANT_OPTIMISTIC ? 0x1p15 : 0x1p16;
}

static enum status check_rules(const struct solver *solver)
{
    const struct solve_settings *settings = solver->settings;
    if (!(settings->chance_of_4 >= 0 && settings->chance_of_4 <= 1))
        return status_fail(STATUS_USAGE, "the chance of a 4 is %g, expected 0 to 1", settings->chance_of_4);
    if (settings->goal && !settings->walls.cells && (settings->goal < 3 || settings->goal > solver->grid.max_value))
        return status_fail(STATUS_USAGE, "the goal is tile %u, expected one from 8 to %u, the largest of %ux%u",
                           1u << settings->goal, 1u << solver->grid.max_value, settings->rows, settings->cols);
    if (settings->precision == VALUES_FIXED && settings->store == STORE_VALUES &&
        exp2(settings->fraction_bits) > solver->rules.unit)
        return status_fail(STATUS_USAGE, "--precision fixed has %d binary digits of a fraction, --bits is %u",
                           ilogb(solver->rules.unit), settings->fraction_bits);
    return STATUS_OK;
}

static enum status prepare_directory(struct solver *solver)
{
    enum status status = file_make_directory(solver->settings->directory);
    if (!status)
        status = lock_directory(solver);
    return status ? status : leftovers_remove_temporaries(solver);
}

static enum status prepare(struct solver *solver)
{
    const struct solve_settings *settings = solver->settings;
    enum status status = grid_create(&solver->grid, settings->rows, settings->cols);
    if (!status)
        status = walls_check(&solver->grid, settings->walls, settings->goal);
    if (!status && walls_free_cells(settings->walls, solver->grid.n_cells) > LAYOUT_MAX_CELLS)
        status = status_fail(STATUS_INVALID, "a board of %ux%u has %u cells; boards of at most %d cells can be solved",
                             settings->rows, settings->cols, solver->grid.n_cells, LAYOUT_MAX_CELLS);
    if (!status && settings->checkpoint_every > 1 && settings->store == STORE_VALUES)
        status = status_fail(STATUS_USAGE, "a table of values needs the sets of all ages: --checkpoint-every goes with "
                                           "--store moves or --store none");
    if (!status && solver_is_first(solver))
        status = prepare_directory(solver);
    solver->rules = (struct solve_rules){
        .form = settings->precision,
        .unit = solve_unit(settings),
        .variant = settings->variant,
        .chance_of_4 = settings->chance_of_4,
        .goal = settings->goal,
    };
    if (!status)
        status = check_rules(solver);
    uint32_t last = solver_last_age(solver);
    solver->forward_to_age = settings->to_age && settings->to_age < last ? settings->to_age & ~1u : last;
    return solver_agree(solver, status);
}

static enum status run_passes(struct solver *solver)
{
    const struct table_summary *summary = &solver->index.summary;
    bool counts = !summary->forward_done, values = !summary->backward_done && !solver->settings->to_age;
    enum status status = counts || values ? solver_prepare_layout(solver, solver->forward_to_age) : STATUS_OK;
    status = solver_agree(solver, status);
    if (status)
        goto done;
    if (counts)
        status = forward_run(solver);
    if (status)
        goto done;
    if (values && summary->forward_done)
        status = backward_run(solver);
    if (status)
        goto done;
    /* Also where nothing was left to do: a kill may have come between the last index and this. */
    if (summary->backward_done && solver_is_first(solver))
        status = leftovers_remove_unneeded(solver);
done:
    return cluster_follow(solver->share.cluster, status);
}

/* After a pass has failed on damage that the first check did not see: checks all checksums and repairs. STATUS_CORRUPT,
   with the message of the pass, if all files are good and there is no resume.table to suspect. */
static enum status repair_again(struct solver *solver)
{
    char *reason = memory_copy_text(status_message());
    if (!reason)
        return STATUS_NO_MEMORY;
    size_t n_repaired = 0;
    bool dropped = false;
    enum status status = read_index(solver);
    if (status)
        goto done;
    status = repair_files(solver, REPAIR_CHECK_CHECKSUMS, &n_repaired);
    if (status)
        goto done;
    if (n_repaired == 0)
        status = repair_drop_resume(solver, reason, &dropped);
    if (status)
        goto done;
    if (n_repaired == 0 && !dropped)
        status = status_fail(STATUS_CORRUPT, "%s", reason);
done:
    free(reason);
    return status;
}

/* What rank 0 knows of the directory, on all ranks. */
static enum status share_index(struct solver *solver)
{
    const struct cluster *cluster = solver->share.cluster;
    struct table_index *index = &solver->index;
    if (cluster_size(cluster) == 1)
        return STATUS_OK;
    uint64_t sizes[2] = {index->n_ages, index->n_files};
    cluster_broadcast(cluster, sizes, sizeof sizes);
    if (!cluster_is_first(cluster)) {
        table_index_free(index);
        *index = (struct table_index){.n_ages = sizes[0], .ages_capacity = sizes[0], .n_files = sizes[1]};
        index->files_capacity = sizes[1];
        index->ages = memory_allocate(sizes[0], sizeof *index->ages);
        index->files = memory_allocate(sizes[1], sizeof *index->files);
    }
    enum status status = cluster_agree(
        cluster, (index->ages || !sizes[0]) && (index->files || !sizes[1]) ? STATUS_OK : STATUS_NO_MEMORY);
    if (status)
        return status;
    cluster_broadcast(cluster, &index->summary, sizeof index->summary);
    cluster_broadcast(cluster, index->ages, sizes[0] * sizeof *index->ages);
    cluster_broadcast(cluster, index->files, sizes[1] * sizeof *index->files);
    return STATUS_OK;
}

static enum status repair_at_first(struct solver *solver)
{
    size_t n_repaired;
    enum status status = read_index(solver);
    return status ? status : repair_files(solver, REPAIR_CHECK_BY_SIZE, &n_repaired);
}

/* Runs one of the repairs on rank 0 alone, and sends the result to the others. */
static enum status repair_alone(struct solver *solver, enum status (*repair)(struct solver *solver))
{
    const struct cluster *cluster = solver->share.cluster;
    enum status status = STATUS_OK;
    if (cluster_is_first(cluster)) {
        solver->share.cluster = NULL;
        status = repair(solver);
        solver->share.cluster = cluster;
    }
    status = cluster_follow(cluster, status);
    return status ? status : share_index(solver);
}

static enum status repair_and_run(struct solver *solver)
{
    enum { MAX_REPAIRS = 4 }; /* damage that keeps coming back is a failing disk */
    enum status status = repair_alone(solver, repair_at_first);
    if (!status)
        status = run_passes(solver);
    for (int i = 0; i < MAX_REPAIRS && status == STATUS_CORRUPT; i++) {
        status = repair_alone(solver, repair_again);
        if (status)
            break;
        status = run_passes(solver);
    }
    return status;
}

static struct solve_volume volume_of(const uint64_t sent[SHARE_KINDS])
{
    return (struct solve_volume){sent[SHARE_SETS], sent[SHARE_REQUESTS], sent[SHARE_VALUES], sent[SHARE_FILES]};
}

static void report_volume(struct solver *solver)
{
    uint64_t *sent = solver->share.n_sent;
    cluster_sum(solver->share.cluster, sent, SHARE_KINDS);
    solver->report->sent = volume_of(sent);
}

void solver_report_traffic(struct solver *solver, bool backward, uint32_t age, uint64_t n_states)
{
    const struct solve_settings *settings = solver->settings;
    struct solve_volume all[CLUSTER_MAX_RANKS];
    uint64_t sent[SHARE_KINDS];
    if (!settings->traffic || !solver->share.cluster)
        return;
    for (unsigned kind = 0; kind < SHARE_KINDS; kind++) {
        sent[kind] = solver->share.n_sent[kind] - solver->sent_before[kind];
        solver->sent_before[kind] = solver->share.n_sent[kind];
    }
    const struct solve_volume mine = volume_of(sent);
    cluster_gather(settings->cluster, &mine, all, sizeof mine);
    const struct solve_traffic traffic = {backward, age, n_states, cluster_size(settings->cluster), all};
    if (solver_is_first(solver))
        settings->traffic(settings->traffic_context, &traffic);
}

enum status solve_run(const struct solve_settings *settings, struct workers *workers, struct solve_report *report)
{
    *report = (struct solve_report){0};
    struct solver solver = {.settings = settings,
                            .workers = workers,
                            .share = {.cluster = settings->cluster, .workers = workers},
                            .report = report,
                            .lock = -1};
    enum status status = prepare(&solver);
    if (!status)
        status = repair_and_run(&solver);
    if (!status || status == STATUS_INTERRUPTED) {
        enum status measured = solver_is_first(&solver) ? measure_files(&solver) : STATUS_OK;
        status = measured ? measured : status;
        report_volume(&solver);
        status = cluster_follow(settings->cluster, status);
    }
    report->summary = solver.index.summary;
    age_share_free(&solver.share);
    layout_free(solver.layout);
    table_index_free(&solver.index);
    free(solver.frame);
    if (solver.lock >= 0)
        close(solver.lock);
    grid_free(&solver.grid);
    return status;
}
