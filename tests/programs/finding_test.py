#!/usr/bin/env python3
"""Tests LAN discovery: servers are found, listed and joined; failures are shown in the window.

usage: finding_test.py BIN_DIR SOURCE_DIR
"""
import re
import subprocess
import sys
import time
import unittest
from pathlib import Path

from display import Display, Window, needs_display, wait_until
from harness import CONFIG, PATIENCE, SERVER, TOOL, VIEW, Server, environment, has_ipv6, run

# Servers of other tests on this machine are found, too. Unique names identify those of this test.
NAMES = iter(f"lan-test-{number}" for number in range(100))
EVERYWHERE = "[::]" if has_ipv6() else "0.0.0.0"


def lan_server(*options, name=None):
    return Server("--lan", "--scene", "tower", "--name", name or next(NAMES), *options, at=EVERYWHERE)


def listed():
    """Returns the lines of `jostle-view --lan --renderer none` by server name, and the process result."""
    result = run(VIEW, "--lan", "--renderer", "none")
    lines = {}
    for line in result.stdout.splitlines():
        found = re.match(r"(\S+:\d+) +(\S+) +(.*)$", line)
        lines[found.group(2)] = (found.group(1), found.group(3))
    return lines, result


def listed_with(*names):
    """Returns listed() once it contains all the names: the search ends after a fixed time, which may be too short for
    the servers of a busy machine."""
    def find():
        found = listed()
        return found if found[0].keys() >= set(names) else None
    return wait_until(find, f"{names} in the list of servers")


@unittest.skipUnless(VIEW.exists(), "jostle-view was not built (JOSTLE_BUILD_APP=OFF)")
class Listing(unittest.TestCase):
    def test_all_servers_of_one_machine_are_listed(self):
        names = [next(NAMES) for _ in range(3)]
        with lan_server("--insecure", name=names[0]) as open_one, \
                lan_server(name=names[1], *("--max-players", "5")) as token_one, \
                lan_server("--insecure", name=names[2]) as third:
            lines, result = listed_with(*names)
            self.assertEqual(result.returncode, 0, result.stderr)
            for name, server in zip(names, (open_one, token_one, third)):
                self.assertEqual(lines[name][0], f"127.0.0.1:{server.port}")
                self.assertIn("tower", lines[name][1])
            self.assertIn("0 of 16 players", lines[names[0]][1])
            self.assertIn("open to all", lines[names[0]][1])
            self.assertIn("0 of 5 players", lines[names[1]][1])
            self.assertIn("requires a token", lines[names[1]][1])

    def test_the_list_counts_players(self):
        name = next(NAMES)
        with lan_server("--insecure", name=name) as server:
            player = subprocess.Popen([VIEW, f"127.0.0.1:{server.port}", "--renderer", "none"],
                                      stdout=subprocess.PIPE, env=environment())
            self.addCleanup(player.communicate)
            self.addCleanup(player.kill)
            wait_until(lambda: "1 of 16 players" in listed_with(name)[0][name][1], "a player in the list")

    def test_a_server_without_lan_is_not_listed(self):
        name, listed_name = next(NAMES), next(NAMES)
        with Server("--name", name), lan_server("--insecure", name=listed_name):
            self.assertNotIn(name, listed_with(listed_name)[0])

    def test_a_server_cannot_be_announced_with_control_characters_in_its_name(self):
        refused = run(SERVER, "--lan", "--insecure", "--port", "0", "--name", "evil\x1b[2Jname", "--duration", "0.1")
        self.assertEqual((refused.returncode, refused.stdout), (2, ""))
        self.assertIn("--name: a name must be UTF-8 text without control characters", refused.stderr)
        self.assertNotIn("\x1b", refused.stderr)

    def test_the_listed_fingerprint_equals_the_one_the_server_prints(self):
        name = next(NAMES)
        server = lan_server(name=name)
        with server:
            line = listed_with(name)[0][name][1]
            _, output = server.stop()
            fingerprint = re.search(r"fingerprint is (.+)", output).group(1)
            self.assertIn(fingerprint, line)
            self.assertIn(f"as '{name}'", output)


class Options(unittest.TestCase):
    def refused(self, *command, words):
        result = run(*command)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stderr.strip().count("\n"), 0, result.stderr)
        for some in words:
            self.assertIn(some, result.stderr)

    def test_lan_cannot_be_combined_with_bind(self):
        self.refused(SERVER, "--lan", "--bind", "127.0.0.1", words=["--lan", "--bind"])

    def test_an_open_lan_server_requires_insecure(self):
        self.refused(SERVER, "--lan", "--auth", "none", words=["--lan", "--insecure"])

    @unittest.skipUnless(VIEW.exists(), "jostle-view was not built (JOSTLE_BUILD_APP=OFF)")
    def test_lan_cannot_be_combined_with_a_server(self):
        self.refused(VIEW, "--lan", "127.0.0.1", words=["--lan", "omit the server"])


def keys_until(window, done, *keys):
    """Presses the keys once per second until `done()` is true. The window may not react to the first keys yet."""
    def press():
        if done():
            return True
        for key in keys:
            window.key(key)
        time.sleep(1)
        return done()
    wait_until(press, f"pressing {keys} does something")


def end_with_escape(window):
    keys_until(window, lambda: window.process.poll() is not None, "Escape")
    return window.exit_code()


@unittest.skipUnless(VIEW.exists(), "jostle-view was not built (JOSTLE_BUILD_APP=OFF)")
@needs_display
class Windows(unittest.TestCase):
    def players(self, name):
        line = listed()[0].get(name)
        return int(re.search(r"(\d+) of", line[1]).group(1)) if line else None

    def test_enter_joins_the_selected_server(self):
        # The list selects the first server that can be joined: this one, if no other server is
        # found.
        name = next(NAMES)
        with Display() as display, lan_server("--insecure", name=name) as server, \
                Window(display, "--lan") as window:
            keys_until(window, lambda: self.players(name) == 1, "Return")
            self.assertEqual(end_with_escape(window), 0)
            recent = (Path(CONFIG.name) / "jostle" / "recent_servers").read_text()
            self.assertIn(f"127.0.0.1:{server.port}\n", recent)

    def test_a_rejected_client_can_try_again(self):
        name = next(NAMES)
        with Display() as display, lan_server("--insecure", "--max-players", "1", name=name) as server:
            first = subprocess.Popen([VIEW, f"127.0.0.1:{server.port}", "--renderer", "none"],
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment())
            self.addCleanup(first.wait)
            self.addCleanup(first.kill)
            wait_until(lambda: self.players(name) == 1, "a player joins")
            with Window(display, f"127.0.0.1:{server.port}") as window:
                # Each attempt prints this text at its start.
                keys_until(window, lambda: window.output().count("connecting to") >= 3, "r")
                first.terminate()
                self.assertEqual(first.wait(PATIENCE), 0)
                wait_until(lambda: self.players(name) == 0, "the first player leaves")
                keys_until(window, lambda: self.players(name) == 1, "r")
                self.assertEqual(end_with_escape(window), 0)

    def test_a_missing_server_is_reported_when_the_user_quits(self):
        with Display() as display, Window(display, "127.0.0.1:9", "--timeout", "0.2") as window:
            # Wait for the failure screen: quitting while the client is still connecting is not a
            # failure.
            is_button = lambda red, _, blue: red < 80 and 110 < blue < 160
            window.see(lambda picture: picture.count(is_button) > 500, "the buttons of the failure screen")
            self.assertEqual(end_with_escape(window), 1)
            self.assertIn("no answer from 127.0.0.1:9 within 0.2 s", window.output())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
