# SPDX-License-Identifier: Apache-2.0
"""Derives faults from the rules of profiles and valid resources: each rule must find those planted for it."""
import copy
from collections import Counter

from check_fhir_profiles import Check, MDC, Node, matches

# Values for a choice that allows other types.
OTHER_VALUES = {"String": "x", "Boolean": True}


class Planting:
    """A copy of a resource, and the element in it that a profile's rules start from, for one fault."""

    def __init__(self, profiles, entries, number, steps, rule):
        self.profiles, self.rule = profiles, rule
        self.entries = list(entries)
        self.entries[number] = (entries[number][0], copy.deepcopy(entries[number][1]))
        self.number = number
        self.check = Check(profiles, self.entries)
        self.start, self.container = self.located(steps)

    def located(self, steps):
        """The start, and the resource at the top, by the steps from there."""
        resource = self.entries[self.number][1]
        node = Node(resource, "")
        for key, index in steps:
            member = node.value[key]
            node = Node(member if index is None else member[index], "", node, key, index)
        return node, resource

    def nodes(self, path=None):
        path = self.rule.path if path is None else path
        return self.check.nodes(self.rule.profile, self.start, path, self.container)

    def parents(self):
        """The parents of the rule's elements with those of their children that the rule counts."""
        return [(parent, children) for parent, children, _ in self.check.counts(self.rule, self.start, self.container)]

    def faults(self):
        return faults_by_rule(self.profiles, self.entries, self.number)[self.rule]


def faults_by_rule(profiles, entries, number):
    """How many faults a resource has: of some rules one has warnings before anything is planted."""
    found = Check(profiles, entries)
    found.resource(number, "")
    return Counter(fault.rule for fault in found.faults)


def steps_to(node):
    steps = []
    while node.parent:
        steps.append((node.key, node.index))
        node = node.parent
    return steps[::-1]


# Changes of an element

def change(node, value):
    if node.index is None:
        node.parent.value[node.key] = value
    else:
        node.parent.value[node.key][node.index] = value
    node.value = value


def remove(node):
    if node.index is None:
        del node.parent.value[node.key]
        return
    del node.parent.value[node.key][node.index]
    if not node.parent.value[node.key]:
        del node.parent.value[node.key]


def repeat(node):
    """Adds a copy of the element, which becomes a list of two if it was none."""
    copied = copy.deepcopy(node.value)
    if node.index is None:
        node.parent.value[node.key] = [node.value, copied]
    else:
        node.parent.value[node.key].append(copied)


def listed(node):
    """The element and those around it that are in a list, nearest first."""
    while node and node.parent:
        if node.index is not None:
            yield node
        node = node.parent


def other(value):
    return value + "x" if isinstance(value, str) else not value if isinstance(value, bool) else value + 1


def spoil_code(value, node):
    """Gives a code, coding, concept or quantity a code that is of no value set."""
    if isinstance(value, str):
        change(node, "no-such-code")
    for coding in [value, *value.get("coding", [])] if isinstance(value, dict) else []:
        if "code" in coding:
            coding["code"] = "no-such-code"
            if coding.get("system") == MDC:  # some value sets have all of its codes
                coding["system"] = "urn:none"


def spoil_leaf(value, pattern, leaf):
    """Changes the member of a value that a leaf of the pattern means."""
    step, *rest = leaf
    if isinstance(pattern, list):
        for element in value:
            if matches(element, pattern[step]):
                spoil_leaf(element, pattern[step], rest)
    elif rest:
        spoil_leaf(value[step], pattern[step], rest)
    else:
        value[step] = other(value[step])


def leaves(pattern):
    if not isinstance(pattern, (dict, list)):
        yield []
        return
    for step, value in enumerate(pattern) if isinstance(pattern, list) else pattern.items():
        yield from ([step, *leaf] for leaf in leaves(value))


# Faults by the kind of rule. Each yields groups of ways to plant the same fault: a way says whether it could be
# gone, and one way of a group must be found. Some elements are only found as their slice while they are right;
# then another one has to stay in place, so that the slice is still found.

def in_a_copy(way, level):
    """The same change, after the element around it that is in a list was repeated."""
    def changed(planting):
        nodes = planting.nodes()
        around = list(listed(nodes[0])) if nodes else []
        if level >= len(around) or planting.start in around[level:] or around[level].parent is None:
            return False
        repeat(around[level])
        return way(planting)
    return changed


def with_copies(way):
    return [way, in_a_copy(way, 0), in_a_copy(way, 1)]


def of_min(least, *_):
    def too_few(planting):
        for _, children in planting.parents():
            if len(children) >= least:
                for child in reversed(children[least - 1:]):
                    remove(child)
                return True
        return False

    def parted(planting):
        """What tells the slice is in two elements, neither of which has all of it."""
        find = planting.profiles.finds[planting.rule.profile].get(planting.rule.path, [])
        nodes = planting.nodes()
        if len(find) < 2 or not nodes or nodes[0].index is None:
            return False
        repeat(nodes[0])
        first, second = nodes[0], Node(nodes[0].parent.value[nodes[0].key][-1], "")
        for node, (path, _, _) in zip((first, second), find):
            for found in list(node.children(path)):
                change(found, other(found.value))
        return True
    return [[*with_copies(too_few), parted]]


def of_max(most, *_):
    def too_many(planting):
        for parent, children in planting.parents():
            if children and most:
                for _ in range(most + 1 - len(children)):
                    repeat(children[0])
                return True
            if not most:
                name = planting.rule.path.rpartition(".")[2]
                parent.value[name.replace("[x]", "String")] = "x"
                return True
        return False
    return [[too_many]]


def of_types(types, *_):
    def wrong(planting):
        for node in planting.nodes():
            stem = planting.rule.path.rpartition(".")[2].removesuffix("[x]")
            allowed = [name[0].upper() + name[1:] for name in types]
            kind, value = next(item for item in OTHER_VALUES.items() if item[0] not in allowed)
            remove(node)
            node.parent.value[stem + kind] = value
            return True
        return False

    def added(planting):
        for parent, _ in planting.parents():
            parent.value[planting.rule.path.rpartition(".")[2].replace("[x]", "Base64Binary")] = "eA=="
            return True
        return False
    return [[wrong, added]]


def of_fixed(*_):
    def wrong(planting):
        for node in planting.nodes():
            change(node, other(node.value))
            return True
        return False
    return [with_copies(wrong)]


def of_pattern(pattern, *_):
    def wrong(leaf):
        def changed(planting):
            for node in planting.nodes():
                spoil_leaf(node.value, pattern, leaf)
                return True
            return False
        return changed
    return [with_copies(wrong(leaf)) for leaf in leaves(pattern)]


def of_binding(*_):
    def wrong(planting):
        for node in planting.nodes():
            if not planting.rule.path.endswith("[x]") or node.key.endswith("Quantity"):
                spoil_code(node.value, node)
                return True
        return False
    return [with_copies(wrong)]


def of_target(targets, rule, profiles):
    def wrong_type(planting):
        for node in planting.nodes():
            node.value["reference"] = "Basic/1"
            return True
        return False

    def lost(planting):
        for node in planting.nodes():
            node.value["reference"] = "urn:uuid:00000000-0000-8000-8000-000000000000"
            return True
        return False

    def wrong_target(planting):
        """The target keeps little but its type, which the profile that it follows does not allow."""
        for node in planting.nodes():
            found = planting.check.resolve(node.value.get("reference", ""), planting.container)
            for index, (full_url, resource) in enumerate(planting.entries):
                if found and resource is found[0] and resource["resourceType"] in profiled:
                    bare = {key: resource[key] for key in ("resourceType", "id", "code") if key in resource}
                    planting.entries[index] = (full_url, bare)
                    return True
        return False
    # The types of targets that a profile is named for. Where a slice is found by the code of its targets, no
    # other reference is found as that slice.
    profiled = {profiles.profiles[url]["type"] for url in targets if profiles.profiles.get(url, {}).get("parent")}
    find = profiles.finds[rule.profile].get(rule.path, [])
    by_target = any(path.startswith("resolve()") for path, _, _ in find)
    return ([] if by_target else [[wrong_type], [lost]]) + ([[wrong_target]] if profiled else [])


def without(*names):
    def way(node):
        for name in names:
            for child in list(node.children(name))[::-1]:
                remove(child)
    return way


def with_member(**members):
    return lambda node: node.value.update(copy.deepcopy(members))


def part_named_as_whole(node):
    node.value.pop("dataAbsentReason", None)
    node.value.update(valueString="x", component=[{"code": copy.deepcopy(node.value["code"]), "valueString": "x"}])
    node.value["code"].setdefault("coding", [{"system": "urn:x", "code": "x"}])
    node.value["component"][0]["code"] = copy.deepcopy(node.value["code"])


def foreign_codes(node):
    for coding in node.value["coding"]:
        coding["system"] += "x"


INVARIANTS = {
    "obs-3": without("low", "high", "text"),
    "obs-6": lambda node: node.value.update(dataAbsentReason={"text": "x"}, valueString="x"),
    "obs-7": part_named_as_whole,
    "vs-1": lambda node: change(node, "2020-01"),
    "vs-2": without("value[x]", "dataAbsentReason", "component", "hasMember"),
    "vs-3": without("value[x]", "dataAbsentReason"),
    "mdc-1": foreign_codes,
    "cgm-sensor-value-or-dar": without("value[x]", "dataAbsentReason"),
    "confidence-range-units": lambda node: node.value["low"].update(unit="x"),
    "alerting-range-units": lambda node: node.value["low"].update(code="x"),
}


def of_invariant(key):
    def broken(planting):
        for node in planting.nodes():
            if key != "vs-1" or node.key == "effectiveDateTime":
                INVARIANTS[key](node)
                return True
        return False
    return [[broken]]


KINDS = {"min": of_min, "max": of_max, "types": of_types, "fixed": of_fixed, "pattern": of_pattern,
         "required": of_binding, "extensible": of_binding, "target": of_target}


def planted(profiles, entries, before, places, rule, argument):
    """For each fault of a rule: True if it is found, False if not, None if no place could have it.

    before: the faults by rule of each entry; places: the entries and the steps in them from where the rule's
    profile was applied to a valid resource."""
    groups = of_invariant(rule.key) if rule.kind == "invariants" else KINDS[rule.kind](argument, rule, profiles)
    return [outcome(profiles, entries, before, places, rule, ways) for ways in groups]


def outcome(profiles, entries, before, places, rule, ways):
    was_planted = None
    for number, steps in places:
        for way in ways:
            planting = Planting(profiles, entries, number, steps, rule)
            if way(planting):
                if planting.faults() > before[number][rule]:
                    return True
                was_planted = False
    return was_planted
