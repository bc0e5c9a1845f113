#!/usr/bin/env python3
"""Tests that check_layers.py finds each kind of fault, with small source trees that have one fault each."""
import subprocess
import sys
import tempfile
from pathlib import Path

CHECK = Path(__file__).with_name("check_layers.py")
ROOMS = "shared/base|\nshared/physics|shared/base\nserver|shared/base\nclient|shared/base\nclient/app|client\n"
BASE = {"shared/base/a.h": "#pragma once\n", "shared/physics/world.h": '#include "shared/base/a.h"\n'}

FAULTS = {
    "undeclared room": ({"client/c.cpp": '#include "shared/physics/world.h"\n'}, "does not list shared/physics"),
    "upward include": ({"shared/base/b.h": '#include "shared/physics/world.h"\n'}, "does not list"),
    "outer room includes inner": ({"client/app/x.h": "", "client/c.cpp": '#include "client/app/x.h"\n'}, "does not list client/app"),
    "SDL in the server": ({"server/s.cpp": "#include <SDL2/SDL.h>\n"}, "belongs in"),
    "ENet outside its files": ({"server/s.cpp": "#include <enet/enet.h>\n"}, "belongs in"),
    "relative include": ({"server/s.cpp": '#include "s.h"\n', "server/s.h": ""}, "repository's root"),
    "a clock in the engine": ({"shared/physics/p.cpp": "#include <chrono>\n"}, "a clock"),
    "libm in the engine": ({"shared/physics/p.cpp": "float f() { return std::sin(1.0f); }\n"}, "libm"),
    "a socket in the server": ({"server/s.cpp": "#include <sys/socket.h>\n"}, "net::Io"),
    "a result that depends on a piece's size": (
        {"shared/physics/p.cpp": "constexpr int pairs_per_piece = 8;\nfloat f() { return 2.0f * pairs_per_piece; }\n"},
        "p.cpp:2: pairs_per_piece may only divide work"),
    "a result that depends on an island's size": (
        {"shared/physics/p.cpp": "void f(C& c) {\n  if (c.is_large) return;\n}\n"}, "p.cpp:2: is_large may only divide work"),
    "a result that depends on the number of threads": (
        {"shared/physics/p.cpp": "int f(P& p) { return p.threads(); }\n"}, "p.cpp:1: threads() may only divide work"),
    "threads in the protocol": ({"protocol/p.cpp": "#include <mutex>\n"}, "belongs in"),
}


def run(files):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in {**BASE, **files}.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        (root / "rooms.txt").write_text(ROOMS)
        result = subprocess.run([sys.executable, CHECK, root, root / "rooms.txt"],
                                capture_output=True, text=True)
        return result.returncode, result.stdout


def main():
    failures = 0
    code, output = run({})
    if code != 0:
        print(f"a clean tree fails the check:\n{output}")
        failures += 1
    for name, (files, expected) in FAULTS.items():
        code, output = run(files)
        if code == 0 or expected not in output:
            print(f"not caught: {name}\n{output}")
            failures += 1
    print(f"{len(FAULTS)} faults tried, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
