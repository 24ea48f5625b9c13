# SPDX-License-Identifier: Apache-2.0
"""Reads the parts of Markdown that the scripts for the documentation need: blocks of code, code, links and headings."""
import re

# What comes first in the text counts: a link in a block of code is none.
TOKEN = re.compile(
    r"(?P<block>^(?P<indent>[ \t]*)(?P<fence>`{3,})[^\n]*\n.*?^[ \t]*(?P=fence)`*[ \t]*$)"
    r"|(?P<comment><!--.*?-->)"
    r"|(?P<code>(?<!`)(?P<ticks>`+)(?!`)(?P<content>.+?)(?<!`)(?P=ticks)(?!`))"
    r"|(?P<auto><(?P<address>(?:doc:|https?:|mailto:)[^<>\s]+)>)"
    r"|(?P<link>!?\[(?P<text>(?:`[^`]*`|\\.|[^\[\]\\`])*)\]\((?P<target><[^<>]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+\"[^\"]*\")?\))"
    r"|(?P<definition>^\[(?P<label>[^\]\n]+)\]:[ \t]*(?P<defined>\S+))",
    re.M | re.S)
HEADING = re.compile(r"^(#{1,6})[ \t]+(.*?)[ \t]*#*$", re.M)



def kind(match):
    return next(name for name in ("block", "comment", "code", "auto", "link", "definition") if match[name] is not None)


def without_blocks(text):
    """The text, with as many lines, without what stands in blocks of code."""
    return TOKEN.sub(lambda match: "\n" * match[0].count("\n") if kind(match) in ("block", "comment") else match[0], text)


def outside(text, change):
    """The text with `change` made to what stands in neither code nor links."""
    parts, end = [], 0
    for match in TOKEN.finditer(text):
        parts += [change(text[end:match.start()]), match[0]]
        end = match.end()
    return "".join(parts) + change(text[end:])


def links(text):
    """The number of the line, the target and the text of each link."""
    for match in TOKEN.finditer(text):
        target = {"auto": "address", "link": "target", "definition": "defined"}.get(kind(match))
        if target:
            yield text.count("\n", 0, match.start()) + 1, match[target].strip("<>"), match["text"] or match[target]


def plain(heading):
    """A heading as it is shown, without marks."""
    heading = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[`*]|(?<!\w)_|_(?!\w)", "", heading)


def headings(text):
    return [(len(match[1]), plain(match[2])) for match in HEADING.finditer(without_blocks(text))]


def fragment(heading):
    """The anchor that DocC gives to a heading; GitHub's is the same in lower case."""
    return re.sub(r"\s+", "-", re.sub(r"[^\w\s-]", "", heading.strip()))


def anchors(text):
    """GitHub's anchor of each heading, and DocC's; the second of a name gets a number."""
    found, count = {}, {}
    for _, heading in headings(text):
        name = fragment(heading).lower()
        number = count.get(name, 0)
        count[name] = number + 1
        found[f"{name}-{number}" if number else name] = fragment(heading)
    return found


def title(text):
    return next((heading for level, heading in headings(text) if level == 1), None)
