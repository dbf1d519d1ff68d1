/*
 * run_list: the run directories of trainings, for /api/runs: read anew with each request, since trainings continue.
 * Only directories whose names page_is_safe_name() are seen.
 */
#ifndef AFTERSTATE_WEB_RUN_LIST_H
#define AFTERSTATE_WEB_RUN_LIST_H

#include "web/web_error.h"

#include <stdint.h>

enum { RUN_LIST_MAX_RUNS = 1000, RUN_LIST_MAX_ROWS = 10000 };

/* Each gives JSON from malloc in *text. HTTP_NOT_FOUND where there is no such run, or `folder` is NULL. */
enum http_code run_list_all(const char *folder, char **text);
enum http_code run_list_one(const char *folder, const char *name, uint64_t from, char **text);

#endif
