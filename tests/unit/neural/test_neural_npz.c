/* Weights of neural networks to and from .npz files: nothing is lost, and what does not fit is refused. */
#include "neural_sample.h"

#include "neural/neural_npz.h"
#include "neural/npz.h"

static void assert_same_weights(const struct neural *a, const struct neural *b)
{
    assert_int_equal(a->n_arrays, b->n_arrays);
    for (unsigned i = 0; i < a->n_arrays; i++)
        assert_memory_equal(a->arrays[i].data, b->arrays[i].data, a->arrays[i].n * sizeof *a->arrays[i].data);
}

static void test_round_trip(void **state)
{
    (void)state;
    static const char *const models[] = {"2x2 4 6 fc 5 3", "dual 4 3 2 fc 5", "fc 7"};
    for (unsigned m = 0; m < 3; m++) {
        struct neural *from = neural_sample(4, 4, models[m], NEURAL_PLAY_SIMPLE, m);
        struct neural *to = neural_sample(4, 4, models[m], NEURAL_PLAY_SIMPLE, 99);
        struct npz npz;
        uint64_t n_numbers = 0;
        from->arrays[0].data[3] = 0.1F; /* any float, not whole numbers only */
        from->arrays[1].data[1] = -3e-41F;
        assert_ok(neural_export_npz(from, scratch_path("weights.npz")));
        assert_ok(neural_import_npz(to, scratch_path("weights.npz")));
        assert_same_weights(from, to);
        assert_ok(npz_read(&npz, scratch_path("weights.npz")));
        for (size_t i = 0; i < npz.n_members; i++)
            n_numbers += npz.members[i].array.n_values;
        assert_true(n_numbers == from->n_weights);
        npz_free(&npz);
        neural_free(from);
        neural_free(to);
    }
}

static void check_wrong(const struct npz *npz, const char *message)
{
    struct neural *neural = neural_sample(3, 3, "2x2 4 fc 5", NEURAL_PLAY_SIMPLE, 1);
    struct neural *copy = neural_sample(3, 3, "2x2 4 fc 5", NEURAL_PLAY_SIMPLE, 1);
    assert_ok(npz_write(npz, scratch_path("wrong.npz")));
    assert_int_equal(neural_import_npz(neural, scratch_path("wrong.npz")), STATUS_INVALID);
    assert_message("wrong.npz");
    assert_message(message);
    assert_same_weights(neural, copy);
    neural_free(neural);
    neural_free(copy);
}

static void test_wrong(void **state)
{
    (void)state;
    struct neural *neural = neural_sample(3, 3, "2x2 4 fc 5", NEURAL_PLAY_SIMPLE, 2);
    struct npz npz;
    assert_ok(neural_export_npz(neural, scratch_path("right.npz")));
    assert_ok(npz_read(&npz, scratch_path("right.npz")));
    struct npz_member *last = &npz.members[npz.n_members - 1];
    npz.n_members--;
    check_wrong(&npz, "no array 'fc2.bias'; the model has one of shape (1,)");
    npz.n_members++;
    strcpy(last->name, "fc2.bias2");
    check_wrong(&npz, "no array 'fc2.bias'");
    strcpy(last->name, "fc2.bias");
    last->array.n_dims = 2;
    last->array.shape[1] = 1;
    check_wrong(&npz, "'fc2.bias' has the shape (1, 1), in the model (1,)");
    last->array.n_dims = 1;
    npz.members[0].array.data[7] = (float)(1e300 * 1e300);
    check_wrong(&npz, "number 7 of the array 'conv1.weight' is inf");
    npz.members[0].array.data[7] = 0;
    struct npz_member more[16];
    assert_true(npz.n_members < 16);
    memcpy(more, npz.members, npz.n_members * sizeof *more);
    more[npz.n_members] = *last;
    strcpy(more[npz.n_members].name, "optimizer");
    check_wrong(&(struct npz){.n_members = npz.n_members + 1, .members = more},
                "'optimizer' is not one of the model's");
    npz_free(&npz);
    assert_int_equal(neural_import_npz(neural, scratch_path("none.npz")), STATUS_IO);
    scratch_write("text.npz", "this is some text and no archive", 32);
    assert_int_equal(neural_import_npz(neural, scratch_path("text.npz")), STATUS_CORRUPT);
    assert_message("no .npz file");
    neural_free(neural);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_wrong),
    };
    return cmocka_run_group_tests_name("neural_npz", tests, scratch_setup, scratch_teardown);
}
