"""Reads the C headers of the API: structs, functions and constants.

The headers have a regular form, so that simple patterns suffice. Everything that does not match a
pattern is an error, so that no declaration is overlooked.
"""
import re
from pathlib import Path

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
STRUCT = re.compile(r"typedef struct (\w+) \{(.*?)\} (\w+);", re.S)
ALIAS = re.compile(r"typedef (\w+) (\w+);")
CALLBACK = re.compile(r"typedef (\w+) \(\*(\w+)\)\(([^;]*?)\);", re.S)
ENUM = re.compile(r"enum \{(.*?)\};", re.S)
FUNCTION = re.compile(r"JOSTLE_API ([\w ]+?\*?) ?(\w+)\(([^;]*?)\);", re.S)
DEFAULT = re.compile(r"JOSTLE_DEFINE_DEFAULT\((\w+)\)")
POINTER_MEMBER = re.compile(r"\w+ \(\*(\w+)\)\(.*\)", re.S)


class Struct:
    def __init__(self, name, members):
        self.name = name
        self.members = members  # pairs of a type and a name; the name may end with "[N]"


class Function:
    def __init__(self, result, name, parameters):
        self.result, self.name, self.parameters = result, name, parameters


def read_texts(folder):
    """Returns the texts of all headers without comments and lines of the preprocessor."""
    texts = {}
    for path in sorted(Path(folder).rglob("*.h")):
        text = COMMENT.sub(" ", path.read_text())
        text = re.sub(r"^\s*#(?:[^\n\\]|\\\n|\\.)*", "", text, flags=re.M)
        texts[path] = text
    return texts


def parse_members(body):
    members = []
    for part in filter(None, (p.strip() for p in body.split(";"))):
        pointer = POINTER_MEMBER.fullmatch(part)
        if pointer:
            members.append(("void*", pointer.group(1)))
            continue
        match = re.fullmatch(r"((?:const )?\w+\*?)\s+(.*)", part, re.S)
        if not match:
            raise ValueError(f"unknown form of a member: {part!r}")
        members += [(match.group(1), name.strip()) for name in match.group(2).split(",")]
    return members


def parse_parameters(text):
    text = " ".join(text.split())
    if text == "void":
        return []
    parameters = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*((?:const )?\w+\*{0,2}) ?(\w+)\s*", part)
        if not match:
            raise ValueError(f"unknown form of a parameter: {part!r}")
        parameters.append((match.group(1), match.group(2)))
    return parameters


def read_headers(folder):
    """Returns the structs, the functions, and the aliases of types as a dictionary."""
    structs, functions, aliases = [], [], {}
    for path, text in read_texts(folder).items():
        for name in DEFAULT.findall(text):
            functions.append(Function("jostle_result", f"{name}_init",
                                      [(f"{name}*", "values"), ("size_t", "size")]))
        text = DEFAULT.sub("", text)
        for match in STRUCT.finditer(text):
            structs.append(Struct(match.group(1), parse_members(match.group(2))))
        text = STRUCT.sub("", text)
        for match in FUNCTION.finditer(text):
            functions.append(Function(match.group(1), match.group(2), parse_parameters(match.group(3))))
        text = FUNCTION.sub("", text)
        for match in CALLBACK.finditer(text):
            aliases[match.group(2)] = "void*"
        text = CALLBACK.sub("", text)
        for match in ALIAS.finditer(text):
            aliases[match.group(2)] = match.group(1)
        text = ENUM.sub("", ALIAS.sub("", text))
        text = re.sub(r"static inline [^{]*\{[^}]*\}", "", text)
        rest = text.replace('extern "C" {', "").replace("}", "").strip()
        if rest:
            raise ValueError(f"{path}: declarations of an unknown form: {rest[:200]!r}")
    if not structs or not functions:
        raise ValueError(f"{folder}: no structs or no functions found")
    return structs, functions, aliases


def read_constants(folder):
    """Returns the values of the enumerators and of the macros that are numbers."""
    values = {}
    for path in sorted(Path(folder).rglob("*.h")):
        text = COMMENT.sub(" ", path.read_text())
        for name, value in re.findall(r"^#define (JOSTLE_\w+) (-?\d+)\s*$", text, re.M):
            values[name] = int(value)
        for body in ENUM.findall(text):
            for name, value in re.findall(r"(JOSTLE_\w+) = (-?\d+)", body):
                values[name] = int(value)
    return values


def read_callbacks(folder):
    """Returns the results and the types of the parameters of the callbacks by their names."""
    found = {}
    for text in read_texts(folder).values():
        for result, name, parameters in CALLBACK.findall(text):
            found[name] = (result, [kind for kind, _ in parse_parameters(parameters)])
    return found
