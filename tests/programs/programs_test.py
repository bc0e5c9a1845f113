#!/usr/bin/env python3
"""Runs jostled, jostle and jostle-view as a user would, with valid and invalid arguments.

usage: programs_test.py BIN_DIR SOURCE_DIR
"""
import json
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from harness import PATIENCE, SERVER, SOURCE, TOOL, VIEW, Server, play, run, wait_until


class CommandLines(unittest.TestCase):
    def refused(self, program, *arguments, names, code=2):
        """Expects the exit code, one line on stderr with all `names`, and nothing on stdout."""
        result = run(program, *arguments)
        line = result.stderr.strip()
        self.assertEqual(result.returncode, code, f"{arguments}: {result.stderr}")
        self.assertEqual(line.count("\n"), 0, line)
        self.assertEqual(result.stdout, "", arguments)
        for name in names:
            self.assertIn(name, line)

    def test_server_refuses_invalid_options(self):
        for arguments, names in [
            (["--bogus"], ["--bogus"]),
            (["--port"], ["--port needs a value: PORT, a whole number from 0 to 65535"]),
            (["foo", "bar"], ["unexpected arguments: foo bar; jostled takes only options"]),
            (["--port", "65536"], ["--port", "65536"]),
            (["--port", "-1"], ["--port", "-1"]),
            (["--port", "1e3"], ["--port", "1e3"]),
            (["--hz", "nan"], ["--hz", "nan"]),
            (["--hz", "5"], ["--hz", "5"]),
            (["--net-sim", "modem"], ["modem", "broadband, wifi, mobile, bad, satellite, wifi-power-save"]),
            (["--snapshot-interval", "0"], ["--snapshot-interval"]),
            (["--max-players", "0"], ["--max-players"]),
            (["--max-players", "9", "--max-clients", "8"],
             ["--max-players 9 is more than --max-clients 8, which counts players and spectators"]),
            (["--bind", "300.1.1.1"], ["--bind", "300.1.1.1"]),
            (["--bind", "::g"], ["--bind", "::g", "IPv6"]),
            (["--bind", "[::1]"], ["--bind", "[::1]", "IPv6"]),
            (["--bind", "fe80::1"], ["--bind", "fe80::1", "link-local"]),
            (["--max-rate", "-1"], ["--max-rate", "-1"]),
            (["--max-rate", "10"], ["--max-rate", "10", "neither 0 nor a number from 64 to 10000000 kbit/s"]),
            (["--max-rate", "10000001"], ["--max-rate", "10000001", "64"]),
            (["--reconnect-window", "nan"], ["--reconnect-window", "nan"]),
            (["--duration", "-3"], ["--duration"]),
            (["--duration", "nan"], ["--duration", "nan"]),
            (["--duration", "NaN"], ["--duration", "NaN"]),
            (["--seed", "-1"], ["--seed", "-1"]),
            (["--seed", "99999999999999999999999"], ["--seed"]),
            (["--log", "loud"], ["--log", "loud", "debug"]),
            (["--max-rate"], ["--max-rate needs a value: KBPS, 0 or a number from 64 to 10000000"]),
            (["--name", ""], ["--name: the value is empty"]),
            (["--port", "--lan"], ["--port: the value is missing: '--lan' is another option"]),
            (["--name", "\u200b"], ["--name: a name must have no invisible characters"]),
            (["--scene", "no_such_scene"], ["no_such_scene", "crates", "katamari"]),
            (["--scene", "/no/such/file.scene.json"], ["/no/such/file.scene.json"]),
            (["--scene", "/"], ["'/'"]),
            (["--record", "/no/such/folder/a.jrec", "--port", "0"], ["/no/such/folder/a.jrec"]),
            (["--hash-log", "/no/such/folder/h", "--port", "0"], ["/no/such/folder/h"]),
        ]:
            with self.subTest(arguments=arguments):
                self.refused(SERVER, *arguments, names=names)

    def test_tool_and_view_refuse_invalid_options(self):
        self.refused(TOOL, "record", "--seed", "-1", "-o", "/tmp/x", names=["--seed", "-1"])
        self.refused(VIEW, "--script", "dance", names=["--script", "dance", "walk"])
        self.refused(VIEW, "1.2.3", names=["1.2.3", "IPv4"], code=1)
        self.refused(VIEW, "::1:99999", names=["::1:99999", "[IPV6]:PORT"])
        self.refused(VIEW, "fe80::1", names=["fe80::1", "link-local"], code=1)

    def test_server_reports_a_port_in_use(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            other.bind(("127.0.0.1", 0))
            port = str(other.getsockname()[1])
            self.refused(SERVER, "--port", port, names=[port, "in use"], code=1)

    def test_errors_in_scenes_name_file_and_line(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "broken.scene.json"
            for text, names in [
                ("", ["broken.scene.json"]),
                ('{\n  "name": "x",\n  "bodiez": []\n}', ["broken.scene.json:3:", "bodiez"]),
                ('{ "name": "x", "spawns": [{ "position": [0, 1, 0] }],\n'
                 '  "bodies": [{ "mass": -1, "shape": { "sphere": { "radius": 1 } } }] }',
                 ["bodies[0].mass"]),
            ]:
                with self.subTest(text=text):
                    path.write_text(text)
                    self.refused(SERVER, "--scene", path, names=names)

    def test_scene_with_too_many_bodies_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "large.scene.json"
            path.write_text('{ "name": "large", "spawns": [{ "position": [0, 50, 0] }], "generators": ['
                            '{ "kind": "grid", "counts": [110, 1, 100],'
                            ' "body": { "shape": { "box": { "size": [1, 1, 1] } } } }] }')
            self.refused(SERVER, "--scene", path, names=["11000", "10000"])

    def test_world_too_large_to_send_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "wide.scene.json"
            sphere = '{ "sphere": { "radius": 0.1 } }'
            path.write_text('{ "name": "wide", "spawns": [{ "position": [0, 50, 0] }], "generators": ['
                            '{ "kind": "grid", "counts": [400, 1, 400], "body": { "motion_type": "static",'
                            f' "shapes": [{sphere}, {sphere}, {sphere}] }} }}] }}')
            self.refused(SERVER, "--scene", path, names=["160000", "MiB"])

    def test_extreme_but_valid_scenes_run(self):
        """The engine runs every scene that the loader accepts, including joins, shots and drags."""
        with tempfile.TemporaryDirectory() as folder:
            path, script = Path(folder) / "extreme.scene.json", Path(folder) / "all.inputs"
            script.write_text("1 join 1 Ann\n2 shoot 1 0 5 0 0 0 9\n3 drag 1 2 0 0 0 9 9 9\n"
                              "4 push 1 2 0 0 0 9 9 9\n9 move 1 1 0\n60 reset\n90 leave 1\n")
            for mass in ("1e-6", "1e9"):
                with self.subTest(mass=mass):
                    path.write_text(
                        f'{{ "name": "extreme", "player": {{ "mass": {mass}, "shot_mass": 1e-6,'
                        f' "grab_hertz": 0.01 }}, "spawns": [{{ "position": [0, 3, 0] }}], "bodies": ['
                        f'{{ "motion_type": "static", "mass": {mass}, "density": 1e-6, "shape": {{ "plane": {{}} }} }},'
                        f'{{ "position": [2, 1, 0], "mass": {mass}, "density": 1e-6,'
                        '  "shape": { "box": { "size": [0.002, 0.002, 0.002] } } },'
                        '{ "motion_type": "kinematic", "position": [5, 1, 0], "density": 1e-6,'
                        '  "shape": { "sphere": { "radius": 0.5 } }, "kinematic_motion": { "period": 0.001 } }] }')
                    result = run(TOOL, "record", "--scene", path, "--ticks", "120", "--script", script,
                                 "-o", folder + "/a.jrec")
                    self.assertEqual(result.returncode, 0, result.stderr)

    def test_tool_refuses_invalid_options(self):
        with tempfile.TemporaryDirectory() as folder:
            junk = Path(folder) / "junk.jrec"
            junk.write_bytes(b"junk" * 100)
            script = Path(folder) / "bad.inputs"
            script.write_text("1 join 1 Ann\n5 dance 1\n")
            bench = ["bench", "physics", "--scene", "boxes4", "--steps", "1"]
            for arguments, names in [
                ([], ["jostle: a command is required: one of record, verify, ", "(see jostle --help)"]),
                (["dance"], ["jostle: unknown command 'dance'"]),
                (["bench", "dance"], ["jostle bench: unknown command 'dance' (see jostle bench --help)"]),
                (["bench", "physics"], ["jostle bench physics: --scene or --suite is required (see jostle bench physics --help)"]),
                (["token", "issue", "--count", "0"],
                 ["jostle token issue: --count: '0' is not a whole number from 1 to 1000"]),
                (["record"], ["--output"]),
                (["record", "--scene", "nope", "-o", folder + "/a.jrec"], ["nope"]),
                (["record", "--ticks", "0", "-o", folder + "/a.jrec"], ["--ticks"]),
                (["record", "--script", str(script), "-o", folder + "/a.jrec"], ["bad.inputs:2", "'dance' is not an event: expected join, leave, move"]),
                (["record", "-o", folder + "/no/a.jrec"], ["--output: cannot write", "/no/a.jrec", "no such file"]),
                (["verify", folder + "/none.jrec"], ["none.jrec"]),
                (["verify", str(junk)], ["junk.jrec", "byte 0"]),
                (["bots", "--clients", "0"], ["--clients"]),
                (["bots", "--input", "dance"], ["--input", "'dance' is not one of idle, move, push, mix"]),
                (["bots", "--clients", "4001"], ["--clients", "4000"]),
                (["bench", "server", "--scene", "nope"], ["nope"]),
                (["bench", "server", "--input", "dance"], ["--input", "dance"]),
                (["net"], ["jostle net: a command is required: one of relay"]),
                (["net", "relay", "--net-sim", "40/10"], ["40/10", "LATENCY/JITTER/LOSS%"]),
                (["net", "relay", "--to", "nowhere:7777"], ["nowhere:7777", "IPv4"]),
                (["net", "relay", "--to", "::1"], ["--to", "'::1' has no port: write [::1]:7777, for example"]),
                (["net", "relay", "--to", "[::1]:0"], ["--to", "[::1]:0"]),
                (["net", "relay", "--listen", "65536"], ["--listen", "65536"]),
                (["net", "relay", "--listen", "[::]:7778"], ["--listen", "[::]:7778", "loopback"]),
                (["bots", "--ip", "::g"], ["--ip", "::g", "IPv6"]),
                (["bots", "--seconds", "nan"], ["--seconds", "nan"]),
                (bench + ["--simd", "loud"], ["--simd", "loud", "auto", "plain"]),
                (bench + ["--peer", "loud"], ["--peer", "loud", "bullet"]),
                (bench + ["--dump", folder + "/no/d"], ["--dump: cannot write", "/no/d", "no such file"]),
                (bench + ["--trace", folder + "/no/t"], ["/no/t", "no such file"]),
                (bench + ["--dump", folder], [folder, "directory"]),
                (["bench", "physics", "--scene", "rod@1"], ["'rod'", "sizes, mass_ratios", "did you mean 'rods'?"]),
                (["bench", "physics", "--scene", "rods@-1"], ["'rods@-1'", "0 to 4294967295"]),
                (bench + ["--suite", "wide"], ["--suite", "--scene"]),
                (bench + ["--seed", "1"], ["--seed", "--suite"]),
                (["bench", "physics", "--suite", "wide", "--seed", "x"], ["--seed", "x"]),
                (["bench", "physics", "--suite", "wide", "--dump", folder + "/d"], ["--dump", "--suite"]),
                (["bench", "physics", "--scene", "boxes0"], ["boxes0", "boxes1 to boxes1000000"]),
                (["bench", "physics", "--scene", "boxes1000001"], ["boxes1 to boxes1000000"]),
                (["bench", "snapshots", "--frames", str(junk)], ["junk.jrec", "400 bytes", "28832"]),
                (["bench", "snapshots", "--frames", folder + "/no"], [folder + "/no", "no such file"]),
                (["bench", "snapshots", "--frames", ""], ["--frames", "the value is empty"]),
                (["bench", "snapshots", "--codec", "v9"], ["'v9' is not one of v0, v1, v2, v3"]),
                (["bench", "snapshots", "--scene", "tower", "--count", "9"], ["tower", "901"]),
                (["bench", "snapshots", "--frames", str(junk), "--seed", "2"], ["--seed", "--frames"]),
                (["bench", "link", "--loss", "95"], ["--loss", "95", "90"]),
                (["bench", "link", "--table", "clocks"], ["clocks", "clock", "inputs", "joins"]),
                (["bench", "link", "--scene", folder + "/no"], [folder + "/no", "no such file"]),
                (["bench", "link", "--clients", "4", "--loss"] + list("12345678"), ["--clients: 4 clients on each of 9 links are 36; at most 28 are possible"]),
                (["bench", "snapshots", "--count", "20", "--write", folder + "/no/f"], ["/no/f", "no such file"]),
                (["simulate", "--seeds", "0"], ["--seeds", "0", "1"]),
                (["simulate", "--seed", "-1"], ["--seed", "'-1'"]),
                (["simulate", "--cpu-seconds", "nan"], ["--cpu-seconds", "'nan'"]),
                (["simulate", "--faults", "x"], ["'x' is not a list of links"]),
                (["check", folder, "--scene", "boxes4"], [folder, "not a file but a directory"]),
                (["check", folder + "/", "--scene", "boxes4"], [folder, "not a file but a directory"]),
            ]:
                with self.subTest(arguments=arguments):
                    self.refused(TOOL, *arguments, names=names)

    def test_help_and_version_exit_with_0(self):
        for program in (SERVER, TOOL, VIEW, SERVER.parent / "jostle-priors"):
            if not program.exists():
                continue
            with self.subTest(program=program.name):
                self.assertEqual(run(program, "--help").returncode, 0)
                version = run(program, "--version")
                self.assertEqual(version.returncode, 0)
                self.assertRegex(version.stdout, f"^{program.name} [0-9.]+\n(.*\n)*protocol +[0-9.]+\n")


    def test_programs_without_network_print_their_version_at_once(self):
        for name in ("jostle-matrix", "accuracy"):
            program = SERVER.parent / name
            if not program.exists():
                continue
            with self.subTest(program=name):
                version = run(program, "--version")
                self.assertEqual(version.returncode, 0, version.stderr)
                self.assertRegex(version.stdout, f"^{name} [0-9.]+\ncommit    \\w+.*\ncompiler  .*\n$")
                self.assertIn("usage: " + name, run(program, "--help").stdout)
                self.refused(program, "--bogus", names=["--bogus"])


class Benchmarks(unittest.TestCase):
    def test_a_refused_benchmark_keeps_the_previous_dump(self):
        with tempfile.TemporaryDirectory() as folder:
            dump = Path(folder) / "dump"
            dump.write_bytes(b"kept")
            refused = run(TOOL, "bench", "physics", "--scene", "boxes4", "--dump", dump,
                          "--trace", folder + "/no/trace")
            self.assertEqual(refused.returncode, 2)
            self.assertEqual(dump.read_bytes(), b"kept")

    def test_link_benchmarks_are_reproducible(self):
        command = (TOOL, "bench", "link", "--quick", "--table", "clock", "inputs", "joins", "--json")
        first, second = run(*command, timeout=600), run(*command, timeout=600)
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertEqual(first.stdout, second.stdout)
        tables = json.loads(first.stdout)
        self.assertEqual(list(tables), ["clock", "day", "inputs", "joins", "targets"])
        self.assertEqual([row["bodies"] for row in tables["joins"]], [902, 902])
        self.assertTrue(all(row["presses"] > 0 for row in tables["inputs"]))
        self.assertEqual({row["is_met"] for row in tables["targets"]}, {"yes"})

    def test_written_frames_have_the_same_cost_when_read_back(self):
        with tempfile.TemporaryDirectory() as folder:
            frames = Path(folder) / "frames"
            made = run(TOOL, "bench", "snapshots", "--count", "60", "--age", "3", "--json", "--write", frames)
            self.assertEqual(made.returncode, 0, made.stderr)
            self.assertEqual(frames.stat().st_size, 60 * 901 * 8 * 4)
            read = run(TOOL, "bench", "snapshots", "--frames", frames, "--age", "3", "--json")
            self.assertEqual(read.returncode, 0, read.stderr)
            first, second = json.loads(made.stdout), json.loads(read.stdout)
            self.assertEqual(first["frames"], 57)
            self.assertEqual(first["frames"], second["frames"])
            self.assertGreater(first["changed_bodies"], 0)
            self.assertEqual(first["changed_bodies"], second["changed_bodies"])
            self.assertGreater(first["wire_bytes_per_frame"], first["payload_bytes_per_frame"])
            self.assertEqual(first["payload_bytes_per_frame"], second["payload_bytes_per_frame"])

    def test_every_table_has_a_row_for_each_loss(self):
        result = run(TOOL, "bench", "link", "--quick", "--json", "--table", "clock", "inputs", "joins",
                     "prediction", "--loss", "0", "5", timeout=600)
        self.assertEqual(result.returncode, 0, result.stderr)
        for name, table in json.loads(result.stdout).items():
            if name != "day":
                self.assertEqual({row["link"].split(" %")[0] for row in table}, {"0", "5"}, name)

    def test_json_names_the_simd_level_used(self):
        for asked, ran in (("plain", {"plain"}), ("auto", {"plain", "sse2", "avx2", "neon"})):
            result = run(TOOL, "bench", "physics", "--scene", "boxes4", "--steps", "1", "--json",
                         "--simd", asked)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(json.loads(result.stdout)["simd"], ran)

    def test_check_prints_valid_json_for_a_non_finite_dump(self):
        nan, inf, largest = float("nan"), float("inf"), 3e38
        with tempfile.TemporaryDirectory() as folder:
            dump = Path(folder) / "dump"
            written = run(TOOL, "bench", "physics", "--scene", "boxes4", "--steps", "1", "--dump", dump)
            self.assertEqual(written.returncode, 0, written.stderr)
            whole = dump.read_bytes()
            last = len(whole) - 52
            # (index of the first changed number of the last body's 13 numbers, count, value, 1 if
            # the body becomes non-finite)
            for first, count, value, is_lost in [(0, 3, nan, 1), (7, 6, inf, 1), (3, 4, nan, 1),
                                                 (3, 4, 0.0, 1), (0, 13, largest, 0)]:
                with self.subTest(first=first, value=value):
                    broken = bytearray(whole)
                    struct.pack_into(f"<{count}f", broken, last + 4 * first, *[value] * count)
                    dump.write_bytes(broken)
                    result = run(TOOL, "check", dump, "--scene", "boxes4", "--json")
                    self.assertEqual(result.returncode, 0, result.stderr)

                    def refuse(word):
                        self.fail(f"{word} is no JSON: {result.stdout}")

                    quality = json.loads(result.stdout, parse_constant=refuse)
                    self.assertEqual(quality["nonfinite"], is_lost)


class Servers(unittest.TestCase):
    def test_server_serves_bots_records_and_stops_cleanly_on_sigterm(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "live.jrec"
            with Server("--scene", "tower", "--record", path) as server:
                bots = play(server.port, "--clients", "2")
                self.assertEqual(bots.returncode, 0, bots.stderr)
                code, output = server.stop()
            self.assertEqual(code, 0, output)
            self.assertIn("p99", output)
            self.assertRegex(output, r"\njostled: 2 clients, [1-9]\.\d s of play in total, [1-9]\d+ bytes/s of world "
                                     r"state per client; 0 rejected messages\n")
            self.assertRegex(output, r"\njostled: traffic +sent, kB +received, kB\n")
            self.assertRegex(output, r"\n  snapshots +[1-9][0-9.]+ +[0-9.]+ % +0.0 +0.0 %\n")
            self.assertRegex(output, r"\n  inputs +0.0 +0.0 % +[0-9.]+ +[1-9][0-9.]+ %\n")
            self.assertRegex(output, r"\n  encryption +[0-9.]+ +[1-9][0-9.]+ % +[0-9.]+ +[1-9][0-9.]+ %\n")
            self.assertRegex(output, r"\n  total +[0-9.]+ +100.0 % +[0-9.]+ +100.0 %\n")
            verified = run(TOOL, "verify", path)
            self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)

    def test_more_players_than_the_default_number_of_clients_can_join(self):
        with Server("--scene", "tower", "--max-players", "70") as server:
            bots = play(server.port, "--clients", "70", "--players", "70", "--decode-every", "70", ticks=10)
            self.assertEqual(bots.returncode, 0, bots.stderr)
            self.assertIn("\njostled: 70 clients, ", server.stop()[1])

    def test_bots_report_wire_bytes_by_kind(self):
        with Server("--scene", "katamari", "--max-rate", "64") as server:
            bots = play(server.port, "--clients", "2", "--json", ticks=180)
            self.assertEqual(bots.returncode, 0, bots.stderr)
            figures = json.loads(bots.stdout)
            self.assertEqual(figures["clients"], 2)
            down = figures["wire_bytes_down"]
            for name in ("JSN2", "JBLB", "JCTL", "ENet frames", "sealing", "IP and UDP"):
                self.assertGreater(down[name], 0)
            datagrams = down["IP and UDP"] // 28
            # Each client receives a cookie of 64 bytes and an acceptance of 71 bytes, and further
            # ones if a slow machine repeats a request. Every later datagram is encrypted, which
            # adds 29 bytes.
            self.assertEqual(down["sealing"] % 29, 0)
            handshakes = datagrams - down["sealing"] // 29
            # A client refuses a repeated answer that arrives after the handshake.
            acceptances, rest = divmod(down["handshakes"] + down.get("refused", 0) - 64 * handshakes, 71 - 64)
            self.assertEqual(rest, 0)
            self.assertGreaterEqual(min(acceptances, handshakes - acceptances), 2)
            # 64 kbit/s are 8,000 bytes per second and client, plus the burst of the token bucket.
            self.assertLess(down["JSN2"], 2 * (8_000 * figures["seconds"] + 4_000))
            server.stop()

    def test_bots_acknowledge_by_headers_and_play_each_input_mix(self):
        for mix in ("idle", "move", "push"):
            with Server("--scene", "tower", "--max-players", "2") as server:
                bots = play(server.port, "--clients", "6", "--players", "2", "--decode-every", "5", "--per-socket", "2",
                            "--input", mix, ticks=60)
                self.assertEqual(bots.returncode, 0, bots.stderr)
                self.assertIn("bot 6: ", bots.stdout)
                self.assertRegex(bots.stdout, r"4 more bots that acknowledge snapshots without decoding them: \d\d+ snapshots")
                server.stop()

    def test_server_benchmark_reports_load_figures(self):
        measured = run(TOOL, "bench", "server", "--scene", "tower", "--clients", "20", "--players", "3",
                       "--decode-every", "5", "--seconds", "2", "--json")
        self.assertEqual(measured.returncode, 0, measured.stderr)
        figures = json.loads(measured.stdout)
        self.assertEqual(figures["bots_playing"], 20)
        self.assertEqual(figures["sessions_at_end"], 20)
        self.assertGreater(min(figures["snapshots_checked"], figures["snapshot_ages"]), 0)
        self.assertEqual(figures["snapshots_differing"], 0)
        self.assertGreater(figures["datagrams_sent_per_second"], figures["send_calls_per_second"])
        phases = [figures[name + "_cpu_us_per_tick"] for name in ("receive", "simulate", "encode", "send", "other")]
        self.assertGreater(min(phases), 0)
        self.assertAlmostEqual(sum(phases) * figures["ticks"] * 1e-6 / figures["seconds"], figures["cores"], 4)
        self.assertGreater(figures["wire_bytes_sent"]["snapshots"], 0)
        self.assertGreater(figures["wire_bytes_received"]["inputs"], 0)

    def test_play_works_through_a_relay_and_bad_networks_at_both_ends(self):
        with Server("--scene", "tower", "--net-sim", "10/5/2%") as server:
            self.assertIn("SIMULATED NETWORK: 10 ms, up to 5 ms of jitter, 2 % lost, each way",
                          server.process.stdout.readline().decode())
            relay = subprocess.Popen(
                [TOOL, "net", "relay", "--listen", "0", "--to", f"127.0.0.1:{server.port}", "--net-sim", "20/5/2%"],
                stdout=subprocess.PIPE, text=True)
            try:
                line = relay.stdout.readline()
                self.assertIn("SIMULATED NETWORK: 20 ms, up to 5 ms of jitter, 2 % lost", line)
                port = re.search(r"from 127\.0\.0\.1:(\d+)", line).group(1)
                bots = play(port, "--clients", "2")
                self.assertEqual(bots.returncode, 0, bots.stderr)
            finally:
                relay.terminate()
                self.assertEqual(relay.wait(PATIENCE), 0)
                relay.stdout.close()
            code, output = server.stop()
        self.assertEqual(code, 0, output)

    def test_killed_server_leaves_a_recording_valid_up_to_its_last_block(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "live.jrec"
            with Server("--scene", "cradle", "--hz", "1000", "--record", path) as server:
                header_bytes = path.stat().st_size
                self.assertGreater(header_bytes, 0)
                # A block is written every 600 ticks.
                self.assertTrue(wait_until(lambda: path.stat().st_size > header_bytes))
                server.stop(signal.SIGKILL)
            verified = run(TOOL, "verify", path)
            self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
            self.assertIn("was not closed", verified.stderr)

    def test_duration_option_ends_the_server(self):
        result = run(SERVER, "--scene", "tower", "--port", "0", "--duration", "0.5")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("30 ticks", result.stdout)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
