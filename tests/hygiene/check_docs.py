#!/usr/bin/env python3
"""Checks that the paths named in the documentation exist.

usage: check_docs.py SOURCE_DIR
Reads *.md and docs/*.md: relative links, and `code spans` that look like paths in the repository. In the tables of
docs/EQUATIONS.md, also checks that the functions are in their files, and that the tests and laws exist.
"""
import re
import sys
from pathlib import Path

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
SPAN = re.compile(r"`([^`\n]+)`")
TOPS = ("server", "client", "protocol", "shared", "tests", "docs", "scenes", "tools", "bench", "cmake")
PATH = re.compile(r"^(?:%s)/[\w./*-]*$" % "|".join(TOPS))


def exists(source, text):
    name = text.rstrip("/")
    if "*" in name:
        return any(source.glob(name))
    # "shared/net/enet_platform" may stand for its .h and .cpp.
    return (source / name).exists() or any(source.glob(name + ".*"))


TEST = re.compile(r"\bTEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\)")
CALLABLE = re.compile(r"^(?:\w+::)?\w+$")


def check_equations(source):
    """Returns the problems of docs/EQUATIONS.md, and the number of names checked."""
    page = source / "docs" / "EQUATIONS.md"
    if not page.exists():
        return [], 0
    tests = set()
    for file in (source / "tests").rglob("*.cpp"):
        tests.update(".".join(name) for name in TEST.findall(file.read_text()))
    laws = set(re.findall(r"^\| (\d+) \|", (source / "docs" / "ACCURACY.md").read_text(), re.MULTILINE))
    problems, checked = [], 0
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if not line.startswith("| "):
            continue
        where = f"docs/EQUATIONS.md:{number}"
        spans = SPAN.findall(line)
        files = [source / span for span in spans if PATH.match(span) and (source / span).is_file()]
        text = "\n".join(file.read_text() for file in files)
        for span in spans:
            if "." in span and "/" not in span:
                checked += 1
                if span not in tests:
                    problems.append(f"{where}: no such test: {span}")
            elif files and CALLABLE.match(span):
                checked += 1
                if not re.search(rf"\b{re.escape(span)}\b", text):
                    problems.append(f"{where}: {span} is not in the file")
        for law in re.findall(r"\blaw (\d+)\b", line):
            checked += 1
            if law not in laws:
                problems.append(f"{where}: no such law: {law}")
    return problems, checked


def main():
    source = Path(sys.argv[1])
    documents = [*sorted(source.glob("*.md")), *sorted((source / "docs").glob("*.md"))]
    problems, checked = [], 0
    for document in documents:
        for number, line in enumerate(document.read_text().splitlines(), 1):
            where = f"{document.relative_to(source)}:{number}"
            for target in LINK.findall(line):
                if "://" in target:
                    continue
                checked += 1
                if not (document.parent / target).exists():
                    problems.append(f"{where}: no such file: {target}")
            for span in SPAN.findall(line):
                if PATH.match(span):
                    checked += 1
                    if not exists(source, span):
                        problems.append(f"{where}: no such path: {span}")
    wrong, named = check_equations(source)
    problems += wrong
    checked += named
    for problem in problems:
        print(problem)
    print(f"{len(documents)} documents, {checked} paths, {len(problems)} problems")
    return 1 if problems or checked == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
