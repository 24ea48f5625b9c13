#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes Scripts/fhir-profiles.json: the rules of HL7's public profiles, in this package's own form.

It reads the differentials of the profiles in Git repositories, which stay where they are:
  FHIR  a build of FHIR R4 4.0.1 (github.com/fhir-ru/fhir-ru.github.io): vital signs, value sets, base types
  PHD   github.com/HL7/phd, the guide for personal health devices, in FHIR Shorthand
  CGM   github.com/HL7/cgm, the guide for continuous glucose monitoring, in FHIR Shorthand
Run it by hand, since a machine that tests has no access to these. With --check it writes nothing and says
whether the file is what the named commits give.

A profile has elements by path, without the type in front; `a:b` is the slice b of a, and `value[x]` any
choice. Of an element, "find" says how a slice is found and "profile" which one its elements follow; the rest
are rules: min, max, types (of a choice), target (of a reference), fixed, pattern, required and extensible
(bindings) and invariants. A rule that the base type has already, or that the finding of its slice implies, is
left out; so are the ones that "left_out" names.

usage: fhir-profiles.py [--check] FHIR PHD CGM
"""
import hashlib
import json
import re
import subprocess
import sys
import textwrap
from pathlib import Path

sys.dont_write_bytecode = True
from fhir_shorthand import Coding, Quantity, Shorthand, without_flags  # noqa: E402

FILE = Path(__file__).with_name("fhir-profiles.json")
CORE = "http://hl7.org/fhir/StructureDefinition/"
UCUM = "http://unitsofmeasure.org"
REPOSITORIES = {"fhir": "fhir-ru/fhir-ru.github.io", "phd": "HL7/phd", "cgm": "HL7/cgm"}

BASES = ["observation", "device"]
VITAL_SIGNS = ["vitalsigns", "resprate", "heartrate", "oxygensat", "bodytemp", "bodyheight", "bodyweight", "bmi", "bp"]
GUIDES = {
    "phd": ["PhdBaseObservation", "PhdNumericObservation", "PhdCompoundNumericObservation", "PhdCompoundObservation",
            "PhdCodedEnumerationObservation", "PhdBitsEnumerationObservation", "PhdStringObservation",
            "PhdRtsaObservation", "PhdCoincidentTimeStampObservation", "PhdDevice", "PhgDevice", "PhdPatient",
            "CoincidentTimeStampReference", "Accuracy", "Confidence95", "SimpleAlerting"],
    "cgm": ["CGMSensorReadingMassPerVolume", "CGMSensorReadingMolesPerVolume", "CGMSummaryObservation",
            "CGMSummaryMeanGlucoseMassPerVolume", "CGMSummaryMeanGlucoseMolesPerVolume", "CGMSummaryTimesInRanges",
            "CGMSummaryGMI", "CGMSummaryCoefficientOfVariation", "CGMSummaryDaysOfWear",
            "CGMSummarySensorActivePercentage", "CGMDevice"],
}
# The invariants that check_fhir_profiles.py has, with a hash of the expression that it was written for.
INVARIANTS = {
    "obs-3": "2fd64b9a", "obs-6": "52accf65", "obs-7": "f3b32017", "vs-1": "7db40d7c", "vs-2": "1b029a4f",
    "vs-3": "505907fe", "mdc-1": "b826760d", "cgm-sensor-value-or-dar": "505907fe",
    "confidence-range-units": "5d650d0c", "alerting-range-units": "2e621088",
}


class Repository:
    def __init__(self, folder, commit=None):
        self.folder = folder
        self.commit = commit or self.git("rev-parse", "HEAD").strip()

    def git(self, *arguments):
        return subprocess.run(["git", "-C", self.folder, *arguments], check=True, capture_output=True, text=True).stdout

    def text(self, path):
        return self.git("show", f"{self.commit}:{path}")

    def files(self, folder, suffix):
        names = self.git("ls-tree", "-r", "--name-only", self.commit, folder).splitlines()
        return [self.text(name) for name in sorted(names) if name.endswith(suffix)]


class Core:
    """The base types and value sets of FHIR R4."""

    def __init__(self, repository):
        self.repository, self.loaded = repository, {}

    def json(self, name):
        if name not in self.loaded:
            try:
                self.loaded[name] = json.loads(self.repository.text(name))
            except subprocess.CalledProcessError:
                self.loaded[name] = None
        return self.loaded[name]

    def elements(self, kind):
        definition = self.json(f"{kind.lower()}.profile.json")
        return {e["path"].partition(".")[2]: e for e in definition["snapshot"]["element"]} if definition else {}

    def element(self, kind, path, types=lambda path: []):
        """The base element of a path below a type; types(path) says to which ones a profile limits a choice."""
        elements, at, walked, found = self.elements(kind), "", "", None
        for step in filter(None, path.split(".")):
            walked = f"{walked}.{step}".lstrip(".")
            name = step.partition(":")[0]
            if found and not any(key.startswith(at + ".") for key in elements):
                codes = types(walked.rpartition(".")[0]) or [t["code"] for t in found["type"]]
                elements, at = self.elements(codes[0]), ""
            here = f"{at}.{name}".lstrip(".")
            if here in elements:
                found, at = elements[here], here
            else:
                found, at = self.choice(elements, here)
        return found

    def choice(self, elements, path):
        """The element of a path such as valueQuantity, as if it had that type alone."""
        for key, element in elements.items():
            if key.endswith("[x]") and path.startswith(key[:-3]):
                for given in element["type"]:
                    if path[len(key) - 3:].lower() == given["code"].lower():
                        return {**element, "type": [given]}, path
        raise ValueError(f"no element of R4: {path}")

    def value_set(self, url):
        name = url.rpartition("/")[2]
        definition = self.json(f"valueset-{name}.json")
        if not definition or "filter" in json.dumps(definition["compose"]):
            return None
        found = {}
        for include in definition["compose"]["include"]:
            codes = [c["code"] for c in include.get("concept", [])] or self.code_system(include.get("system", ""))
            if not codes:
                return None
            found[include["system"]] = codes
        return found

    def code_system(self, url):
        definition = self.json(f"codesystem-{url.rpartition('/')[2]}.json")

        def codes(concepts):
            for concept in concepts:
                yield concept["code"]
                yield from codes(concept.get("concept", []))
        return list(codes(definition["concept"])) if definition and definition["url"] == url else None


class Profile:
    """A profile's constraints by path: min, max, types, targets, value, binding, obeys, discriminators, slice."""

    def __init__(self, url, kind, parent, source, is_base=False):
        self.url, self.kind, self.parent, self.source, self.is_base = url, kind, parent, source, is_base
        self.elements = {}

    def at(self, path):
        return self.elements.setdefault(path, {})


def of_definition(core, name):
    """The profile of a StructureDefinition in JSON."""
    definition = core.json(f"{name}.profile.json") or core.json(f"{name}.json")
    is_base = definition.get("derivation") == "specialization"
    profile = Profile(definition["url"], definition["type"], None if is_base else definition["baseDefinition"],
                      "fhir", is_base)
    snapshot = {e["id"]: e for e in definition["snapshot"]["element"]}
    for element in definition["differential"]["element"]:
        path = element["id"].partition(".")[2]
        found = profile.at(path)
        found.update({key: element[key] for key in ("min", "max") if key in element})
        slicing = element.get("slicing", {}).get("discriminator", [])
        found["discriminators"] = [d["path"] for d in slicing]
        if "sliceName" in element:
            found["slice"] = None
        found["types"] = [t["code"] for t in element.get("type", [])]
        found["targets"] = [url for t in element.get("type", []) for url in t.get("targetProfile", [])]
        for key, value in element.items():
            if key.startswith(("fixed", "pattern")):
                found["value"] = value
        if "binding" in element and "valueSet" in element["binding"]:
            found["binding"] = (element["binding"]["strength"], element["binding"]["valueSet"].partition("|")[0])
        found["obeys"] = [(c["key"], c["severity"], c["expression"]) for c in element.get("constraint", [])]
        # A choice written with its type stands for a slice of the choice, which is closed: no other type may be.
        whole = re.sub(r"(^|\.)value[A-Z]\w*$", r"\1value[x]", element["id"])
        if whole != element["id"] and snapshot.get(whole, {}).get("slicing", {}).get("rules") == "closed":
            profile.at(path.rpartition(".")[0] + "." * ("." in path) + "value[x]").update(
                types=[t["code"] for t in snapshot[whole]["type"]])
    return profile


def of_shorthand(shorthand, name, source):
    """The profile of a definition in FHIR Shorthand."""
    item = shorthand.items[name]
    parent = item.keywords.get("Parent")
    kind = parent or "Extension"
    parent_url = shorthand.url(parent) if parent in shorthand.items else CORE + kind
    while kind in shorthand.items:
        kind = shorthand.items[kind].keywords["Parent"]
    profile = Profile(shorthand.url(name), kind, parent_url, source)
    for path, rest in shorthand.rules(item):
        read_rule(shorthand, profile, path, rest)
    return profile


def read_rule(shorthand, profile, path, rest):
    if rest.startswith("^"):
        given = re.match(r'\^slicing\.discriminator(?:\[.*\])?\.path\s*=\s*"(.*)"', rest)
        if given:
            profile.at(path).setdefault("discriminators", []).append(given[1])
    elif rest.startswith("obeys "):
        for key in rest[6:].split(" and "):
            profile.at(path).setdefault("obeys", []).append(invariant(shorthand, key.strip()))
    elif rest.startswith("contains "):
        for part in without_flags(rest[9:]).split(" and "):
            given = re.match(r"(?:(\S+) named )?(\S+) (\d*)\.\.(\d*|\*)$", part.strip())
            found = profile.at(f"{path}:{given[2]}")
            found.update(min=int(given[3] or 0), max=given[4] or "*")
            found["slice"] = (shorthand.url(given[1]) if given[1] else given[2]) if path.endswith("extension") else None
    elif rest.startswith("only "):
        targets = re.findall(r"Reference\((.*?)\)", rest)
        profile.at(path)["types"] = re.sub(r"\(.*?\)", "", without_flags(rest[5:])).split(" or ")
        names = [name.strip() for name in " or ".join(targets).split(" or ") if name.strip()]
        profile.at(path)["targets"] = [
            shorthand.url(name) if name in shorthand.items else CORE + name for name in names]
    elif rest.startswith("from "):
        given = re.match(r"from (\S+)(?: \((\w+)\))?", rest)
        profile.at(path)["binding"] = (given[2] or "required", shorthand.url(given[1]))
    elif rest.startswith("= "):
        profile.at(path)["value"] = shorthand.value(rest[2:])
    elif re.match(r"\d*\.\.", rest):
        least, most = re.match(r"(\d*)\.\.(\d*|\*)", rest).groups()
        profile.at(path).update({**({"min": int(least)} if least else {}), **({"max": most} if most else {})})
    elif without_flags(rest):
        raise ValueError(f"{profile.url}: a rule of unknown form: {path} {rest}")


def invariant(shorthand, key):
    item = shorthand.items[key]
    given = {k.lower(): v for k, v in item.keywords.items()}
    for path, rest in shorthand.rules(item):
        given[path] = rest.lstrip("= ").strip('"')
    return key, given["severity"].lstrip("#"), given["expression"]


class Compiler:
    """Makes the rules of all profiles."""

    def __init__(self, core, shorthands, profiles):
        self.core, self.shorthands = core, shorthands
        self.profiles = {profile.url: profile for profile in profiles}
        self.codes, self.left_out = {}, []

    def lineage(self, profile):
        while profile:
            yield profile
            profile = self.profiles.get(profile.parent)

    def constraint(self, profile, path, key):
        """What a profile or the first of its ancestors says of a path, whatever the slices below it are named."""
        plain = re.sub(r":[^.]*", "", path)
        for ancestor in self.lineage(profile):
            for candidate in (path, plain):
                value = ancestor.elements.get(candidate, {}).get(key)
                if value:
                    return value
        return None

    def base(self, profile, path):
        return self.core.element(profile.kind, path, lambda at: self.constraint(profile, at, "types"))

    def compiled(self, profile):
        slices = {path: self.slice(profile, path, element["slice"])
                  for path, element in profile.elements.items() if "slice" in element}
        implied = set().union(*(self.implied(profile, path, found["find"]) for path, found in slices.items()))
        elements = {}
        for path, element in profile.elements.items():
            rules = {**slices.get(path, {})}
            for kind, argument in self.rules(profile, path, element):
                if kind == "invariants":
                    rules.setdefault(kind, {}).update(argument)
                elif (path, kind) not in implied:
                    rules[kind] = argument
            if rules:
                elements[path] = rules
        return {"type": profile.kind, "parent": profile.parent, "source": profile.source, "elements": elements}

    def rules(self, profile, path, element):
        if path == "" and not element.get("obeys") or profile.kind == "Extension" and path == "url":
            return  # the URL is what the extension is found by
        base = {"min": 0, "max": "*", "type": []} if path == "" or profile.is_base else self.base(profile, path)
        is_slice = "slice" in element
        if int(element.get("min", 0)) > (0 if is_slice else base["min"]):
            yield "min", int(element["min"])
        most = element.get("max", "*")
        if path and most != "*" and not profile.is_base and most != base["max"]:
            yield "max", int(most)
        types, own = element.get("types", []), {t["code"] for t in base["type"]}
        if path.endswith("[x]") and types and set(types) != own and not profile.is_base:
            yield "types", types
        targets = [url for url in element.get("targets", []) if url != CORE + "Resource"]
        if targets and targets != [url for t in base["type"] for url in t.get("targetProfile", [])]:
            yield "target", targets
        if "value" in element:
            yield self.value(element["value"], base)
        yield from self.binding(profile, path, element.get("binding"))
        for key, severity, expression in element.get("obeys", []):
            if INVARIANTS.get(key) != digest(expression):
                raise SystemExit(f"{profile.url}: {key} is not known as {digest(expression)}: {expression}")
            yield "invariants", {key: severity}

    def value(self, value, base):
        kind = base["type"][0]["code"]
        if isinstance(value, Coding):
            coding = {"system": value.system, "code": value.code}
            value = {"code": value.code, "Coding": coding, "CodeableConcept": {"coding": [coding]}}[kind]
        elif isinstance(value, Quantity):
            value = {"system": UCUM, "code": value.code, **({"unit": value.unit} if value.unit else {})}
        return "pattern" if isinstance(value, dict) else "fixed", value

    def binding(self, profile, path, binding):
        if binding and binding[0] in ("required", "extensible"):
            if self.value_set(binding[1]):
                yield binding
            else:
                self.left_out.append([profile.url, path, binding[0], binding[1]])

    def value_set(self, url):
        if url not in self.codes:
            given = [found for found in (s.value_set(url) for s in self.shorthands.values()) if found]
            self.codes[url] = given[0] if given else self.core.value_set(url)
        return self.codes[url]

    # Slices

    def slice(self, profile, path, extension):
        """How to find the elements of a slice: what the paths of its discriminators hold."""
        if extension:
            found = {"find": [["url", "fixed", extension]]}
            return {**found, "profile": extension} if extension in self.profiles else found
        above = path.rpartition(":")[0]
        paths = self.constraint(profile, above, "discriminators")
        return {"find": [self.match(profile, path, discriminator) for discriminator in paths]}

    def match(self, profile, path, discriminator):
        if discriminator.startswith("resolve()."):
            target = self.profiles[profile.elements[path]["targets"][0]]
            return [discriminator, *self.value(target.elements["code"]["value"], self.base(target, "code"))]
        wanted = path if discriminator == "$this" else f"{path}.{discriminator}"
        for candidate, element in profile.elements.items():
            below = re.sub(r":[^.]*", "", candidate.removeprefix(path))
            found = candidate.startswith(path) and path + below == wanted
            if found and ("value" in element or "binding" in element):
                if "value" in element:
                    return [discriminator, *self.value(element["value"], self.base(profile, candidate))]
                return [discriminator, *next(self.binding(profile, candidate, ("required", element["binding"][1])))]
        raise ValueError(f"{profile.url}: nothing tells the slice {path} by {discriminator}")

    def implied(self, profile, path, match):
        """The rules that no element found as the slice can break."""
        found = set()
        for discriminator, kind, value in match:
            if discriminator.startswith(("$this", "resolve()", "url")):
                found.add((path, kind))
                continue
            steps, single = discriminator.split("."), True
            for index, step in enumerate(steps):
                at = ".".join([path, *steps[:index + 1]])
                if single:
                    found.add((at, "min"))
                single = single and self.base(profile, at)["max"] == "1"
            if single:
                found.add((f"{path}.{discriminator}", kind))
                if self.base(profile, f"{path}.{discriminator}")["type"][0]["code"] == "CodeableConcept":
                    found.add((f"{path}.{discriminator}.coding", "min"))
                    found |= {(at, "min") for at in profile.elements if kind == "required"
                              and at.startswith(f"{path}.{discriminator}.coding:") and "slice" in profile.elements[at]
                              and self.is_of_system(self.slice(profile, at, None)["find"], value)}
        return found

    def is_of_system(self, find, value_set):
        """Whether all that tells a slice of codings is the one system of a value set."""
        return [rule[2] for rule in find if rule[0] == "system"] == list(self.value_set(value_set)) and len(find) == 1


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def document(folders, commits):
    repositories = {name: Repository(folder, commits.get(name)) for name, folder in zip(REPOSITORIES, folders)}
    core = Core(repositories["fhir"])
    shorthands = {name: Shorthand(repositories[name].files("input/fsh", ".fsh"), f"http://hl7.org/fhir/uv/{name}")
                  for name in GUIDES}
    profiles = [of_definition(core, name)
                for name in BASES + VITAL_SIGNS + ["extension-observation-gatewaydevice"]]
    profiles += [of_shorthand(shorthands[name], profile, name) for name in GUIDES for profile in GUIDES[name]]
    compiler = Compiler(core, shorthands, profiles)
    compiled = {profile.url: compiler.compiled(profile) for profile in profiles}
    used = json.dumps(compiled)
    return {
        "sources": {name: {"repository": REPOSITORIES[name], "commit": repositories[name].commit}
                    for name in REPOSITORIES},
        "profiles": compiled,
        "codes": {url: codes for url, codes in sorted(compiler.codes.items()) if codes and json.dumps(url) in used},
        "left_out": compiler.left_out,
    }


def written(data):
    """The document as text, with an element in each line."""
    profiles = []
    for url, profile in data["profiles"].items():
        head = ", ".join(f'"{key}": {json.dumps(profile[key])}' for key in ("type", "parent", "source"))
        elements = ",\n".join(
            f"   {json.dumps(path)}: {json.dumps(rules)}" for path, rules in profile["elements"].items())
        profiles.append(f' {json.dumps(url)}: {{\n  {head}, "elements": {{\n{elements}}}}}')
    codes = [f" {json.dumps(url)}:\n" + textwrap.fill(
        json.dumps(systems), 116, initial_indent="  ", subsequent_indent="   ", break_long_words=False,
        break_on_hyphens=False) for url, systems in data["codes"].items()]
    sources = ",\n".join(f"  {json.dumps(name)}: {json.dumps(given)}" for name, given in data["sources"].items())
    return (f'{{\n"sources": {{\n{sources}\n }},\n"profiles": {{\n' + ",\n".join(profiles) + "\n},\n"
            + '"codes": {\n' + ",\n".join(codes) + "\n},\n"
            + '"left_out": [\n ' + ",\n ".join(map(json.dumps, data["left_out"])) + "\n]\n}\n")


def main():
    folders = [argument for argument in sys.argv[1:] if argument != "--check"]
    if len(folders) != len(REPOSITORIES):
        raise SystemExit(__doc__)
    old = FILE.read_text(encoding="utf-8") if FILE.exists() else ""
    check = "--check" in sys.argv
    commits = {name: given["commit"] for name, given in json.loads(old)["sources"].items()} if check else {}
    data = document(folders, commits)
    text = written(data)
    assert json.loads(text) == data, "the text is not the document"
    elements = sum(len(profile["elements"]) for profile in data["profiles"].values())
    print(f"{elements} elements of {len(data['profiles'])} profiles, {len(data['left_out'])} left out")
    if check:
        print("the file is what the sources give" if text == old else "the file is not what the sources give")
        return 0 if text == old else 1
    FILE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
