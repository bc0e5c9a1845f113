#!/usr/bin/env python3
"""Tests of the Python package. Needs NumPy, and PYTHONPATH and JOSTLE_LIBRARY_PATH of the build folder."""
import ast
import contextlib
import ctypes
import gc
import inspect
import io
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.request
from pathlib import Path

import numpy as np

import jostle

SCENE = """{"name": "rolling", "spawns": [{"position": [0, 2, 8]}], "bodies": [
  {"name": "floor", "motion_type": "static", "shapes": [{"plane": {}}]},
  {"name": "ball", "position": [0, 0.5, 0], "linear_velocity": [6, 0, 0], "mass": 20,
   "shapes": [{"sphere": {"radius": 0.5}}]}]}"""


class Goals(jostle.Rule):
    name = "goals"

    def __init__(self):
        self.goals = 0
        self.names = {}

    def player_joined(self, game, player_id):
        self.names[str(player_id)] = game.player(player_id).name
        game.show("welcome", f"Hello {game.player(player_id).name}", player_id)

    def after_step(self, game):
        for player in game.players:
            custom = game.input(player.id).custom
            if custom:
                game.show("custom", custom.decode())
        ball = game.body("ball")
        if ball.position[0] >= 1:
            self.goals += 1
            game.show("goals", self.goals)
            ball.position = (0, 0.5, 0)


class WorldTest(unittest.TestCase):
    def setUp(self):
        self.world = jostle.World()
        self.ground = self.world.create_body(jostle.Shape.plane(), motion="static")

    def test_box_falls_onto_the_ground(self):
        box = self.world.create_body(jostle.Shape.box((0.5, 0.5, 0.5)), position=(0, 3, 0))
        self.world.step(120)
        self.assertAlmostEqual(0.5, box.position[1], places=2)
        self.assertAlmostEqual(1000, box.info.mass, places=1)

    def test_arrays_are_written_in_place(self):
        for i in range(5):
            self.world.create_body(jostle.Shape.sphere(0.5), position=(2 * i, 5, 0))
        positions = self.world.positions
        view = positions[1:, 1]
        self.assertTrue(np.shares_memory(view, positions))
        before = view.copy()
        self.world.step(10)
        self.assertIs(positions, self.world.positions)
        self.assertTrue((view < before).all())
        self.assertEqual((6, 4), self.world.rotations.shape)
        self.assertEqual(np.float32, self.world.linear_velocities.dtype)
        self.world.create_body(jostle.Shape.sphere(0.5), position=(20, 5, 0))
        self.assertEqual((7, 3), self.world.positions.shape)

    def test_same_world_as_in_c_has_the_same_rows_and_handles(self):
        body = self.world.create_body(jostle.Shape.sphere(0.5), position=(1, 2, 3))
        self.assertEqual([self.ground, body], self.world.bodies)
        np.testing.assert_array_equal([1, 2, 3], self.world.positions[1])

    def test_save_and_restore_give_the_same_hash(self):
        self.world.create_body(jostle.Shape.box((1, 1, 1)), position=(0, 4, 0))
        self.world.step(20)
        state, value = self.world.save(), self.world.hash
        for content in (state, bytearray(state), memoryview(state)):
            self.world.step(20)
            self.assertNotEqual(value, self.world.hash)
            self.world.restore(content)
            self.assertEqual(value, self.world.hash)
        copy = jostle.World()
        copy.copy_from(self.world)
        self.assertEqual(value, copy.hash)

    def test_joint_keeps_its_limits(self):
        door = self.world.create_body(jostle.Shape.box((0.5, 0.5, 0.05)), position=(5.5, 3, 0))
        hinge = self.world.create_joint("hinge", self.ground, door, (5, 3, 0), (0, 1, 0),
                                        limits={"is_enabled": 1, "lower": -0.2, "upper": 0.2},
                                        motor={"is_enabled": 1, "speed": 3.0, "max_force": 1e4})
        self.world.step(120)
        self.assertAlmostEqual(0.2, hinge.state.angle, places=2)

    def test_ray_and_contacts(self):
        box = self.world.create_body(jostle.Shape.box((0.5, 0.5, 0.5)), position=(0, 0.5, 0))
        self.world.step(2)
        hit = self.world.cast_ray((0, 5, 0), (0, -10, 0))
        self.assertEqual(box, hit.body)
        self.assertAlmostEqual(1, hit.point[1], places=2)
        self.assertIsNone(self.world.cast_ray((0, 5, 0), (0, 10, 0)))
        self.assertEqual(1, len(self.world.contacts))

    def test_forces_of_an_array_act(self):
        bodies = [self.world.create_body(jostle.Shape.sphere(0.5), position=(3 * i, 5, 0), mass=2) for i in range(3)]
        self.world.apply_forces(bodies, [(120, 0, 0), (0, 0, 240), (0, 0, 0)])
        self.world.step()
        np.testing.assert_allclose([1, 0, 0], self.world.linear_velocities[1:, 0], atol=1e-5)
        np.testing.assert_allclose([0, 2, 0], self.world.linear_velocities[1:, 2], atol=1e-5)
        with self.assertRaisesRegex(ValueError, r"accepted: \(3, 3\)"):
            self.world.apply_forces(bodies, [(1, 2, 3)])

    def test_hull_and_mesh_are_shapes(self):
        corners = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
        hull = self.world.create_body(jostle.Shape.hull(corners, density=100), position=(0, 5, 0))
        self.assertAlmostEqual(100, hull.info.mass, places=2)
        mesh = jostle.Shape.mesh([(0, 0, 0), (0, 0, 9), (9, 0, 0)], [(0, 1, 2)])
        self.world.create_body(mesh, motion="static", position=(0, 2, 0))
        self.assertAlmostEqual(2, self.world.cast_ray((1, 4, 1), (0, -3.9, 0)).point[1], places=4)

    def test_a_height_field_is_a_shape(self):
        heights = np.zeros((3, 4))
        heights[1, 2] = 1.5
        ground = jostle.Shape.height_field(heights, cell=(2, 3))
        self.world.create_body(ground, motion="static")
        for x, z, height in ((2, 6, 1.5), (2, 4.5, 0.75), (0.5, 1, 0)):
            self.assertAlmostEqual(height, self.world.cast_ray((x, 5, z), (0, -9, 0)).point[1], places=4)

    def test_errors_have_the_words_of_the_library(self):
        with self.assertRaisesRegex(ValueError, "jostle_body_create: def->mass is -2; accepted: 1e-06"):
            self.world.create_body(mass=-2)
        with self.assertRaisesRegex(TypeError, "unknown argument 'weight'; accepted: .*mass"):
            self.world.create_body(weight=2)
        with self.assertRaisesRegex(ValueError, "'flying' is unknown; accepted: dynamic, kinematic, static"):
            self.world.create_body(motion="flying")
        body = self.world.create_body()
        body.destroy()
        self.assertFalse(body.is_alive)
        with self.assertRaises(jostle.StaleHandle):
            body.pose  # noqa: B018
        with self.assertRaises(jostle.InvalidData):
            self.world.restore(b"no state")
        with self.assertRaisesRegex(jostle.InvalidData, "scene:1:"):
            jostle.World.from_scene("{")

    def test_worlds_are_destroyed_with_their_objects(self):
        for _ in range(5000):  # more than can exist at the same time
            jostle.World()
        gc.collect()
        with jostle.World() as world:
            handle = world.handle
        self.assertEqual(0, jostle.engine.jostle_world_is_alive(handle))

    def test_scene_becomes_a_world(self):
        world = jostle.World.from_scene(SCENE)
        world.step(6)
        self.assertAlmostEqual(0.6, world.positions[1][0], places=1)


class ServerTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = str(Path(self.folder.name) / "run.jrec")

    def test_rule_counts_goals_and_survives_the_sync_test(self):
        with jostle.Server(SCENE, rules=[Goals], port=0, sync_test_ticks=3) as server:
            server.step(60)
            self.assertGreater(server.game.values()["goals"], 3)
            self.assertEqual(60, server.info.sync_tests)
            self.assertEqual(0, server.info.sync_mismatch)
            server.control("reset")
            server.step()
            self.assertEqual({}, server.game.values())

    def test_game_keeps_its_server(self):
        self.assertEqual("rolling", jostle.Server(SCENE, port=0).game.scene_name)

    def test_rule_that_forgets_to_save_is_found(self):
        class Forgetful(Goals):
            def save(self):
                return b"{}"

            def load(self, state):
                self.goals = -100

        with jostle.Server(SCENE, rules=[Forgetful], port=0, sync_test_ticks=3) as server:
            server.step(60)
            self.assertNotEqual(0, server.info.sync_mismatch)

    def test_log_lines_go_to_a_function_or_nowhere(self):
        class Forgetful(Goals):
            def load(self, state):
                self.goals = -100

        lines = []

        def keep(level, line):
            lines.append((level, line))
            raise RuntimeError("ignored")

        self.addCleanup(jostle.set_log)
        for lowest in ("error", "none"):
            jostle.set_log(lowest, keep)
            with jostle.Server(SCENE, rules=[Forgetful], port=0, sync_test_ticks=3) as server:
                server.step(60)
        self.assertEqual(["error"], [level for level, _ in lines])
        self.assertTrue(lines[0][1].startswith("sync test: hashes differ tick="), lines)
        with self.assertRaisesRegex(ValueError, "accepted: debug, error, info, none, warning"):
            jostle.set_log("all")

    def test_log_is_set_in_any_order_of_loading_the_libraries(self):
        program = f"""import jostle
class Counter(jostle.Rule):
    name = "counter"
    calls = 0
    def after_step(self, game):
        Counter.calls += 1
        game.show("calls", Counter.calls)
FIRST.jostle_version(), SECOND.jostle_version()
jostle.set_log("error", lambda level, line: print(level, line.split(" tick")[0]))
jostle.Server('''{SCENE}''', rules=[Counter], port=0, sync_test_ticks=2).step(9)
"""
        for order in (("engine", "thin_client"), ("thin_client", "engine")):
            words = program.replace("FIRST", f"jostle.{order[0]}").replace("SECOND", f"jostle.{order[1]}")
            done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True)
            self.assertEqual(("error sync test: hashes differ\n", ""), (done.stdout, done.stderr), order)

    def test_exception_of_load_is_raised(self):
        class Unloadable(Goals):
            def load(self, state):
                raise ZeroDivisionError("no way back")

        with jostle.Server(SCENE, rules=[Unloadable], port=0, sync_test_ticks=3) as server:
            with self.assertRaisesRegex(ZeroDivisionError, "no way back"):
                server.step(60)

    def test_exception_of_a_rule_is_raised(self):
        class Broken(jostle.Rule):
            name = "broken"

            def before_step(self, game):
                if game.tick == 3:
                    raise KeyError("tick 3")

        for call in (lambda server: server.run(), lambda server: server.step(5)):
            with jostle.Server(SCENE, rules=[Broken], port=0) as server:
                with self.assertRaisesRegex(KeyError, "tick 3"):
                    call(server)

    def test_recording_is_replayed_verified_and_compared(self):
        with jostle.Server(SCENE, rules=[Goals], port=0, recording_file=self.path) as server:
            server.step(60)
            value = server.game.hash
        result = jostle.verify(self.path, [Goals])
        self.assertEqual((True, 60, value), result[:3])
        with jostle.Recording(self.path, [Goals]) as recording:
            recording.seek(recording.last_tick)
            self.assertEqual(value, recording.game.hash)
            self.assertEqual(0, recording.info.differing_ticks)
        self.assertTrue(jostle.compare(self.path, self.path, [Goals]).is_equal)
        with self.assertRaisesRegex(jostle.InvalidData, "goals"):
            jostle.Recording(self.path)

        class Cheating(Goals):
            def after_step(self, game):
                super().after_step(game)
                self.goals += game.tick == 30

        self.assertEqual((False, 30, "rules"), (lambda r: (r.is_same, r.differing_tick, r.parts))(
            jostle.verify(self.path, [Cheating])))
        self.assertEqual(0, jostle.recording_main([Goals], ["verify", self.path]))
        self.assertEqual(2, jostle.recording_main([Goals], ["fly"]))

    def test_recording_is_bisected_against_another_version_of_the_program(self):
        folder = Path(self.path).parent
        text = """
import sys
import jostle

class Push(jostle.Rule):
    name = "push"

    def after_step(self, game):
        if game.tick == PUSH_TICK:
            body = game.body("ball")
            body.linear_velocity = (0.25, 0, 0)

sys.exit(jostle.recording_main([Push]))
"""
        for name, tick in (("game", 1000), ("same", 2000), ("old", 25)):
            (folder / f"{name}.py").write_text(text.replace("PUSH_TICK", str(tick)))

        class Push(jostle.Rule):
            name = "push"

        with jostle.Server(SCENE, rules=[Push], port=0, recording_file=self.path) as server:
            server.step(40)

        def bisect(*command):
            return subprocess.run([sys.executable, folder / "game.py", "bisect", self.path, *command],
                                  capture_output=True, text=True, check=False)

        same = bisect(sys.executable, folder / "same.py")
        self.assertEqual((0, ""), (same.returncode, same.stderr))
        self.assertIn("40 ticks", same.stdout)
        found = bisect(sys.executable, folder / "old.py")
        self.assertEqual((1, ""), (found.returncode, found.stderr))
        for words in ("first divergence: tick 25, after the last stage", "ball", "linear_velocity.x", "B 0.25"):
            self.assertIn(words, found.stdout)
        for command, words in ((["false"], "printed nothing"), (["no_such_program"], "cannot be started")):
            refused = bisect(*command)
            self.assertEqual(2, refused.returncode, command)
            self.assertIn(words, refused.stderr)

    def test_server_with_a_gate_has_a_url(self):
        if not os.path.exists(os.environ.get("JOSTLE_GATE", "")):
            self.skipTest("jostle-gate is not built")
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        with open(os.path.join(folder, "index.html"), "w") as page:
            page.write("<title>page</title>")
        with jostle.Server(SCENE, port=0) as plain:
            self.assertEqual(plain.url, "")
        server = jostle.Server(SCENE, port=0, web_address="127.0.0.1:0", web_page_folder=folder)
        self.assertRegex(server.url, r"^http://127\.0\.0\.1:\d+/$")
        self.assertIn(f'<iframe src="{server.url}"', server._repr_html_())
        with urllib.request.urlopen(server.url) as answer:
            self.assertEqual(answer.read(), b"<title>page</title>")
            self.assertIn("frame-ancestors 'self' http://localhost:*", answer.headers["Content-Security-Policy"])
        url = server.url
        server.close()
        with self.assertRaises(OSError):
            urllib.request.urlopen(url)
        with self.assertRaisesRegex(jostle.Error, "web_address"):
            jostle.Server(SCENE, port=0, web_address="0.0.0.0:0")
        with self.assertRaisesRegex(jostle.Error, "web_address"):
            jostle.Server(SCENE, port=0, web_address="nonsense")

    def test_client_plays(self):
        with jostle.Server(SCENE, rules=[Goals], port=0) as server:
            with jostle.Client(f"127.0.0.1:{server.port}", name="Ada") as client:
                self.run_until(server, client, lambda: "welcome" in client.values)
                self.assertEqual("Hello Ada", client.values["welcome"])
                client.set_input(move=(1, 0), custom=b"abc")
                self.run_until(server, client, lambda: client.values.get("custom") == "abc")
                self.assertEqual(3, len(client.ids))
                self.assertEqual((3, 3), client.positions.shape)
                ball = client.find_body("ball")
                row = list(client.ids).index(ball)
                np.testing.assert_array_equal(client.positions[row], client.pose(ball).position)
                self.assertEqual(b"ball", client.body(ball).name)
                self.assertEqual((3, 3), client.triangles(ball).shape[1:])
                self.assertEqual("Ada", server.game.player(client.status.player).name)
                with self.assertRaises(ValueError):
                    client.set_input(custom=b"x" * 33)

    def test_game_continues_from_its_state_folder(self):
        folder = os.path.join(os.path.dirname(self.path), "state")
        with jostle.Server(SCENE, rules=[Goals], port=0, state_folder=folder, durability="strict") as server:
            self.assertEqual(0, server.durable_tick)
            with jostle.Client(f"127.0.0.1:{server.port}", name="Ada") as client:
                self.assertEqual(0, client.durable_tick)
                self.run_until(server, client, lambda: client.durable_tick > 0)
                self.assertLessEqual(client.durable_tick, server.durable_tick)
            server.step(60)
            tick, value = server.game.tick, server.game.hash
        with jostle.Server(SCENE, rules=[Goals], port=0, state_folder=folder) as server:
            self.assertEqual((tick, value), (server.info.restored_tick, server.game.hash))
            self.assertGreater(server.game.values()["goals"], 0)
            with self.assertRaisesRegex(jostle.WrongState, "another server uses"):
                jostle.Server(SCENE, rules=[Goals], port=0, state_folder=folder)
        with self.assertRaisesRegex(ValueError, "accepted: group, none, strict"):
            jostle.Server(SCENE, port=0, state_folder=folder, durability="sometimes")

    def run_until(self, server, client, condition):
        for _ in range(6000):
            if client.poll() == "playing" and condition():
                return
            server.poll(0.01)
        self.fail("the condition did not come true in a minute")

    def test_failed_client_raises(self):
        client = jostle.Client("127.0.0.1:1", connect_seconds=1)
        with self.assertRaises(jostle.ClientError):
            for _ in range(600):
                client.poll(0.1)

    def test_run_ends_with_stop_of_another_thread(self):
        with jostle.Server(SCENE, port=0) as server:
            runner = threading.Thread(target=server.run)
            runner.start()
            server.stop()
            runner.join(60)
            self.assertFalse(runner.is_alive())


class PackageTest(unittest.TestCase):
    def test_everything_public_has_a_docstring(self):
        missing = []
        for name in jostle.__all__:
            thing = getattr(jostle, name)
            if not (inspect.isclass(thing) or inspect.isfunction(thing)):
                continue
            if not inspect.getdoc(thing):
                missing.append(name)
            if inspect.isclass(thing) and thing.__module__.startswith("jostle."):
                missing += [f"{name}.{key}" for key, value in vars(thing).items()
                            if not key.startswith("_") and callable(getattr(value, "fget", value))
                            and not inspect.getdoc(value)]
        self.assertEqual([], missing)

    def test_stub_has_all_structs_with_their_fields(self):
        stub = ast.parse(Path(jostle.abi.__file__).with_suffix(".pyi").read_text())
        described = {each.name: [part.target.id for part in each.body] for each in stub.body
                     if isinstance(each, ast.ClassDef)}
        structs = {name: [field[0] for field in kind._fields_] for name, kind in vars(jostle.abi).items()
                   if inspect.isclass(kind) and issubclass(kind, ctypes.Structure) and kind is not ctypes.Structure}
        self.assertGreater(len(structs), 50)
        self.assertEqual(structs, described)

    def test_version_is_that_of_the_headers(self):
        with contextlib.redirect_stdout(io.StringIO()):
            version = jostle.version()
        self.assertEqual(f"{jostle.abi.JOSTLE_VERSION_MAJOR}.{jostle.abi.JOSTLE_VERSION_MINOR}."
                         f"{jostle.abi.JOSTLE_VERSION_PATCH}", version)


if __name__ == "__main__":
    unittest.main()
