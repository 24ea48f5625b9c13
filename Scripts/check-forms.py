#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that a table and the Inform form have all values of records, as they are.

Each planted fault must be found.

usage: check-forms.py RECORDS.ndjson TABLE.csv INFORM.ndjson
"""
import copy
import csv
import datetime
import decimal
import json
import sys


def parsed(line):
    return json.loads(line, parse_float=decimal.Decimal, parse_int=decimal.Decimal)


def moment(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def rows_of(record):
    """What the rows of a record must hold: the identifier, the place of a value, and the value."""
    time, start = record["time"], moment(record["start_time"])
    is_known = not (time["origin"] == "received" and "device_time" in time)
    for metric in record["metrics"]:
        singles = [metric] if "value" in metric or "absent" in metric else []
        for value in singles + metric.get("data_points", []) + metric.get("reading_log", []):
            at = moment(value["time"]) if "time" in value else None
            shown = value.get("shown", {})
            yield {
                "log_id": record["log_id"], "type": record["type"], "metric": metric["type"], "unit": metric["unit"],
                "value": value.get("value"), "origin": metric["origin"],
                "qualifier": {"below": "<", "above": ">"}.get(value.get("bound"), value.get("absent", "")),
                "shown_value": shown.get("value", ""), "shown_unit": shown.get("unit", ""),
                "start_time": (at or start) if is_known else None,
                "offset": decimal.Decimal(str((at - start).total_seconds())) if at else None,
                "time_origin": time["origin"], "device_time": time.get("device_time", ""),
                "source": record["source"]["type"],
                "tags": "; ".join(f"{tag['name']}={tag['value']}" for tag in record.get("tags", [])),
            }


READERS = {"value": decimal.Decimal, "offset": decimal.Decimal, "start_time": moment}


def faults_of_table(records, rows):
    wanted = [row for record in records for row in rows_of(record)]
    if len(wanted) != len(rows):
        yield f"{len(rows)} rows in place of {len(wanted)}"
    for number, (row, cells) in enumerate(zip(rows, wanted), 1):
        for name, value in cells.items():
            given = READERS[name](row[name]) if name in READERS and row[name] else row[name]
            if given != (value if value is not None else ""):
                yield f"row {number}, {name}: {given!r} in place of {value!r}"


def faults_of_inform(lines, others):
    if len(lines) != len(others):
        yield f"{len(others)} records in place of {len(lines)}"
    for number, (line, other) in enumerate(zip(lines, others), 1):
        if parsed(line) != parsed(other):
            yield f"record {number} is another one"
        elif line != other:
            yield f"record {number} has other bytes"


def missed(records, rows, lines):
    """The planted faults that are not found."""
    for name in next(rows_of(records[0])):
        copied = copy.deepcopy(rows)
        copied[0][name] = {"start_time": "2000-01-01T00:00:00Z", "value": "-7", "offset": "-7"}.get(name, "another")
        if not list(faults_of_table(records, copied)):
            yield f"another {name}"
    if not list(faults_of_table(records, rows[1:])):
        yield "a row that is gone"
    if not list(faults_of_inform(lines, lines[1:])):
        yield "a record that is gone"
    if not list(faults_of_inform(lines, [lines[0].replace('"value":', '"value":1', 1), *lines[1:]])):
        yield "another value"
    if not list(faults_of_inform(lines, [lines[0].replace(":", ": ", 1), *lines[1:]])):
        yield "other bytes"


def main():
    if len(sys.argv) != 4:
        raise SystemExit(__doc__)
    lines, table, others = (open(path, encoding="utf-8", newline="").read() for path in sys.argv[1:])
    lines, others = lines.splitlines(), others.splitlines()
    records, rows = [parsed(line) for line in lines], list(csv.DictReader(table.splitlines(keepends=True), strict=True))
    found = list(faults_of_table(records, rows)) + list(faults_of_inform(lines, others))
    for fault in found[:20]:
        print(f"forms: {fault}", file=sys.stderr)
    overlooked = [] if found else list(missed(records, rows, lines))
    for name in overlooked:
        print(f"forms: the check wrongly accepts {name}", file=sys.stderr)
    print(f"{len(rows)} rows and {len(records)} records checked, {len(found)} faults")
    return 1 if found or overlooked else 0


if __name__ == "__main__":
    sys.exit(main())
