/* map_guard: reading mapped files that another process may truncate meanwhile. */
#include "base/map_guard.h"

#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

/* Where this thread's guarded work is left to; NULL outside of any. A handler has no argument of ours. */
static _Thread_local sigjmp_buf *guarded;

static void handle_fault(int number)
{
    if (guarded)
        siglongjmp(*guarded, 1);
    signal(number, SIG_DFL); /* not ours: the access is repeated and ends the process */
}

enum status map_guard_install(void)
{
    struct sigaction action = {.sa_handler = handle_fault, .sa_flags = SA_NODEFER}; /* the jump leaves no mask behind */
    sigemptyset(&action.sa_mask);
    return sigaction(SIGBUS, &action, NULL) == 0 ? STATUS_OK : status_fail_errno(STATUS_IO, "cannot catch SIGBUS");
}

enum status map_guard_run(enum status (*work)(void *context), void *context, const char *what)
{
    sigjmp_buf here;
    if (sigsetjmp(here, 0)) {
        guarded = NULL;
        return status_fail(STATUS_IO, "%s: a file was truncated while it was read", what);
    }
    guarded = &here;
    enum status status = work(context);
    guarded = NULL;
    return status;
}
