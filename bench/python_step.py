#!/usr/bin/env python3
"""Measures what a step of 1,000 bodies costs from Python beside C++: `./run bench python`.

usage: python_step.py BUILD_DIR SOURCE_DIR [--steps N]

Counts the instructions of both programs with Valgrind, which other load on the machine does not change. The cost of a
step is the difference of a long and a short run, divided by the difference of their steps. With --world-only,
this script is the Python program that is measured.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FIRST_STEPS = 5


def step_world(steps, reads):
    """The world of bench/python_step.cpp in Python."""
    import jostle
    world = jostle.World()
    world.create_body(jostle.Shape.plane(), motion="static")
    for i in range(1000):
        world.create_body(jostle.Shape.box((0.5, 0.5, 0.5)),
                          position=(1.1 * (i % 10), 0.6 + 1.1 * (i // 100), 1.1 * (i // 10 % 10)))
    for _ in range(steps):
        world.step()
        if reads:
            world.positions


def instructions(command, env):
    done = subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", *command],
                          capture_output=True, text=True, env=env)
    count = re.search(r"I +refs: +([\d,]+)", done.stderr)
    if done.returncode != 0 or not count:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return int(count[1].replace(",", ""))


def main():
    parser = argparse.ArgumentParser(description="cost of a step of 1,000 bodies from Python beside C++")
    parser.add_argument("build", type=Path)
    parser.add_argument("source", type=Path)
    parser.add_argument("--steps", type=int, default=25, help="steps that are measured (default 25)")
    given = parser.parse_args()
    library = given.build / "api"
    env = {**os.environ, "PYTHONPATH": str(given.build / "python"), "JOSTLE_LIBRARY_PATH": str(library),
           "PYTHONHASHSEED": "0", "LD_LIBRARY_PATH": str(library)}
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "python_step"
        subprocess.run(["c++", "-std=c++20", "-O2", f"-I{given.source}/api/include", given.source / "bench/python_step.cpp",
                        f"-L{library}", "-ljostle", "-o", program], check=True)
        for name, reads in (("step", []), ("step and read the poses of all bodies", ["read"])):
            costs = []
            for command in ([program], [sys.executable, __file__, "--world-only"]):
                counts = [instructions([*command, str(steps), *reads], env)
                          for steps in (FIRST_STEPS, FIRST_STEPS + given.steps)]
                costs.append((counts[1] - counts[0]) / given.steps)
            print(f"{name}: C++ {costs[0]:,.0f} instructions, Python {costs[1]:,.0f}, {costs[1] / costs[0] - 1:+.2%}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--world-only"]:
        step_world(int(sys.argv[2]), sys.argv[3:] == ["read"])
    else:
        main()
