#!/usr/bin/env python3
"""Compiles and runs the C snippets of a guide.

usage: guide_test.py SOURCE_DIR LIBRARY_DIR CC GUIDE LIBRARY...
The snippets form one program: each continues the ones before it. A snippet that begins with a line
`#include` or `static` stands outside of main().
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE, LIBRARY, CC, GUIDE = sys.argv[1:5]
LIBRARIES = sys.argv[5:]
SNIPPET = re.compile(r"^```c\n(.*?)^```$", re.M | re.S)


def main():
    snippets = SNIPPET.findall((Path(SOURCE) / "docs" / GUIDE).read_text())
    outer = [snippet for snippet in snippets if snippet.startswith(("#include", "static"))]
    inner = [snippet for snippet in snippets if snippet not in outer]
    if len(outer) < 2 or len(inner) < 5:
        print(f"only {len(outer)} and {len(inner)} snippets found")
        return 1
    text = "".join(outer) + "int main(void) {\n" + "\n".join(inner) + "  return 0;\n}\n"
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "guide.c", Path(folder) / "guide"
        source.write_text(text)
        subprocess.run([CC, "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{SOURCE}/api/include",
                        source, f"-L{LIBRARY}", *(f"-l{name}" for name in LIBRARIES), f"-Wl,-rpath,{LIBRARY}", "-o", program], check=True)
        done = subprocess.run([program], capture_output=True, text=True, cwd=folder)
    print(done.stdout, done.stderr, sep="")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
