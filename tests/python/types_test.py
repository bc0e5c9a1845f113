#!/usr/bin/env python3
"""Checks the type annotations of the Python package with mypy, as a user of the package would.

usage: types_test.py PYTHON_FOLDER
PYTHON_FOLDER contains the package `jostle`. Without mypy, the exit code is 77, and the test is skipped.
"""
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SKIPPED = 77
PACKAGE = sys.argv[1] if len(sys.argv) > 1 else ""
PROGRAM = """import jostle

world = jostle.World(gravity=(0, -9.81, 0))
box = world.create_body(jostle.Shape.box((0.5, 0.5, 0.5)), position=(0, 3, 0))
world.step(60)
height: float = box.position[1]
saved: bytes = world.save()


class Goals(jostle.Rule):
    name = "goals"

    def after_step(self, game: jostle.Game) -> None:
        game.show("score", game.tick)


def play(server: jostle.Server, client: jostle.Client) -> int:
    return len(server.game.world.contacts) + server.durable_tick + client.durable_tick
"""
# Each line is an error.
WRONG = """import jostle

jostle.World().step("sixty")
jostle.Shape.sphere("round")
jostle.Server("crates", rules=[int])
jostle.Client().poll() + 1
jostle.World().hash.upper()
"""


class TypesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_module(self, *arguments):
        env = {**os.environ, "MYPYPATH": PACKAGE, "PYTHONPATH": PACKAGE}
        done = subprocess.run([sys.executable, "-m", *map(str, arguments)], capture_output=True, text=True, env=env,
                              cwd=self.folder)
        return done.returncode, done.stdout + done.stderr

    def mypy(self, *arguments):
        return self.run_module("mypy", "--strict", "--cache-dir", self.folder / "cache", *arguments)

    def test_package_and_a_program_have_no_type_errors(self):
        program = self.folder / "program.py"
        program.write_text(PROGRAM)
        self.assertEqual((0, "Success: no issues found in 1 source file\n"), self.mypy(program))
        code, words = self.mypy("-p", "jostle")
        self.assertEqual(0, code, words)

    def test_wrong_types_of_a_program_are_found(self):
        program = self.folder / "wrong.py"
        program.write_text(WRONG)
        code, words = self.mypy(program)
        self.assertEqual(1, code, words)
        for line in range(3, 8):
            self.assertIn(f"wrong.py:{line}: error:", words)

    def test_stub_of_the_c_api_agrees_with_its_module(self):
        code, words = self.run_module("mypy.stubtest", "jostle._abi")
        self.assertEqual(0, code, words)


if __name__ == "__main__":
    if importlib.util.find_spec("mypy") is None:
        print("skipped: mypy is missing; on Debian, install the package mypy")
        sys.exit(SKIPPED)
    unittest.main(argv=sys.argv[:1])
