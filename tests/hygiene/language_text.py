"""Extracts the prose of a file: comment blocks, string literals and paragraphs of documentation.

Every extractor yields (line number, text) pairs. The text has no comment markers and no line breaks.
"""
import io
import re
import tokenize

CPP_TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"([^(\n]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.S)
CPP_MARK = re.compile(r"^//[/!]*<?\s?|^/\*+|\*/$")
FENCE = re.compile(r"^\s*(```|~~~)")
LIST_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+")


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def cpp_comments(text):
    """Yields the comment blocks of C++ or FlatBuffers: consecutive lines that hold only a comment are one block."""
    block, last = [], None
    for match in CPP_TOKEN.finditer(text):
        word = match.group()
        if not word.startswith(("//", "/*")):
            continue
        begin = text.rfind("\n", 0, match.start()) + 1
        alone = not text[begin:match.start()].strip()
        line = line_of(text, match.start())
        body = " ".join(CPP_MARK.sub("", part.strip()).rstrip() for part in word.split("\n"))
        if block and alone and line == last + 1:
            block.append((line, body))
        else:
            if block:
                yield block
            block = [(line, body)]
        last = line
    if block:
        yield block


def cpp_strings(text):
    for match in CPP_TOKEN.finditer(text):
        word = match.group()
        if word.startswith('"'):
            yield line_of(text, match.start()), word[1:-1]


def hash_comments(text):
    """Yields the comment blocks of shell and CMake files: whole lines only, as `#` in a line may mean anything."""
    block = []
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        if stripped.startswith("#") and not stripped.startswith("#!"):
            block.append((number, re.sub(r"^#+ ?", "", stripped)))
        elif block:
            yield block
            block = []
    if block:
        yield block


def python_comments(text):
    """Yields the comment blocks and docstrings of a Python file."""
    block, last, fresh = [], None, True
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and not token.string.startswith("#!"):
            alone = not token.line[:token.start[1]].strip()
            if block and alone and token.start[0] == last + 1:
                block.append((token.start[0], re.sub(r"^#+ ?", "", token.string)))
            else:
                if block:
                    yield block
                block = [(token.start[0], re.sub(r"^#+ ?", "", token.string))]
            last = token.start[0]
        elif token.type == tokenize.STRING and fresh and token.string.lstrip("rRbBfF").startswith('"""'):
            body = token.string.lstrip("rRbBfF").strip('"')
            yield [(token.start[0] + i, part.strip()) for i, part in enumerate(body.split("\n\n")[0].split("\n"))]
        if token.type not in (tokenize.COMMENT, tokenize.NL):
            fresh = token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING)
    if block:
        yield block


def prose_runs(block):
    """Splits a block into runs of prose at indented lines (an equation, a table, code) and list items."""
    runs, run = [], []
    for _, text in block:
        if text.startswith("  ") or not text.strip():
            runs.append(run)
            run = []
        elif LIST_ITEM.match(text):
            runs.append(run)
            run = [LIST_ITEM.sub("", text)]
        else:
            run.append(text.strip())
    runs.append(run)
    return [" ".join(lines) for lines in runs if lines]


def sentences(text):
    """Splits prose after full stops, question marks and exclamation marks."""
    return [part for part in re.split(r"(?<=[.?!])[\"')\]]*\s+(?=[A-Z`\"'(\[*\d])", text) if part.strip()]


def doc_paragraphs(text):
    """Yields the paragraphs and list items of Markdown, without code blocks, headings, tables and pictures."""
    block, fenced = [], False
    for number, line in enumerate(text.split("\n"), 1):
        if FENCE.match(line):
            fenced = not fenced
            line = ""
        if fenced:
            continue
        stripped = re.sub(r"^\s*>\s?", "", line).strip()
        ends = (not stripped or stripped.startswith(("#", "|", "<!--", "!["))
                or LIST_ITEM.match(line))
        if ends and block:
            yield block
            block = []
        if stripped and not stripped.startswith(("#", "|", "<!--", "![")):
            block.append((number, LIST_ITEM.sub("", line).strip()))
    if block:
        yield block


def doc_cells(text):
    """Yields the cells of Markdown tables, with their line numbers."""
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        if FENCE.match(line):
            fenced = not fenced
        if not fenced and line.strip().startswith("|"):
            for cell in line.strip().strip("|").split("|"):
                yield number, cell.strip()
