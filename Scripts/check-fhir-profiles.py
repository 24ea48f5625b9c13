#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Gate 3: checks a Bundle against the profiles of HL7 that its resources claim, by check_fhir_profiles.py.

With --self-test, a fault is planted for each rule in a valid resource, and the rule must find it. The valid
resources are those of the Bundle and of check-fhir-profiles.ndjson, which has what this package does not write.

usage: check-fhir-profiles.py [--self-test] BUNDLE.json
"""
import json
import sys
from collections import Counter
from pathlib import Path

sys.dont_write_bytecode = True
from check_fhir_profile_faults import faults_by_rule, planted, steps_to  # noqa: E402
from check_fhir_profiles import Check, Profiles, name_of  # noqa: E402

EXAMPLES = Path(__file__).with_name("check-fhir-profiles.ndjson")

# The rules for which no valid resource can have a fault planted.
UNPLANTED = {
    # The guide wants an entry type that R4's required codes of entry types lack, so there is no valid one.
    "PhdDevice udiCarrier:PhdProvidedUdi max", "PhdDevice udiCarrier:PhdProvidedUdi.carrierAIDC max",
    "PhdDevice udiCarrier:PhdProvidedUdi.carrierHRF min",
}


def checked(profiles, entries):
    check = Check(profiles, entries)
    for number in range(len(entries)):
        check.resource(number, f"entry[{number}]")
    return check


def report(check):
    """Prints each error, and of each rule with warnings the first one."""
    errors = [fault for fault in check.faults if fault.severity == "error"]
    warnings = [fault for fault in check.faults if fault.severity == "warning"]
    for fault in errors:
        print(f"profiles: {fault.place}: {fault.text} [{name_of(fault.rule)}]", file=sys.stderr)
    counts = Counter(fault.rule for fault in warnings)
    for rule, count in counts.items():
        first = next(fault for fault in warnings if fault.rule == rule)
        print(f"profiles: warning, {count} times: {first.place}: {first.text} [{name_of(rule)}]")
    return len(errors), len(warnings)


def places_of(check, profiles, entries):
    """Where each profile was applied, by its URL: the entry and the steps to the element."""
    numbers = {id(resource): number for number, (_, resource) in enumerate(entries)}
    places = {url: [] for url in profiles.profiles}
    for url, start in check.evaluated:
        top = start
        while top.parent:
            top = top.parent
        if id(top.value) in numbers:
            places[url].append((numbers[id(top.value)], steps_to(start)))
    return places


def self_test(profiles, bundle_entries):
    with open(EXAMPLES, encoding="utf-8") as file:
        examples = [json.loads(line) for line in file if line.strip()]
    entries = bundle_entries + [(f"{r['resourceType']}/{r['id']}", r) for r in examples]
    check = checked(profiles, entries)
    errors = [fault for fault in check.faults if fault.severity == "error"]
    for fault in errors:
        text = f"{fault.place}: {fault.text} [{name_of(fault.rule)}]"
        print(f"self-test: an example has a fault: {text}", file=sys.stderr)
    places = places_of(check, profiles, entries)
    before = [faults_by_rule(profiles, entries, number) for number in range(len(entries))]
    outcomes, unplanted, missed = Counter(), set(), set()
    for url in profiles.profiles:
        for rule, argument in profiles.rules(url):
            found = planted(profiles, entries, before, places[url], rule, argument)
            outcomes.update(found)
            if not any(outcome is not None for outcome in found):
                unplanted.add(name_of(rule))
            if False in found:
                missed.add(name_of(rule))
    for name in sorted(missed):
        print(f"self-test: a fault is not found by: {name}", file=sys.stderr)
    for name in sorted(unplanted ^ UNPLANTED):
        text = "is not in UNPLANTED" if name in unplanted else "is in UNPLANTED, but has a fault"
        print(f"self-test: the rule {name} {text}", file=sys.stderr)
    rules = sum(1 for url in profiles.profiles for _ in profiles.rules(url))
    print(f"gate 3, self-test: {outcomes[True]} of {outcomes[True] + outcomes[False]} faults found, for "
          f"{rules - len(unplanted)} of {rules} rules of {len(profiles.profiles)} profiles")
    return errors or missed or unplanted != UNPLANTED


def main():
    names = [argument for argument in sys.argv[1:] if argument != "--self-test"]
    if len(names) != 1:
        raise SystemExit(__doc__)
    with open(names[0], encoding="utf-8") as file:
        bundle = json.load(file)
    profiles = Profiles()
    entries = [(entry.get("fullUrl", ""), entry["resource"]) for entry in bundle.get("entry", [])]
    check = checked(profiles, entries)
    errors, warnings = report(check)
    print(f"gate 3: {len(entries)} resources, profiles applied {len(check.evaluated)} times; "
          f"{errors} faults, {warnings} warnings")
    missed = "--self-test" in sys.argv and not errors and self_test(profiles, entries)
    return 1 if errors or missed else 0


if __name__ == "__main__":
    sys.exit(main())
