#!/usr/bin/env python3
"""Mistypes options, commands, values and names, as a user would, and checks the suggestions.

usage: suggestions_test.py BIN_DIR SOURCE_DIR
"""
import sys
import unittest

from harness import SERVER, SOURCE, TOOL, VIEW, run


class Suggestions(unittest.TestCase):
    def test_errors_suggest_what_was_probably_meant(self):
        for arguments, error in [
            ([SERVER, "--scen", "crates"], "jostled: unknown option '--scen'; did you mean '--scene'? (see jostled --help)"),
            ([SERVER, "--scene", "crats"],
             "jostled: scene 'crats': no such file or directory; did you mean 'crates'? Available scenes: balls "),
            ([SERVER, "--log", "wran"], "'wran' is not one of debug, info, warn, error; did you mean 'warn'?"),
            ([VIEW, "--scrpt", "demo"], "jostle-view: unknown option '--scrpt'; did you mean '--script'? (see "),
            ([VIEW, "--shadows", "hgih"], "'hgih' is not one of auto, off, low, high; did you mean 'high'?"),
            ([TOOL, "recrd"], "jostle: unknown command 'recrd'; did you mean 'record'? (see jostle --help)"),
            ([TOOL, "bench", "physcs"], "jostle bench: unknown command 'physcs'; did you mean 'physics'?"),
            ([TOOL, "bench", "physics", "--scene", "ragdols"], "; did you mean 'ragdolls'?"),
            ([TOOL, "bots", "--input", "psh"], "; did you mean 'push'?"),
            ([SOURCE / "run", "tets"], "run: unknown command 'tets'; ./run help lists the commands; did you mean 'test'?"),
            ([SOURCE / "run", "demo", "--scen", "x"], "; did you mean '--scene'?"),
            ([SOURCE / "run", "test", "--full", "clnag"], "; did you mean 'clang'?"),
            ([SOURCE / "run", "bench", "physcs"], "; did you mean 'physics'?"),
        ]:
            with self.subTest(arguments=arguments):
                result = run(*arguments)
                self.assertNotEqual(result.returncode, 0)
                self.assertIn(error, result.stderr)
        for arguments in [[SERVER, "--dance"], [TOOL, "dance"], [SERVER, "--scene", "nope"], [SOURCE / "run", "dance"]]:
            with self.subTest(arguments=arguments):
                self.assertNotIn("did you mean", run(*arguments).stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
