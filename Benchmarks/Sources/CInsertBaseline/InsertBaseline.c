// SPDX-License-Identifier: Apache-2.0
#include "InsertBaseline.h"

#include <sqlite3.h>
#include <stdlib.h>

struct InsertBaseline {
  sqlite3 *database;
  sqlite3_stmt *begin, *insert, *commit;
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

InsertBaseline *insert_baseline_open(const char *path) {
  InsertBaseline *baseline = calloc(1, sizeof *baseline);
  if (!baseline) return NULL;
  if (
    sqlite3_open(path, &baseline->database) == SQLITE_OK
    && sqlite3_exec(baseline->database, tables, NULL, NULL, NULL) == SQLITE_OK
    && prepare(baseline, "BEGIN IMMEDIATE", &baseline->begin)
    && prepare(
      baseline,
      "INSERT INTO q(log_id, sum, body) VALUES(?1, ?2, ?3) ON CONFLICT(log_id) DO NOTHING",
      &baseline->insert)
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
  InsertBaseline *baseline, size_t count, const char *ids, const int32_t *id_lengths,
  const uint8_t *bodies, const int32_t *body_lengths
) {
  int code = run(baseline->begin);
  for (size_t index = 0; index < count && code == SQLITE_OK; index++) {
    sqlite3_bind_text(baseline->insert, 1, ids, id_lengths[index], SQLITE_STATIC);
    sqlite3_bind_int64(baseline->insert, 2, (sqlite3_int64)(index * 0x9e3779b97f4a7c15u));
    sqlite3_bind_blob(baseline->insert, 3, bodies, body_lengths[index], SQLITE_STATIC);
    code = run(baseline->insert);
    ids += id_lengths[index];
    bodies += body_lengths[index];
  }
  return code == SQLITE_OK ? run(baseline->commit) : code;
}

void insert_baseline_close(InsertBaseline *baseline) {
  sqlite3_finalize(baseline->begin);
  sqlite3_finalize(baseline->insert);
  sqlite3_finalize(baseline->commit);
  sqlite3_close(baseline->database);
  free(baseline);
}
