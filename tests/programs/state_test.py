#!/usr/bin/env python3
"""Tests the state folder and the recordings of a running server: crashes, damage, full disks, signals.

usage: state_test.py BIN_DIR SOURCE_DIR

JOSTLE_KILLS is the number of kill -9 under load; 1,000 in `./run test --full`.
"""
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

from harness import PATIENCE, SERVER, TOOL, Server, environment, play, run, wait_until

KILLS = int(os.environ.get("JOSTLE_KILLS", "4"))
TICKS_IN_100_MS = 6


def can_mount():
    return subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode == 0


class LoggedServer:
    """A server whose output is read while it runs, so that a test can wait for a line."""

    def __init__(self, *options, command=(), port=0):
        self.lines = []
        self.process = subprocess.Popen(
            [*command, str(SERVER), "--port", str(port), *map(str, options)], stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, env=environment())
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()
        assert self.wait_for("listening at"), self.text()
        self.port = int(re.search(r"listening at [^ ]*:(\d+)$", self.text(), re.M).group(1))

    def read(self):
        for line in self.process.stdout:
            self.lines.append((time.monotonic(), line.rstrip("\n")))

    def text(self):
        return "\n".join(line for _, line in list(self.lines))

    def wait_for(self, words, count=1):
        def is_there():
            return self.text().count(words) >= count or self.process.poll() is not None
        wait_until(is_there)
        return self.text().count(words) >= count

    def time_of(self, words, number=0):
        return [at for at, line in list(self.lines) if words in line][number]

    def kill(self):
        self.process.kill()
        self.end()

    def stop(self, sig=signal.SIGTERM):
        self.process.send_signal(sig)
        return self.end()

    def end(self):
        code = self.process.wait(timeout=PATIENCE)
        self.reader.join(PATIENCE)
        self.process.stdout.close()
        return code


class StateTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.state = self.folder / "state"

    def server(self, *options, **more):
        server = LoggedServer("--state", self.state, *options, **more)
        self.addCleanup(lambda: server.process.poll() is None and server.kill())
        return server

    def verified(self, state=None):
        """Replays the journal of a state folder; returns its last tick and hash."""
        result = run(TOOL, "state", state or self.state, "verify")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        found = re.search(r"agree, last tick (\d+), hash ([0-9a-f]{16})", result.stdout)
        return int(found.group(1)), found.group(2)

    def restored(self, server):
        found = re.search(r"restored tick (\d+), hash ([0-9a-f]{16}), (\d+) ticks replayed in \d+ ms", server.text())
        self.assertTrue(found, server.text())
        return int(found.group(1)), found.group(2), int(found.group(3))


class State(StateTest):
    def test_a_world_survives_kill_9_under_load_and_clients_return_to_their_bodies(self):
        chance = random.Random(1)
        # The bodies of earlier witnesses must not fill the server.
        places = ("--max-players", 32, "--reconnect-window", 20)
        server = self.server("--scene", "tower", *places)
        port = server.port
        bots_log = self.folder / "bots.log"
        with open(bots_log, "w") as log:
            bots = subprocess.Popen([str(TOOL), "bots", "--port", str(port), "--clients", "7", "--seconds", "86400"],
                                    stdout=log, stderr=log, env=environment())
        self.addCleanup(bots.kill)
        self.assertTrue(server.wait_for("client joined", 7), server.text())
        names = {}
        slowest_return = 0
        copy = self.folder / "copy"
        for kill in range(KILLS):
            # This bot tells the newest tick that a client had seen when the server was killed.
            witness = subprocess.Popen([str(TOOL), "bots", "--port", str(port), "--clients", "1", "--seconds", "86400"],
                                       stdout=subprocess.PIPE, text=True, env=environment())
            self.assertTrue(server.wait_for("client joined", 8 if kill == 0 else 1), server.text())
            time.sleep(chance.uniform(0.05, 1.5))
            for found in re.finditer(r"client (?:joined|reconnected) peer=\d+ name=(\S+|\".*?\") player=(\d+)", server.text()):
                names.setdefault(found.group(1), found.group(2))
            server.kill()
            witness.send_signal(signal.SIGINT)
            output, _ = witness.communicate(timeout=PATIENCE)
            seen = int(re.search(r"bot 1: .*?tick (\d+),", output).group(1))
            stored = re.search(r"the server has stored tick (\d+)", output)
            # The server must be back before the clients give up, which may be sooner than a replay ends. The earlier
            # segments were verified after the earlier kills.
            shutil.rmtree(copy, ignore_errors=True)
            (copy / "journal").mkdir(parents=True)
            for segment in sorted((self.state / "journal").glob("*.jrec"))[-2:]:
                shutil.copy(segment, copy / "journal")
            server = self.server(*places, port=port)
            expected_tick, expected_hash = self.verified(copy)
            tick, state_hash, _ = self.restored(server)
            self.assertEqual((tick, state_hash), (expected_tick, expected_hash))
            self.assertLessEqual(seen - tick, TICKS_IN_100_MS, "ticks that a client saw are lost")
            if stored:
                self.assertLessEqual(int(stored.group(1)), tick, "ticks are lost that a client knew to be durable")
            self.assertTrue(server.wait_for("client reconnected", 7),
                            f"kill {kill}\n{server.text()}\nbots: {bots.poll()}\n{bots_log.read_text()[-4000:]}")
            slowest_return = max(slowest_return, server.time_of("client reconnected", 6) - server.time_of("listening at"))
            for found in re.finditer(r"client reconnected peer=\d+ name=(\S+|\".*?\") player=(\d+)", server.text()):
                self.assertEqual(names.get(found.group(1)), found.group(2), "a client is in another body")
        print(f"{KILLS} kills: the last client was back {slowest_return:.2f} s after the server", file=sys.stderr)

    def test_a_stopped_server_continues_without_a_replay(self):
        server = self.server("--scene", "tower", "--duration", "1")
        self.assertEqual(server.end(), 0, server.text())
        ended = re.search(r"state hash at tick (\d+): ([0-9a-f]{16})", server.text()).groups()
        # The state decides on the scene, the tick rate and the seed.
        again = self.server("--scene", "pool", "--hz", "30", "--duration", "0.5")
        self.assertEqual(again.end(), 0, again.text())
        tick, state_hash, replayed = self.restored(again)
        self.assertEqual((str(tick), state_hash, replayed), (*ended, 0))
        self.assertIn("scene tower", again.text())
        self.assertIn("60 Hz", again.text())
        self.verified()

    def test_options_that_the_world_contradicts_are_named(self):
        server = self.server("--scene", "pyramid", "--hz", "30")
        self.assertTrue(server.wait_for("listening"), server.text())
        server.stop()
        server = self.server("--scene", "crates", "--hz", "30", "--seed", "5")
        self.assertTrue(server.wait_for("listening"), server.text())
        server.stop()
        self.assertIn('unused="--scene, --seed" scene=pyramid.scene.json hz=30 seed=0', server.text())
        server = self.server()
        self.assertTrue(server.wait_for("listening"), server.text())
        server.stop()
        self.assertNotIn("unused", server.text())

    def test_a_folder_belongs_to_one_server(self):
        server = self.server("--scene", "tower")
        result = run(SERVER, "--port", "0", "--state", self.state)
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stderr, f"jostled: --state: another server uses '{self.state}'; one folder belongs to one server\n")
        # The journal of a running server can be read.
        self.assertTrue(wait_until(lambda: "ticks 1 to" in run(TOOL, "state", self.state, "info").stdout))
        self.assertIn("one uses the folder", run(TOOL, "state", self.state, "info").stdout)
        self.verified()
        segment = self.state / "journal" / "00000001.jrec"
        for command in (("verify", segment), ("info", segment), ("diff", segment, segment),
                        ("export", segment, "--csv", self.folder / "a.csv")):
            with self.subTest(command=command[0]):
                result = run(TOOL, *command)
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual(server.stop(), 0, server.text())

    def test_damage_is_refused_and_salvaged(self):
        server = self.server("--scene", "tower", "--duration", "2")
        self.assertEqual(server.end(), 0, server.text())
        last_tick, _ = self.verified()
        segment = self.state / "journal" / "00000001.jrec"
        bytes_before = bytearray(segment.read_bytes())
        middle = len(bytes_before) // 2
        bytes_before[middle] ^= 1
        segment.write_bytes(bytes_before)
        result = run(SERVER, "--port", "0", "--state", self.state, "--duration", "0.2")
        self.assertEqual(result.returncode, 3, result.stdout + result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertRegex(result.stderr, rf"--state: '{segment}' is damaged at byte \d+: .* state {self.state} salvage")
        self.assertEqual(run(TOOL, "state", self.state, "verify").returncode, 2)
        salvaged = run(TOOL, "state", self.state, "salvage")
        self.assertEqual(salvaged.returncode, 0, salvaged.stdout + salvaged.stderr)
        self.assertTrue(Path(f"{segment}.damaged").exists())
        tick = int(re.search(r"continues from tick (\d+)", salvaged.stdout).group(1))
        self.assertLessEqual(tick, last_tick)
        again = self.server("--duration", "0.5")
        self.assertEqual(again.end(), 0, again.text())
        self.assertEqual(self.restored(again)[0], tick)

    def test_damaged_lengths_and_headers_lose_no_intact_ticks(self):
        server = self.server("--scene", "tower", "--duration", "1.5")
        self.assertEqual(server.end(), 0, server.text())
        segment = self.state / "journal" / "00000001.jrec"
        intact = segment.read_bytes()
        # The file begins with 8 bytes, and a section with its type (1 byte), its length (4 bytes), 4 more bytes, its
        # content and a checksum (4 bytes).
        second = 8 + 9 + int.from_bytes(intact[9:13], "little") + 4
        third = second + 9 + int.from_bytes(intact[second + 1:second + 5], "little") + 4
        for name, place in (("length of the header", 11), ("header", 40), ("length of a block", second + 3),
                            ("length of ticks", third + 3)):
            with self.subTest(name):
                damaged = bytearray(intact)
                damaged[place] ^= 0x10
                segment.write_bytes(damaged)
                result = run(SERVER, "--port", "0", "--state", self.state, "--duration", "0.2")
                self.assertEqual(result.returncode, 3, result.stdout + result.stderr)
                self.assertRegex(result.stderr, rf"'{segment}' is damaged at byte \d+")
                self.assertEqual(run(TOOL, "state", self.state, "verify").returncode, 2)
                self.assertEqual(segment.read_bytes(), bytes(damaged))
                self.assertEqual(run(TOOL, "verify", segment).returncode, 2)

    def test_each_salvage_keeps_the_file_of_the_earlier_one(self):
        server = self.server("--scene", "tower", "--duration", "2")
        self.assertEqual(server.end(), 0, server.text())
        segment = self.state / "journal" / "00000001.jrec"
        for kept in (f"{segment}.damaged", f"{segment}.damaged-2"):
            damaged = bytearray(segment.read_bytes())
            damaged[len(damaged) * 4 // 5] ^= 1
            segment.write_bytes(damaged)
            run(TOOL, "state", self.state, "salvage")
            self.assertEqual(Path(kept).read_bytes(), bytes(damaged))
            if not segment.exists():
                segment.write_bytes(damaged)

    def test_the_journal_exports_to_one_recording(self):
        for _ in range(3):
            server = self.server("--scene", "tower", "--duration", "0.5")
            self.assertEqual(server.end(), 0, server.text())
        whole = self.folder / "whole.jrec"
        exported = run(TOOL, "state", self.state, "export", "-o", whole)
        self.assertEqual(exported.returncode, 0, exported.stdout + exported.stderr)
        verified = run(TOOL, "verify", whole)
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
        last_tick, state_hash = self.verified()
        self.assertIn(f"{last_tick} ticks agree", verified.stdout)
        self.assertIn(state_hash, verified.stdout)
        self.assertEqual(run(TOOL, "state", self.state, "export", "-o", whole).returncode, 2, "an existing file is kept")

    def test_options_that_need_a_state_folder(self):
        for option in ("--durability", "--state-quota"):
            result = run(SERVER, "--port", "0", option, "none" if option == "--durability" else "5")
            self.assertEqual(result.returncode, 2)
            self.assertIn(f"{option} needs --state", result.stderr)
        for durability in ("none", "strict"):
            server = LoggedServer("--state", self.folder / durability, "--durability", durability, "--scene", "tower", "--duration", "0.5")
            self.assertEqual(server.end(), 0, server.text())


class Recordings(StateTest):
    def recording(self, *options, **more):
        server = LoggedServer("--scene", "tower", "--record", self.folder / "run.jrec", *options, **more)
        self.addCleanup(lambda: server.process.poll() is None and server.kill())
        return server

    def ticks(self, name):
        info = run(TOOL, "info", self.folder / name)
        found = re.search(r"ticks (\d+) to (\d+)", info.stdout)
        return (int(found.group(1)), int(found.group(2))) if found else (0, 0)

    def test_a_kill_loses_at_most_100_ms(self):
        server = self.recording()
        witness = subprocess.Popen([str(TOOL), "bots", "--port", str(server.port), "--seconds", "86400"],
                                   stdout=subprocess.PIPE, text=True, env=environment())
        self.assertTrue(server.wait_for("client joined"), server.text())
        time.sleep(2)
        server.kill()
        witness.send_signal(signal.SIGINT)
        seen = int(re.search(r"bot 1: .*?tick (\d+),", witness.communicate(timeout=PATIENCE)[0]).group(1))
        self.assertLessEqual(seen - self.ticks("run.jrec")[1], TICKS_IN_100_MS)
        self.assertEqual(run(TOOL, "verify", self.folder / "run.jrec").returncode, 0)

    def test_a_restart_keeps_the_recording_of_the_crash(self):
        server = self.recording()
        self.assertTrue(wait_until(lambda: self.ticks("run.jrec")[1] > 30))
        server.kill()
        before = (self.folder / "run.jrec").read_bytes()
        again = self.recording("--duration", "0.5")
        self.assertEqual(again.end(), 0, again.text())
        self.assertEqual((self.folder / "run.jrec").read_bytes(), before)
        self.assertIn(f"recording to {self.folder}/run-2.jrec, because {self.folder}/run.jrec exists", again.text())
        self.assertGreater(self.ticks("run-2.jrec")[1], 10)

    def test_sighup_and_a_renamed_file_begin_the_next_one(self):
        server = self.recording()
        self.assertTrue(wait_until(lambda: self.ticks("run.jrec")[1] > 10))
        (self.folder / "run.jrec").rename(self.folder / "old.jrec")
        server.process.send_signal(signal.SIGHUP)
        self.assertTrue(wait_until(lambda: (self.folder / "run.jrec").exists() and self.ticks("run.jrec")[1] > 10))
        self.assertEqual(self.ticks("run.jrec")[0], self.ticks("old.jrec")[1] + 1)
        (self.folder / "run.jrec").rename(self.folder / "older.jrec")
        self.assertTrue(wait_until(lambda: (self.folder / "run.jrec").exists() and self.ticks("run.jrec")[1] > 10))
        server.process.send_signal(signal.SIGHUP)
        self.assertTrue(wait_until(lambda: (self.folder / "run-2.jrec").exists() and self.ticks("run-2.jrec")[1] > 10))
        self.assertEqual(server.stop(), 0, server.text())
        for name in ("old", "older", "run", "run-2"):
            self.assertEqual(run(TOOL, "verify", self.folder / f"{name}.jrec").returncode, 0, name)
        self.assertIn("in 4 files", server.text())

    def test_sighup_without_a_recording_does_nothing(self):
        server = LoggedServer("--scene", "tower")
        server.process.send_signal(signal.SIGHUP)
        self.assertEqual(play(server.port, ticks=20).returncode, 0)
        self.assertEqual(server.stop(), 0, server.text())

    @unittest.skipUnless(can_mount(), "this user cannot mount a small disk")
    def test_a_full_disk_is_named_and_the_recording_goes_on_when_space_returns(self):
        script = 'mount -t tmpfs -o size=400k tmpfs "$0" && head -c 330k /dev/zero > "$0/filler"; exec "$@"'
        server = self.recording(command=("unshare", "-m", "sh", "-c", script, str(self.folder)))
        # The disk as the server sees it.
        inside = Path(f"/proc/{server.process.pid}/root{self.folder}")
        bots = subprocess.Popen([str(TOOL), "bots", "--port", str(server.port), "--clients", "6", "--seconds", "86400"],
                                stdout=subprocess.DEVNULL, env=environment())
        self.addCleanup(bots.kill)
        self.assertTrue(server.wait_for("recording interrupted"), server.text())
        self.assertRegex(server.text(), rf'error recording interrupted file={self.folder}/run\.jrec why="cannot be written: No space left on device"')
        time.sleep(2)
        (inside / "filler").unlink()
        self.assertTrue(server.wait_for("recording continues"), server.text())
        self.assertEqual(server.text().count("recording interrupted"), 1, server.text())
        time.sleep(1)
        copies = {path.name: path.read_bytes() for path in inside.iterdir()}
        self.assertEqual(set(copies), {"run.jrec", "run-2.jrec"})
        server.kill()
        for name, content in copies.items():
            (self.folder / name).write_bytes(content)
            self.assertEqual(run(TOOL, "verify", self.folder / name).returncode, 0, name)
        self.assertGreater(self.ticks("run-2.jrec")[0], self.ticks("run.jrec")[1])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
