/* target: takes the target of an HTTP request apart: its path and its parameters. */
#include "web/target.h"

#include "base/parse.h"

#include <inttypes.h>
#include <string.h>

static int hex_digit(char digit)
{
    return digit >= '0' && digit <= '9'   ? digit - '0'
           : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10
           : digit >= 'A' && digit <= 'F' ? digit - 'A' + 10
                                          : -1;
}

/* Decodes in place; `path` text may not become a '/', and a '+' is a blank only after the '?'. */
static enum http_code decode(char *text, bool path)
{
    char *out = text;
    for (const char *in = text; *in; in++) {
        if (*in == '%') {
            int high = hex_digit(in[1]), low = high < 0 ? -1 : hex_digit(in[2]);
            if (low < 0)
                return web_fail(HTTP_BAD_REQUEST, "a '%%' without two hexadecimal digits after it");
            char byte = (char)(high * 16 + low);
            if (byte == 0 || (path && byte == '/'))
                return web_fail(HTTP_BAD_REQUEST, "%%%c%c is not allowed here", in[1], in[2]);
            *out++ = byte;
            in += 2;
        } else {
            *out++ = *in == '+' && !path ? ' ' : *in;
        }
    }
    *out = 0;
    return HTTP_FINE;
}

static enum http_code add_parameter(struct target *target, char *text)
{
    char *equals = strchr(text, '=');
    char *value = equals ? equals + 1 : text + strlen(text);
    if (equals)
        *equals = 0;
    enum http_code code = decode(text, false);
    if (!code)
        code = decode(value, false);
    if (code)
        return code;
    if (!text[0])
        return web_fail(HTTP_BAD_REQUEST, "a parameter without a name");
    for (size_t i = 0; i < target->n_parameters; i++)
        if (strcmp(target->parameters[i].name, text) == 0)
            return web_fail(HTTP_BAD_REQUEST, "parameter '%.40s' is given twice", text);
    if (target->n_parameters == TARGET_MAX_PARAMETERS)
        return web_fail(HTTP_BAD_REQUEST, "more than %d parameters", TARGET_MAX_PARAMETERS);
    target->parameters[target->n_parameters++] = (struct target_parameter){.name = text, .value = value};
    return HTTP_FINE;
}

enum http_code target_parse(struct target *target, const char *text)
{
    size_t bytes = strlen(text);
    target->n_segments = target->n_parameters = 0;
    if (bytes > TARGET_MAX_BYTES)
        return web_fail(HTTP_TARGET_TOO_LONG, "a target of %zu bytes, expected at most %d", bytes, TARGET_MAX_BYTES);
    if (text[0] != '/')
        return web_fail(HTTP_BAD_REQUEST, "a target that does not begin with '/'");
    memcpy(target->bytes, text, bytes + 1);
    char *rest = strchr(target->bytes, '?');
    if (rest)
        *rest++ = 0;
    enum http_code code = HTTP_FINE;
    for (char *next = target->bytes[1] ? target->bytes + 1 : NULL, *segment; !code && (segment = next);) {
        next = strchr(segment, '/');
        if (next)
            *next++ = 0;
        if (target->n_segments == TARGET_MAX_SEGMENTS)
            return web_fail(HTTP_BAD_REQUEST, "a path of more than %d parts", TARGET_MAX_SEGMENTS);
        target->segments[target->n_segments++] = segment;
        code = decode(segment, true);
    }
    while (!code && rest) {
        char *parameter = rest;
        rest = strchr(rest, '&');
        if (rest)
            *rest++ = 0;
        if (parameter[0])
            code = add_parameter(target, parameter);
    }
    return code;
}

bool target_segment_is(const struct target *target, size_t i, const char *word)
{
    return i < target->n_segments && strcmp(target->segments[i], word) == 0;
}

const char *target_take(struct target *target, const char *name)
{
    for (size_t i = 0; i < target->n_parameters; i++)
        if (strcmp(target->parameters[i].name, name) == 0) {
            target->parameters[i].taken = true;
            return target->parameters[i].value;
        }
    return NULL;
}

enum http_code target_take_integer(struct target *target, const char *name, int64_t min, int64_t max, int64_t *value)
{
    const char *text = target_take(target, name);
    int64_t number;
    if (!text)
        return HTTP_FINE;
    if (!parse_integer(text, &number) || number < min || number > max)
        return web_fail(HTTP_BAD_REQUEST,
                        "parameter '%s' is '%.40s', expected a whole number from %" PRId64 " to %" PRId64, name, text,
                        min, max);
    *value = number;
    return HTTP_FINE;
}

enum http_code target_finish(const struct target *target)
{
    for (size_t i = 0; i < target->n_parameters; i++)
        if (!target->parameters[i].taken)
            return web_fail(HTTP_BAD_REQUEST, "unknown parameter '%.40s'", target->parameters[i].name);
    return HTTP_FINE;
}
