/* trial_settings: what is checked and completed in the settings of trials. */
#include "study/trial_settings.h"

const char *const trial_rules[] = {"td", "tc", NULL};

enum status trial_settings_resolve(struct trial *trial)
{
    if (trial->rate == 0)
        trial->rate = trial->tc ? 1 : 0x1p-10; /* all of the error, or the paper's */
    if (trial->n_values == 1)
        return status_fail(STATUS_INVALID, "values = 1 distinguishes nothing; expected 0 or 2 to %d", ENCODING_VALUES);
    if (trial->n_values && *trial->vse)
        return status_fail(STATUS_INVALID, "values = %u and vse = %s are two encodings: give one of them",
                           trial->n_values, trial->vse);
    return STATUS_OK;
}
