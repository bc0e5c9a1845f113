#!/usr/bin/env python3
"""Doxygen's input filter for the public headers, which write most comments as plain C comments.

usage: mark_comments.py HEADER

The filter marks comments of fields and enumerators as documentation. It makes the first comment of
a header the description of a topic, which contains everything that the header declares.
"""
import re
import sys
from pathlib import Path

# Fields that mean the same in every struct need no comment in the headers.
CONVENTIONS = {
    r"size_t size": "Size of this struct in bytes, which the caller or the function _default() sets.",
    r"uint32_t index, generation": "Number of the object. Zero bytes are the null handle.",
    r"uint32_t reserved": "Must be 0.",
    r"size_t \w+_stride": "Distance of two elements in bytes; 0: they follow each other directly.",
    r"size_t stride": "Distance of two elements in bytes; 0: they follow each other directly.",
}
# The topic of each folder, and of headers outside of the folders.
PARENTS = {"physics": "physics", "server": "server"}
BLOCK = re.compile(r"((?:typedef struct \w+|enum) \{)(.*?)(\n?\s*\})", re.S)
BEHIND = re.compile(r"([;,{]|\w) */\*(?!\*)")
BEFORE = re.compile(r"^( *)/\*(?!\*)", re.M)
SEVERAL = re.compile(r"^( *[\w ]+ )(\w+(?:, \w+)+); *(/\*\*<.*?\*/)", re.M | re.S)
VALUES = re.compile(r"^typedef int32_t (\w+);\nenum \{", re.M)
DEFAULT = re.compile(r"^JOSTLE_DEFINE_DEFAULT\((\w+)\)", re.M)
DEFAULT_FUNCTIONS = r"""jostle_result \1_default(\1* values);
/** Writes the default values of a struct with `size` bytes; \1_default() calls it. */
jostle_result \1_init(\1* values, size_t size);"""
INNER_MACRO = re.compile(r"^#define JOSTLE_(?:API|RULE_\w+).*?[^\\]\n", re.M | re.S)
FIRST_COMMENT = re.compile(r"\A(?:/\*(?!\*)(.*?)\*/|((?:///[^\n]*\n)+))", re.S)


def split(match):
    """Gives each of several fields of one declaration its comment."""
    kind, names, comment = match[1], match[2].split(", "), match[3]
    return " ".join(f"{kind}{name}; {comment}" for name in names)


def mark(block):
    body = block[2]
    for field, words in CONVENTIONS.items():
        body = re.sub(rf"^( *{field};)(?! */\*)", rf"\1 /**< {words} */", body, flags=re.M)
    body = BEHIND.sub(lambda match: match[1] + " /**<", body)
    body = SEVERAL.sub(split, body)
    return block[1] + BEFORE.sub(r"\1/**", body) + block[3]


def topic(path, comment):
    """Returns the comment that begins the topic of a header."""
    words = re.sub(r"^ *(?:\*|///) ?", "", comment, flags=re.M).strip()
    title = re.split(r"[:.,]", words, maxsplit=1)[0]
    place = path.as_posix().split("/jostle/")[1]
    name = re.sub(r"\W", "_", place)
    parent = "cpp" if path.suffix == ".hpp" else PARENTS.get(path.parent.name, "c")
    inner = f"\\defgroup {name} {title}\n\\ingroup {parent}\n\n\\code\n#include <jostle/{place}>\n\\endcode\n{words}\n\\{{"
    return f"/** \\file */\n/** {inner} */\n"


def main():
    path = Path(sys.argv[1])
    text = path.read_text()
    first = FIRST_COMMENT.match(text)
    if not first:
        sys.exit(f"{path}: the header must begin with a comment that describes it")
    text = text[first.end():]
    text = INNER_MACRO.sub("", text).replace("JOSTLE_API ", "")
    if path.suffix == ".h":
        text = DEFAULT.sub(DEFAULT_FUNCTIONS, text)
        text = VALUES.sub(r"typedef int32_t \1;\n/** The values of \1. */\nenum {", text)
        text = BLOCK.sub(mark, text)
    sys.stdout.write(topic(path, first[1] or first[2]) + text + "/** \\} */\n")


if __name__ == "__main__":
    main()
