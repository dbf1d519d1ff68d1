/* weight_pack: packs a run of weights into bytes of a network file, in 32 or 16 bits each, or in steps. */
#include "packed/weight_pack.h"

#include "base/bytes.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum method { METHOD_FLOAT32, METHOD_LINEAR, METHOD_FLOAT16, METHOD_STEPS, METHODS };

enum { LINEAR_UNTOUCHED = 0, LINEAR_STEPS = 65534, FLOAT16_UNTOUCHED = 0x8000, MAX_STEPS = 32767 };

/* Between the bits of a float and those of a float16: 13 bits of the mantissa less, and the bias 127 - 15. */
#define FLOAT16_SHIFT  13
#define FLOAT16_REBIAS (UINT32_C(112) << 23)

/*
 * How the codes of one run are read: linear low + (code-1) * step; float16: times step, a power of two; steps: low +
 * code * step, where the codes 0, 1, 2, 3, .. stand for 0, -1, 1, -2, ..
 */
struct coding {
    enum method method;
    float low, step;
};

const char *network_precision_name(enum network_precision precision)
{
    static const char *const names[NETWORK_PRECISIONS] = {"float32", "16bit", "steps"};
    return names[precision];
}

static size_t method_bytes(enum method method)
{
    return method == METHOD_FLOAT32 ? 4 : 2;
}

static size_t bitmap_bytes(uint32_t n)
{
    return ((size_t)n + 7) / 8;
}

size_t weight_steps_min_bytes(uint32_t n)
{
    return WEIGHT_PACK_HEADER_BYTES + bitmap_bytes(n);
}

size_t weight_pack_bytes(enum network_precision precision, uint32_t n)
{
    if (precision == NETWORK_STEPS)
        return weight_steps_min_bytes(n) + (size_t)2 * n;
    return WEIGHT_PACK_HEADER_BYTES + (precision == NETWORK_FLOAT32 ? (size_t)4 : (size_t)2) * n;
}

static uint32_t bits_of(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static float number_of(uint32_t bits)
{
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* A touched weight is never restored as `initial`. */
static float apart_from(float initial, float weight)
{
    return weight == initial ? nextafterf(initial, INFINITY) : weight;
}

static uint16_t linear_code(const struct coding *coding, float weight)
{
    if (coding->step == 0)
        return 1;
    double steps = rint(((double)weight - coding->low) / coding->step);
    return (uint16_t)(1 + (steps < 0 ? 0 : steps > LINEAR_STEPS ? LINEAR_STEPS : steps));
}

/* Rounds x, below 2^16, to 11 bits, or below 2^-14 to a multiple of 2^-24. The exponent 31 has no special meaning. */
static uint16_t float16_code(const struct coding *coding, float weight)
{
    float x = fabsf(weight / coding->step);
    uint32_t bits = bits_of(x);
    uint32_t code = x < 0x1p-14f ? (uint32_t)rintf(x * 0x1p24f)
                                 : (bits + 0xfff + (bits >> FLOAT16_SHIFT & 1) - FLOAT16_REBIAS) >> FLOAT16_SHIFT;
    return (uint16_t)(code == 0 || weight > 0 ? code : code | 0x8000);
}

static float decode(const struct coding *coding, float initial, uint16_t code)
{
    float weight;
    if (coding->method == METHOD_LINEAR) {
        if (code == LINEAR_UNTOUCHED)
            return initial;
        weight = (float)(coding->low + (double)coding->step * (code - 1));
    } else {
        if (code == FLOAT16_UNTOUCHED)
            return initial;
        uint32_t magnitude = code & 0x7fff;
        float x =
            magnitude < 0x400 ? (float)magnitude * 0x1p-24f : number_of((magnitude << FLOAT16_SHIFT) + FLOAT16_REBIAS);
        weight = (code & 0x8000 ? -x : x) * coding->step;
    }
    return apart_from(initial, weight);
}

static uint16_t encode(const struct coding *coding, float initial, float weight)
{
    if (weight == initial)
        return coding->method == METHOD_LINEAR ? LINEAR_UNTOUCHED : FLOAT16_UNTOUCHED;
    return coding->method == METHOD_LINEAR ? linear_code(coding, weight) : float16_code(coding, weight);
}

/* The smallest and largest touched weight; both 0 if none is touched. */
static enum status find_extremes(const float *weights, uint32_t n, float initial, float *low, float *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (uint32_t i = 0; i < n; i++) {
        if (weights[i] == initial)
            continue;
        if (!isfinite(weights[i]))
            return status_fail(STATUS_INVALID, "a weight is %g: the network has diverged and cannot be packed",
                               (double)weights[i]);
        *low = fminf(*low, weights[i]);
        *high = fmaxf(*high, weights[i]);
    }
    if (*low > *high)
        *low = *high = 0;
    return STATUS_OK;
}

static void add_error(struct weight_error *error, float weight, float back)
{
    double wrong = fabs((double)back - weight);
    error->worst = fmax(error->worst, wrong);
    error->sum_squares += wrong * wrong;
    error->n_touched++;
}

static struct weight_error measure(const struct coding *coding, float initial, const float *weights, uint32_t n)
{
    struct weight_error error = {0};
    for (uint32_t i = 0; i < n; i++)
        if (weights[i] != initial)
            add_error(&error, weights[i], decode(coding, initial, encode(coding, initial, weights[i])));
    return error;
}

/* The better of the two codings for 16 bits. */
static enum status choose_coding(struct coding *best, const float *weights, uint32_t n, float initial,
                                 struct weight_error *error)
{
    float low, high;
    enum status status = find_extremes(weights, n, initial, &low, &high);
    if (status)
        return status;
    struct coding linear = {METHOD_LINEAR, low, (float)(((double)high - low) / LINEAR_STEPS)};
    float largest = fmaxf(fabsf(low), fabsf(high));
    int exponent;
    frexpf(largest, &exponent); /* largest < 2^exponent, and the largest code stands for just below 2^16 */
    struct coding float16 = {METHOD_FLOAT16, 0, ldexpf(1, exponent < -100 ? -116 : exponent - 16)};
    struct weight_error linear_error = measure(&linear, initial, weights, n);
    struct weight_error float16_error = measure(&float16, initial, weights, n);
    bool is_linear = linear_error.sum_squares <= float16_error.sum_squares;
    *best = is_linear ? linear : float16;
    *error = is_linear ? linear_error : float16_error;
    return STATUS_OK;
}

static void store_header(uint8_t *out, const struct coding *coding, uint32_t n)
{
    bytes_store_u32(out, coding->method);
    bytes_store_u32(out + 4, n);
    bytes_store_u32(out + 8, bits_of(coding->low));
    bytes_store_u32(out + 12, bits_of(coding->step));
}

static void join_errors(struct weight_error *all, const struct weight_error *run)
{
    if (!all)
        return;
    all->worst = fmax(all->worst, run->worst);
    all->sum_squares += run->sum_squares;
    all->n_touched += run->n_touched;
}

enum status weight_pack(enum network_precision precision, float initial, const float *weights, uint32_t n, uint8_t *out,
                        struct weight_error *error)
{
    struct coding coding = {.method = METHOD_FLOAT32};
    struct weight_error run = {0};
    enum status status = precision == NETWORK_16BIT ? choose_coding(&coding, weights, n, initial, &run) : STATUS_OK;
    if (status)
        return status;
    store_header(out, &coding, n);
    uint8_t *planes = out + WEIGHT_PACK_HEADER_BYTES;
    if (coding.method == METHOD_FLOAT32) {
        for (uint32_t i = 0; i < n; i++) {
            uint32_t bits = bits_of(weights[i]);
            for (unsigned plane = 0; plane < 4; plane++)
                planes[(size_t)plane * n + i] = (uint8_t)(bits >> 8 * plane);
        }
    } else {
        for (uint32_t i = 0; i < n; i++) {
            uint16_t code = encode(&coding, initial, weights[i]);
            planes[i] = (uint8_t)code;
            planes[(size_t)n + i] = (uint8_t)(code >> 8);
        }
    }
    join_errors(error, &run);
    return STATUS_OK;
}

static float step_weight(float low, float step, float initial, int32_t count)
{
    return apart_from(initial, (float)(low + (double)step * count));
}

enum status weight_pack_steps(float step, float initial, const float *weights, uint32_t n, uint8_t *out, size_t *bytes,
                              struct weight_error *error)
{
    float low, high;
    enum status status = find_extremes(weights, n, initial, &low, &high);
    if (status)
        return status;
    double sum = 0;
    uint32_t n_touched = 0;
    for (uint32_t i = 0; i < n; i++)
        if (weights[i] != initial) {
            sum += weights[i];
            n_touched++;
        }
    /* A multiple of the step: weights that are multiples already, perhaps of a larger one (visits.h), stay exact. */
    double mean = n_touched ? sum / n_touched : 0;
    struct coding coding = {METHOD_STEPS, (float)(step * rint(mean / step)), step};
    double reach = fmax((double)high - coding.low, (double)coding.low - low) / MAX_STEPS;
    if (n_touched && reach > step)
        coding.step = nextafterf((float)reach, INFINITY);
    store_header(out, &coding, n);
    uint8_t *bitmap = out + WEIGHT_PACK_HEADER_BYTES, *plane0 = bitmap + bitmap_bytes(n), *plane1 = plane0 + n_touched;
    struct weight_error run = {0};
    memset(bitmap, 0, bitmap_bytes(n));
    for (uint32_t i = 0; i < n; i++) {
        if (weights[i] == initial)
            continue;
        int32_t steps = (int32_t)lrint(((double)weights[i] - coding.low) / coding.step);
        uint32_t code = (uint32_t)steps << 1 ^ (uint32_t)(steps >> 31);
        bitmap[i / 8] |= (uint8_t)(1 << i % 8);
        *plane0++ = (uint8_t)code;
        *plane1++ = (uint8_t)(code >> 8);
        add_error(&run, weights[i], step_weight(coding.low, coding.step, initial, steps));
    }
    *bytes = (size_t)(plane1 - out);
    join_errors(error, &run);
    return STATUS_OK;
}

/* The method is METHOD_STEPS, and the bitmap is there. */
static enum status open_steps(struct weight_steps *out, const struct coding *coding, const uint8_t *data, size_t bytes,
                              uint32_t n)
{
    const uint8_t *bitmap = data + WEIGHT_PACK_HEADER_BYTES;
    size_t n_touched = 0, n_bitmap = bitmap_bytes(n);
    for (size_t i = 0; i < n_bitmap; i++)
        n_touched += (size_t)__builtin_popcount(bitmap[i]);
    if ((n % 8 && bitmap[n_bitmap - 1] >> n % 8) || bytes != weight_steps_min_bytes(n) + 2 * n_touched)
        return status_fail(STATUS_CORRUPT, "%zu bytes for %zu touched weights of %" PRIu32, bytes, n_touched, n);
    *out = (struct weight_steps){.bitmap = bitmap,
                                 .plane0 = bitmap + n_bitmap,
                                 .plane1 = bitmap + n_bitmap + n_touched,
                                 .n_touched = (uint32_t)n_touched,
                                 .low = coding->low,
                                 .step = coding->step};
    return STATUS_OK;
}

static void unpack_steps(const struct weight_steps *steps, float initial, float *weights, uint32_t n)
{
    for (uint32_t i = 0, k = 0; i < bitmap_bytes(n); i++)
        for (unsigned left = steps->bitmap[i]; left; left &= left - 1, k++)
            weights[8 * i + (unsigned)__builtin_ctz(left)] =
                step_weight(steps->low, steps->step, initial, weight_steps_count(steps, k));
}

static enum status open_run(struct coding *coding, const uint8_t *data, size_t bytes, uint32_t n)
{
    if (bytes < WEIGHT_PACK_HEADER_BYTES)
        return status_fail(STATUS_CORRUPT, "%zu bytes are too few for packed weights", bytes);
    uint32_t method = bytes_load_u32(data), n_stored = bytes_load_u32(data + 4);
    *coding =
        (struct coding){(enum method)method, number_of(bytes_load_u32(data + 8)), number_of(bytes_load_u32(data + 12))};
    bool fits = method == METHOD_STEPS ? bytes >= weight_steps_min_bytes(n)
                                       : bytes == WEIGHT_PACK_HEADER_BYTES + method_bytes(coding->method) * (size_t)n;
    if (method >= METHODS || n_stored != n || !fits)
        return status_fail(STATUS_CORRUPT,
                           "%zu bytes with method %" PRIu32 " and %" PRIu32 " weights, expected %" PRIu32 " weights",
                           bytes, method, n_stored, n);
    return STATUS_OK;
}

enum status weight_steps_open(struct weight_steps *out, bool *in_steps, const uint8_t *data, size_t bytes, uint32_t n)
{
    struct coding coding;
    *out = (struct weight_steps){0};
    enum status status = open_run(&coding, data, bytes, n);
    *in_steps = !status && coding.method == METHOD_STEPS;
    return *in_steps ? open_steps(out, &coding, data, bytes, n) : status;
}

enum status weight_unpack(const uint8_t *data, size_t bytes, float initial, float *weights, uint32_t n)
{
    struct coding coding;
    struct weight_steps steps;
    enum status status = open_run(&coding, data, bytes, n);
    if (status)
        return status;
    if (coding.method == METHOD_STEPS) {
        status = open_steps(&steps, &coding, data, bytes, n);
        if (!status)
            unpack_steps(&steps, initial, weights, n);
        return status;
    }
    const uint8_t *planes = data + WEIGHT_PACK_HEADER_BYTES;
    const uint8_t *plane1 = planes + n, *plane2 = plane1 + n, *plane3 = plane2 + n;
    if (coding.method == METHOD_FLOAT32) {
        for (uint32_t i = 0; i < n; i++)
            weights[i] =
                number_of(planes[i] | (uint32_t)plane1[i] << 8 | (uint32_t)plane2[i] << 16 | (uint32_t)plane3[i] << 24);
    } else {
        for (uint32_t i = 0; i < n; i++)
            weights[i] = decode(&coding, initial, (uint16_t)(planes[i] | plane1[i] << 8));
    }
    return STATUS_OK;
}
