#!/usr/bin/env python3
"""Mistypes options, commands, values and names, as a user would, and checks the suggestions.

usage: suggestions_test.py BIN_DIR SOURCE_DIR
"""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from harness import PATIENCE, SERVER, SOURCE, TOOL, VIEW, Server, environment, run


class Suggestions(unittest.TestCase):
    def test_errors_suggest_what_was_probably_meant(self):
        for arguments, error in [
            ([SERVER, "--scen", "crates"], "jostled: unknown option '--scen'; did you mean '--scene'? (see jostled --help)"),
            ([SERVER, "--scene", "crats"],
             "jostled: scene 'crats': no such file or directory; did you mean 'crates'? Available scenes: balls "),
            ([SERVER, "--log", "wran"], "'wran' is not one of debug, info, warn, error; did you mean 'warn'?"),
            ([SERVER, "--net-sim", "moble"], "; did you mean 'mobile'?"),
            ([SERVER, "--inject", "ulp:5:4:linear_velocty.x"],
             "body 4 has no field 'linear_velocty.x'; did you mean 'linear_velocity.x'? Fields: motion, "),
            ([VIEW, "--debug-draw", "joints,contact"], "; did you mean 'contacts'?"),
            ([SERVER, "--scene", "a" * 300 + ".scene.json"], ": the name of the file is too long\n"),
            ([SERVER, "--name", "a" * 200], "a name must have 1 to 64 bytes, not 200"),
            ([SERVER, "--scene", "a.jrec"], "scene 'a.jrec': this is a recording, not a scene; to play it: jostle-view a.jrec\n"),
            ([TOOL, "record", "--scene", "a.jrec", "-o", "b.jrec"], "to play it: jostle-view a.jrec\n"),
            ([SOURCE / "run", "help", "srver"], "; did you mean 'server'?"),
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
            ([SOURCE / "run", "bench", "frames", "--wdth", "9"], "; did you mean '--width'?"),
            ([SOURCE / "run", "demo", "--scene", "crats"], "; did you mean 'crates'?"),
            ([SOURCE / "run", "gallery", "crats"], "; did you mean 'crates'?"),
            ([SOURCE / "run", "tour", "conselo"], "; did you mean 'console'?"),
            ([SOURCE / "run", "fuzz", "tokne"], "; did you mean 'token'?"),
        ]:
            with self.subTest(arguments=arguments):
                result = run(*arguments)
                self.assertNotEqual(result.returncode, 0)
                self.assertIn(error, result.stderr)
        for arguments in [[SERVER, "--dance"], [TOOL, "dance"], [SERVER, "--scene", "nope"], [SOURCE / "run", "dance"]]:
            with self.subTest(arguments=arguments):
                self.assertNotIn("did you mean", run(*arguments).stderr)

    def test_a_scene_file_is_suggested_for_its_name_and_the_reverse(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("toy.scene.json", "fun.json", "a.jrec", "a.png"):
                (Path(folder) / name).write_text("{}")
            crates = SOURCE / "scenes" / "crates.scene.json"
            (Path(folder) / "first").mkdir()
            (Path(folder) / "first" / "seesaw.scene.json").write_text("{}")
            for arguments, error in [
                ([SERVER, "--scene", "first/sesaw.scene.json"], "did you mean 'first/seesaw.scene.json'?\n"),
                ([SERVER, "--scene", "toyy.scene.json"], "did you mean 'toy.scene.json'?\n"),
                ([VIEW, "first/sesaw.scene.json", "--offscreen"], "did you mean 'first/seesaw.scene.json'?\n"),
                ([SERVER, "--scene", "crates.scene.json"], "'crates.scene.json': no such file or directory; did you mean 'crates'?\n"),
                ([SERVER, "--scene", "crats.json"], "'crats.json': no such file or directory; did you mean 'crates'?\n"),
                ([SERVER, "--scene", "toy"], "'toy': no such file or directory; did you mean 'toy.scene.json'? Available scenes: balls "),
                ([SERVER, "--scene", "./fun"], "'./fun': no such file or directory; did you mean './fun.json'?"),
                ([TOOL, "record", "--scene", "toy", "--ticks", "1", "-o", "x.jrec"], "did you mean 'toy.scene.json'?"),
                ([VIEW, "--gallery", "out", "--scene", "crates.scene.json"], "did you mean 'crates'?\n"),
                ([VIEW, "crates.scene.json", "--offscreen"], f"no such file or directory; did you mean '{crates}'?\n"),
                ([VIEW, "no/such.scene.json", "--offscreen"], "scene 'no/such.scene.json': no such file or directory\n"),
                ([VIEW, "toy", "--offscreen"], "; did you mean 'toy.scene.json'?\n"),
                ([VIEW, "fun", "--offscreen"], "; did you mean 'fun.json'?\n"),
                ([VIEW, "a", "--offscreen"], "; did you mean 'a.jrec'?\n"),
                ([VIEW, "crates", "--offscreen"], f"; did you mean '{crates}'?\n"),
                ([VIEW, "a.png", "--offscreen"], "; the file 'a.png' is neither a scene file (.json) nor a recording (.jrec)\n"),
            ]:
                with self.subTest(arguments=arguments):
                    result = subprocess.run([str(each) for each in arguments], cwd=folder, capture_output=True, text=True,
                                            timeout=PATIENCE, env=environment())
                    self.assertNotEqual(result.returncode, 0)
                    self.assertIn(error, result.stderr)

    def test_run_refuses_wrong_arguments_before_it_builds(self):
        for arguments, error in [
            (["bench", "--foo"], "bench: unknown option '--foo'; accepted: a benchmark (physics particles "),
            (["bench", "--benchmark_filter=x", "--foo"], "bench: unknown option '--foo'"),
            (["bench", "clients", "--sene"], "bench clients: unknown option '--sene'; accepted: --scene "),
            (["tour", "nope"], "tour: unknown station 'nope'; accepted: first-minute "),
            (["tour", "--size", "big"], "tour: --size must be WIDTHxHEIGHT, not 'big'"),
            (["gallery", "nope"], "gallery: unknown scene 'nope'; accepted: balls "),
            (["demo", "--scene", "nope"], "demo: there is no scene 'nope'; accepted: the path of a scene file, or one of balls "),
            (["demo", "--scene", "no/such.scene.json"], "demo: there is no scene 'no/such.scene.json'"),
            (["fuzz", "--runs"], "fuzz: --runs needs a number"),
            (["matrix", "--foo"], "matrix: unknown option '--foo'; accepted: --cells "),
            (["build", "all"], "build: unknown argument 'all'; it takes none"),
            (["help", "nope"], "help: unknown command 'nope'; accepted: demo "),
            (["help", "server view"], "help: unknown command 'server view'; accepted: demo "),
            ([""], "unknown command ''; ./run help lists the commands"),
            (["demo test"], "unknown command 'demo test'; "),
            (["test", "--full", "clang dev"], "test --full: unknown stage 'clang dev'; stages: clang "),
            (["matrix", "chek"], "matrix: 'chek' is no folder; name a new folder as './chek'"),
        ]:
            with self.subTest(arguments=arguments):
                result = run(SOURCE / "run", *arguments)
                self.assertEqual(result.returncode, 2)
                self.assertTrue(result.stderr.startswith("run: " + error), result.stderr)
                self.assertEqual(result.stderr.count("\n"), 1, result.stderr)

    def test_run_in_a_folder_that_was_deleted_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            gone = Path(folder) / "gone"
            gone.mkdir()
            for command in ("help", "build", "dance"):
                result = subprocess.run(["sh", "-c", 'rmdir "$PWD"; exec "$0" "$@"', SOURCE / "run", command], cwd=gone,
                                        capture_output=True, text=True, timeout=PATIENCE, env=environment(PWD=str(gone)))
                gone.mkdir()
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertEqual(result.stderr.splitlines()[-1], f"run: the working folder '{gone}' does not exist any more; "
                                                                 "change to an existing folder")

    def test_errors_and_help_name_the_commands_of_the_script_that_started_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            for arguments, words in [
                ([SERVER, "--dance"], "(see ./run server --help)\n"),
                ([SERVER, "--auth", "psk"], "(`./run tool psk new FILE` creates one)"),
                ([SERVER, "--help"], "a token from `./run tool token issue`"),
                ([SERVER, "--auth", "token", "--keys", folder, "--port", "0", "--duration", "0.1"],
                 f"to issue one: ./run tool token issue --keys {folder}"),
                ([TOOL, "token", "show", "A" * 22], "`./run tool token show` without a token"),
                ([TOOL, "bench", "physcs"], "jostle bench: unknown command 'physcs'; did you mean 'physics'? (see ./run tool bench --help)\n"),
                ([TOOL, "psk", "--help"], "`./run server --psk FILE` and `./run view --psk FILE`"),
                ([VIEW, "--dance"], "(see ./run view --help)\n"),
                ([VIEW, "--help"], "needs an operator token, or ./run server --sandbox"),
                ([VIEW, "a.jrec", "--renderer", "none"], "use `./run tool info` or `./run tool verify`"),
            ]:
                with self.subTest(arguments=arguments):
                    result = run(*arguments, env={"JOSTLE_RUN": "./run"})
                    # The help text wraps its lines.
                    self.assertIn(" ".join(words.split()), " ".join((result.stdout + result.stderr).split()))

    def test_a_scene_that_the_server_does_not_have_is_suggested(self):
        with Server("--sandbox") as server:
            result = run(VIEW, f"127.0.0.1:{server.port}", "--renderer", "none", "--scene", "bals")
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn("the server has no scene 'bals'; did you mean 'balls'?\n", result.stderr)

    def test_help_of_help_is_the_list_of_commands(self):
        for word in ("help", "--help", "-h"):
            result = run(SOURCE / "run", "help", word)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertEqual(result.stdout, run(SOURCE / "run", "help").stdout)

    def test_each_command_of_run_has_a_help_text_of_its_own(self):
        for command in ("demo", "test", "fuzz", "bench", "accuracy", "gallery", "tour", "format", "build"):
            for arguments in ([command, "--help"], [command, "-h"], ["help", command]):
                with self.subTest(arguments=arguments):
                    result = run(SOURCE / "run", *arguments)
                    self.assertEqual((result.returncode, result.stderr), (0, ""))
                    self.assertRegex(result.stdout, rf"\Ausage: \./run {command}\b")
        for command, words in [("test", "asan"), ("fuzz", "packet_opener"), ("gallery", "crates"), ("tour", "console")]:
            self.assertIn(words, run(SOURCE / "run", command, "--help").stdout)
        self.assertIn("--cells", run(SOURCE / "run", "matrix", "--help").stdout)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
