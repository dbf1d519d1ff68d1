/* Charts: axes, ticks, gaps, intervals. */
#include "scratch.h"

#include "study/plot.h"

#include <math.h>

static char *drawn; /* the last chart; freed by the next */

static const char *draw_plot(const struct plot *plot)
{
    size_t bytes;
    assert_ok(plot_write_svg(plot, scratch_path("chart.svg")));
    free(drawn);
    drawn = scratch_read("chart.svg", &bytes);
    assert_non_null(strstr(drawn, "<svg "));
    assert_string_equal(drawn + bytes - 7, "</svg>\n");
    assert_null(strstr(drawn, "nan"));
    assert_null(strstr(drawn, "inf"));
    return drawn;
}

static void assert_holds(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in:\n%s", part, text);
}

static void test_tick_distances(void **state)
{
    (void)state;
    static const double pairs[][2] = {{1, 1}, {1.01, 2}, {2, 2}, {2.1, 5}, {5.5, 10}, {0.03, 0.05}, {700, 1000}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_true(fabs(plot_tick_distance(pairs[i][0]) / pairs[i][1] - 1) < 1e-9);
}

/* Ends of the axes lie where the data do: a line from one corner to the other. */
static void test_line_fills_the_axes(void **state)
{
    (void)state;
    double x[] = {0, 50, 100}, y[] = {0, 3.5, 7};
    struct plot plot = {
        .title = "a < b & c", .x_label = "x", .y_label = "y", .lines = {{"line", x, y, 3, false, NULL}}};
    plot.n_lines = 1;
    const char *svg = draw_plot(&plot);
    assert_holds(svg, "a &lt; b &amp; c");
    assert_holds(svg, "d='M76.0 422.0L456.0 248.0L836.0 74.0'");
    assert_holds(svg, ">100</text>");
    assert_holds(svg, ">7</text>");
}

static void test_gaps_and_logarithms(void **state)
{
    (void)state;
    double x[] = {0, 1, 2, 3, 4}, y[] = {10, 1000, NAN, 0, 100};
    struct plot plot = {
        .title = "", .x_label = "", .y_label = "", .lines = {{"line", x, y, 5, true, NULL}}, .log_y = true};
    plot.n_lines = 1;
    const char *svg = draw_plot(&plot);
    assert_holds(svg, "d='M76.0 422.0L266.0 74.0M836.0 248.0'");       /* NaN and 0 interrupt it */
    assert_holds(svg, "<circle fill='#0072b2' cx='836.0' cy='248.0'"); /* and leave one alone */
    assert_holds(svg, "stroke-dasharray='2 4'");
    assert_holds(svg, ">1,000</text>");
}

/* The ends of all intervals are on the chart, and the band runs along them; a logarithm has no end below 0. */
static void test_intervals(void **state)
{
    (void)state;
    double x[] = {0, 100}, y[] = {20, 80}, half[] = {20, 20};
    struct plot plot = {.title = "", .x_label = "", .y_label = "", .lines = {{"line", x, y, 2, false, half}}};
    plot.n_lines = 1;
    assert_holds(draw_plot(&plot),
                 "<path class='band' fill='#0072b2' d='M76.0 282.8L836.0 74.0L836.0 213.2L76.0 422.0Z'/>");
    half[0] = NAN; /* unknown: no width */
    assert_holds(draw_plot(&plot), "d='M76.0 422.0L836.0 74.0L836.0 248.0L76.0 422.0Z'");
    plot.log_y = true;
    half[0] = 30;
    assert_holds(draw_plot(&plot), "L76.0 422.0Z");
}

/* One measurement is a dot with its interval in the middle of the axes, whose ticks all differ. */
static void test_one_point(void **state)
{
    (void)state;
    double x[] = {1e6}, y[] = {12345}, half[] = {300};
    struct plot plot = {.title = "", .x_label = "", .y_label = "", .lines = {{"line", x, y, 1, false, half}}};
    plot.n_lines = 1;
    const char *svg = draw_plot(&plot);
    assert_holds(svg, "<circle fill='#0072b2' cx='456.0'");
    assert_holds(svg, "<path class='line' stroke='#0072b2' d='M456.0 ");
    assert_holds(svg, ">1M</text>");
    assert_holds(svg, ">12,300</text>");
    assert_holds(svg, ">12,400</text>");
}

/* Just enough decimals to distinguish neighbouring ticks. */
static void test_tick_labels(void **state)
{
    (void)state;
    double x[] = {1000000, 1000004}, y[] = {0.98, 1.02};
    struct plot plot = {.title = "", .x_label = "", .y_label = "", .lines = {{"line", x, y, 2, false, NULL}}};
    plot.n_lines = 1;
    const char *svg = draw_plot(&plot);
    assert_holds(svg, ">1.000001M</text>");
    assert_holds(svg, ">1.000002M</text>");
    assert_holds(svg, ">0.99</text>");
    assert_holds(svg, ">1</text>");
    x[0] = 0, x[1] = 1.5e6, y[0] = 0, y[1] = 12000; /* one unit for an axis */
    svg = draw_plot(&plot);
    assert_holds(svg, ">0.8M</text>");
    assert_holds(svg, ">8,000</text>");
    assert_holds(svg, ">12,000</text>");
}

static void test_nothing_to_draw(void **state)
{
    (void)state;
    double one[] = {5};
    struct plot plot = {.title = "", .x_label = "", .y_label = "", .lines = {{"none", one, one, 0, false, NULL}}};
    plot.n_lines = 1;
    draw_plot(&plot);
    plot.lines[0].n = 1;
    plot.y_from_zero = true;
    plot.x_guide = 1;
    draw_plot(&plot);
    free(drawn);
    drawn = NULL;
}

static void test_no_folder(void **state)
{
    (void)state;
    struct plot plot = {.title = "", .x_label = "", .y_label = ""};
    assert_int_equal(plot_write_svg(&plot, scratch_path("none/chart.svg")), STATUS_IO);
    assert_message("none/chart.svg");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tick_distances),      cmocka_unit_test(test_line_fills_the_axes),
        cmocka_unit_test(test_gaps_and_logarithms), cmocka_unit_test(test_nothing_to_draw),
        cmocka_unit_test(test_intervals),           cmocka_unit_test(test_one_point),
        cmocka_unit_test(test_tick_labels),         cmocka_unit_test(test_no_folder),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
