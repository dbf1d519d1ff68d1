/*
 * The tree, level by level. A node is an afterstate; level 0 has the roots, and level k+1 the children of level k, each
 * different one once (a symmetric value function: each class of images once). A level is processed like this:
 *
 * 1. Nodes that are leaves (no plies left, or pruned) are evaluated by the value function, all in one go.
 * 2. Others are looked up in the transposition table.
 * 3. The rest is expanded: their families (family.h) go into the next level, which is processed in turn, and their
 *    values come from there.
 *
 * Levels have a fixed room. Where the next one is full, step 3 takes the nodes in pieces; so memory is bounded at any
 * depth, and trees of two or three plies, which fit, have all their leaves evaluated together. A node remembers which
 * nodes of the next level its children became, but not the moves between: its family is made a second time when the
 * values are there, which costs nothing beside them (a family takes about a microsecond, a leaf of a neural network
 * tens of them).
 */
#include "search/batch_search.h"

#include "base/clock.h"
#include "base/memory.h"
#include "search/family.h"

#include <stdatomic.h>
#include <stdlib.h>

enum {
    LEVEL_NODES = 1 << 15,
    LEVEL_SLOTS = 2 * LEVEL_NODES, /* of the hash table */
    LEVEL_LINKS = 8 * LEVEL_NODES,
    NODE_MAX_LINKS = FAMILY_MAX, /* of both tiles, together or apart */
    MIN_TIMED_BATCH = 64,
};

struct node {
    struct board board;
    float chance;
    float value;
    uint32_t slot;       /* of the hash table */
    uint32_t first_link; /* where its children begin in the level's links, while it is expanded */
    bool is_leaf, is_known;
};

struct level {
    unsigned n_nodes, n_links;
    struct node *nodes;
    uint32_t *slots; /* 0: free; else 1 + a node */
    uint32_t *links; /* nodes of the next level */
};

struct batch_search {
    struct batch_search_settings settings;
    unsigned n_levels;
    struct level *levels;
    uint32_t *root_nodes; /* of each root, its node in level 0 */
    /* A batch on its way to the value function. */
    unsigned n_boards, chunk;
    struct board *boards;
    float *values;
    bool may_stop;
    uint64_t deadline;
    atomic_bool stopped;
    uint64_t n_leaves;
};

static void level_clear(struct level *level)
{
    for (unsigned i = 0; i < level->n_nodes; i++)
        level->slots[level->nodes[i].slot] = 0;
    level->n_nodes = 0;
}

static uint32_t hash_node(const struct node *node)
{
    uint64_t hash = node->board.cells ^ (uint64_t)node->board.high * UINT64_C(0xc2b2ae3d27d4eb4f);
    hash *= UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 32;
    hash *= UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(hash >> 40) & (LEVEL_SLOTS - 1);
}
_Static_assert(LEVEL_SLOTS <= 1 << 24, "a hash has 24 bits");

/* The number of the node, which is added if it is not there; there must be room. */
static uint32_t level_add(struct level *level, struct node node)
{
    uint32_t slot = hash_node(&node);
    for (; level->slots[slot]; slot = (slot + 1) & (LEVEL_SLOTS - 1)) {
        const struct node *other = &level->nodes[level->slots[slot] - 1];
        if (board_equal(other->board, node.board) && other->chance == node.chance && other->is_leaf == node.is_leaf)
            return level->slots[slot] - 1;
    }
    node.slot = slot;
    level->nodes[level->n_nodes] = node;
    level->slots[slot] = ++level->n_nodes;
    return level->n_nodes - 1;
}

static struct node make_node(const struct batch_search *search, struct board after, unsigned plies, float chance)
{
    if (search->settings.function.symmetric)
        after = grid_canonical(search->settings.grid, after);
    return (struct node){.board = after, .chance = plies ? chance : 1, .is_leaf = plies == 0};
}

static bool is_stopped(const struct batch_search *search)
{
    return atomic_load_explicit(&search->stopped, memory_order_relaxed);
}

static bool is_over(const struct batch_search *search)
{
    const atomic_bool *cancel = search->settings.cancel;
    return (cancel && atomic_load_explicit(cancel, memory_order_relaxed)) ||
           (search->deadline && clock_nanoseconds() >= search->deadline);
}

static enum status evaluate_chunk(void *context, unsigned worker, uint64_t item)
{
    struct batch_search *search = context;
    size_t first = item * search->chunk;
    size_t n = search->n_boards - first < search->chunk ? search->n_boards - first : search->chunk;
    (void)worker;
    if (is_stopped(search))
        return STATUS_OK;
    value_of_batch(&search->settings.function, search->boards + first, n, search->values + first);
    if (search->may_stop && is_over(search))
        atomic_store_explicit(&search->stopped, true, memory_order_relaxed);
    return STATUS_OK;
}

/* Fills values[] for boards[]. Threads get equal shares; a search by time looks at the clock more often. */
static void evaluate_boards(struct batch_search *search)
{
    size_t chunk = search->settings.function.batch, n = search->n_boards;
    unsigned n_threads = search->settings.workers ? workers_count(search->settings.workers) : 1;
    if (search->deadline && chunk > MIN_TIMED_BATCH)
        chunk = chunk / 16 > MIN_TIMED_BATCH ? chunk / 16 : MIN_TIMED_BATCH;
    size_t share = (n + n_threads - 1) / n_threads;
    search->chunk = (unsigned)(share < chunk ? share : chunk);
    search->n_leaves += n;
    if (n == 0)
        return;
    size_t n_chunks = (n + search->chunk - 1) / search->chunk;
    if (n_threads > 1 && n_chunks > 1)
        workers_for(search->settings.workers, n_chunks, evaluate_chunk, search); /* chunks do not fail */
    else
        for (size_t i = 0; i < n_chunks; i++)
            evaluate_chunk(search, 0, i);
}

static void evaluate_leaves(struct batch_search *search, struct level *level)
{
    search->n_boards = 0;
    for (unsigned i = 0; i < level->n_nodes; i++)
        if (level->nodes[i].is_leaf)
            search->boards[search->n_boards++] = level->nodes[i].board;
    evaluate_boards(search);
    const float *value = search->values;
    for (unsigned i = 0; i < level->n_nodes; i++)
        if (level->nodes[i].is_leaf) {
            level->nodes[i].value = *value++;
            level->nodes[i].is_known = true;
        }
}

static struct transposition_key key_of(const struct node *node, unsigned plies)
{
    return (struct transposition_key){.board = node->board, .plies = plies, .chance = node->chance};
}

static void look_up(struct batch_search *search, struct level *level, unsigned plies)
{
    for (unsigned i = 0; search->settings.table && i < level->n_nodes; i++) {
        struct node *node = &level->nodes[i];
        struct transposition_key key = key_of(node, plies);
        if (!node->is_known)
            node->is_known = transposition_find(search->settings.table, &key, &node->value);
    }
}

/* A node has one family; with pruning one for the tiles 2 and one for the 4s, since only one may be worth following. */
static unsigned count_parts(const struct batch_search *search)
{
    return search->settings.prune > 0 ? 2 : 1;
}

static void make_part(const struct batch_search *search, const struct node *node, unsigned part, struct family *family)
{
    family_make(family, search->settings.grid, node->board,
                search->settings.prune > 0 ? FAMILY_TWOS + part : FAMILY_BOTH);
}

/* Adds the children of a node to the next level, with `plies` left to search below them unless they are pruned. */
static void expand(struct batch_search *search, struct level *level, struct node *node, unsigned plies)
{
    struct family family;
    bool prune = search->settings.prune > 0;
    node->first_link = level->n_links;
    for (unsigned part = 0; part < count_parts(search); part++) {
        make_part(search, node, part, &family);
        float chance = prune ? family_spawn_chance(&family, node->chance) : 1;
        unsigned below = prune && chance < (float)search->settings.prune ? 0 : plies;
        for (unsigned i = 0; i < family.n_children; i++)
            level->links[level->n_links++] = level_add(level + 1, make_node(search, family.child[i], below, chance));
    }
}

/* The value of a node whose children have theirs. */
static void back_up(const struct batch_search *search, const struct level *level, struct node *node)
{
    struct family family;
    const uint32_t *link = level->links + node->first_link;
    double sum = 0;
    for (unsigned part = 0; part < count_parts(search); part++) {
        make_part(search, node, part, &family);
        for (unsigned i = 0; i < family.n_children; i++)
            family.value[i] = level[1].nodes[*link++].value;
        sum += family_expectation(&family);
    }
    node->value = (float)sum;
    node->is_known = true;
}

/* Expands nodes from `first` on while there is room; returns the first that is not expanded. */
static unsigned expand_piece(struct batch_search *search, struct level *level, unsigned first, unsigned plies)
{
    unsigned i = first;
    level->n_links = 0;
    level_clear(level + 1);
    for (; i < level->n_nodes; i++) {
        if (level->nodes[i].is_known)
            continue;
        if (level[1].n_nodes > LEVEL_NODES - NODE_MAX_LINKS || level->n_links > LEVEL_LINKS - NODE_MAX_LINKS)
            break;
        expand(search, level, &level->nodes[i], plies - 1);
    }
    return i;
}

/* Makes the values of all nodes of a level known; those that are no leaves have `plies` left to search. */
static void work_off(struct batch_search *search, struct level *level, unsigned plies)
{
    evaluate_leaves(search, level);
    if (plies == 0)
        return;
    look_up(search, level, plies);
    for (unsigned first = 0, end; first < level->n_nodes && !is_stopped(search); first = end) {
        end = expand_piece(search, level, first, plies);
        work_off(search, level + 1, plies - 1);
        if (is_stopped(search))
            return;
        for (unsigned i = first; i < end; i++) {
            struct node *node = &level->nodes[i];
            if (node->is_known)
                continue;
            back_up(search, level, node);
            struct transposition_key key = key_of(node, plies);
            if (search->settings.table)
                transposition_store(search->settings.table, &key, node->value);
        }
    }
}

bool batch_search_values(struct batch_search *search, const struct board *after, size_t n, unsigned plies,
                         uint64_t deadline, float *values, uint64_t *n_leaves)
{
    struct level *roots = &search->levels[0];
    search->deadline = deadline;
    search->may_stop = plies > 0;
    search->n_leaves = 0;
    atomic_store_explicit(&search->stopped, false, memory_order_relaxed);
    for (size_t first = 0; first < n && !is_stopped(search); first += LEVEL_NODES) {
        size_t end = n - first < LEVEL_NODES ? n : first + LEVEL_NODES;
        level_clear(roots);
        roots->n_links = 0;
        for (size_t i = first; i < end; i++)
            search->root_nodes[i - first] = level_add(roots, make_node(search, after[i], plies, 1));
        work_off(search, roots, plies);
        for (size_t i = first; i < end; i++)
            values[i] = roots->nodes[search->root_nodes[i - first]].value;
    }
    *n_leaves += search->n_leaves;
    return !is_stopped(search);
}

static enum status open_level(struct level *level)
{
    level->nodes = memory_allocate(LEVEL_NODES, sizeof *level->nodes);
    level->slots = memory_allocate(LEVEL_SLOTS, sizeof *level->slots);
    level->links = memory_allocate(LEVEL_LINKS, sizeof *level->links);
    return level->nodes && level->slots && level->links ? STATUS_OK : STATUS_NO_MEMORY;
}

enum status batch_search_create(struct batch_search **out, const struct batch_search_settings *settings,
                                unsigned max_plies)
{
    struct batch_search *search = *out = memory_allocate(1, sizeof *search);
    if (!search)
        return STATUS_NO_MEMORY;
    search->settings = *settings;
    search->boards = memory_allocate(LEVEL_NODES, sizeof *search->boards);
    search->values = memory_allocate(LEVEL_NODES, sizeof *search->values);
    search->root_nodes = memory_allocate(LEVEL_NODES, sizeof *search->root_nodes);
    search->levels = memory_allocate(max_plies + 1, sizeof *search->levels);
    enum status status =
        search->boards && search->values && search->root_nodes && search->levels ? STATUS_OK : STATUS_NO_MEMORY;
    while (!status && search->n_levels <= max_plies)
        status = open_level(&search->levels[search->n_levels++]);
    if (status) {
        batch_search_free(search);
        *out = NULL;
    }
    return status;
}

void batch_search_free(struct batch_search *search)
{
    if (!search)
        return;
    for (unsigned i = 0; i < search->n_levels; i++) {
        free(search->levels[i].nodes);
        free(search->levels[i].slots);
        free(search->levels[i].links);
    }
    free(search->levels);
    free(search->root_nodes);
    free(search->boards);
    free(search->values);
    free(search);
}
