#!/usr/bin/env python3
"""Runs the wide suite of `jostle bench physics` for one step per scene and checks its lines.

usage: wide_suite_test.py BIN_DIR SOURCE_DIR
"""
import json
import shutil
import subprocess
import sys
import unittest

from harness import SOURCE, TOOL, run

SUITE = [TOOL, "bench", "physics", "--suite", "wide", "--steps", "1"]


def lines_of(*options):
    result = run(*SUITE, "--json", *options)
    assert result.returncode == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


class WideSuite(unittest.TestCase):
    def test_prints_one_line_per_family_and_a_summary(self):
        *scenes, summary = lines_of("--seed", "5")
        self.assertGreaterEqual(len(scenes), 24)
        self.assertEqual(summary["seed"], 5)
        self.assertEqual(summary["scenes"], len(scenes))
        self.assertGreater(summary["mean_ms"], 0)
        for scene in scenes:
            self.assertTrue(scene["scene"].endswith("@5"), scene["scene"])
            self.assertGreater(scene["v_max"] + scene["y_max"], 0)
            self.assertLessEqual(scene["y_min"], scene["y_max"])
            self.assertIn("energy_gain_share", scene)
        balanced = [scene for scene in scenes if scene["energy_gain_share"] is not None]
        self.assertNotIn("drums@5", [scene["scene"] for scene in balanced])
        self.assertIn("rods@5", [scene["scene"] for scene in balanced])

    def test_with_bullet_prints_quotients(self):
        if run(*SUITE, "--peer", "bullet", "--json").returncode == 2:
            self.skipTest("this program was built without Bullet")
        lines = lines_of("--peer", "bullet", "--seed", "6")
        names = [(line.get("engine") or line.get("quotient"), line["scene"]) for line in lines[:3]]
        self.assertEqual(names, [(name, "sizes@6") for name in ("jostle", "bullet", "jostle/bullet")])
        self.assertGreater(lines[-1]["mean_quotient"], 0)
        self.assertGreater(lines[-1]["p99_quotient"], 0)

    def test_default_seed_is_a_commit_of_the_engine(self):
        if not shutil.which("git"):
            self.skipTest("git is not installed")
        # The seed is that of the last commit at the time of the build, which may be older than the checkout.
        log = subprocess.run(["git", "-C", str(SOURCE), "log", "--format=%H", "--", "shared/physics"],
                             capture_output=True, text=True, check=False)
        seed = lines_of()[-1]["seed"]
        if log.returncode != 0 or not log.stdout.strip():
            self.skipTest("not a checkout")
        self.assertIn(seed, [int(commit[:8], 16) for commit in log.stdout.split()])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
