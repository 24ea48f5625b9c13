#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Gate 1: checks the structure of a Bundle against the models of fhir.resources.

The package has no models of R4 (4.0.1), so those of R4B (4.3.0) are used, whose Bundle, Observation and
Device have the same elements. check-fhir-rules.py checks what the models do not.

usage: check-fhir-structure.py BUNDLE.json
"""
import copy
import json
import sys

from fhir.resources.R4B.bundle import Bundle
from pydantic import ValidationError


def faults(bundle):
    try:
        Bundle.model_validate(bundle)
    except ValidationError as error:
        return [f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors()]
    return []


def spoiled(bundle):
    """Copies of the Bundle with one fault each; the gate must reject them."""
    faulty = [
        ("no status", lambda resource: resource.pop("status")),
        ("an unknown element", lambda resource: resource.update(colour="red")),
        ("an invalid date", lambda resource: resource.update(issued="yesterday")),
        ("two values", lambda resource: resource.update(valueString="x", valueBoolean=True)),
    ]
    for name, spoil in faulty:
        copied = copy.deepcopy(bundle)
        resources = [entry["resource"] for entry in copied["entry"]]
        spoil(next(resource for resource in resources if resource["resourceType"] == "Observation"))
        yield name, copied


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        bundle = json.load(file)
    if not bundle.get("entry"):
        raise SystemExit("structure: the Bundle is empty")
    found = faults(bundle)
    for fault in found:
        print(f"structure: {fault}", file=sys.stderr)
    missed = [name for name, copied in spoiled(bundle) if not faults(copied)]
    for name in missed:
        print(f"structure: the models wrongly accept {name}", file=sys.stderr)
    print(f"gate 1: {len(bundle['entry'])} resources checked against the models of R4B, {len(found)} faults")
    return 1 if found or missed else 0


if __name__ == "__main__":
    sys.exit(main())
