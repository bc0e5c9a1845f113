#!/usr/bin/env python3
"""Compiles and runs the C snippets of a guide, and compiles its C++ programs.

usage: guide_test.py SOURCE_DIR LIBRARY_DIR CC CXX GUIDE LIBRARY...
The C snippets form one program: each continues the ones before it. A snippet that begins with a
line `#include` or `static` stands outside of main(). A C++ snippet that begins with `#include` is a program.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE, LIBRARY, CC, CXX, GUIDE = sys.argv[1:6]
LIBRARIES = sys.argv[6:]
SNIPPET = re.compile(r"^```c\n(.*?)^```$", re.M | re.S)
CXX_SNIPPET = re.compile(r"^```cpp\n(.*?)^```$", re.M | re.S)


def build(compiler, standard, source, program):
    subprocess.run([compiler, f"-std={standard}", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{SOURCE}/api/include", source,
                    f"-L{LIBRARY}", *(f"-l{name}" for name in LIBRARIES), f"-Wl,-rpath,{LIBRARY}", "-o", program], check=True)


def main():
    page = (Path(SOURCE) / "docs" / GUIDE).read_text()
    snippets = SNIPPET.findall(page)
    outer = [snippet for snippet in snippets if snippet.startswith(("#include", "static"))]
    inner = [snippet for snippet in snippets if snippet not in outer]
    if len(outer) < 2 or len(inner) < 5:
        print(f"only {len(outer)} and {len(inner)} snippets found")
        return 1
    text = "".join(outer) + "int main(void) {\n" + "\n".join(inner) + "  return 0;\n}\n"
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "guide.c", Path(folder) / "guide"
        source.write_text(text)
        build(CC, "c11", source, program)
        for number, snippet in enumerate(CXX_SNIPPET.findall(page)):
            if not snippet.startswith("#include"):
                continue
            other = Path(folder) / f"guide{number}.cpp"
            other.write_text(snippet)
            build(CXX, "c++20", other, other.with_suffix(""))
        done = subprocess.run([program], capture_output=True, text=True, cwd=folder)
    print(done.stdout, done.stderr, sep="")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
