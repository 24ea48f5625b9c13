// SPDX-License-Identifier: Apache-2.0
#include "InsertBaseline.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

struct InsertBaseline {
  sqlite3 *database;
  sqlite3_stmt *begin, *commit;
  /// Statements that insert 1, 2, … rows.
  sqlite3_stmt *insert[INSERT_BASELINE_LONGEST];
};

static const char *const tables =
  "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 64;"
  "PRAGMA journal_size_limit = 262144;"
  "CREATE TABLE q("
  "  seq INTEGER PRIMARY KEY AUTOINCREMENT, log_id TEXT NOT NULL UNIQUE,"
  "  attempts INTEGER NOT NULL DEFAULT 0, not_before INTEGER NOT NULL DEFAULT 0,"
  "  sum INTEGER NOT NULL, body BLOB NOT NULL, held INTEGER NOT NULL DEFAULT 0);"
  "CREATE INDEX q_wait ON q(not_before) WHERE not_before > 0;";

static int prepare(InsertBaseline *baseline, const char *sql, sqlite3_stmt **statement) {
  return sqlite3_prepare_v2(baseline->database, sql, -1, statement, NULL) == SQLITE_OK;
}

static int prepare_inserts(InsertBaseline *baseline) {
  for (int count = 1; count <= INSERT_BASELINE_LONGEST; count++) {
    char sql[128 + INSERT_BASELINE_LONGEST * 12] = "INSERT INTO q(log_id, sum, body) VALUES";
    for (int row = 0; row < count; row++) strcat(sql, row ? ", (?, ?, ?)" : " (?, ?, ?)");
    strcat(sql, " ON CONFLICT(log_id) DO NOTHING");
    if (!prepare(baseline, sql, &baseline->insert[count - 1])) return 0;
  }
  return 1;
}

InsertBaseline *insert_baseline_open(const char *path) {
  InsertBaseline *baseline = calloc(1, sizeof *baseline);
  if (!baseline) return NULL;
  if (
    sqlite3_open(path, &baseline->database) == SQLITE_OK
    && sqlite3_exec(baseline->database, tables, NULL, NULL, NULL) == SQLITE_OK
    && prepare(baseline, "BEGIN IMMEDIATE", &baseline->begin) && prepare_inserts(baseline)
    && prepare(baseline, "COMMIT", &baseline->commit))
    return baseline;
  insert_baseline_close(baseline);
  return NULL;
}

static int run(sqlite3_stmt *statement) {
  int code = sqlite3_step(statement);
  sqlite3_reset(statement);
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

int insert_baseline_insert(
  InsertBaseline *baseline, size_t longest, size_t count, const char *ids,
  const int32_t *id_lengths, const uint8_t *bodies, const int32_t *body_lengths
) {
  int code = run(baseline->begin);
  for (size_t index = 0; index < count && code == SQLITE_OK;) {
    size_t rows = count - index < longest ? count - index : longest;
    sqlite3_stmt *insert = baseline->insert[rows - 1];
    for (size_t row = 0; row < rows; row++, index++) {
      int column = 3 * (int)row;
      sqlite3_bind_text(insert, column + 1, ids, id_lengths[index], SQLITE_STATIC);
      sqlite3_bind_int64(insert, column + 2, (sqlite3_int64)(index * 0x9e3779b97f4a7c15u));
      sqlite3_bind_blob(insert, column + 3, bodies, body_lengths[index], SQLITE_STATIC);
      ids += id_lengths[index];
      bodies += body_lengths[index];
    }
    code = run(insert);
  }
  return code == SQLITE_OK ? run(baseline->commit) : code;
}

void insert_baseline_close(InsertBaseline *baseline) {
  sqlite3_finalize(baseline->begin);
  for (int count = 0; count < INSERT_BASELINE_LONGEST; count++)
    sqlite3_finalize(baseline->insert[count]);
  sqlite3_finalize(baseline->commit);
  sqlite3_close(baseline->database);
  free(baseline);
}
