# SPDX-License-Identifier: Apache-2.0
"""Applies the rules of fhir-profiles.json to the resources of a Bundle.

A resource is held against its base type, the profiles that it claims, and the profile of vital signs that its
LOINC code calls for, as HL7's validator does. Where a profile says which profile the target of a reference or an
extension follows, that one's rules apply to the target or extension as well.
"""
import json
import re
from collections import namedtuple
from pathlib import Path

CORE = "http://hl7.org/fhir/StructureDefinition/"
LOINC = "http://loinc.org"
MDC = "urn:iso:std:iso:11073:10101"

# A rule is named by the profile's URL, the path, the kind, and for an invariant its key.
Rule = namedtuple("Rule", "profile path kind key")
Fault = namedtuple("Fault", "rule severity place text")


def name_of(rule):
    key = f" {rule.key}" if rule.key else ""
    return f"{rule.profile.rpartition('/')[2]} {rule.path or '(whole)'} {rule.kind}{key}"


class Node:
    """An element in its place: a member of its parent's value, or an element of such a list."""

    def __init__(self, value, place, parent=None, key=None, index=None):
        self.value, self.place = value, place
        self.parent, self.key, self.index = parent, key, index

    def children(self, name):
        """The elements of a name; `value[x]` stands for any choice. One with only an extension has no value."""
        if not isinstance(self.value, dict):
            return
        if name.endswith("[x]"):
            stem = name[:-3]
            names = sorted({key.lstrip("_") for key in self.value if re.match(f"_?{stem}[A-Z]", key)})
        else:
            names = [name]
        for plain in names:
            key = plain if plain in self.value else "_" + plain
            if key not in self.value:
                continue
            member, place = self.value[key], f"{self.place}.{plain}"
            if isinstance(member, list):
                for index, element in enumerate(member):
                    yield Node(element, f"{place}[{index}]", self, key, index)
            else:
                yield Node(None if key.startswith("_") else member, place, self, key)

    def values(self):
        return list(self.children("value[x]"))


class Profiles:
    """The rules by profile."""

    def __init__(self, path=Path(__file__).with_name("fhir-profiles.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        self.profiles, self.codes, self.sources = data["profiles"], data["codes"], data["sources"]
        self.finds = {url: self.found_slices(url) for url in self.profiles}
        self.vital_signs = {code: url for url, profile in self.profiles.items()
                            if profile["parent"] == CORE + "vitalsigns"
                            for path, rules in profile["elements"].items() if path.startswith("code.coding:")
                            for member, _, code in rules["find"] if member == "code"}

    def lineage(self, url):
        while url in self.profiles:
            yield url
            url = self.profiles[url]["parent"]

    def found_slices(self, url):
        """How the slices of a profile and its ancestors are found."""
        found = {}
        for ancestor in reversed(list(self.lineage(url))):
            found.update({path: rules["find"] for path, rules in self.profiles[ancestor]["elements"].items()
                          if "find" in rules})
        return found

    def rules(self, url):
        """The rules that a profile itself adds, each with its argument."""
        for path, element in self.profiles[url]["elements"].items():
            for kind, argument in element.items():
                if kind == "invariants":
                    yield from ((Rule(url, path, kind, key), severity) for key, severity in argument.items())
                elif kind not in ("find", "profile"):
                    yield Rule(url, path, kind, None), argument

    def contains(self, value_set, value):
        """Whether a code, a coding, a concept or a quantity is of a value set."""
        if isinstance(value, dict) and "coding" in value:
            return any(self.contains(value_set, coding) for coding in value["coding"])
        code = value.get("code") if isinstance(value, dict) else value
        for system, codes in self.codes[value_set].items():
            if isinstance(value, dict) and value.get("system") != system or not isinstance(code, str):
                continue
            if isinstance(codes, str):  # the partitions of MDC: the upper half of the code
                if code.isdigit() and str(int(code) >> 16) in codes.split(" ")[1].split(","):
                    return True
            elif codes is None or code in codes:
                return True
        return False


def matches(value, pattern):
    """Whether a value has all that a pattern has."""
    if isinstance(pattern, dict):
        return isinstance(value, dict) and all(k in value and matches(value[k], p) for k, p in pattern.items())
    if isinstance(pattern, list):
        return isinstance(value, list) and all(any(matches(v, p) for v in value) for p in pattern)
    return value == pattern


class Check:
    """The faults of some of the resources of a Bundle."""

    def __init__(self, profiles, entries):
        """entries: the resources, each with its fullUrl."""
        self.profiles, self.entries = profiles, entries
        self.faults, self.evaluated = [], []
        self.conforming, self.index = {}, None

    # Resources

    def resource(self, number, place):
        """Checks a resource and what it contains."""
        resource = self.entries[number][1]
        self.one(resource, place, resource)
        for index, contained in enumerate(resource.get("contained", [])):
            self.one(contained, f"{place}.contained[{index}]", resource)

    def one(self, resource, place, container):
        urls = [url for claimed in self.applicable(resource, place) for url in self.profiles.lineage(claimed)]
        for url in dict.fromkeys(urls):
            self.apply(url, Node(resource, place), container)

    def applicable(self, resource, place):
        kind = resource.get("resourceType")
        if CORE + str(kind) in self.profiles.profiles:
            yield CORE + kind
        for url in (node.value for meta in Node(resource, "").children("meta") for node in meta.children("profile")):
            if self.profiles.profiles.get(url, {}).get("type") == kind:
                yield url
            else:
                self.fault(Rule(url, "meta.profile", "claim", None), "error", place, "no profile of this type is known")
        if kind == "Observation":
            for system, code in (pair for found in Node(resource, "").children("code") for pair in codings(found)):
                if system == LOINC and code in self.profiles.vital_signs:
                    yield self.profiles.vital_signs[code]

    def resolve(self, reference, container):
        """The resource that a reference means, and the one that contains it, if the Bundle has it."""
        if reference.startswith("#"):
            return next(((r, container) for r in container.get("contained", []) if r.get("id") == reference[1:]), None)
        if self.index is None:
            self.index = {}
            for full_url, resource in self.entries:
                self.index[full_url] = (resource, resource)
                self.index[f"{resource.get('resourceType')}/{resource.get('id')}"] = (resource, resource)
        return self.index.get(reference)

    # Rules

    def fault(self, rule, severity, place, text):
        self.faults.append(Fault(rule, severity, place, text))

    def apply(self, url, start, container):
        """Applies the rules that a profile adds to its parent's."""
        self.evaluated.append((url, start))
        for rule, argument in self.profiles.rules(url):
            getattr(self, "check_" + rule.kind)(rule, argument, start, container)
        for path, element in self.profiles.profiles[url]["elements"].items():
            if "profile" in element:
                for node in self.nodes(url, start, path, container):
                    for profile in self.profiles.lineage(element["profile"]):
                        self.apply(profile, node, container)

    def nodes(self, url, start, path, container):
        found, at = [start], ""
        for step in filter(None, path.split(".")):
            at = f"{at}.{step}".lstrip(".")
            name, _, is_slice = step.partition(":")
            found = [child for node in found for child in node.children(name)
                     if not is_slice or self.is_in_slice(child, self.profiles.finds[url][at], container)]
        return found

    def is_in_slice(self, node, find, container):
        return all(any(self.has(found.value, kind, argument) for found in self.at(node, path, container))
                   for path, kind, argument in find)

    def at(self, node, path, container):
        if path.startswith("resolve()"):
            targets = [self.resolve(str(reference.value), container) for reference in node.children("reference")]
            return [found for target in targets if target for found in
                    Node(target[0], node.place).children(path.partition(".")[2])]
        return [node] if path == "$this" else self.nodes("", node, path, container)

    def has(self, value, kind, argument):
        if kind == "required":
            return self.profiles.contains(argument, value)
        return value == argument if kind == "fixed" else matches(value, argument)

    def counts(self, rule, start, container):
        """How many elements each parent has."""
        above, _, last = rule.path.rpartition(".")
        for parent in self.nodes(rule.profile, start, above, container):
            if isinstance(parent.value, dict):
                children = list(parent.children(last.partition(":")[0]))
                if ":" in last:
                    find = self.profiles.finds[rule.profile][rule.path]
                    children = [child for child in children if self.is_in_slice(child, find, container)]
                yield parent, children, last

    def check_min(self, rule, least, start, container):
        for parent, children, last in self.counts(rule, start, container):
            if len(children) < least:
                self.fault(rule, "error", parent.place, f"{len(children)} of {last}, at least {least} expected")

    def check_max(self, rule, most, start, container):
        for parent, children, last in self.counts(rule, start, container):
            if len(children) > most:
                self.fault(rule, "error", parent.place, f"{len(children)} of {last}, at most {most} expected")

    def check_types(self, rule, types, start, container):
        stem = rule.path.rpartition(".")[2].removesuffix("[x]")
        for node in self.nodes(rule.profile, start, rule.path, container):
            kind = node.key.lstrip("_").removeprefix(stem)
            if kind not in [name[0].upper() + name[1:] for name in types]:
                self.fault(rule, "error", node.place, f"is {kind}, expected {' or '.join(types)}")

    def check_fixed(self, rule, value, start, container):
        for node in self.nodes(rule.profile, start, rule.path, container):
            if node.value != value:
                self.fault(rule, "error", node.place, f"is {shown(node.value)}, expected {shown(value)}")

    def check_pattern(self, rule, pattern, start, container):
        for node in self.nodes(rule.profile, start, rule.path, container):
            if not matches(node.value, pattern):
                self.fault(rule, "error", node.place, f"is {shown(node.value)}, expected {shown(pattern)}")

    def check_required(self, rule, value_set, start, container, severity="error"):
        for node in self.nodes(rule.profile, start, rule.path, container):
            # A choice is bound to units: whether that means a concept, too, is not agreed on.
            choice = rule.path.endswith("[x]")
            if choice and not node.key.endswith(("Quantity", "CodeableConcept")):
                continue
            if not self.profiles.contains(value_set, node.value):
                doubtful = choice and node.key.endswith("CodeableConcept")
                self.fault(rule, "warning" if doubtful else severity, node.place,
                           f"has no code of {value_set}: {shown(node.value)}")

    def check_extensible(self, rule, value_set, start, container):
        self.check_required(rule, value_set, start, container, "warning")

    def check_target(self, rule, targets, start, container):
        for node in self.nodes(rule.profile, start, rule.path, container):
            text = self.target_fault(node.value, targets, container)
            if text:
                self.fault(rule, "error", node.place, text)

    def target_fault(self, value, targets, container):
        if not isinstance(value, dict):
            return None
        reference = value.get("reference", "")
        target = self.resolve(reference, container)
        if not target and reference.startswith(("#", "urn:")):
            return f"{reference} is not in the Bundle"
        match = re.search(r"(?:^|/)([A-Z][A-Za-z]+)/[A-Za-z0-9.-]{1,64}$", reference)
        kind = target[0].get("resourceType") if target else match[1] if match else value.get("type")
        known = self.profiles.profiles
        wanted = [url for url in targets if kind == known.get(url, {}).get("type", url.rpartition("/")[2])]
        names = " or ".join(url.rpartition("/")[2] for url in targets)
        if kind and not wanted:
            return f"refers to {kind}, expected {names}"
        if target and not any(self.conforms(target, url) for url in wanted):
            return f"{reference} is not as {names} demands"
        return None

    def conforms(self, target, url):
        """Whether a resource has no faults by a profile. Of resources that refer to each other, both do."""
        key = (id(target[0]), url)
        if key not in self.conforming:
            self.conforming[key] = True
            other = Check(self.profiles, self.entries)
            other.index, other.conforming = self.index, self.conforming
            for ancestor in self.profiles.lineage(url):
                other.apply(ancestor, Node(target[0], ""), target[1])
            self.conforming[key] = not any(fault.severity == "error" for fault in other.faults)
        return self.conforming[key]

    def check_invariants(self, rule, severity, start, container):
        for node in self.nodes(rule.profile, start, rule.path, container):
            if not INVARIANTS[rule.key](node):
                self.fault(rule, severity, node.place, "does not hold")


def shown(value):
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 120 else text[:117] + "..."


# Invariants

def has(node, *names):
    return any(True for name in names for _ in node.children(name))


def codings(node):
    """The codings of a concept as pairs of system and code."""
    given = [coding.value for coding in node.children("coding") if isinstance(coding.value, dict)]
    return {(coding.get("system"), coding.get("code")) for coding in given}


def names_no_part_as_itself(node):
    own = {pair for code in node.children("code") for pair in codings(code)}
    parts = {pair for part in node.children("component") for code in part.children("code") for pair in codings(code)}
    return not has(node, "value[x]") or not own & parts


def has_equal(member):
    """Whether both ends of a range have the same unit or code."""
    def test(node):
        parts = [part for end in ("low", "high") for part in node.children(end)]
        ends = [found.value for part in parts for found in part.children(member)]
        return len(ends) == 2 and ends[0] == ends[1]
    return test


def is_day(node):
    """A time is precise to the day, if it has a value; a period is not meant."""
    return not isinstance(node.value, str) or bool(re.match(r"\d{4}-\d{2}-\d{2}", node.value))


INVARIANTS = {
    "obs-3": lambda node: has(node, "low", "high", "text"),
    "obs-6": lambda node: not (has(node, "value[x]") and has(node, "dataAbsentReason")),
    "obs-7": names_no_part_as_itself,
    "vs-1": is_day,
    "vs-2": lambda node: has(node, "component", "hasMember", "value[x]", "dataAbsentReason"),
    "vs-3": lambda node: has(node, "value[x]", "dataAbsentReason"),
    "mdc-1": lambda node: any(system == MDC for system, _ in codings(node)),
    "cgm-sensor-value-or-dar": lambda node: has(node, "value[x]", "dataAbsentReason"),
    "confidence-range-units": has_equal("unit"),
    "alerting-range-units": has_equal("code"),
}
