/*
 * generate_networks: makes the small network files of this folder, which the golden tests of `net` and the corpus of
 * fuzz_network use, and two small neural ones. They are kept in the repository so that the tests compare with bytes
 * that an older program wrote.
 *
 *     cc -Isrc -Itests/support tests/cli/networks/generate_networks.c build/release/libafterstate_core.a -D_GNU_SOURCE
 *        -lzstd -lxxhash -linih -lcjson -lopenblas -lz -lm -lpthread -lcmocka -o /tmp/generate && /tmp/generate
 * tests/cli/networks
 */
#include "network_sample.h"
#include "neural_sample.h"

#include "neural/neural_file.h"
#include "packed/network_file.h"

static const struct {
    const char *name;
    struct sample sample;
    enum network_precision precision;
} files[] = {
    {"redundant.net", {2, 3, "0 1 2/0 1/0 1 3 4/1 4", "plain 5", "0 16", true, 1.5f}, NETWORK_FLOAT32},
    {"split.net", {3, 3, "0 1 2/0 1 3", "1-3 4-10", "1", false, 0}, NETWORK_16BIT},
    {"one.net", {2, 2, "0 1/0 3", "plain 4", "1", false, 0}, NETWORK_FLOAT32},
    {"bits.net", {4, 4, "0 1 2", "plain 16", "bits 2", true, 0}, NETWORK_FLOAT32},
};

static const struct {
    const char *name, *model;
    unsigned rows, cols;
    enum neural_play play;
} neural_files[] = {
    {"lying.net", "2x2 4 fc 5", 2, 3, NEURAL_PLAY_SIMPLE},
    {"images.net", "dual 4 3 fc 5", 3, 3, NEURAL_PLAY_AVE},
};

static enum status write_neural(const char *folder, const struct network_history *history)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sizeof neural_files / sizeof *neural_files && !status; i++) {
        char path[4096];
        struct neural *neural = neural_sample(neural_files[i].rows, neural_files[i].cols, neural_files[i].model,
                                              neural_files[i].play, 4 + i);
        snprintf(path, sizeof path, "%s/%s", folder, neural_files[i].name);
        status = neural_save(neural, path, i ? NULL : history);
        neural_free(neural);
    }
    return status;
}

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < sizeof files / sizeof *files; i++) {
        char path[4096];
        struct network_history history = {.program = "0.1.0",
                                          .recipe = "[learn]\nrule = tc\nrate = 1.0\n",
                                          .measured = "1-ply, 1000 games, seed 7",
                                          .notes = "random weights for tests\n",
                                          .actions = 1234567,
                                          .plays = 890,
                                          .seed = 42,
                                          .score = 480.25,
                                          .score_ci95 = 1.5};
        struct network *network = sample_network(&files[i].sample, 20);
        snprintf(path, sizeof path, "%s/%s", argv[1], files[i].name);
        enum status status = network_save(network, path, i == 2 ? NULL : &history, files[i].precision, NULL);
        network_free(network);
        if (!status && i == 0)
            status = write_neural(argv[1], &history);
        if (status) {
            fprintf(stderr, "%s\n", status_message());
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS;
}
