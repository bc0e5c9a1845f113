#!/usr/bin/env python3
"""Checks that the paths named in the documentation exist.

usage: check_docs.py SOURCE_DIR
Reads *.md and docs/*.md: relative links, and `code spans` that look like paths in the repository.
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
    for problem in problems:
        print(problem)
    print(f"{len(documents)} documents, {checked} paths, {len(problems)} problems")
    return 1 if problems or checked == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
