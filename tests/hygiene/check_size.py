#!/usr/bin/env python3
"""Checks that no source file has more than 500 lines.

usage: check_size.py SOURCE_DIR
"""
import sys
from pathlib import Path

LIMIT = 500


def main():
    source = Path(sys.argv[1])
    problems, count = [], 0
    for top in ("shared", "api", "protocol", "server", "client", "tools", "tests", "bench", "examples"):
        for path in sorted((source / top).rglob("*")):
            if path.suffix not in (".h", ".cpp", ".py"):
                continue
            count += 1
            lines = path.read_text().count("\n")
            if lines > LIMIT:
                problems.append(f"{path.relative_to(source)}: {lines} lines")
    for problem in problems:
        print(problem)
    print(f"{count} files, {len(problems)} above {LIMIT} lines")
    return 1 if problems or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
