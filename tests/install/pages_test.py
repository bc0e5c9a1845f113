#!/usr/bin/env python3
"""Checks the generated manual pages and completions.

usage: pages_test.py SOURCE_DIR BUILD_DIR
"""
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE, BUILD = (Path(argument) for argument in sys.argv[1:3])
PAGES = BUILD / "pages"
PROGRAMS = sorted(page.stem for page in (PAGES / "man1").glob("*.1"))
OPTION = re.compile(r"(?<![\w-])--?[a-z][\w-]*")


def run(*command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)


def help_options(program, *command):
    """Returns the options that --help of a command lists."""
    text = run(BUILD / "bin" / program, *command, "--help").stdout
    return {word for line in text.splitlines() if line.startswith("  -")
            for word in OPTION.findall(line[2:].split(" ")[0].replace(",", " "))}


def roff(program):
    return (PAGES / "man1" / f"{program}.1").read_text().replace("\\-", "-")


def completions(*words):
    """Returns the words that bash completes after these words; the last one is begun."""
    script = (f'source "{PAGES}/bash/{words[0]}"; COMP_WORDS=({" ".join(repr(word) for word in words)}); '
              f'COMP_CWORD={len(words) - 1}; _{words[0].replace("-", "_")}; printf "%s\\n" "${{COMPREPLY[@]}}"')
    done = run("bash", "-c", script)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout.split()


class Pages(unittest.TestCase):
    def test_there_is_a_page_for_each_program(self):
        self.assertIn("jostle", PROGRAMS)
        self.assertIn("jostled", PROGRAMS)

    def test_manual_lists_the_options_of_help(self):
        for program in PROGRAMS:
            options = help_options(program)
            self.assertGreater(len(options), 2, program)
            for option in options:
                self.assertIn(f"\\fB{option}\\fR", roff(program), program)
        for option in help_options("jostle", "verify"):
            self.assertIn(f"\\fB{option}\\fR", roff("jostle"))

    def test_added_sections_name_only_options_that_exist(self):
        known = {option for program in PROGRAMS for option in help_options(program)}
        known |= {option for line in re.findall(r'^\.SS "(jostle [^"]+)"', roff("jostle"), re.M)
                  for option in help_options("jostle", *line.split()[1:])}
        for file in (SOURCE / "packaging/man").glob("*.roff"):
            for option in OPTION.findall(file.read_text().replace("\\-", "-").replace("jostle-view", "")):
                self.assertIn(option, known, file)

    def test_manual_has_no_errors(self):
        if shutil.which("groff") is None:
            self.skipTest("groff is not installed")
        for program in PROGRAMS:
            done = run("groff", "-man", "-ww", "-Tutf8", "-z", PAGES / "man1" / f"{program}.1")
            self.assertEqual("", done.stderr, program)

    def test_bash_completes_commands_options_words_and_files(self):
        self.assertEqual(["record"], completions("jostle", "rec"))
        self.assertEqual(["--threads"], completions("jostle", "verify", "--thr"))
        self.assertEqual({"snapshots", "lockstep"}, set(completions("jostled", "--mode", "")))
        self.assertEqual([], completions("jostled", "--port", ""))
        self.assertIn("issue", completions("jostle", "token", ""))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.jrec"
            path.write_text("")
            self.assertEqual([str(path)], completions("jostle", "verify", f"{folder}/a"))

    def test_bash_completes_the_scenes_beside_an_installed_program(self):
        with tempfile.TemporaryDirectory() as folder:
            scenes = Path(folder) / "share/jostle/scenes"
            scenes.mkdir(parents=True)
            (scenes / "tower.scene.json").write_text("{}")
            (Path(folder) / "bin").mkdir()
            (Path(folder) / "bin/jostled").symlink_to(BUILD / "bin/jostled")
            script = (f'PATH="{folder}/bin:$PATH"; cd "{folder}"; source "{PAGES}/bash/jostled"; '
                      'COMP_WORDS=(jostled --scene tow); COMP_CWORD=2; _jostled; echo "${COMPREPLY[@]}"')
            self.assertEqual("tower\n", run("bash", "-c", script).stdout)

    def test_shells_accept_the_scripts(self):
        for shell, pattern in (("bash", "bash/*"), ("zsh", "zsh/_*"), ("fish", "fish/*.fish")):
            files = list(PAGES.glob(pattern))
            self.assertEqual(len(PROGRAMS), len(files), shell)
            if shutil.which(shell) is None:
                continue
            for file in files:
                self.assertEqual("", run(shell, "-n", file).stderr, file)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
