#!/usr/bin/env python3
"""Runs jostle-view without a window: arguments, scenes of a server, and the world that it receives.

usage: views_test.py BIN_DIR SOURCE_DIR
"""
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from harness import PATIENCE, SOURCE, TOOL, VIEW, Server, run


@unittest.skipUnless(VIEW.exists(), "jostle-view was not built (JOSTLE_BUILD_APP=OFF)")
class Views(unittest.TestCase):
    def test_view_without_a_server_reports_it_and_exits(self):
        result = run(VIEW, "127.0.0.1:9", "--renderer", "none", "--timeout", "1", "--duration", "1")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("127.0.0.1:9", result.stderr)

    def test_view_refuses_invalid_options(self):
        for arguments in (["--bogus"], ["--size", "big"], ["host:99999"], ["--frames", "-1"],
                          ["--duration", "nan"], ["--timeout", "NaN"]):
            with self.subTest(arguments=arguments):
                result = run(VIEW, *arguments)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertEqual(result.stderr.strip().count("\n"), 0, result.stderr)

    def test_view_started_before_the_server_connects(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        view = subprocess.Popen([str(VIEW), f"127.0.0.1:{port}", "--renderer", "none", "--timeout", str(PATIENCE),
                                 "--duration", "1", "--summary"],
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        time.sleep(1.5)
        with Server("--scene", "tower", port=port) as server:
            output, _ = view.communicate(timeout=PATIENCE)
            server.stop()
        self.assertEqual(view.returncode, 0, output)
        self.assertIn("ticks", output)

    def test_view_lists_the_scenes_of_the_server(self):
        with Server("--scene", "tower") as server:
            result = run(VIEW, "--list-scenes", f"127.0.0.1:{server.port}")
            self.assertEqual(result.returncode, 0, result.stderr)
        names = [line.split()[0] for line in result.stdout.splitlines()]
        self.assertEqual(names, sorted(path.name.split(".")[0] for path in (SOURCE / "scenes").glob("*.scene.json")))
        for line in result.stdout.splitlines():
            self.assertRegex(line, r"^\w+ +\S.*\.$")

    def test_view_requests_a_scene_and_reports_a_refusal(self):
        with tempfile.TemporaryDirectory() as folder:
            view = ["--renderer", "none", "--duration", "1"]
            with Server("--scene", "tower", "--sandbox") as server:
                at = f"127.0.0.1:{server.port}"
                result = run(VIEW, at, *view, "--scene", "cradle")
                self.assertEqual(result.returncode, 0, result.stderr)
                result = run(VIEW, at, *view, "--scene", "../scenes/cradle")
                self.assertEqual(result.returncode, 1, result.stdout)
                self.assertIn("no scene '../scenes/cradle'", result.stderr)
                self.assertEqual(server.stop()[0], 0)
            with Server("--scene", "tower") as server:
                result = run(VIEW, f"127.0.0.1:{server.port}", *view, "--scene", "cradle")
                self.assertEqual(result.returncode, 1, result.stdout)
                self.assertIn("--sandbox", result.stderr)
                self.assertEqual(server.stop()[0], 0)
            # A spectator changes no scene, in a sandbox neither.
            with Server("--scene", "tower", "--sandbox") as server:
                result = run(VIEW, f"127.0.0.1:{server.port}", *view, "--spectate", "--scene", "cradle")
                self.assertEqual(result.returncode, 1, result.stdout)
                self.assertIn("spectators", result.stderr)
                self.assertEqual(server.stop()[0], 0)
            # A recording holds one scene, so the change begins the next file.
            first, second = Path(folder) / "a.jrec", Path(folder) / "a-2.jrec"
            with Server("--scene", "tower", "--sandbox", "--record", first) as server:
                result = run(VIEW, f"127.0.0.1:{server.port}", *view, "--scene", "cradle")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(server.stop()[0], 0)
            for path, scene in ((first, "tower"), (second, "cradle")):
                self.assertEqual(run(TOOL, "verify", path).returncode, 0)
                self.assertIn(f"{scene}.scene.json", run(TOOL, "info", path).stdout)

    def test_world_of_the_view_equals_the_servers(self):
        with tempfile.TemporaryDirectory() as folder:
            ours, theirs = Path(folder) / "server", Path(folder) / "view"
            with Server("--scene", "tower", "--hash-log", ours) as server:
                result = run(VIEW, f"127.0.0.1:{server.port}", "--renderer", "none", "--duration", "3",
                             "--script", "demo", "--hash-log", theirs)
                self.assertEqual(result.returncode, 0, result.stderr)
                server.stop()
            server_hashes = dict(line.split() for line in ours.read_text().splitlines())
            view_hashes = dict(line.split() for line in theirs.read_text().splitlines())
            common = set(server_hashes) & set(view_hashes)
            # up to 180 are possible; a slow machine processes fewer
            self.assertGreater(len(common), 0)
            for tick in common:
                self.assertEqual(server_hashes[tick], view_hashes[tick], f"tick {tick}")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
