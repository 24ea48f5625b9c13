# SPDX-License-Identifier: Apache-2.0
"""Reads FHIR Shorthand (FSH), as much of it as profiles of HL7's guides use: no instances with several levels,
no mappings, no metadata but URLs, slicing and code properties. PyPI has no such reader."""
import re

KINDS = "Profile|Extension|ValueSet|CodeSystem|Invariant|RuleSet|Instance|Mapping|Logical|Resource"
FLAGS = {"MS", "SU", "TU", "N", "D", "?!"}
FOLDERS = {"Profile": "StructureDefinition", "Extension": "StructureDefinition", "ValueSet": "ValueSet",
           "CodeSystem": "CodeSystem"}


class Coding:
    """A code with its system; the system is None where the text names none."""

    def __init__(self, system, code):
        self.system, self.code = system, code


class Quantity:
    def __init__(self, code, unit):
        self.code, self.unit = code, unit


class Item:
    """A definition: its keywords, the lines of its rules, and the parameters if it is a rule set."""

    def __init__(self, kind, name):
        self.kind, self.name = kind, name
        self.keywords, self.lines, self.parameters = {}, [], []


class Shorthand:
    def __init__(self, files, canonical):
        self.canonical = canonical
        self.aliases, self.items = {}, {}
        for text in files:
            self.read(text)

    # Lines

    def read(self, text):
        item = None
        for line in logical_lines(text):
            head = re.match(rf"({KINDS}|Alias)\s*:\s*(.*)", line)
            if head and head[1] == "Alias":
                name, _, value = head[2].partition("=")
                self.aliases[name.strip()] = value.strip()
            elif head:
                name, _, parameters = head[2].partition("(")
                item = Item(head[1], name.strip())
                item.parameters = [given.strip() for given in parameters.rstrip(") ").split(",")]
                self.items[name.strip()] = item
            elif item and re.match(r"\s*\*(\s|$)", line):
                item.lines.append(line)
            elif item and re.match(r"\w+\s*:", line):
                name, _, value = line.partition(":")
                item.keywords[name.strip()] = value.strip().strip('"')

    def rules(self, item):
        """Each rule as its full path and its text, with rule sets inserted."""
        yield from self.expand(item.lines, "")

    def expand(self, lines, prefix):
        context = []
        for line in lines:
            depth = (len(line) - len(line.lstrip())) // 2
            text = line.strip()[1:].strip()
            above = context[depth - 1] if depth and depth <= len(context) else prefix
            inserted = re.match(r"(?:(\S+)\s+)?insert\s+(\w+)\s*(?:\((.*)\))?$", text)
            if inserted:
                path = joined(above, inserted[1] or ".")
                yield from self.expand(self.rule_set(inserted[2], inserted[3]), path)
            else:
                path, rest = split_path(text)
                path = joined(above, path)
                yield path, rest
            context = context[:depth] + [path]

    def rule_set(self, name, arguments):
        rule_set = self.items[name]
        values = re.findall(r'"(?:[^"\\]|\\.)*"|[^,\s][^,]*', arguments or "")
        lines = rule_set.lines
        for parameter, value in zip(rule_set.parameters, values):
            lines = [line.replace("{" + parameter + "}", value.strip()) for line in lines]
        return lines

    # Names

    def url(self, name):
        """The canonical URL of a definition that a rule names by alias, name, id or URL."""
        name = self.aliases.get(name, name)
        item = self.items.get(name) or next(
            (i for i in self.items.values() if i.kind in FOLDERS and i.keywords.get("Id") == name), None)
        if not item or item.kind not in FOLDERS:
            return name.partition("|")[0]
        given = [rest for path, rest in self.rules(item) if path == "" and rest.startswith("^url")]
        if given:
            return re.search(r'"(.*)"', given[0])[1]
        return f"{self.canonical}/{FOLDERS[item.kind]}/{item.keywords.get('Id', item.name)}"

    def value(self, text):
        """The value of an assignment."""
        text = re.sub(r"\s+\(exactly\)$", "", text.strip())
        if text.startswith('"'):
            return re.match(r'"((?:[^"\\]|\\.)*)"', text)[1]
        quantity = re.match(r"'([^']*)'(?:\s+\"(.*)\")?$", text)
        if quantity:
            return Quantity(quantity[1], quantity[2])
        code = re.match(r"(\S*?)#(\S+)", text)
        if code:
            return Coding(self.url(code[1]) if code[1] else None, code[2])
        instance = self.items.get(text)
        if instance and instance.kind == "Instance":
            codings = [self.value(rest.partition("=")[2]) for path, rest in self.rules(instance)
                       if path.startswith("coding")]
            return {"coding": [{"system": c.system, "code": c.code} for c in codings]}
        raise ValueError(f"shorthand: a value of unknown form: {text}")

    # Codes

    def code_system(self, url):
        """The codes of a code system with their properties, or None."""
        item = next((i for i in self.items.values() if i.kind == "CodeSystem" and self.url(i.name) == url), None)
        if not item:
            return None
        codes, code, name = {}, None, None
        for path, rest in self.rules(item):
            if path.startswith("#"):
                code = codes.setdefault(path.split(".")[0][1:].replace("\0", "."), {})
            given = re.match(r"\^property\[.*\]\.(\w+)\s*=\s*(\S+)", rest)
            if given and code is not None:
                if given[1] == "code":
                    name = given[2].lstrip("#")
                else:
                    code[name] = given[2].lstrip("#")
        return codes

    def value_set(self, url):
        """The value set as {system: codes}; the codes are a list, a filter as text, or None for all."""
        item = next((i for i in self.items.values() if i.kind == "ValueSet" and self.url(i.name) == url), None)
        if not item:
            return None
        found = {}
        for path, rest in self.rules(item):
            line = f"{path} {rest}".strip().replace("\0", ".")
            listed = re.match(r"(?:include )?(\S+)#(\S+)", line)
            whole = re.match(r"include codes from system (\S+)(?: where (\w+) (?:=|in) (\S+))?$", line)
            composed = re.match(r'\^compose\.include\.system = "(.*)"', line)
            if listed and not line.startswith("^"):
                found.setdefault(self.url(listed[1]), []).append(listed[2])
            elif whole:
                found[self.url(whole[1])] = self.filtered(self.url(whole[1]), whole[2], whole[3])
            elif composed:
                found[composed[1]] = self.filtered(composed[1], None, None)
        return found

    def filtered(self, system, name, value):
        codes = self.code_system(system)
        if codes is None:
            return f"{name} {value.strip(chr(34))}" if name else None
        return [code for code, given in codes.items() if not name or given.get(name) == value.lstrip("#")]


def logical_lines(text):
    """Lines without comments, texts of several lines left out, continued rules joined."""
    text = re.sub(r'"""(.*?)"""', '""', text, flags=re.S)
    lines = []
    for line in text.splitlines():
        line = re.sub(r"(^|\s)//.*$", "", line).rstrip()
        if not line.strip():
            continue
        starts = re.match(rf"\s*\*(\s|$)|({KINDS}|Alias|[A-Z]\w*)\s*:", line)
        if starts or not lines:
            lines.append(line)
        else:
            lines[-1] += " " + line.strip()
    return lines


def split_path(text):
    """The path at the start of a rule, and the rest. A path starts neither with ^ nor with a keyword."""
    if re.match(r"\^|(obeys|include|exclude)\s", text):
        return ".", text
    if re.match(r"(\S*?)#(\S+)", text):  # the code of a code system or value set: its points part no path
        head, _, rest = text.partition(" ")
        return head.replace(".", "\0"), rest.strip()
    head, _, rest = text.partition(" ")
    return head, rest.strip()


def joined(above, path):
    """The path below another; slices are named as in `component:Systolic`."""
    path = re.sub(r"\[([^\]]*[^\]\d=+x][^\]]*|[^\]]{2,})\]", r":\1", path)
    return above if path == "." else f"{above}.{path}".lstrip(".")


def without_flags(text):
    return " ".join(word for word in text.split() if word not in FLAGS)
