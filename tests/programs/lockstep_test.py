#!/usr/bin/env python3
"""Tests lockstep with real programs: peers that agree, and an injected fault that both ends report and record.

usage: lockstep_test.py BIN_DIR SOURCE_DIR
"""
import re
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from harness import PATIENCE, SERVER, TOOL, VIEW, Server, environment, run

REPORT = r"tick 150: body 37 \"plank_8\", linear_velocity.y: the server has \S+ \(0x\w+\), Bob/\.\./B has \S+ \(0x\w+\), 1 ulp apart"


# The peers of a slow machine must join before the tick of the injected fault. At this tick rate,
# that tick is 6 s or more after the start of the server.
SLOWLY = ("--hz", "20")


def view(port, name, *more, cwd=None):
    own = ["--name", name] if name else []
    return subprocess.Popen([str(VIEW), f"127.0.0.1:{port}", "--lockstep", *own, "--renderer", "none", *more],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment(), cwd=cwd)


class Lockstep(unittest.TestCase):
    def test_an_injected_fault_is_reported_and_recorded_at_both_ends(self):
        with tempfile.TemporaryDirectory() as folder:
            with Server("--mode", "lockstep", *SLOWLY, "--record-folder", folder, "--sync-test", "2") as server:
                ann = view(server.port, "Ann", "--script", "walk", "--duration", "4")
                bob = view(server.port, "Bob/../B", "--duration", str(PATIENCE), "--on-desync", "stop", "--record-folder", folder,
                           "--inject", "ulp:150:37:linear_velocity.y")
                told_bob, told_ann = bob.communicate(timeout=PATIENCE)[0], ann.communicate(timeout=PATIENCE)[0]
                code, said = server.stop()
            self.assertEqual(ann.returncode, 0, told_ann)
            self.assertIn("none differed", told_ann)
            self.assertEqual(bob.returncode, 1, told_bob)
            self.assertRegex(told_bob, "DESYNC: " + REPORT)
            self.assertRegex(told_bob, r"\njostle-view: wrote \S+/desync-Bob____B-\w+-tick\d+\.jrec: \d+ ticks, \d+ bytes\n")
            self.assertEqual(code, 0, said)
            self.assertRegex(said, r"DESYNC of Bob/\.\./B: " + REPORT)
            self.assertIn("rollbacks of 2 ticks, no mismatch", said)

            theirs, = Path(folder).glob("desync-Bob____B-*-tick*.jrec")
            ours, = Path(folder).glob("desync-crates-*.jrec")
            for path in (theirs, ours):
                verified = run(TOOL, "verify", path)
                self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
            differs = run(TOOL, "diff", ours, theirs)
            self.assertEqual(differs.returncode, 1, differs.stderr)
            self.assertIn("first divergence: tick 150", differs.stdout)
            self.assertIn("an injected fault", differs.stdout)
            self.assertRegex(differs.stdout, r'body 37 "plank_8"  linear_velocity\.y')

    def test_recordings_of_a_desync_are_in_a_folder_of_their_own_by_default(self):
        with tempfile.TemporaryDirectory() as folder:
            with Server("--mode", "lockstep", *SLOWLY, "--on-desync", "stop", cwd=folder) as server:
                peer = view(server.port, "Bob", "--duration", str(PATIENCE), "--on-desync", "stop",
                            "--inject", "ulp:120:37:linear_velocity.y", cwd=folder)
                told = peer.communicate(timeout=PATIENCE)[0]
                said = server.process.communicate(timeout=PATIENCE)[0].decode()
            self.assertEqual([path.name for path in Path(folder).iterdir()], ["recordings"])
            self.assertRegex(told, r"are saved in recordings/desync-Bob-\w+-tick\d+\.jrec")
            self.assertRegex(said, r"to recordings/desync-crates-\w+-tick\d+\.jrec")
            self.assertEqual(len(list(Path(folder).glob("recordings/desync-*.jrec"))), 2)

    def test_clients_of_one_name_use_the_names_that_the_server_assigned(self):
        with tempfile.TemporaryDirectory() as folder:
            with Server("--mode", "lockstep", *SLOWLY, "--record-folder", folder) as server:
                peers = [view(server.port, None, "--duration", str(PATIENCE), "--on-desync", "stop",
                              "--record-folder", folder, "--inject", "ulp:150:37:linear_velocity.y") for _ in range(2)]
                for peer in peers:
                    told = peer.communicate(timeout=PATIENCE)[0]
                    self.assertEqual(peer.returncode, 1, told)
            names = sorted(re.sub(r"-\d{8}T\d{6}Z-tick\d+\.jrec", "", path.name) for path in Path(folder).glob("desync-player*"))
            self.assertEqual(names, ["desync-player", "desync-player__2_"])

        with Server("--mode", "lockstep", log="info") as server:
            first = view(server.port, None)
            while b"client joined" not in server.process.stdout.readline():
                self.assertIsNone(first.poll())
            second = view(server.port, None, "--duration", "0.5").communicate(timeout=PATIENCE)[0]
            self.assertIn("\njostle-view: player (2): ", second)
            first.send_signal(signal.SIGTERM)
            self.assertIn("jostle-view: player: ", first.communicate(timeout=PATIENCE)[0])

    def test_a_fault_that_a_client_cannot_inject_is_an_error(self):
        def told(server, fault, *options):
            return run(VIEW, f"127.0.0.1:{server.port}", "--lockstep", "--renderer", "none", "--inject", fault, *options)

        with tempfile.TemporaryDirectory() as folder, Server("--mode", "lockstep", "--record-folder", folder) as server:
            # The first client leaves after some ticks, so the second one starts later.
            first = run(VIEW, f"127.0.0.1:{server.port}", "--lockstep", "--renderer", "none", "--duration", "0.5")
            self.assertEqual(first.returncode, 0, first.stderr)
            late = told(server, "ulp:1:4:linear_velocity.x")
            self.assertEqual(late.returncode, 1, late.stdout + late.stderr)
            self.assertRegex(late.stderr, r"\Ajostle-view: --inject: the fault at tick 1 was not injected: "
                                          r"the client started at tick \d+\n\Z")
            early = told(server, "ulp:4000000000:4:linear_velocity.x", "--duration", "0.2")
            self.assertEqual(early.returncode, 1, early.stdout + early.stderr)
            self.assertRegex(early.stderr, r"the fault at tick 4000000000 was not injected: the client (ended at tick \d+|"
                                           r"never received the server's simulation)\n\Z")

    def test_on_desync_stop_ends_the_server(self):
        with tempfile.TemporaryDirectory() as folder:
            with Server("--mode", "lockstep", *SLOWLY, "--on-desync", "stop", "--record-folder", folder) as server:
                peer = view(server.port, "Bob", "--duration", str(PATIENCE), "--timeout", "1", "--record-folder", folder,
                            "--inject", "ulp:120:37:linear_velocity.y")
                said = server.process.communicate(timeout=PATIENCE)[0].decode()
                peer.communicate(timeout=PATIENCE)
            self.assertEqual(server.process.returncode, 1, said)
            self.assertIn("DESYNC of Bob: tick 120", said)

    def test_a_server_exits_with_1_after_a_sync_test_mismatch(self):
        with tempfile.TemporaryDirectory() as folder:
            with Server("--mode", "lockstep", "--record-folder", folder, "--sync-test", "3",
                        "--inject", "ulp:20:37:linear_velocity.y", "--duration", "1") as server:
                said = server.process.communicate(timeout=PATIENCE)[0].decode()
            self.assertEqual(server.process.returncode, 1, said)
            self.assertIn("MISMATCH from tick 20", said)

    def test_impossible_lockstep_is_refused_with_the_reason(self):
        with Server() as server:
            result = run(VIEW, f"127.0.0.1:{server.port}", "--lockstep", "--renderer", "none", "--duration", "1")
        self.assertEqual(result.returncode, 1)
        self.assertIn("the server does not support lockstep; start it with jostled --mode lockstep", result.stderr)
        for program, arguments, names in [
            (SERVER, ["--mode", "chess"], ["--mode", "chess", "lockstep"]),
            (SERVER, ["--on-desync", "cry"], ["--on-desync", "cry", "continue"]),
            (SERVER, ["--inject", "ulp:1:2"], ["--inject", "ulp:TICK:BODY:FIELD"]),
            (SERVER, ["--sync-test", "601"], ["--sync-test", "601"]),
            (VIEW, ["--inject", "ulp:1:2:position.x"], ["--inject", "--lockstep"]),
            (VIEW, ["--on-desync", "stop"], ["--on-desync needs --lockstep"]),
            (VIEW, ["--sync-test", "4"], ["--sync-test", "--lockstep"]),
            (VIEW, ["--lockstep", "--predict"], ["--lockstep", "--predict"]),
            (VIEW, ["--lockstep", "--profile", "fine"], ["--lockstep", "--profile"]),
        ]:
            with self.subTest(arguments=arguments):
                refused = run(program, *arguments)
                self.assertEqual(refused.returncode, 2, refused.stderr)
                self.assertEqual(refused.stderr.strip().count("\n"), 0, refused.stderr)
                for name in names:
                    self.assertRegex(refused.stderr, re.escape(name))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
