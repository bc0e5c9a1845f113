#!/usr/bin/env python3
"""Commands in the documentation exist, take the options that the documentation gives them, and run.

usage: docs_commands_test.py BIN_DIR SOURCE_DIR
Names and options are checked in every code block and code span. Commands of blocks marked `sh`, and lines that begin
with "$ ", also run, page by page, in a folder with `run`, `scripts` and only those files that the page tells the
reader to save. A block below a comment `<!-- not run: REASON -->` does not run.
"""
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
from functools import lru_cache
from pathlib import Path

BIN, SOURCE = (Path(argument).resolve() for argument in sys.argv[1:3])
PROGRAMS = ("jostled", "jostle-view", "jostle")
PAGES = [SOURCE / "README.md", SOURCE / "CONTRIBUTING.md", SOURCE / "SECURITY.md", *sorted((SOURCE / "docs").glob("*.md"))]
NOT_RUN = re.compile(r"<!--\s*not run:\s*\S.*-->")
RUN = """#!/bin/sh
case $1 in
  server) shift; exec "$BIN/jostled" "$@" ;;
  view) shift; exec "$BIN/jostle-view" "$@" ;;
  tool) shift; exec "$BIN/jostle" "$@" ;;
  bench) exec "$BIN/jostle" "$@" ;;
  *) echo "./run $1 cannot run inside the tests: mark its block as not run" >&2; exit 1 ;;
esac
"""
# Commands of `./run` that run a program with the given options. Its other commands are not checked further.
RUN_PROGRAMS = {"server": ["jostled"], "view": ["jostle-view"], "tool": ["jostle"], "bench": ["jostle", "bench"]}
OWN_BENCHES = ("frames", "clients", "python", "stalls")  # separate programs that `./run bench` starts


def blocks(text):
    """Yields (line number, language, lines, is_run) of every fenced code block."""
    language, lines, begin, marked, last = None, [], 0, False, ""
    for number, line in enumerate(text.splitlines(), 1):
        fence = re.match(r"^\s*```(\w*)", line)
        if fence and language is None:
            language, lines, begin, marked = fence.group(1), [], number, bool(NOT_RUN.match(last.strip()))
        elif fence:
            yield begin, language, lines, not marked
            language = None
        elif language is not None:
            lines.append(line)
        if line.strip():
            last = line


def commands_of(lines, is_script):
    """Yields the commands of a block; joins continued lines and here-documents (<<'END').

    If the block is no script, only lines that begin with a prompt or a program's name are commands.
    """
    command, here_end = "", None
    for line in lines:
        if here_end is not None:  # the text of a here-document is part of its command
            command += "\n" + line
            if line == here_end:
                yield command
                command, here_end = "", None
            continue
        text = line.strip()
        if not command and not is_script and not re.match(r"^(\$ |\./run |jostled? |jostle-view )", text):
            continue
        command += text.removeprefix("$ ")
        if command.endswith("\\"):
            command = command[:-1] + " "
            continue
        here = re.search(r"<<'(\w+)'$", command)
        if here:
            here_end = here.group(1)
            continue
        if command and not command.startswith("#"):
            yield command
        command = ""


def spans_of(text):
    """Yields (line number, command) of code spans that begin with a program or ./run."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip().startswith("```"):
            fenced = not fenced
        if not fenced:
            for span in re.findall(r"`([^`]+)`", line):
                if re.match(r"^(\./run|jostled|jostle-view|jostle) \S", span) and not re.search(r" [a-z]+ [a-z]+ ?[a-z]*$", span):
                    yield number, span


@lru_cache(maxsize=None)
def help_of(*command):
    result = subprocess.run([BIN / command[0], *command[1:], "--help"], capture_output=True, text=True)
    return result.stdout


def subcommands(text):
    return re.findall(r"^  ([a-z][\w-]*) {2,}", text.partition("Subcommands:")[2], re.M)


@lru_cache(maxsize=None)
def run_commands():
    text = subprocess.run([SOURCE / "run", "help"], capture_output=True, text=True).stdout
    return set(re.findall(r"^  ([a-z]+)\b", text, re.M)) | {"help"}


def words_of(command):
    """Splits a command; a comment, a pipe, a redirection or an ellipsis ends it."""
    try:
        words = shlex.split(command, comments=True)
    except ValueError:
        words = command.split()
    for i, word in enumerate(words):
        if word in ("|", ">", ">>", "&", "&&", ";", "...", "…", "2>&1") or word.endswith(";"):
            return words[:i]
    return words


def fault_of(command):
    """Returns why the command does not exist in this build, or None."""
    words = [word for word in words_of(command) if "=" not in word or word.startswith("-")]
    if not words or not (words[0] == "./run" or Path(words[0]).name in PROGRAMS):
        return None
    if words[0] == "./run":
        if len(words) < 2 or not re.fullmatch(r"[a-z]+", words[1]):
            return None
        if words[1] not in run_commands():
            return f"./run has no command '{words[1]}'"
        is_own_bench = words[1] == "bench" and (words[2:3] == [] or words[2].startswith("-") or words[2] in OWN_BENCHES)
        if words[1] not in RUN_PROGRAMS or is_own_bench:
            return None
        words = RUN_PROGRAMS[words[1]] + words[2:]
    else:
        words[0] = Path(words[0]).name
    path = [words.pop(0)]
    while words and words[0] in subcommands(help_of(*path)):
        path.append(words.pop(0))
    names = subcommands(help_of(*path))
    if names and words and re.fullmatch(r"[a-z][\w-]*", words[0]):
        return f"{' '.join(path)} has no command '{words[0]}'"
    known = set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", help_of(*path)))
    for word in words:
        for option in re.findall(r"^\[?(--?[a-z][\w-]*)", word):
            if option not in known and option != "--help":
                return f"{' '.join(path)} has no option '{option}'"
    return None


def files_of(text):
    """Yields (name, content) of blocks that the text tells the reader to save: "Save this one as `NAME`"."""
    for match in re.finditer(r"Save [^`\n]*`([\w.-]+)`[^`]*```\w*\n(.*?)```", text, re.S):
        yield match.groups()


class Documentation(unittest.TestCase):
    def test_commands_and_options_exist(self):
        checked = 0
        for page in PAGES:
            if page.name in ("RENAMED.md", "CHANGELOG.md"):  # pages that name removed commands
                continue
            text = page.read_text()
            found = [(number, command) for number, language, lines, _ in blocks(text)
                     for command in commands_of(lines, language == "sh")]
            for number, command in found + list(spans_of(text)):
                checked += 1
                with self.subTest(page=page.name, line=number, command=command):
                    self.assertIsNone(fault_of(command))
        self.assertGreater(checked, 100)

    def test_an_unknown_command_and_an_unknown_option_are_found(self):
        self.assertEqual(fault_of("./run fly"), "./run has no command 'fly'")
        self.assertEqual(fault_of("./run tool recrd --ticks 5"), "jostle has no command 'recrd'")
        self.assertEqual(fault_of("jostled --scen crates"), "jostled has no option '--scen'")
        self.assertIsNone(fault_of("jostle record --scene crates -o a.jrec  # --nothing"))

    def test_commands_run(self):
        for page in PAGES:
            script = [command for _, language, lines, is_run in blocks(page.read_text()) if is_run
                      for command in commands_of(lines, language == "sh")
                      if language == "sh" or any(line.strip().startswith("$ ") for line in lines)]
            if not script:
                continue
            with self.subTest(page=page.name), tempfile.TemporaryDirectory() as folder:
                for name, content in files_of(page.read_text()):
                    (Path(folder) / name).write_text(content)
                run = Path(folder) / "run"
                run.write_text(RUN)
                run.chmod(0o755)
                (Path(folder) / "scripts").symlink_to(SOURCE / "scripts")
                environment = {**os.environ, "BIN": str(BIN), "PATH": f"{BIN}:{os.environ['PATH']}", "HOME": folder,
                               "XDG_CONFIG_HOME": f"{folder}/.config", "JOSTLE_SCENES": str(SOURCE / "scenes")}
                environment.pop("JOSTLE_TOKEN", None)
                environment.pop("DISPLAY", None)
                result = subprocess.run(["bash", "-c", "\n".join(["set -o pipefail", *script_lines(script)])], cwd=folder,
                                        env=environment, capture_output=True, text=True)
                self.assertEqual(result.returncode, 0, f"{result.stdout[-2000:]}\n{result.stderr[-3000:]}")


def script_lines(script):
    """Yields the lines of a script that ends at the first command with an unexpected exit code.

    The expected code is the N of a comment `# exit N`, otherwise 0. A command that contains "diff" may also exit
    with 1.
    """
    for command in script:
        expected = re.search(r"#.*exit (?:code )?(\d)", command)
        wanted = expected.group(1) if expected and "exit 0" not in command else "0"
        yield command.split("  #")[0]
        yield f'code=$?; [ $code = {wanted} ] || [ $code = 1 -a "{int("diff" in command)}" = 1 ] || ' \
              f'{{ echo "exit code $code of:" {shlex.quote(command)} >&2; exit 1; }}'


if __name__ == "__main__":
    sys.argv[1:3] = []
    unittest.main()
