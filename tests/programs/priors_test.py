#!/usr/bin/env python3
"""Trains priors with jostle-priors for a short time, and gives it invalid arguments.

usage: priors_test.py BIN_DIR SOURCE_DIR
"""
import re
import sys
import tempfile
import unittest
from pathlib import Path

from harness import SERVER, SOURCE, run


class Priors(unittest.TestCase):
    TRAINER = SERVER.parent / "jostle-priors"

    def test_short_training_runs_are_reproducible_and_match_the_codecs_table_sizes(self):
        folder_of_priors = SOURCE / "protocol" / "context"
        for command, shipped in (("train", "priors.inc"), ("train-predicted", "predicted_priors.inc")):
            with self.subTest(command=command), tempfile.TemporaryDirectory() as folder:
                made = [Path(folder) / name for name in ("a.inc", "b.inc")]
                for path in made:
                    result = run(self.TRAINER, command, "katamari", path, "--ticks", 60)
                    self.assertEqual(result.returncode, 0, result.stderr)
                    self.assertIn("run 20 of 20\npass 1 of 10: ", result.stderr)
                    self.assertIn("\npass 10 of 10: ", result.stderr)
                self.assertEqual(made[0].read_bytes(), made[1].read_bytes())
                tables = [[len(re.findall(r"-?\d+", table)) for table in path.read_text().split("}")]
                          for path in (made[0], folder_of_priors / shipped)]
                self.assertEqual(tables[0], tables[1])
                self.assertEqual(len(tables[0]), 4)

    def test_invalid_options_are_refused_before_training(self):
        with tempfile.TemporaryDirectory() as folder:
            for arguments, word in [(["train", "katamari", folder + "/no/a.inc"], folder + "/no"),
                                    (["train", "katamari", ""], "output: the value is empty"),
                                    (["train", "katamari", folder], "cannot write '" + folder + "': it is a folder"),
                                    (["train", "no_such_scene", folder + "/a.inc"], "no_such_scene"),
                                    (["train", "tower", folder + "/a.inc", "--ticks", "3"], "--ticks"),
                                    (["train", "katamari"], "jostle-priors train: output is required"),
                                    (["dance"], "jostle-priors: unknown command 'dance'")]:
                with self.subTest(arguments=arguments):
                    result = run(self.TRAINER, *arguments)
                    self.assertEqual(result.returncode, 2, result.stderr)
                    self.assertEqual(result.stderr.strip().count("\n"), 0, result.stderr)
                    self.assertIn(word, result.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
