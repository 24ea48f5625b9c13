// SPDX-License-Identifier: Apache-2.0
#ifndef FAULT_MEMORY_H
#define FAULT_MEMORY_H

#include <stdbool.h>

#include "FaultVFS.h"

/// Puts SQLite's memory under the plan of failing calls; before SQLite is initialised.
int fault_memory_install(void);

bool fault_is_due(FaultKind kind);

#endif
