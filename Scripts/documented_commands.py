# SPDX-License-Identifier: Apache-2.0
"""Finds the shell commands of the documentation, for `Scripts/check-commands`."""
import collections
import re
import shlex
import subprocess

FENCE = re.compile(r"((?: |> ?)*)(```+|~~~+)\s*([^\s`]*)[^`]*$")
# What a line that is a command begins with, where nothing says that it is one.
COMMAND = re.compile(
    r"\s*(\$ \S|sudo \S|make( [a-z]+)+( *#|$)|santorio(-gateway)? [a-z-]+|Scripts/\S|swift (build|run|test|package) ?|"
    r"git clone|apt(-get)? install|systemctl |[A-Z_]+=\S+ (make|swift|Scripts/))")
SPAN = re.compile(r"(?<!`)(`+)(?!`)((?:(?!\n\s*\n).)+?)(?<!`)\1(?!`)", re.S)

Block = collections.namedtuple("Block", "path line commands")
# The output is that of a console's block, None in others.
Command = collections.namedtuple("Command", "line text output")
Span = collections.namedtuple("Span", "path line text")


class Document:
    """The blocks and the code spans of one document, and what is wrong with its blocks."""

    def __init__(self, path, text):
        self.path, self.blocks, self.faults = path, [], []
        prose, fence = [], None
        lines = text.splitlines()
        for number, line in enumerate(lines, 1):
            mark = FENCE.match(line)
            if fence and mark and mark[2] == fence and not mark[3]:
                self._finish(language, first, found)
                fence = None
            elif fence:
                found.append(line[min(indentation, len(line) - len(line.lstrip(" >"))):])
            elif mark:
                indentation, fence, language, first, found = len(mark[1]), mark[2], mark[3], number + 1, []
            elif line.startswith("    ") and COMMAND.match(line):
                self.fault(number, f"a command in a block that is only indented; put it into a fence with the label sh\n  {line.strip()}")
            prose.append("" if fence or mark else line)
        self.spans = list(self._spans("\n".join(prose)))
        self.prose = prose

    def fault(self, line, message):
        self.faults.append(f"{self.path}:{line}: {message}")

    def _finish(self, language, first, lines):
        if language in ("sh", "console"):
            commands = list((self._console if language == "console" else self._script)(first, lines))
            self.blocks.append(Block(self.path, first, commands))
        elif language in ("bash", "shell", "zsh", "shell-session"):
            self.fault(first, f"the label {language}; use sh, or console where output is shown, too")
        elif language in ("", "text"):
            for number, line in enumerate(lines, first):
                if COMMAND.match(line):
                    self.fault(number, "a command in a block without the label sh, or console where output is shown, too\n  " + line.strip())
                    break

    def _script(self, first, lines):
        """The commands of a block, each with the lines that continue it."""
        begun, start = [], first
        for number, line in enumerate(lines, first):
            if not begun and (not line.strip() or line.lstrip().startswith("#")):
                continue
            if not begun and line.startswith("$ "):
                self.fault(number, "a prompt in a block with the label sh; use console where output is shown, and no prompt elsewhere")
                return
            start = start if begun else number
            begun.append(line)
            error = incomplete("\n".join(begun))
            if error is None:
                yield Command(start, "\n".join(begun), None)
                begun = []
        if begun:
            self.fault(start, "not a complete command: " + error)

    def _console(self, first, lines):
        command, output, start = None, [], first
        for number, line in enumerate(lines, first):
            if line.startswith("$ "):
                if command:
                    yield Command(start, command, output)
                command, output, start = line[2:], [], number
            elif command is None:
                self.fault(number, "the block has the label console and does not begin with a prompt, \"$ \"")
                return
            elif line.startswith("> ") and not output:
                command += "\n" + line[2:]
            else:
                output.append(line)
        if command:
            yield Command(start, command, output)

    def _spans(self, text):
        for match in SPAN.finditer(text):
            yield Span(self.path, text.count("\n", 0, match.start()) + 1, " ".join(match[2].split()))

    def columns(self, heading):
        """The code spans in the first column of tables with that heading."""
        inside = False
        for number, line in enumerate(self.prose, 1):
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.lstrip().startswith("|") else []
            if not cells:
                inside = False
            elif cells[0].startswith(heading):
                inside = cells[0]
            elif inside:
                for match in SPAN.finditer(cells[0]):
                    yield inside, Span(self.path, number, match[2].strip())


def incomplete(text):
    """What bash says of the text as a whole command, or None."""
    if text.rstrip("\n").endswith("\\"):
        return "the last line continues"
    checked = subprocess.run(["bash", "-n"], input=text + "\n", capture_output=True, text=True)
    return checked.stderr.strip() or None


def words(text):
    """The words of a command of one line without assignments, comments and sudo; None where it is none."""
    try:
        found = shlex.split(text, comments=True)
    except ValueError:
        return None
    while found and (re.match(r"[A-Za-z_]+=", found[0]) or found[0] == "sudo"):
        if found.pop(0) == "sudo" and found[:1] == ["-u"]:
            del found[:2]
    return found


def form(lines):
    """A regular expression of output that has the form of the lines that are shown.

    Numbers and identifiers are others each time. A line "…" stands for any lines, and "…" within one for any text."""
    parts = []
    for line in lines:
        if line.strip() == "…":
            parts.append(r"(?:.*\n)*?")
            continue
        words = line.split()
        indented = r"\s+" if line[:1] == " " else ""
        parts.append(indented + r"[ \t]+".join(map(_word, words)) + r"[ \t]*\n")
    return "".join(parts)


def _word(word):
    if word == "…":
        return ".*"
    if "…" in word:
        return r"\S+"
    escaped = re.split(r"([0-9A-Fa-f-]{8,}|[0-9]+\.[0-9]+|[0-9]+)", word)
    return "".join(re.escape(part) if place % 2 == 0 else _number(part) for place, part in enumerate(escaped))


def _number(text):
    if not any(map(str.isdigit, text)):
        return re.escape(text)
    if "." in text:
        # A whole number is written without a point.
        return r"[0-9]+(?:\.[0-9]+)?"
    return r"[0-9]+" if text.isdigit() and len(text) < 8 else r"[0-9A-Fa-f-]+"
