#!/usr/bin/env python3
"""Tests cross-platform determinism: each of two builds verifies recordings of the other.

usage: two_machines_test.py BIN_DIR SOURCE_DIR OTHER_COMMAND...
OTHER_COMMAND runs the tool of the other build, for example an emulator with its options and the program.
"""
import sys
import tempfile
import unittest
from pathlib import Path

from harness import TOOL, run

OTHER = sys.argv[3:]
HERE, THERE = [TOOL], OTHER
# Scenes with and without joints, force fields and particles, in which players are balls, figures or
# cars. One has an injected fault.
RUNS = {
    "crates": (), "ragdolls": (), "cars": (), "particles": (), "magnets": (), "walk": (), "sorter": (),
    "tower": ("--inject", "ulp:184:14:linear_velocity.y"),
}


def record(program, scene, path):
    recorded = run(*program, "record", "--scene", scene, "--seed", "11", "--players", "2", "--ticks", "300", *RUNS[scene],
                   "-o", path, timeout=600)
    assert recorded.returncode == 0, recorded.stderr
    return recorded.stdout.split("hash ")[1].strip()


class TwoMachines(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_the_two_builds_differ(self):
        here, there = (run(*program, "--version").stdout for program in (HERE, THERE))
        self.assertNotEqual(here, there)
        print(f"here:  {here.strip()}\nthere: {there.strip()}")

    def test_each_build_verifies_recordings_of_the_other(self):
        for scene in RUNS:
            with self.subTest(scene):
                here, there = (self.folder / f"{scene}.{place}.jrec" for place in ("here", "there"))
                self.assertEqual(record(HERE, scene, here), record(THERE, scene, there))
                for program, path in ((THERE, here), (HERE, there)):
                    verified = run(*program, "verify", path, timeout=600)
                    self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
                    self.assertIn("300 ticks agree", verified.stdout)
                    print(verified.stdout.strip().replace(f"{self.folder}/", ""))
                same = run(TOOL, "diff", here, there)
                self.assertEqual(same.returncode, 0, same.stdout)
                self.assertIn("300 ticks in common, equal in inputs and states", same.stdout)

    def test_both_builds_locate_the_same_difference(self):
        good, bad = self.folder / "good.jrec", self.folder / "bad.jrec"
        for path, fault in ((good, ()), (bad, ("--inject", "ulp:40:14:linear_velocity.y"))):
            recorded = run(TOOL, "record", "--scene", "tower", "--players", "2", "--ticks", "60", *fault, "-o", path)
            self.assertEqual(recorded.returncode, 0, recorded.stderr)
        here, there = (run(*program, "diff", good, bad, timeout=600) for program in (HERE, THERE))
        self.assertEqual(here.returncode, 1)
        self.assertEqual((there.returncode, there.stdout), (here.returncode, here.stdout))
        self.assertIn("linear_velocity.y", there.stdout)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
