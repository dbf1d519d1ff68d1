/* start: main() of the program that runs alone. */
#include <stdlib.h>
#include <string.h>

#include "cli/frame/command.h"
#include "cli/frame/level.h"

int main(int argc, char **argv)
{
    /* Open MPI sets both for each process that mpirun starts. */
    const char *n_ranks = getenv("OMPI_COMM_WORLD_SIZE"), *rank = getenv("OMPI_COMM_WORLD_RANK");
    if (n_ranks != NULL && strcmp(n_ranks, "1") != 0) {
        if (rank != NULL && strcmp(rank, "0") != 0)
            return EXIT_USAGE; /* one of them says why */
        return cli_fail(status_fail(STATUS_USAGE,
                                    "mpirun started %s copies of afterstate that do not share work; use afterstate-mpi",
                                    n_ranks));
    }
    return level_main(argc, argv, NULL);
}
