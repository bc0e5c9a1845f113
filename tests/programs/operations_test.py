#!/usr/bin/env python3
"""Tests that no reader, stranger or stall stops a server: full log pipes, refused entries, skipped ticks, shared tokens.

usage: operations_test.py BIN_DIR SOURCE_DIR
"""
import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from harness import PATIENCE, SERVER, SOURCE, TOOL, Server, build_stalled_disk, environment, play, run, wait_until
from state_test import LoggedServer

F_SETPIPE_SZ = 1031  # fcntl.F_SETPIPE_SZ of Python 3.10


def is_sanitized():
    return b"__asan_init" in SERVER.read_bytes() or b"__tsan_init" in SERVER.read_bytes()


class Operations(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def server(self, *options, **more):
        server = LoggedServer(*options, **more)
        self.addCleanup(lambda: server.process.poll() is None and server.kill())
        return server

    def issue(self, keys, *options):
        issued = run(TOOL, "token", "issue", "--keys", keys, *options)
        self.assertEqual(issued.returncode, 0, issued.stderr)
        return issued.stdout.strip()

    def test_a_full_log_pipe_does_not_stop_the_world(self):
        reader, writer = os.pipe()
        self.addCleanup(os.close, reader)
        fcntl.fcntl(writer, F_SETPIPE_SZ, 4096)
        process = subprocess.Popen([str(SERVER), "--port", "0", "--scene", "tower", "--record", str(self.folder / "run.jrec")],
                                   stdout=writer, stderr=writer, env=environment())
        self.addCleanup(process.kill)
        os.close(writer)
        port = int(re.search(rb"listening at [^ ]*:(\d+)\n", os.read(reader, 4096)).group(1))
        # Each client writes two lines of the log, more than the pipe holds. They are not read.
        for _ in range(4):
            self.assertEqual(play(port, "--clients", "12", ticks=10).returncode, 0)
        self.assertEqual(play(port, ticks=60).returncode, 0)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=PATIENCE), 0)
        self.assertEqual(run(TOOL, "verify", self.folder / "run.jrec").returncode, 0)

    @unittest.skipIf(is_sanitized(), "sanitizers must be loaded before other libraries")
    def test_a_stalled_disk_does_not_stop_the_world(self):
        stall = self.folder / "stall"
        server = self.server("--scene", "tower", "--state", self.folder / "state", "--record", self.folder / "run.jrec",
                             "--hash-log", self.folder / "hashes", "--log-status", "0.1",
                             command=("env", f"LD_PRELOAD={build_stalled_disk(self.folder)}", f"STALL_FILE={stall}"))

        def durable():
            return int(re.findall(r"info journal written_tick=\d+ durable_tick=(\d+)", server.text())[-1])

        self.assertTrue(wait_until(lambda: "info journal" in server.text() and durable() > 0), server.text())
        stall.touch()
        self.assertEqual(play(server.port, "--clients", "3", ticks=180).returncode, 0)
        # At most one section was on its way to the disk when it stalled.
        newest = int(re.findall(r"info status tick=(\d+)", server.text())[-1])
        self.assertGreater(newest - durable(), 120, server.text())
        self.assertNotIn("recording interrupted", server.text())
        stall.unlink()
        self.assertTrue(wait_until(lambda: durable() > newest), server.text())
        self.assertEqual(server.stop(), 0, server.text())
        for command in (("verify", self.folder / "run.jrec"), ("state", self.folder / "state", "verify")):
            verified = run(TOOL, *command)
            self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
            self.assertNotIn("missing", verified.stdout)

    @unittest.skipIf(is_sanitized(), "sanitizers must be loaded before other libraries")
    def test_a_ring_is_saved_beside_the_ticks(self):
        stall = self.folder / "stall"
        server = self.server("--scene", "tower", "--record", "ring", "--record-folder", self.folder / "ring",
                             command=("env", f"LD_PRELOAD={build_stalled_disk(self.folder)}", f"STALL_FILE={stall}"))
        self.assertEqual(play(server.port, "--clients", "1", ticks=30).returncode, 0)
        stall.touch()
        server.process.send_signal(signal.SIGUSR1)
        self.assertEqual(play(server.port, "--clients", "1", ticks=60).returncode, 0)
        self.assertNotIn("saved the last", server.text())
        stall.unlink()
        self.assertTrue(server.wait_for("saved the last"), server.text())
        self.assertEqual(server.stop(), 0, server.text())
        (saved,) = (self.folder / "ring").iterdir()
        self.assertEqual(run(TOOL, "verify", saved).returncode, 0)

    @unittest.skipIf(is_sanitized(), "sanitizers need the address space")
    def test_a_scene_without_memory_is_refused_and_the_world_goes_on(self):
        scenes = self.folder / "scenes"
        scenes.mkdir()
        shutil.copy(SOURCE / "scenes" / "tower.scene.json", scenes)
        (scenes / "large.scene.json").write_text("""{ "name": "large",
          "bodies": [ { "name": "ground", "motion_type": "static", "shape": { "plane": {} } } ],
          "templates": [ { "name": "crate", "shape": { "box": { "size": [0.8, 0.8, 0.8] } } } ],
          "generators": [ { "kind": "grid", "counts": [70, 1, 70], "spacing": [1, 1, 1], "position": [0, 0.4, 0],
                            "body": { "template": "crate" } } ],
          "spawns": [ { "position": [0, 2, 0] } ] }""")
        outcomes = []
        # The first limit leaves too little for the scene, the last one enough. With those between them, a server ended
        # that loaded the scene without memory for its ticks.
        for limit_mib in (330, 400, 410, 420, 430, 1_500):
            server = self.server("--scene", scenes / "tower.scene.json", "--sandbox", "--state", self.folder / f"{limit_mib}",
                                 command=("env", f"JOSTLE_SCENES={scenes}", "prlimit", f"--as={limit_mib << 20}"))
            played = play(server.port, "--clients", "3", "--load-scene", "large", ticks=120)
            self.assertEqual(played.returncode, 0, played.stderr + server.text())
            self.assertTrue(wait_until(lambda: re.search("scene (not )?loaded", server.text())), server.text())
            outcomes.append("scene loaded" in server.text())
            play(server.port, "--clients", "2", ticks=60)  # they may be refused
            self.assertEqual(server.stop(), 0, server.text())
        self.assertEqual((outcomes[0], outcomes[-1]), (False, True), outcomes)

    def test_the_log_tells_the_load_of_the_server(self):
        server = self.server("--scene", "tower", "--log-status", "0.1")
        self.assertTrue(server.wait_for("info status", 3), server.text())
        lines = re.findall(r"info status tick=(\d+) ticks=(\d+) skipped=\d+ p50_ms=[\d.e-]+ p99_ms=[\d.e-]+ "
                           r"longest_ms=[\d.e-]+ clients=0 memory_mib=[\d.]+$", server.text(), re.M)
        self.assertGreaterEqual(len(lines), 3, server.text())
        for (before, _), (tick, ticks) in zip(lines, lines[1:]):
            self.assertEqual(int(tick) - int(before), int(ticks))
        self.assertNotIn("info journal", server.text())

    def test_refused_entries_are_logged_within_a_rate(self):
        server = self.server("--auth", "token", "--keys", self.folder / "keys", "--scene", "tower")
        token = self.issue(self.folder / "keys")
        revoked = run(TOOL, "token", "revoke", token, "--keys", self.folder / "keys")
        self.assertEqual(revoked.returncode, 0, revoked.stderr)
        for _ in range(3):
            # The server reads the list once a second.
            if "entry refused" not in server.text():
                time.sleep(1)
                run(TOOL, "bots", "--clients", "1", "--port", server.port, "--token", token, "--seconds", "1")
        self.assertTrue(server.wait_for("entry refused"), server.text())
        line = re.search(r"warn entry refused time=(\S+) address=127\.0\.0\.1:\d+ why=\"(.*?)\" token=(\S+)", server.text())
        self.assertTrue(line, server.text())
        self.assertRegex(line.group(1), r"^\d{8}T\d{6}Z$")
        self.assertIn("revoked", line.group(2))
        self.assertRegex(line.group(3), r"^[\w-]{22}$")
        # A client that is refused after its Hello is logged too.
        full = self.server("--max-players", "1", "--max-clients", "1", "--scene", "tower")
        keeper = subprocess.Popen([str(TOOL), "bots", "--clients", "1", "--port", str(full.port), "--seconds", "600"], stdout=subprocess.DEVNULL, env=environment())
        self.addCleanup(keeper.kill)
        self.assertTrue(full.wait_for("client joined"), full.text())
        run(TOOL, "bots", "--clients", "1", "--port", full.port, "--seconds", "3")
        self.assertTrue(full.wait_for("client rejected"), full.text())
        self.assertRegex(full.text(), r"client rejected time=\S+ peer=\d+ address=127\.0\.0\.1:\d+ token=none why=\"the server is full")

    def test_bots_tell_why_a_scene_was_not_loaded(self):
        server = self.server("--scene", "tower")
        played = play(server.port, "--clients", "1", "--load-scene", "pool", ticks=60)
        self.assertEqual(played.returncode, 0, played.stderr)
        self.assertIn("jostle bots: --load-scene: only operators may change the scene", played.stderr)

    def test_skipped_ticks_are_logged_while_they_happen(self):
        server = self.server("--scene", "tower")
        self.assertEqual(play(server.port, ticks=20).returncode, 0)
        server.process.send_signal(signal.SIGSTOP)
        time.sleep(1)
        server.process.send_signal(signal.SIGCONT)
        skips = []

        def is_logged():
            skips[:] = re.findall(r"warn ticks skipped count=(\d+) total=\d+ stage=(\S+|\".*?\") stage_ms=([\d.]+)", server.text())
            return any(int(count) > 20 for count, _, _ in skips)

        self.assertTrue(wait_until(is_logged), server.text())
        self.assertGreater(max(float(ms) for _, _, ms in skips), 500, server.text())

    def test_two_servers_with_one_key_folder_accept_a_token_once(self):
        keys = self.folder / "keys"
        servers = [self.server("--auth", "token", "--keys", keys, "--scene", "tower") for _ in range(2)]
        for _ in range(5):
            token = self.issue(keys)
            bots = [subprocess.Popen([str(TOOL), "bots", "--port", str(server.port), "--token", token, "--clients", "1", "--seconds", "2"],
                                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment())
                    for server in servers]
            outputs = [bot.communicate(timeout=PATIENCE)[0] for bot in bots]
            accepted = [bot.returncode == 0 for bot in bots]
            self.assertEqual(sum(accepted), 1, outputs)
        used = (keys / "tokens.used").read_text().splitlines()
        self.assertEqual(len(used), 1 + 5, used)

    def test_sighup_and_sigpipe_do_not_end_the_server(self):
        with Server("--scene", "tower") as server:
            server.process.send_signal(signal.SIGHUP)
            server.process.send_signal(signal.SIGPIPE)
            self.assertEqual(play(server.port, ticks=20).returncode, 0)
            code, output = server.stop()
        self.assertEqual(code, 0, output)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
