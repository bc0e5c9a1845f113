#!/usr/bin/env python3
"""Tests the files that the programs write: their names are checked, a failed start changes none, and the end names them.

usage: outputs_test.py BIN_DIR SOURCE_DIR
"""
import re
import signal
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from harness import PATIENCE, SERVER, SOURCE, TOOL, VIEW, Server, environment, play, run, wait_until

SCENE = (SOURCE / "scenes" / "tower.scene.json").read_text()


class OutputTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.scene = self.folder / "own.scene.json"
        self.scene.write_text(SCENE)

    def refused(self, command, *words, code=2):
        """Expects one line of error with all `words`, and that the command changes no file."""
        def contents():
            return {path.name: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}

        before = contents()
        result = run(*command)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)
        self.assertEqual(contents(), before)


class Outputs(OutputTest):
    def server(self, *options):
        return (SERVER, "--port", "0", "--scene", self.scene, "--duration", "0.2", *options)

    def test_an_output_that_is_another_file_of_the_command_is_refused(self):
        link, run_file, frames = (self.folder / name for name in ("link", "run.jrec", "frames"))
        link.symlink_to(self.scene)
        self.assertEqual(run(TOOL, "record", "--scene", self.scene, "--ticks", "2", "-o", run_file).returncode, 0)
        frames.write_bytes(b"")
        picture = self.folder / "a.glb"
        for command, words in [
            (self.server("--hash-log", link), [f"--hash-log: '{link}' would overwrite a file of --scene; choose another file"]),
            (self.server("--hash-log", self.scene), ["--hash-log", "ends with .json, but a log is plain text"]),
            (self.server("--hash-log", run_file), ["--hash-log", "ends with .jrec, but a log is plain text"]),
            ((TOOL, "export", self.folder, "--csv", self.folder / "a.csv"), [f"the recording: '{self.folder}' is a folder, not a file"]),
            ((TOOL, "record", "--script", self.folder, "-o", self.folder / "a.jrec"),
             [f"--script: '{self.folder}' is a folder, not a file"]),
            (self.server("--psk", self.folder, "--hash-log", self.folder / "log"), [f"--psk: '{self.folder}' is a folder"]),
            ((VIEW, "--psk", self.folder, "--hash-log", self.folder / "log", "--renderer", "none"),
             [f"--psk: '{self.folder}' is a folder, not a file"]),
            (self.server("--hash-log", self.folder / "log", "--keys", self.folder), ["--hash-log", "a file of --keys"]),
            ((TOOL, "export", run_file, "--csv", picture, "--gltf", picture), ["--gltf", "a file of --csv"]),
            ((TOOL, "bench", "physics", "--scene", self.scene, "--dump", link), ["--dump", "a file of --scene"]),
            ((TOOL, "bench", "physics", "--scene", "boxes4", "--dump", frames, "--trace", frames),
             ["--trace", "a file of --dump"]),
            ((TOOL, "bench", "snapshots", "--frames", frames, "--write", frames), ["--write", "a file of --frames"]),
        ]:
            with self.subTest(command=command):
                self.refused(command, *words)

    def test_a_failed_start_of_the_server_changes_no_file(self):
        kept, log = self.folder / "kept.jrec", self.folder / "kept.txt"
        for path in (kept, log):
            path.write_text("as it was")
        missing = self.folder / "no" / "file"
        outputs = ("--record", kept, "--hash-log", log)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            other.bind(("127.0.0.1", 0))
            self.refused((SERVER, "--scene", self.scene, "--port", other.getsockname()[1], *outputs), "in use", code=1)
        self.refused(self.server("--record", kept, "--hash-log", missing), f"--hash-log: cannot write '{missing}': ")
        self.refused(self.server("--record", f"{missing}.jrec", "--hash-log", log), f"--record: '{missing}.jrec' cannot be created: No such file or directory")
        self.refused(self.server("--record", self.folder / "new.jrec", "--hash-log", missing), "--hash-log")

    def test_an_output_that_another_server_writes_is_not_changed(self):
        recording, log = self.folder / "two.jrec", self.folder / "log.txt"
        with Server("--scene", self.scene, "--record", recording, "--hash-log", log) as first:
            result = run(*self.server("--hash-log", log))
            self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
            self.assertIn(f"--hash-log: cannot write '{log}': it is being written by another program\n", result.stderr)
            # A recording gets a name of its own.
            result = run(*self.server("--record", recording))
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            self.assertIn(f"recording to {self.folder}/two-2.jrec, because {recording} exists", result.stdout)
            self.assertEqual(play(first.port, ticks=5).returncode, 0)
            code, output = first.stop()
        self.assertEqual(code, 0, output)
        verified = run(TOOL, "verify", recording)
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
        self.assertEqual(run(*self.server("--record", recording, "--hash-log", log)).returncode, 0)

    def test_the_default_folder_of_recordings_is_checked_at_the_start(self):
        # The file system /proc contains no new folders, not even of the superuser.
        for options in (("--record", "ring"), ("--mode", "lockstep")):
            result = run(*self.server(*options), cwd="/proc")
            self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
            self.assertRegex(result.stderr, r"\Ajostled: --record-folder: cannot write to folder '/proc': .+; choose another "
                                            r"folder with --record-folder, or use --record off \(")
        (self.folder / "recordings").write_bytes(b"")
        result = run(*self.server("--record", "ring"), cwd=self.folder)
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        self.assertIn("--record-folder: 'recordings' is a file, not a folder; choose", result.stderr)

    def test_a_refused_benchmark_creates_no_file(self):
        self.refused((TOOL, "bench", "physics", "--scene", "boxes4", "--dump", self.folder / "new",
                      "--trace", self.folder / "no" / "trace"), "--trace: cannot write")
        for option in ("--dump", "--trace"):
            self.refused((TOOL, "bench", "physics", "--scene", "boxes4", option, self.folder / "a.jrec"), f"{option}: '")

    def test_the_server_names_the_files_that_it_wrote(self):
        recording, log = self.folder / "a.jrec", self.folder / "log.txt"
        result = run(*self.server("--record", recording, "--hash-log", log))
        self.assertEqual(result.returncode, 0, result.stderr)
        ticks = int(re.search(r"jostled: (\d+) ticks", result.stdout).group(1))
        self.assertEqual(result.stdout.splitlines()[-2:],
                         [f"jostled: recorded {recording}: {ticks} ticks, {recording.stat().st_size} bytes",
                          f"jostled: wrote {log}: {ticks} lines, {log.stat().st_size} bytes"])
        self.assertEqual(len(log.read_text().splitlines()), ticks)
        info = run(TOOL, "info", recording).stdout
        self.assertRegex(info, r"(?m)^scene +own\.scene\.json, ")
        self.assertNotIn(str(self.folder).encode(), recording.read_bytes())

    def test_an_interrupted_recording_leaves_no_file(self):
        for sent in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen([str(TOOL), "record", "--scene", str(self.scene), "--ticks", "100000000", "-o",
                                        str(self.folder / "long.jrec")], env=environment())
            self.assertTrue(wait_until((self.folder / "long.jrec.part").exists))
            process.send_signal(sent)
            self.assertEqual(process.wait(timeout=PATIENCE), -sent)
            self.assertEqual([path.name for path in self.folder.iterdir()], [self.scene.name])

    def test_keys_are_created_only_in_folders_that_exist(self):
        for command in ("psk", "key"):
            path = self.folder / "no" / "deep" / "file"
            self.refused((TOOL, command, "new", path),
                         f"cannot write '{path}': there is no folder '{path.parent}'; create it first")
            self.assertFalse((self.folder / "no").exists())
            self.assertEqual(run(TOOL, command, "new", self.folder / command).returncode, 0)

    def test_errors_of_scripts_contain_no_control_characters(self):
        script = self.folder / "bad.inputs"
        for text, words in [
            (b"1 \x1b[2Jdance 1\n", r"bad.inputs:1: '\x1b[2Jdance' is not an event"),
            (b"\x1b[31m join 1\n", r"bad.inputs:1: '\x1b[31m' is not a tick"),
            (b"1 join 1 Ann\n2 move 1 \xff\x07 0\n", r"bad.inputs:2: '\xff\x07' is not a number"),
            (b"1 join 1 A\x1b[2Jnn\n", r"bad.inputs:1: 'A\x1b[2Jnn': a name must be UTF-8 text without control characters"),
        ]:
            with self.subTest(text=text):
                script.write_bytes(text)
                self.refused((TOOL, "record", "--scene", self.scene, "--script", script, "-o", self.folder / "a.jrec"), words)

    def test_options_without_effect_are_refused(self):
        for options, words in [
            (("--on-desync", "stop"), "--on-desync needs --mode lockstep"),
            (("--record-folder", self.folder), "--record-folder needs --record ring"),
            (("--record-seconds", "5", "--record", self.folder / "a.jrec"), "--record-seconds needs --record ring"),
            (("--mode", "lockstep", "--record", "off", "--record-folder", self.folder), "--record-folder needs --record ring"),
        ]:
            with self.subTest(options=options):
                self.refused(self.server(*options), words)

    def test_faults_that_the_server_cannot_inject_are_refused(self):
        recording = self.folder / "a.jrec"
        for fault, words in [
            ("ulp:5:14:colour", "--inject: body 14 has no field 'colour'; fields: motion, "),
            ("ulp:5:9999:position.x", "--inject: there is no body 9999; bodies are 1 to 169"),
            ("ulp:nan:14:position.x", "'ulp:nan:14:position.x' is not of the form ulp:TICK:BODY:FIELD"),
            ("ulp:0:14:position.x", "--inject: the run has ticks 1 to 12, not 0"),
            ("ulp:13:14:position.x", "--inject: the run has ticks 1 to 12, not 13"),
        ]:
            with self.subTest(fault=fault):
                self.refused(self.server("--record", recording, "--inject", fault), words)
        many = ["ulp:5:14:position.x"] * 17
        self.refused(self.server("--inject", *many), "--inject: tick 5 has more than 16 faults")
        accepted = run(*self.server("--record", recording, "--inject", "ulp:5:14:position.x"))
        self.assertEqual(accepted.returncode, 0, accepted.stderr)
        self.assertIn("\njostled: INJECTED FAULTS: tick 5: body 14, position.x\n", accepted.stdout)
        self.assertIn("1 injected", run(TOOL, "info", recording).stdout)


@unittest.skipUnless(VIEW.exists(), "jostle-view was not built (JOSTLE_BUILD_APP=OFF)")
class OutputsOfTheView(OutputTest):
    def test_outputs_that_would_replace_the_scene_or_the_recording_are_refused(self):
        recording, link = self.folder / "run.jrec", self.folder / "link.png"
        self.assertEqual(run(TOOL, "record", "--scene", self.scene, "--ticks", "2", "-o", recording).returncode, 0)
        for shown in (self.scene, recording):
            link.symlink_to(shown)
            self.refused((VIEW, shown, "--offscreen", "--frames", "2", "--screenshot", link), "--screenshot: ", "would overwrite")
            link.unlink()
            self.refused((VIEW, shown, "--offscreen", "--frames", "2", "--screenshot", shown), "--screenshot: ", ".png")
        self.refused((VIEW, self.scene, "--renderer", "none", "--duration", "1", "--hash-log", self.scene),
                     "--hash-log: ", ".json")

    def test_outputs_that_cannot_be_written_are_refused_before_the_view_connects(self):
        view = (VIEW, "127.0.0.1:9", "--offscreen", "--timeout", "0.2")
        for option in ("--screenshot", "--hash-log"):
            self.refused((*view, option, self.folder), f"{option}: '{self.folder}' is a folder, not a file")
            self.refused((*view, option, self.folder / "no" / "a.png"), f"{option}: ")
        # The file system /proc contains no new files, not even of the superuser.
        self.refused((*view, "--screenshot", "/proc/a.png"), "--screenshot: cannot write '/proc/a.png'")

    def test_a_hash_log_stays_as_it_was_if_no_server_answers(self):
        kept, new = self.folder / "kept.txt", self.folder / "new.txt"
        kept.write_text("as it was")
        for path in (kept, new):
            result = run(VIEW, "127.0.0.1:9", "--renderer", "none", "--timeout", "0.2", "--hash-log", path)
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertNotIn("wrote", result.stdout)
        self.assertEqual(kept.read_text(), "as it was")
        self.assertFalse(new.exists())

    def test_the_hash_log_of_a_server_is_refused(self):
        log = self.folder / "log.txt"
        with Server("--scene", self.scene, "--hash-log", log) as server:
            result = run(VIEW, f"127.0.0.1:{server.port}", "--renderer", "none", "--duration", "0.1", "--hash-log", log)
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn(f"--hash-log: cannot write '{log}': it is being written by another program\n", result.stderr)

    def test_files_that_the_view_would_rewrite_have_no_ending_of_another_kind(self):
        view = (VIEW, "127.0.0.1:9", "--renderer", "none", "--timeout", "0.2")
        for ending in ("json", "jrec", "png"):
            path = self.folder / f"a.{ending}"
            self.refused((*view, "--settings", path), f"--settings: '{path}' ends with .{ending}, but this file holds settings")
            self.refused((*view, "--known-servers", path), f"--known-servers: '{path}' ends with .{ending}, but this file holds")

    def test_a_video_of_one_tick_is_one_picture(self):
        recording, frames = self.folder / "run.jrec", self.folder / "frames"
        frames.mkdir()
        self.assertEqual(run(TOOL, "record", "--scene", self.scene, "--ticks", "20", "-o", recording).returncode, 0)
        result = run(VIEW, recording, "--offscreen", "--at-tick", "10", "--size", "160x90", "--video-frames", frames)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual([path.name for path in frames.iterdir()], ["frame-000001.png"])
        self.assertIn("frame-000001.png: 1 frame\n", result.stdout)

    def test_the_picture_of_a_failed_connection_is_reported(self):
        path = self.folder / "a.png"
        result = run(VIEW, "127.0.0.1:9", "--offscreen", "--timeout", "0.2", "--size", "160x90", "--screenshot", path)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn(f"jostle-view: wrote {path}: the error, 160 x 90 pixels, {path.stat().st_size} bytes\n",
                      result.stdout)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
