#!/usr/bin/env python3
"""Tests of the Python package with wrong arguments, failing rules and interrupts. Needs what python_test.py needs."""
import enum
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


def run_program(text, *arguments):
    return subprocess.run([sys.executable, "-c", text, *arguments], capture_output=True, text=True, timeout=300)


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
        class Counter(jostle.Rule):
            name = "counter"

            def __init__(self):
                self.calls = 0

            def after_step(self, game):
                self.calls += 1

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
                               (lambda: jostle.compare(path, other, [Counter]), 1)):
                ticks = 0
                with interrupt_at(last), self.assertRaises(KeyboardInterrupt):
                    call()
                self.assertLessEqual(ticks, last + 1)
            self.assertIn(recording.tick, (90, 100))  # states that are kept, or the last tick
            recording.seek(150)
            self.assertEqual(expected, recording.game.hash)
            self.assertEqual(0, recording.info.differing_ticks)
        self.assertTrue(jostle.verify(path, [Counter]).is_same)

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
        class Counter(jostle.Rule):
            name = "counter"

            def __init__(self):
                self.calls = 0

            def after_step(self, game):
                self.calls += 1

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


class AttributeTest(unittest.TestCase):
    def test_unknown_attributes_are_refused_with_near_names(self):
        world = jostle.World()
        shape = jostle.Shape.sphere(1)
        body = world.create_body(shape)
        joint = world.create_joint("hinge", body, world.create_body(shape), (0, 0, 0))
        server = jostle.Server(SCENE, port=0)
        client = jostle.Client(f"127.0.0.1:{server.port}")
        for thing, name, near in ((world, "gravty", "gravity"), (body, "velocity", "linear_velocity"),
                                  (body, "angular_veloctiy", "angular_velocity"), (joint, "stat", "state"),
                                  (shape, "definiton", "definition"), (server, "urll", "url"),
                                  (client, "positons", "positions"), (server.game, "wrld", "world")):
            words = f"has no attribute '{name}'; did you mean .*'{near}'"
            with self.assertRaisesRegex(AttributeError, words):
                setattr(thing, name, 1)
            with self.assertRaisesRegex(AttributeError, words):
                getattr(thing, name)
        with self.assertRaisesRegex(AttributeError, "a Body has no attribute 'colour'; attributes that can be set: "
                                    "angular_velocity, linear_velocity, pose, position"):
            body.colour = 3
        with self.assertRaisesRegex(AttributeError, "'info' of a Body cannot be set"):
            body.info = 3
        with self.assertRaises(AttributeError):
            world.counts.bodys = 3
        client.close()
        server.close()

    def test_derived_classes_may_have_attributes(self):
        class Own(jostle.World):
            pass

        own = Own()
        own.note = "mine"
        self.assertEqual("mine", own.note)


class RuleTest(unittest.TestCase):
    def step_with(self, value, **fields):
        class Keeper(jostle.Rule):
            name = "keeper"

            def __init__(self):
                self.kept = value

        with jostle.Server(SCENE, rules=[Keeper], port=0, sync_test_ticks=2, **fields) as server:
            server.step(4)
            return server.info.sync_mismatch

    def test_attributes_that_json_would_change_are_refused(self):
        class Team(enum.IntEnum):
            RED = 1

        shared = [1]
        for value, error, words in (
                ({1: 2}, TypeError, "the attribute kept is .1: 2., with the key 1 of type int"),
                ([3, (1, 2)], TypeError, r"the attribute kept\[1\] is \(1, 2\), of type tuple"),
                ({"a": {2}}, TypeError, r"the attribute kept\['a'\] is .2., of type set"),
                (float("nan"), ValueError, "the attribute kept is nan"), (float("inf"), ValueError, "kept is inf"),
                (Team.RED, TypeError, "of type Team"), (jostle.Duration(2), TypeError, "of type Duration"),
                ([shared, shared], TypeError, r"kept\[1\] is \[1\], which also occurs elsewhere")):
            with self.assertRaisesRegex(error, "rule 'keeper': .*" + words + ".*; accepted: None, bool, int, finite"):
                self.step_with(value)

    def test_plain_data_survive_the_sync_test(self):
        self.assertEqual(0, self.step_with({"z": [1, 2.5, None, True, "é"], "a": {"": -0.0}, "big": 1 << 80}))

    def test_order_of_dictionaries_is_kept(self):
        class Order(jostle.Rule):
            name = "order"

            def __init__(self):
                self.last = {"z": 1, "a": 2}

        rule, other = Order(), Order()
        other.load(rule.save())
        self.assertEqual(["z", "a"], list(other.last))

    def test_exception_of_init_is_the_only_one(self):
        class Unborn(jostle.Rule):
            name = "unborn"

            def __init__(self):
                raise ZeroDivisionError("no start")

            def after_step(self, game):
                pass

        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(ZeroDivisionError, "no start") as caught:
                jostle.Server(SCENE, rules=[Unborn], port=0, recording_file=Path(folder) / "run.jrec")
            self.assertIsNone(caught.exception.__context__)

    def test_exception_of_init_after_a_reset_is_raised_again(self):
        class Once(jostle.Rule):
            name = "once"
            made = 0

            def __init__(self):
                Once.made += 1
                if Once.made > 1:
                    raise ZeroDivisionError("no second start")

            def after_step(self, game):
                pass

        with jostle.Server(SCENE, rules=[Once], port=0) as server:
            server.step()
            server.control("reset")
            for _ in range(3):
                with self.assertRaisesRegex(ZeroDivisionError, "no second start"):
                    server.step()

    def test_bodies_of_other_worlds_are_refused_by_games(self):
        class Stranger(jostle.Rule):
            name = "stranger"

            def after_step(self, game):
                getattr(game, wanted)(stranger)

        world = jostle.World()
        stranger = world.create_body(jostle.Shape.sphere(1))
        for wanted in ("despawn", "id_of"):
            with jostle.Server(SCENE, rules=[Stranger], port=0) as server:
                with self.assertRaisesRegex(jostle.InvalidArgument, r"body is Body\(.*\) of another world"):
                    server.step()


class ArgumentTest(unittest.TestCase):
    def setUp(self):
        self.world = jostle.World()
        self.ball = self.world.create_body(jostle.Shape.sphere(1))

    def refuses(self, error, words, call, *arguments, **fields):
        with self.assertRaisesRegex(error, words):
            call(*arguments, **fields)

    def test_bodies_of_other_worlds_are_refused(self):
        other = jostle.World().create_body(jostle.Shape.sphere(1))
        for a, b, name in ((other, self.ball, "a"), (self.ball, other, "b")):
            self.refuses(jostle.InvalidArgument, f"{name} is Body.* of another world; accepted: a Body of this world",
                         self.world.create_joint, "ball", a, b, (0, 0, 0))
        self.refuses(jostle.InvalidArgument, r"bodies\[1\] is .* of another world", self.world.apply_forces,
                     [self.ball, other], [(0, 0, 0)] * 2)
        self.refuses(TypeError, "a is 3, a int; accepted: a Body", self.world.create_joint, "ball", 3, other, (0, 0, 0))

    def test_messages_of_worlds_name_the_argument(self):
        create = self.world.create_body
        self.refuses(ValueError, r"^position is \(1, 2\), of 2 elements; accepted: 3 numbers \(x, y, z\)$", create,
                     position=(1, 2))
        self.refuses(ValueError, "^rotation .* accepted: 4 numbers", create, rotation=(0, 0, 1))
        self.refuses(TypeError, "^mass is 'x', a str; accepted: a number", create, mass="x")
        self.refuses(TypeError, "^linear_velocity is 5, a int; accepted: 3 numbers", create, linear_velocity=5)
        self.refuses(TypeError, "^position is 'abc', a str; accepted: 3 numbers", create, position="abc")
        self.refuses(ValueError, "^motion: 'flying' is unknown; accepted: dynamic", create, motion="flying")
        self.refuses(TypeError, "^motion is 3, a int; accepted: dynamic", create, motion=3)
        self.refuses(TypeError, "^shapes is 3, a int; accepted: a Shape or a list", create, 3)
        self.refuses(TypeError, "^unknown argument 'material.frction'; accepted: friction", jostle.Shape.sphere, 1,
                     material={"frction": 1})
        self.refuses(TypeError, "^material.friction is 'x'", jostle.Shape.sphere, 1, material={"friction": "x"})
        self.refuses(TypeError, "^material is 3, a int; accepted: a dictionary with the keys friction",
                     jostle.Shape.sphere, 1, material=3)
        self.refuses(ValueError, r"^points has the shape \(1, 2\); accepted: \(n, 3\)", jostle.Shape.hull, [(1, 2)])
        self.refuses(ValueError, "^count is -1; accepted: integers from 0", self.world.step, -1)
        self.refuses(TypeError, "^count is 2.5, a float; accepted: an integer", self.world.step, 2.5)
        self.refuses(TypeError, "^impulse is 5", self.ball.apply_impulse, 5)
        self.refuses(ValueError, "^gravity is .* of 2 elements", setattr, self.world, "gravity", (0, 1))
        self.refuses(ValueError, "^linear_velocity is", setattr, self.ball, "linear_velocity", (0, 1))
        self.refuses(TypeError, "^pose is 3, a int; accepted: a Pose", setattr, self.ball, "pose", 3)
        self.refuses(TypeError, "^state is 'x'", self.world.restore, "x")
        self.assertEqual(1, self.world.counts.bodies)

    def test_messages_of_servers_and_clients_name_the_argument(self):
        self.refuses(TypeError, "scene and scene_name='stairs' are both given; accepted: one of them", jostle.Server,
                     SCENE, scene_name="stairs")
        self.refuses(TypeError, "^unknown argument 'rule_count'; accepted: name, scene_name", jostle.Server, SCENE,
                     rule_count=3)
        self.refuses(ValueError, "^port is -1; accepted: integers from 0", jostle.Server, SCENE, port=-1)
        self.refuses(TypeError, "^rules is .*Rule", jostle.Server, SCENE, rules=jostle.Rule)
        self.refuses(TypeError, "^rules is 3", jostle.Server, SCENE, rules=[3])
        self.refuses(TypeError, "^scene is 3, a int; accepted: a text", jostle.Server, 3)
        self.assertTrue(issubclass(jostle.ClientError, jostle.Error))
        with jostle.Server(SCENE, port=0) as server:
            with jostle.Client(f"127.0.0.1:{server.port}") as client:
                self.refuses(TypeError, r"^move is 5, a int; accepted: 2 numbers \(x, z\)", client.set_input, move=5)
                self.refuses(TypeError, "^custom is 'abc'", client.set_input, custom="abc")
                self.refuses(ValueError, "^custom has 33 elements; accepted: up to 32", client.set_input,
                             custom=b"x" * 33)
                self.refuses(ValueError, "^action.kind is 'kick'; accepted: push", client.act,
                             jostle.Action("kick", (0, 0, 0), (0, 0, 0)))
                self.refuses(ValueError, "^action.vector is", client.act, jostle.Action("push", (0, 0, 0), (0, 0)))
                self.refuses(TypeError, "^name is 3", client.find_body, 3)
                self.refuses(TypeError, "^max_wait_seconds is 'x'", client.poll, "x")
            self.refuses(TypeError, "^max_wait_seconds is 'x'", server.poll, "x")
            self.refuses(ValueError, "^command: 'fly' is unknown; accepted: .*pause", server.control, "fly")

    def test_server_with_a_scene_name_plays_it(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "named.scene.json"
            path.write_text(SCENE)
            for fields in ({"scene": path}, {"scene_name": path}):
                with jostle.Server(port=0, **fields) as server:
                    self.assertEqual("rolling", server.game.scene_name)

    def test_messages_of_set_log_name_the_argument(self):
        self.refuses(TypeError, "^lowest is <built-in function print>, .*; accepted: debug, error", jostle.set_log, print)
        self.refuses(TypeError, "^function is 3, a int; accepted: a function", jostle.set_log, "info", 3)
        self.refuses(ValueError, "^lowest: 'all' is unknown; accepted: debug, error", jostle.set_log, "all")


if __name__ == "__main__":
    unittest.main()
