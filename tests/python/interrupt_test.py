#!/usr/bin/env python3
"""Tests of the Python package with signals, such as that of Ctrl-C. Needs what python_test.py needs."""
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock
from pathlib import Path

import jostle

SCENE = """{"name": "rolling", "spawns": [{"position": [0, 2, 8]}], "bodies": [
  {"name": "floor", "motion_type": "static", "shapes": [{"plane": {}}]},
  {"name": "ball", "position": [0, 0.5, 0], "linear_velocity": [6, 0, 0], "mass": 20,
   "shapes": [{"sphere": {"radius": 0.5}}]}]}"""


PROGRAM = f"""
import sys
import jostle

SCENE = '''{SCENE}'''


class Busy(jostle.Rule):
    name = "busy"

    def __init__(self):
        self.calls = 0

    def before_step(self, game):
        self.calls += 1

    def after_step(self, game):
        piece = game.spawn(jostle.Shape.hull([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]), position=(0, 5, 0))
        game.despawn(piece)
        while ENDLESS:
            self.calls += 1


ENDLESS = sys.argv[1] == "endless"
jostle.set_log("info", lambda level, line: sum(range(100)))
server = jostle.Server(SCENE, rules=[Busy], port=0, ticks_per_second=1000, sync_test_ticks=2)
print("ready", flush=True)
if sys.argv[1] == "step":
    server.step(1_000_000_000)
while sys.argv[1] == "poll":
    server.poll(0.01)
    server.game.tick
server.run()
"""


INTERRUPTED_MAIN = '''
import signal
import sys
import jostle


class Counter(jostle.Rule):
    name = "counter"

    def __init__(self):
        self.calls = 0

    def after_step(self, game):
        if game.tick == 20 and sys.argv[1] == "verify":
            signal.raise_signal(signal.SIGINT)
        self.calls += 1


if sys.argv[1] == "record":
    with jostle.Server(SCENE, rules=[Counter], port=0, recording_file=sys.argv[2]) as server:
        server.step(50)
else:
    jostle.recording_main([Counter])
'''


def run_program(text, *arguments):
    return subprocess.run([sys.executable, "-c", text, *arguments], capture_output=True, text=True, timeout=300)


class Counter(jostle.Rule):
    name = "counter"

    def __init__(self):
        self.calls = 0

    def after_step(self, game):
        self.calls += 1


class InterruptTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def test_program_ends_with_keyboard_interrupt_whenever_the_signal_arrives(self):
        seed = random.randrange(1 << 32)
        print(f"seed {seed}")
        generator = random.Random(seed)
        for way in ["run", "poll", "step", "endless"] * 6:
            process = subprocess.Popen([sys.executable, "-c", PROGRAM, way], stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True)
            self.assertEqual("ready\n", process.stdout.readline())
            time.sleep(generator.random() * 0.1)
            process.send_signal(signal.SIGINT)
            errors = process.communicate(timeout=300)[1]
            self.assertEqual(-signal.SIGINT, process.returncode, f"{way}: {errors}")
            self.assertTrue(errors.endswith("KeyboardInterrupt\n"), f"{way}: {errors}")

    def test_interrupt_outside_of_the_guard_of_a_rule_is_raised(self):
        class Dropped:
            def __del__(self):
                signal.raise_signal(signal.SIGINT)  # Python cannot raise an exception here

        class Dropper(jostle.Rule):
            name = "dropper"

            def after_step(self, game):
                if game.tick == 3:
                    Dropped()

        for call in (lambda server: server.run(), lambda server: server.step(1_000_000_000)):
            with jostle.Server(SCENE, rules=[Dropper], port=0) as server:
                with self.assertRaises(KeyboardInterrupt):
                    call(server)
                self.assertLess(server.game.tick, 5)

    def test_interrupt_while_a_log_line_is_written_is_raised(self):
        self.addCleanup(jostle.set_log)
        jostle.set_log("info", lambda level, line: signal.raise_signal(signal.SIGINT))
        with self.assertRaises(KeyboardInterrupt):
            with jostle.Server(SCENE, port=0) as server, jostle.Client(f"127.0.0.1:{server.port}") as client:
                while client.poll() != "playing":
                    server.poll(0.01)
        jostle.set_log("none")

    def test_interrupt_ends_the_steps_of_a_world_between_two_of_them(self):
        def world():
            made = jostle.World()
            made.create_body(jostle.Shape.plane(), motion="static")
            for i in range(30):
                made.create_body(jostle.Shape.box((0.5, 0.5, 0.5)), position=(0.3 * (i % 3), 1 + 1.1 * i, 0))
            # This ball never rests, so no two steps end with the same hash.
            made.create_body(jostle.Shape.sphere(0.5), position=(20, 20, 0), gravity_scale=0, linear_velocity=(0, 0, 0.1))
            return made

        def interrupt(_number, _frame):
            raise KeyboardInterrupt

        self.addCleanup(signal.signal, signal.SIGALRM, signal.signal(signal.SIGALRM, interrupt))
        interrupted, repeated, steps = world(), world(), 0
        with self.assertRaises(KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, 0.1)
            interrupted.step(100_000_000)
        while repeated.hash != interrupted.hash:
            repeated.step()
            steps += 1
            self.assertLess(steps, 1_000_000)
        self.assertEqual(0, steps % 10)
        interrupted.step(25)
        repeated.step(25)
        self.assertEqual(repeated.hash, interrupted.hash)

    def test_interrupt_ends_the_wait_of_a_client(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
            silent.bind(("127.0.0.1", 0))
            with jostle.Client(f"127.0.0.1:{silent.getsockname()[1]}") as client:
                calls = 0

                def poll_call(*arguments):
                    nonlocal calls
                    calls += 1
                    if calls == 2:
                        signal.raise_signal(signal.SIGINT)
                    return poll(*arguments)

                poll = client._callbacks.call
                with unittest.mock.patch.object(client._callbacks, "call", poll_call):
                    with self.assertRaises(KeyboardInterrupt):
                        client.poll(50)
                self.assertEqual(2, calls)
                self.assertEqual("connecting", client.poll(0.25))

    def test_interrupt_ends_replays_within_two_ticks(self):
        path, other = f"{self.folder.name}/run.jrec", f"{self.folder.name}/other.jrec"
        for seed, name in enumerate((path, other)):
            with jostle.Server(SCENE, rules=[Counter], port=0, recording_file=name, seed=seed) as server:
                server.step(200)
        ticks = 0

        def interrupt_at(last):
            def asked(_rules):
                nonlocal ticks
                ticks += 1
                if ticks == last:
                    signal.raise_signal(signal.SIGINT)
                return goes_on(_rules)
            return unittest.mock.patch.object(jostle._rules.Rules, "has_no_exception", asked)

        goes_on = jostle._rules.Rules.has_no_exception
        with jostle.Recording(path, [Counter]) as recording:
            recording.seek(150)
            expected = recording.game.hash
        with jostle.Recording(path, [Counter]) as recording:
            for call, last in ((lambda: recording.seek(150), 100), (lambda: jostle.verify(path, [Counter]), 100),
                               (lambda: jostle.compare(path, other, [Counter]), 1),
                               (lambda: jostle.recording_main([Counter], ["verify", path]), 100),
                               (lambda: jostle.recording_main([Counter], ["show", path, "150"]), 100)):
                ticks = 0
                with interrupt_at(last), self.assertRaises(KeyboardInterrupt):
                    call()
                self.assertLessEqual(ticks, last + 1)
            self.assertIn(recording.tick, (90, 100))  # states that are kept, or the last tick
            recording.seek(150)
            self.assertEqual(expected, recording.game.hash)
            self.assertEqual(0, recording.info.differing_ticks)
        self.assertTrue(jostle.verify(path, [Counter]).is_same)

    def test_interrupted_program_for_recordings_reports_no_difference(self):
        path = f"{self.folder.name}/run.jrec"
        program = INTERRUPTED_MAIN.replace("SCENE", repr(SCENE))
        self.assertEqual(0, run_program(program, "record", path).returncode)
        done = run_program(program, "verify", path)
        self.assertEqual("", done.stdout)
        self.assertTrue(done.stderr.startswith("Traceback"), done.stderr)
        self.assertTrue(done.stderr.endswith("KeyboardInterrupt\n"), done.stderr)

    def test_exception_of_a_rule_ends_a_replay_and_leaves_no_trace_in_it(self):
        class Failing(jostle.Rule):
            name = "failing"
            failing_tick = 0

            def __init__(self):
                self.calls = 0

            def after_step(self, game):
                if game.tick == self.failing_tick:
                    raise KeyError(f"tick {game.tick}")
                self.calls += 1

        path = f"{self.folder.name}/run.jrec"
        with jostle.Server(SCENE, rules=[Failing], port=0, recording_file=path) as server:
            server.step(100)
            expected = server.game.hash
        Failing.failing_tick = 60
        with jostle.Recording(path, [Failing]) as recording:
            with self.assertRaisesRegex(KeyError, "tick 60"):
                recording.seek(100)
            self.assertEqual(30, recording.tick)
            Failing.failing_tick = 31
            with self.assertRaisesRegex(KeyError, "tick 31"):
                recording.step()
            Failing.failing_tick = 0
            recording.seek(100)
            self.assertEqual((0, expected), (recording.info.differing_ticks, recording.game.hash))

    def test_interpreter_ends_while_a_server_with_a_rule_records(self):
        program = f"""
import sys, threading
import jostle

class Counter(jostle.Rule):
    name = "counter"
    def __init__(self):
        self.calls = 0
    def after_step(self, game):
        self.calls += 1

class Own(jostle.Server):
    pass

jostle.set_log("debug", lambda level, line: None)
recorded = Own('''{SCENE}''', rules=[Counter], port=0, recording_file=sys.argv[1])
recorded.itself = recorded
recorded.step(40)
used = jostle.Server('''{SCENE}''', rules=[Counter], port=0)
client = jostle.Client(f"127.0.0.1:{{used.port}}")
threading.Thread(target=used.run, daemon=True).start()
client.poll(0.1)
print("end")
"""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "open.jrec"
            done = run_program(program, str(path))
            self.assertEqual((0, "end\n", ""), (done.returncode, done.stdout, done.stderr))
            self.assertEqual((True, 40), jostle.verify(path, [Counter])[:2])


if __name__ == "__main__":
    unittest.main()
