#!/usr/bin/env python3
"""Checks that the C ABI keeps what docs/VERSIONS.md promises to programs of earlier releases.

usage: promise_test.py SOURCE_DIR [--release]
tests/api/released/X.Y has the tables of the first release X.Y.0: layout of structs, symbols, constants
and signatures. --release writes those of the present state for the version of CMakeLists.txt.
"""
import re
import shutil
import sys
import unittest
from pathlib import Path

SOURCE = Path(sys.argv[1])
sys.path.insert(0, str(SOURCE / "python"))
import c_headers as headers  # noqa: E402

INCLUDE, TABLES = SOURCE / "api/include", SOURCE / "tests/api"
RELEASED = TABLES / "released"
COPIED = ("layout.txt", "symbols.txt", "symbols_client.txt")
# Numbers that may grow: of the version, and limits and sizes that a later library raises.
MAY_GROW = re.compile(r"JOSTLE_(VERSION_|MAX_)|\w+_COUNT$")


def version():
    return re.search(r"^project\(jostle VERSION ([\d.]+)", (SOURCE / "CMakeLists.txt").read_text(), re.M)[1]


def own_lines():
    """Returns the present constants and signatures as lines of a table."""
    _, functions, aliases = headers.read_headers(INCLUDE)
    lines = [f"constant {name} {value}" for name, value in headers.read_constants(INCLUDE).items()]
    for function in functions:
        lines.append(f"function {function.result} {function.name}({', '.join(kind for kind, _ in function.parameters)})")
    for name, (result, kinds) in headers.read_callbacks(INCLUDE).items():
        lines.append(f"callback {result} {name}({', '.join(kinds)})")
    lines += [f"type {name} {kind}" for name, kind in aliases.items()]
    return sorted(lines)


def structs_of(table):
    """Returns the sizes and the offsets of the members of the structs in a table of layouts."""
    structs = {}
    for line in table.splitlines():
        name, number = line.split()
        if not line.startswith(" "):
            structs[name] = last = {"": int(number)}
        else:
            last[name] = int(number)
    return structs


def broken_layout(old, new):
    """Returns why a program that was compiled with the old table does not work with the new one."""
    why = []
    for name, members in structs_of(old).items():
        now = structs_of(new).get(name)
        if now is None:
            why.append(f"struct {name} is missing")
            continue
        why += [f"{name}.{member} moved from {offset} to {now.get(member)}" for member, offset in members.items()
                if member and now.get(member) != offset]
        # Only structs that begin with their size may grow.
        may_grow = "size" in members and members["size"] == 0
        if now[""] != members[""] and not (may_grow and now[""] > members[""]):
            why.append(f"{name} has {now['']} bytes instead of {members['']}")
    return why


def broken_lines(old, new):
    """Returns the lines of an old table that the new one lacks, except numbers that have grown."""
    now, why = set(new), []
    numbers = dict(line.split()[1:] for line in new if line.startswith("constant "))
    for line in old:
        words = line.split()
        grows = words[0] == "constant" and MAY_GROW.match(words[1]) and int(numbers.get(words[1], -1)) >= int(words[2])
        if line not in now and not grows:
            why.append(line)
    return why


class Promise(unittest.TestCase):
    def test_programs_of_earlier_releases_of_this_major_version_keep_working(self):
        major = version().split(".")[0]
        folders = [folder for folder in RELEASED.iterdir() if folder.name.split(".")[0] == major]
        self.assertTrue(folders)
        for folder in folders:
            self.assertEqual([], broken_layout((folder / "layout.txt").read_text(), (TABLES / "layout.txt").read_text()))
            for table in COPIED[1:]:
                self.assertEqual([], broken_lines((folder / table).read_text().splitlines(),
                                                  (TABLES / table).read_text().splitlines()), folder.name)
            self.assertEqual([], broken_lines((folder / "declarations.txt").read_text().splitlines(), own_lines()))

    def test_headers_have_the_version_of_the_project(self):
        values = headers.read_constants(INCLUDE)
        parts = [values[f"JOSTLE_VERSION_{part}"] for part in ("MAJOR", "MINOR", "PATCH")]
        self.assertEqual(version(), ".".join(map(str, parts)))

    def test_the_release_of_this_version_is_recorded(self):
        self.assertTrue((RELEASED / ".".join(version().split(".")[:2])).is_dir(), "run promise_test.py --release")

    def test_the_check_finds_what_breaks_programs(self):
        old = "jostle_a 16\n  size 0\n  x 8\njostle_b 8\n  x 0\n"
        self.assertEqual([], broken_layout(old, "jostle_a 24\n  size 0\n  x 8\n  y 16\njostle_b 8\n  x 0\n"))
        for new, words in (("jostle_a 16\n  size 0\n  x 8\n", "jostle_b is missing"),
                           ("jostle_a 24\n  size 0\n  x 16\njostle_b 8\n  x 0\n", "jostle_a.x moved from 8 to 16"),
                           (old.replace("jostle_b 8", "jostle_b 16"), "jostle_b has 16 bytes instead of 8")):
            self.assertIn(words, " ".join(broken_layout(old, new)))
        lines = ["constant JOSTLE_MAX_WORLDS 5", "constant JOSTLE_OK 0", "function int jostle_f(int)"]
        self.assertEqual([], broken_lines(lines, ["constant JOSTLE_MAX_WORLDS 6", *lines[1:], "function int jostle_g(int)"]))
        self.assertEqual(lines[:2], broken_lines(lines, ["constant JOSTLE_MAX_WORLDS 4", "constant JOSTLE_OK 1", lines[2]]))
        self.assertEqual(lines[2:], broken_lines(lines, [*lines[:2], "function int jostle_f(float)"]))


def write_release():
    folder = RELEASED / ".".join(version().split(".")[:2])
    folder.mkdir(parents=True, exist_ok=True)
    for table in COPIED:
        shutil.copy(TABLES / table, folder / table)
    (folder / "declarations.txt").write_text("\n".join(own_lines()) + "\n")


if __name__ == "__main__":
    if sys.argv[2:] == ["--release"]:
        write_release()
        sys.exit(0)
    unittest.main(argv=sys.argv[:1])
