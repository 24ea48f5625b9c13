// SPDX-License-Identifier: Apache-2.0
#ifndef INSERT_BASELINE_H
#define INSERT_BASELINE_H

#include <stddef.h>
#include <stdint.h>

/// A SQLite file with the outbox's table and settings, and nothing else of the outbox.
typedef struct InsertBaseline InsertBaseline;

/// The most rows that one statement inserts, as many as the outbox does.
#define INSERT_BASELINE_LONGEST 16

/// Makes the file.
///
/// @return NULL when that fails.
InsertBaseline *insert_baseline_open(const char *path);

/// Inserts rows in one transaction, up to `longest` by each statement.
///
/// The identifiers and the bodies stand one after the other, each list with the lengths beside it.
///
/// @return A result code of SQLite.
int insert_baseline_insert(
  InsertBaseline *baseline, size_t longest, size_t count, const char *ids,
  const int32_t *id_lengths, const uint8_t *bodies, const int32_t *body_lengths);

void insert_baseline_close(InsertBaseline *baseline);

#endif
