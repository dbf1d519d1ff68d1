/* doctor: what the program found on this machine: processor, memory, libraries, network, tables. */
#include "cli/frame/verbs.h"

#include "base/blas.h"
#include "base/data_file.h"
#include "base/memory.h"
#include "base/number_text.h"
#include "base/workers.h"
#include "cli/frame/colour.h"
#include "cli/frame/program.h"
#include "solve/table.h"
#include "solve/table_index.h"
#include "study/evaluator_choice.h"
#include "study/late_choice.h"
#include "study/named_files.h"

#include <dirent.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEXT_BYTES = 2 * PATH_MAX };

struct doctor_options {
    const char *tables;
};

/* Where findings go, and how many things are missing. */
struct doctor {
    struct json json;
    bool as_json;
    enum colour_mode colour;
    unsigned n_missing;
};

enum finding { FINE, NOTE, MISSING };

__attribute__((format(printf, 4, 5))) static void tell(struct doctor *doctor, enum finding finding, const char *name,
                                                       const char *format, ...)
{
    static const char *const words[] = {"fine", "note", "missing"};
    static const enum colour colours[] = {COLOUR_GOOD, COLOUR_BOLD, COLOUR_BAD};
    char text[TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    doctor->n_missing += finding == MISSING;
    if (!doctor->as_json) {
        printf("%s%-8s%s %-13s %s\n", colour_begin(doctor->colour, colours[finding]),
               finding == FINE ? "" : words[finding], colour_begin(doctor->colour, COLOUR_NONE), name, text);
        return;
    }
    json_open_object(&doctor->json, NULL);
    json_add_text(&doctor->json, "name", name);
    json_add_text(&doctor->json, "state", words[finding]);
    json_add_text(&doctor->json, "text", text);
    json_close(&doctor->json);
}

/* The first line of a small file that begins with `prefix`, without it; false if there is none. */
static bool read_line(const char *path, const char *prefix, char *out, size_t bytes)
{
    FILE *file = fopen(path, "r");
    bool found = false;
    while (file && !found && fgets(out, (int)bytes, file))
        found = strncmp(out, prefix, strlen(prefix)) == 0;
    if (file)
        fclose(file);
    if (!found)
        return false;
    const char *text = out + strlen(prefix);
    text += strspn(text, " \t:");
    memmove(out, text, strlen(text) + 1);
    out[strcspn(out, "\n")] = 0;
    return true;
}

static void find_processor(struct doctor *doctor)
{
    char model[256];
    unsigned n = workers_available();
    if (!read_line("/proc/cpuinfo", "model name", model, sizeof model))
        strcpy(model, "unknown model");
    tell(doctor, FINE, "processor", "%s, %u thread%s for this program", model, n, n == 1 ? "" : "s");
#if defined(__x86_64__)
    char known[128] = "";
    const struct {
        const char *name;
        bool there;
    } sets[] = {{"popcnt", __builtin_cpu_supports("popcnt")},
                {"AVX2", __builtin_cpu_supports("avx2")},
                {"BMI2", __builtin_cpu_supports("bmi2")},
                {"AVX-512F", __builtin_cpu_supports("avx512f")},
                {"AVX-512BW", __builtin_cpu_supports("avx512bw")}};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        if (sets[i].there)
            snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", *known ? ", " : "", sets[i].name);
    tell(doctor, FINE, "instructions", "%s", *known ? known : "none beyond the baseline");
#endif
}

static void find_memory(struct doctor *doctor)
{
    struct rlimit limit;
    char pages[128];
    double all = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    tell(doctor, FINE, "memory", "%s free of %s", TEXT_OF_BYTES(memory_available_bytes()), TEXT_OF_BYTES(all));
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        tell(doctor, NOTE, "address space", "limited to %s (ulimit -v)", TEXT_OF_BYTES(limit.rlim_cur));
    bool known = read_line("/sys/kernel/mm/transparent_hugepage/enabled", "", pages, sizeof pages);
    const char *chosen = known ? strchr(pages, '[') : NULL;
    bool never = chosen && strncmp(chosen, "[never]", 7) == 0;
    tell(doctor, never || !chosen ? NOTE : FINE, "huge pages", "%.*s%s",
         chosen ? (int)strcspn(chosen + 1, "]") : (int)strlen("unknown"), chosen ? chosen + 1 : "unknown",
         never ? "; weights are read faster with them (/sys/kernel/mm/transparent_hugepage/enabled)" : "");
}

static void find_blas(struct doctor *doctor)
{
    if (blas_load(BLAS_AND_LAPACK) == STATUS_OK)
        tell(doctor, FINE, "BLAS", "OpenBLAS and LAPACKE are there, for neural networks and tuples rank");
    else
        tell(doctor, MISSING, "BLAS", "%s", status_message());
}

/* The network that plays 4x4 where no other is named. */
static void find_network(struct doctor *doctor)
{
    struct evaluator_choice choice;
    struct evaluator_request request = {0};
    char places[DATA_FILE_PLACES_BYTES];
    unsigned rows, cols;
    struct stat info;
    enum status status = evaluator_choice_find(&choice, &request);
    if (!status && choice.path)
        status = evaluator_read_size(choice.path, &rows, &cols);
    if (status)
        tell(doctor, MISSING, "network", "%s", status_message());
    else if (choice.path && stat(choice.path, &info) == 0)
        tell(doctor, FINE, "network", "%s%s, for %ux%u boards, %s", choice.path,
             choice.named ? " (by AFTERSTATE_NET)" : "", rows, cols, TEXT_OF_BYTES(info.st_size));
    else if (choice.named)
        tell(doctor, NOTE, "network", "none: AFTERSTATE_NET names the simple value");
    else
        tell(doctor, MISSING, "network", "none, so the simple value plays; looked for %s",
             data_file_places("nets/default.net", places));
    evaluator_choice_close(&choice);
}

/* The network and the exact tables that late games of the bundled network are played with. */
static void find_late_games(struct doctor *doctor)
{
    struct late_choice choice;
    char *folder = late_choice_folder();
    if (late_choice_find(&choice, "auto", NULL))
        tell(doctor, NOTE, "late games", "%s", status_message());
    else if (choice.endgame)
        tell(doctor, FINE, "late games", "%s, with the exact tables in %s", choice.net, folder);
    else
        tell(doctor, FINE, "late games", "no exact tables in %s; 'afterstate endgame build' makes them",
             folder ? folder : "the user's data folder");
    late_choice_close(&choice);
    free(folder);
}

static void find_data(struct doctor *doctor, const char *name, const char *folder)
{
    struct named_files files;
    char places[DATA_FILE_PLACES_BYTES], *path = data_file_find(folder);
    enum status status = named_files_list(&files, folder);
    if (status || !path)
        tell(doctor, MISSING, name, "none; looked for %s", data_file_places(folder, places));
    else
        tell(doctor, FINE, name, "%zu in %s", files.n, path);
    named_files_free(&files);
    free(path);
}

static void report_table(struct doctor *doctor, const char *directory)
{
    struct table *table;
    if (table_open(&table, directory)) {
        tell(doctor, NOTE, "table", "%s", status_message());
        return;
    }
    const struct table_summary *about = table_summary(table);
    tell(doctor, FINE, "table", "%s: %ux%u, %s states, %s", directory, about->rows, about->cols,
         TEXT_OF_COUNT(about->n_states), about->backward_done ? "solved" : "not solved to its end");
    table_close(table);
}

static enum status find_tables(struct doctor *doctor, const char *folder)
{
    struct dirent **entries = NULL;
    char path[PATH_MAX];
    unsigned n_found = 0;
    int n = scandir(folder, &entries, NULL, alphasort);
    if (n < 0 && doctor->n_missing == 0 && access(folder, F_OK) == 0)
        return status_fail_errno(STATUS_IO, "cannot read the folder %s", folder);
    for (int i = 0; i < n; i++) {
        int length = snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' && length < (int)sizeof path && table_index_exists(path)) {
            report_table(doctor, path);
            n_found++;
        }
        free(entries[i]);
    }
    free(entries);
    if (n_found == 0)
        tell(doctor, FINE, "tables", "no solved board in %s", folder);
    return STATUS_OK;
}

static const struct doctor_options defaults = {.tables = "tables"};

#define IN(member) OPTION_FIELD(struct doctor_options, member)
static const struct option_spec option_rows[] = {
    {"tables", 0, "DIR", IN(tables), "a folder of solved tables"},
};

static const struct command_example examples[] = {
    {"", "what is there and what is missing"},
};

static enum status run_command(struct cli_call *call)
{
    const struct doctor_options *options = call->options;
    struct doctor doctor = {.as_json = call->common.json, .colour = (enum colour_mode)call->common.colour};
    if (doctor.as_json) {
        json_begin(&doctor.json);
        json_open_array(&doctor.json, "findings");
    }
    tell(&doctor, FINE, "program", "afterstate %s, %s", AFTERSTATE_VERSION, program_build());
    find_processor(&doctor);
    find_memory(&doctor);
    find_blas(&doctor);
    find_network(&doctor);
    find_late_games(&doctor);
    find_data(&doctor, "recipes", "recipes");
    find_data(&doctor, "experiments", "reproduce");
    enum status status = find_tables(&doctor, options->tables);
    if (doctor.as_json) {
        json_close(&doctor.json);
        json_add_unsigned(&doctor.json, "missing", doctor.n_missing);
        enum status printed = cli_print_json(&doctor.json);
        status = status ? status : printed;
    }
    if (!status && doctor.n_missing)
        status =
            status_fail(STATUS_IO, "%u thing%s missing", doctor.n_missing, doctor.n_missing == 1 ? " is" : "s are");
    return status;
}

const struct command verb_doctor = {
    .name = "doctor",
    .heading = "Help",
    .summary = "what the program found: processor, memory, libraries, network, tables",
    .description =
        "Shows what this machine has and what the program found, and ends with exit code 1 if something that "
        "it needs is missing.",
    COMMAND_OPTIONS(option_rows, struct doctor_options),
    .defaults = &defaults,
    COMMAND_EXAMPLES(examples),
    .run = run_command,
};
