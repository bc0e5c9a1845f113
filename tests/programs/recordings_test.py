#!/usr/bin/env python3
"""Tests recordings: written, verified, damaged, with an injected fault, and compared.

usage: recordings_test.py BIN_DIR SOURCE_DIR
"""
import bisect
import csv
import json
import signal
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from harness import SERVER, TOOL, VIEW, Server, play, run


class Recordings(unittest.TestCase):
    def test_verify_accepts_a_recording_and_rejects_a_changed_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.jrec"
            recorded = run(TOOL, "record", "--scene", "tower", "--players", "2", "--seed", "7", "--ticks", "300",
                           "-o", path)
            self.assertEqual(recorded.returncode, 0, recorded.stderr)
            verified = run(TOOL, "verify", path)
            self.assertEqual(verified.returncode, 0, verified.stderr)
            self.assertIn("300 ticks agree", verified.stdout)
            hash_recorded = recorded.stdout.split("hash ")[1].strip()
            self.assertIn(hash_recorded, verified.stdout)

            damaged = bytearray(path.read_bytes())
            damaged[len(damaged) // 2] ^= 1
            path.write_bytes(damaged)
            refused = run(TOOL, "verify", path)
            self.assertEqual(refused.returncode, 2)
            self.assertIn("checksum", refused.stderr)

    def test_a_recording_has_players_only_if_an_option_asks_for_them(self):
        with tempfile.TemporaryDirectory() as folder:
            path, table, script = Path(folder) / "a.jrec", Path(folder) / "a.csv", Path(folder) / "a.inputs"
            script.write_text("1 join 1 Ann\n")
            for options, count in (((), 0), (("--seed", "7"), 0), (("--players", "3"), 3), (("--script", script), 1)):
                with self.subTest(options=options):
                    recorded = run(TOOL, "record", "--scene", "tower", "--ticks", "62", "-o", path, *options)
                    self.assertEqual(recorded.returncode, 0, recorded.stderr)
                    self.assertEqual(run(TOOL, "export", path, "--csv", table).returncode, 0)
                    with table.open(newline="") as file:
                        players = {row["body"] for row in csv.DictReader(file) if row["name"] == "Ann" or row["name"].startswith("random ")}
                    self.assertEqual(len(players), count)
            refused = run(TOOL, "record", "--players", "1", "--script", script, "-o", path)
            self.assertEqual(refused.returncode, 2)
            self.assertIn("--script", refused.stderr)
            self.assertIn("--players", refused.stderr)

    def test_sync_test_detects_an_injected_fault(self):
        with tempfile.TemporaryDirectory() as folder:
            good, bad = Path(folder) / "good.jrec", Path(folder) / "bad.jrec"
            for path, fault in ((good, ()), (bad, ("--inject", "ulp:40:14:linear_velocity.y"))):
                recorded = run(TOOL, "record", "--scene", "tower", "--players", "2", "--ticks", "60", "-o", path, *fault)
                self.assertEqual(recorded.returncode, 0, recorded.stderr)
            agrees = run(TOOL, "verify", good, "--sync-test", "8")
            self.assertEqual(agrees.returncode, 0, agrees.stdout + agrees.stderr)
            self.assertIn("sync test: 60 ticks, each rolled back by 8 ticks and simulated again, agree", agrees.stdout)
            # An injected fault is not a command, so the ticks that are simulated again do not
            # contain it.
            differs = run(TOOL, "verify", bad, "--sync-test", "8")
            self.assertEqual(differs.returncode, 1)
            self.assertIn("tick 40 differs when it is rolled back by 8 ticks and simulated again", differs.stdout)
            self.assertIn("linear_velocity.y", differs.stdout)
            self.assertIn("1 ulp", differs.stdout)
            self.assertEqual(run(TOOL, "verify", good, "--sync-test", "0").returncode, 2)

    def test_a_server_saves_its_last_ticks_on_sigusr1(self):
        with tempfile.TemporaryDirectory() as folder:
            with Server("--scene", "tower", "--record", "ring", "--record-folder", Path(folder) / "new" / "deep",
                        "--sandbox") as server:
                bots = play(server.port, "--clients", "2")
                self.assertEqual(bots.returncode, 0, bots.stderr)
                server.process.send_signal(signal.SIGUSR1)
                line = server.process.stdout.readline().decode()
                code, output = server.stop()
            self.assertEqual(code, 0, output)
            path = Path(line.split(", to ")[1].strip())
            self.assertEqual([path], list((Path(folder) / "new" / "deep").iterdir()))
            self.assertRegex(path.name, r"^tower-\d{8}T\d{6}Z-tick\d+\.jrec$")
            info = run(TOOL, "info", path).stdout
            self.assertIn("2 joins", info)
            self.assertIn("closed", info)
            verified = run(TOOL, "verify", path)
            self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)

    def test_a_server_without_a_ring_reports_it_and_continues(self):
        with Server("--scene", "tower") as server:
            server.process.send_signal(signal.SIGUSR1)
            self.assertIn("--record ring", server.process.stdout.readline().decode())
            self.assertEqual(server.stop()[0], 0)
        for options, words in ((["--record-seconds", "0"], "--record-seconds"),
                               (["--record-folder", "/dev/null/a"], "'/dev/null' is a file, not a folder"),
                               (["--record", "live"], "--record: 'live' does not end with .jrec; did you mean 'live.jrec'?"),
                               (["--record", "rng"], "--record: 'rng' does not end with .jrec; did you mean 'ring'?")):
            refused = run(SERVER, "--port", "0", *options)
            self.assertEqual(refused.returncode, 2)
            self.assertIn(words, refused.stderr)

    def test_verify_accepts_thread_counts_and_simd_levels(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.jrec"
            self.record(path)
            verified = run(TOOL, "verify", path, "--threads", "1,3", "--simd", "plain")
            self.assertEqual(verified.returncode, 0, verified.stderr)
            self.assertEqual(len(verified.stdout.splitlines()), 2)
            self.assertIn("(3 threads, plain)", verified.stdout)
            for options in (["--threads", "0"], ["--simd", "mmx"]):
                refused = run(TOOL, "verify", path, *options)
                self.assertEqual(refused.returncode, 2)
                self.assertIn(options[1], refused.stderr)

    def test_an_injected_fault_is_recorded_replayed_and_located(self):
        with tempfile.TemporaryDirectory() as folder:
            good, faulty = Path(folder) / "a.jrec", Path(folder) / "b.jrec"
            self.record(good)
            self.record(faulty, "--inject", "ulp:184:14:linear_velocity.y")
            self.assertEqual(run(TOOL, "verify", faulty).returncode, 0)
            self.assertIn("1 injected", run(TOOL, "info", faulty).stdout)
            same = run(TOOL, "diff", good, good)
            self.assertEqual((same.returncode, same.stdout), (0, "300 ticks in common, equal in inputs and states\n"))
            found = run(TOOL, "diff", good, faulty)
            self.assertEqual(found.returncode, 1, found.stderr)
            for words in ("tick 184, in bodies", "injected fault", "body 14", "linear_velocity.y", "1 ulp"):
                self.assertIn(words, found.stdout)
            for fault, words in (("ulp:5:9999:position.x", "in tick 5, there is no body 9999"),
                                 ("ulp:5:14:colour", "in tick 5, body 14 has no field 'colour'; fields: "),
                                 ("ulp:5:14:colour", ", linear_velocity.y, "),
                                 ("five", "ulp:TICK:BODY:FIELD")):
                refused = run(TOOL, "record", "--scene", "tower", "--inject", fault, "-o", faulty)
                self.assertEqual(refused.returncode, 2, fault)
                self.assertIn(words, refused.stderr)

    def test_bisect_locates_the_divergence_of_another_program(self):
        with tempfile.TemporaryDirectory() as folder:
            good, faulty, other = (Path(folder) / name for name in ("a.jrec", "b.jrec", "other"))
            self.record(good)
            self.record(faulty, "--inject", "ulp:184:14:linear_velocity.y")
            same = run(TOOL, "bisect", good, "--against", TOOL)
            self.assertEqual(same.returncode, 0, same.stderr)
            self.assertIn("300 ticks", same.stdout)
            # This program always replays the faulty recording.
            other.write_text(f'#!/bin/sh\ncommand=$1; shift 2\nexec "{TOOL}" "$command" "{faulty}" "$@"\n')
            other.chmod(0o755)
            found = run(TOOL, "bisect", good, "--against", other)
            self.assertEqual(found.returncode, 1, found.stderr)
            for words in ("tick 184", "body 14", "linear_velocity.y", "1 ulp"):
                self.assertIn(words, found.stdout)
            # The fault is after the second keyframe, in a paused tick, which has no stages.
            paused = Path(folder) / "paused.txt"
            paused.write_text("650 pause\n800 resume\n")
            for path, fault in ((good, ()), (faulty, ("--inject", "ulp:655:14:position.y"))):
                made = run(TOOL, "record", "--scene", "tower", "--ticks", "700", "--script", paused, *fault, "-o", path)
                self.assertEqual(made.returncode, 0, made.stderr)
                self.assertEqual(made.stderr, f"jostle record: --script: '{paused}' has events up to tick 800, but the run ends with tick 700\n")
            found = run(TOOL, "bisect", good, "--against", other)
            self.assertEqual(found.returncode, 1, found.stderr)
            for words in ("tick 655, after the last stage", "keyframe before tick 601", "body 14", "position.y", "1 ulp"):
                self.assertIn(words, found.stdout)
            other.write_text("#!/bin/sh\nexit 0\n")
            refused = run(TOOL, "bisect", good, "--against", other)
            self.assertEqual(refused.returncode, 2)
            self.assertIn("printed nothing", refused.stderr)

    def test_exported_csv_contains_all_bodies(self):
        with tempfile.TemporaryDirectory() as folder:
            path, table = Path(folder) / "a.jrec", Path(folder) / "a.csv"
            self.record(path)
            table.write_text("earlier")
            refused = run(TOOL, "export", path, "--csv", table, "--every", "1000")
            self.assertEqual(refused.returncode, 2)
            self.assertIn("--every: ", refused.stderr)
            self.assertEqual(table.read_text(), "earlier")
            made = run(TOOL, "export", path, "--csv", table, "--every", "100")
            self.assertEqual(made.returncode, 0, made.stderr)
            with table.open(newline="") as file:
                rows = list(csv.DictReader(file))
            ticks = {row["tick"] for row in rows}
            self.assertEqual(ticks, {"100", "200", "300"})
            bricks = [row for row in rows if row["name"] == "brick_10"]
            self.assertEqual(len(bricks), 3)
            for row in rows:
                turn = sum(float(row["rotation_" + axis]) ** 2 for axis in "xyzw")
                self.assertAlmostEqual(turn, 1, 5)
            self.assertAlmostEqual(float(bricks[2]["seconds"]), 5.0)
            refused = run(TOOL, "export", path, "--csv", folder + "/no/table")
            self.assertEqual(refused.returncode, 2)
            self.assertIn("/no/table", refused.stderr)

    def test_a_failed_recording_keeps_the_existing_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "keep.jrec"
            line = (TOOL, "record", "--scene", "tower", "--ticks", "50", "-o", path)
            self.assertEqual(run(*line).returncode, 0)
            kept = path.read_bytes()
            for fault, words in (("ulp:51:14:position.x", "ticks 1 to 50"), ("ulp:0:14:position.x", "ticks 1 to 50"),
                                 ("ulp:20:999:position.x", "no body 999")):
                refused = run(*line, "--inject", fault)
                self.assertEqual(refused.returncode, 2, fault)
                self.assertIn(words, refused.stderr)
                self.assertEqual(path.read_bytes(), kept)
            self.assertEqual(list(Path(folder).iterdir()), [path])
            itself = run(TOOL, "export", path, "--csv", path)
            self.assertEqual(itself.returncode, 2)
            self.assertEqual(itself.stderr, f"jostle export: --csv: '{path}' would overwrite a file of the recording; "
                                            "choose another file\n")
            self.assertEqual(path.read_bytes(), kept)
            table, picture, torn = (Path(folder) / name for name in ("a.csv", "a.glb", "torn.jrec"))
            torn.write_bytes(kept[:60])
            for out in (table, picture):
                out.write_text("as it was")
            refused = run(TOOL, "export", torn, "--csv", table, "--gltf", picture)
            self.assertEqual(refused.returncode, 2)
            for out in (table, picture):
                self.assertEqual(out.read_text(), "as it was")
            self.assertEqual(sorted(Path(folder).iterdir()), sorted([path, table, picture, torn]))
            device = run(TOOL, "verify", "/dev/zero")
            self.assertEqual((device.returncode, device.stderr),
                             (2, "jostle verify: '/dev/zero': not a file but a device or a pipe\n"))
            device = Path(folder) / "full.jrec"
            device.symlink_to("/dev/full")
            full = run(TOOL, "record", "--scene", "tower", "--ticks", "1000000", "-o", device)
            self.assertEqual(full.returncode, 1)
            self.assertEqual(full.stderr, f"jostle record: --output: cannot write '{device}': no space left on device\n")
            for option, name in (("--csv", "full.csv"), ("--gltf", "full.glb"), ("--gltf", "full.gltf")):
                device = Path(folder) / name
                device.symlink_to("/dev/full")
                full = run(TOOL, "export", path, option, device)
                self.assertEqual((full.returncode, full.stderr),
                                 (1, f"jostle export: {option}: cannot write '{device}': no space left on device\n"))

    def test_outputs_follow_links_and_replace_no_other_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path, link = Path(folder) / "a.jrec", Path(folder) / "link.jrec"
            link.symlink_to("a.jrec")
            part = Path(folder) / "a.csv.part"
            part.write_text("kept")
            made = run(TOOL, "record", "--scene", "tower", "--ticks", "3", "-o", link)
            self.assertEqual(made.returncode, 0, made.stderr)
            self.assertTrue(link.is_symlink())
            self.assertTrue(path.is_file())
            export = run(TOOL, "export", path, "--csv", Path(folder) / "a.csv")
            self.assertEqual(export.returncode, 0, export.stderr)
            self.assertEqual(part.read_text(), "kept")
            stdout = Path(folder) / "stdout"
            stdout.symlink_to("/proc/self/fd/1")
            with (Path(folder) / "b.csv").open("wb") as out:
                code = subprocess.run([TOOL, "export", path, "--csv", stdout], stdout=out, check=False).returncode
            self.assertEqual(code, 0)
            self.assertTrue(stdout.is_symlink())
            self.assertEqual((Path(folder) / "b.csv").read_bytes(), (Path(folder) / "a.csv").read_bytes())
            self.assertEqual(sorted(p.name for p in Path(folder).iterdir()),
                             ["a.csv", "a.csv.part", "a.jrec", "b.csv", "link.jrec", "stdout"])

    def test_a_full_disk_behind_the_output_is_an_error(self):
        for arguments in (("--version",), ("record", "--help")):
            with open("/dev/full", "wb") as full:
                result = subprocess.run([TOOL, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
            self.assertEqual((result.returncode, result.stderr),
                             (1, "jostle: cannot write to the standard output: No space left on device\n"))

    def test_record_replaces_only_recordings(self):
        with tempfile.TemporaryDirectory() as folder:
            scene = Path(folder) / "own.scene.json"
            scene.write_text('{"name": "own"}')
            refused = run(TOOL, "record", "--scene", scene, "--ticks", "2", "-o", scene)
            self.assertEqual(refused.returncode, 2)
            self.assertIn(f"'{scene}' does not end with .jrec", refused.stderr)
            self.assertEqual(scene.read_text(), '{"name": "own"}')

    def test_a_trace_starts_only_directly_after_a_keyframe(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.jrec"
            self.record(path)
            refused = run(TOOL, "trace", path, "--from", "050")
            self.assertEqual((refused.returncode, refused.stderr),
                             (2, f"jostle trace: --from: tick 50 of '{path}' does not directly follow a keyframe; "
                                 "only tick 1 does\n"))

    def test_recordings_of_different_scenes_cannot_be_compared(self):
        with tempfile.TemporaryDirectory() as folder:
            tower, crates = Path(folder) / "a.jrec", Path(folder) / "b.jrec"
            self.record(tower)
            self.record(crates, scene="crates")
            refused = run(TOOL, "diff", tower, crates)
            self.assertEqual(refused.returncode, 2)
            self.assertIn("different scenes", refused.stderr)

    def record(self, path, *options, scene="tower"):
        recorded = run(TOOL, "record", "--scene", scene, "--players", "2", "--seed", "7", "--ticks", "300",
                       "-o", path, *options)
        self.assertEqual(recorded.returncode, 0, recorded.stderr)

    def test_a_script_drives_the_recording_reproducibly(self):
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "push.inputs"
            script.write_text("# Ann pushes the lowest crate\n1 join 1 Ann\n20 push 1 3 0 0 0 0 0 180\n"
                              "30 move 1 1 0\n60 shoot 1 0 5 8 0 0 -20\n90 reset\n120 leave 1\n")
            hashes = []
            for name in ("a.jrec", "b.jrec"):
                path = Path(folder) / name
                self.assertEqual(run(TOOL, "record", "--scene", "tower", "--ticks", "150",
                                     "--script", script, "-o", path).returncode, 0)
                verified = run(TOOL, "verify", path)
                self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
                hashes.append(verified.stdout.split("hash ")[1])
            self.assertEqual(hashes[0], hashes[1])

    def test_exported_gltf_has_every_body_at_its_position(self):
        with tempfile.TemporaryDirectory() as folder:
            path, table = Path(folder) / "a.jrec", Path(folder) / "a.csv"
            self.record(path)
            for name in ("a.glb", "a.gltf"):
                made = run(TOOL, "export", path, "--csv", table, "--gltf", Path(folder) / name)
                self.assertEqual(made.returncode, 0, made.stderr)
                size = (Path(folder) / name).stat().st_size
                self.assertEqual(made.stdout, f"exported {table}: 300 ticks, {table.stat().st_size} bytes\n"
                                              f"exported {folder}/{name}: 300 frames, {size} bytes\n")
            picture = Picture((Path(folder) / "a.glb").read_bytes())
            as_text = json.loads((Path(folder) / "a.gltf").read_text())
            self.assertEqual(len(as_text["nodes"]), len(picture.document["nodes"]))
            self.assertTrue(as_text["buffers"][0]["uri"].startswith("data:application/octet-stream;base64,"))

            places, bodies = {}, {}
            with open(table, newline="") as file:
                for row in csv.DictReader(file):
                    bodies.setdefault(row["name"], set()).add(row["body"])
                    places.setdefault(row["name"], []).append(
                        [float(row[key]) for key in ("seconds", "position_x", "position_y", "position_z")])
            compared = 0
            for name, path_of_body in places.items():
                if not name or len(bodies[name]) > 1:
                    continue
                for seconds, *position in path_of_body[::7]:
                    shown = picture.position(name, seconds - 1 / 60)
                    for at, should in zip(shown, position):
                        self.assertAlmostEqual(at, should, delta=1e-5 * max(1, abs(should)), msg=name)
                    compared += 1
            self.assertGreater(compared, 1000)
            # Players join during the run and must be invisible before.
            sizes = [channel for channel in picture.channels if channel[1] == "scale"]
            self.assertTrue(sizes)
            for node, _, times, values in sizes:
                self.assertEqual((times[0], values[0]), (0, (0, 0, 0)))
                self.assertEqual(values[1], (1, 1, 1))

    @unittest.skipUnless(VIEW.exists(), "jostle-view was not built (JOSTLE_BUILD_APP=OFF)")
    def test_view_shows_any_tick_and_compares_recordings(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            a, b, other, png = (folder / name for name in ("a.jrec", "b.jrec", "other.jrec", "a.png"))
            for path, scene, seed in ((a, "tower", "7"), (b, "tower", "8"), (other, "cradle", "7")):
                self.assertEqual(run(TOOL, "record", "--scene", scene, "--players", "2", "--seed", seed, "--ticks", "700",
                                     "-o", path).returncode, 0)
            look = (VIEW, a, "--offscreen", "--size", "320x240")
            seen = run(*look, "--compare", b, "--at-tick", "650", "--screenshot", png)
            self.assertEqual(seen.returncode, 0, seen.stderr)
            self.assertRegex(seen.stdout, "tick 650 of 0 to 700, hash [0-9a-f]{16}, as recorded, "
                                          f"{b}: [1-9][0-9]* bodies differ\\n")
            # Damping has no effect on the poses of its tick.
            self.assertEqual(run(TOOL, "record", "--scene", "tower", "--players", "2", "--seed", "7", "--ticks", "700",
                                 "--inject", "ulp:650:14:linear_damping", "-o", b).returncode, 0)
            self.assertIn(f", as recorded, {b}: different state, same poses\n",
                          run(*look, "--compare", b, "--at-tick", "0650").stdout)
            self.assertIn(f", as recorded, {b}: the same state\n", run(*look, "--compare", b, "--at-tick", "600").stdout)
            refused = run(*look, "--compare", other)
            self.assertEqual((refused.returncode, refused.stderr),
                             (2, f"jostle-view: --compare: '{other}' and '{a}': the recordings are of different scenes\n"))
            refused = run(*look, "--at-tick", "701")
            self.assertEqual((refused.returncode, refused.stderr),
                             (2, f"jostle-view: --at-tick: '{a}' has ticks 0 to 700, not 701\n"))
            self.assertEqual(png.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")
            # The hash equals that of a recording that ends with this tick.
            self.assertEqual(run(TOOL, "record", "--scene", "tower", "--players", "2", "--seed", "7",
                                 "--ticks", "650", "-o", folder / "short.jrec").stdout.split("hash ")[1].strip(),
                             seen.stdout.split("hash ")[1][:16])
            # Playback works, too; a truncated recording plays up to its end.
            played = run(*look, "--frames", "5")
            self.assertEqual(played.returncode, 0, played.stderr)
            self.assertRegex(played.stdout, "tick [0-9]+ of 0 to 700")
            torn = folder / "torn.jrec"
            torn.write_bytes(a.read_bytes()[:-200])
            seen = run(VIEW, torn, "--offscreen", "--size", "320x240", "--at-tick", "600")
            self.assertEqual(seen.returncode, 0, seen.stderr)
            self.assertIn("tick 600 of 0 to 600, ", seen.stdout)
            damaged = bytearray(a.read_bytes())
            damaged[60] ^= 1
            torn.write_bytes(damaged)
            for line, words in (((VIEW, torn), "checksum"), ((VIEW, folder / "no.jrec"), "no such file"),
                                ((*look, "--at-tick", "701"), "has ticks 0 to 700"),
                                ((*look, "--compare", other), "different scenes"),
                                ((*look, "--compare", torn), "--compare: '"),
                                ((*look, "--compare", folder / "no.jrec"), "--compare: '")):
                refused = run(*line, "--offscreen")
                self.assertEqual(refused.returncode, 2, refused.stdout)
                self.assertIn(words, refused.stderr)
                self.assertEqual(refused.stderr.count("\n"), 1, refused.stderr)

    def test_invalid_exports_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.jrec"
            self.record(path)
            for options, words in (([], "--csv"), (["--gltf", folder + "/a.png"], ".glb"),
                                   (["--gltf", folder + "/no/a.glb"], "/no/a.glb")):
                refused = run(TOOL, "export", path, *options)
                self.assertEqual(refused.returncode, 2)
                self.assertIn(words, refused.stderr)


class Picture:
    """A .glb file (glTF 2.0): nodes by name and their animation channels."""

    def __init__(self, data):
        magic, version, length, json_length, kind = struct.unpack_from("<4sIII4s", data)
        assert (magic, version, length, kind) == (b"glTF", 2, len(data), b"JSON")
        self.document = json.loads(data[20:20 + json_length])
        self.numbers = data[20 + json_length + 8:]
        animation = self.document["animations"][0]
        self.channels = []
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            times = [time for time, in self.read(sampler["input"])]
            assert times == sorted(set(times))
            self.channels.append((channel["target"]["node"], channel["target"]["path"], times,
                                  self.read(sampler["output"])))

    def read(self, index):
        accessor = self.document["accessors"][index]
        view = self.document["bufferViews"][accessor["bufferView"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        found = struct.unpack_from("<%df" % (width * accessor["count"]), self.numbers, view.get("byteOffset", 0))
        return [found[i:i + width] for i in range(0, len(found), width)]

    def position(self, name, seconds):
        node = next(i for i, one in enumerate(self.document["nodes"]) if one.get("name") == name)
        for of, path, times, values in self.channels:
            if (of, path) == (node, "translation"):
                after = min(bisect.bisect_left(times, seconds - 1e-6), len(times) - 1)
                before = max(after - 1, 0)
                span = times[after] - times[before]
                part = (seconds - times[before]) / span if span else 0
                return [a + part * (b - a) for a, b in zip(values[before], values[after])]
        return self.document["nodes"][node]["translation"]


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
