#!/usr/bin/env python3
"""Tests what a state folder does when files are damaged, missing or in the wrong place, and when the disk is full.

usage: state_faults_test.py BIN_DIR SOURCE_DIR
"""
import re
import shutil
import subprocess
import sys
import time
import unittest
from pathlib import Path

from harness import SERVER, SOURCE, TOOL, build_stalled_disk, environment, play, run, wait_until
from operations_test import is_sanitized
from state_test import LoggedServer, StateTest, can_mount


class Faults(StateTest):
    def setUp(self):
        super().setUp()
        self.journal = self.state / "journal"

    def stop_after(self, seconds, *options):
        server = self.server("--scene", "tower", "--duration", seconds, *options)
        self.assertEqual(server.end(), 0, server.text())
        return server

    def segment(self, number):
        return self.journal / f"{number:08}.jrec"

    def refused(self, code, *options):
        """Starts a server that must refuse the folder; returns its one line."""
        result = run(SERVER, "--port", "0", "--state", self.state, "--duration", "0.2", *options)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        return result.stderr

    def tool(self, *arguments, code=0):
        result = run(TOOL, "state", self.state, *arguments)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result.stdout + result.stderr


class Folders(Faults):
    def test_the_folders_around_it_are_created(self):
        self.state = self.folder / "a" / "b" / "state"
        self.stop_after(0.3)
        self.verified()
        (self.folder / "file").write_text("")
        result = run(SERVER, "--port", "0", "--state", self.folder / "file" / "state")
        self.assertEqual(result.returncode, 2)
        self.assertIn("cannot create folder", result.stderr)

    def test_a_removed_journal_is_no_new_world(self):
        self.stop_after(0.3)
        self.journal.rename(self.folder / "elsewhere")
        line = self.refused(3)
        self.assertIn(f"'{self.journal}' has no segment, but '{self.state}/players' shows that a world was kept here", line)
        self.assertIn(f"to begin a new world in this folder, remove '{self.state}/players'", line)
        self.journal.rmdir()
        (self.folder / "elsewhere").rename(self.journal)
        self.restored(self.stop_after(0.3))
        shutil.rmtree(self.journal)
        (self.state / "players").unlink()
        server = self.stop_after(0.3)
        self.assertNotIn("restored", server.text())
        self.assertIn("a new world begins, because the folder has no segment of a journal", server.text())

    def test_a_journal_that_is_removed_while_a_server_writes_it_goes_on(self):
        self.remove_while_a_server_writes(self.journal)

    def test_a_state_folder_that_is_removed_while_a_server_writes_it_goes_on(self):
        self.remove_while_a_server_writes(self.state)

    def remove_while_a_server_writes(self, removed):
        server = self.server("--scene", "tower", "--log-status", "0.1")
        self.assertTrue(wait_until(lambda: "ticks 1 to" in run(TOOL, "state", self.state, "info").stdout))
        shutil.rmtree(removed)
        self.assertTrue(server.wait_for("recording continues"), server.text())
        self.assertRegex(server.text(), rf'error recording interrupted file={self.segment(1)} why="the file was removed or renamed" lost_ticks=\d+')
        self.assertTrue(wait_until(lambda: re.search(r"lost_ticks=[1-9]\d*$", server.text(), re.M)), server.text())
        self.assertEqual(server.stop(), 0, server.text())
        last = re.search(r"state hash at tick (\d+): ([0-9a-f]{16})", server.text()).groups()
        again = self.stop_after(0.3)
        tick, state_hash, _ = self.restored(again)
        self.assertEqual((str(tick), state_hash), last)

    def test_an_empty_first_segment_begins_a_new_world(self):
        self.journal.mkdir(parents=True)
        self.segment(1).write_bytes(b"")
        server = self.stop_after(0.3)
        self.assertIn(f"'{self.segment(1)}' is empty, so it is removed", server.text())
        self.verified()

    def test_only_folders_of_servers_get_a_lock(self):
        (self.folder / "other").mkdir()
        for action in ("info", "verify", "salvage"):
            result = run(TOOL, "state", self.folder / "other", action)
            self.assertEqual(result.returncode, 2)
            self.assertIn("is not a folder of", result.stderr)
        self.assertEqual(list((self.folder / "other").iterdir()), [])
        self.stop_after(0.3)
        (self.state / "lock").unlink()
        self.assertIn("none uses the folder", self.tool("info"))
        self.assertFalse((self.state / "lock").exists())
        (self.state / "lock").symlink_to("lock")
        self.assertIn("not known, because the lock cannot be read", self.tool("info"))

    def test_a_scene_of_the_same_name_with_other_content_is_named(self):
        self.stop_after(0.3)
        other = self.folder / "tower.scene.json"
        other.write_text((SOURCE / "scenes" / "pyramid.scene.json").read_text())
        same = self.stop_after(0.3)
        self.assertNotIn("unused", same.text())
        server = self.server("--scene", other, "--duration", "0.3")
        self.assertEqual(server.end(), 0, server.text())
        self.assertIn("unused=--scene scene=tower.scene.json", server.text())


class Segments(Faults):
    def test_a_renamed_segment_does_not_turn_back_time(self):
        for _ in range(3):
            self.stop_after(0.3)
        self.segment(1).rename(self.folder / "first")
        self.segment(3).rename(self.segment(1))
        (self.folder / "first").rename(self.segment(3))
        line = self.refused(3)
        self.assertIn(f"'{self.segment(2)}' begins at tick", line)
        self.assertIn(f"'{self.segment(1)}' with a lower number", line)
        self.assertNotIn("salvage", line)
        self.assertIn("renamed or copied", self.tool("salvage", code=2))
        self.assertIn("are in both", self.tool("verify", code=1))
        shutil.copy(self.segment(3), self.folder / "first")
        self.segment(1).rename(self.segment(3))
        (self.folder / "first").rename(self.segment(1))
        self.restored(self.stop_after(0.3))

    def test_missing_and_damaged_ticks_are_named_and_the_rest_is_exported(self):
        last = []
        for _ in range(4):
            server = self.stop_after(0.4)
            last.append(int(re.search(r"state hash at tick (\d+)", server.text()).group(1)))
        damaged = bytearray(self.segment(1).read_bytes())
        damaged[len(damaged) * 3 // 4] ^= 1
        self.segment(1).write_bytes(damaged)
        self.segment(3).unlink()
        self.restored(self.stop_after(0.3))
        said = self.tool("verify", code=2)
        self.assertIn(f"ticks {last[1] + 1} to {last[2]} are missing between '{self.segment(2)}' and '{self.segment(4)}'", said)
        self.assertRegex(said, rf"'{self.segment(1)}' is damaged at byte \d+")
        runs = re.findall(r"ticks (\d+) to (\d+) can be exported: .* export --tick (\d+) -o FILE", said)
        self.assertGreaterEqual(len(runs), 2, said)
        for first, end, tick in runs:
            part = self.folder / f"{first}.jrec"
            exported = self.tool("export", "--tick", tick, "-o", part)
            self.assertIn("left out: the end of", exported)
            verified = run(TOOL, "verify", part)
            self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
            self.assertIn(f"{int(end) - int(first) + 1} ticks agree", verified.stdout)
        self.assertIn(f"no segment has tick {last[1] + 1}", self.tool("export", "--tick", last[1] + 1, "-o", self.folder / "none.jrec", code=2))
        newest = self.folder / "newest.jrec"
        self.tool("export", "-o", newest)
        self.assertIn(f"ticks {last[2] + 1} to", run(TOOL, "info", newest).stdout)

    def test_another_format_is_no_damage(self):
        self.stop_after(0.3)
        changed = bytearray(self.segment(1).read_bytes())
        changed[4] = 99
        self.segment(1).write_bytes(changed)
        for line in (self.refused(3), self.tool("salvage", code=2)):
            self.assertIn(f"'{self.segment(1)}' cannot be read: the recording has format 99", line)
            self.assertNotRegex(line, r"state \S+ salvage")
        self.assertEqual(self.segment(1).read_bytes(), bytes(changed))

    def test_an_export_stays_out_of_the_folder_and_leaves_no_rest(self):
        self.stop_after(0.3)
        for output, words in ((self.journal / "00000002.jrec", "is in the state folder"), (self.state / "a.jrec", "is in the state folder"),
                              (self.folder / "a.csv", "does not end with .jrec")):
            self.assertIn(words, self.tool("export", "-o", output, code=2))
            self.assertFalse(output.exists())
        self.assertIn("--tick needs export", self.tool("verify", "--tick", "5", code=2))
        self.assertIn("--give-up-ticks needs salvage", self.tool("info", "--give-up-ticks", code=2))

    def test_a_recording_that_grows_did_not_end_early(self):
        server = self.server("--scene", "tower")
        self.assertTrue(wait_until(lambda: "ticks 1 to" in run(TOOL, "state", self.state, "info").stdout))
        self.assertIn("not closed: its program still writes it, or ended early", run(TOOL, "info", self.segment(1)).stdout)
        server.stop()


@unittest.skipUnless(can_mount(), "this user cannot mount a small disk")
class SmallDisks(Faults):
    def on_small_disk(self, size_kib, *command, script=""):
        mount = f'mount -t tmpfs -o size={size_kib}k tmpfs "$0" && {script or "true"} && exec "$@"'
        return ("unshare", "-m", "sh", "-c", mount, str(self.folder), *command)

    def test_a_start_on_a_full_disk_is_no_wrong_argument(self):
        script = 'mount -t tmpfs -o size=400k tmpfs "$0" && "$@" >/dev/null; head -c 1M /dev/zero > "$0/filler"; "$@"'
        result = run("unshare", "-m", "sh", "-c", script, self.folder, SERVER, "--port", "0", "--state", self.state,
                     "--scene", "tower", "--duration", "0.3")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("jostled: --state: ", result.stderr)
        self.assertIn("No space left on device", result.stderr)

    def test_a_full_disk_for_the_keys_is_no_wrong_argument(self):
        fill = 'head -c 12k /dev/zero > "$0/filler"'
        result = run(*self.on_small_disk(16, SERVER, "--port", "0", "--state", self.state, "--scene", "tower", script=fill))
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("no space left", result.stderr)

    def test_an_export_to_a_full_disk_leaves_no_file(self):
        self.stop_after(0.5)
        small = self.folder / "small"
        small.mkdir()
        script = 'mount -t tmpfs -o size=4k tmpfs "$0" && "$@"; echo "code $?"; ls "$0"'
        result = run("unshare", "-m", "sh", "-c", script, small, TOOL, "state", self.state, "export", "-o", small / "a.jrec")
        self.assertEqual(result.stdout, "code 1\n", result.stderr)
        self.assertIn("No space left on device", result.stderr)

    def test_strict_durability_says_when_it_does_not_hold(self):
        fill = 'head -c 700k /dev/zero > "$0/filler"'
        server = self.server("--scene", "tower", "--durability", "strict", "--log-status", "0.1",
                             command=self.on_small_disk(800, script=fill))
        inside = Path(f"/proc/{server.process.pid}/root{self.folder}")
        bots = subprocess.Popen([str(TOOL), "bots", "--port", str(server.port), "--clients", "6", "--seconds", "86400"],
                                stdout=subprocess.DEVNULL, env=environment())
        self.addCleanup(bots.kill)
        self.assertTrue(server.wait_for("ticks are sent before they are durable"), server.text())
        found = re.search(r'error ticks are sent before they are durable file=(\S+) tick=(\d+) durable_tick=(\d+) why="(.*)"', server.text())
        self.assertTrue(found, server.text())
        self.assertEqual(found.group(1), str(self.segment(1)))
        self.assertLess(int(found.group(3)), int(found.group(2)))
        self.assertIn("No space left on device", found.group(4))
        # The world goes on, and the durable tick stays.
        tick = int(found.group(2))
        self.assertTrue(wait_until(lambda: int(re.findall(r"info status tick=(\d+)", server.text())[-1]) > tick + 120), server.text())
        self.assertEqual(re.findall(r"durable_tick=(\d+)", server.text())[-1], found.group(3))
        (inside / "filler").unlink()
        self.assertTrue(server.wait_for("ticks are durable again before they are sent"), server.text())
        self.assertEqual(server.text().count("ticks are sent before they are durable"), 1, server.text())
        server.kill()

    def test_a_hash_log_names_a_full_disk_and_goes_on(self):
        fill = 'head -c 24k /dev/zero > "$0/filler"'
        server = LoggedServer("--scene", "tower", "--hz", "240", "--snapshot-interval", "1", "--hash-log", self.folder / "hashes",
                              command=self.on_small_disk(32, script=fill))
        self.addCleanup(lambda: server.process.poll() is None and server.kill())
        inside = Path(f"/proc/{server.process.pid}/root{self.folder}")
        self.assertTrue(server.wait_for("hash log interrupted"), server.text())
        self.assertRegex(server.text(), rf'error hash log interrupted file={self.folder}/hashes why="no space left on the (disk|device)"')
        (inside / "filler").unlink()
        self.assertTrue(server.wait_for("hash log continues"), server.text())
        self.assertEqual(server.stop(), 1)
        self.assertRegex(server.text(), r"--hash-log: '.*' is incomplete: \d+ lines missing: no space left")


@unittest.skipIf(is_sanitized(), "sanitizers must be loaded before other libraries")
class StalledDisks(Faults):
    def test_a_frozen_disk_delays_one_strict_tick(self):
        stall = self.folder / "stall"
        server = self.server("--scene", "tower", "--durability", "strict", "--log-status", "0.1",
                             command=("env", f"LD_PRELOAD={build_stalled_disk(self.folder)}", f"STALL_FILE={stall}"))
        self.assertEqual(play(server.port, "--clients", "1", ticks=30).returncode, 0)
        stall.touch()
        self.assertTrue(server.wait_for("ticks are sent before they are durable"), server.text())
        self.assertIn('why="the disk does not answer"', server.text())
        # Other ticks do not wait: before, each took a second.
        begin = int(re.findall(r"info status tick=(\d+)", server.text())[-1])
        self.assertEqual(play(server.port, "--clients", "1", ticks=240).returncode, 0)
        self.assertGreater(int(re.findall(r"info status tick=(\d+)", server.text())[-1]) - begin, 200)
        waits = [float(ms) for ms in re.findall(r"tick too long .*stage=journal stage_ms=([\d.]+)", server.text())]
        self.assertEqual(len([ms for ms in waits if ms > 900]), 1, server.text())
        self.assertEqual(server.text().count("ticks are sent before they are durable"), 1, server.text())
        stall.unlink()
        self.assertTrue(server.wait_for("ticks are durable again before they are sent"), server.text())
        self.assertEqual(server.stop(), 0, server.text())
        self.verified()


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
