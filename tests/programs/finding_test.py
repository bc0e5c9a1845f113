#!/usr/bin/env python3
"""Servers of the local network are found, listed and joined; what a window shows where that fails.

usage: finding_test.py BIN_DIR SOURCE_DIR

Windows are real ones, on a display of Xvfb's that xdotool types into; without these two programs
those tests are skipped.
"""
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from harness import CONFIG, SERVER, TOOL, VIEW, Server, environment, has_ipv6, run

PATIENCE = 60  # seconds, for what takes one on a machine with nothing else to do
# Every server of this machine is found, those of other tests, too: ours are told by their names.
NAMES = iter(f"lan-test-{number}" for number in range(100))
EVERYWHERE = "[::]" if has_ipv6() else "0.0.0.0"


def lan_server(*options, name=None):
    return Server("--lan", "--scene", "tower", "--name", name or next(NAMES), *options, at=EVERYWHERE)


def listed():
    """The lines of `jostle-view --lan --viewer none`, by server's name; its exit code."""
    result = run(VIEW, "--lan", "--viewer", "none")
    lines = {}
    for line in result.stdout.splitlines():
        found = re.match(r"(\S+:\d+) +(\S+) +(.*)$", line)
        lines[found.group(2)] = (found.group(1), found.group(3))
    return lines, result


@unittest.skipUnless(VIEW.exists(), "jostle-view was not built (JOSTLE_BUILD_APP=OFF)")
class Listing(unittest.TestCase):
    def test_all_servers_of_one_machine_are_listed(self):
        names = [next(NAMES) for _ in range(3)]
        with lan_server("--insecure", name=names[0]) as open_one, \
                lan_server(name=names[1], *("--max-players", "5")) as token_one, \
                lan_server("--insecure", name=names[2]) as third:
            lines, result = listed()
            self.assertEqual(result.returncode, 0, result.stderr)
            for name, server in zip(names, (open_one, token_one, third)):
                self.assertEqual(lines[name][0], f"127.0.0.1:{server.port}")
                self.assertIn("tower", lines[name][1])
            self.assertIn("0 of 16 players", lines[names[0]][1])
            self.assertIn("open to everybody", lines[names[0]][1])
            self.assertIn("0 of 5 players", lines[names[1]][1])
            self.assertIn("asks for a token", lines[names[1]][1])

    def test_a_player_is_counted(self):
        name = next(NAMES)
        with lan_server("--insecure", name=name) as server:
            player = subprocess.Popen([VIEW, f"127.0.0.1:{server.port}", "--viewer", "none"],
                                      stdout=subprocess.PIPE, env=environment())
            self.addCleanup(player.communicate)
            self.addCleanup(player.kill)
            end = time.monotonic() + PATIENCE
            while "1 of 16 players" not in listed()[0][name][1]:
                self.assertLess(time.monotonic(), end, "the player was never listed")

    def test_who_stands_by_himself_is_not_listed(self):
        name = next(NAMES)
        with Server("--name", name):
            self.assertNotIn(name, listed()[0])

    def test_a_name_cannot_write_to_the_terminal(self):
        with lan_server("--insecure", name="evil\x1b[2Jname"):
            _, result = listed()
            self.assertIn("evil\\x1b[2Jname", result.stdout)
            self.assertNotIn("\x1b", result.stdout)

    def test_the_fingerprint_is_what_the_server_prints(self):
        name = next(NAMES)
        server = lan_server(name=name)
        with server:
            line = listed()[0][name][1]
            _, output = server.stop()
            fingerprint = re.search(r"fingerprint is (.+)", output).group(1)
            self.assertIn(fingerprint, line)
            self.assertIn(f"finds it as '{name}'", output)


class Options(unittest.TestCase):
    def refused(self, *command, words):
        result = run(*command)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stderr.strip().count("\n"), 0, result.stderr)
        for some in words:
            self.assertIn(some, result.stderr)

    def test_a_server_on_the_local_network_listens_everywhere(self):
        self.refused(SERVER, "--lan", "--bind", "127.0.0.1", words=["--lan", "--bind"])

    def test_everybody_is_let_in_only_by_word(self):
        self.refused(SERVER, "--lan", "--auth", "none", words=["--lan", "--insecure"])

    @unittest.skipUnless(VIEW.exists(), "jostle-view was not built (JOSTLE_BUILD_APP=OFF)")
    def test_a_list_goes_with_no_server(self):
        self.refused(VIEW, "--lan", "127.0.0.1", words=["--lan", "leave the server"])


class Display:
    """Xvfb on a number of its own choice, for a `with` block."""

    def __init__(self, size="1280x720"):
        self.process = subprocess.Popen(["Xvfb", "-displayfd", "1", "-screen", "0", size + "x24", "-nolisten", "tcp",
                                         "-noreset"],
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.name = ":" + self.process.stdout.readline().decode().strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()

    def do(self, *command):
        return subprocess.run(["xdotool", *map(str, command)], capture_output=True, text=True,
                              env=environment(DISPLAY=self.name))


class Window:
    """A jostle-view in a window of its own, for a `with` block."""

    def __init__(self, display, *options):
        self.display = display
        self.log = tempfile.NamedTemporaryFile("w+", suffix=".log")
        self.process = subprocess.Popen([str(VIEW), "--viewer", "gl", *map(str, options)], stdout=self.log,
                                        stderr=subprocess.STDOUT,
                                        env=environment(DISPLAY=display.name, SDL_VIDEODRIVER="x11"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.log.close()

    def said(self):
        return Path(self.log.name).read_text()

    def keys_until(self, done, *keys):
        """Presses the keys once a second until something has come of it."""
        end = time.monotonic() + PATIENCE
        while not done():
            assert time.monotonic() < end, f"pressing {keys} has done nothing: {self.said()}"
            assert self.process.poll() is None, f"the window is gone: {self.said()}"
            for key in keys:
                self.display.do("key", key)
            time.sleep(1)

    def ends_with(self, key):
        self.keys_until(lambda: self.process.poll() is not None or self._wait(), key)
        return self.process.returncode

    def _wait(self):
        try:
            self.process.wait(1)
        except subprocess.TimeoutExpired:
            return False
        return True


def until(true, what):
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, what
        time.sleep(0.2)


missing = [name for name in ("Xvfb", "xdotool") if shutil.which(name) is None]


@unittest.skipUnless(VIEW.exists(), "jostle-view was not built (JOSTLE_BUILD_APP=OFF)")
@unittest.skipIf(missing, " and ".join(missing) + " are missing")
class Windows(unittest.TestCase):
    def players(self, name):
        line = listed()[0].get(name)
        return int(re.search(r"(\d+) of", line[1]).group(1)) if line else None

    def test_enter_joins_the_server_that_is_listed(self):
        # The only one that asks nothing of who comes: the first that can be joined is selected.
        name = next(NAMES)
        with Display() as display, lan_server("--insecure", name=name) as server, \
                Window(display, "--lan", "--size", "640x360") as window:
            window.keys_until(lambda: self.players(name) == 1, "Return")
            self.assertEqual(window.ends_with("Escape"), 0)
            recent = (Path(CONFIG.name) / "jostle" / "recent_servers").read_text()
            self.assertIn(f"127.0.0.1:{server.port}\n", recent)

    def test_who_is_refused_may_try_again(self):
        name = next(NAMES)
        with Display() as display, lan_server("--insecure", "--max-players", "1", name=name) as server:
            first = subprocess.Popen([VIEW, f"127.0.0.1:{server.port}", "--viewer", "none"],
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment())
            self.addCleanup(first.wait)
            self.addCleanup(first.kill)
            until(lambda: self.players(name) == 1, "nobody has come")
            with Window(display, f"127.0.0.1:{server.port}", "--size", "640x360") as window:
                # Each try that is refused begins with the same words.
                window.keys_until(lambda: window.said().count("connecting to") >= 3, "r")
                first.terminate()
                self.assertEqual(first.wait(PATIENCE), 0)
                until(lambda: self.players(name) == 0, "the first has not left")
                window.keys_until(lambda: self.players(name) == 1, "r")
                self.assertEqual(window.ends_with("Escape"), 0)

    def test_a_server_that_is_not_there_fails_in_words_when_the_user_quits(self):
        with Display() as display, Window(display, "127.0.0.1:9", "--timeout", "0.2", "--size", "640x360") as window:
            self.assertEqual(window.ends_with("Escape"), 1)
            self.assertIn("no answer from 127.0.0.1:9 within 0.2 s", window.said())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
