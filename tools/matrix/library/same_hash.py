#!/usr/bin/env python3
"""Builds one world through C, C++ and Python, and compares its hash after 600 steps.

usage: same_hash.py BUILD_DIR CC CXX        uses the library of a build folder
       same_hash.py --installed CC CXX      uses the installed library

The world has a pyramid that a ball hits, and an arm with a motor. Prints the hash. The exit code is 0 if the three
programs print the same one, 1 otherwise. Needs an interpreter with NumPy.
"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def output(command, env):
    return subprocess.run([str(word) for word in command], env=env, check=True, capture_output=True, text=True).stdout.strip()


def hashes(build, cc, cxx):
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    if build == "--installed":
        flags = output(["pkg-config", "--cflags", "--libs", "jostle"], env).split()
    else:
        library = str(Path(build).resolve() / "api")
        env |= {"LD_LIBRARY_PATH": library, "JOSTLE_LIBRARY_PATH": library, "PYTHONPATH": str(Path(build).resolve() / "python")}
        flags = [f"-I{HERE.parents[2]}/api/include", f"-L{library}", "-ljostle"]
    found = {"Python": output([sys.executable, HERE / "world.py"], env)}
    with tempfile.TemporaryDirectory() as folder:
        for name, command in (("C", [cc, "-std=c11", HERE / "world.c"]), ("C++", [cxx, "-std=c++20", HERE / "world.cpp"])):
            program = Path(folder) / "program"
            subprocess.run([*command, *flags, "-o", program], check=True)
            found[name] = output([program], env)
    return found


def main():
    found = hashes(*sys.argv[1:4])
    if len(set(found.values())) == 1:
        print(found["C"])
        return 0
    for name, value in found.items():
        print(f"{name}: {value}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
