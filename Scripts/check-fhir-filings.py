#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Gate 4: checks Observations for electronic health records: that they are as plain as Epic's and Oracle Health's
public descriptions of their FHIR interfaces ask, and that none of them says another value than its record.

Writes them as a Bundle, too, for the other gates. With --self-test, faults are planted, each of which must be found.

usage: check-fhir-filings.py [--self-test] OBSERVATIONS.ndjson RECORDS.ndjson BUNDLE.json
"""
import copy
import json
import re
import sys

LOINC = "http://loinc.org"
UCUM = "http://unitsofmeasure.org"
MEMBERS = {"resourceType", "identifier", "status", "category", "code", "subject", "encounter", "effectiveDateTime",
           "performer", "valueQuantity", "note", "component"}
LONGEST_NOTE = 254
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
PRESSURES = ["8480-6", "8462-4"]


def one_code(concept):
    codings = concept.get("coding", [])
    return len(codings) == 1 and codings[0].get("system") == LOINC and set(codings[0]) == {"system", "code"}


def quantity_faults(quantity):
    if set(quantity) != {"value", "unit", "system", "code"}:
        yield "a quantity has value, unit, system and code, and no comparator"
    elif quantity["system"] != UCUM or not isinstance(quantity["value"], (int, float)):
        yield "a quantity is a number in a unit of UCUM"


def faults(observation, records):
    def complain(condition, text):
        if not condition:
            yield text

    yield from complain(set(observation) <= MEMBERS, f"unexpected members: {set(observation) - MEMBERS}")
    yield from complain(observation.get("status") == "final", "the status is final")
    yield from complain(len(observation.get("category", [])) <= 1, "one category at most")
    yield from complain(one_code(observation["code"]), "one code, of LOINC")
    yield from complain(TIME.fullmatch(observation.get("effectiveDateTime", "")), "a time with its offset from UTC")
    yield from complain(observation.get("subject", {}).get("reference", "").startswith("Patient/"), "a patient")
    notes = observation.get("note", [])
    yield from complain(len(notes) <= 1 and all(len(note["text"]) <= LONGEST_NOTE for note in notes), "one short note")
    components = observation.get("component", [])
    yield from complain(("valueQuantity" in observation) != bool(components), "a value or components")
    if components:
        codes = [component["code"]["coding"][0]["code"] for component in components]
        yield from complain(codes == PRESSURES, "components are the two pressures")
    for part in components or [observation]:
        yield from complain(set(part) <= {"code", "valueQuantity"} or not components, "a component has a value only")
        yield from complain(one_code(part["code"]), "one code, of LOINC")
        yield from quantity_faults(part.get("valueQuantity", {}))
    yield from value_faults(observation, records)


def value_faults(observation, records):
    """A value that a record says is beyond the device's range, or that has no known time, must not be here."""
    record, part = record_of(observation, records)
    if record is None:
        yield "a record for its identifier"
        return
    if record.get("type") not in ("measurement", "cgm"):
        yield "a measurement"
    time = record.get("time", {})
    if time.get("origin") == "received" and "device_time" in time:
        yield "a known time"
    for metric in record.get("metrics", []):
        names = ("systolic", "diastolic") if part == "blood_pressure" else (part,)
        if metric["type"] in names and ("absent" in metric or "bound" in metric):
            yield f"{metric['type']} is no number"


def record_of(observation, records):
    """The record and the name of the part; an identifier of a record may contain a slash."""
    words = observation["identifier"][0]["value"].split("/")
    for count in range(len(words) - 1, 0, -1):
        log_id = "/".join(words[:count])
        if log_id in records:
            return records[log_id], words[count]
    return None, None


def planted(observation):
    """The Observation with one fault each."""
    def change(**members):
        copied = copy.deepcopy(observation)
        copied.update(members)
        return copied

    yield "a status", change(status="preliminary")
    yield "a contained resource", change(contained=[{"resourceType": "Device"}])
    yield "a device", change(device={"reference": "Device/1"})
    yield "an interpretation", change(interpretation=[{"text": "high"}])
    yield "a second code", change(code={"coding": [{"system": LOINC, "code": "1"}, {"system": "x", "code": "2"}]})
    yield "a code of our own", change(code={"coding": [{"system": "urn:santorio:metric", "code": "pulse"}]})
    yield "a time without offset", change(effectiveDateTime="2026-01-02T03:04:05")
    yield "a long note", change(note=[{"text": "x" * 255}])
    yield "two notes", change(note=[{"text": "a"}, {"text": "b"}])
    yield "two categories", change(category=[{}, {}])
    yield "another subject", change(subject={"reference": "Device/1"})
    yield "an unknown record", change(identifier=[{"value": "nowhere/x"}])
    if "valueQuantity" in observation:
        quantity = observation["valueQuantity"]
        yield "a comparator", change(valueQuantity={**quantity, "comparator": ">"})
        yield "no code of the unit", change(valueQuantity={"value": 1, "unit": "x"})
        yield "another system of units", change(valueQuantity={**quantity, "system": "x"})
        yield "a text as number", change(valueQuantity={**quantity, "value": "1"})
        yield "a component", change(component=[{"code": {"coding": [{"system": LOINC, "code": "8480-6"}]}}])
    else:
        yield "a missing pressure", change(component=observation["component"][:1])
        yield "a reason in a component", change(
            component=[{**observation["component"][0], "dataAbsentReason": {}}, observation["component"][1]])


def read(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def self_test(observations, records):
    missed = []
    number = 0
    kinds = {"component" in observation: observation for observation in observations}
    for observation in kinds.values():
        for name, faulty in planted(observation):
            number += 1
            if not list(faults(faulty, records)):
                missed.append(name)
    spoiled = copy.deepcopy(records)
    sound = next(iter(kinds.values()))
    record, _ = record_of(sound, spoiled)
    for name, spoil in [
        ("a summary", lambda: record.update(type="summary")),
        ("an unknown time", lambda: record.update(type="measurement", time={"origin": "received", "device_time": "x"})),
        ("a bound", lambda: record.update(time={}, metrics=[{**m, "bound": "above"} for m in record["metrics"]])),
    ]:
        spoil()
        number += 1
        if not list(faults(sound, spoiled)):
            missed.append(name)
    for name in missed:
        print(f"filings: the gate does not find {name}", file=sys.stderr)
    print(f"gate 4: {number} planted faults, {number - len(missed)} found")
    return bool(missed)


def main():
    arguments = sys.argv[1:]
    is_self_test = arguments[0] == "--self-test"
    observations_path, records_path, bundle_path = arguments[is_self_test:]
    observations = read(observations_path)
    records = {}
    for record in read_leniently(records_path):
        records[record["log_id"]] = record
    if not observations:
        raise SystemExit("filings: there are none")
    found = [(number, fault) for number, observation in enumerate(observations, 1)
             for fault in faults(observation, records)]
    for number, fault in found:
        print(f"filings: Observation {number}: expected {fault}", file=sys.stderr)
    with open(bundle_path, "w", encoding="utf-8") as file:
        json.dump({"resourceType": "Bundle", "type": "collection",
                   "entry": [{"fullUrl": f"https://ehr.example/Observation/{number}", "resource": observation}
                             for number, observation in enumerate(observations)]}, file)
    print(f"gate 4: {len(observations)} Observations for health records checked, {len(found)} faults")
    return 1 if found or (is_self_test and self_test(observations, records)) else 0


def read_leniently(path):
    """The records of the lines that are JSON objects; the command reports the others."""
    with open(path, encoding="utf-8") as file:
        for line in file:
            try:
                record = json.loads(line)
            except ValueError:
                continue
            if isinstance(record, dict) and "log_id" in record:
                yield record


if __name__ == "__main__":
    sys.exit(main())
