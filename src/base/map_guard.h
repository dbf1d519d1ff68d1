/*
 * map_guard: reading mapped files that another process may truncate meanwhile.
 *
 * Beyond the new end of a truncated file a mapping has no bytes, and touching it raises SIGBUS, which ends the process.
 * This program replaces files and never truncates them, but a server runs for months beside whatever else is done to
 * the disk. Work that runs inside map_guard_run() ends with STATUS_IO instead.
 *
 * The work is left by a jump: what it had allocated is lost, and locks that it holds stay locked. So it is for work
 * that only reads and holds no lock. Reading with pread() instead was not taken: a look-up in a solved table touches a
 * dozen places, each of which would become a system call.
 */
#ifndef AFTERSTATE_BASE_MAP_GUARD_H
#define AFTERSTATE_BASE_MAP_GUARD_H

#include "base/status.h"

/* Catches SIGBUS for the whole process from now on: for programs, never for a library. STATUS_IO. */
enum status map_guard_install(void);

/*
 * Returns what work(context) returns; STATUS_IO, "WHAT: a file was truncated while it was read", where a mapping ended
 * on the way. Without map_guard_install() the process ends as before. Any thread; does not nest.
 */
enum status map_guard_run(enum status (*work)(void *context), void *context, const char *what);

#endif
