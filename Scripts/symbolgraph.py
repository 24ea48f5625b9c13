# SPDX-License-Identifier: Apache-2.0
"""Reads the compiler's symbol graphs of modules, for the checks in this folder."""
import collections
import dataclasses
import json
import pathlib
import platform
import subprocess
import tempfile

LINUX_TARGET = f"{platform.machine()}-unknown-linux-gnu"

PLATFORM = pathlib.Path(__file__).resolve().parent.parent / "Sources/Platform"


def of_build(build, *folders):
    """The compiler's arguments for the modules of a build and of further folders."""
    search = [argument for folder in (build / "Modules", *folders) for argument in ("-I", str(folder))]
    for library in sorted(PLATFORM.glob("*/module.modulemap")):
        search += ["-Xcc", f"-fmodule-map-file={library}"]
    return ["-target", LINUX_TARGET, *search]


# The version that stands for "in some later one": the compiler says nothing of these.
TO_BE_DEPRECATED = 100000

TYPE_KINDS = {"class", "struct", "enum", "protocol"}

# Words and attributes of a declaration that are compared by other means, or that callers cannot observe.
NOT_COMPARED = {"public", "open", "internal", "private", "fileprivate", "package", "optional", "override", "weak",
                "final", "nonisolated", "@nonexhaustive", "@objc", "@discardableResult", "@NSCopying", "@preconcurrency"}


@dataclasses.dataclass(frozen=True)
class Declaration:
    """One declaration of a module; `path` is its name with the names of the types around it."""

    usr: str
    path: str
    kind: str
    access: str
    text: str
    attributes: frozenset[str]
    deprecated: tuple[str, ...] | None
    is_obsolete: bool
    is_synthesized: bool

    @property
    def name(self):
        """The last part of the path, with the labels of a function."""
        head, parenthesis, labels = self.path.partition("(")
        return head.rpartition(".")[2] + parenthesis + labels


class SymbolGraph:
    """The declarations of a module and the relations between them."""

    def __init__(self, module, contents):
        self.module = module
        self.contents = contents
        self.declarations = {}
        for symbol in contents["symbols"]:
            declaration = read_declaration(symbol)
            # An Objective-C method with a completion handler is imported as an asynchronous one, too.
            if declaration.usr in self.declarations and " async" in declaration.text:
                declaration = dataclasses.replace(declaration, usr=declaration.usr + "@async")
            self.declarations.setdefault(declaration.usr, declaration)
        self._relations = collections.defaultdict(lambda: collections.defaultdict(list))
        self._fallbacks = {}
        for relation in contents["relationships"]:
            self._relations[relation["kind"]][relation["source"]].append(relation["target"])
            self._fallbacks[relation["target"]] = relation.get("targetFallback", relation["target"])

    def targets(self, kind, source):
        """The identifiers that the declaration is related to."""
        return self._relations[kind].get(source, [])

    def sources(self, kind):
        """The identifiers of all declarations that have such a relation."""
        return set(self._relations[kind])

    def all_targets(self, kind):
        """The identifiers of everything that something has this relation to."""
        return {target for targets in self._relations[kind].values() for target in targets}

    def name_of(self, usr):
        """The name of a declaration, of this module or another, without the module's."""
        declaration = self.declarations.get(usr)
        return declaration.path if declaration else self._fallbacks.get(usr, usr).partition(".")[2]

    @classmethod
    def extract(cls, module, *arguments):
        """Reads a compiled module, or one that the compiler can import."""
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["swift-symbolgraph-extract", "-module-name", module, "-output-dir", folder,
                            *map(str, arguments)], check=True)
            contents = json.loads(pathlib.Path(folder, f"{module}.symbols.json").read_text())
            for extensions in pathlib.Path(folder).glob(f"{module}@*.symbols.json"):
                more = json.loads(extensions.read_text())
                contents["symbols"] += more["symbols"]
                contents["relationships"] += more["relationships"]
            return cls(module, contents)


def read_declaration(symbol):
    words, attributes = [], set()
    for fragment in symbol["declarationFragments"]:
        if fragment["kind"] in ("keyword", "attribute", "text") and fragment["spelling"].strip() in NOT_COMPARED:
            attributes.add(fragment["spelling"].strip())
        else:
            words.append(fragment["spelling"])
    usr, _, synthesized_for = symbol["identifier"]["precise"].partition("::SYNTHESIZED::")
    availability = symbol.get("availability", [])
    return Declaration(
        usr=f"{usr}@{synthesized_for}" if synthesized_for else usr,
        path=".".join(symbol["pathComponents"]),
        kind=symbol["kind"]["identifier"].removeprefix("swift."),
        access=symbol["accessLevel"],
        text=normal_form("".join(words)),
        attributes=frozenset(attributes),
        deprecated=deprecation_on_ios(availability),
        is_obsolete=any(item.get("isUnconditionallyUnavailable") or item["domain"] == "Swift" and "obsoleted" in item
                        for item in availability),
        is_synthesized=bool(synthesized_for))


def normal_form(text):
    """Gives declarations that are the same to callers the same spelling."""
    text = " ".join(text.split())
    for word in ("static let ", "class let ", "let "):
        if text.startswith(word):
            text = word.replace("let", "var") + text.removeprefix(word)
            text += "" if text.endswith("}") else " { get }"
            break
    if text.startswith(("var ", "lazy var ", "static var ", "class var ")) and not text.endswith("}"):
        text += " { get set }"
    text = text.removeprefix("lazy ")
    # A class that conforms to NSCoding hands this demand down on Apple's platforms, too.
    if "init?(coder: NSCoder)" in text:
        text = text.removeprefix("required ").replace("required ", "")
    return "static " + text.removeprefix("class ") if text.startswith(("class func ", "class var ")) else text


def deprecation_on_ios(availability):
    for item in availability:
        if item["domain"] == "iOS" and "deprecated" in item:
            version = item["deprecated"]
            if version["major"] == TO_BE_DEPRECATED:
                return None
            return (f"{version['major']}.{version.get('minor', 0)}", item.get("message", ""), item.get("renamed", ""))
    return None


def demangled(usrs):
    """The full signature of each Swift declaration, with the canonical types."""
    names = ["$s" + usr.removeprefix("s:") for usr in usrs]
    answer = subprocess.run(["swift", "demangle", "--compact"], input="\n".join(names), text=True, check=True,
                            capture_output=True)
    return dict(zip(usrs, answer.stdout.splitlines()))
