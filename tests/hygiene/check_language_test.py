#!/usr/bin/env python3
"""Tests that check_language.py finds each kind of fault in small trees, and none in correct texts."""
import subprocess
import sys
import tempfile
from pathlib import Path

CHECK = Path(__file__).with_name("check_language.py")
LONG = "The server " + "really " * 45 + "waits."

FAULTS = {
    "a headless What": ({"a.h": "// What the server sends.\n"}, "headless"),
    "a headless Of": ({"a.h": "/// Of the client, in metres.\n"}, "headless"),
    "a headless Who in FlatBuffers": ({"a.fbs": "// Who plays.\n"}, "headless"),
    "a headless Where in CMake": ({"CMakeLists.txt": "# Where it is missing, nothing happens.\n"}, "headless"),
    "a headless comment in Python": ({"a.py": "# Whose turn it is.\nx = 1\n"}, "headless"),
    "a headless docstring": ({"a.py": '"""What it does."""\n'}, "headless"),
    "a headless sentence behind another": ({"a.h": "// Sends a packet. Who is late gets none.\n"}, "headless"),
    "a headless sentence in docs": ({"a.md": "Text. What is lost is sent again.\n"}, "headless"),
    "a person for a program": ({"a.h": "// Sends it to everybody.\n"}, "persons (everybody)"),
    "who for a peer": ({"a.cpp": "// The peer who sent it.\n"}, "persons (who)"),
    "a person in a message": ({"a.cpp": 'const char* m = "somebody else has the port";\n'}, "persons (somebody)"),
    "a person in a table": ({"a.md": "| a | nobody asks |\n"}, "persons (nobody)"),
    "a long sentence in docs": ({"a.md": LONG + "\n"}, "length"),
    "a long sentence in a list": ({"a.md": "- " + LONG + "\n"}, "length"),
    "a long sentence over two lines": ({"a.h": "// " + LONG.replace("waits", "\n// waits") + "\n"}, "length"),
}
FINE = {
    "a question": {"a.md": "Who may join? Clients with a token.\n"},
    "people": {"a.md": "Players who shoot, and users who watch.\n"},
    "code in docs": {"a.md": "Text.\n\n```sh\n# What a comment in code says\nwho\n```\n"},
    "an identifier": {"a.h": "// Calls `who()`.\n"},
    "an equation": {"a.h": "// The law is\n//   " + "x + " * 60 + "x\n// where x is a speed.\n"},
    "data": {"a.json": '{"description": "What nobody reads"}\n'},
    "a heading": {"a.md": "# What is new\n\nText.\n"},
}


def run(files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {"ok.h": "// Sends a packet.\n", **files}.items():
            (Path(folder) / name).write_text(text)
        result = subprocess.run([sys.executable, CHECK, folder], capture_output=True, text=True)
        return result.returncode, result.stdout + result.stderr


def main():
    failures = 0
    for name, (files, expected) in FAULTS.items():
        code, output = run(files)
        if code == 0 or expected not in output:
            print(f"not caught: {name}\n{output}")
            failures += 1
    for name, files in FINE.items():
        code, output = run(files)
        if code != 0:
            print(f"wrongly refused: {name}\n{output}")
            failures += 1
    print(f"{len(FAULTS) + len(FINE)} texts, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
