# SPDX-License-Identifier: Apache-2.0
"""The interfaces of Apple's frameworks and of the modules in their place, and what differs between them."""
import collections
import json
import pathlib
import re
import subprocess
import tempfile

import symbolgraph

# Conformances that the compiler adds, more to a Swift type than to one of a header.
IMPLICIT = {"Copyable", "Escapable", "SendableMetatype"}

# Members that the compiler derives from a conformance, which is compared; symbol graphs of Swift lack them.
DERIVED = {"==(_:_:)": "Equatable", "hash(into:)": "Hashable", "hashValue": "Hashable", "allCases": "CaseIterable",
           "AllCases": "CaseIterable"}


class Interface:
    """An interface to compare: for each declaration its kind and the facts that callers depend on."""

    def __init__(self, graph, numbers=None):
        self.facts = collections.defaultdict(list)
        numbers = numbers or {}
        own = f"s:{len(graph.module)}{graph.module}"
        defaults = graph.sources("defaultImplementationOf")
        requirements = set(graph.sources("requirementOf")) | set(graph.sources("optionalRequirementOf"))
        optional = set(graph.sources("optionalRequirementOf")) | graph.all_targets("defaultImplementationOf")
        for usr, declaration in graph.declarations.items():
            if declaration.is_obsolete or usr in defaults:
                continue
            facts = {"declaration": declaration.text, "access": declaration.access,
                     "deprecated": declaration.deprecated}
            # A factory class method is imported as an initializer that is not inherited and cannot be called by super.
            if declaration.kind == "init" and ("(cm)" in usr or declaration.text.startswith("convenience ")):
                facts["declaration"] = declaration.text.removeprefix("convenience ")
                facts["designated"] = False
            # Methods of Objective-C classes warn about an unused result only if they are marked so.
            if declaration.kind in ("method", "type.method") and usr not in requirements and has_result(declaration.text):
                facts["ignorable result"] = "@discardableResult" in declaration.attributes or usr.startswith("c:objc")
            if usr in requirements:
                facts["requirement"] = "optional" if usr in optional else "required"
            if declaration.kind == "enum":
                facts["open"] = "@nonexhaustive" in declaration.attributes or not usr.startswith(own)
            if declaration.kind in symbolgraph.TYPE_KINDS:
                facts["superclass"] = last_names(graph, "inheritsFrom", usr)
                facts["conformances"] = last_names(graph, "conformsTo", usr)
            if declaration.path in numbers:
                facts["number"] = numbers[declaration.path]
            self.facts[declaration.path, declaration.kind].append(facts)

    def derives(self, path):
        """Whether the compiler derives the member from a conformance of its type."""
        head, parenthesis, labels = path.partition("(")
        parent, _, name = head.rpartition(".")
        conformance = DERIVED.get(name + parenthesis + labels)
        return any(conformance in facts.get("conformances", ())
                   for kind in symbolgraph.TYPE_KINDS for facts in self.facts.get((parent, kind), []))

    @property
    def paths(self):
        return {path for path, _ in self.facts}


def has_result(text):
    """Whether a function has a result: an arrow after its parameters, among which closures have arrows, too."""
    depth = 0
    for index, character in enumerate(text):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == ")" and depth == 0:
            return " -> " in text[index:]
    return False


def last_names(graph, relation, usr):
    return frozenset(graph.name_of(target).rpartition(".")[2] for target in graph.targets(relation, usr))


def differences(apple, ours, module):
    """Lists what the second interface lacks compared with the first, but for what the module leaves out."""
    lines = []
    for (path, kind), overloads in sorted(apple.facts.items()):
        if module.leaves_out(path):
            continue
        candidates = ours.facts.get((path, kind), [])
        for facts in overloads:
            facts = module.later_facts(path, facts)
            if not candidates and not ours.derives(path):
                other = [k for p, k in ours.facts if p == path]
                lines.append(f"missing: {kind} {path}" + (f" (ours is a {other[0]})" if other else ""))
            elif candidates and (wrong := min((wrong_facts(facts, candidate) for candidate in candidates), key=len)):
                lines += [f"different: {path}: {line}" for fact, line in wrong if not module.accepts(path, fact)]
    return lines


def wrong_facts(apple, ours):
    wrong = []
    for fact, value in apple.items():
        mine = ours.get(fact)
        if fact == "conformances":
            if lacking := value - mine - IMPLICIT:
                wrong.append((fact, f"does not conform to {', '.join(sorted(lacking))}"))
        elif value != mine:
            wrong.append((fact, f"{fact}: Apple's is {shown(value)}, ours is {shown(mine)}"))
    if ours.get("designated") is False and "designated" not in apple:
        wrong.append(("designated", "designated: ours is a convenience initializer"))
    return wrong


def shown(value):
    if isinstance(value, frozenset):
        return ", ".join(sorted(value)) or "none"
    return str(value)


def later_differences(ours, module):
    lines = []
    for path, kind, text, requirement in module.later:
        found = [facts for facts in ours.facts.get((path, kind), [])
                 if facts["declaration"] == text and facts.get("requirement") == requirement]
        if not found:
            lines.append(f"missing or different, of a later SDK: {path}")
    return lines


def table_faults(apple, ours, module):
    """Entries of the module's tables that say what is no longer so."""
    lines = [f"said to be left out, but there: {path}" for path in sorted(ours.paths) if module.leaves_out(path)]
    if apple:
        lines += [f"left out, but not in the SDK: {pattern}" for pattern in module.out
                  if not any(module.matches(pattern, path) for path in apple.paths)]
    return lines


def beyond(apple, ours, module):
    """Lists what only the module has, on Apple's types and beside them: code for both platforms cannot use it."""
    later = {path for path, *_ in module.later}
    lines = [f"only ours: {kind} {path}" for path, kind in ours.facts if (path, kind) not in apple.facts
             and path not in later]
    for key, overloads in apple.facts.items():
        more = {name for mine in ours.facts.get(key, []) for name in mine.get("conformances", ())}
        more -= IMPLICIT.union(*(facts.get("conformances", ()) for facts in overloads))
        lines += [f"only ours: {key[0]} conforms to {name}" for name in sorted(more)]
    return sorted(lines)


# MARK: - The raw values of cases and option sets

def numbered(graph):
    """The paths of all cases and of the members of option sets that have a number."""
    conforming = collections.defaultdict(set)
    for usr, declaration in graph.declarations.items():
        for name in last_names(graph, "conformsTo", usr):
            conforming[name].add(declaration.path)
    paths = []
    for usr, declaration in graph.declarations.items():
        parent = declaration.path.rpartition(".")[0]
        if declaration.kind == "enum.case" and parent in conforming["RawRepresentable"]:
            paths.append((usr, declaration.path))
        elif declaration.kind == "type.property" and parent in conforming["OptionSet"] and declaration.text.startswith("static var"):
            paths.append((usr, declaration.path))
    return paths


def apple_numbers(graph, sdk):
    """Reads the raw values from optimised code, in which each function returns a literal of a header."""
    paths = [path for usr, path in numbered(graph) if usr.startswith("c:")]
    functions = [f"@available(iOS 99, *) public func number_{index}_() -> Int {{ Int(truncatingIfNeeded: {path}.rawValue) }}"
                 for index, path in enumerate(paths)]
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "Numbers.swift")
        source.write_text("\n".join([f"import {graph.module}", *functions]))
        code = subprocess.run(["swiftc", "-O", "-emit-ir", "-parse-as-library", "-suppress-warnings", "-module-name",
                               "Numbers", str(source), *sdk.arguments], check=True, capture_output=True, text=True)
    found = dict(re.findall(r"^define[^\n]*number_(\d+)_[^\n]*\n(?:[^}]*\n)?\s*ret i64 (-?\d+)", code.stdout, re.M))
    if len(found) != len(paths):
        raise SystemExit("the raw values of Apple's cases could not be read from the compiler's output")
    return {path: int(found[str(index)]) for index, path in enumerate(paths)}


def our_numbers(graph, build, below):
    """Runs a program that prints them."""
    paths = [path for _, path in numbered(graph)]
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder, "main.swift"), pathlib.Path(folder, "numbers")
        source.write_text("\n".join([f"import {graph.module}", *(f'print("{path}", {path}.rawValue)' for path in paths)]))
        # Not every object in the folder: those of deleted sources are still there.
        maps = [json.loads((build / f"{module}.build/output-file-map.json").read_text())
                for module in (graph.module, *below)]
        objects = [files["object"] for outputs in maps for files in outputs.values() if "object" in files]
        subprocess.run(["swiftc", "-suppress-warnings", *symbolgraph.of_build(build), str(source), "-o", str(program),
                        *objects], check=True)
        answer = subprocess.run([program], check=True, capture_output=True, text=True)
    return {path: int(number) for path, number in (line.split() for line in answer.stdout.splitlines())}
